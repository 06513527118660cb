//! Hints to the processor's cache.

/// Prefetches `place` into the processor's cache, without waiting for it. Changes nothing but time.
#[inline(always)]
#[allow(unsafe_code, reason = "a prefetch")]
pub fn fetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        /// Bytes of a line of the cache.
        const LINE: usize = 64;
        let begin = std::ptr::from_ref(place).cast::<i8>();
        let lead = begin as usize % LINE;
        // A plain loop: in a crate that is compiled to be small, a chain of iterators costs more than the prefetch
        // gains.
        let mut at = 0;
        while at < lead + size_of::<T>() {
            // SAFETY: a prefetch reads nothing and faults nowhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(begin.wrapping_add(at)) };
            at += LINE;
        }
    }
    // Elsewhere the standard library has no such hint.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
