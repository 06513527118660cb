//! Percentiles of times without keeping each of them: a histogram whose buckets grow with the value, as in HdrHistogram.

use base::Duration;

/// Buckets of each doubling of the value, as a power of two: a bucket is at most 1/128 of its value wide, so that its middle is
/// at most 0.4 % from any value in it.
const BITS: u32 = 7;

/// How often each time occurred, to 0.4 %.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Percentiles {
    /// The bucket that `counts` begins with.
    first: usize,
    /// Counts of buckets in a row, from the smallest to the greatest that has occurred.
    counts: Vec<u32>,
    total: u64,
}

impl Percentiles {
    /// Counts one time.
    #[inline]
    pub fn add(&mut self, time: Duration) {
        let bucket = bucket(time.ps());
        self.total += 1;
        match bucket.checked_sub(self.first).and_then(|at| self.counts.get_mut(at)) {
            Some(count) => *count = count.saturating_add(1),
            None => self.add_outside(bucket),
        }
    }

    /// Counts a time of a bucket that is not there yet.
    #[cold]
    fn add_outside(&mut self, bucket: usize) {
        if self.counts.is_empty() {
            self.first = bucket;
        }
        if bucket < self.first {
            self.counts.splice(..0, std::iter::repeat_n(0, self.first - bucket));
            self.first = bucket;
        }
        let at = bucket - self.first;
        if at >= self.counts.len() {
            self.counts.resize(at + 1, 0);
        }
        self.counts[at] += 1;
    }

    /// The time that a share `p` (0 to 1) of all times does not exceed, in seconds (nearest rank); `None` if none was counted.
    pub fn at_s(&self, p: f64) -> Option<f64> {
        let rank = ((p * self.total as f64).ceil() as u64).clamp(1, self.total.max(1));
        let mut below = 0;
        let at = self.counts.iter().position(|&count| {
            below += u64::from(count);
            below >= rank
        })?;
        let [from, to] = [self.first + at, self.first + at + 1].map(|bucket| start(bucket) as f64);
        // Small times have a bucket each.
        let middle = if to - from > 1.0 { (from + to) / 2.0 } else { from };
        Some(middle / base::time::PS_PER_S as f64)
    }
}

/// The bucket of a value.
#[inline]
fn bucket(value: u64) -> usize {
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(BITS + 1);
    ((shift as usize) << BITS) + (value >> shift) as usize
}

/// The smallest value of a bucket.
fn start(bucket: usize) -> u128 {
    let shift = (bucket >> BITS).saturating_sub(1);
    ((bucket - (shift << BITS)) as u128) << shift
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_follow_each_other_without_a_gap() {
        for value in (0..2000).chain([1 << 20, (1 << 20) + 12_345, u64::MAX]) {
            let bucket = bucket(value);
            assert!(start(bucket) <= u128::from(value) && u128::from(value) < start(bucket + 1), "{value}");
            let width = start(bucket + 1) - start(bucket);
            assert!(width == 1 || width as f64 <= value as f64 / 128.0, "{value}: {width}");
        }
    }

    #[test]
    fn percentiles_of_the_first_thousand_milliseconds() {
        let mut times = Percentiles::default();
        assert_eq!(times.at_s(0.5), None);
        // In an order that grows the histogram at both ends.
        for ms in (1..=1000).rev().step_by(2).chain((1..=1000).step_by(2)) {
            times.add(Duration::from_ms(ms));
        }
        for (p, expected) in [(0.0, 0.001), (0.5, 0.5), (0.95, 0.95), (0.99, 0.99), (1.0, 1.0)] {
            let found = times.at_s(p).unwrap();
            assert!((found / expected - 1.0).abs() < 0.004, "{p}: {found}");
        }
    }
}
