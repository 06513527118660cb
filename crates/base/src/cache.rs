//! Prefetching into the processor's cache.

/// Prefetches `place` into the processor's cache without waiting for it. Affects only the time that the
/// program takes.
#[inline(always)]
pub fn fetch<T>(place: &T) {
    fetch_front(place, size_of::<T>());
}

/// Prefetches the first `bytes` of `place` as [`fetch`] does.
#[inline(always)]
#[allow(unsafe_code, reason = "a prefetch")]
pub fn fetch_front<T>(place: &T, bytes: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        /// Size of a cache line, bytes.
        const LINE: usize = 64;
        let begin = std::ptr::from_ref(place).cast::<i8>();
        // The bound tells the compiler how many lines an aligned type has.
        let lead = (begin as usize % LINE).min(LINE.saturating_sub(align_of::<T>()));
        // A `while` loop, because in a crate that is optimized for size an iterator costs more than the
        // prefetch gains.
        let mut at = 0;
        while at < lead + bytes {
            // SAFETY: a prefetch does not access memory and cannot fault.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(begin.wrapping_add(at)) };
            at += LINE;
        }
    }
    // For other processors stable Rust has no prefetch instruction, so the function does nothing.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (place, bytes);
}
