//! Numbers out of the bytes that the fuzzer chose; zeros once they are used up.

use isostep_math::{Fx, Quat, Vec3};

pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((&byte, rest)) => {
                self.0 = rest;
                byte
            }
            None => 0,
        }
    }

    /// A number of `count` bytes with its sign.
    fn integer(&mut self, count: usize) -> i64 {
        let bits = (0..count).fold(0, |bits, _| bits << 8 | u64::from(self.byte()));
        ((bits << (64 - 8 * count)) as i64) >> (64 - 8 * count)
    }

    /// Any number; by the leading byte a short one at some scale, or all 64 bits.
    pub fn number(&mut self) -> Fx {
        let kind = self.byte();
        Fx::from_bits(match kind >> 6 {
            // Whole metres, or powers of two of them.
            0 => self.integer(1) << 32 >> (kind & 31),
            1 => self.integer(2) << (kind & 47),
            2 => self.integer(4) << (kind & 31),
            _ => self.integer(8),
        })
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    /// Above zero and at most `most`.
    pub fn extent(&mut self, most: Fx) -> Fx {
        self.number().abs().clamp(Fx::EPSILON, most)
    }

    /// A rotation: any, or one that maps axes to axes.
    pub fn rotation(&mut self) -> Quat {
        let kind = self.byte();
        if kind & 1 == 0 {
            let turn = |bits: u8| [Fx::ZERO, Fx::ONE, -Fx::ONE, Fx::ZERO][usize::from(bits & 3)];
            return Quat::from_xyzw(turn(kind >> 1), turn(kind >> 3), turn(kind >> 5), Fx::ONE).normalize();
        }
        Quat::from_xyzw(self.number(), self.number(), self.number(), self.number()).normalize()
    }
}
