//! Percentiles of times, from a histogram whose bucket widths grow with the value, as in HdrHistogram.
//!
//! Within a bucket, times are assumed to be spread evenly, so a percentile depends only on the counts of the
//! buckets and on the shortest and the longest time. Their number and these two extremes are kept in
//! [`crate::DelayStats`], which counts every packet anyway.

use base::Duration;
use base::cache::fetch;
use std::collections::BTreeMap;

/// Base-2 logarithm of the number of buckets per doubling of the value. A bucket is at most 1/128 of its
/// values wide, so a percentile is wrong by at most 0.8 %, and by much less if a bucket has many times.
const BITS: u32 = 7;

/// Number of buckets by which a histogram grows: those of one cache line.
const STEP: usize = 32;

/// Histogram of times; percentiles are precise to 0.8 %. It takes two bytes per bucket, because with thousands of flows
/// each cache line counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Percentiles {
    /// Index of the first bucket in `counts`.
    first: u32,
    /// Counts of consecutive buckets, modulo 2^16; from the smallest to the largest bucket that has a time, extended to
    /// multiples of `STEP`.
    counts: Box<[u16]>,
    /// `None` if no count has passed 2^16.
    carries: Option<Box<Carries>>,
}

/// Number of times that the count of a bucket has passed 2^16, by bucket.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Carries(BTreeMap<usize, u64>);

impl Percentiles {
    /// Counts `time` in its bucket.
    #[inline]
    pub fn add(&mut self, time: Duration) {
        let bucket = bucket(time.ps());
        // The index of a bucket below the first wraps around, so that it is outside, too.
        match self.counts.get_mut(bucket.wrapping_sub(self.first as usize)) {
            Some(count) => {
                *count = count.wrapping_add(1);
                if *count == 0 {
                    self.carry(bucket, 1);
                }
            }
            None => self.add_outside(bucket),
        }
    }

    /// Prefetches the count of the bucket of `time`.
    #[inline]
    pub fn fetch(&self, time: Duration) {
        if let Some(count) = self.counts.get(bucket(time.ps()).wrapping_sub(self.first as usize)) {
            fetch(count);
        }
    }

    /// Counts a time whose bucket is outside `counts`.
    #[cold]
    fn add_outside(&mut self, bucket: usize) {
        self.extend(bucket);
        self.counts[bucket - self.first as usize] += 1;
    }

    /// Extends `counts` so that it contains `bucket`.
    fn extend(&mut self, bucket: usize) {
        let old = self.first as usize..self.first as usize + self.counts.len();
        let hull =
            if old.is_empty() { bucket..bucket + 1 } else { old.start.min(bucket)..old.end.max(bucket + 1) };
        let (first, end) = (hull.start / STEP * STEP, hull.end.next_multiple_of(STEP));
        let mut counts = vec![0; end - first].into_boxed_slice();
        if !old.is_empty() {
            counts[old.start - first..old.end - first].copy_from_slice(&self.counts);
        }
        // A bucket's index is below 2^13.
        self.first = first as u32;
        self.counts = counts;
    }

    /// Notes that the count of `bucket` has passed 2^16 `times` times.
    #[cold]
    fn carry(&mut self, bucket: usize, times: u64) {
        *self.carries.get_or_insert_default().0.entry(bucket).or_default() += times;
    }

    /// Returns the number of times in the bucket at index `at` of `counts`.
    fn count(&self, at: usize) -> u64 {
        let bucket = self.first as usize + at;
        let carries =
            self.carries.as_ref().and_then(|carries| carries.0.get(&bucket)).copied().unwrap_or_default();
        u64::from(self.counts[at]) + (carries << u16::BITS)
    }

    /// Adds the counts of `other`.
    pub(crate) fn merge(&mut self, other: &Self) {
        for at in 0..other.counts.len() {
            let more = other.count(at);
            if more == 0 {
                continue;
            }
            let bucket = other.first as usize + at;
            if bucket.wrapping_sub(self.first as usize) >= self.counts.len() {
                self.extend(bucket);
            }
            let own = &mut self.counts[bucket - self.first as usize];
            let sum = u64::from(*own) + more;
            *own = sum as u16;
            if sum >> u16::BITS > 0 {
                self.carry(bucket, sum >> u16::BITS);
            }
        }
    }

    /// Returns the `p`-quantile (0 to 1) of the times in seconds, by nearest rank; `None` if no time was
    /// counted. `total` is the number of times, `shortest` and `longest` are their extremes.
    pub fn at_s(&self, p: f64, total: u64, [shortest, longest]: [Duration; 2]) -> Option<f64> {
        let rank = ((p * total as f64).ceil() as u64).clamp(1, total.max(1));
        let mut below = 0;
        let at = (0..self.counts.len()).find(|at| {
            below += self.count(*at);
            below >= rank
        })?;
        // First and last time of the bucket, bounded by the known extremes.
        let bucket = self.first as usize + at;
        let from = start(bucket).max(shortest.ps().into());
        let to = (start(bucket + 1) - 1).min(longest.ps().into());
        // Position of the rank among the times of the bucket, which are assumed to be spread evenly.
        let count = self.count(at);
        let place = (rank + count - below) as f64 - 0.5;
        let within = from as f64 + place / count as f64 * (to - from) as f64;
        Some(within / base::time::PS_PER_S as f64)
    }
}

/// Returns the index of a value's bucket.
#[inline]
fn bucket(value: u64) -> usize {
    // The low bits are set, so that small values have a shift of 0 without a test.
    let shift = (value | ((2 << BITS) - 1)).ilog2() - BITS;
    ((shift as usize) << BITS) + (value >> shift) as usize
}

/// Returns the smallest value of the bucket with index `bucket`.
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

    /// Returns the exact nearest-rank percentile of the times, s.
    fn exact(times: &[u64], p: f64) -> f64 {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let rank = ((p * sorted.len() as f64).ceil() as usize).clamp(1, sorted.len());
        sorted[rank - 1] as f64 / 1e12
    }

    /// Returns the percentile of the times that `Percentiles` gives, s.
    fn found(times: &[u64], p: f64) -> Option<f64> {
        let mut found = Percentiles::default();
        times.iter().for_each(|&ps| found.add(Duration::from_ps(ps)));
        let ends = [times.iter().min(), times.iter().max()].map(|end| Duration::from_ps(*end.unwrap_or(&0)));
        found.at_s(p, times.len() as u64, ends)
    }

    #[test]
    fn counts_beyond_two_bytes_are_carried() {
        let (short, long) = (Duration::from_ms(10), Duration::from_ms(30));
        let mut all = Percentiles::default();
        for n in 0..150_000 {
            all.add(if n % 3 == 0 { long } else { short });
        }
        let counts = |of: &Percentiles| {
            (0..of.counts.len()).map(|at| of.count(at)).filter(|n| *n > 0).collect::<Vec<_>>()
        };
        assert_eq!(counts(&all), [100_000, 50_000]);
        let mut twice = all.clone();
        twice.merge(&all);
        assert_eq!(counts(&twice), [200_000, 100_000]);
        let ends = [short, long];
        assert!((0.0099..0.0102).contains(&all.at_s(0.6, 150_000, ends).unwrap()));
        assert!((0.0099..0.0102).contains(&twice.at_s(0.6, 300_000, ends).unwrap()));
        assert!(twice.at_s(0.7, 300_000, ends).unwrap() > 0.029);
    }

    #[test]
    fn a_histogram_stays_small() {
        assert_eq!(size_of::<Percentiles>(), 32);
    }

    const SHARES: [f64; 6] = [0.0, 0.25, 0.5, 0.95, 0.99, 1.0];

    #[test]
    fn percentiles_of_the_first_thousand_milliseconds() {
        assert_eq!(found(&[], 0.5), None);
        // Added in an order that extends the histogram at both ends.
        let times: Vec<u64> =
            (1..=1000).rev().step_by(2).chain((1..=1000).step_by(2)).map(|ms| ms * 1_000_000_000).collect();
        for p in SHARES {
            let (found, wanted) = (found(&times, p).unwrap(), exact(&times, p));
            assert!((found / wanted - 1.0).abs() <= 1.0 / 128.0, "{p}: {found}, not {wanted}");
        }
    }

    #[test]
    fn many_times_are_told_far_closer_than_their_bucket() {
        // Queueing delays of 20 to 60 ms, more of them short than long.
        let mut state = 1_u64;
        let times: Vec<u64> = (0..100_000)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let share = (state >> 11) as f64 / (1_u64 << 53) as f64;
                20_000_000_000 + (share * share * 4e10) as u64
            })
            .collect();
        for p in SHARES {
            let (found, wanted) = (found(&times, p).unwrap(), exact(&times, p));
            assert!((found / wanted - 1.0).abs() < 0.0005, "{p}: {found}, not {wanted}");
        }
    }

    #[test]
    fn one_time_again_and_again_is_every_percentile() {
        for ps in [0, 1, 200, 40_000_000_001] {
            for p in SHARES {
                assert_eq!(found(&[ps; 7], p), Some(ps as f64 / 1e12), "{ps} ps, {p}");
            }
        }
    }

    #[test]
    fn a_shift_within_a_bucket_shifts_the_percentile() {
        // The times differ by 0.1 ms around 40 ms, a third of a bucket's width.
        let times = |shift: u64| (0..1000).map(|i| 40_000_000_000 + shift + i * 100_000).collect::<Vec<_>>();
        for p in SHARES {
            let [before, after] = [0, 100_000_000].map(|shift| found(&times(shift), p).unwrap());
            assert!((after - before - 1e-4).abs() < 5e-5, "{p}: {before}, {after}");
        }
    }
}
