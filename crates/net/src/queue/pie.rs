//! PIE: proportional integral controller, enhanced (Pan, Natarajan, Baker, White, RFC 8033).
//!
//! Arrivals are dropped with a probability that is updated every `update`. The probability changes in
//! proportion to the difference between queueing delay and target (the integral part, `alpha`), and to the
//! change of the delay since the last update (the proportional part, `beta`). The smaller the probability,
//! the smaller the steps (section 4.2). After an uncongested period, a short burst passes without drops
//! (section 4.4).
//!
//! The delay is that of the packet that left last (timestamps, section 4.3), and 0 if the queue is empty.
//!
//! The optional elements ECN (5.1), de-randomization (5.4) and the cap on steps (5.5) are implemented. Left
//! out are the estimate of the departure rate (5.2), since delays are known, and switching PIE off when idle
//! (5.3). Validated: updates by hand, one TCP flow's delay against the target (`sim`'s tests), and ns-3's PIE
//! (`validation/aqm.py`).

use super::backlog::{Backlog, Fifo};
use super::discipline::{Decisions, PACKETS, Queued, Site, TIMES};
use super::limit::Limit;
use base::{Duration, Instant, Packet, QueueVariable, Rng};
use settings::{Choice, Settings};
use settings::{Probability, Size};

/// Pairs of bound and divisor: below the bound, each step of the drop probability is divided by the divisor
/// (section 4.2).
const SCALES: [(f64, f64); 6] =
    [(1e-6, 2048.0), (1e-5, 512.0), (1e-4, 128.0), (1e-3, 32.0), (1e-2, 8.0), (0.1, 2.0)];

/// Source of the values of settings that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Profile {
    /// as in RFC 8033
    #[default]
    Rfc,
    /// as PieQueueDisc of ns-3.37
    Ns3,
}

/// Values of the settings that a profile decides.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Values {
    mean_packet: u32,
    ecn: bool,
    derandomize: bool,
}

impl Profile {
    fn values(self) -> Values {
        match self {
            Self::Rfc => Values { mean_packet: 1500, ecn: true, derandomize: true },
            // These are ns-3's values of MeanPktSize, UseEcn and UseDerandomization.
            Self::Ns3 => Values { mean_packet: 1000, ecn: false, derandomize: false },
        }
    }
}

/// Settings of PIE.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Config {
    /// Capacity of the queue.
    #[setting(flatten)]
    pub limit: Limit,
    /// Source of the values of `mean_packet`, `ecn` and `derandomize` that are not given.
    #[setting(default = Profile::Rfc)]
    pub profile: Profile,
    /// Target of the queueing delay.
    #[setting(default = Duration::from_ms(15), range = TIMES, source = "RFC 8033 section 4.2")]
    pub target: Duration,
    /// Time between updates of the drop probability.
    #[setting(
        default = Duration::from_ms(15),
        range = Duration::from_us(10)..=*TIMES.end(),
        source = "RFC 8033 section 4.2"
    )]
    pub update: Duration,
    /// Weight of the difference between queueing delay and target, per second.
    #[setting(default = 0.125, range = 0.0..=100.0, source = "RFC 8033 section 4.2")]
    pub alpha: f64,
    /// Weight of the change of the queueing delay since the last update, per second.
    #[setting(default = 1.25, range = 0.0..=100.0, source = "RFC 8033 section 4.2")]
    pub beta: f64,
    /// Length of the burst that passes without drops after an uncongested period.
    #[setting(
        default = Duration::from_ms(150),
        range = Duration::ZERO..=*TIMES.end(),
        source = "RFC 8033 section 4.4"
    )]
    pub max_burst: Duration,
    /// Size of a typical packet. If the queue holds at most twice this size, no packet is dropped at random.
    #[setting(
        form = Size,
        range = PACKETS,
        absent = "\"1500B\", in profile \"ns3\" \"1000B\"",
        source = "RFC 8033 section 4.1"
    )]
    pub mean_packet: Option<u32>,
    /// Mark packets of flows that use ECN instead of dropping them.
    #[setting(absent = "true, in profile \"ns3\" false", source = "RFC 8033 section 5.1")]
    pub ecn: Option<bool>,
    /// De-randomization: the probabilities of arrivals are added up, and no packet is dropped while the sum since the
    /// last drop is below 0.85. Otherwise each arrival is dropped with the drop probability.
    #[setting(absent = "true, in profile \"ns3\" false", source = "RFC 8033 section 5.4")]
    pub derandomize: Option<bool>,
    /// ECN-capable packets are marked while the drop probability is below this value, and dropped from it on.
    #[setting(default = 0.1, form = Probability, source = "RFC 8033 section 5.1")]
    pub mark_below: f64,
}

impl Config {
    /// Returns the values in force of the settings that a profile decides.
    fn values(&self) -> Values {
        let preset = self.profile.values();
        Values {
            mean_packet: self.mean_packet.unwrap_or(preset.mean_packet),
            ecn: self.ecn.unwrap_or(preset.ecn),
            derandomize: self.derandomize.unwrap_or(preset.derandomize),
        }
    }
}

/// State of a PIE queue.
#[derive(Clone, Debug)]
pub struct Pie {
    config: Config,
    values: Values,
    backlog: Backlog,
    /// Probability of a drop (`drop_prob_`).
    probability: f64,
    /// Sum of the drop probabilities of the arrivals since the last drop (`accu_prob_`, section 5.4).
    accumulated: f64,
    burst_allowance: Duration,
    /// Queueing delay of the packet that left last.
    delay: Duration,
    /// Queueing delay at the last update (`qdelay_old_`).
    old_delay: Duration,
    next_update: Instant,
    rng: Rng,
}

impl Pie {
    pub(super) fn new(config: &Config, site: &Site) -> Self {
        Self {
            config: *config,
            values: config.values(),
            backlog: Backlog::default(),
            probability: 0.0,
            accumulated: 0.0,
            burst_allowance: config.max_burst,
            delay: Duration::ZERO,
            old_delay: Duration::ZERO,
            next_update: Instant::ZERO + config.update,
            rng: site.rng(),
        }
    }

    /// Runs the updates that were due until `now`. Running them late gives the same result, because no packet
    /// has arrived or left in the meantime.
    fn catch_up(&mut self, now: Instant) {
        while self.next_update <= now {
            self.update();
            self.next_update += self.config.update;
            // From here on further updates change nothing, so they are skipped.
            let still = self.backlog.packets() == 0 || self.delay.is_zero();
            let rested = self.old_delay.is_zero() && self.burst_allowance == self.config.max_burst;
            if self.probability == 0.0 && still && rested {
                let rest = now.since(self.next_update).ps() / self.config.update.ps();
                self.next_update += self.config.update * rest;
            }
        }
    }

    /// Updates the probability once (section 4.2).
    fn update(&mut self) {
        let Config { target, alpha, beta, .. } = self.config;
        let delay = if self.backlog.packets() == 0 { Duration::ZERO } else { self.delay };
        let mut step = alpha * (delay.secs() - target.secs()) + beta * (delay.secs() - self.old_delay.secs());
        if let Some((_, divisor)) = SCALES.iter().find(|(below, _)| self.probability < *below) {
            step /= divisor;
        }
        // In a step the probability increases by at most 0.02 once it is 0.1 or more (section 5.5).
        if self.probability >= 0.1 {
            step = step.min(0.02);
        }
        self.probability += step;
        if delay.is_zero() && self.old_delay.is_zero() {
            self.probability *= 0.98;
        }
        self.probability = self.probability.clamp(0.0, 1.0);
        self.burst_allowance = self.burst_allowance.saturating_sub(self.config.update);
        let half = self.config.target / 2;
        // Burst allowance (section 4.4).
        if self.probability == 0.0 && delay < half && self.old_delay < half {
            self.burst_allowance = self.config.max_burst;
        }
        self.old_delay = delay;
    }

    /// Returns true if an arrival is to be dropped or marked before the queue is full.
    fn early(&mut self) -> bool {
        let few = self.backlog.bytes() <= 2 * u64::from(self.values.mean_packet);
        let calm = self.old_delay < self.config.target / 2 && self.probability < 0.2;
        if !self.burst_allowance.is_zero() || few || calm {
            return false;
        }
        if !self.values.derandomize {
            return self.rng.uniform() < self.probability;
        }
        // De-randomization (section 5.4).
        if self.probability == 0.0 {
            self.accumulated = 0.0;
        }
        self.accumulated += self.probability;
        if self.accumulated < 0.85 {
            return false;
        }
        let dropped = self.accumulated >= 8.5 || self.rng.uniform() < self.probability;
        if dropped {
            self.accumulated = 0.0;
        }
        dropped
    }
}

impl Fifo for Pie {
    fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    fn backlog_mut(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn limit(&self) -> Limit {
        self.config.limit
    }

    fn arrives(&mut self, now: Instant) {
        self.catch_up(now);
    }

    fn admits(&mut self, packet: &mut Packet, out: &mut Decisions) -> bool {
        let markable = self.values.ecn && self.probability < self.config.mark_below;
        !self.early() || out.mark(markable, packet)
    }

    fn tell(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        see(QueueVariable::Probability, self.probability);
        see(QueueVariable::Delay, self.delay.secs());
        see(QueueVariable::Target, self.config.target.secs());
    }

    fn take(&mut self, now: Instant, _: &mut Decisions) -> Option<Queued> {
        self.catch_up(now);
        let held = self.backlog.pop()?;
        self.delay = now.since(held.arrived);
        Some(held)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Discipline;
    use super::super::tests::{datagram, ms, site};
    use super::*;
    use base::Ecn;

    fn pie() -> Pie {
        Pie::new(&Config::default(), &site())
    }

    /// Updates worked by hand: at delay 115 ms after 15 ms and probability 0.2 the step is 0.125 * 0.1 + 1.25 * 0.1 = 0.1375, capped to 0.02.
    #[test]
    fn updates_by_hand() {
        let mut queue = pie();
        queue.adopt(Queued { arrived: ms(0), packet: datagram(0, 1000) });
        let mut after = |probability: f64, old_ms: u64, ms: u64| {
            queue.probability = probability;
            queue.old_delay = Duration::from_ms(old_ms);
            queue.delay = Duration::from_ms(ms);
            queue.update();
            queue.probability
        };
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} is not {b}");
        near(after(0.2, 15, 115), 0.22);
        near(after(0.2, 20, 25), 0.2 + 0.125 * 0.01 + 1.25 * 0.005);
        near(after(0.05, 20, 25), 0.05 + (0.125 * 0.01 + 1.25 * 0.005) / 2.0);
        near(after(0.0, 20, 25), (0.125 * 0.01 + 1.25 * 0.005) / 2048.0);
        near(after(0.2, 15, 5), 0.2 - 0.125 * 0.01 - 1.25 * 0.01);
        near(after(0.0, 15, 5), 0.0);
    }

    #[test]
    fn a_calm_queue_forgets() {
        let mut queue = pie();
        queue.probability = 0.5;
        queue.old_delay = Duration::from_ms(40);
        // In the first update with an empty queue, the proportional part subtracts 0.05 and the integral part
        // 0.001 875. In later updates the probability also decays by 2 %.
        queue.catch_up(ms(15));
        assert!((queue.probability - (0.5 - 0.001_875 - 0.05)).abs() < 1e-12);
        queue.catch_up(ms(100_000));
        assert_eq!((queue.probability, queue.burst_allowance), (0.0, Duration::from_ms(150)));
        assert!(queue.next_update > ms(100_000) && queue.next_update <= ms(100_015));
    }

    /// At a constant probability p, drops are at least 0.85 / p packets apart; from then on each arrival is
    /// dropped with probability p.
    #[test]
    fn drops_at_its_probability() {
        let mut queue = pie();
        for _ in 0..10 {
            queue.adopt(Queued { arrived: ms(0), packet: datagram(0, 1000) });
        }
        queue.burst_allowance = Duration::ZERO;
        queue.old_delay = Duration::from_ms(20);
        queue.probability = 0.05;
        let (mut gap, mut least, mut drops) = (0, u32::MAX, 0);
        for _ in 0..100_000 {
            gap += 1;
            if queue.early() {
                least = least.min(gap);
                drops += 1;
                gap = 0;
            }
        }
        assert_eq!(least, 17);
        // A gap is 17 packets plus a geometric number with parameter 0.05: 36 packets on average.
        let mean = 100_000.0 / f64::from(drops);
        assert!((mean - 36.0).abs() < 0.8, "{mean}");
    }

    /// Without de-randomization each arrival is dropped with the probability: gaps are geometric, 20 packets on average at 0.05.
    #[test]
    fn drops_are_independent_without_derandomization() {
        let mut queue = Pie::new(&Config { profile: Profile::Ns3, ..Config::default() }, &site());
        for _ in 0..10 {
            queue.adopt(Queued { arrived: ms(0), packet: datagram(0, 1000) });
        }
        (queue.burst_allowance, queue.old_delay) = (Duration::ZERO, Duration::from_ms(20));
        queue.probability = 0.05;
        let drops: Vec<bool> = (0..100_000).map(|_| queue.early()).collect();
        let count = drops.iter().filter(|dropped| **dropped).count() as f64;
        assert!((count / 5000.0 - 1.0).abs() < 0.05, "{count}");
        let pairs = drops.windows(2).filter(|pair| pair[0] && pair[1]).count() as f64;
        assert!((pairs / 250.0 - 1.0).abs() < 0.25, "{pairs} drops follow one another");
    }

    #[test]
    fn marks_below_a_tenth_only() {
        for (probability, marked) in [(0.09, true), (0.11, false)] {
            let mut queue = pie();
            for _ in 0..10 {
                queue.adopt(Queued { arrived: ms(0), packet: datagram(0, 1000) });
            }
            (queue.burst_allowance, queue.old_delay) = (Duration::ZERO, Duration::from_ms(20));
            queue.probability = probability;
            let mut out = Decisions::default();
            for _ in 0..200 {
                queue.enqueue(ms(0), Packet { ecn: Ecn::Ect0, ..datagram(0, 1000) }, &mut out);
            }
            assert_eq!((!out.marked.is_empty(), out.dropped.is_empty()), (marked, marked));
        }
    }
}
