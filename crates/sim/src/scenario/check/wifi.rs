//! Checks of `[[wifi]]`: names of stations are resolved, and given settings override those of the profile.

use super::nodes::Nodes;
use super::reach;
use super::routing::{self as names, station};
use super::stations::stations;
use crate::model::{Place, Radio, RadioKind};
use crate::scenario::ScenarioError;
use crate::scenario::wire::wifi::Wifi;
use crate::scenario::wire::{File, Flow};
use ::wifi::config::{Config, Site, StationRate};
use ::wifi::edca::AccessCategory;
use radio::Position;
use radio::access::Station;

/// Checks 802.11 network number `index` of the file, and returns it.
pub(super) fn network(
    file: &File,
    index: usize,
    nodes: &Nodes,
    places: &[Option<Box<Place>>],
) -> Result<Radio, ScenarioError> {
    let given = &file.wifi[index];
    let path = format!("wifi.{index}");
    let members = stations(&given.stations, &format!("{path}.stations"), nodes, places)?;
    let config = config(given, file, members.len()).map_err(|e| e.under(&path))?;
    reach::in_reach(given, &config, &members, places, &path)?;
    let name = given.name.clone().unwrap_or_else(|| format!("wifi{index}"));
    Ok(Radio { name, stations: members, kind: RadioKind::Wifi(Box::new(config)) })
}

/// Checks that no two networks have the same channel.
pub(super) fn apart(networks: &[Wifi]) -> Result<(), ScenarioError> {
    let channels: Vec<_> = networks.iter().map(|network| network.table.modulation.channel).collect();
    let twice = channels.iter().enumerate().find(|(i, c)| c.is_some() && channels[..*i].contains(c));
    let Some((second, channel)) = twice else { return Ok(()) };
    let first = channels.iter().position(|c| c == channel).unwrap_or_default();
    let channel = channel.unwrap_or_default();
    let message = format!("network {first} is on channel {channel} already");
    Err(ScenarioError::new(format!("wifi.{second}.channel"), message).allowed(
        "another channel; what shares a channel disturbs each other, and so is one network with all stations",
    ))
}

/// Returns the stations that are access points; the table gives their names.
fn access_points(given: &Wifi) -> Result<Vec<Station>, ScenarioError> {
    let names = given.access_point.as_deref().unwrap_or_default();
    let mut found = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let path = || if names.len() > 1 { format!("access_point.{i}") } else { "access_point".to_owned() };
        let at = given.stations.iter().position(|station| station == name).ok_or_else(|| {
            let message = format!("the access point \"{name}\" is no station of this network");
            ScenarioError::new(path(), message).names(name, given.stations.iter().map(String::as_str))
        })?;
        let station = Station(at as u32);
        if found.contains(&station) {
            let message = format!("\"{name}\" is an access point already");
            return Err(ScenarioError::new(path(), message).allowed("each access point once"));
        }
        found.push(station);
    }
    if !found.is_empty() && found.len() == given.stations.len() {
        let message = "every station is an access point: one at least is to be served";
        return Err(ScenarioError::new("access_point", message).allowed("fewer names than `stations`"));
    }
    Ok(found)
}

/// Returns the configuration of an 802.11 network with `stations` stations. The paths of errors are relative to its
/// table.
fn config(given: &Wifi, file: &File, stations: usize) -> Result<Config, ScenarioError> {
    let access_points = access_points(given)?;
    let b_stations = given.b_stations.as_ref().map(|names| {
        let at = |(i, name): (usize, &String)| station(name, &given.stations, || format!("b_stations.{i}"));
        names.iter().enumerate().map(at).collect::<Result<Vec<_>, _>>()
    });
    // Positions are filled in when the run is built.
    let sites = vec![Site::fixed(Position::default()); stations];
    let profile = given.profile.unwrap_or_default();
    let b_stations = b_stations.transpose()?;
    let mut config = given.table.over(given.standard, profile, sites, &access_points, b_stations)?;
    let given_rates = given.station_rates.iter().flatten().enumerate();
    for (i, rates) in given_rates {
        let path = format!("station_rates.{i}");
        for (k, name) in rates.stations.iter().enumerate() {
            let station = station(name, &given.stations, || format!("{path}.stations.{k}"))?;
            if config.station_rates.iter().any(|own| own.station == station) {
                let message = format!("\"{name}\" has a rate of its own already");
                return Err(
                    ScenarioError::new(format!("{path}.stations.{k}"), message).allowed("each station once")
                );
            }
            let data = rates.own.mode(&config, station).map_err(|e| e.under(&path))?;
            config.station_rates.push(StationRate { station, data });
        }
    }
    // Beacons and other frames of a mesh have the highest access category, as the mesh depends on them.
    config.queue.routing_first |= given.routing.as_ref().is_some_and(routing::Given::is_mesh);
    config.queue = given.queue.over(&config.queue)?;
    if let Some(routing) = &given.routing {
        if config.access_point.is_some() {
            return Err(ScenarioError::new("routing", "with an access point all packets go through it")
                .allowed("no `routing`, or no `access_point`"));
        }
        config.routing = names::routing(routing, given, file, profile, "routing")?;
    }
    config.check()?;
    Ok(config)
}

/// Returns a flow's access category; some network must distinguish categories.
pub(super) fn category(flow: &Flow, path: &str, radios: &[Radio]) -> Result<AccessCategory, ScenarioError> {
    let Some(category) = flow.access_category else { return Ok(AccessCategory::default()) };
    let tells = |radio: &Radio| match &radio.kind {
        RadioKind::Wifi(config) => config.mac.access.edca.is_some(),
        RadioKind::Lte(_) => false,
    };
    if !radios.iter().any(tells) {
        let message = "no network tells access categories apart";
        return Err(ScenarioError::new(format!("{path}.access_category"), message)
            .allowed("a [[wifi]] with edca = {}, or no `access_category`"));
    }
    Ok(category)
}
