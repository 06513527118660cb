//! Rules of reception, by power alone or by SINR.

use crate::config::{Capture, Phy, Reception, Sinr, StreamPower};
use crate::phy::timing::{He, Mode, Vht};
use base::{Duration, Instant};
use radio::error_rate::{Coding, Constellation, ErrorRate, Scheme};
use radio::power;

/// Signal at a receiver, as interference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signal {
    pub(crate) number: u64,
    pub(crate) begins: Instant,
    pub(crate) ends: Instant,
    /// Received power, mW.
    pub(crate) power: f64,
}

/// Detection time of a preamble: during this time a later preamble can prevent the receiver from locking.
pub(crate) const DETECTION: Duration = Duration::from_us(4);

/// Lengths of frames (bits) for the limits of the SINR. Above one limit even a frame of `LONGEST` is always
/// received; below the other even a frame of `SHORTEST` is never received.
const LONGEST: f64 = 65_535.0 * 8.0;
const SHORTEST: f64 = 14.0 * 8.0;
/// Probability that counts as zero.
const NEVER: f64 = 1e-9;

/// Arguments of the probability of success: error model, SINR (linear), and bits.
type Case = (ErrorRate, f64, f64);

/// Cache of probabilities of success; frames of one neighbour often have the same power and length.
#[derive(Clone, Debug)]
pub(crate) struct SuccessCache([Option<(Case, f64)>; Self::SIZE]);

impl SuccessCache {
    const SIZE: usize = 16;

    pub(crate) const fn new() -> Self {
        Self([None; Self::SIZE])
    }

    fn recall(&mut self, case: Case) -> f64 {
        let (rate, snr, bits) = case;
        let place = (snr.to_bits() ^ bits.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60;
        let place = &mut self.0[place as usize];
        match place {
            Some((known, probability)) if *known == case => *probability,
            _ => {
                let probability = rate.success(snr, bits);
                *place = Some((case, probability));
                probability
            }
        }
    }
}

/// Error model of frames in one mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Robustness {
    errors: ErrorRate,
    /// Share of the signal's power that each spatial stream has.
    share: f64,
    /// Fraction of the frame's bits that the error model evaluates: those of one spatial stream, or all.
    counted: f64,
    /// Noise power in the bandwidth of the mode, mW.
    pub(crate) noise: f64,
    /// Data rate, bits per picosecond.
    rate: f64,
    /// Duration of the PLCP preamble and header.
    pub(crate) preamble: Duration,
    /// SINR (linear) above which every frame is received (`sure`), and below which none is (`hopeless`).
    sure: f64,
    hopeless: f64,
}

impl Robustness {
    /// Creates the error model of a mode for receivers with this noise figure, dB.
    pub(crate) fn new(mode: Mode, phy: &Phy, noise_figure: f64) -> Self {
        let errors = ErrorRate::new(phy.error_model, scheme(mode), mode.bandwidth() / mode.symbol_rate());
        let part = 1.0 / f64::from(mode.streams());
        let (share, counted) = match phy.stream_power {
            StreamPower::Split => (part, 1.0),
            StreamPower::Whole => (1.0, part),
        };
        let success = |snr: f64, bits: f64| errors.success(snr * share, bits);
        Self {
            errors,
            share,
            counted,
            noise: power::milliwatts(power::noise(mode.bandwidth(), noise_figure)),
            rate: mode.bps() as f64 / 1e12,
            preamble: mode.preamble(),
            sure: least(|snr| success(snr, LONGEST) > 1.0 - NEVER),
            hopeless: least(|snr| success(snr, SHORTEST) > NEVER),
        }
    }

    /// Returns the least power, dBm, at which at most 10 % of frames of 1500 bytes are lost on a silent channel.
    pub(crate) fn reach(&self) -> f64 {
        power::dbm(self.least_power(1500, 0.1))
    }

    /// Returns the least power, mW, at which at most `share` of frames of `bytes` bytes are lost on a silent channel.
    pub(crate) fn least_power(&self, bytes: u32, share: f64) -> f64 {
        let bits = f64::from(bytes) * 8.0;
        least(|snr| self.errors.success(snr * self.share, bits) >= 1.0 - share) * self.noise
    }

    /// Returns the time that this number of bytes takes at the data rate.
    pub(crate) fn time(&self, bytes: u32) -> Duration {
        Duration::from_ps((f64::from(bytes) * 8.0 / self.rate) as u64)
    }

    /// Returns true if a signal of this power, mW, is certainly received without interference.
    #[inline]
    pub(crate) fn is_sure(&self, power: f64) -> bool {
        power / self.noise >= self.sure
    }

    /// Returns the probability that `bits` bits are received without error at this SINR (linear).
    fn success(&self, snr: f64, bits: f64, cache: &mut SuccessCache) -> f64 {
        if snr >= self.sure {
            1.0
        } else if snr <= self.hopeless {
            0.0
        } else {
            cache.recall((self.errors, snr * self.share, bits * self.counted))
        }
    }

    /// Returns the probability that the bits of a signal between `from` and `to` are received. It is the product over
    /// the intervals in which the set of other signals does not change.
    pub(crate) fn survives(
        &self,
        signal: &Signal,
        (from, to): (Instant, Instant),
        others: &[Signal],
        cache: &mut SuccessCache,
    ) -> f64 {
        let others = || others.iter().filter(|other| other.number != signal.number);
        let meets = |other: &&Signal| other.begins < to && other.ends > from;
        if !others().any(|other| meets(&other)) {
            return self.success(signal.power / self.noise, (to.since(from)).ps() as f64 * self.rate, cache);
        }
        let mut probability = 1.0;
        let mut at = from;
        while at < to && probability > NEVER {
            let changes = others().flat_map(|other| [other.begins, other.ends]);
            let next = changes.filter(|change| *change > at).min().map_or(to, |change| change.min(to));
            let present = others().filter(|other| other.begins <= at && other.ends > at);
            let interference: f64 = present.map(|other| other.power).sum();
            let bits = (next - at).ps() as f64 * self.rate;
            probability *= self.success(signal.power / (self.noise + interference), bits, cache);
            at = next;
        }
        probability
    }
}

/// Returns the least ratio (linear) between -20 and 60 dB at which `enough` holds, found by bisection to 0.001 dB.
fn least(enough: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (-20.0, 60.0);
    while high - low > 1e-3 {
        let middle = (low + high) / 2.0;
        if enough(power::ratio(middle)) { high = middle } else { low = middle }
    }
    power::ratio(high)
}

/// Returns the modulation and coding scheme of a mode for the error model.
fn scheme(mode: Mode) -> Scheme {
    use Coding::{FiveSixths, Half, ThreeQuarters, TwoThirds};
    use Constellation::{Bpsk, Qam16, Qam64, Qam256, Qam1024, Qpsk};
    const MCS: [(Constellation, Coding); 12] = [
        (Bpsk, Half),
        (Qpsk, Half),
        (Qpsk, ThreeQuarters),
        (Qam16, Half),
        (Qam16, ThreeQuarters),
        (Qam64, TwoThirds),
        (Qam64, ThreeQuarters),
        (Qam64, FiveSixths),
        (Qam256, ThreeQuarters),
        (Qam256, FiveSixths),
        (Qam1024, ThreeQuarters),
        (Qam1024, FiveSixths),
    ];
    let ofdm = |(constellation, coding)| Scheme::Ofdm(constellation, coding);
    match mode {
        Mode::Dsss(mode) => match mode.rate {
            10 => Scheme::Dsss1,
            20 => Scheme::Dsss2,
            55 => Scheme::Cck5,
            _ => Scheme::Cck11,
        },
        Mode::Ofdm(mode) => {
            let pair = match mode.rate {
                6 => (Bpsk, Half),
                9 => (Bpsk, ThreeQuarters),
                12 => (Qpsk, Half),
                18 => (Qpsk, ThreeQuarters),
                24 => (Qam16, Half),
                36 => (Qam16, ThreeQuarters),
                48 => (Qam64, TwoThirds),
                _ => (Qam64, ThreeQuarters),
            };
            ofdm(pair)
        }
        Mode::Ht(mode) => ofdm(MCS[usize::from(mode.mcs % 8)]),
        Mode::Vht(Vht { mcs, .. }) | Mode::He(He { mcs, .. }) => ofdm(MCS[usize::from(mcs)]),
    }
}

/// Rule of reception of a network, with values in the units in which they are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    /// By power alone; powers in dBm, ratio in dB.
    Capture { receive: f64, sense: f64, ratio: f64, reserves: bool },
    /// By SINR; powers in dBm, `preamble_ratio` linear.
    Sinr {
        preamble: f64,
        preamble_ratio: f64,
        energy: f64,
        floor: f64,
        /// Power (mW) from which on another frame prevents the reception of a frame that it overlaps.
        fatal: f64,
        /// Frame capture: the lead (dB) by which a later preamble takes over the receiver, and the time after the
        /// beginning of the first frame within which the preamble must begin.
        takes: Option<(f64, Duration)>,
        /// Time after the beginning of a frame within which a later frame can take over the receiver.
        open: Duration,
    },
}

impl Rule {
    pub(crate) fn new(phy: &Phy) -> Self {
        match phy.reception {
            Reception::Capture(Capture { receive, sense, ratio, reserves }) => {
                Self::Capture { receive, sense, ratio, reserves }
            }
            Reception::Sinr(Sinr {
                noise_figure,
                preamble_snr,
                preamble_power,
                energy_detection,
                capture,
                frame_capture,
                capture_window,
            }) => {
                Self::Sinr {
                    preamble: preamble_power,
                    preamble_ratio: power::ratio(preamble_snr),
                    energy: energy_detection,
                    // A signal 13 dB below the noise changes the SINR by 0.2 dB.
                    floor: power::noise(phy.data.bandwidth(), noise_figure) - 13.0,
                    fatal: if capture { f64::INFINITY } else { power::milliwatts(preamble_power) },
                    takes: frame_capture.map(|margin| (margin, capture_window.max(DETECTION))),
                    // The window includes its last instant.
                    open: frame_capture
                        .map_or(DETECTION, |_| capture_window.max(DETECTION) + Duration::from_ps(1)),
                }
            }
        }
    }

    /// Returns true if a frame that is sent at `now` or later can still take over the receiver from one that began at
    /// `begins`.
    #[inline]
    pub(crate) fn is_open(&self, begins: Instant, now: Instant) -> bool {
        self.closes(begins) > now
    }

    /// Returns the time from which no frame that is sent can take over the receiver from one that began at `begins`.
    #[inline]
    pub(crate) fn closes(&self, begins: Instant) -> Instant {
        match self {
            Self::Capture { .. } => begins,
            Self::Sinr { open, .. } => begins + *open,
        }
    }

    /// Returns true if a later frame takes over the receiver from the frame to which it is locked (frame capture).
    /// Each frame is given by its begin and its power in dBm.
    #[inline]
    pub(crate) fn takes(&self, first: (Instant, f64), second: (Instant, f64)) -> bool {
        let Self::Sinr { takes: Some((margin, window)), .. } = *self else { return false };
        let in_window = second.0 >= first.0 + DETECTION && second.0 <= first.0 + window;
        in_window && second.1 > first.1 + margin
    }

    /// Returns the least power, dBm, with which a frame has any effect, and the least with which it is received if its
    /// SINR suffices or does not count.
    pub(crate) fn thresholds(&self) -> (f64, f64) {
        match *self {
            Self::Capture { sense, receive, .. } => (sense, receive),
            Self::Sinr { floor, .. } => (floor, f64::NEG_INFINITY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phy::timing::{Dsss, Ofdm, Preamble};

    fn at(us: u64) -> Instant {
        Instant::ZERO + Duration::from_us(us)
    }

    #[test]
    fn stretches_of_a_frame_count_by_themselves() {
        let mode = Robustness::new(Mode::Ofdm(Ofdm { rate: 54, erp: false }), &Phy::default(), 7.0);
        let power = 500.0 * mode.noise;
        let frame = Signal { number: 1, begins: at(0), ends: at(248), power };
        let whole =
            |others: &[Signal]| mode.survives(&frame, (at(20), at(248)), others, &mut SuccessCache::new());
        // Interferers before and after the data bits have no effect.
        let outside = [
            Signal { number: 2, begins: at(0), ends: at(20), power },
            Signal { number: 3, begins: at(248), ends: at(400), power },
        ];
        assert_eq!(whole(&outside), whole(&[]));
        // An interferer as strong as the frame for 100 us makes success impossible at 64-QAM.
        let during = Signal { number: 4, begins: at(100), ends: at(200), power };
        assert!(whole(&[during]) < 1e-9);
        // The success probability with a weak interferer during the whole frame is the product of the probabilities
        // with an interferer in the first and in the second half, divided by the probability without interferers.
        let weak = |number, from, to| Signal { number, begins: at(from), ends: at(to), power: power / 400.0 };
        let halves = whole(&[weak(5, 20, 134)]) * whole(&[weak(6, 134, 248)]);
        let clean = whole(&[]);
        assert!((halves / clean - whole(&[weak(7, 0, 300)])).abs() < 1e-9);
        assert!(halves / clean < clean);
    }

    #[test]
    fn slower_modes_reach_further() {
        let reach = |mode| Robustness::new(mode, &Phy::default(), 7.0).reach();
        let dsss = |rate| reach(Mode::Dsss(Dsss { rate, preamble: Preamble::Long }));
        assert!(dsss(10) < dsss(20) && dsss(55) < dsss(110));
        let ofdm = |rate| reach(Mode::Ofdm(Ofdm { rate, erp: false }));
        assert!(Ofdm::RATES.map(ofdm).is_sorted());
    }
}
