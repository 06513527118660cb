//! Minstrel-HT, after the public descriptions of the rate control of Linux's mac80211: F. Fietkau, "minstrel_ht: new
//! rate control module for 802.11n" (2010); D. Xia, J. Hart, Q. Fu, "Evaluation of the Minstrel rate adaptation
//! algorithm in IEEE 802.11g WLANs", IEEE ICC 2013.
//!
//! After each interval, the share of packets delivered at a rate enters an exponentially weighted moving average. The
//! throughput of a rate is this average divided by the time of a packet; the overhead in that time is shared by the
//! packets of an average A-MPDU. An average above 0.9 counts as 0.9, and one below 0.1 as 0. The retry chain has the
//! rate of highest throughput, the rate of second-highest throughput, and the most reliable rate: among those with an
//! average above 0.95, the one of highest throughput. One packet in ten is a probe, whose first attempt is sent alone
//! at another rate. A rate is probed if without losses it would be faster than the best rate, if it was never tried,
//! or if it was not tried for twenty intervals. Rates are probed in an order that is shuffled for each round.
//!
//! Left out: rate groups, a shorter retry chain for packets that have already taken long, protection of probes by
//! RTS. Rates of 802.11b, g and a are treated like HT rates.

use super::rates::Rates;
use base::{Duration, Instant, Rng};
use settings::{Error, Settings};

/// Settings of Minstrel-HT.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config {
    /// Time between two updates of the statistics.
    #[setting(default = Duration::from_ms(50), range = Duration::from_ms(1)..=Duration::MAX)]
    pub interval: Duration,
    /// Weight of the old average when a new share is averaged in.
    #[setting(default = 0.75)]
    pub ewma: f64,
    /// Share of packets whose first attempt is a probe of another rate.
    #[setting(default = 0.1)]
    pub lookaround: f64,
    /// Attempts at each of the first two rates of the retry chain.
    #[setting(default = 2, range = 1..=u32::MAX)]
    pub tries: u32,
}

impl Config {
    fn check(&self) -> Result<(), Error> {
        for (key, share) in [("lookaround", self.lookaround), ("ewma", self.ewma)] {
            if !(0.0..1.0).contains(&share) {
                return Err(Error::new(key, format!("0 or more and less than 1, not {share}")));
            }
        }
        Ok(())
    }
}

/// Bounds on the average share of packets delivered: above `CEILING` it counts as `CEILING`; below `FLOOR` a rate is
/// useless; above `SAFE` it is reliable.
const CEILING: f64 = 0.9;
const FLOOR: f64 = 0.1;
const SAFE: f64 = 0.95;
/// Intervals without an attempt after which a rate is probed even if it looks slower than the best.
const STALE: u32 = 20;

/// Statistics of a rate.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    sent: u32,
    arrived: u32,
    /// Average share of packets delivered; `None` if the rate was never tried.
    share: Option<f64>,
    /// Consecutive intervals without an attempt.
    idle: u32,
}

/// State of Minstrel-HT at a station for one neighbour.
#[derive(Clone, Debug)]
pub(super) struct Minstrel {
    config: Config,
    known: Vec<Known>,
    /// Retry chain: the rates of highest and second-highest throughput, and the most reliable (`safest`).
    best: u8,
    second: u8,
    safest: u8,
    /// Time of the next update of the statistics.
    due: Instant,
    packets: u64,
    samples: u64,
    /// Rates still to be considered for probes in this round.
    round: Vec<u8>,
    /// Average number of packets in an A-MPDU.
    length: f64,
}

impl Minstrel {
    pub(super) fn new(config: Config, rates: usize) -> Self {
        Self {
            config,
            known: vec![Known::default(); rates],
            best: 0,
            second: 0,
            safest: 0,
            due: Instant::ZERO,
            packets: 0,
            samples: 0,
            round: Vec::new(),
            length: 1.0,
        }
    }

    /// Returns the rate of highest throughput.
    pub(super) const fn best(&self) -> u8 {
        self.best
    }

    /// Returns the rate for an attempt, and true if it is a probe. `attempt` counts from 0; only a single packet that
    /// was not sent before (`fresh`) can be a probe.
    pub(super) fn rate(
        &mut self,
        now: Instant,
        attempt: u32,
        fresh: bool,
        rates: &Rates,
        rng: &mut Rng,
    ) -> (u8, bool) {
        if now >= self.due {
            self.due = now + self.config.interval;
            self.update(rates);
        }
        if attempt == 0 {
            self.packets += 1;
            let wanted = self.packets as f64 * self.config.lookaround >= (self.samples + 1) as f64;
            if wanted && fresh {
                self.samples += 1;
                if let Some(rate) = self.sample(rates, rng) {
                    return (rate, true);
                }
            }
        }
        let stage = attempt / self.config.tries;
        (
            if stage == 0 {
                self.best
            } else if stage == 1 {
                self.second
            } else {
                self.safest
            },
            false,
        )
    }

    /// Counts an attempt, in which `failed` of `sent` packets were not received. `sample`: it was a probe.
    pub(super) fn report(&mut self, rate: u8, sent: u32, failed: u32, sample: bool) {
        let known = &mut self.known[usize::from(rate)];
        known.sent += sent;
        known.arrived += sent - failed;
        if !sample {
            self.length += 0.25 * (f64::from(sent) - self.length);
        }
    }

    /// Returns the throughput at a rate, packets per second, if this share is delivered.
    fn throughput(&self, rate: usize, share: f64, rates: &Rates) -> f64 {
        let [overhead, bits] = rates.times[rate].map(Duration::secs);
        if share < FLOOR { 0.0 } else { share.min(CEILING) / (overhead / self.length + bits) }
    }

    fn update(&mut self, rates: &Rates) {
        for known in &mut self.known {
            if known.sent == 0 {
                known.idle += 1;
                continue;
            }
            let share = f64::from(known.arrived) / f64::from(known.sent);
            let mean = known.share.map_or(share, |mean| mean + (1.0 - self.config.ewma) * (share - mean));
            *known = Known { share: Some(mean), ..Known::default() };
        }
        let tried = |(rate, known): (usize, &Known)| {
            known.share.map(|share| (rate as u8, share, self.throughput(rate, share, rates)))
        };
        let mut tried: Vec<_> = self.known.iter().enumerate().filter_map(tried).collect();
        // The sort is stable: of rates with equal throughput, the slower comes first.
        tried.sort_by(|a, b| b.2.total_cmp(&a.2));
        let useful = || tried.iter().filter(|(.., throughput)| *throughput > 0.0).map(|(rate, ..)| *rate);
        let best = useful().next().unwrap_or(0);
        let safe = tried.iter().find(|(_, share, throughput)| *share > SAFE && *throughput > 0.0);
        let likely = tried.iter().filter(|(.., throughput)| *throughput > 0.0);
        let likely = likely.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        let safest = safe.or(likely).map_or(0, |(rate, ..)| *rate);
        let second = useful().nth(1).unwrap_or(safest);
        (self.best, self.second, self.safest) = (best, second, safest);
    }

    /// Returns the next rate to be probed; `None` if no rate is worth a probe.
    fn sample(&mut self, rates: &Rates, rng: &mut Rng) -> Option<u8> {
        let best = usize::from(self.best);
        let beaten = self.throughput(best, self.known[best].share.unwrap_or(0.0), rates);
        for _ in 0..2 {
            while let Some(rate) = self.round.pop() {
                let known = &self.known[usize::from(rate)];
                let untried = known.share.is_none() && known.sent == 0;
                let faster = self.throughput(usize::from(rate), 1.0, rates) > beaten;
                if rate != self.best && (untried || faster || known.idle >= STALE) {
                    return Some(rate);
                }
            }
            self.round = (0..self.known.len() as u8).collect();
            for last in (1..self.round.len()).rev() {
                let other = ((u128::from(rng.bits()) * (last as u128 + 1)) >> 64) as usize;
                self.round.swap(last, other);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the eight rates from 6 to 54 Mb/s, with an overhead of 150 us per packet.
    fn rates() -> Rates {
        let bits = [6, 9, 12, 18, 24, 36, 48, 54].map(|rate| Duration::from_us(12_000 / rate));
        Rates {
            times: bits.map(|bits| [Duration::from_us(150), bits]).to_vec(),
            least: Vec::new(),
            ladder: Vec::new(),
        }
    }

    /// Sends packets one per millisecond and returns how often each rate was the first choice.
    ///
    /// Of the frames at rate k the share `shares[k]` arrives, evenly spread.
    fn used(minstrel: &mut Minstrel, shares: [f64; 8], packets: u64) -> [u64; 8] {
        let (rates, mut rng) = (rates(), Rng::stream(1, "test"));
        let (mut first, mut debt) = ([0; 8], [0.0; 8]);
        for k in 0..packets {
            let now = Instant::ZERO + Duration::from_ms(k);
            for attempt in 0..7 {
                let (rate, sample) = minstrel.rate(now, attempt, true, &rates, &mut rng);
                let i = usize::from(rate);
                first[i] += u64::from(attempt == 0);
                debt[i] += shares[i];
                let arrives = debt[i] >= 1.0;
                debt[i] -= f64::from(arrives);
                minstrel.report(rate, 1, u32::from(!arrives), sample);
                if arrives {
                    break;
                }
            }
        }
        first
    }

    #[test]
    fn the_rate_of_highest_throughput_is_used_and_one_packet_in_ten_is_a_sample() {
        let mut minstrel = Minstrel::new(Config::default(), 8);
        // Frames at 36 Mb/s arrive, frames at 48 and 54 Mb/s never do.
        let shares = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0];
        used(&mut minstrel, shares, 1000);
        let first = used(&mut minstrel, shares, 10_000);
        assert_eq!((minstrel.best, minstrel.safest), (5, 5));
        // A tenth of the frames are samples, nearly all at the two rates that might be faster.
        assert_eq!(first[5], 9000);
        assert!(first[6] + first[7] > 900, "{first:?}");
    }

    /// A rate that loses half of its frames has throughput 0.5 / (150 + 222) and is worse than a slower rate that
    /// loses at most a tenth, with 0.9 / (150 + 250). The last rate of the retry chain has the highest success
    /// probability.
    #[test]
    fn the_chain_has_the_best_the_second_and_the_safest() {
        let mut minstrel = Minstrel::new(Config::default(), 8);
        let shares = [1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.9, 0.5];
        used(&mut minstrel, shares, 30_000);
        // Throughput is 0.5 / 483 us at 36 Mb/s, 0.5 / 372 us at 54 Mb/s and 0.9 / 650 us at 24 Mb/s.
        assert_eq!((minstrel.best, minstrel.second, minstrel.safest), (6, 4, 4));
        let (rates, mut rng) = (rates(), Rng::stream(1, "chain"));
        let chain: Vec<u8> =
            (1..6).map(|n| minstrel.rate(Instant::ZERO, n, true, &rates, &mut rng).0).collect();
        assert_eq!(chain, [6, 4, 4, 4, 4]);
    }
}
