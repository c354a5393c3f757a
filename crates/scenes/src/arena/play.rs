//! What players do.

use super::input::{PlayerInput, direction_of};
use super::map::{PLAYER, layer, of_layer, thing};
use super::state::{MAX_SHOTS, Shot};
use super::tag::Tag;
use super::{Arena, Buttons};
use crate::stage::{ball, cuboid};
use isostep_collision::{Shape, Sphere};
use isostep_math::{Fx, Vec3, fx};
use isostep_step::{BodyDef, BodyHandle, BodyKind, ColliderDef, Command, Outcome, QueryFilter};

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
        if state.stunned > 0 {
            state.stunned -= 1;
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
        self.run(body, input.direction(), velocity, ground, mass);
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
            self.state.players[player].shoot_in = 20;
            let def = of_layer(ball(fx!(0.15)), layer::SHOTS).with_density(fx!(300));
            let way = facing * fx!(22);
            self.launch(player, Tag::Shot, def, position + facing * fx!(0.7) + Vec3::Y * fx!(0.3), way, 120);
        }
        let state = &mut self.state.players[player];
        if input.buttons.contains(Buttons::THROW) && state.held > 0 && state.shoot_in == 0 {
            state.shoot_in = 20;
            state.held -= 1;
            let def = thing(cuboid(Vec3::splat(fx!(0.3)))).with_density(fx!(200));
            let way = facing * fx!(8) + Vec3::Y * fx!(4);
            self.launch(player, Tag::Crate, def, position + facing + Vec3::Y * fx!(0.5), way, 600);
        }
    }

    /// The velocity of what a player stands on; `None` in the air.
    fn ground_below(&mut self, body: BodyHandle, position: Vec3) -> Option<Vec3> {
        let (half_height, radius) = PLAYER;
        let feet = position - Vec3::Y * half_height;
        let foot = Shape::from(Sphere::new(feet, radius - fx!(0.1)).ok()?);
        let filter = QueryFilter::default().of_layers(!NO_GROUND).without(body);
        let found = self.world.queries().cast_shape(&foot, Vec3::Y * fx!(-0.2), &filter)?;
        let is_flat = found.hit.started_inside || found.hit.normal.y > Fx::HALF;
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

    /// Lets something fly that passes through its owner.
    fn launch(&mut self, owner: usize, tag: Tag, def: ColliderDef, from: Vec3, way: Vec3, ticks: u16) {
        if self.state.shots.len() >= MAX_SHOTS {
            let oldest = self.state.shots.remove(0);
            self.command(Command::RemoveBody(oldest.body));
        }
        let body = BodyDef {
            user_data: tag.to_bits(),
            gravity_scale: if tag == Tag::Shot { fx!(0.3) } else { Fx::ONE },
            ..BodyDef::dynamic(from).moving(way)
        };
        let Some(Outcome::Body(body)) = self.command(Command::AddBody(body)) else { return };
        self.command(Command::AddCollider { body, collider: def });
        let thrower = self.state.players[owner].body;
        self.command(Command::SetPairExcluded { a: thrower, b: body, excluded: true });
        self.state.shots.push(Shot { body, owner: owner as u8, ticks_left: ticks });
    }
}
