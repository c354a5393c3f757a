//! The deepest point of a box above or below a face of another: what two boxes have in common where their best faces
//! do not overlap.
//!
//! The bias toward faces, and edges that count as parallel, can choose a face above which the nearest face of the
//! other box does not lie, though the other box does. What of that lies between the sides of the reference box,
//! however far up or down, is convex; its lowest corner is where one of its edges crosses a side or ends between
//! them, or where the side's own edges, straight up from the corners of the reference face, enter it.

use super::super::frame::scale_q30;
use super::reference::Reference;

/// A point on the other box, x and y along the reference face and z above it, and what makes it.
#[derive(Clone, Copy)]
pub(super) struct Deepest {
    pub(super) position: [i64; 3],
    pub(super) feature: u32,
}

/// Bit 7 of a feature: the edge and which of its ends below it, or the corner.
const DEEPEST: u32 = 1 << 7;
const CORNER: u32 = 1 << 5;

impl Reference {
    /// The lowest point of the other box between the sides of the reference; `None` where it passes them by. The first of
    /// equals, in the order of the box' edges and the face's corners.
    #[cold]
    pub(super) fn deepest(&self) -> Option<Deepest> {
        if self.passes_by() {
            return None;
        }
        let mut best: Option<Deepest> = None;
        let mut offer = |found: Deepest| {
            if best.is_none_or(|best| found.position[2] < best.position[2]) {
                best = Some(found);
            }
        };
        for edge in 0..12 {
            self.edge(edge, &mut offer);
        }
        for corner in 0..4 {
            if let Some(position) = self.above_corner(corner) {
                offer(Deepest { position, feature: DEEPEST | CORNER | corner });
            }
        }
        best
    }

    /// Whether the box lies beyond a side as a whole.
    fn passes_by(&self) -> bool {
        (0..2).any(|row| {
            let reach: i64 = (0..3).map(|j| scale_q30(self.half[j], self.axes[j][row].abs())).sum();
            self.center[row].abs() > self.h[row] + reach + 1
        })
    }

    /// What lies between the sides of an edge, four of which are along each axis.
    fn edge(&self, edge: u32, offer: &mut impl FnMut(Deepest)) {
        let axis = edge as usize / 4;
        let (mut from, mut to) = (self.center, self.center);
        for (j, vector) in self.axes.iter().enumerate() {
            let side = match j {
                _ if j == axis => 0,
                _ if j == (axis + 1) % 3 => edge & 1,
                _ => edge >> 1 & 1,
            };
            for row in 0..3 {
                let offset = scale_q30(self.half[j], vector[row]);
                from[row] += if j == axis || side == 1 { -offset } else { offset };
                to[row] += if j != axis && side == 1 { -offset } else { offset };
            }
        }
        // How much of the edge, measured from the other end, lies within all sides.
        let (mut of_from, mut of_to) = (ONE, ONE);
        for row in 0..2 {
            for sign in [1, -1] {
                let (a, b) = (from[row] * sign - self.h[row], to[row] * sign - self.h[row]);
                match (a > 0, b > 0) {
                    (true, true) => return,
                    (true, false) => of_from = of_from.min((-b << 30) / (a - b)),
                    (false, true) => of_to = of_to.min((-a << 30) / (b - a)),
                    (false, false) => {}
                }
            }
        }
        if of_from + of_to < ONE {
            return;
        }
        let between = |inside: [i64; 3], outside: [i64; 3], part: i64| {
            [0, 1, 2].map(|row| inside[row] + scale_q30(outside[row] - inside[row], part))
        };
        offer(Deepest { position: between(to, from, of_from), feature: DEEPEST | edge << 1 });
        offer(Deepest { position: between(from, to, of_to), feature: DEEPEST | edge << 1 | 1 });
    }

    /// Where the line straight up through a corner of the face enters the box.
    fn above_corner(&self, corner: u32) -> Option<[i64; 3]> {
        let x = if corner & 1 == 0 { self.h[0] } else { -self.h[0] };
        let y = if corner & 2 == 0 { self.h[1] } else { -self.h[1] };
        let (dx, dy) = (x - self.center[0], y - self.center[1]);
        let (mut low, mut high) = (i64::MIN, i64::MAX);
        for (axis, half) in self.axes.iter().zip(self.half) {
            // |dx aₓ + dy a_y + dz a_z| is at most the half extent, Q30.
            let level = dx * axis[0] + dy * axis[1];
            let reach = half << 30;
            if axis[2] == 0 {
                if level.abs() > reach {
                    return None;
                }
                continue;
            }
            let rise = axis[2].abs();
            let level = if axis[2] < 0 { -level } else { level };
            // Inward.
            low = low.max(-((reach + level).div_euclid(rise)));
            high = high.min((reach - level).div_euclid(rise));
        }
        (low <= high).then(|| [x, y, self.center[2] + low])
    }
}

/// The whole of an edge, Q30.
const ONE: i64 = 1 << 30;
