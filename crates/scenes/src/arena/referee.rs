//! What the events of a step mean for the game.
//!
//! A loaded world has no events, so they are read right after the step, and leave in the game's state what the next
//! tick is to do.

use super::Arena;
use super::tag::Tag;
use isostep_step::{ColliderHandle, Event};

/// The most crates that a player holds.
const MOST_HELD: u8 = 3;

impl Arena {
    pub(super) fn judge(&mut self) {
        for index in 0..self.world.events().len() {
            match self.world.events()[index] {
                Event::ContactBegin { a, b } => {
                    self.judge_hit(a, b);
                    self.judge_hit(b, a);
                }
                Event::SensorEnter { sensor, visitor } => self.judge_visit(sensor, visitor),
                _ => {}
            }
        }
    }

    /// A shot that hits a player counts for its owner, and goes; one that hits something else goes soon.
    fn judge_hit(&mut self, shot: ColliderHandle, target: ColliderHandle) {
        if Tag::of(&self.world, shot) != Tag::Shot {
            return;
        }
        let target = Tag::of(&self.world, target);
        let Some(body) = self.world.collider(shot).map(|collider| collider.body()) else { return };
        let Some(shot) = self.state.shots.iter_mut().find(|shot| shot.body == body) else { return };
        shot.ticks_left = shot.ticks_left.min(if matches!(target, Tag::Player(_)) { 1 } else { 30 });
        let owner = usize::from(shot.owner);
        if let Tag::Player(player) = target {
            if let Some(player) = self.state.players.get_mut(player) {
                player.stunned = player.stunned.max(20);
            }
            if let Some(owner) = self.state.players.get_mut(owner) {
                owner.score = owner.score.saturating_add(1);
            }
        }
    }

    fn judge_visit(&mut self, sensor: ColliderHandle, visitor: ColliderHandle) {
        match (Tag::of(&self.world, sensor), Tag::of(&self.world, visitor)) {
            (Tag::PickUp(spot), Tag::Player(player)) => {
                let Some(pick_up) = self.state.pick_ups.get_mut(spot) else { return };
                let Some(player) = self.state.players.get_mut(player) else { return };
                if !pick_up.is_taken && player.held < MOST_HELD {
                    pick_up.is_taken = true;
                    player.held += 1;
                }
            }
            (Tag::Goal(side), Tag::Ball) => {
                self.state.ball_is_in_goal = true;
                // The players of odd numbers shoot at the first goal.
                let team = &mut self.state.goals[1 - side.min(1)];
                *team = team.saturating_add(1);
            }
            _ => {}
        }
    }
}
