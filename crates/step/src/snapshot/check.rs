//! Whether what was read is a state that a world can be in.

mod joints;

use super::SnapshotError;
use crate::body::{Body, BodyKind, BodyMass, MAX_COORDINATE, Motion};
use crate::collider::Collider;
use crate::command::validate::{
    validate_damping, validate_gravity_scale, validate_layer, validate_place, validate_pose,
};
use crate::contact::{Contacts, MOST_SCALE};
use crate::handle::{ColliderHandle, NONE};
use crate::joint::MAX_JOINTS;
use crate::state::{MAX_STREAMS, State};
use crate::world::mass_of_shapes;
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Display;
use isostep_collision::tree::MAX_LEAVES;
use isostep_collision::{Mass, Shape};
use isostep_math::Fx;
use joints::check_joint;

type Checked = Result<(), SnapshotError>;

fn require(holds: bool, what: &'static str, index: usize, reason: &'static str) -> Checked {
    if holds { Ok(()) } else { Err(SnapshotError::Invalid { what, index, reason: Cow::Borrowed(reason) }) }
}

/// What a door would say of a value.
fn valid<T>(result: Result<T, impl Display>, what: &'static str, index: usize) -> Checked {
    match result {
        Ok(_) => Ok(()),
        Err(error) => Err(SnapshotError::Invalid { what, index, reason: Cow::Owned(error.to_string()) }),
    }
}

/// # Errors
/// If it is no state of a world.
pub(super) fn check(state: &State) -> Checked {
    valid(state.config.validate(), "configuration", 0)?;
    require(state.layers.is_symmetric(), "layers", 0, "their matrix is not symmetric")?;
    require(state.bodies.len() == state.motions.len(), "bodies", 0, "one motion for each is needed")?;
    let impulses = state.joint_impulses.len();
    require(state.joints.len() == impulses, "joints", 0, "impulses of each are needed")?;
    for (what, count, most) in [
        ("bodies", state.bodies.len(), MAX_LEAVES),
        ("colliders", state.colliders.len(), MAX_LEAVES),
        ("joints", state.joints.len(), MAX_JOINTS),
    ] {
        require(count <= most as usize, what, count, "there are too many")?;
    }
    for (index, collider) in state.colliders.items().iter().enumerate() {
        check_collider(state, collider, index)?;
    }
    let mut listed = vec![false; state.colliders.len()];
    for index in 0..state.bodies.len() {
        check_body(state, index as u32, &mut listed)?;
    }
    for (index, collider) in state.colliders.items().iter().enumerate() {
        require(collider.alive == listed[index], "collider", index, "it is in the list of no body")?;
    }
    for index in 0..state.joints.len() {
        check_joint(state, index as u32)?;
    }
    let vacant_bodies = state.bodies.items().iter().map(|body| !body.alive).collect();
    check_free("free bodies", &state.free_bodies, vacant_bodies)?;
    let vacant_colliders = state.colliders.items().iter().map(|collider| !collider.alive).collect();
    check_free("free colliders", &state.free_colliders, vacant_colliders)?;
    let vacant_joints = state.joints.items().iter().map(|joint| !joint.alive).collect();
    check_free("free joints", &state.free_joints, vacant_joints)?;
    check_lists(state)?;
    let ranks = ranks(state);
    check_contacts(state, &state.contacts, true, &ranks)?;
    check_contacts(state, &state.asleep.contacts, false, &ranks)
}

fn check_collider(state: &State, collider: &Collider, index: usize) -> Checked {
    let require = |holds, reason| require(holds, "collider", index, reason);
    if !collider.alive {
        let vacant = Collider { generation: collider.generation, ..Collider::vacant() };
        return require(*collider == vacant, "a slot that is free has content");
    }
    let body = state.bodies.get(collider.body).filter(|body| body.alive);
    let Some(body) = body else { return require(false, "its body does not exist") };
    let is_half_space = matches!(collider.shape, Shape::HalfSpace(_));
    require(!is_half_space || body.kind == BodyKind::Fixed, "a half-space on a body that is not fixed")?;
    require(collider.density > Fx::ZERO, "its density is not above 0")?;
    valid(validate_place(&collider.shape), "collider", index)?;
    valid(collider.material.validate(), "collider", index)?;
    valid(validate_layer(collider.filter.layer), "collider", index)
}

fn check_body(state: &State, index: u32, listed: &mut [bool]) -> Checked {
    let (body, motion) = (&state.bodies[index], &state.motions[index]);
    let require = |holds, reason| require(holds, "body", index as usize, reason);
    if !body.alive {
        let vacant = Body { generation: body.generation, ..Body::VACANT };
        return require(*body == vacant && *motion == Motion::NONE, "a slot that is free has content");
    }
    valid(validate_gravity_scale(body.gravity_scale), "body", index as usize)?;
    valid(validate_damping(body.linear_damping, body.angular_damping), "body", index as usize)?;
    if let Some(target) = &body.target {
        valid(validate_pose("the target", target), "body", index as usize)?;
        require(body.kind == BodyKind::Kinematic, "only kinematic bodies have targets")?;
    }
    require(motion.rotation.is_normalized(), "its rotation has not length 1")?;
    let farthest = motion.center.abs().max_element();
    require(farthest <= MAX_COORDINATE, "it is out of the world")?;
    let (limits, slack) = (&state.config, Fx::EPSILON * Fx::from_int(4));
    require(motion.linear_velocity.length() <= limits.max_linear_speed + slack, "it is too fast")?;
    require(motion.angular_velocity.length() <= limits.max_angular_speed + slack, "it turns too fast")?;
    require(motion.still_ticks <= limits.sleep_ticks, "it has been still for longer than `sleep_ticks`")?;
    let dynamic = body.kind == BodyKind::Dynamic;
    let lag = motion.lag.map(i64::from);
    require(if dynamic { Motion::is_lag(lag) } else { lag == [0; 3] }, "its arms lag by too much")?;
    require(dynamic || !motion.asleep, "only dynamic bodies sleep")?;
    require(body.kind != BodyKind::Fixed || !motion.frozen, "a fixed body left the world")?;
    require(body.kind == BodyKind::Kinematic || !motion.driven, "only kinematic bodies have targets")?;
    let at_rest =
        motion.linear_velocity == Default::default() && motion.angular_velocity == Default::default();
    let moves = body.kind != BodyKind::Fixed && !motion.asleep && !motion.frozen;
    require(moves || at_rest, "it has a velocity and does not move")?;

    let mut shapes = Vec::new();
    let mut next = body.first_collider;
    while next != NONE {
        let own = state.colliders.get(next).filter(|collider| collider.alive && collider.body == index);
        let Some(collider) = own else { return require(false, "its list leads to another's collider") };
        require(!core::mem::replace(&mut listed[next as usize], true), "its list of colliders has no end")?;
        shapes.push((collider.shape, (!collider.sensor).then_some(collider.density)));
        next = collider.next;
    }
    require(dynamic || body.mass_override.is_none(), "it has a mass and is not dynamic")?;
    let mass = match body.mass_override.map(Mass::new).transpose() {
        Ok(mass) => mass,
        Err(error) => return valid(Err::<(), _>(error), "body", index as usize),
    };
    let of_shapes = || mass_of_shapes(state.body_handle(index), &shapes, mass).ok();
    let expected = if dynamic { of_shapes() } else { Some(BodyMass::NONE) };
    require(expected == Some(body.mass), "its mass is not that of its colliders")
}

fn check_free(what: &'static str, free: &[u32], mut vacant: Vec<bool>) -> Checked {
    for (place, &index) in free.iter().enumerate() {
        let slot = vacant.get_mut(index as usize);
        require(slot.is_some_and(core::mem::take), what, place, "the slot is taken, or named twice")?;
    }
    let forgotten = vacant.iter().position(|&vacant| vacant);
    require(forgotten.is_none(), what, forgotten.unwrap_or(0), "the slot is missing")
}

/// Whether items ascend, each once.
fn ascend<T: Ord>(items: impl Iterator<Item = T> + Clone) -> bool {
    items.clone().zip(items.skip(1)).all(|(a, b)| a < b)
}

fn check_lists(state: &State) -> Checked {
    let is_body = |index: u32| state.bodies.get(index).is_some_and(|body| body.alive);
    let exclusions = &state.exclusions;
    require(ascend(exclusions.iter()), "exclusions", 0, "they do not ascend")?;
    let sound = exclusions.iter().all(|&(a, b)| a < b && is_body(a) && is_body(b));
    require(sound, "exclusions", 0, "a body does not exist")?;
    require(ascend(state.forces.iter().map(|force| force.body)), "forces", 0, "they do not ascend")?;
    let dynamic =
        |index: u32| is_body(index) && state.bodies[index].is_dynamic() && !state.motions[index].asleep;
    require(
        state.forces.iter().all(|force| dynamic(force.body)),
        "forces",
        0,
        "a body does not follow them",
    )?;
    require(ascend(state.streams.iter().map(|stream| stream.0)), "streams", 0, "they do not ascend")?;
    require(state.streams.len() <= MAX_STREAMS, "streams", MAX_STREAMS, "there are too many")?;
    require(ascend(state.sensed.iter()), "sensed", 0, "they do not ascend")?;
    let is_collider = |index: u32| state.colliders.get(index).is_some_and(|collider| collider.alive);
    let sound = |&(sensor, visitor): &(u32, u32)| {
        is_collider(sensor) && is_collider(visitor) && state.colliders[sensor].sensor
    };
    require(state.sensed.iter().all(sound), "sensed", 0, "a collider does not exist, or is no sensor")?;
    require(ascend(state.arrived.iter()), "arrived", 0, "they do not ascend")?;
    let is_solid = |&index: &u32| is_collider(index) && !state.colliders[index].sensor;
    require(state.arrived.iter().all(is_solid), "arrived", 0, "a collider does not exist, or is a sensor")?;
    let woken = state.news.woken.iter().all(|&body| (body as usize) < state.bodies.len());
    require(woken, "news", 0, "a body does not exist")?;
    let existed = |handle: ColliderHandle| (handle.index as usize) < state.colliders.len();
    let mut told = state.news.parted.iter().chain(&state.news.left);
    require(told.all(|&(a, b)| existed(a) && existed(b)), "news", 0, "a collider never existed")
}

/// The place of each collider in the world's order.
fn ranks(state: &State) -> Vec<(u32, u32, u32)> {
    let mut ranks = vec![(0, 0, 0); state.colliders.len()];
    for (index, body) in state.bodies.items().iter().enumerate() {
        for (collider, place) in state.colliders_of(index as u32).zip(0..) {
            ranks[collider as usize] = (body.order, index as u32, place);
        }
    }
    ranks
}

fn check_contacts(state: &State, contacts: &Contacts, awake: bool, ranks: &[(u32, u32, u32)]) -> Checked {
    let what = if awake { "contact" } else { "sleeping contact" };
    let mut points = contacts.points.len();
    let mut last = None;
    for (index, pair) in contacts.pairs.iter().enumerate() {
        let require = |holds, reason| require(holds, what, index, reason);
        let exist = [pair.a, pair.b].iter().all(|&i| state.colliders.get(i).is_some_and(|c| c.alive));
        require(exist, "a collider does not exist")?;
        let key = (ranks[pair.a as usize], ranks[pair.b as usize]);
        require(key.0 < key.1 && last.is_none_or(|last| last < key), "it is out of order")?;
        last = Some(key);
        require(
            (1..=4).contains(&pair.count) && usize::from(pair.count) <= points,
            "its points are missing",
        )?;
        points -= usize::from(pair.count);
        require(pair.scale <= MOST_SCALE, "its scale is out of range")?;
        let bodies = state.bodies_of(pair.a, pair.b);
        require(bodies[0] != bodies[1], "a body touches itself")?;
        let is_dynamic = |body: u32| state.bodies[body].is_dynamic();
        require(bodies.into_iter().any(is_dynamic), "neither of its bodies is dynamic")?;
        require(awake != state.sleeps(pair), "it sleeps and should not, or the reverse")?;
    }
    require(points == 0, what, contacts.pairs.len(), "points are left over")?;
    let pressing = contacts.points.iter().all(|point| point.normal >= 0);
    require(pressing, what, 0, "an impulse pulls")
}

#[cfg(test)]
mod tests {
    use crate::{BodyDef, World, WorldConfig};
    use alloc::format;
    use alloc::string::ToString;
    use isostep_math::{Vec3, fx};

    #[test]
    fn a_mass_of_a_body_that_is_not_dynamic_is_refused_as_when_it_is_added() {
        let mut world = World::new(WorldConfig::default()).unwrap();
        for def in [BodyDef::dynamic(Vec3::X), BodyDef::kinematic(Vec3::Y), BodyDef::fixed(Vec3::Z)] {
            world.add_body(def).unwrap();
        }
        for slot in [1, 2] {
            let mut state = world.state.clone();
            state.bodies.change(slot, 1).mass_override = Some(fx!(5));
            let text = format!("body {slot}: it has a mass and is not dynamic");
            assert_eq!(super::check(&state).unwrap_err().to_string(), text);
        }
    }
}
