//! Tangles of joints and contacts: what shares lanes, and what threads share, does not see each other.

use isostep_scenes::tangles::Tangle;

/// Ticks of each.
const TICKS: u32 = 60;

/// How many tangles there are: fewer where they are emulated.
fn tangles() -> u64 {
    if std::env::var_os("ISOSTEP_SHORT_LOGS").is_some() { 2 } else { 200 }
}

#[test]
fn what_shares_lanes_in_a_tangle_does_not_see_each_other() {
    for seed in 0..tangles() {
        let mut tangles = [(); 3].map(|()| Tangle::new(seed));
        tangles[1].world.shuffle_lanes(1);
        tangles[2].world.shuffle_lanes(2);
        for tick in 0..TICKS {
            tangles.iter_mut().for_each(Tangle::tick);
            let [one, other, another] = tangles.each_ref().map(|tangle| tangle.world.state_hash());
            assert_eq!([one, one], [other, another], "seed {seed}, tick {tick}");
        }
    }
}
