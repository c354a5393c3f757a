//! Bullets: what stops at dynamic bodies, too.

use super::barriers::{Barriers, Hit};
use super::{Memory, Mover, Stop};
use isostep_collision::impact::RigidPath;
use isostep_math::Fx;

impl Memory {
    /// Stops bullets, one after the other in the world's order of bodies.
    ///
    /// What others do is known when it is a bullet's turn: where they have been stopped, they count as moving evenly to
    /// there. So a bullet ends on that side of another body on which it began. It goes with what it hits, but not with
    /// another bullet that comes later: both stop where they meet.
    pub(super) fn stop_bullets(&mut self, barriers: &Barriers<'_>) {
        let order = |slot: u32| (barriers.state.bodies[slot].order, slot);
        let all = self.movers.iter().enumerate().filter(|(_, mover)| mover.is_bullet);
        self.bullets.extend(all.map(|(index, _)| (index, Fx::ONE)));
        if self.bullets.is_empty() {
            return;
        }
        let movers = &self.movers;
        self.bullets.sort_unstable_by_key(|&(index, _)| order(movers[index].slot));
        let farther = barriers.paths.farthest(barriers.derived);
        for turn in 0..self.bullets.len() {
            self.stop_bullet(barriers, turn, farther);
        }
    }

    fn stop_bullet(&mut self, barriers: &Barriers<'_>, turn: usize, farther: Fx) {
        let (index, limit) = self.bullets[turn];
        let mover = Mover { path: self.movers[index].path.part(Fx::ZERO, limit), ..self.movers[index] };
        let Self { drivers, found, candidates, .. } = &mut *self;
        barriers.gather(mover.slot, &mover.path, farther, drivers, found, candidates);
        let hit = barriers.first_of(mover.slot, &mover.path, &self.candidates, |other| {
            let path = self.path_of(barriers, other);
            Some(match self.later_bullet(turn, other) {
                Some(later) => path.part(Fx::ZERO, self.bullets[later].1),
                None => path,
            })
        });
        let stop = match hit {
            Some(hit) => self.stop_bullet_at(barriers, &mover, &hit, turn),
            None if limit < Fx::ONE => Stop { slot: mover.slot, fraction: Fx::ONE, path: mover.path },
            None => return,
        };
        let stop = Stop { fraction: limit.saturating_mul(stop.fraction), ..stop };
        let place = self.stops.partition_point(|other| other.slot < stop.slot);
        self.stops.insert(place, stop);
    }

    fn stop_bullet_at(&mut self, barriers: &Barriers<'_>, mover: &Mover, hit: &Hit, turn: usize) -> Stop {
        if let Some(later) = self.later_bullet(turn, hit.other) {
            let limit = &mut self.bullets[later].1;
            *limit = limit.saturating_mul(hit.fraction);
            let path = mover.path.part(Fx::ZERO, hit.fraction);
            return Stop { slot: mover.slot, fraction: hit.fraction, path };
        }
        let Self { drivers, found, candidates, .. } = self;
        barriers.stop(mover, hit, drivers, found, candidates)
    }

    /// The turn of a bullet that has not been looked at yet.
    fn later_bullet(&self, turn: usize, slot: u32) -> Option<usize> {
        let later = &self.bullets[turn + 1..];
        later.iter().position(|&(index, _)| self.movers[index].slot == slot).map(|place| turn + 1 + place)
    }

    /// The path of a body, up to where it was stopped.
    fn path_of(&self, barriers: &Barriers<'_>, slot: u32) -> RigidPath {
        match self.stops.binary_search_by_key(&slot, |stop| stop.slot) {
            Ok(place) => self.stops[place].path,
            Err(_) => barriers.paths.of(slot),
        }
    }
}
