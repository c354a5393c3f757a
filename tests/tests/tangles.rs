//! Tangles of joints and contacts: what shares lanes, and what threads share, does not see each other.

use isostep_scenes::tangles::Tangle;

/// How many tangles there are: as few as that where they are emulated.
fn tangles(least: u64) -> u64 {
    if std::env::var_os("ISOSTEP_SHORT_LOGS").is_some() { least } else { 60 }
}

#[test]
fn tangles_that_share_lanes_do_not_see_each_other() {
    for seed in 0..tangles(2) {
        let mut tangles = [(); 3].map(|()| Tangle::new(seed));
        tangles[1].world.shuffle_lanes(1);
        tangles[2].world.shuffle_lanes(2);
        for tick in 0..60 {
            tangles.iter_mut().for_each(Tangle::tick);
            let [one, other, another] = tangles.each_ref().map(|tangle| tangle.world.state_hash());
            assert_eq!([one, one], [other, another], "seed {seed}, tick {tick}");
        }
    }
}

#[cfg(not(target_family = "wasm"))]
#[test]
fn every_tangle_is_the_same_on_any_number_of_threads() {
    let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pools = [2, 3].map(|threads| pool(threads).expect("threads can be had"));
    for seed in 0..tangles(12) {
        let mut tangles = [(); 3].map(|()| Tangle::new(seed));
        tangles[0].world.set_max_threads(1);
        (0..30).for_each(|_| tangles[0].tick());
        for (tangle, pool) in tangles[1..].iter_mut().zip(&pools) {
            // They are too small to be worth it otherwise.
            tangle.world.share_everything();
            pool.install(|| (0..30).for_each(|_| tangle.tick()));
        }
        let [alone, two, three] = tangles.map(|tangle| tangle.world.state_hash());
        assert_eq!([alone, alone], [two, three], "seed {seed}");
    }
}
