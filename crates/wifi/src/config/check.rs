//! Which values make a network.

use super::mac::Association;
use super::network::Config;
use super::protection::Protection;
use crate::error::{ConfigError, need, need_time};
use crate::rate::RateControl;
use crate::routing::settings as routing;
use crate::timing::{Mode, Standard};
use base::Duration;
use radio::access::Station;
use settings::Setting;

/// An error about `field`.
const fn fail(field: &'static str, message: String) -> Result<(), ConfigError> {
    Err(ConfigError { field, message })
}

impl Config {
    /// Whether the values make a network.
    ///
    /// # Errors
    /// At the first field that does not, with what is allowed.
    pub fn check(&self) -> Result<(), ConfigError> {
        if self.sites.len() < 2 {
            return fail("sites", format!("a network has at least 2 stations, not {}", self.sites.len()));
        }
        if let Some(ap) = self.access_point.filter(|ap| ap.index() >= self.sites.len()) {
            return fail("access_point", format!("there is no station {}", ap.0));
        }
        // What a document could not say, a configuration cannot hold either.
        if let Err(error) = RateControl::read(&self.phy.rate_control.write()) {
            return fail("phy.rate_control", format!("{}: {}", error.path, error.message));
        }
        self.check_mode()?;
        self.check_non_erp()?;
        self.check_protection()?;
        need("phy.responses", !self.phy.responses.is_empty(), "at least one mode")?;
        self.check_access()?;
        self.check_aggregation()?;
        if self.mac.beacons.is_some_and(Duration::is_zero) {
            return fail("mac.beacons", "longer than zero".to_owned());
        }
        if self.mac.beacons.is_some() && matches!(self.routing, routing::Config::Hwmp(_)) {
            let message = "a mesh has beacons of its own: `routing.beacon_interval`".to_owned();
            return fail("mac.beacons", message);
        }
        self.check_association()?;
        need("queue.packets", self.queue.packets > 0, "at least 1")?;
        self.routing.check(self.sites.len())
    }

    /// Whether the standard has the mode of data frames.
    fn check_mode(&self) -> Result<(), ConfigError> {
        let data = self.phy.data;
        let ours = match data {
            Mode::Dsss(_) => self.standard == Standard::B,
            Mode::Ofdm(mode) => match self.standard {
                Standard::B => false,
                Standard::N => true,
                _ => mode.erp == (self.standard == Standard::G),
            },
            Mode::Ht(_) => matches!(self.standard, Standard::N | Standard::Ac),
            Mode::Vht(_) => self.standard == Standard::Ac,
        };
        let message = || format!("802.11{} has no such mode: {data:?}", self.standard.name());
        if ours { Ok(()) } else { fail("phy.data", message()) }
    }

    fn check_access(&self) -> Result<(), ConfigError> {
        let mac = &self.mac;
        need("mac.slot", !mac.slot.is_zero() && !mac.sifs.is_zero(), "slot and SIFS are longer than zero")?;
        need("mac.aifsn", mac.aifsn > 0, "at least 1")?;
        if mac.cw_min == 0 || mac.cw_min > mac.cw_max || mac.cw_max > 32_767 {
            let message = format!("1 <= cw_min <= cw_max <= 32767, not {} and {}", mac.cw_min, mac.cw_max);
            return fail("mac.cw_min", message);
        }
        mac.edca.map_or(Ok(()), |edca| edca.check())?;
        let limits = mac.short_retry_limit > 0 && mac.long_retry_limit > 0;
        need("mac.short_retry_limit", limits, "both limits are at least 1")
    }

    fn check_aggregation(&self) -> Result<(), ConfigError> {
        let mac = &self.mac;
        if let Some(aggregation) = mac.aggregation {
            if !self.standard.is_qos() {
                let message = format!("802.11{} has no aggregation", self.standard.name());
                return fail("mac.aggregation", message);
            }
            if !(1..=64).contains(&aggregation.frames) {
                let message = format!("1 to 64 frames, not {}", aggregation.frames);
                return fail("mac.aggregation.frames", message);
            }
        }
        if mac.amsdu > 7935 || (mac.amsdu > 0 && !self.standard.is_qos()) {
            let message = format!("0 to 7935 bytes, with 802.11n and ac only: not {}", mac.amsdu);
            return fail("mac.amsdu", message);
        }
        let longer = mac.amsdu == 0 || mac.header >= 8;
        need("mac.header", longer, "at least 8 bytes with A-MSDU, those of LLC and SNAP")
    }

    fn check_protection(&self) -> Result<(), ConfigError> {
        let protected = self.mac.protection != Protection::None;
        let fail = |message| fail("mac.protection", message);
        if protected && self.standard != Standard::G {
            return fail(format!(
                "802.11{} has no protection against b stations: 802.11g has",
                self.standard.name()
            ));
        }
        if (protected || self.non_erp.is_some()) && !self.phy.control.is_dsss() {
            return fail(
                "stations of 802.11b do not hear frames in OFDM: `control` is a rate of theirs".to_owned(),
            );
        }
        Ok(())
    }

    fn check_non_erp(&self) -> Result<(), ConfigError> {
        let Some(non_erp) = &self.non_erp else { return Ok(()) };
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

    fn check_association(&self) -> Result<(), ConfigError> {
        let mac = &self.mac;
        need("mac.missed_beacons", mac.missed_beacons > 0, "at least 1")?;
        need_time("mac.association_timeout", mac.association_timeout)?;
        let exchange = self.access_point.is_some() && mac.association == Association::Exchange;
        let message = "stations find an access point by its beacons: without them \"in-reach\"";
        need("mac.association", !exchange || mac.beacons.is_some(), message)
    }
}
