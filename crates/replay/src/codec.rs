//! Bytes of values: numbers by hand, headers and commands by bincode, all little-endian and of fixed widths.
//!
//! bincode is trusted with the fields of a value and nothing else. Magic, versions, lengths, counts, checksums and what
//! comes after a value are checked by those who call.

use crate::limits::MAX_VALUE_BYTES;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_little_endian().with_fixed_int_encoding().with_limit::<MAX_VALUE_BYTES>()
}

/// Where bincode writes to.
struct Sink<'a>(&'a mut Vec<u8>);

impl bincode::enc::write::Writer for Sink<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

/// Adds the bytes of a value.
pub(crate) fn put<T: Serialize>(bytes: &mut Vec<u8>, value: &T) {
    bincode::serde::encode_into_writer(value, &mut Sink(bytes), config())
        .expect("memory takes what is written");
}

/// Bytes from which values are taken, from the first on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source<'a>(pub(crate) &'a [u8]);

/// Why bytes are not what they should be.
pub(crate) type Reason = &'static str;

/// There are fewer bytes than a value has.
const SHORT: Reason = "it ends within a value";

impl<'a> Source<'a> {
    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Reason> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or(SHORT)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const K: usize>(&mut self) -> Result<[u8; K], Reason> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(SHORT)?;
        self.0 = rest;
        Ok(*bytes)
    }

    pub(crate) fn u8(&mut self) -> Result<u8, Reason> {
        self.array().map(u8::from_le_bytes)
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Reason> {
        self.array().map(u16::from_le_bytes)
    }

    pub(crate) fn u32(&mut self) -> Result<u32, Reason> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64, Reason> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn u128(&mut self) -> Result<u128, Reason> {
        self.array().map(u128::from_le_bytes)
    }

    /// A signed number of seven bits a byte, the lowest first; the highest bit says that another byte follows, and the
    /// lowest one of all is the sign: 0, −1, 1, −2 …
    pub(crate) fn signed(&mut self) -> Result<i64, Reason> {
        let mut folded = 0_u64;
        for place in 0..10 {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7F);
            if place == 9 && bits > 1 {
                return Err("a number has more than 64 bits");
            }
            folded |= bits << (7 * place);
            if byte < 0x80 {
                return Ok((folded >> 1) as i64 ^ -((folded & 1) as i64));
            }
        }
        Err("a number has more than ten bytes")
    }

    /// A value by bincode.
    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> Result<T, Reason> {
        let (value, read) =
            bincode::serde::decode_from_slice(self.0, config()).map_err(|_| "a value cannot be decoded")?;
        self.bytes(read)?;
        Ok(value)
    }

    /// That nothing is left.
    pub(crate) fn end(self) -> Result<(), Reason> {
        if self.0.is_empty() { Ok(()) } else { Err("bytes are left after the last value") }
    }
}

/// Adds a number as [`Source::signed`] takes it.
pub(crate) fn put_signed(bytes: &mut Vec<u8>, value: i64) {
    let mut folded = (value << 1 ^ value >> 63) as u64;
    while folded >= 0x80 {
        bytes.push(folded as u8 | 0x80);
        folded >>= 7;
    }
    bytes.push(folded as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_numbers_of_all_lengths_come_back() {
        for shift in 0..64 {
            for value in [1_i64 << shift, (1_i64 << shift).wrapping_sub(1), (1_i64 << shift).wrapping_neg()] {
                let mut bytes = Vec::new();
                put_signed(&mut bytes, value);
                let mut source = Source(&bytes);
                assert_eq!(source.signed(), Ok(value));
                assert!(source.end().is_ok() && bytes.len() <= 10);
            }
        }
        assert!(Source(&[0xFF; 12]).signed().is_err());
        assert!(Source(&[0x80]).signed().is_err());
    }
}
