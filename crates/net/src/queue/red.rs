//! RED: random early detection (Floyd and Jacobson, IEEE/ACM ToN 1(4), 1993), gentle (Floyd 2000), and adaptive (Floyd,
//! Gummadi, Shenker, "Adaptive RED", 2001).
//!
//! The decision depends on an exponentially weighted moving average of the queue length:
//!
//! - below `min` no packet is dropped;
//! - from `min` to `max` arrivals are dropped with a probability that grows from 0 to `max_p`; the number of
//!   packets since the last drop is counted, to space drops evenly;
//! - from `max` on all arrivals are dropped. If `gentle` is set, the probability grows instead from `max_p`
//!   at `max` to 1 at twice `max`.
//!
//! Adaptive RED changes `max_p` twice a second so that the average stays midway between the thresholds. It
//! derives the thresholds and the weight from the link's rate.
//!
//! The queue length is that of the waiting packets, without the one in transmission. With `min = max`,
//! `weight = 1`, not `gentle` and without `drop_above`, this is the step marking of DCTCP (RFC 8257, section
//! 3.1). Left out: the mode that counts bytes. Validated: the drop curve against its formula, and ns-2's RED
//! with and without ECN (`sim`'s tests, `validation/aqm.py`).

use super::backlog::{Backlog, Fifo};
use super::discipline::{Decisions, PACKETS, Queued, Site, TIMES};
use super::limit::Limit;
use base::{DataRate, Duration, Instant, Packet, QueueVariable, Rng};
use settings::{Choice, Error, Settings};
use settings::{Probability, Size};
use std::ops::RangeInclusive;

/// Time between changes of `max_p` by adaptive RED.
const ADAPT_EVERY: Duration = Duration::from_ms(500);
/// Bounds of `max_p` in adaptive RED.
const MAX_P: (f64, f64) = (0.01, 0.5);
/// Bounds of a threshold, packets.
const LENGTHS: RangeInclusive<f64> = 0.0..=1e9;
/// Least value of `min` that adaptive RED chooses, packets; also the default of `min`.
const MIN: f64 = 5.0;

/// Source of the values of settings that are not given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Choice)]
pub enum Profile {
    /// as Floyd recommends
    #[default]
    Floyd,
    /// as Queue/RED of ns-2.35
    Ns2,
    /// as RedQueueDisc of ns-3.37
    Ns3,
}

/// Values of the settings that a profile decides.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Values {
    max_p: f64,
    mean_packet: u32,
    wait: bool,
    ecn: bool,
    mark_below: f64,
}

impl Profile {
    fn values(self) -> Values {
        let floyd = Values { max_p: 0.1, mean_packet: 1000, wait: false, ecn: true, mark_below: 1.0 };
        match self {
            Self::Floyd => floyd,
            // These are ns-2's values of mean_pktsize_, wait_, setbit_, and of mark_p_ where use_mark_p_ is
            // set.
            Self::Ns2 => Values { mean_packet: 500, wait: true, ecn: false, mark_below: 0.1, ..floyd },
            // These are ns-3's values of LInterm (1 / max_p), MeanPktSize, Wait and UseEcn.
            Self::Ns3 => Values { max_p: 0.02, mean_packet: 500, wait: true, ecn: false, ..floyd },
        }
    }
}

/// Settings of RED. Queue lengths are in waiting packets, without the one in transmission.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config {
    /// Capacity of the queue.
    #[setting(flatten)]
    pub limit: Limit,
    /// Source of the values of `max_p`, `mean_packet`, `wait`, `ecn` and `mark_below` that are not given.
    #[setting(default = Profile::Floyd)]
    pub profile: Profile,
    /// Average queue length above which arrivals are dropped at random, packets.
    #[setting(
        range = LENGTHS,
        absent = "5, adaptive: half of `target_delay` at the link's rate, at least 5",
        source = "Floyd 1997; 2001 section 5.1"
    )]
    pub min: Option<f64>,
    /// Average queue length at which the drop probability reaches `max_p`, packets.
    #[setting(range = LENGTHS, absent = "3 times `min`", source = "Floyd 1997; 2001 section 5.1")]
    pub max: Option<f64>,
    /// Weight of the queue length at one arrival in the moving average.
    #[setting(
        range = f64::MIN_POSITIVE..=1.0,
        allowed = "a number above 0, at most 1, like 0.002",
        value = "above 0, to 1",
        absent = "0.002, adaptive: 1 - exp(-1 / packets a second)",
        source = "Floyd and Jacobson 1993; 2001 section 5.1"
    )]
    pub weight: Option<f64>,
    /// Drop probability at an average queue length of `max`. Adaptive RED starts with this value and keeps it
    /// between 0.01 and 0.5.
    #[setting(
        form = Probability,
        absent = "0.1, in profile \"ns3\" 0.02",
        source = "Floyd 1997; 2001 section 4"
    )]
    pub max_p: Option<f64>,
    /// Between `max` and twice `max` the drop probability grows from `max_p` to 1. Otherwise it is 1 above
    /// `max`.
    #[setting(default = true, source = "Floyd 2000")]
    pub gentle: bool,
    /// Adaptive RED: change `max_p` so that the average queue length stays between `min` and `max`.
    #[setting(default = false)]
    pub adaptive: bool,
    /// Queueing delay for which adaptive RED chooses `min`.
    #[setting(default = Duration::from_ms(5), range = TIMES, source = "2001 section 5.1")]
    pub target_delay: Duration,
    /// Size of a typical packet, for the decay of the average in idle times and for adaptive RED.
    #[setting(form = Size, range = PACKETS, absent = "\"1000B\", in profiles \"ns2\" and \"ns3\" \"500B\"")]
    pub mean_packet: Option<u32>,
    /// Arrivals are not dropped or marked early while at most this number of packets wait, whatever the
    /// average.
    #[setting(default = 1, range = 0..=1_000_000, source = "Floyd's implementation in ns-2")]
    pub spare: u32,
    /// Gap between early drops, uniformly distributed: if true, 1/p to 2/p packets; if false, 1 to 1/p (p: the
    /// drop probability).
    #[setting(absent = "false, in profiles \"ns2\" and \"ns3\" true", source = "ns-2's `wait_`")]
    pub wait: Option<bool>,
    /// Mark packets of flows that use ECN instead of dropping them.
    #[setting(absent = "true, in profiles \"ns2\" and \"ns3\" false", source = "RFC 3168 section 7")]
    pub ecn: Option<bool>,
    /// ECN-capable packets are marked while the drop probability is below this value, and dropped from it on.
    /// The probability is that of the average, before the spacing of drops.
    #[setting(
        form = Probability,
        absent = "1, in profile \"ns2\" 0.1",
        source = "RFC 3168 section 7; ns-2's `mark_p_` and `use_mark_p_`"
    )]
    pub mark_below: Option<f64>,
    /// While the drop probability is 1, ECN-capable packets are dropped too instead of marked. DCTCP's step
    /// marking has drop_above = false, min = max, weight = 1, gentle = false.
    #[setting(default = true, source = "RFC 3168 section 7")]
    pub drop_above: bool,
}

impl Config {
    /// Returns the values in force of the settings that a profile decides.
    fn values(&self) -> Values {
        let preset = self.profile.values();
        Values {
            max_p: self.max_p.unwrap_or(preset.max_p),
            mean_packet: self.mean_packet.unwrap_or(preset.mean_packet),
            wait: self.wait.unwrap_or(preset.wait),
            ecn: self.ecn.unwrap_or(preset.ecn),
            mark_below: self.mark_below.unwrap_or(preset.mark_below),
        }
    }

    fn check(&self) -> Result<(), Error> {
        if let Some(mark_below) = self.mark_below.filter(|&p| p < 1.0 && !self.drop_above) {
            let message = format!(
                "with drop_above = false packets are marked at every drop probability, so `mark_below` cannot be {mark_below}"
            );
            return Err(Error::new("mark_below", message).allowed("1, or drop_above = true"));
        }
        match (self.min, self.max) {
            (None, Some(_)) => {
                let message = "`max` without `min`: what `min` is by itself depends on the rest";
                Err(Error::new("max", message).allowed("min = 5, max = 15"))
            }
            (Some(min), Some(max)) if max < min => {
                let message = format!("`max` is below `min`, which is {min}");
                Err(Error::new("max", message).allowed(format!("at least {min}")))
            }
            _ => Ok(()),
        }
    }
}

/// Thresholds and weight in use, given or derived.
#[derive(Clone, Copy, PartialEq, Debug)]
struct InForce {
    min: f64,
    max: f64,
    weight: f64,
    /// Time to transmit a packet of `mean_packet` bytes.
    packet_time: Duration,
}

impl InForce {
    fn new(config: &Config, rate: DataRate) -> Self {
        let packet_time = rate.time_for(u64::from(config.values().mean_packet));
        let packets_per_s = 1.0 / packet_time.secs();
        let (min, weight) = if config.adaptive {
            let half = config.target_delay.secs() * packets_per_s / 2.0;
            (half.max(MIN), 1.0 - libm::exp(-1.0 / packets_per_s))
        } else {
            (MIN, 0.002)
        };
        let min = config.min.unwrap_or(min);
        Self {
            min,
            max: config.max.unwrap_or(3.0 * min),
            weight: config.weight.unwrap_or(weight),
            packet_time,
        }
    }
}

/// Decision on an arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Admit,
    /// Drop or mark at random.
    Early,
    /// Drop because the drop probability is 1.
    Forced,
}

/// State of a RED queue.
#[derive(Clone, Debug)]
pub struct Red {
    config: Config,
    values: Values,
    settings: InForce,
    backlog: Backlog,
    average: f64,
    /// Packets since the last drop or mark; `None` while the average is below `min` or at most `spare`
    /// packets wait.
    count: Option<u32>,
    max_p: f64,
    next_adaptation: Instant,
    /// Time since which the transmitter has been idle.
    idle_since: Option<Instant>,
    rng: Rng,
}

impl Red {
    pub(super) fn new(config: &Config, site: &Site) -> Self {
        let values = config.values();
        Self {
            config: *config,
            values,
            settings: InForce::new(config, site.rate),
            backlog: Backlog::default(),
            average: 0.0,
            count: None,
            max_p: values.max_p,
            next_adaptation: Instant::ZERO + ADAPT_EVERY,
            idle_since: Some(Instant::ZERO),
            rng: site.rng(),
        }
    }

    /// Updates the average queue length at an arrival. For idle time the average decays as if small packets
    /// had arrived at an empty queue (1993, section 4).
    fn measure(&mut self, now: Instant) {
        let weight = self.settings.weight;
        if let Some(since) = self.idle_since.take() {
            let missed = now.since(since).ps() as f64 / self.settings.packet_time.ps() as f64;
            self.average *= libm::pow(1.0 - weight, missed);
        }
        self.average += weight * (self.backlog.packets() as f64 - self.average);
    }

    /// Changes `max_p` so that the average queue length stays midway between the thresholds (2001, section
    /// 4).
    fn adapt(&mut self, now: Instant) {
        if !self.config.adaptive || now < self.next_adaptation {
            return;
        }
        self.next_adaptation = now + ADAPT_EVERY;
        let InForce { min, max, .. } = self.settings;
        let target = (min + 0.4 * (max - min), min + 0.6 * (max - min));
        if self.average > target.1 && self.max_p <= MAX_P.1 {
            self.max_p += (self.max_p / 4.0).min(0.01);
        } else if self.average < target.0 && self.max_p >= MAX_P.0 {
            self.max_p *= 0.9;
        }
    }

    /// Returns the drop probability at an average queue length (`p_b` of 1993).
    fn probability(&self, average: f64) -> f64 {
        let InForce { min, max, .. } = self.settings;
        if average < min {
            0.0
        } else if average < max {
            self.max_p * (average - min) / (max - min)
        } else if self.config.gentle {
            (self.max_p + (1.0 - self.max_p) * (average - max) / max).min(1.0)
        } else {
            1.0
        }
    }

    fn judge(&mut self) -> Verdict {
        if self.average < self.settings.min || self.backlog.packets() <= self.config.spare as usize {
            self.count = None;
            return Verdict::Admit;
        }
        self.judge_above()
    }

    /// Decides on an arrival when the average is above `min` and more than `spare` packets wait.
    fn judge_above(&mut self) -> Verdict {
        let p = self.probability(self.average);
        if p >= 1.0 {
            self.count = Some(0);
            return Verdict::Forced;
        }
        // Makes the gaps between drops uniform instead of geometric (1993, section 7).
        let count = self.count.map_or(0, |count| count + 1);
        let passed = f64::from(count) * p;
        if self.values.wait && passed < 1.0 {
            self.count = Some(count);
            return Verdict::Admit;
        }
        let spread = if self.values.wait { 2.0 } else { 1.0 } - passed;
        let dropped = self.rng.uniform() * spread < p;
        self.count = Some(if dropped { 0 } else { count });
        if dropped { Verdict::Early } else { Verdict::Admit }
    }
}

impl Fifo for Red {
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
        self.measure(now);
        self.adapt(now);
    }

    fn admits(&mut self, packet: &mut Packet, out: &mut Decisions) -> bool {
        let markable = match self.judge() {
            Verdict::Admit => return true,
            // With drop_above = false packets are marked at every probability.
            _ if !self.config.drop_above => true,
            Verdict::Early => self.probability(self.average) < self.values.mark_below,
            Verdict::Forced => false,
        };
        out.mark(self.values.ecn && markable, packet)
    }

    fn take(&mut self, now: Instant, _: &mut Decisions) -> Option<Queued> {
        let held = self.backlog.pop();
        if held.is_none() {
            self.idle_since.get_or_insert(now);
        }
        held
    }

    fn tell(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        see(QueueVariable::Average, self.average);
        see(QueueVariable::Min, self.settings.min);
        see(QueueVariable::Max, self.settings.max);
        see(QueueVariable::MaxProbability, self.max_p);
    }

    fn rate_is(&mut self, rate: DataRate) {
        self.settings = InForce::new(&self.config, rate);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Discipline;
    use super::super::tests::{datagram, ms, site};
    use super::*;
    use base::Ecn;

    fn red(config: Config) -> Red {
        Red::new(&config, &site())
    }

    /// Returns the share of arrivals dropped while the average queue is held at `length` packets.
    fn share(config: Config, length: f64) -> f64 {
        let mut queue = red(config);
        let n = 100_000;
        let mut dropped = 0;
        for _ in 0..n {
            queue.average = length;
            dropped += u32::from(queue.judge_above() != Verdict::Admit);
        }
        f64::from(dropped) / f64::from(n)
    }

    /// Without `wait` the gaps between drops are uniform from 1 to 1/p - 1, with mean 1/(2p). So the share of
    /// drops is 2p, and 1 from p = 1/2 on.
    #[test]
    fn the_drop_curve() {
        let config = Config { min: Some(5.0), max: Some(15.0), max_p: Some(0.1), ..Config::default() };
        // The gentle curve has p = 0.1 at an average queue of 15 packets, and rises to 1 at 30.
        let curve =
            [(4.9, 0.0), (5.0, 0.0), (7.5, 0.025), (10.0, 0.05), (14.0, 0.09), (22.5, 0.55), (30.0, 1.0)];
        for (length, p) in curve {
            let p: f64 = p;
            assert!((red(config).probability(length) - p).abs() < 1e-12, "at {length}");
            let expected = (2.0 * p).min(1.0);
            let found = share(config, length);
            assert!((found - expected).abs() <= 0.02 * expected, "at {length}: {found}, not {expected}");
        }
        let steep = Config { gentle: false, ..config };
        assert_eq!((share(steep, 15.0), share(steep, 22.5)), (1.0, 1.0));
    }

    /// Returns the histogram of packets between two early drops, with an average queue halfway between the thresholds.
    fn gaps<const N: usize>(wait: bool) -> [u32; N] {
        let mut queue =
            red(Config { min: Some(5.0), max: Some(15.0), wait: Some(wait), ..Config::default() });
        let mut gaps = [0; N];
        let mut gap = 0;
        for _ in 0..200_000 {
            queue.average = 10.0;
            gap += 1;
            if queue.judge_above() == Verdict::Early {
                gaps[gap] += 1;
                gap = 0;
            }
        }
        gaps
    }

    /// Asserts that the gaps within `among` are equally frequent and that no other gap occurs.
    fn assert_uniform(gaps: &[u32], among: std::ops::Range<usize>) {
        let inside = gaps[among.clone()].iter().sum::<u32>();
        assert_eq!(gaps.iter().sum::<u32>(), inside, "{gaps:?}");
        let expected = 1.0 / among.len() as f64;
        for gap in among {
            let share = f64::from(gaps[gap]) / f64::from(inside);
            assert!((share - expected).abs() < 0.006, "gap {gap}: {share}");
        }
    }

    /// Gaps between drops are uniformly distributed between 1 and 1/p - 1 packets.
    #[test]
    fn gaps_are_uniform() {
        assert_uniform(&gaps::<21>(false), 1..20);
    }

    /// With ns-2's `wait_` gaps between drops are uniformly distributed between 1/p and 2/p packets.
    #[test]
    fn waiting_keeps_drops_apart() {
        assert_uniform(&gaps::<42>(true), 20..40);
    }

    /// A nearly empty queue drops no packet early, even while its average is still high.
    #[test]
    fn a_queue_that_is_nearly_empty_drops_nothing_early() {
        let mut queue = red(Config { min: Some(5.0), max: Some(15.0), ..Config::default() });
        let mut out = Decisions::default();
        for _ in 0..100 {
            (queue.average, queue.idle_since) = (1e3, None);
            queue.enqueue(ms(0), datagram(0, 1000), &mut out);
        }
        assert_eq!(
            (queue.packets(), out.dropped.len()),
            (2, 98),
            "every arrival beyond the second is dropped"
        );
        let mut out = Decisions::default();
        let mut bare = red(Config { spare: 0, ..queue.config });
        (bare.average, bare.idle_since) = (1e3, None);
        bare.enqueue(ms(0), datagram(0, 1000), &mut out);
        bare.enqueue(ms(0), datagram(0, 1000), &mut out);
        assert_eq!((bare.packets(), out.dropped.len()), (1, 1), "an empty queue takes one");
    }

    #[test]
    fn the_average_falls_while_idle() {
        let mut queue = red(Config { weight: Some(0.1), ..Config::default() });
        queue.average = 10.0;
        let mut out = Decisions::default();
        queue.enqueue(ms(0), datagram(0, 1000), &mut out);
        assert!(queue.dequeue(ms(0), &mut out).is_some());
        queue.sent();
        assert!(queue.dequeue(ms(1), &mut out).is_none());
        let before = queue.average;
        // Besides this arrival's own step, the average has decayed by ten idle packet times of 1 ms (1000 B at 8
        // Mb/s).
        queue.enqueue(ms(11), datagram(0, 1000), &mut out);
        let expected = before * libm::pow(0.9, 11.0);
        assert!((queue.average - expected).abs() < 1e-9, "{} is not {expected}", queue.average);
    }

    #[test]
    fn ect_packets_are_marked_but_not_where_all_are_dropped() {
        let config = Config { min: Some(1.0), max: Some(3.0), weight: Some(1.0), ..Config::default() };
        let arrivals = |config: Config| {
            let mut queue = red(config);
            let mut out = Decisions::default();
            for _ in 0..400 {
                queue.enqueue(ms(0), Packet { ecn: Ecn::Ect0, ..datagram(0, 1000) }, &mut out);
            }
            (queue.packets(), out)
        };
        let (held, out) = arrivals(config);
        assert_eq!((held, out.dropped.len()), (6, 394), "twice `max` wait, the rest are dropped");
        assert!(out.marked.iter().all(|p| p.ecn == Ecn::Ce));
        let (held, out) = arrivals(Config { drop_above: false, ..config });
        assert_eq!((held, out.dropped.len()), (400, 0));
        // The step that DCTCP needs: every arrival that finds 20 packets or more is marked.
        let step = Config { min: Some(20.0), max: Some(20.0), gentle: false, drop_above: false, ..config };
        assert_eq!(arrivals(step).1.marked.len(), 380);
    }

    /// ns-2's `mark_p_`: below a drop probability of 0.1 ECN-capable packets are marked, from it on they are dropped. The probability
    /// is 0.1 at an average of 15 packets.
    #[test]
    fn ect_packets_are_marked_up_to_a_probability() {
        let config = Config {
            min: Some(5.0),
            max: Some(15.0),
            profile: Profile::Ns2,
            ecn: Some(true),
            ..Config::default()
        };
        for (average, mark_below, marks) in
            [(14.0, None, true), (16.0, None, false), (16.0, Some(0.2), true), (16.0, Some(1.0), true)]
        {
            let mut queue = red(Config { mark_below, ..config });
            let mut out = Decisions::default();
            for _ in 0..400 {
                (queue.average, queue.idle_since) = (average, None);
                // With a weight near zero the average stays at its value.
                queue.settings.weight = f64::MIN_POSITIVE;
                queue.enqueue(ms(0), Packet { ecn: Ecn::Ect0, ..datagram(0, 1000) }, &mut out);
            }
            let found = (!out.marked.is_empty(), !out.dropped.is_empty());
            assert_eq!(found, (marks, !marks), "average {average}, mark_below {mark_below:?}");
        }
        let refused = Config { mark_below: Some(0.1), drop_above: false, ..config }.check();
        assert_eq!(refused.expect_err("contradicts drop_above").path, "mark_below");
    }

    #[test]
    fn adaptive_settings_follow_the_rate() {
        // 8 Mb/s are 1000 packets of 1000 B per second; half of the target of 5 ms is 2.5 packets.
        let slow = red(Config { adaptive: true, ..Config::default() });
        assert_eq!((slow.settings.min, slow.settings.max), (5.0, 15.0));
        assert!((slow.settings.weight - 0.000_999_5).abs() < 1e-7);
        let mut fast = slow.clone();
        fast.set_rate(DataRate::from_bps(80_000_000).expect("positive"));
        assert_eq!((fast.settings.min, fast.settings.max), (25.0, 75.0));
        // Every half second max_p grows by 0.01 above the target, up to 0.5, and shrinks by a tenth below the target.
        let mut queue = slow;
        for half in 1..=60 {
            queue.average = 14.0;
            queue.adapt(ms(500 * half));
        }
        let grown = queue.max_p;
        assert!((0.499..0.511).contains(&grown), "{grown}");
        queue.average = 6.0;
        queue.adapt(ms(40_000));
        assert_eq!(queue.max_p, 0.9 * grown);
    }
}
