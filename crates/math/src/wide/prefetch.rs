//! Telling the caches what is read soon.
#![cfg_attr(target_arch = "x86_64", allow(unsafe_code))]

/// Bytes that the caches bring at once.
pub const LINE: usize = 64;

/// Asks the caches to bring the line of an address, and does not wait for it. No result depends on it: the address may be
/// any, and where there is no instruction for it, it does nothing.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every x86-64 has the instruction, and it does nothing where there is nothing to read.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Asks the caches to bring all lines of a value, or of a slice.
#[inline(always)]
pub fn prefetch_all<T: ?Sized>(value: &T) {
    let (first, bytes) = ((&raw const *value).cast::<u8>(), size_of_val(value));
    for byte in (0..bytes).step_by(LINE) {
        prefetch(first.wrapping_add(byte));
    }
    // What begins within a line ends within another one.
    if bytes % LINE != 0 {
        prefetch(first.wrapping_add(bytes - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_address_may_be_brought_and_nothing_happens() {
        prefetch::<u64>(core::ptr::null());
        prefetch::<u64>(core::ptr::without_provenance(usize::MAX));
        let values = [7_u8; 200];
        prefetch(values.as_ptr().wrapping_add(usize::MAX / 2));
        prefetch_all(&values);
        prefetch_all(&values[3..4]);
        prefetch_all(&[[0_u64; 8]; 2]);
        prefetch_all::<[u32]>(&[]);
        prefetch_all(&[(); 5]);
        assert_eq!(values, [7; 200]);
    }
}
