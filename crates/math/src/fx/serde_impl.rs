//! Raw bits in binary formats, decimal text in human-readable ones; independent of the features of `fixed`.

use super::Fx;
use core::fmt;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

impl Serialize for Fx {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            serializer.serialize_i64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Fx {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(DecimalText)
        } else {
            i64::deserialize(deserializer).map(Self)
        }
    }
}

struct DecimalText;

impl Visitor<'_> for DecimalText {
    type Value = Fx;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a decimal number in a string, like \"-12.5\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Fx, E> {
        Fx::parse(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Fx, fx};
    use std::string::ToString;

    #[test]
    fn human_readable_formats_hold_decimal_text() {
        assert_eq!(serde_json::to_string(&fx!(-0.1)).unwrap(), "\"-0.1\"");
        assert_eq!(serde_json::from_str::<Fx>("\"-0.1\"").unwrap(), fx!(-0.1));
    }

    #[test]
    fn binary_formats_hold_the_raw_bits_in_little_endian() {
        let config = bincode::config::legacy();
        let bytes = bincode::serde::encode_to_vec(fx!(1.5), config).unwrap();
        assert_eq!(bytes, 0x1_8000_0000_i64.to_le_bytes());
        assert_eq!(bincode::serde::decode_from_slice::<Fx, _>(&bytes, config).unwrap(), (fx!(1.5), 8));
    }

    #[test]
    fn json_numbers_and_wrong_text_are_refused_with_the_reason() {
        let number = serde_json::from_str::<Fx>("0.5").unwrap_err().to_string();
        assert!(number.contains("a decimal number in a string"), "{number}");
        let text = serde_json::from_str::<Fx>("\"1e9\"").unwrap_err().to_string();
        assert!(text.contains("byte 1 of the text"), "{text}");
    }
}
