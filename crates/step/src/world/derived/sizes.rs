//! How large bodies are for their speed: what tells whether one is fast.

use crate::body::{Body, BodyKind};
use crate::state::State;
use isostep_math::{Fx, Vec3};

/// The size of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// How far it reaches from its centre: of a fixed one, which never moves, nothing.
    pub(crate) extent: Fx,
    /// The radius of the thinnest of its colliders that are no sensors; without any, all that there is.
    pub(crate) thickness: Fx,
}

impl Size {
    /// Of a body without colliders.
    pub(crate) const NONE: Self = Self { extent: Fx::ZERO, thickness: Fx::MAX };

    pub(crate) fn of(state: &State, index: u32, body: &Body) -> Self {
        if !body.alive || body.kind == BodyKind::Fixed {
            return Self::NONE;
        }
        let mut size = Self { extent: body.mass.extent, ..Self::NONE };
        for collider in state.colliders_of(index).map(|index| &state.colliders[index]) {
            if !collider.sensor {
                size.thickness = size.thickness.min(collider.shape.inradius());
                if body.kind == BodyKind::Kinematic {
                    size.extent = size.extent.max(collider.shape.farthest_distance(Vec3::ZERO));
                }
            }
        }
        size
    }
}

/// What a body of this thickness may move in a tick without being fast: three quarters of that.
///
/// From where contacts hold a body, at a quarter of the other's thickness at the most, its middle then stays outside of the
/// other, or within that quarter, and the way out is on the side from which it came.
pub(crate) fn slowness(thickness: Fx) -> Fx {
    thickness.saturating_sub(thickness >> 2)
}
