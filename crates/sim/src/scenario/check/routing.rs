//! Checks of the routing of ad hoc networks: given values override those of the profile, and names of stations are
//! resolved.

use crate::scenario::ScenarioError;
use crate::scenario::wire::File;
use crate::scenario::wire::wifi::Wifi;
use radio::access::Station;
use routing::{Config, Defaults, Given, StationRef};
use wifi::Profile;

/// Returns the routing of network `of` of a file; `path` is where the routing is given.
pub(super) fn routing(
    given: &Given,
    of: &Wifi,
    file: &File,
    profile: Profile,
    path: &str,
) -> Result<Config, ScenarioError> {
    let defaults = match profile {
        Profile::Ns2 => Defaults::Ns2,
        Profile::Ns3 => Defaults::Ns3,
        Profile::Ieee => Defaults::Own,
    };
    let mut config = given.over(defaults).map_err(|e| e.under(path))?;
    let gateways = of.stations.iter().filter(|name| is_elsewhere(name, of, file));
    config.set_gateways(gateways.cloned().map(StationRef::Named).collect());
    for (key, reference) in config.stations() {
        if let StationRef::Named(name) = reference {
            *reference = StationRef::Known(station(name, &of.stations, || format!("{path}.{key}"))?);
        }
    }
    Ok(config)
}

/// Returns the number of the station called `name`.
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

/// Returns true if a station is also on a link, or in another 802.11 network than `of`.
fn is_elsewhere(name: &str, of: &Wifi, file: &File) -> bool {
    let links = file.link.iter().flat_map(|link| &link.between);
    let others = file.wifi.iter().filter(|other| !std::ptr::eq(*other, of));
    links.chain(others.flat_map(|other| &other.stations)).any(|node| node == name)
}
