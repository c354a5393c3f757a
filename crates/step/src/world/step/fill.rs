//! From contacts in the world's order to the lanes of blocks.

use super::incoming::{Contact, Incoming};
use super::points::Point;
use crate::solver::words::store_both;
use crate::solver::{BLOCK, Block};
use isostep_math::wide::{Backend, Kernel, Lanes, Level};

impl Incoming {
    /// Fills blocks with the contacts of their lanes, which `lanes` has block by block.
    pub(super) fn fill(&self, level: Level, blocks: &mut [Block], lanes: &[u32]) {
        level.dispatch(Fill { incoming: self, blocks, lanes });
    }
}

struct Fill<'a> {
    incoming: &'a Incoming,
    blocks: &'a mut [Block],
    lanes: &'a [u32],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<B: Backend<N>, const N: usize>(self) {
        const { assert!(N <= BLOCK, "a part of a block has no more lanes than that") };
        let Self { incoming, blocks, lanes } = self;
        for (block, lanes) in blocks.iter_mut().zip(lanes.chunks(BLOCK)) {
            (block.filled, block.count, block.locked) = (0, 0, false);
            (block.twists, block.rolls) = (false, false);
            let (mut contacts, mut points) = ([&Contact::NONE; BLOCK], [&[][..]; BLOCK]);
            for lane in 0..BLOCK {
                let Some((contact, own)) = incoming.nth(lanes[lane] as usize) else { continue };
                (contacts[lane], points[lane]) = (contact, own);
                block.filled = lane + 1;
                block.count = block.count.max(contact.count());
                block.twists |= contact.count() > 1 || contact.twist() != 0;
                block.rolls |= contact.rolling_resistance() > 0;
            }
            // Parts without a contact are not worked on, but who asks which records a block has sees no earlier ones.
            for lane in block.filled.next_multiple_of(N)..BLOCK {
                (block.a[lane], block.b[lane]) = (0, 0);
            }
            for at in (0..block.filled).step_by(N) {
                put_contacts::<B, N>(block, at, &contacts);
                for index in 0..block.count {
                    put_points::<B, N>(block, at, &points, index);
                }
            }
        }
    }
}

/// Writes the numbers of contacts to the lanes from `at` on.
#[inline(always)]
fn put_contacts<B: Backend<N>, const N: usize>(block: &mut Block, at: usize, contacts: &[&Contact; BLOCK]) {
    let mut records = [&[0; 8]; N];
    for i in 0..N {
        records[i] = contacts[at + i].words();
        [block.a[at + i], block.b[at + i]] = contacts[at + i].records();
        block.scale[at + i] = contacts[at + i].scale();
    }
    let words = Lanes::<B, N>::from_records(records);
    let [x, y, z] = &mut block.normal;
    let [along_x, along_y, along_z] = &mut block.friction_before;
    store_both(words[1], [x, y], at);
    store_both(words[2], [z, along_x], at);
    store_both(words[3], [along_y, along_z], at);
    store_both(words[4], [&mut block.twist_impulse, &mut block.friction_limit], at);
    store_both(words[5], [&mut block.restitution, &mut block.rolling_resistance], at);
}

/// Writes the point `index` of contacts to the lanes from `at` on.
#[inline(always)]
fn put_points<B: Backend<N>, const N: usize>(
    block: &mut Block,
    at: usize,
    points: &[&[Point]; BLOCK],
    index: usize,
) {
    let mut records = [Point::ABSENT.words(); N];
    for i in 0..N {
        if let Some(point) = points[at + i].get(index) {
            records[i] = point.words();
        }
    }
    let words = Lanes::<B, N>::from_records(records);
    let [[x, y, z], [other_x, other_y, other_z]] = block.anchors(index);
    store_both(words[0], [x, y], at);
    store_both(words[1], [z, other_x], at);
    store_both(words[2], [other_y, other_z], at);
    let point = &mut block.points[index];
    store_both(words[3], [&mut point.separation, &mut point.impulse], at);
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use isostep_math::wide::LevelName;

    #[test]
    fn blocks_without_contacts_have_no_record_of_before_at_any_level() {
        for level in LevelName::ALL.into_iter().filter_map(|name| Level::new(name).ok()) {
            let mut blocks = vec![Block::NONE; 2];
            blocks.iter_mut().for_each(|block| (block.a, block.b) = ([7; BLOCK], [8; BLOCK]));
            Incoming::default().fill(level, &mut blocks, &[u32::MAX; 2 * BLOCK]);
            assert!(blocks.iter().all(|block| (block.a, block.b) == ([0; BLOCK], [0; BLOCK])), "{level}");
        }
    }
}
