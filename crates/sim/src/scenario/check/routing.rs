//! Routing of ad hoc networks: names of stations, and values laid over those of the profile.

use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use crate::scenario::wire::routing::{Aodv, Dsdv, Hwmp, Olsr, RouteTable, Routing};
use crate::scenario::wire::scalar::Time;
use crate::scenario::wire::wifi::{Lifetime, Wifi};
use base::Duration;
use radio::access::Station;
use wifi::profile::Profile;
use wifi::routing::{Config, Entry, aodv, dsdv, hwmp, olsr};

/// The longest of the times of routing.
const LONGEST: Duration = Duration::from_secs(86_400);

/// The routing of network `of` of a file; `path` is where it is written.
pub fn routing(
    given: &Routing,
    of: &Wifi,
    file: &File,
    profile: Profile,
    path: &str,
) -> Result<Config, ScenarioError> {
    Ok(match given {
        Routing::Direct(_) => Config::Direct,
        Routing::FewestHops(_) => Config::FewestHops,
        Routing::Table(given) => Config::Table(table(given, &of.stations, path)?),
        Routing::Aodv(given) => Config::Aodv(aodv(given, profile, path)?),
        Routing::Dsdv(given) => Config::Dsdv(dsdv(given, path)?),
        Routing::Olsr(given) => Config::Olsr(olsr(given, path)?),
        Routing::Hwmp(given) => Config::Hwmp(hwmp(given, of, file, path)?),
    })
}

fn table(given: &RouteTable, stations: &[String], path: &str) -> Result<Vec<Entry>, ScenarioError> {
    let entries = given.routes.iter().enumerate().map(|(i, route)| {
        let [at, to, via] = [("at", &route.at), ("to", &route.to), ("via", &route.via)]
            .map(|(key, name)| station(name, stations, || format!("{path}.routes.{i}.{key}")));
        Ok(Entry { at: at?, to: to?, via: via? })
    });
    entries.collect()
}

/// The station of a name.
fn station(name: &str, stations: &[String], path: impl Fn() -> String) -> Result<Station, ScenarioError> {
    let found = stations.iter().position(|station| station == name);
    found.map(|at| Station(at as u32)).ok_or_else(|| {
        let message = format!("\"{name}\" is no station of this network");
        ScenarioError::new(path(), message).names(name, stations.iter().map(String::as_str))
    })
}

/// Lays the times that are given over `config`.
macro_rules! lay_times {
    ($given:expr, $path:expr => $config:expr, $($key:ident),+ $(,)?) => {
        $(if let Some(given) = $given.$key {
            $config.$key = time(given, $path, stringify!($key))?;
        })+
    };
}

/// Lays other values that are given over `config`.
macro_rules! lay {
    ($given:expr => $config:expr, $($key:ident),+ $(,)?) => {
        $(if let Some(given) = $given.$key { $config.$key = given; })+
    };
}

/// Likewise, counts.
macro_rules! lay_counts {
    ($given:expr => $config:expr, $($key:ident),+ $(,)?) => {
        $(if let Some(given) = $given.$key { $config.$key = given as usize; })+
    };
}

fn time(Time(given): Time, path: &str, key: &str) -> Result<Duration, ScenarioError> {
    if given <= LONGEST {
        return Ok(given);
    }
    Err(ScenarioError::new(format!("{path}.{key}"), "out of range").allowed("at most one day"))
}

fn aodv(given: &Aodv, profile: Profile, path: &str) -> Result<aodv::Config, ScenarioError> {
    let mut config = match profile {
        Profile::Ns2 => aodv::Config::ns2(),
        Profile::Ieee | Profile::Ns3 => aodv::Config::default(),
    };
    lay_times!(given, path => config,
        active_route_timeout, my_route_timeout, delete_period, node_traversal_time, jitter);
    lay!(given => config, net_diameter, ttl_start, ttl_increment, ttl_threshold, timeout_buffer, rreq_retries,
        destination_only, gratuitous, local_add_ttl, blacklist, salvage);
    lay_counts!(given => config, rreq_ratelimit, rerr_ratelimit, buffer);
    if let Some(repair) = given.local_repair {
        config.local_repair = repair.0;
    }
    if let Some(hello) = given.hello {
        let interval = time(hello.interval, path, "hello.interval")?;
        config.hello = Some(aodv::Hello { interval, allowed_loss: hello.allowed_loss });
    }
    match given.buffer_time {
        None => {}
        Some(Lifetime::Unlimited) => config.buffer_time = None,
        Some(Lifetime::Limited(limit)) => config.buffer_time = Some(time(limit, path, "buffer_time")?),
    }
    Ok(config)
}

fn dsdv(given: &Dsdv, path: &str) -> Result<dsdv::Config, ScenarioError> {
    let mut config = dsdv::Config::default();
    lay_times!(given, path => config, update_interval, trigger_gap, settling, buffer_time);
    lay!(given => config, missed_updates, link_layer, salvage);
    lay_counts!(given => config, buffer);
    Ok(config)
}

fn olsr(given: &Olsr, path: &str) -> Result<olsr::Config, ScenarioError> {
    let mut config = olsr::Config::default();
    lay_times!(given, path => config, hello_interval, tc_interval, jitter, buffer_time);
    lay!(given => config, link_layer, salvage);
    lay_counts!(given => config, buffer);
    Ok(config)
}

fn hwmp(given: &Hwmp, of: &Wifi, file: &File, path: &str) -> Result<hwmp::Config, ScenarioError> {
    let mut config = hwmp::Config::default();
    lay_times!(given, path => config,
        active_path_timeout, active_path_to_root_timeout, net_diameter_traversal_time, preq_min_interval,
        perr_min_interval, maintenance_interval, root_interval, beacon_interval, peering_timeout, loss_memory, jitter);
    lay!(given => config, max_preq_retries, ttl, proactive_prep, missed_beacons, peering_retries, packet_failures, salvage);
    lay_counts!(given => config, buffer);
    let at = |name: &String, key: String| station(name, &of.stations, || format!("{path}.{key}"));
    config.root = given.root.as_ref().map(|name| at(name, "root".to_owned())).transpose()?;
    let gates = match &given.gates {
        Some(names) => names.iter().collect(),
        None => of.stations.iter().filter(|name| is_elsewhere(name, of, file)).collect::<Vec<_>>(),
    };
    let gates = gates.into_iter().enumerate().map(|(i, name)| at(name, format!("gates.{i}")));
    config.gates = gates.collect::<Result<_, _>>()?;
    Ok(config)
}

/// Whether a station is on a link, or in another 802.11 network than its own.
fn is_elsewhere(name: &str, of: &Wifi, file: &File) -> bool {
    let links = file.link.iter().flat_map(|link| &link.between);
    let others = file.wifi.iter().filter(|other| !std::ptr::eq(&***other, of));
    links.chain(others.flat_map(|other| &other.stations)).any(|node| node == name)
}
