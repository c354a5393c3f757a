//! Bullets: what stops at dynamic bodies, too.

use super::barriers::{Barriers, Search};
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
        self.turns
            .extend(self.bullets.iter().enumerate().map(|(turn, &(index, _))| (movers[index].slot, turn)));
        self.turns.sort_unstable();
        let farther = barriers.paths.farthest(barriers.derived);
        for turn in 0..self.bullets.len() {
            self.stop_bullet(barriers, turn, farther);
        }
    }

    fn stop_bullet(&mut self, barriers: &Barriers<'_>, turn: usize, farther: Fx) {
        let Self { movers, drivers, stops, found, candidates, bullets, turns } = self;
        let (index, limit) = bullets[turn];
        let mover = Mover { path: movers[index].path.part(Fx::ZERO, limit), ..movers[index] };
        // The turn of a bullet that has not been looked at yet.
        let later = |slot: u32| {
            let place = turns.binary_search_by_key(&slot, |&(slot, _)| slot).ok()?;
            Some(turns[place].1).filter(|&other| other > turn)
        };
        // What comes later has to mind where this one was stopped, not the other way around.
        let path_of = |slot: u32, is_stopped: bool| match later(slot) {
            Some(_) if is_stopped => None,
            Some(later) => Some(barriers.paths.of(slot).part(Fx::ZERO, bullets[later].1)),
            None => Some(match stops.binary_search_by_key(&slot, |stop| stop.slot) {
                Ok(place) => stops[place].path,
                Err(_) => barriers.paths.of(slot),
            }),
        };
        let mut search = Search { barriers, drivers, farther, path_of, found, candidates };
        let hit = search.first(mover.slot, &mover.path);
        let mut met = None;
        let stop = match hit {
            Some(mut hit) => {
                met = later(hit.other).map(|later| (later, hit.fraction));
                if met.is_some() {
                    hit.path = RigidPath::resting(hit.path.at(hit.fraction));
                }
                search.stop(&mover, &hit)
            }
            None if limit < Fx::ONE => {
                Stop { slot: mover.slot, fraction: Fx::ONE, pressed: None, path: mover.path }
            }
            None => return,
        };
        if let Some((later, fraction)) = met {
            let limit = &mut self.bullets[later].1;
            *limit = limit.saturating_mul(fraction);
        }
        let stop = Stop { fraction: limit.saturating_mul(stop.fraction), ..stop };
        let place = self.stops.partition_point(|other| other.slot < stop.slot);
        self.stops.insert(place, stop);
    }
}
