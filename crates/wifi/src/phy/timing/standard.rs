//! The amendments of IEEE 802.11, and the modes that each has.

use super::dsss::{Dsss, Preamble};
use super::he::{He, Training};
use super::ht::{GuardInterval, Ht, Width};
use super::mode::Mode;
use super::ofdm::Ofdm;
use super::vht::Vht;
use settings::{Choice, Error};

/// Standard: the amendment of IEEE 802.11 that a network uses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Choice)]
pub enum Standard {
    /// 802.11b: DSSS and CCK at 2.4 GHz, 1 to 11 Mb/s
    B,
    /// 802.11g: OFDM at 2.4 GHz, 6 to 54 Mb/s; some stations may be of 802.11b (`b_stations`)
    G,
    /// 802.11a: OFDM at 5 GHz, 6 to 54 Mb/s
    A,
    /// 802.11n: MCS 0 to 15 at 20 and 40 MHz
    N,
    /// 802.11ac: MCS 0 to 9 at 20, 40 and 80 MHz
    Ac,
    /// 802.11ax without OFDMA: MCS 0 to 11 at 20, 40, 80 and 160 MHz, one to four streams
    Ax,
}

impl Standard {
    /// All standards.
    pub const ALL: [Self; 6] = [Self::B, Self::G, Self::A, Self::N, Self::Ac, Self::Ax];

    /// Returns the name in scenario files.
    pub fn name(self) -> &'static str {
        self.word()
    }

    /// Returns true if data frames have a QoS Control field and stations contend by EDCA's rules.
    pub const fn is_qos(self) -> bool {
        matches!(self, Self::N | Self::Ac | Self::Ax)
    }
}

impl Standard {
    /// Returns the non-HT mode with a data rate of `bps` bit/s.
    ///
    /// # Errors
    /// If the standard lacks this rate; the error lists the rates that exist.
    pub fn mode(self, bps: u64) -> Result<Mode, Error> {
        let modes = self.rates();
        modes.iter().copied().find(|mode| mode.bps() == bps).ok_or_else(|| {
            let names: Vec<_> = modes.iter().map(|mode| format!("{}", mode.bps() as f64 / 1e6)).collect();
            let hint = if self.is_qos() { "; faster ones by `mcs`" } else { "" };
            Error::new(
                "rate",
                format!(
                    "802.11{} has no rate of {} Mb/s: it has {}{hint}",
                    self.name(),
                    bps as f64 / 1e6,
                    names.join(", ")
                ),
            )
        })
    }

    /// Returns the non-HT modes of the standard, slowest first; 802.11n, ac and ax have those of 802.11a.
    pub fn rates(self) -> Vec<Mode> {
        match self {
            Self::B => Dsss::RATES.map(|rate| Mode::Dsss(Dsss { rate, preamble: Preamble::Long })).to_vec(),
            _ => Ofdm::RATES.map(|rate| Mode::Ofdm(Ofdm { rate, erp: self == Self::G })).to_vec(),
        }
    }

    /// Returns the HT, VHT or HE mode with this MCS. In 802.11ac and ax it has one spatial stream, in ax the usual
    /// HE-LTF.
    ///
    /// # Errors
    /// If the standard has no such MCS, or not with this width or guard interval.
    pub fn mcs(self, mcs: u8, width: Width, guard: GuardInterval) -> Result<Mode, Error> {
        let vht = Vht { mcs, streams: 1, width, guard };
        if self.is_qos() && guard.is_he() != (self == Self::Ax) {
            let message = format!("802.11{} has no guard interval {:?}", self.name(), guard.word());
            let allowed =
                if self == Self::Ax { "\"0.8us\", \"1.6us\" or \"3.2us\"" } else { "\"long\" or \"short\"" };
            return Err(Error::new("guard_interval", message).allowed(allowed));
        }
        match self {
            Self::N if mcs <= 15 && width <= Width::Mhz40 => {
                Ok(Mode::Ht(Ht { mcs, width, guard, erp: false }))
            }
            Self::Ac if vht.exists() => Ok(Mode::Vht(vht)),
            Self::Ax if mcs <= He::MCS => {
                let training = Training::usual(guard);
                Ok(Mode::He(He { mcs, streams: 1, width, guard, training, erp: false }))
            }
            Self::N => Err(Error::new(
                "mcs",
                format!("802.11n has MCS 0 to 15 at 20 and 40 MHz, not {mcs} at {} MHz", width.hz() / 1e6),
            )),
            Self::Ac => Err(Error::new(
                "mcs",
                format!(
                    "802.11ac has MCS 0 to 9, 9 not at 20 MHz, at up to 80 MHz: not {mcs} at {} MHz",
                    width.hz() / 1e6
                ),
            )),
            Self::Ax => Err(Error::new("mcs", format!("802.11ax has MCS 0 to {}, not {mcs}", He::MCS))),
            _ => Err(Error::new("mcs", format!("802.11{} has rates, no MCS: give `rate`", self.name()))),
        }
    }

    /// Returns the centre frequency of a channel, Hz.
    ///
    /// # Errors
    /// If the standard lacks this channel; the error lists the channels that exist.
    pub fn frequency(self, channel: u32, width: Width) -> Result<f64, Error> {
        let low: Vec<u32> = match (self, width) {
            (Self::B, _) => (1..=14).collect(),
            (Self::G | Self::N | Self::Ax, Width::Mhz20) => (1..=13).collect(),
            (Self::N | Self::Ax, Width::Mhz40) => (3..=11).collect(),
            _ => Vec::new(),
        };
        let high: Vec<u32> = match (self, width) {
            (Self::B | Self::G, _) => Vec::new(),
            (_, Width::Mhz20) => {
                (36..=64).step_by(4).chain((100..=144).step_by(4)).chain((149..=165).step_by(4)).collect()
            }
            (_, Width::Mhz40) => {
                (38..=62).step_by(8).chain((102..=142).step_by(8)).chain([151, 159]).collect()
            }
            (_, Width::Mhz80) => vec![42, 58, 106, 122, 138, 155],
            (_, Width::Mhz160) => vec![50, 114],
        };
        if low.contains(&channel) {
            let mega = if channel == 14 { 2484 } else { 2407 + 5 * channel };
            return Ok(f64::from(mega) * 1e6);
        }
        if high.contains(&channel) {
            return Ok(f64::from(5000 + 5 * channel) * 1e6);
        }
        let there: Vec<String> = low.iter().chain(&high).map(u32::to_string).collect();
        let message = format!("802.11{} has no channel {channel} of {} MHz", self.name(), width.hz() / 1e6);
        Err(Error::new("channel", message).allowed(there.join(", ")))
    }
}
