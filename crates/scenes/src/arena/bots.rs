//! Players that a seed plays.

use super::input::{Buttons, PlayerInput};
use super::{Arena, MAX_PLAYERS};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx};

/// Players that run after the ball, pick-ups and each other. What they do follows from the seed and from what they see,
/// so the same game has the same inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bots {
    minds: Vec<Mind>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Mind {
    rng: Rng,
    plan: Plan,
    ticks_left: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plan {
    Wander([i8; 2]),
    Ball,
    PickUp,
    Hunt(usize),
}

impl Bots {
    /// As many as there are players, up to [`MAX_PLAYERS`].
    #[must_use]
    pub fn new(players: usize, seed: u64) -> Self {
        let mind = |player| Mind { rng: Rng::new(seed, player), plan: Plan::Ball, ticks_left: 0 };
        Self { minds: (0..players.min(MAX_PLAYERS) as u64).map(mind).collect() }
    }

    /// What they do in the next tick.
    pub fn inputs(&mut self, arena: &Arena) -> Vec<PlayerInput> {
        self.minds.iter_mut().enumerate().map(|(player, mind)| mind.input(arena, player)).collect()
    }
}

impl Mind {
    fn input(&mut self, arena: &Arena, player: usize) -> PlayerInput {
        if self.ticks_left == 0 {
            self.ticks_left = 20 + self.rng.below(60);
            self.plan = match self.rng.below(5) {
                0 => Plan::Wander([self.rng.range_i32(-127, 127) as i8, self.rng.range_i32(-127, 127) as i8]),
                1 | 2 => Plan::Ball,
                3 => Plan::PickUp,
                _ => Plan::Hunt(self.rng.below(MAX_PLAYERS as u32) as usize),
            };
        }
        self.ticks_left -= 1;
        let mut buttons = Buttons::NONE;
        for (button, chance) in
            [(Buttons::JUMP, 50), (Buttons::PUSH, 40), (Buttons::THROW, 60), (Buttons::SHOOT, 45)]
        {
            if self.rng.below(chance) == 0 {
                buttons = buttons.with(button);
            }
        }
        let [x, z] = self.heading(arena, player).unwrap_or_default();
        PlayerInput { x, z, buttons }
    }

    fn heading(&self, arena: &Arena, player: usize) -> Option<[i8; 2]> {
        let (world, state) = (arena.world(), arena.state());
        let place = |body| world.body(body).map(|body| body.position());
        let own = place(state.players().get(player)?.body())?;
        let target = match self.plan {
            Plan::Wander(heading) => return Some(heading),
            Plan::Ball => place(state.ball()?)?,
            Plan::PickUp => {
                let places = state.pick_ups().filter_map(place);
                places.min_by_key(|place| (*place - own).with_y(Fx::ZERO).length())?
            }
            Plan::Hunt(other) => place(state.players().get(other)?.body())?,
        };
        Some(full_speed(target - own))
    }
}

/// In a direction, in parts of 127.
fn full_speed(way: Vec3) -> [i8; 2] {
    let way = way.with_y(Fx::ZERO).normalize_or_zero() * fx!(127);
    [way.x.to_int_round() as i8, way.z.to_int_round() as i8]
}
