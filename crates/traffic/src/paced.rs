//! Packets of one size at a given rate, steady or in bursts.

use base::{DataRate, Duration, Instant, Rng};

/// The gaps between packets while a source is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spacing {
    /// All the same: `packet / rate`.
    Constant,
    /// Exponential with that mean: a Poisson stream.
    Exponential,
}

/// How long bursts and pauses last.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Distribution {
    /// Always the mean.
    Constant,
    /// Exponential.
    Exponential,
    /// Pareto of this shape (> 1).
    Pareto(f64),
}

/// A burst pattern.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OnOff {
    /// Mean time on.
    pub on: Duration,
    /// Mean time off.
    pub off: Duration,
    /// How the times are distributed.
    pub distribution: Distribution,
}

/// A source of packets of one size at a given rate, steady or in bursts.
#[derive(Clone, Debug)]
pub struct Paced {
    pub(crate) payload: u32,
    gap: Duration,
    spacing: Spacing,
    pattern: Option<OnOff>,
    /// When the burst under way ends.
    burst_ends: Instant,
    rng: Rng,
}

impl Paced {
    /// A source that sends `payload` bytes at a time, at `rate` of payload while it is on.
    pub fn new(rate: DataRate, payload: u32, spacing: Spacing, pattern: Option<OnOff>, rng: Rng) -> Self {
        Self { payload, gap: rate.time_for(payload.into()), spacing, pattern, burst_ends: Instant::MAX, rng }
    }

    /// The source begins at `now`, with a burst where it sends in bursts, and a packet at once.
    pub fn begin(&mut self, now: Instant) -> Instant {
        if let Some(pattern) = self.pattern {
            self.burst_ends = now.saturating_add(self.draw(pattern.on, pattern.distribution));
        }
        now
    }

    /// When the next packet goes after one that went at `now`.
    pub fn next(&mut self, now: Instant) -> Instant {
        let gap = match self.spacing {
            Spacing::Constant => self.gap,
            Spacing::Exponential => Duration::from_secs_f64(self.rng.exponential(self.gap.secs())),
        };
        let next = now.saturating_add(gap);
        let Some(pattern) = self.pattern else { return next };
        if next < self.burst_ends {
            return next;
        }
        let begins = self.burst_ends.saturating_add(self.draw(pattern.off, pattern.distribution));
        self.burst_ends = begins.saturating_add(self.draw(pattern.on, pattern.distribution));
        begins
    }

    fn draw(&mut self, mean: Duration, distribution: Distribution) -> Duration {
        match distribution {
            Distribution::Constant => mean,
            Distribution::Exponential => Duration::from_secs_f64(self.rng.exponential(mean.secs())),
            Distribution::Pareto(shape) => Duration::from_secs_f64(self.rng.pareto(mean.secs(), shape)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(source: &mut Paced, until: Duration) -> u64 {
        let end = Instant::ZERO + until;
        let (mut now, mut n) = (source.begin(Instant::ZERO), 0);
        while now < end {
            n += 1;
            now = source.next(now);
        }
        n
    }

    fn rate(bps: u64) -> DataRate {
        DataRate::from_bps(bps).expect("positive")
    }

    #[test]
    fn constant_rate() {
        let mut source = Paced::new(rate(1_000_000), 1000, Spacing::Constant, None, Rng::stream(1, "s"));
        assert_eq!(sent(&mut source, Duration::from_secs(8)), 1000);
    }

    #[test]
    fn poisson_rate() {
        let mut source = Paced::new(rate(1_000_000), 1000, Spacing::Exponential, None, Rng::stream(1, "s"));
        let n = sent(&mut source, Duration::from_secs(800)) as f64;
        assert!((n - 100_000.0).abs() < 1000.0, "{n}");
    }

    #[test]
    fn bursts() {
        let half = Duration::from_ms(500);
        let pattern = OnOff { on: half, off: half, distribution: Distribution::Constant };
        let mut source =
            Paced::new(rate(1_000_000), 1000, Spacing::Constant, Some(pattern), Rng::stream(1, "s"));
        // 62.5 datagrams fit in a burst: 63 go, the last one half a gap before its end.
        assert_eq!(sent(&mut source, Duration::from_secs(10)), 630);
        let pattern = OnOff { distribution: Distribution::Exponential, ..pattern };
        let mut source =
            Paced::new(rate(1_000_000), 1000, Spacing::Constant, Some(pattern), Rng::stream(1, "s"));
        let n = sent(&mut source, Duration::from_secs(2000)) as f64;
        assert!((n / 125_000.0 - 1.0).abs() < 0.1, "{n}");
    }
}
