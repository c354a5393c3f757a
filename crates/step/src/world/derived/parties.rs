//! What two colliders are to each other, wherever they are, and whether their bodies rest.

use super::Derived;
use crate::collider::Collider;
use crate::filter::Filter;
use crate::handle::NONE;
use crate::state::State;

/// What two colliders are to each other, wherever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meeting {
    /// They collide.
    Solid,
    /// One of them is a sensor.
    Sensor,
    /// They pass through each other.
    Nothing,
}

/// What is asked of a collider for each pair that it is in, in a fourth of a line of the caches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Party {
    /// The slot of its body.
    pub(super) body: u32,
    groups: u32,
    mask: u32,
    layer: u8,
    pub(super) sensor: bool,
}

impl Party {
    /// Of a slot without a collider.
    pub(super) const NOBODY: Self = Self { body: NONE, groups: 0, mask: 0, layer: 0, sensor: false };

    pub(super) const fn of(collider: &Collider) -> Self {
        let Filter { layer, groups, mask } = collider.filter;
        Self { body: collider.body, groups, mask, layer, sensor: collider.sensor }
    }

    const fn filter(&self) -> Filter {
        Filter { layer: self.layer, groups: self.groups, mask: self.mask }
    }

    /// What it is to another one, but for pairs of bodies that pass through each other.
    #[inline]
    pub(super) fn meets(&self, other: &Self, state: &State) -> Meeting {
        if self.body == other.body || !state.layers.admit(&self.filter(), &other.filter()) {
            return Meeting::Nothing;
        }
        match (self.sensor, other.sensor) {
            (false, false) => Meeting::Solid,
            (true, true) => Meeting::Nothing,
            _ => Meeting::Sensor,
        }
    }
}

/// Whether a body is awake, and whether it sleeps: what is asked of it for each pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rest {
    pub(crate) is_awake: bool,
    pub(crate) is_asleep: bool,
}

impl Rest {
    /// Of what does neither.
    pub(super) const NONE: Self = Self { is_awake: false, is_asleep: false };

    pub(super) fn of(state: &State, body: u32) -> Self {
        Self { is_awake: state.is_awake(body), is_asleep: state.motions[body].asleep }
    }
}

impl Derived {
    /// Whether a body is awake, and whether it sleeps.
    #[inline]
    pub(crate) fn rest(&self, body: u32) -> Rest {
        self.rests[body as usize]
    }

    /// What two colliders are to each other by filters, layers, sensors, excluded pairs and joints: contacts and continuous
    /// collision go by this alike.
    #[inline]
    pub(crate) fn meeting(&self, state: &State, a: u32, b: u32) -> Meeting {
        let (a, b) = (&self.parties[a as usize], &self.parties[b as usize]);
        let pair = (a.body.min(b.body), a.body.max(b.body));
        let is_in = |pairs: &[(u32, u32)]| !pairs.is_empty() && pairs.binary_search(&pair).is_ok();
        match a.meets(b, state) {
            Meeting::Solid if is_in(&state.exclusions) || is_in(self.passing()) => Meeting::Nothing,
            meeting => meeting,
        }
    }

    /// The slot of the body of a collider that exists.
    #[inline]
    pub(crate) fn owner(&self, collider: u32) -> u32 {
        self.parties[collider as usize].body
    }

    /// Whether a collider that exists is of a body that no contact moves.
    #[inline]
    pub(crate) fn is_scenery(&self, collider: u32) -> bool {
        self.rest(self.owner(collider)) == Rest::NONE
    }

    /// Whether a collider that exists is a sensor.
    #[inline]
    pub(crate) fn is_sensor(&self, collider: u32) -> bool {
        self.parties[collider as usize].sensor
    }
}
