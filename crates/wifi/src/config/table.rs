//! A network in a scenario file; its values override those of the standard and the profile.

use super::bss::Roaming;
use super::mac::Mac;
use super::modulation::{ModeContext, Modulation};
use super::network::Config;
use super::phy::Phy;
use super::protection::Protection;
use super::site::Site;
use crate::config::Profile;
use crate::mac::edca::Edca;
use crate::phy::timing::{Dsss, Standard};
use radio::access::Station;
use settings::{Error, Overlay, Settings};

/// A network as given, without its stations, its routing and its queue. The keys have the order of scenario files.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Table {
    /// Modes of frames.
    #[setting(flatten)]
    pub modulation: Modulation,
    /// Physical layer.
    #[setting(flatten)]
    pub phy: Overlay<Phy>,
    /// MAC.
    #[setting(flatten)]
    pub mac: Overlay<Mac>,
}

/// Keys that have no effect in the network at hand, with the reason.
struct Idle {
    here: bool,
    keys: &'static [&'static str],
    message: String,
    allowed: &'static str,
}

fn idle(config: &Config) -> [Idle; 6] {
    [
        Idle {
            here: config.non_erp.is_none(),
            keys: &["b_rate", "b_cw_min", "b_energy_detection"],
            message: "it is of `b_stations`, and there are none".to_owned(),
            allowed: "with b_stations = [\"...\"]",
        },
        Idle {
            here: config.access_point.is_none(),
            keys: &["association", "missed_beacons", "association_timeout"],
            message: "an ad hoc network has nothing to associate with".to_owned(),
            allowed: "with `access_point`",
        },
        Idle {
            here: config.other_access_points.is_empty(),
            keys: &["roaming", "roaming_margin", "roaming_beacons", "scan_time"],
            message: "there are not several access points to go to".to_owned(),
            allowed: "with access_point = [\"...\", \"...\"]",
        },
        Idle {
            here: config.mac.bss.roaming == Roaming::Lost,
            keys: &["roaming_margin", "roaming_beacons"],
            message: "a station goes when it has lost its access point, not before".to_owned(),
            allowed: "with roaming = \"stronger\"",
        },
        Idle {
            here: config.mac.access.edca.is_some(),
            keys: &["aifsn"],
            message: "with `edca` each access category has its own".to_owned(),
            allowed: "edca = { voice = { aifsn = 2 } }, or no `edca`",
        },
        Idle {
            here: !config.standard.is_qos(),
            keys: &["aggregation"],
            message: format!("802.11{} has no aggregation", config.standard.name()),
            allowed: "with standard \"n\", \"ac\" or \"ax\"",
        },
    ]
}

impl Table {
    /// Returns the table that gives all values of this network.
    pub fn of(config: &Config) -> Self {
        let modulation = Modulation::of(config);
        let (mut phy, mut mac) = (Overlay::of(&config.phy), Overlay::of(&config.mac));
        for idle in idle(config).iter().filter(|idle| idle.here) {
            (phy, mac) = (phy.without(idle.keys), mac.without(idle.keys));
        }
        if config.non_erp.is_none() && config.mac.exchange.protection == Protection::None {
            mac = mac.without(&["protection"]);
        }
        if !config.mac.aggregation.is_on() {
            mac = mac.without(&["aggregation.bytes", "aggregation.duration"]);
        }
        Self { modulation, phy, mac }
    }

    fn gives(&self, key: &str) -> bool {
        self.phy.gives(key) || self.mac.gives(key) || (key == "b_rate" && self.modulation.b_rate.is_some())
    }

    /// Returns the configuration of a network of `standard`. Given values override those of `profile`. Some of the
    /// stations may be access points, and some may be of 802.11b.
    ///
    /// # Errors
    /// If a value is refused, or has no effect in this network. [`Config::check`] checks settings against one
    /// another.
    pub fn over(
        &self,
        standard: Standard,
        profile: Profile,
        sites: Vec<Site>,
        access_points: &[Station],
        b_stations: Option<Vec<Station>>,
    ) -> Result<Config, Error> {
        let mut config = Config::new(standard, profile, sites, access_points.first().copied());
        config.set_other_access_points(access_points.iter().skip(1).copied().collect(), profile);
        if let Some(channel) = self.modulation.channel {
            let width = self.modulation.width.unwrap_or_default();
            config.phy.propagation.frequency = standard.frequency(channel, width)?;
        }
        config.phy = self.phy.over(&config.phy)?;
        config.set_frequency(config.phy.propagation.frequency);
        self.modulation.set_data(&mut config)?;
        let given = self.mac.over(&config.mac)?;
        let protection = self.mac.gives("protection").then_some(given.exchange.protection);
        let around = ModeContext::new(protection, b_stations.is_some());
        if let Some(protection) = protection.filter(|_| standard == Standard::G) {
            config.set_protection(protection, Dsss::RATES[0]);
        }
        if b_stations.is_some() && standard != Standard::G {
            let message = format!("802.11{} has no stations of 802.11b among its own", standard.name());
            return Err(Error::new("b_stations", message).allowed("with standard = \"g\""));
        }
        if let Some(stations) = b_stations {
            config.set_non_erp(stations, profile);
        }
        self.modulation.set_control(&mut config, &around)?;
        // Without a given frequency, the frequency of `config` is at 5 GHz.
        config.set_frequency(config.phy.propagation.frequency);
        if self.mac.gives("edca") {
            let edca = Edca::standard(standard, given.access.cw_min, given.access.cw_max);
            config.set_edca(if profile == Profile::Ns3 { edca.with_single_frames() } else { edca });
        }
        // First the values that follow from others are set; given values then override them.
        config.phy = self.phy.over(&config.phy)?;
        config.mac = self.mac.over(&config.mac)?;
        for Idle { keys, message, allowed, .. } in idle(&config).into_iter().filter(|idle| idle.here) {
            if let Some(key) = keys.iter().find(|key| self.gives(key)) {
                return Err(Error::new(*key, message).allowed(allowed));
            }
        }
        Ok(config)
    }
}
