//! Checks of a network's configuration.

use super::aggregation::Aggregation;
use super::network::Config;
use super::protection::Protection;
use crate::rate::link_modes::LinkModes;

use crate::phy::timing::{Mode, Standard, Width};
use radio::access::Station;
use settings::Error;
use settings::table::holds;
use std::mem::discriminant;

fn fail(key: &str, message: impl Into<String>) -> Result<(), Error> {
    Err(Error::new(key, message))
}

impl Config {
    /// Checks the values of a network against their bounds and against one another.
    ///
    /// # Errors
    /// At the first value that is refused; the error names its key in scenario files and the allowed values.
    pub fn check(&self) -> Result<(), Error> {
        if self.sites.len() < 2 {
            let message = format!("a network has at least 2 stations, not {}", self.sites.len());
            return fail("stations", message);
        }
        self.check_access_points()?;
        holds(&self.phy.rate_control).map_err(|e| e.under("rate_control"))?;
        holds(&self.phy)?;
        holds(&self.mac)?;
        holds(&self.queue)?;
        self.phy.propagation.check()?;
        self.check_mode()?;
        self.check_non_erp()?;
        self.check_station_rates()?;
        self.check_protection()?;
        if self.phy.responses.is_empty() {
            return fail("response_rates", "at least one mode");
        }
        self.mac.access.check()?;
        self.check_aggregation()?;
        self.mac.bss.check(self.access_points().count())?;
        if self.mac.bss.beacons.0.is_some() && self.routing.is_mesh() {
            return fail("beacons", "a mesh has beacons of its own: `routing.beacon_interval`");
        }
        self.queue.check()?;
        self.routing.check(self.sites.len()).map_err(|e| e.under("routing"))
    }

    /// Checks that each access point is a station and is named once, and that at least one station is not an access
    /// point.
    fn check_access_points(&self) -> Result<(), Error> {
        let mut seen = Vec::new();
        for ap in self.access_points() {
            if ap.index() >= self.sites.len() {
                return fail("access_point", format!("there is no station {}", ap.0));
            }
            if seen.contains(&ap) {
                return fail("access_point", format!("station {} is an access point already", ap.0));
            }
            seen.push(ap);
        }
        if seen.len() == self.sites.len() {
            return fail("access_point", "at least one station is none: it is what access points are for");
        }
        Ok(())
    }

    /// Checks that the standard has the mode of data frames.
    fn check_mode(&self) -> Result<(), Error> {
        let data = self.phy.data;
        let ours = match data {
            Mode::Dsss(_) => self.standard == Standard::B,
            Mode::Ofdm(mode) => match self.standard {
                Standard::B => false,
                Standard::N | Standard::Ax => true,
                _ => mode.erp == (self.standard == Standard::G),
            },
            Mode::Ht(_) => matches!(self.standard, Standard::N | Standard::Ac),
            Mode::Vht(_) => self.standard == Standard::Ac,
            Mode::He(mode) => self.standard == Standard::Ax && mode.exists(),
        };
        if let Mode::He(mode) = data
            && mode.erp
            && mode.width > Width::Mhz40
        {
            let message =
                format!("at 2.4 GHz channels are 20 and 40 MHz wide, not {}", mode.width.hz() / 1e6);
            return Err(
                Error::new("width", message).allowed("\"20MHz\" or \"40MHz\", or a frequency above 4 GHz")
            );
        }
        let message = || format!("802.11{} has no such mode: {data:?}", self.standard.name());
        if ours { Ok(()) } else { fail(if self.standard.is_qos() { "mcs" } else { "rate" }, message()) }
    }

    fn check_aggregation(&self) -> Result<(), Error> {
        let (mac, standard) = (&self.mac, self.standard);
        if mac.aggregation.is_on() && !standard.is_qos() {
            return fail("aggregation", format!("802.11{} has no aggregation", standard.name()));
        }
        let (frames, bytes) = (mac.aggregation.frames, mac.aggregation.bytes);
        if frames > Aggregation::FRAMES && standard != Standard::Ax {
            let message =
                format!("802.11{} acknowledges up to 64 frames together, not {frames}", standard.name());
            return Err(
                Error::new("aggregation.frames", message).allowed("1 to 64, with standard \"ax\" to 256")
            );
        }
        if bytes > Aggregation::VHT_BYTES && standard != Standard::Ax {
            let message =
                format!("aggregates of 802.11{} have up to 1048575 bytes, not {bytes}", standard.name());
            return Err(Error::new("aggregation.bytes", message)
                .allowed("\"0B\" to \"1048575B\", with standard \"ax\" to \"6500631B\""));
        }
        let amsdu = mac.aggregation.amsdu;
        if amsdu > 0 && !standard.is_qos() {
            let message = format!("0 to 7935 bytes, with 802.11n, ac and ax only: not {amsdu}");
            return fail("aggregation.amsdu", message);
        }
        if amsdu > 0 && mac.exchange.header < 8 {
            return fail("header", "at least 8 bytes with A-MSDU, those of LLC and SNAP");
        }
        Ok(())
    }

    fn check_protection(&self) -> Result<(), Error> {
        let protected = self.mac.exchange.protection != Protection::None;
        if protected && self.standard != Standard::G {
            let message =
                format!("802.11{} has no protection against b stations: 802.11g has", self.standard.name());
            return fail("protection", message);
        }
        if (protected || self.non_erp.is_some()) && !self.phy.control.is_dsss() {
            let message =
                "stations of 802.11b do not hear frames in OFDM: `control_rate` is a rate of theirs";
            return fail("control_rate", message);
        }
        Ok(())
    }

    /// Checks that the own rate of each station has the format (DSSS, OFDM, HT, VHT or HE) of the other stations'
    /// frames, and that there are few enough different rates to number them.
    fn check_station_rates(&self) -> Result<(), Error> {
        let mut seen = Vec::new();
        for own in &self.station_rates {
            let at = own.station;
            if at.index() >= self.sites.len() {
                return fail("station_rates", format!("there is no station {}", at.0));
            }
            if seen.contains(&at) {
                return fail("station_rates", format!("station {} has a rate of its own already", at.0));
            }
            seen.push(at);
            let usual = self.usual_data_between(at, at);
            if discriminant(&own.data) != discriminant(&usual) || own.data.bandwidth() > usual.bandwidth() {
                let message =
                    format!("station {} cannot have {:?} where others have {usual:?}", at.0, own.data);
                return fail("station_rates", message);
            }
        }
        let modes = LinkModes::new(self).count(&self.phy.rate_control);
        if modes > LinkModes::MOST {
            let message =
                format!("{modes} modes in all, with those of rate control: more than {}", LinkModes::MOST);
            return fail("station_rates", message);
        }
        Ok(())
    }

    fn check_non_erp(&self) -> Result<(), Error> {
        let Some(non_erp) = &self.non_erp else { return Ok(()) };
        if self.standard != Standard::G {
            let message = format!(
                "802.11{} has no stations of 802.11b among its own: 802.11g has",
                self.standard.name()
            );
            return fail("b_stations", message);
        }
        let of = |station: &Station| format!("station {}", station.0);
        let all = self.sites.len();
        if let Some(station) = non_erp.stations.iter().find(|station| station.index() >= all) {
            return fail("b_stations", format!("there is no {}", of(station)));
        }
        if let Some(station) = non_erp.stations.iter().find(|station| self.is_access_point(**station)) {
            let message = format!(
                "{} is the access point: a network whose access point is of 802.11b is one of 802.11b",
                of(station)
            );
            return fail("b_stations", message);
        }
        let own = (0..all as u32).filter(|at| non_erp.stations.contains(&Station(*at))).count();
        if own == 0 || own == all {
            let message = format!("at least one station and not all of them, not {own} of {all}");
            return fail("b_stations", message);
        }
        if !non_erp.data.is_dsss() {
            return fail("b_rate", format!("802.11b has no such mode: {:?}", non_erp.data));
        }
        if !self.phy.responses.iter().any(|mode| mode.is_dsss()) {
            let message = "stations of 802.11b do not hear frames in OFDM: one is a rate of theirs";
            return fail("response_rates", message);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Profile;
    use crate::config::{Discipline, Reception, Sinr, Site};
    use base::Duration;
    use radio::Position;
    use routing::{aodv, olsr};
    use settings::{Node, Setting};

    #[test]
    fn what_no_document_could_say_no_configuration_is() {
        type Spoil = fn(&mut Config);
        let spoils: [(&str, Spoil); 11] = [
            ("tx_power", |c| c.phy.power = f64::NAN),
            ("light_speed", |c| c.phy.propagation.light_speed = 150.0),
            ("shadowing", |c| c.phy.propagation.shadowing = -1.0),
            ("reception.noise_figure", |c| {
                c.phy.reception = Reception::Sinr(Sinr { noise_figure: 1e3, ..Sinr::default() });
            }),
            ("slot", |c| c.mac.access.slot = Duration::ZERO),
            ("cw_max", |c| c.mac.access.cw_max = 32_768),
            ("cw_min", |c| c.mac.access.cw_min = 2000),
            ("short_retry_limit", |c| c.mac.exchange.short_retry_limit = 0),
            ("discipline", |c| {
                let bucket = Node::from_toml("kind = \"token-bucket\"\nrate = \"1Mbps\"\nburst = \"3kB\"");
                let bucket = bucket.and_then(|node| net::queue::Config::read(&node)).expect("a queue");
                c.queue.discipline = Discipline::Queue(bucket);
            }),
            ("routing.net_diameter", |c| {
                c.routing =
                    routing::Config::Aodv(aodv::Config { net_diameter: 0, ..aodv::Config::default() });
            }),
            ("routing.hello_interval", |c| {
                let hello_interval = Duration::ZERO;
                c.routing = routing::Config::Olsr(olsr::Config { hello_interval, ..olsr::Config::default() });
            }),
        ];
        for standard in Standard::ALL {
            for profile in Profile::ALL {
                let site = |x: f64| Site::fixed(Position::new(x, 0.0, 0.0));
                let right = Config::new(standard, profile, vec![site(0.0), site(10.0)], None);
                assert_eq!(right.check(), Ok(()), "{standard:?} {profile:?}");
                for (key, spoil) in spoils {
                    let mut wrong = right.clone();
                    spoil(&mut wrong);
                    assert_eq!(wrong.check().expect_err(key).path, key);
                }
            }
        }
    }
}
