//! Stations with their own rate: the rate of data frames from and to such a station.
//!
//! Between two stations with their own rates the lower rate is used, since the weaker end of a link limits it. With
//! rate control, this rate is the highest that is tried on the link. RTS, broadcast and management frames have the
//! same rates at all stations, and responses follow the frame that they answer. In ns-3 each device has its own
//! rate manager, so the rate of a link is that of the sender alone.

use super::modulation::{mode, names, vht};
use super::network::Config;
use crate::phy::timing::{Dsss, He, Mode, Ofdm, Standard};
use base::DataRate;
use radio::access::Station;
use settings::{Error, Settings};

/// A station's own rate, as a scenario file gives it.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct OwnRate {
    /// Rate of the stations: one of the standard or, for `b_stations`, one of 802.11b.
    #[setting(absent = "none: `mcs`")]
    pub rate: Option<DataRate>,
    /// MCS of the stations with 802.11n, ac and ax, instead of `rate`, with the channel width and guard interval of
    /// the other stations.
    #[setting(absent = "none: `rate`")]
    pub mcs: Option<u8>,
    /// Spatial streams of the stations with `mcs` of 802.11ac and 802.11ax.
    #[setting(absent = "that of the other stations", range = 1..=He::STREAMS)]
    pub streams: Option<u8>,
}

impl OwnRate {
    /// Returns the settings with which a scenario file describes the mode `data`: the rate, or the MCS and, for
    /// 802.11ac and 802.11ax, the number of spatial streams.
    pub fn of(data: Mode) -> Self {
        match data {
            Mode::Dsss(_) | Mode::Ofdm(_) => Self { rate: DataRate::from_bps(data.bps()), ..Self::default() },
            Mode::Ht(mode) => Self { mcs: Some(mode.mcs), ..Self::default() },
            Mode::Vht(mode) => Self { mcs: Some(mode.mcs), streams: Some(mode.streams), ..Self::default() },
            Mode::He(mode) => Self { mcs: Some(mode.mcs), streams: Some(mode.streams), ..Self::default() },
        }
    }

    /// Returns the mode of data frames from and to `station`.
    ///
    /// # Errors
    /// If the network has no such mode.
    pub fn mode(&self, config: &Config, station: Station) -> Result<Mode, Error> {
        match (self.rate, self.mcs) {
            (Some(_), Some(_)) => Err(Error::new("mcs", "with `rate` a frame has no `mcs`")),
            (None, None) => Err(Error::new("rate", "a station's own rate is missing")
                .allowed("`rate`, in n, ac and ax with `mcs` for the others `mcs`")),
            (Some(rate), None) => self.by_rate(config, station, rate),
            (None, Some(mcs)) => self.by_mcs(config, mcs),
        }
    }

    fn by_rate(&self, config: &Config, station: Station, rate: DataRate) -> Result<Mode, Error> {
        if self.streams.is_some() {
            return Err(Error::new("streams", "with `rate` a frame has no `streams`"));
        }
        let standard = if config.is_non_erp(station) { Standard::B } else { config.standard };
        let found = mode(rate, standard, &standard.rates()).map_err(|e| e.under("rate"))?;
        match (found, config.phy.data) {
            (Mode::Ofdm(own), Mode::Ofdm(others)) => Ok(Mode::Ofdm(Ofdm { erp: others.erp, ..own })),
            (Mode::Dsss(own), Mode::Dsss(others)) => {
                Ok(Mode::Dsss(Dsss { preamble: others.preamble, ..own }))
            }
            (Mode::Dsss(_), _) => Ok(found),
            _ => Err(Error::new("rate", "the others send in HT, VHT or HE format").allowed("`mcs`")),
        }
    }

    fn by_mcs(&self, config: &Config, mcs: u8) -> Result<Mode, Error> {
        let usual = |width, guard| config.standard.mcs(mcs, width, guard);
        match config.phy.data {
            Mode::Ht(_) if self.streams.is_some() => {
                let message = "802.11n has no choice of spatial streams with `mcs`";
                Err(Error::new("streams", message).allowed("mcs = 8 to 15, which has two"))
            }
            Mode::Ht(others) => match usual(others.width, others.guard)? {
                Mode::Ht(own) => Ok(Mode::Ht(crate::phy::timing::Ht { erp: others.erp, ..own })),
                other => Ok(other),
            },
            Mode::Vht(others) => match usual(others.width, others.guard)? {
                Mode::Vht(own) => vht(own, self.streams.unwrap_or(others.streams)),
                other => Ok(other),
            },
            Mode::He(others) => {
                usual(others.width, others.guard)?;
                Ok(Mode::He(He { mcs, streams: self.streams.unwrap_or(others.streams), ..others }))
            }
            Mode::Dsss(_) | Mode::Ofdm(_) => {
                let message = "the others send at a rate without MCS";
                Err(Error::new("mcs", message).allowed(format!("rate = {}", names(&config.standard.rates()))))
            }
        }
    }
}

impl Config {
    /// Returns the mode of data frames between two stations; with rate control the mode with the highest rate.
    pub fn data_between(&self, a: Station, b: Station) -> Mode {
        let usual = self.usual_data_between(a, b);
        let own = self.station_rates.iter().filter(|own| own.station == a || own.station == b);
        let fit = own.map(|own| own.data).filter(|data| data.is_dsss() == usual.is_dsss());
        fit.min_by_key(|data| data.bps()).unwrap_or(usual)
    }

    /// Returns the mode of data frames between two stations as if neither had its own rate.
    pub(super) fn usual_data_between(&self, a: Station, b: Station) -> Mode {
        let non_erp = self.non_erp.as_ref().filter(|_| self.is_non_erp(a) || self.is_non_erp(b));
        non_erp.map_or(self.phy.data, |non_erp| non_erp.data)
    }
}
