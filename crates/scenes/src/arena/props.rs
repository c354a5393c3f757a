//! Platforms, pick-ups, and what fell off the field.

use super::Arena;
use super::map::{BALL, SPOTS, layer, of_layer, platform, spawn, spot};
use super::state::PickUp;
use super::tag::Tag;
use crate::stage::ball;
use isostep_math::{Fx, Pose, Vec3, fx, vec3};
use isostep_step::{BodyDef, BodyHandle, Command, Outcome};

/// Below this, a body is off the field.
const ABYSS: Fx = fx!(-8);

/// The stream of the places of pick-ups.
const STREAM: u32 = 1;

/// The most pick-ups at a time.
const MOST_PICK_UPS: usize = 3;

impl Arena {
    /// Moves platforms to where the next tick has them.
    pub(super) fn move_platforms(&mut self) {
        let tick = self.world.tick().wrapping_add(1);
        for index in 0..self.state.platforms.len() {
            if let Some(body) = self.state.platforms[index] {
                let pose = Pose::from_translation(platform(index, tick));
                self.command(Command::SetKinematicTarget { body, pose });
            }
        }
    }

    /// Puts what fell off the field back, and the ball that is in a goal.
    pub(super) fn bring_back(&mut self) {
        for player in 0..self.state.players.len() {
            let body = self.state.players[player].body;
            if self.is_off(body) {
                self.put(body, spawn(player));
                let state = &mut self.state.players[player];
                state.score = state.score.saturating_sub(1);
                state.stunned = 60;
            }
        }
        for index in 0..self.state.crates.len() {
            let body = self.state.crates[index];
            if self.is_off(body) {
                let place = Fx::from_int((index % 8) as i32) - fx!(3.5);
                self.put(body, vec3(place * fx!(2), fx!(6), fx!(0)));
            }
        }
        let Some(ball) = self.state.ball else { return };
        if core::mem::take(&mut self.state.ball_is_in_goal) || self.is_off(ball) {
            self.put(ball, BALL);
        }
    }

    fn is_off(&self, body: BodyHandle) -> bool {
        self.world.body(body).is_some_and(|body| body.position().y < ABYSS || body.is_frozen())
    }

    /// What is put elsewhere takes no rope along.
    fn put(&mut self, body: BodyHandle, place: Vec3) {
        self.cut_ropes_of(body);
        self.command(Command::SetPose { body, pose: Pose::from_translation(place) });
        self.command(Command::SetVelocity { body, linear: Vec3::ZERO, angular: Vec3::ZERO });
    }

    /// Removes pick-ups that somebody has, and brings others.
    pub(super) fn place_pick_ups(&mut self) {
        for index in 0..SPOTS {
            if let PickUp { body: Some(body), is_taken: true } = self.state.pick_ups[index] {
                self.command(Command::RemoveBody(body));
                self.state.pick_ups[index] = PickUp::default();
            }
        }
        self.state.pick_up_in = self.state.pick_up_in.saturating_sub(1);
        if self.state.pick_up_in > 0 || self.state.pick_ups().count() >= MOST_PICK_UPS {
            return;
        }
        self.state.pick_up_in = 120;
        let Some(Outcome::Random(bits)) = self.command(Command::DrawRandom { stream: STREAM }) else {
            return;
        };
        let first = (bits % SPOTS as u64) as usize;
        let free = (0..SPOTS).map(|index| (first + index) % SPOTS);
        let Some(index) = free.into_iter().find(|&index| self.state.pick_ups[index].body.is_none()) else {
            return;
        };
        let body = BodyDef { user_data: Tag::PickUp(index).to_bits(), ..BodyDef::fixed(spot(index)) };
        let sensor = of_layer(ball(fx!(0.6)), layer::PICK_UPS).as_sensor();
        self.state.pick_ups[index].body = self.add_body(body, sensor);
    }
}
