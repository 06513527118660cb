//! Configuration of a network: plain values, which [`Config::check`] checks.

use super::access::Countdown;
use super::bss::{Association, Roaming};
use super::mac::Mac;
use super::non_erp::NonErp;
use super::phy::{Capture, Phy, Reception};
use super::protection::Protection;
use super::queue::Queue;
use super::site::Site;
use super::station_rate::StationRate;
use crate::config::Profile;
use crate::mac::edca::Edca;

use crate::phy::timing::{Dsss, Ht, Mode, Preamble, Standard};
use base::Duration;
use radio::access::Station;

/// A network of stations on one channel.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Standard that the stations follow.
    pub standard: Standard,
    /// Positions and mobility of the stations, by station number.
    pub sites: Vec<Site>,
    /// Stations of 802.11b in a network of 802.11g, set by [`Config::set_non_erp`]; `None` if there are none.
    pub non_erp: Option<NonErp>,
    /// Stations whose data frames have a rate of their own; each station at most once.
    pub station_rates: Vec<StationRate>,
    /// Access point, through which all other stations send; `None`: ad hoc network.
    pub access_point: Option<Station>,
    /// Further access points, set by [`Config::set_other_access_points`]. A distribution system without delay
    /// connects all access points, and stations roam between them.
    pub other_access_points: Vec<Station>,
    /// Physical layer: transmission, propagation and reception.
    pub phy: Phy,
    /// MAC.
    pub mac: Mac,
    /// Queue of each station.
    pub queue: Queue,
    /// Routing to stations that are out of reach. In infrastructure mode all packets go through the access point.
    pub routing: routing::Config,
}

/// aCCATime with long slots (19.8.4).
const LONG_SLOT_CCA: Duration = Duration::from_us(15);

impl Config {
    /// Sets the mode of data frames. If control frames and the new mode are in HT format, control frames change to
    /// MCS 0 with the new channel width and guard interval.
    pub fn set_mode(&mut self, mode: Mode) {
        self.phy.data = mode;
        if let (Mode::Ht(_), Mode::Ht(data)) = (self.phy.control, mode) {
            self.phy.control = Mode::Ht(Ht { mcs: 0, ..data });
        }
    }

    /// Sets the carrier frequency, Hz. Below 4 GHz, 802.11n and ax use the 2.4 GHz band: SIFS is 10 us, and a signal
    /// extension follows each frame.
    pub fn set_frequency(&mut self, hz: f64) {
        self.phy.propagation.frequency = hz;
        if !matches!(self.standard, Standard::N | Standard::Ax) {
            return;
        }
        let low = hz < 4e9;
        self.mac.access.sifs = Duration::from_us(if low { 10 } else { 16 });
        // An IBSS at 2.4 GHz has long slots (8.4.1.4).
        self.mac.access.slot = Duration::from_us(if low && self.access_point.is_none() { 20 } else { 9 });
        let phy = &mut self.phy;
        for mode in phy.responses.iter_mut().chain([&mut phy.data, &mut phy.control]) {
            match mode {
                Mode::Ofdm(ofdm) => ofdm.erp = low,
                Mode::Ht(ht) => ht.erp = low,
                Mode::He(he) => he.erp = low,
                Mode::Dsss(_) | Mode::Vht(_) => {}
            }
        }
    }

    /// Makes the stations contend by EDCA with these parameters. Data frames then have a QoS Control field of two
    /// bytes, and AIFS begins anew after a timeout (9.19.2.3).
    pub fn set_edca(&mut self, edca: Edca) {
        if self.mac.access.edca.is_none() && !self.standard.is_qos() {
            self.mac.exchange.header += 2;
        }
        self.mac.exchange.defer_after_timeout = true;
        self.mac.access.countdown = Countdown::Begun;
        self.mac.access.edca = Some(edca);
    }

    /// Sets the protection of OFDM frames from stations of 802.11b. The protecting frames are sent at `rate`, a
    /// rate of 802.11b in units of 100 kb/s.
    pub fn set_protection(&mut self, protection: Protection, rate: u32) {
        self.mac.exchange.protection = protection;
        if protection == Protection::None {
            return;
        }
        let preamble = Preamble::Long;
        self.phy.control = Mode::Dsss(Dsss { rate, preamble });
        // A BSS has the basic rates of IEEE Std 802.11-1997, 1 and 2 Mb/s, as an 802.11b network has. Without an
        // access point, all mandatory rates may be used.
        let basic = if self.access_point.is_some() { 2 } else { Dsss::RATES.len() };
        let dsss = Dsss::RATES[..basic].iter().map(|rate| Mode::Dsss(Dsss { rate: *rate, preamble }));
        self.phy.responses.retain(|mode| !mode.is_dsss());
        self.phy.responses.extend(dsss);
        self.phy.responses.sort_by_key(|mode| mode.bps());
        self.mac.access.slot = Duration::from_us(20);
        self.phy.cca_time = LONG_SLOT_CCA;
    }

    /// Makes these stations 802.11b, with data frames at 11 Mb/s. Stations of 802.11g then protect their frames by
    /// CTS-to-self, unless another protection is set.
    ///
    /// 17.4.8.5 requires an ED threshold of at most -70 dBm for transmit powers up to 50 mW. Profile `ns3` has -62
    /// dBm, ns-3's threshold for signals that a station cannot demodulate. In profile `ns2` all stations have the
    /// same threshold.
    pub fn set_non_erp(&mut self, stations: Vec<Station>, profile: Profile) {
        self.set_protection(Protection::CtsToSelf, Dsss::RATES[0]);
        let data = Mode::Dsss(Dsss { rate: 110, preamble: Preamble::Long });
        let energy_detection = match self.phy.reception {
            Reception::Capture(Capture { sense, .. }) if profile == Profile::Ns2 => sense,
            _ if profile == Profile::Ns3 => -62.0,
            _ => -70.0,
        };
        self.phy.b_energy_detection = Some(energy_detection);
        // aCWmin of 802.11b.
        self.mac.access.b_cw_min = Some(31);
        self.non_erp = Some(NonErp { stations, data });
    }

    /// Makes these stations access points, besides the first one. Stations then associate by frames. In profile `ns3`
    /// a station scans only after it has lost its access point, as StaWifiMac does.
    pub fn set_other_access_points(&mut self, others: Vec<Station>, profile: Profile) {
        if !others.is_empty() {
            self.mac.bss.association = Association::Exchange;
            if profile == Profile::Ns3 {
                self.mac.bss.roaming = Roaming::Lost;
            }
        }
        self.other_access_points = others;
    }

    /// Returns all access points, beginning with `access_point`.
    pub fn access_points(&self) -> impl Iterator<Item = Station> {
        self.access_point.into_iter().chain(self.other_access_points.iter().copied())
    }

    /// Returns true if a station is an access point.
    pub fn is_access_point(&self, station: Station) -> bool {
        self.access_points().any(|ap| ap == station)
    }

    /// Returns true if a station is one of 802.11b in a network of 802.11g.
    pub fn is_non_erp(&self, station: Station) -> bool {
        self.non_erp.as_ref().is_some_and(|non_erp| non_erp.stations.contains(&station))
    }

    /// Returns the ED threshold (dBm) of a station for frames that it cannot demodulate; `None` if it demodulates all
    /// frames.
    pub(crate) fn energy_detection(&self, station: Station) -> Option<f64> {
        self.phy.b_energy_detection.filter(|_| self.is_non_erp(station))
    }

    /// Returns the least contention window (slots) of a station without EDCA.
    pub(crate) fn cw_min(&self, station: Station) -> u32 {
        let access = &self.mac.access;
        access.b_cw_min.filter(|_| self.is_non_erp(station)).unwrap_or(access.cw_min)
    }
}
