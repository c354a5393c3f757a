//! Hooks: ropes from players to what a ray hits.
//!
//! A rope is a distance joint from what was hit (a) to the player (b). Its motor pulls, and its upper limit follows: what
//! was pulled in is not given back. The world has all there is to know of it, its length included; the game keeps its
//! handle.

use super::Arena;
use super::map::layer;
use isostep_collision::Ray;
use isostep_math::{Fx, Pose, Vec3, fx};
use isostep_step::{
    BodyHandle, Command, JointDef, JointHandle, JointKind, Limits, Motor, Outcome, QueryFilter, Spring,
};

/// How far a hook flies, in m.
const REACH: Fx = fx!(9);

/// How steeply a hook is shot, in m up for each ahead. A player aims left and right only: the steepest that hits counts.
const SLOPES: [Fx; 8] = [fx!(2.4), fx!(1.7), fx!(1.25), fx!(0.95), fx!(0.7), fx!(0.5), fx!(0.3), fx!(0.1)];

/// What a hook holds on to.
const TARGETS: u32 = 1 << layer::SCENERY | 1 << layer::PLAYERS | 1 << layer::THINGS;

/// The shortest rope, in m.
const SHORTEST: Fx = fx!(1.5);

/// How a rope is pulled in, in N at the most: three times the weight of a player. By the spring alone they would have
/// k d = c v, which is a speed of 1.7 m/s for each metre that is left.
const PULL: Fx = fx!(2400);
const PULL_SPRING: Spring = Spring { frequency: fx!(0.8), damping_ratio: fx!(1.5) };

/// What a rope holds, in N.
const STRENGTH: Fx = fx!(6000);

/// Where a rope ends on a player, from the middle.
const HAND: Vec3 = Vec3::new(Fx::ZERO, fx!(0.4), Fx::ZERO);

/// Ticks until the next shot of a hook, and after a rope broke.
const PAUSE: u8 = 15;
const PAUSE_AFTER_BREAK: u8 = 40;

impl Arena {
    /// Shoots a hook, pulls in its rope, or lets go.
    pub(super) fn use_hook(&mut self, player: usize, is_held: bool, position: Vec3, facing: Vec3) {
        let state = &self.state.players[player];
        match state.rope {
            Some(_) if !is_held => self.let_go(player),
            Some(rope) => self.pull_in(rope),
            None if is_held && state.hook_in == 0 => {
                self.state.players[player].hook_in = PAUSE;
                self.state.players[player].rope = self.shoot_hook(player, position + HAND, facing);
            }
            None => {}
        }
    }

    fn shoot_hook(&mut self, player: usize, from: Vec3, facing: Vec3) -> Option<JointHandle> {
        let body = self.state.players[player].body;
        let filter = QueryFilter::default().of_layers(TARGETS).without(body);
        let queries = self.world.queries();
        let found = SLOPES.into_iter().find_map(|slope| {
            let way = (facing + Vec3::Y * slope).normalize_or_zero() * REACH;
            queries.cast_ray(&Ray::new(from, way), &filter)
        })?;
        let target = self.world.body(found.body)?.pose().inverse_transform_point(found.hit.point);
        let length = found.hit.point.distance(from).max(SHORTEST);
        let mut rope = JointDef::new(
            rope_of(length),
            (found.body, Pose::from_translation(target)),
            (body, Pose::from_translation(HAND)),
        );
        rope.collide_connected = true;
        rope.break_force = Some(STRENGTH);
        // It gives a little, as ropes do: a jerk is spread over some ticks.
        rope.softness = Some(Spring { frequency: fx!(5), damping_ratio: fx!(1) });
        let Some(Outcome::Joint(rope)) = self.command(Command::AddJoint(rope)) else { return None };
        Some(rope)
    }

    /// Shortens a rope to where its ends are.
    fn pull_in(&mut self, rope: JointHandle) {
        let Some(view) = self.world.joint(rope) else { return };
        let JointKind::Distance { limits: Some(Limits { upper, .. }), .. } = *view.kind() else { return };
        let length = view.position().unwrap_or(upper).max(SHORTEST);
        // Who hangs still may fall asleep.
        if length < upper {
            self.command(Command::SetJointKind { joint: rope, kind: rope_of(length) });
        }
    }

    pub(super) fn let_go(&mut self, player: usize) {
        if let Some(rope) = self.state.players[player].rope.take() {
            self.command(Command::RemoveJoint(rope));
        }
    }

    /// Cuts all ropes from or to a body.
    pub(super) fn cut_ropes_of(&mut self, body: BodyHandle) {
        for player in 0..self.state.players.len() {
            let rope = self.state.players[player].rope.and_then(|rope| self.world.joint(rope));
            if rope.is_some_and(|rope| rope.bodies().contains(&body)) {
                self.let_go(player);
            }
        }
    }

    /// Forgets ropes that are gone: they broke in the step, or what they held was removed before it.
    pub(super) fn forget_lost_ropes(&mut self) {
        for player in &mut self.state.players {
            if player.rope.is_some_and(|rope| self.world.joint(rope).is_none()) {
                player.rope = None;
                player.hook_in = PAUSE_AFTER_BREAK;
            }
        }
    }
}

fn rope_of(length: Fx) -> JointKind {
    let pull = Motor { position: SHORTEST, velocity: Fx::ZERO, spring: Some(PULL_SPRING), max_force: PULL };
    JointKind::Distance { limits: Some(Limits { lower: Fx::ZERO, upper: length }), motor: Some(pull) }
}

#[cfg(test)]
mod tests;
