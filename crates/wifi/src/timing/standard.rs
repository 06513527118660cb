//! The amendments of IEEE 802.11, and the modes that each has.

use super::dsss::{Dsss, Preamble};
use super::ht::{GuardInterval, Ht, Width};
use super::mode::Mode;
use super::ofdm::Ofdm;
use super::vht::Vht;
use crate::error::ConfigError;

/// A standard: the amendment of IEEE 802.11 that a network works by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Standard {
    /// 802.11b: DSSS and CCK at 2.4 GHz, 1 to 11 Mb/s.
    B,
    /// 802.11g: OFDM at 2.4 GHz (ERP-OFDM), 6 to 54 Mb/s; [`crate::config::NonErp`] has stations of 802.11b beside them.
    G,
    /// 802.11a: OFDM at 5 GHz, 6 to 54 Mb/s.
    A,
    /// 802.11n: high throughput at 2.4 or 5 GHz, MCS 0 to 15.
    N,
    /// 802.11ac: very high throughput at 5 GHz, MCS 0 to 9, 80 MHz too.
    Ac,
}

impl Standard {
    /// Every standard.
    pub const ALL: [Self; 5] = [Self::B, Self::G, Self::A, Self::N, Self::Ac];

    /// The name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::B => "b",
            Self::G => "g",
            Self::A => "a",
            Self::N => "n",
            Self::Ac => "ac",
        }
    }

    /// Whether data frames carry a QoS header and access follows EDCA's rules.
    pub const fn is_qos(self) -> bool {
        matches!(self, Self::N | Self::Ac)
    }
}

impl Standard {
    /// A mode of an 802.11b, g or a network by its data rate, bit/s.
    ///
    /// # Errors
    /// With the rates that there are, when the standard lacks this one.
    pub fn mode(self, bps: u64) -> Result<Mode, ConfigError> {
        let modes = self.rates();
        modes.iter().copied().find(|mode| mode.bps() == bps).ok_or_else(|| {
            let names: Vec<_> = modes.iter().map(|mode| format!("{}", mode.bps() as f64 / 1e6)).collect();
            let hint = if self.is_qos() { "; faster ones by `mcs`" } else { "" };
            ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11{} has no rate of {} Mb/s: it has {}{hint}",
                    self.name(),
                    bps as f64 / 1e6,
                    names.join(", ")
                ),
            }
        })
    }

    /// The modes of the standard below HT, slowest first; the legacy rates of 802.11n at 5 GHz and ac.
    pub fn rates(self) -> Vec<Mode> {
        match self {
            Self::B => Dsss::RATES.map(|rate| Mode::Dsss(Dsss { rate, preamble: Preamble::Long })).to_vec(),
            _ => Ofdm::RATES.map(|rate| Mode::Ofdm(Ofdm { rate, erp: self == Self::G })).to_vec(),
        }
    }

    /// A mode of HT or VHT by its MCS index; in 802.11ac with one stream.
    ///
    /// # Errors
    /// When the standard has no such MCS, or not with this width.
    pub fn mcs(self, mcs: u8, width: Width, guard: GuardInterval) -> Result<Mode, ConfigError> {
        let vht = Vht { mcs, streams: 1, width, guard };
        match self {
            Self::N if mcs <= 15 && width != Width::Mhz80 => {
                Ok(Mode::Ht(Ht { mcs, width, guard, erp: false }))
            }
            Self::Ac if vht.exists() => Ok(Mode::Vht(vht)),
            Self::N => Err(ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11n has MCS 0 to 15 at 20 and 40 MHz, not {mcs} at {} MHz",
                    width.hz() / 1e6
                ),
            }),
            Self::Ac => Err(ConfigError {
                field: "phy.data",
                message: format!(
                    "802.11ac has MCS 0 to 9, 9 not at 20 MHz: not {mcs} at {} MHz",
                    width.hz() / 1e6
                ),
            }),
            _ => Err(ConfigError {
                field: "phy.data",
                message: format!("802.11{} has rates, no MCS: give `rate`", self.name()),
            }),
        }
    }
}
