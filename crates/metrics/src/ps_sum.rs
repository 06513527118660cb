//! Sums of simulated times.

/// A sum of times in picoseconds, up to 128 bits. 64 bits would last for 213 days of summed delay (1 s of
/// delay on 18 million packets). A `u128` would need padding, which would enlarge structs that are touched
/// for every packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PsSum {
    low: u64,
    high: u64,
}

impl PsSum {
    /// Adds `ps` picoseconds.
    #[inline]
    pub(crate) fn add(&mut self, ps: u64) {
        let (low, carry) = self.low.overflowing_add(ps);
        self.low = low;
        if carry {
            self.carry();
        }
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self) {
        self.high += 1;
    }

    /// Adds another sum.
    pub(crate) fn merge(&mut self, other: Self) {
        self.add(other.low);
        self.high += other.high;
    }

    /// Returns the sum, picoseconds.
    pub(crate) fn get(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

/// Returns `sum / count` in seconds; `None` if `count` is 0.
pub(crate) fn mean_s(sum: PsSum, count: u64) -> Option<f64> {
    (count > 0).then(|| sum.get() as f64 / count as f64 / base::time::PS_PER_S as f64)
}
