//! Seams of scenery: what slides over several colliders that lie flush feels one surface.
//!
//! A floor of tiles has edges inside of it. What slides over them, pressed in by a hair, overlaps the next tile less along
//! the floor than across it; and a ball comes closest to the edge of the next tile, and would be held back by it. Either way
//! it stumbles over something that no surface has. So of the contacts of a collider with scenery those are left out that
//! another one makes up for.
//!
//! A contact with b is left out if there is one with a that is not, with another normal, and
//! * the surface of b, where the points are, is within reach of a: whatever is there lies on a as well;
//! * nothing of b rises above the plane of the contact with a by more than that reach: it is no wall, no step, no other side of
//!   a groove.
//!
//! The reach is a quarter of the world's speculative margin, at most an eighth of the thickness of what slides: so edges that
//! stick out by that much do not hold it either. When it lies on b by more than the reach, b carries it.
//!
//! That is a function of where the colliders are, and goes by the world's order.

use super::incoming::{Contact, Incoming};
use super::points::Point;
use super::{Scratch, World};
use crate::state::State;
use crate::world::derived::Derived;
use alloc::vec::Vec;
use isostep_collision::Shape;
use isostep_math::{Fx, Vec3};

/// Memory for looking at seams.
#[derive(Clone, Debug, Default)]
pub(super) struct Seams {
    /// How many contacts with scenery a collider has, at most 255; 0 between steps.
    counts: Vec<u8>,
    /// Contacts with scenery of colliders that have several: the collider, the chunk, and the place there.
    several: Vec<[u32; 3]>,
    /// Those of one collider.
    footings: Vec<Footing>,
    /// What is left out: chunk and place.
    left_out: Vec<[u32; 2]>,
}

/// Of the contacts of one collider with scenery so many are compared, the first ones in the world's order.
const MOST_FOOTINGS: usize = 64;

/// A contact of a collider of a dynamic body with scenery: with what no contact moves.
#[derive(Clone, Copy, Debug)]
struct Footing {
    /// The collider of the dynamic body.
    own: u32,
    scenery: u32,
    /// The number of its chunk, and its place there.
    place: [u32; 2],
    /// From scenery to the other one.
    normal: Vec3,
    is_seam: bool,
}

/// Where contacts with scenery are.
#[derive(Clone, Copy)]
struct Places<'a> {
    state: &'a State,
    derived: &'a Derived,
    incoming: &'a Incoming,
}

impl<'a> Places<'a> {
    fn contact(&self, [chunk, place]: [u32; 2]) -> (&'a Contact, &'a [Point]) {
        self.incoming.chunk(chunk as usize).nth(place as usize)
    }

    fn footing(&self, [own, chunk, place]: [u32; 3]) -> Footing {
        let place = [chunk, place];
        let (contact, _) = self.contact(place);
        let [a, b] = contact.records();
        let (scenery, normal) = if b == own { (a, contact.normal()) } else { (b, -contact.normal()) };
        Footing { own, scenery, place, normal, is_seam: false }
    }

    /// Where points of a contact are on scenery, the deepest first.
    fn points(&self, footing: &Footing) -> impl Iterator<Item = Vec3> + use<'a> {
        let Footing { own, normal, .. } = *footing;
        let Self { state, derived, .. } = *self;
        let (contact, points) = self.contact(footing.place);
        let motion = &state.motions[derived.owner(own)];
        let is_b = contact.records()[1] == own;
        points.iter().map(move |point| {
            let arm =
                derived.shapes.rotate(own as usize, motion.rotation, point.anchors()[usize::from(is_b)]);
            motion.center.saturating_add(arm).saturating_sub(normal.saturating_scale(point.separation()))
        })
    }

    /// How far edges may stick out.
    fn reach(&self, own: u32) -> Fx {
        let margin = self.state.config.speculative_margin;
        Fx::from_bits((margin.to_bits() >> 2).min(self.shape(own).inradius().to_bits() >> 3))
    }

    fn shape(&self, collider: u32) -> &'a Shape {
        self.derived.shapes.world(collider as usize)
    }

    /// Whether a contact is at a seam for another one.
    fn makes_up_for(&self, kept: &Footing, other: &Footing, reach: Fx) -> bool {
        let normal = kept.normal;
        if normal == other.normal {
            return false;
        }
        let (shape, other_shape) = (self.shape(kept.scenery), self.shape(other.scenery));
        let (Some(own_middle), Some(middle)) = (self.shape(kept.own).center(), other_shape.center()) else {
            return false;
        };
        let above = |point: Vec3| middle.saturating_sub(point).dot(normal);
        // Walls are above what stands next to them, and floors in front of it.
        above(own_middle) <= Fx::ZERO
            && self
                .points(kept)
                .next()
                .is_some_and(|point| above(point).saturating_add(other_shape.half_width(normal)) <= reach)
            && self.points(other).all(|point| shape.closest_point(point).distance(point) <= reach)
    }
}

impl World {
    /// Leaves out contacts at seams.
    pub(super) fn leave_out_seams(&mut self) {
        let Self { state, derived, scratch, .. } = self;
        let Scratch { incoming, seams, .. } = scratch;
        let Seams { counts, several, footings, left_out } = seams;
        incoming.collect_at_scenery(several);
        counts.resize(counts.len().max(state.colliders.len()), 0);
        for &[own, ..] in several.iter() {
            counts[own as usize] = counts[own as usize].saturating_add(1);
        }
        several.retain(|&[own, ..]| {
            let count = &mut counts[own as usize];
            let is_one_of_several = *count > 1;
            *count *= u8::from(is_one_of_several);
            is_one_of_several
        });
        several.sort_unstable();
        left_out.clear();
        let places = Places { state, derived, incoming };
        for of_one in several.chunk_by(|a, b| a[0] == b[0]) {
            counts[of_one[0][0] as usize] = 0;
            footings.clear();
            footings.extend(of_one.iter().take(MOST_FOOTINGS).map(|&contact| places.footing(contact)));
            let reach = places.reach(of_one[0][0]);
            for at in 0..footings.len() {
                let other = footings[at];
                let makes_up = |kept: &Footing| !kept.is_seam && places.makes_up_for(kept, &other, reach);
                if footings.iter().any(makes_up) {
                    footings[at].is_seam = true;
                    left_out.push(other.place);
                }
            }
        }
        left_out.sort_unstable();
        for of_chunk in left_out.chunk_by(|a, b| a[0] == b[0]) {
            incoming.leave_out(of_chunk[0][0] as usize, of_chunk.iter().map(|&[_, place]| place as usize));
        }
    }
}
