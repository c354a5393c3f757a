//! A stream as the tuple (state, increment) of two `u64`, checked when it is read.

use super::Rng;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Rng {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (self.state, self.increment).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rng {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (state, increment) = <(u64, u64)>::deserialize(deserializer)?;
        Self::from_raw(state, increment).map_err(D::Error::custom)
    }
}
