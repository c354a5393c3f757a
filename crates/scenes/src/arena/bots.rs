//! Players that a seed plays.

use super::input::{Buttons, PlayerInput};
use super::map::BEAMS;
use super::mechanisms::{DOORWAYS, is_in_room};
use super::{Arena, MAX_PLAYERS};
use isostep_math::random::Rng;
use isostep_math::{Fx, Vec3, fx, vec3};

/// Places that bots go to one after the other: through the room by its doors, over the bridge, over each seesaw.
const ROUTES: [&[(Fx, Fx)]; 4] = [
    &[(fx!(-8.5), fx!(9)), (fx!(-11.5), fx!(9)), (fx!(-13), fx!(7.5)), (fx!(-13), fx!(4))],
    &[(fx!(14.5), fx!(-3)), (fx!(14.5), fx!(-10.5)), (fx!(3.25), fx!(-10.5)), (fx!(2), fx!(-7.5))],
    &[(fx!(-3), fx!(5)), (fx!(3), fx!(5))],
    &[(fx!(3), fx!(-5)), (fx!(-3), fx!(-5))],
];

/// How near a bot has to come to a place of a route.
const ARRIVED: Fx = fx!(0.8);

/// The longest that a bot follows a route, or swings, in ticks.
const ROUTE_TICKS: u32 = 360;
const SWING_TICKS: u32 = 100;

/// Players that run after the ball, pick-ups and each other, and use what stands on the field. What they do follows
/// from the seed and from what they see, so the same game has the same inputs.
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
    /// A route, and where on it.
    Route(usize, usize),
    /// Ahead, and on a hook from the next beam on.
    Swing([i8; 2]),
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
            self.choose();
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
        if self.wants_hook(arena, player).unwrap_or_default() {
            buttons = buttons.with(Buttons::HOOK);
        }
        let [x, z] = self.heading(arena, player).unwrap_or_default();
        PlayerInput { x, z, buttons }
    }

    fn choose(&mut self) {
        self.ticks_left = 20 + self.rng.below(60);
        self.plan = match self.rng.below(17) {
            0 => Plan::Wander([self.rng.range_i32(-127, 127) as i8, self.rng.range_i32(-127, 127) as i8]),
            1..=6 => Plan::Ball,
            7..=9 => Plan::PickUp,
            10..=12 => Plan::Hunt(self.rng.below(MAX_PLAYERS as u32) as usize),
            13 | 14 => {
                self.ticks_left = ROUTE_TICKS;
                Plan::Route(self.rng.below(ROUTES.len() as u32) as usize, 0)
            }
            _ => {
                self.ticks_left = SWING_TICKS;
                let x = if self.rng.below(2) == 0 { -120 } else { 120 };
                Plan::Swing([x, self.rng.range_i32(-40, 40) as i8])
            }
        };
    }

    fn heading(&mut self, arena: &Arena, player: usize) -> Option<[i8; 2]> {
        let (world, state) = (arena.world(), arena.state());
        let place = |body| world.body(body).map(|body| body.position());
        let own = place(state.players().get(player)?.body())?;
        let target = match self.plan {
            Plan::Wander(heading) | Plan::Swing(heading) => return Some(heading),
            Plan::Ball => place(state.ball()?)?,
            Plan::PickUp => {
                let places = state.pick_ups().filter_map(place);
                places.min_by_key(|place| (*place - own).with_y(Fx::ZERO).length())?
            }
            Plan::Hunt(other) => place(state.players().get(other)?.body())?,
            Plan::Route(route, step) => {
                let (x, z) = *ROUTES[route].get(step)?;
                let target = vec3(x, own.y, z);
                if (target - own).length() < ARRIVED {
                    self.plan = Plan::Route(route, step + 1);
                    if step + 1 == ROUTES[route].len() {
                        self.ticks_left = 0;
                    }
                }
                target
            }
        };
        Some(full_speed(by_the_door(own, target) - own))
    }

    /// Whether a bot that swings is before a beam, or hangs on its rope.
    fn wants_hook(&self, arena: &Arena, player: usize) -> Option<bool> {
        let Plan::Swing([x, _]) = self.plan else { return None };
        let state = arena.state().players().get(player)?;
        let own = arena.world().body(state.body())?.position();
        let ahead = |beam: Fx| if x > 0 { beam - own.x } else { own.x - beam };
        let is_before = BEAMS.into_iter().any(|beam| (fx!(1.5)..fx!(5)).contains(&ahead(beam)));
        Some(is_before || state.rope().is_some())
    }
}

/// Where to go first: to a doorway, if one place is in the room and the other is not.
fn by_the_door(own: Vec3, target: Vec3) -> Vec3 {
    let to = |doorway: Vec3| (doorway - own).with_y(Fx::ZERO).length();
    match DOORWAYS.into_iter().min_by_key(|doorway| to(*doorway)) {
        Some(doorway) if is_in_room(own) != is_in_room(target) && to(doorway) > Fx::ONE => doorway,
        _ => target,
    }
}

/// In a direction, in parts of 127.
fn full_speed(way: Vec3) -> [i8; 2] {
    let way = way.with_y(Fx::ZERO).normalize_or_zero() * fx!(127);
    [way.x.to_int_round() as i8, way.z.to_int_round() as i8]
}
