//! Stations of 802.11b in a network of 802.11g: NonERP stations, which neither send nor understand OFDM (clause 19 calls those that do
//! ERP stations).
//!
//! What goes to such a station or comes from it is in DSSS or CCK, and so is what answers it (9.7.6.5.2: in the modulation class of what
//! it answers); broadcast frames, beacons and RTS are in DSSS for all. A frame in OFDM is mere energy to a NonERP station: it keeps the
//! medium busy from a threshold on (17.4.8.5, CCA mode 1), but there is no PHY-RXSTART, so it sets no NAV, calls for no EIFS and does
//! not show that the exchange which an RTS announced has begun; whatever its strength it disturbs what else is received. ERP stations
//! receive DSSS as they do OFDM. Slots are long for all (19.4.5), which gives CCA 15 us, and where there is no EDCA each kind has its
//! own CWmin: 31 for a NonERP station, 15 for an ERP station (9.3.3, aCWmin(0) and aCWmin(1)). EDCA's parameters are those that are
//! announced, and so common to all.
//!
//! Left out: CCA modes 4 and 5, which do not sense OFDM at all (a threshold above all signals comes to the same), short preambles, ERP-PBCC
//! and DSSS-OFDM.
//!
//! Validated (`tests/mixed.rs`): timelines by hand; 1 to 5 saturated stations of each kind with and without protection within 0.9 % of
//! ns-3.37, one of each within 0.5 % of a model of the medium's slots.

use crate::config::{Config, ConfigError, Reception};
use crate::ear::{Ear, Hearing};
use crate::frames::{Frames, Rate};
use crate::profile::Profile;
use crate::protection::Protection;
use crate::reception::{Rule, Signal};
use crate::timing::{Dsss, Mode, Preamble, Standard};
use base::Duration;
use radio::access::Station;

/// The stations of 802.11b in a network of 802.11g.
#[derive(Clone, PartialEq, Debug)]
pub struct NonErp {
    /// Which they are.
    pub stations: Vec<Station>,
    /// Mode of data frames that they send or receive; with rate control the fastest of them.
    pub data: Mode,
    /// Their least contention window without EDCA, slots: aCWmin of 802.11b.
    pub cw_min: u32,
    /// Weakest signal in OFDM that makes the medium busy for them, dBm: the ED threshold.
    pub energy_detection: f64,
}

impl Config {
    /// These stations are of 802.11b and send at 11 Mb/s. The others protect their frames by CTS to self, as long as nothing else is
    /// set.
    ///
    /// 17.4.8.5 has an ED threshold of -70 dBm or less for powers up to 50 mW; profile `ns3` has -62, what ns-3 has for signals that are
    /// not understood, and in `ns2` whatever is sensed is sensed by all.
    pub fn set_non_erp(&mut self, stations: Vec<Station>, profile: Profile) {
        self.set_protection(Protection::CtsToSelf, Dsss::RATES[0]);
        let data = Mode::Dsss(Dsss { rate: 110, preamble: Preamble::Long });
        let energy_detection = match self.phy.reception {
            Reception::Capture { sense, .. } if profile == Profile::Ns2 => sense,
            _ if profile == Profile::Ns3 => -62.0,
            _ => -70.0,
        };
        self.non_erp = Some(NonErp { stations, data, cw_min: 31, energy_detection });
    }

    pub(crate) fn check_non_erp(&self) -> Result<(), ConfigError> {
        let Some(non_erp) = &self.non_erp else { return Ok(()) };
        let fail = |field, message: String| Err(ConfigError { field, message });
        if self.standard != Standard::G {
            let message = format!(
                "802.11{} has no stations of 802.11b among its own: 802.11g has",
                self.standard.name()
            );
            return fail("non_erp.stations", message);
        }
        let of = |station: &Station| format!("station {}", station.0);
        let all = self.sites.len();
        if let Some(station) = non_erp.stations.iter().find(|station| station.index() >= all) {
            return fail("non_erp.stations", format!("there is no {}", of(station)));
        }
        if let Some(station) = non_erp.stations.iter().find(|station| self.access_point == Some(**station)) {
            let message = format!(
                "{} is the access point: a network whose access point is of 802.11b is one of 802.11b",
                of(station)
            );
            return fail("non_erp.stations", message);
        }
        let own = (0..all as u32).filter(|at| non_erp.stations.contains(&Station(*at))).count();
        if own == 0 || own == all {
            let message = format!("at least one station and not all of them, not {own} of {all}");
            return fail("non_erp.stations", message);
        }
        if !non_erp.data.is_dsss() {
            return fail("non_erp.data", format!("802.11b has no such mode: {:?}", non_erp.data));
        }
        if !self.phy.responses.iter().any(|mode| mode.is_dsss()) {
            let message =
                "stations of 802.11b do not hear frames in OFDM: one is a rate of theirs".to_owned();
            return fail("phy.responses", message);
        }
        if non_erp.cw_min == 0 || non_erp.cw_min > self.mac.cw_max {
            let (least, most) = (non_erp.cw_min, self.mac.cw_max);
            return fail("non_erp.cw_min", format!("1 <= cw_min <= cw_max, not {least} and {most}"));
        }
        Ok(())
    }

    /// Whether a station is of 802.11b among those of 802.11g.
    pub fn is_non_erp(&self, station: Station) -> bool {
        self.non_erp.as_ref().is_some_and(|non_erp| non_erp.stations.contains(&station))
    }

    /// From which power on, dBm, a station senses frames that it does not understand; `None`: it understands all.
    pub(crate) fn deaf(&self, station: Station) -> Option<f64> {
        self.non_erp.as_ref().filter(|_| self.is_non_erp(station)).map(|non_erp| non_erp.energy_detection)
    }
}

impl Frames {
    /// Whether what one of two stations sends the other is in DSSS.
    #[inline]
    pub(crate) fn is_slow(&self, a: u32, b: u32) -> bool {
        !self.non_erp.is_empty() && [a, b].iter().any(|at| self.non_erp.get(*at as usize) == Some(&true))
    }

    /// Which of the two sets of rates two stations have between them.
    #[inline]
    pub(crate) fn set(&self, a: u32, b: u32) -> usize {
        usize::from(self.is_slow(a, b))
    }

    /// The rates of each set, slowest first.
    pub(crate) fn sets(&self) -> [&[Rate]; 2] {
        let (most, slow) = self.rates.split_at(usize::from(self.slow));
        [most, slow]
    }

    /// The number of the slowest rate between two stations.
    #[inline]
    pub(crate) fn slowest(&self, a: u32, b: u32) -> u8 {
        if self.is_slow(a, b) { self.slow } else { 0 }
    }
}

impl Ear {
    /// A frame arrives that the station does not understand: energy, and a disturbance of what it receives. Whether it is sensed, from
    /// `least` dBm on.
    pub(crate) fn disturb(&mut self, signal: Signal, power: f64, least: f64, hearing: &Hearing) -> bool {
        self.keep(signal);
        if let Rule::Capture { ratio, .. } = hearing.rule {
            self.drown(&signal, power + ratio);
        } else {
            self.contest(&signal, hearing);
        }
        let sensed = power >= least;
        if sensed {
            self.sense(signal.ends);
        }
        sensed
    }
}

/// CCA of 19.8.4 where slots are long.
pub(crate) const LONG_SLOT_CCA: Duration = Duration::from_us(15);
