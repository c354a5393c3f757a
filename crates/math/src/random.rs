//! Seeded, splittable streams of random numbers for game logic.
