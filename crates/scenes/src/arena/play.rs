//! What players do.

use super::input::{PlayerInput, direction_of};
use super::map::{PLAYER, layer};
use super::{Arena, Buttons};
use isostep_collision::{Shape, Sphere};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyHandle, BodyKind, Command, QueryFilter};

/// How fast players run, in m/s.
const SPEED: Fx = fx!(6);

/// How much velocity changes in a tick on the ground and in the air, in m/s.
const CONTROL: [Fx; 2] = [fx!(0.7), fx!(0.15)];

/// The velocity of a jump, in m/s.
const JUMP: Fx = fx!(6.5);

/// The strongest push, in N·s.
const PUSH: Fx = fx!(300);

/// What is no ground to stand on.
const NO_GROUND: u32 = 1 << layer::SHOTS | 1 << layer::PICK_UPS;

impl Arena {
    pub(super) fn play(&mut self, player: usize, input: PlayerInput) {
        let state = &mut self.state.players[player];
        state.jump_in = state.jump_in.saturating_sub(1);
        state.push_in = state.push_in.saturating_sub(1);
        state.shoot_in = state.shoot_in.saturating_sub(1);
        state.hook_in = state.hook_in.saturating_sub(1);
        if state.stunned > 0 {
            state.stunned -= 1;
            self.let_go(player);
            return;
        }
        if (input.x, input.z) != (0, 0) {
            state.facing = [input.x, input.z];
        }
        let (body, facing) = (state.body, direction_of(state.facing).normalize_or(Vec3::X));
        let Some(view) = self.world.body(body) else { return };
        let (position, velocity) = (view.position(), view.linear_velocity());
        let mass = view.mass().unwrap_or(Fx::ONE);
        let ground = self.ground_below(body, position);
        // Who is on a rope does not brake.
        let foothold = if self.state.players[player].rope.is_some() { None } else { ground };
        self.run(body, input.direction(), velocity, foothold, mass);
        if input.buttons.contains(Buttons::JUMP)
            && ground.is_some()
            && self.state.players[player].jump_in == 0
        {
            self.state.players[player].jump_in = 20;
            self.command(Command::ApplyImpulse { body, impulse: Vec3::Y * (JUMP * mass) });
        }
        if input.buttons.contains(Buttons::PUSH) && self.state.players[player].push_in == 0 {
            self.state.players[player].push_in = 30;
            self.push_ahead(body, position, facing);
        }
        if input.buttons.contains(Buttons::SHOOT) && self.state.players[player].shoot_in == 0 {
            self.shoot(player, position, facing);
        }
        if input.buttons.contains(Buttons::THROW) {
            self.throw(player, position, facing);
        }
        self.use_hook(player, input.buttons.contains(Buttons::HOOK), position, facing);
    }

    /// The velocity of what a player stands on; `None` in the air.
    fn ground_below(&mut self, body: BodyHandle, position: Vec3) -> Option<Vec3> {
        let (half_height, radius) = PLAYER;
        let feet = position - Vec3::Y * half_height;
        let foot = Shape::from(Sphere::new(feet, radius - fx!(0.1)).ok()?);
        let filter = QueryFilter::default().of_layers(!NO_GROUND).without(body);
        let found = self.world.queries().cast_shape(&foot, Vec3::Y * fx!(-0.2), &filter)?;
        let is_flat = found.hit.is_inside() || found.hit.normal.y > Fx::HALF;
        let ground = self.world.body(found.body)?;
        is_flat.then(|| ground.velocity_at(found.hit.point))
    }

    fn run(&mut self, body: BodyHandle, direction: Vec3, velocity: Vec3, ground: Option<Vec3>, mass: Fx) {
        if ground.is_none() && direction == Vec3::ZERO {
            return;
        }
        let wanted = ground.unwrap_or(Vec3::ZERO) + direction * SPEED;
        let most = CONTROL[usize::from(ground.is_none())];
        let change = (wanted - velocity).with_y(Fx::ZERO).clamp_length_max(most);
        // Who stands still may fall asleep.
        if change.length() > fx!(0.02) {
            self.command(Command::ApplyImpulse { body, impulse: change * mass });
        }
    }

    /// Pushes all that moves before a player.
    fn push_ahead(&mut self, body: BodyHandle, position: Vec3, facing: Vec3) {
        let Ok(reach) = Sphere::new(position + facing, fx!(0.8)) else { return };
        let found = self.world.queries().overlapping(&reach.into(), &QueryFilter::default().without(body));
        let way = (facing + Vec3::Y * fx!(0.3)).normalize();
        for collider in found {
            let Some(target) = self.world.collider(collider).map(|collider| collider.body()) else {
                continue;
            };
            let Some(view) = self.world.body(target) else { continue };
            if view.kind() == BodyKind::Dynamic {
                let strength = (view.mass().unwrap_or(Fx::ONE) * fx!(6)).min(PUSH);
                self.command(Command::ApplyImpulse { body: target, impulse: way * strength });
            }
        }
    }
}
