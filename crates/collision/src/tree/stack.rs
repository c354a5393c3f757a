//! A stack that lies in the caller's frame, and goes on in the heap where a tree is deeper than any sane one.

use alloc::vec::Vec;

const INLINE: usize = 64;

pub(super) struct Stack<T> {
    inline: [T; INLINE],
    len: usize,
    spill: Vec<T>,
}

impl<T: Copy + Default> Stack<T> {
    #[inline]
    pub(super) fn new() -> Self {
        Self { inline: [T::default(); INLINE], len: 0, spill: Vec::new() }
    }

    #[inline]
    pub(super) fn push(&mut self, item: T) {
        match self.inline.get_mut(self.len) {
            Some(place) => {
                *place = item;
                self.len += 1;
            }
            None => self.spill.push(item),
        }
    }

    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == INLINE {
            if let Some(item) = self.spill.pop() {
                return Some(item);
            }
        }
        self.len = self.len.checked_sub(1)?;
        self.inline.get(self.len).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_stack_beyond_its_frame_too() {
        let mut stack = Stack::new();
        (0..200_u32).for_each(|i| stack.push(i));
        (100..200).rev().for_each(|i| assert_eq!(stack.pop(), Some(i)));
        (0..20).for_each(|i| stack.push(i));
        (0..20).rev().chain((0..100).rev()).for_each(|i| assert_eq!(stack.pop(), Some(i)));
        assert_eq!(stack.pop(), None);
    }
}
