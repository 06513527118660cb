//! Routing of ad hoc networks: names of stations, and values laid over those of the profile.

use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use crate::scenario::wire::routing::{Hwmp, RouteTable, Routing};
use crate::scenario::wire::wifi::Wifi;
use radio::access::Station;
use routing::{Config, Entry, aodv, dsdv, hwmp};
use wifi::Profile;

/// Checks and returns the routing of network `of` of a file; `path` is its place.
pub(super) fn routing(
    given: &Routing,
    of: &Wifi,
    file: &File,
    profile: Profile,
    path: &str,
) -> Result<Config, ScenarioError> {
    Ok(match given {
        Routing::Direct => Config::Direct,
        Routing::FewestHops => Config::FewestHops,
        Routing::Table(given) => Config::Table(table(given, &of.stations, path)?),
        Routing::Aodv(given) => {
            let base = match profile {
                Profile::Ns2 => aodv::Config::ns2(),
                Profile::Ieee | Profile::Ns3 => aodv::Config::default(),
            };
            Config::Aodv(given.over(&base).map_err(|e| e.under(path))?)
        }
        Routing::Dsdv(given) => {
            let base = match profile {
                Profile::Ns2 => dsdv::Config::ns2(),
                Profile::Ieee | Profile::Ns3 => dsdv::Config::default(),
            };
            Config::Dsdv(given.over(&base).map_err(|e| e.under(path))?)
        }
        Routing::Olsr(given) => Config::Olsr(given.clone()),
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

/// Returns the station called `name`.
pub(super) fn station(
    name: &str,
    stations: &[String],
    path: impl Fn() -> String,
) -> Result<Station, ScenarioError> {
    let found = stations.iter().position(|station| station == name);
    found.map(|at| Station(at as u32)).ok_or_else(|| {
        let message = format!("\"{name}\" is no station of this network");
        ScenarioError::new(path(), message).names(name, stations.iter().map(String::as_str))
    })
}

fn hwmp(given: &Hwmp, of: &Wifi, file: &File, path: &str) -> Result<hwmp::Config, ScenarioError> {
    let mut config = given.protocol.clone();
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

/// Returns true if a station is on a link, or in another 802.11 network than its own.
fn is_elsewhere(name: &str, of: &Wifi, file: &File) -> bool {
    let links = file.link.iter().flat_map(|link| &link.between);
    let others = file.wifi.iter().filter(|other| !std::ptr::eq(*other, of));
    links.chain(others.flat_map(|other| &other.stations)).any(|node| node == name)
}
