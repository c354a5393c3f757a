//! Hooks: ropes from players to what a ray hits.
//!
//! A rope is a distance joint with an upper limit alone, from what was hit (a) to the player (b). The world has all
//! there is to know of it, its length included; the game keeps its handle.

use super::Arena;
use super::map::layer;
use isostep_collision::Ray;
use isostep_math::{Fx, Pose, Vec3, fx};
use isostep_step::{
    BodyHandle, Command, JointDef, JointHandle, JointKind, Limits, Outcome, QueryFilter, Spring,
};

/// How far a hook flies, in m.
const REACH: Fx = fx!(9);

/// How steeply a hook is shot, in m up for each ahead. A player aims left and right only: the steepest that hits counts.
const SLOPES: [Fx; 8] = [fx!(2.4), fx!(1.7), fx!(1.25), fx!(0.95), fx!(0.7), fx!(0.5), fx!(0.3), fx!(0.1)];

/// What a hook holds on to.
const TARGETS: u32 = 1 << layer::SCENERY | 1 << layer::PLAYERS | 1 << layer::THINGS;

/// The shortest rope, in m.
const SHORTEST: Fx = fx!(1.5);

/// How fast a rope is pulled in, in m/s, and how much faster in each tick.
const PULL: Fx = fx!(7);
const PULL_GAIN: Fx = fx!(0.4);

/// What a rope holds, in N: ten times the weight of a player.
const STRENGTH: Fx = fx!(8000);

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

    /// Takes in what is slack, and pulls faster than the ends of the rope come together by themselves. Where they cannot,
    /// it gets tight until it breaks.
    fn pull_in(&mut self, rope: JointHandle) {
        let Some(view) = self.world.joint(rope) else { return };
        let JointKind::Distance { limits: Some(Limits { upper, .. }), .. } = *view.kind() else { return };
        let [a, b] = view.anchors();
        let speeds = [0, 1].map(|side| {
            let body = self.world.body(view.bodies()[side]);
            body.map_or(Vec3::ZERO, |body| body.velocity_at(view.anchors()[side]))
        });
        let approach = (speeds[1] - speeds[0]).dot((a - b).normalize_or_zero());
        let pull = (approach + PULL_GAIN).clamp(Fx::ZERO, PULL);
        let rate = Fx::from_int(self.world.config().tick_rate as i32);
        let length = (upper.min(a.distance(b)) - pull / rate).max(SHORTEST);
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
    JointKind::Distance { limits: Some(Limits { lower: Fx::ZERO, upper: length }), motor: None }
}

#[cfg(test)]
mod tests;
