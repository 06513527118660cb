//! Packets of one size at a given rate, continuously or in bursts.

use crate::carriage::{Carriage, Marks, PAYLOADS};
use base::{DataRate, Duration, Instant, Rng};
use settings::Size;
use settings::{Choice, Error, Settings};
use std::ops::RangeInclusive;

/// Distribution of the time between packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Spacing {
    /// constant
    Constant,
    /// exponential with the same mean: a Poisson process
    Exponential,
}

/// Distribution of the lengths of bursts and pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Distribution {
    /// always the mean
    Constant,
    /// exponential
    Exponential,
    /// Pareto, heavy-tailed, with the shape `shape`
    Pareto,
}

/// Settings of a source of fixed-size packets at a given rate: at a constant bit rate (CBR), or with exponential
/// spacing (Poisson).
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct Packets {
    /// Rate of payload; in bursts, the rate within a burst.
    #[setting(needed = "a rate: rate = \"10Mbps\"", range = DataRate::RANGE)]
    pub rate: DataRate,
    /// Payload of a packet, which is a datagram or a write to TCP.
    #[setting(needed = "the payload of a datagram: packet = \"1000B\"", form = Size, range = PAYLOADS)]
    pub packet: u32,
    /// Transport of the packets.
    #[setting(flatten)]
    pub carriage: Carriage,
    /// Distribution of the time between packets.
    #[setting(default = Spacing::Constant)]
    pub spacing: Spacing,
    /// ECN field of datagrams.
    #[setting(flatten)]
    pub marks: Marks,
}

impl Packets {
    fn complete(&mut self) -> Result<(), Error> {
        self.carriage.complete(&mut self.marks, self.packet)?;
        if self.rate.time_for(self.packet.into()) < Duration::from_ps(1000) {
            return Err(Error::new("rate", "more than one packet in a nanosecond")
                .allowed("a lower rate, or larger packets"));
        }
        Ok(())
    }
}

/// Bounds of the mean lengths of bursts and pauses. With shorter means, bursts and pauses amount to a stream
/// of packets at a lower rate.
const MEANS: RangeInclusive<Duration> = Duration::from_us(1)..=Duration::MAX;
/// Allowed mean lengths, shown in error messages.
const MEAN: &str = "\"1us\" or more, like \"0.5s\"; without pause: kind = \"cbr\"";
/// Default shape of a Pareto distribution.
const SHAPE: f64 = 1.5;

/// Settings of bursts and the pauses between them.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct Bursts {
    /// Mean length of a burst.
    #[setting(needed = "mean length of a burst: on = \"0.5s\"", range = MEANS, allowed = MEAN)]
    pub on: Duration,
    /// Mean length of a pause between bursts.
    #[setting(needed = "mean time between bursts: off = \"0.5s\"", range = MEANS, allowed = MEAN)]
    pub off: Duration,
    /// Distribution of the lengths of bursts and of pauses.
    #[setting(default = Distribution::Constant)]
    pub distribution: Distribution,
    /// Shape of the Pareto distribution. Only with distribution = "pareto".
    #[setting(range = 1.0..=100.0, allowed = SHAPES, value = "number above 1, at most 100", absent = "1.5")]
    pub shape: Option<f64>,
}

/// Allowed shapes, shown in error messages.
const SHAPES: &str = "above 1, at most 100";

impl Bursts {
    fn complete(&mut self) -> Result<(), Error> {
        match (self.distribution, self.shape) {
            (Distribution::Pareto, shape) => {
                if *self.shape.insert(shape.unwrap_or(SHAPE)) > 1.0 {
                    return Ok(());
                }
                let message = "a Pareto distribution has a mean only if its shape is above 1";
                Err(Error::new("shape", message).allowed(SHAPES))
            }
            (_, Some(_)) => Err(Error::new("shape", "only a Pareto distribution has a shape")
                .allowed("no `shape`, or distribution = \"pareto\"")),
            (_, None) => Ok(()),
        }
    }

    fn draw(&self, mean: Duration, rng: &mut Rng) -> Duration {
        Duration::from_secs_f64(match self.distribution {
            Distribution::Constant => return mean,
            Distribution::Exponential => rng.exponential(mean.secs()),
            Distribution::Pareto => rng.pareto(mean.secs(), self.shape.unwrap_or(SHAPE)),
        })
    }
}

/// A source of packets of one size at a given rate, continuously or in bursts.
#[derive(Clone, Debug)]
pub struct Paced {
    pub(crate) payload: u32,
    gap: Duration,
    spacing: Spacing,
    bursts: Option<Bursts>,
    /// End of the burst to which the next packet belongs; `Instant::MAX` without bursts.
    burst_ends: Instant,
    rng: Rng,
}

impl Paced {
    /// Creates a source of `packets`, in `bursts` if given; random draws come from `rng`.
    pub fn new(packets: &Packets, bursts: Option<Bursts>, rng: Rng) -> Self {
        Self {
            payload: packets.packet,
            gap: packets.rate.time_for(packets.packet.into()),
            spacing: packets.spacing,
            bursts,
            burst_ends: Instant::MAX,
            rng,
        }
    }

    /// Starts the source at `now` and returns the time of the first packet, which is `now`. A source with
    /// bursts starts with a burst.
    pub fn begin(&mut self, now: Instant) -> Instant {
        if let Some(bursts) = self.bursts {
            self.burst_ends = now.saturating_add(bursts.draw(bursts.on, &mut self.rng));
        }
        now
    }

    /// Returns the time of the packet that follows a packet at `now`.
    pub fn next(&mut self, now: Instant) -> Instant {
        let gap = match self.spacing {
            Spacing::Constant => self.gap,
            Spacing::Exponential => Duration::from_secs_f64(self.rng.exponential(self.gap.secs())),
        };
        let next = now.saturating_add(gap);
        let Some(bursts) = self.bursts else { return next };
        if next < self.burst_ends {
            return next;
        }
        let begins = self.burst_ends.saturating_add(bursts.draw(bursts.off, &mut self.rng));
        self.burst_ends = begins.saturating_add(bursts.draw(bursts.on, &mut self.rng));
        begins
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

    /// Returns a source of 1000-byte packets at 1 Mb/s.
    fn source(spacing: Spacing, bursts: Option<Bursts>) -> Paced {
        let (carriage, marks) = Default::default();
        let rate = DataRate::from_bps(1_000_000).expect("positive");
        let packets = Packets { rate, packet: 1000, carriage, spacing, marks };
        Paced::new(&packets, bursts, Rng::stream(1, "s"))
    }

    #[test]
    fn constant_rate() {
        assert_eq!(sent(&mut source(Spacing::Constant, None), Duration::from_secs(8)), 1000);
    }

    #[test]
    fn poisson_rate() {
        let n = sent(&mut source(Spacing::Exponential, None), Duration::from_secs(800)) as f64;
        assert!((n - 100_000.0).abs() < 1000.0, "{n}");
    }

    #[test]
    fn bursts() {
        let half = Duration::from_ms(500);
        let bursts = Bursts { on: half, off: half, distribution: Distribution::Constant, shape: None };
        // 62.5 datagrams fit in a burst: 63 are sent, the last one half a gap before the burst's end.
        assert_eq!(sent(&mut source(Spacing::Constant, Some(bursts)), Duration::from_secs(10)), 630);
        let bursts = Bursts { distribution: Distribution::Exponential, ..bursts };
        let n = sent(&mut source(Spacing::Constant, Some(bursts)), Duration::from_secs(2000)) as f64;
        assert!((n / 125_000.0 - 1.0).abs() < 0.1, "{n}");
    }
}
