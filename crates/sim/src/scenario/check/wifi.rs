//! 802.11 networks: rates that the standard has, channels, and the values laid over those of the profile.

use super::edca;
use super::mixed;
use super::nodes::Nodes;
use super::propagation::{channel_keys, decibels, fading, lay_channel};
use super::radios::stations;
use super::reach;
use super::routing;
use crate::model::{Place, Radio, RadioKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use crate::scenario::wire::declared::Declared;
use crate::scenario::wire::declared::Legacy;
use crate::scenario::wire::routing::Routing;
use crate::scenario::wire::scalar::{Rate, Size, Time, Wire};
use crate::scenario::wire::wifi::{self as wire, Discipline, Lifetime, Wifi};
use base::{Bytes, DataRate, Duration};
use radio::Position;
use radio::access::Station;
use wifi::config::Protection;
use wifi::config::{Aggregation, Config, Queue, Reception, Site};
use wifi::profile::Profile;
use wifi::rate::RateControl;
use wifi::timing::{Dsss, GuardInterval, Mode, Preamble, Standard, Vht, Width};

/// Whether a queue, or one in it, keeps packets that could go.
fn waits_for_time(queue: &crate::model::Queue) -> bool {
    match queue {
        crate::model::Queue::TokenBucket(_) => true,
        crate::model::Queue::TxRing(ring) => waits_for_time(&ring.queue),
        crate::model::Queue::Priority(priority) => priority.bands.iter().any(waits_for_time),
        _ => false,
    }
}

/// The longest of the times of medium access.
const LONGEST: Duration = Duration::from_secs(1);

/// Network number `index` of the file.
pub fn network(
    file: &File,
    index: usize,
    nodes: &Nodes,
    places: &[Option<Place>],
) -> Result<Radio, ScenarioError> {
    let given = &file.wifi[index];
    let path = format!("wifi.{index}");
    let members = stations(&given.stations, &format!("{path}.stations"), nodes, places)?;
    let access_point = given.access_point.as_ref().map(|name| {
        let at = given.stations.iter().position(|station| station == name);
        at.map(|at| Station(at as u32)).ok_or_else(|| {
            let message = format!("the access point \"{name}\" is no station of this network");
            ScenarioError::new(format!("{path}.access_point"), message)
                .names(name, given.stations.iter().map(String::as_str))
        })
    });
    // Where stations are drawn from the run's seed, their places are filled in later.
    let sites = vec![Site::fixed(Position::default()); members.len()];
    let profile = given.profile.map_or_else(Profile::default, |profile| profile.0);
    let base = Config::new(given.standard.0, profile, sites, access_point.transpose()?);
    let reader = Reader { given, file, path: &path };
    let config = reader.config(base, profile)?;
    reach::in_reach(given, &config, &members, places, &path)?;
    let name = given.name.clone().unwrap_or_else(|| format!("wifi{index}"));
    Ok(Radio { name, stations: members, kind: RadioKind::Wifi(Box::new(config)) })
}

/// Whether no two networks are said to be on one channel.
pub fn apart(networks: &[Legacy<Wifi>]) -> Result<(), ScenarioError> {
    let channels: Vec<_> = networks.iter().map(|network| network.channel).collect();
    let twice = channels.iter().enumerate().find(|(i, c)| c.is_some() && channels[..*i].contains(c));
    let Some((second, channel)) = twice else { return Ok(()) };
    let first = channels.iter().position(|c| c == channel).unwrap_or_default();
    let channel = channel.unwrap_or_default();
    let message = format!("network {first} is on channel {channel} already");
    Err(ScenarioError::new(format!("wifi.{second}.channel"), message).allowed(
        "another channel; what shares a channel disturbs each other, and so is one network with all stations",
    ))
}

/// Reads one table.
struct Reader<'a> {
    given: &'a Wifi,
    file: &'a File,
    path: &'a str,
}

/// Lays what is given over the values of a profile.
macro_rules! lay {
    ($given:expr => $target:expr, $($key:ident),+ $(,)?) => {
        $(if let Some(value) = $given.$key { $target.$key = value; })+
    };
}

/// Likewise where the value is inside a type of the file.
macro_rules! lay_inner {
    ($given:expr => $target:expr, $($key:ident),+ $(,)?) => {
        $(if let Some(value) = $given.$key { $target.$key = value.0; })+
    };
}

impl Reader<'_> {
    fn at(&self, key: &str) -> String {
        format!("{}.{key}", self.path)
    }

    fn error(&self, key: &str, message: impl Into<String>) -> ScenarioError {
        ScenarioError::new(self.at(key), message)
    }

    fn config(&self, mut config: Config, profile: Profile) -> Result<Config, ScenarioError> {
        let given = self.given;
        let width = given.width.map_or_else(Width::default, |width| width.0);
        if let Some(channel) = given.channel {
            config.phy.propagation.frequency = self.frequency(channel, width)?;
        }
        self.propagation(&mut config)?;
        config.set_frequency(config.phy.propagation.frequency);
        self.signals(&mut config, width)?;
        config.phy.rate_control =
            given.rate_control.as_ref().map_or_else(RateControl::default, |given| given.0);
        lay!(given => config.mac, aifsn, cw_min, cw_max, nav_reset, cf_end, short_retry_limit, long_retry_limit, block_ack_request, missed_beacons);
        lay_inner!(given => config.mac, txop_protection, draw, eifs, timeout, idle_access, association);
        self.has_access_point(&config)?;
        edca::edca(given, &mut config, self.path)?;
        // What EDCA has otherwise, and what is given all the same.
        lay!(given => config.mac, defer_after_timeout);
        lay_inner!(given => config.mac, countdown);
        let times = [
            ("slot", given.slot, &mut config.mac.slot),
            ("sifs", given.sifs, &mut config.mac.sifs),
            ("propagation_allowance", given.propagation_allowance, &mut config.mac.propagation_allowance),
            ("association_timeout", given.association_timeout, &mut config.mac.association_timeout),
            ("cca_time", given.cca_time, &mut config.phy.cca_time),
            ("position_interval", given.position_interval, &mut config.phy.position_interval),
        ];
        for (key, given, target) in times {
            if let Some(Time(time)) = given {
                if time > LONGEST {
                    return Err(self.error(key, "out of range").allowed("at most \"1s\""));
                }
                *target = time;
            }
        }
        let sizes = [
            // The greatest dot11RTSThreshold.
            ("rts_threshold", given.rts_threshold, &mut config.mac.rts_threshold, 4_692_480),
            ("header", given.header, &mut config.mac.header, 65_535),
            ("beacon_size", given.beacon_size, &mut config.mac.beacon_bytes, 65_535),
        ];
        for (key, given, target, most) in sizes {
            if let Some(Size(Bytes(bytes))) = given {
                *target = u32::try_from(bytes).ok().filter(|bytes| *bytes <= most).ok_or_else(|| {
                    self.error(key, "out of range").allowed(format!("\"0B\" to \"{most}B\""))
                })?;
            }
        }
        if let Some(protection) = given.protection {
            // What has none says so.
            config.mac.protection = protection.0;
        }
        mixed::values(given, &mut config, |rate| self.mode(rate, "b_rate"))?;
        self.aggregation(&mut config)?;
        match given.beacons {
            None => {}
            Some(Lifetime::Unlimited) => config.mac.beacons = None,
            Some(Lifetime::Limited(Time(time))) => config.mac.beacons = Some(time),
        }
        // Frames of a mesh that keep it together have the highest access category.
        config.queue.routing_first |= matches!(given.routing, Some(Declared(Routing::Hwmp(_))));
        self.queue(&mut config.queue)?;
        if let Some(Declared(routing)) = &given.routing {
            if config.access_point.is_some() {
                let message = "with an access point all packets go through it";
                return Err(self.error("routing", message).allowed("no `routing`, or no `access_point`"));
            }
            config.routing = routing::routing(routing, given, self.file, profile, &self.at("routing"))?;
        }
        config.check().map_err(|e| {
            let key = match e.field {
                "phy.data" if given.mcs.is_some() => "mcs",
                "phy.data" => "rate",
                "phy.responses" => "response_rates",
                "sites" => "stations",
                "queue.packets" => "queue",
                "mac.aggregation.frames" => "aggregation.frames",
                "mac.protection" if given.control_rate.is_some() => "control_rate",
                "mac.amsdu" => "aggregation.amsdu",
                field if field.starts_with("non_erp") => mixed::key(field),
                field if field.starts_with("routing") => field,
                field if field.starts_with("mac.edca") => &field["mac.".len()..],
                field => field.rsplit('.').next().unwrap_or(field),
            };
            self.error(key, e.message)
        })?;
        Ok(config)
    }

    /// What says how stations associate has something to associate with.
    fn has_access_point(&self, config: &Config) -> Result<(), ScenarioError> {
        let given = [
            ("association", self.given.association.is_some()),
            ("missed_beacons", self.given.missed_beacons.is_some()),
            ("association_timeout", self.given.association_timeout.is_some()),
        ];
        match given.iter().find(|(_, there)| *there && config.access_point.is_none()) {
            Some((key, _)) => {
                let message = "an ad hoc network has nothing to associate with";
                Err(self.error(key, message).allowed("with `access_point`"))
            }
            None => Ok(()),
        }
    }

    fn aggregation(&self, config: &mut Config) -> Result<(), ScenarioError> {
        let Some(own) = &self.given.aggregation else { return Ok(()) };
        if !self.given.standard.0.is_qos() {
            let message = format!("802.11{} has no aggregation", self.given.standard.0.name());
            return Err(self.error("aggregation", message).allowed("with standard \"n\" or \"ac\""));
        }
        let mut limits = config.mac.aggregation.unwrap_or(Aggregation::HT);
        lay!(own => limits, frames);
        if let Some(Size(Bytes(bytes))) = own.bytes {
            limits.bytes =
                u32::try_from(bytes).ok().filter(|bytes| *bytes <= 1_048_575).ok_or_else(|| {
                    self.error("aggregation.bytes", "out of range").allowed("up to \"1048575B\"")
                })?;
        }
        if let Some(Time(time)) = own.duration {
            limits.duration = time;
        }
        if let Some(Size(Bytes(bytes))) = own.amsdu {
            config.mac.amsdu = u32::try_from(bytes).unwrap_or(u32::MAX);
        }
        config.mac.aggregation = Some(limits).filter(|limits| limits.frames != 1);
        Ok(())
    }

    fn queue(&self, queue: &mut Queue) -> Result<(), ScenarioError> {
        lay!(self.given => queue, routing_first);
        if let Some(packets) = self.given.queue {
            queue.packets = packets;
        }
        match self.given.lifetime {
            None => {}
            Some(Lifetime::Unlimited) => queue.lifetime = None,
            Some(Lifetime::Limited(Time(time))) => queue.lifetime = Some(time),
        }
        match &self.given.discipline {
            None => {}
            Some(Discipline::None) => queue.discipline = None,
            Some(Discipline::Queue(given)) => {
                let discipline = given.0.clone();
                if waits_for_time(&discipline) {
                    let message = "a token bucket releases packets by the clock: here they go when the station has room";
                    return Err(self.error("discipline", message).allowed("any other queue"));
                }
                queue.discipline = Some(discipline);
            }
        }
        Ok(())
    }

    /// Modes, and what goes with them.
    fn signals(&self, config: &mut Config, width: Width) -> Result<(), ScenarioError> {
        let given = self.given;
        let standard = given.standard.0;
        if let Some(rate) = given.rate {
            for (key, there) in [
                ("mcs", given.mcs.is_some()),
                ("streams", given.streams.is_some()),
                ("width", given.width.is_some()),
                ("guard_interval", given.guard_interval.is_some()),
            ] {
                if there {
                    let message = format!("with `rate` a frame has no `{key}`");
                    return Err(self
                        .error(key, message)
                        .allowed("`rate`, or `mcs` with `width` and `guard_interval`"));
                }
            }
            config.set_mode(self.mode(rate, "rate")?);
        } else if [given.mcs, given.streams].iter().any(Option::is_some)
            || given.width.is_some()
            || given.guard_interval.is_some()
        {
            let usual = match config.phy.data {
                Mode::Ht(mode) => mode.mcs,
                Mode::Vht(mode) => mode.mcs,
                Mode::Dsss(_) | Mode::Ofdm(_) => 0,
            };
            let guard = given.guard_interval.map_or_else(GuardInterval::default, |guard| guard.0);
            let mode = standard.mcs(given.mcs.unwrap_or(usual), width, guard);
            let mode = mode.map_err(|e| {
                let key = if given.mcs.is_some() { "mcs" } else { "width" };
                let error = self.error(key, e.message);
                match standard.rates().as_slice() {
                    rates if !standard.is_qos() => error.allowed(format!("rate = {}", names(rates))),
                    _ => error,
                }
            })?;
            config.set_mode(self.streams(mode)?);
        }
        if let Some(preamble) = given.preamble {
            let Mode::Dsss(mode) = config.phy.data else {
                return Err(self
                    .error("preamble", "only 802.11b has a choice of preambles")
                    .allowed("standard = \"b\""));
            };
            if preamble.0 == Preamble::Short && mode.rate == Dsss::RATES[0] {
                return Err(self
                    .error("preamble", "frames of 1 Mb/s have the long preamble")
                    .allowed("\"long\", or a higher rate"));
            }
            config.phy.data = Mode::Dsss(Dsss { preamble: preamble.0, ..mode });
        }
        if let Some(protection) = given.protection.filter(|_| standard == Standard::G) {
            config.set_protection(protection.0, Dsss::RATES[0]);
        }
        let profile = given.profile.map_or_else(Profile::default, |profile| profile.0);
        mixed::b_stations(given, config, profile, self.path)?;
        if let Some(rate) = given.control_rate {
            config.phy.control = self.mode(rate, "control_rate")?;
        }
        if let Some(mcs) = given.control_mcs {
            let Mode::Ht(data) = config.phy.data else {
                let message = "only with data frames in HT format";
                return Err(self.error("control_mcs", message).allowed("standard = \"n\" with `mcs`"));
            };
            let mode = standard.mcs(mcs, data.width, data.guard);
            config.phy.control = mode.map_err(|e| self.error("control_mcs", e.message))?;
        }
        if let Some(rates) = &given.response_rates {
            let modes = rates.iter().enumerate();
            config.phy.responses = modes
                .map(|(i, rate)| self.mode(*rate, &format!("response_rates.{i}")))
                .collect::<Result<_, _>>()?;
            config.phy.responses.sort_by_key(|mode| mode.bps());
        }
        lay_inner!(given => config.phy, rounding);
        // Modes of the standard are at 5 GHz until they know better.
        config.set_frequency(config.phy.propagation.frequency);
        Ok(())
    }

    /// A mode with as many spatial streams as are given.
    fn streams(&self, mode: Mode) -> Result<Mode, ScenarioError> {
        match (self.given.streams, mode) {
            (None, _) => Ok(mode),
            (Some(streams @ 1..=2), Mode::Vht(mode)) => Ok(Mode::Vht(Vht { streams, ..mode })),
            (Some(_), Mode::Vht(_)) => Err(self.error("streams", "out of range").allowed("1 or 2")),
            (Some(_), _) => {
                let message = format!(
                    "802.11{} has no choice of spatial streams with `mcs`",
                    self.given.standard.0.name()
                );
                Err(self.error("streams", message).allowed("standard = \"ac\"; in n: mcs = 8 to 15 has two"))
            }
        }
    }

    /// A mode by its rate.
    fn mode(&self, Rate(rate): Rate, key: &str) -> Result<Mode, ScenarioError> {
        let standard = if key == "b_rate" { Standard::B } else { self.given.standard.0 };
        let mut rates = standard.rates();
        let protected = self.given.protection.is_some_and(|given| given.0 != Protection::None);
        let mixed = protected || self.given.b_stations.is_some();
        if !["rate", "b_rate"].contains(&key) && mixed {
            rates.extend(Standard::B.rates());
        }
        rates.iter().copied().find(|mode| mode.bps() == rate.bps()).ok_or_else(|| {
            let shown = Rate(rate).write();
            let message =
                format!("802.11{} has no rate of {}", standard.name(), shown.as_str().unwrap_or_default());
            let faster = if standard.is_qos() { "; faster ones: mcs = 7" } else { "" };
            self.error(key, message).allowed(format!("{}{faster}", names(&rates)))
        })
    }

    /// The middle of a channel, Hz.
    fn frequency(&self, channel: u32, width: Width) -> Result<f64, ScenarioError> {
        let standard = self.given.standard.0;
        let low: Vec<u32> = match (standard, width) {
            (Standard::B, _) => (1..=14).collect(),
            (Standard::G | Standard::N, Width::Mhz20) => (1..=13).collect(),
            (Standard::N, Width::Mhz40) => (3..=11).collect(),
            _ => Vec::new(),
        };
        let high: Vec<u32> = match (standard, width) {
            (Standard::B | Standard::G, _) => Vec::new(),
            (_, Width::Mhz20) => {
                (36..=64).step_by(4).chain((100..=144).step_by(4)).chain((149..=165).step_by(4)).collect()
            }
            (_, Width::Mhz40) => {
                (38..=62).step_by(8).chain((102..=142).step_by(8)).chain([151, 159]).collect()
            }
            (_, Width::Mhz80) => vec![42, 58, 106, 122, 138, 155],
        };
        if low.contains(&channel) {
            let mega = if channel == 14 { 2484 } else { 2407 + 5 * channel };
            return Ok(f64::from(mega) * 1e6);
        }
        if high.contains(&channel) {
            return Ok(f64::from(5000 + 5 * channel) * 1e6);
        }
        let there: Vec<String> = low.iter().chain(&high).map(u32::to_string).collect();
        let message =
            format!("802.11{} has no channel {channel} of {} MHz", standard.name(), width.hz() / 1e6);
        Err(self.error("channel", message).allowed(there.join(", ")))
    }

    fn propagation(&self, config: &mut Config) -> Result<(), ScenarioError> {
        let given = self.given;
        let phy = &mut config.phy;
        if let Some(power) = given.tx_power {
            phy.power = power.0;
        }
        lay_channel(&channel_keys!(given), self.path, &mut phy.propagation)?;
        if let Some(model) = &given.fading {
            phy.propagation.fading = fading(model, &self.at("fading"))?;
        }
        phy.reception = match (&given.reception, phy.reception) {
            (Some(wire::Reception::Capture(_)), Reception::Sinr { .. }) => Reception::CAPTURE,
            (Some(wire::Reception::Sinr(_)), Reception::Capture { .. }) => Reception::SINR,
            (_, of_profile) => of_profile,
        };
        match (&given.reception, &mut phy.reception) {
            (
                Some(wire::Reception::Sinr(own)),
                Reception::Sinr { noise_figure, preamble_snr, preamble_power, energy_detection },
            ) => {
                for (key, given, target) in [
                    ("noise_figure", own.noise_figure, noise_figure),
                    ("preamble_snr", own.preamble_snr, preamble_snr),
                ] {
                    if let Some(value) = given {
                        *target = decibels(value, &self.at(&format!("reception.{key}")))?;
                    }
                }
                for (given, target) in
                    [(own.preamble_power, preamble_power), (own.energy_detection, energy_detection)]
                {
                    if let Some(power) = given {
                        *target = power.0;
                    }
                }
            }
            (Some(wire::Reception::Capture(own)), Reception::Capture { receive, sense, ratio, reserves }) => {
                if let Some(power) = own.receive {
                    *receive = power.0;
                }
                if let Some(power) = own.sense {
                    *sense = power.0;
                }
                if let Some(value) = own.ratio {
                    *ratio = decibels(value, &self.at("reception.ratio"))?;
                }
                if let Some(own) = own.reserves {
                    *reserves = own;
                }
                if sense > receive {
                    let message = "what is received is sensed: the weakest frame sensed is no stronger";
                    return Err(self.error("reception.sense", message).allowed("at most `receive`"));
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// Rates of modes, as a scenario writes them.
fn names(modes: &[Mode]) -> String {
    let each = modes.iter().filter_map(|mode| DataRate::from_bps(mode.bps()));
    each.map(|rate| Rate(rate).write().to_string()).collect::<Vec<_>>().join(", ")
}
