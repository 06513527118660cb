//! Hints to the processor's cache.

/// Has the processor fetch where `place` lies, without waiting for it. Changes nothing but time.
#[inline(always)]
#[allow(unsafe_code, reason = "a prefetch")]
pub fn fetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        /// Bytes of a line of the cache.
        const LINE: usize = 64;
        let begin = std::ptr::from_ref(place).cast::<i8>();
        // Offsets known when this is compiled; the last byte may lie in one line more.
        let last = size_of::<T>().saturating_sub(1);
        for at in (0..last).step_by(LINE).chain([last]) {
            // SAFETY: a prefetch reads nothing that the program sees, and faults nowhere.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(begin.wrapping_add(at)) };
        }
    }
    // Elsewhere the standard library has no such hint.
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
