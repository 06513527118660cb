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

    /// Returns the sum, picoseconds.
    pub(crate) fn get(self) -> u128 {
        u128::from(self.high) << 64 | u128::from(self.low)
    }
}

/// Two sums of times, each as a [`PsSum`] of up to 96 bits; they take less memory together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PsSums {
    low: [u64; 2],
    high: [u32; 2],
}

impl PsSums {
    /// Adds `ps` picoseconds to sum number `AT`.
    #[inline]
    pub(crate) fn add<const AT: usize>(&mut self, ps: u64) {
        let (low, carry) = self.low[AT].overflowing_add(ps);
        self.low[AT] = low;
        if carry {
            self.carry(AT);
        }
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self, at: usize) {
        self.high[at] += 1;
    }

    /// Adds two other sums.
    pub(crate) fn merge(&mut self, other: Self) {
        self.add::<0>(other.low[0]);
        self.add::<1>(other.low[1]);
        self.high = [0, 1].map(|at| self.high[at] + other.high[at]);
    }

    /// Returns sum number `AT`.
    pub(crate) fn get<const AT: usize>(self) -> PsSum {
        PsSum { low: self.low[AT], high: self.high[AT].into() }
    }
}

/// Returns `sum / count` in seconds; `None` if `count` is 0.
pub(crate) fn mean_s(sum: PsSum, count: u64) -> Option<f64> {
    (count > 0).then(|| sum.get() as f64 / count as f64 / base::time::PS_PER_S as f64)
}
