//! What players shoot and throw.

use super::Arena;
use super::map::{layer, of_layer, thing};
use super::state::{MAX_SHOTS, Shot};
use super::tag::Tag;
use crate::stage::{ball, cuboid};
use isostep_math::{Fx, Pose, Vec3, fx};
use isostep_step::{BodyDef, ColliderDef, Command, Outcome, QueryFilter};

/// How fast a shot is, in m/s.
const SHOT_SPEED: Fx = fx!(22);

/// Until a player may shoot or throw again.
const PAUSE: u8 = 20;

/// A shot that leaves a place. It is the one thing of the game that may pass a door's thickness and more in a tick.
fn bullet(from: Vec3, facing: Vec3) -> BodyDef {
    BodyDef {
        user_data: Tag::Shot.to_bits(),
        gravity_scale: fx!(0.3),
        ..BodyDef::dynamic(from).moving(facing * SHOT_SPEED).as_bullet()
    }
}

impl Arena {
    pub(super) fn shoot(&mut self, player: usize, position: Vec3, facing: Vec3) {
        self.state.players[player].shoot_in = PAUSE;
        let collider = of_layer(ball(fx!(0.15)), layer::SHOTS).with_density(fx!(300));
        let way = facing * fx!(0.7) + Vec3::Y * fx!(0.3);
        let from = position + self.clear_part(player, position, way, &collider);
        self.launch(player, bullet(from, facing), collider, 120);
    }

    pub(super) fn throw(&mut self, player: usize, position: Vec3, facing: Vec3) {
        let state = &mut self.state.players[player];
        if state.held == 0 || state.shoot_in > 0 {
            return;
        }
        state.shoot_in = PAUSE;
        state.held -= 1;
        let collider = thing(cuboid(Vec3::splat(fx!(0.3)))).with_density(fx!(200));
        let from = position + self.clear_part(player, position, facing + Vec3::Y * fx!(0.5), &collider);
        let way = facing * fx!(8) + Vec3::Y * fx!(4);
        let body = BodyDef { user_data: Tag::Crate.to_bits(), ..BodyDef::dynamic(from).moving(way) };
        self.launch(player, body, collider, 600);
    }

    /// The part of the way from a player to where something leaves their hands that no wall or door is in: nothing is
    /// handed through them.
    fn clear_part(&mut self, player: usize, position: Vec3, way: Vec3, collider: &ColliderDef) -> Vec3 {
        let layers = 1 << layer::SCENERY | 1 << layer::THINGS;
        let filter = QueryFilter::default().of_layers(layers).without(self.state.players[player].body);
        let shape = collider.shape.transformed(&Pose::from_translation(position));
        let found = self.world.queries().cast_shape(&shape, way, &filter);
        found.map_or(way, |found| way * found.hit.fraction)
    }

    /// Lets something fly that passes through its owner.
    fn launch(&mut self, owner: usize, body: BodyDef, collider: ColliderDef, ticks: u16) {
        if self.state.shots.len() >= MAX_SHOTS {
            let oldest = self.state.shots.remove(0);
            self.command(Command::RemoveBody(oldest.body));
        }
        let Some(Outcome::Body(body)) = self.command(Command::AddBody(body)) else { return };
        self.command(Command::AddCollider { body, collider });
        let thrower = self.state.players[owner].body;
        self.command(Command::SetPairExcluded { a: thrower, b: body, excluded: true });
        self.state.shots.push(Shot { body, owner: owner as u8, ticks_left: ticks });
    }

    /// Removes shots whose time is over.
    pub(super) fn clear_shots(&mut self) {
        let mut index = 0;
        while index < self.state.shots.len() {
            let shot = &mut self.state.shots[index];
            shot.ticks_left = shot.ticks_left.saturating_sub(1);
            if shot.ticks_left == 0 {
                let body = self.state.shots.remove(index).body;
                self.command(Command::RemoveBody(body));
            } else {
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests;
