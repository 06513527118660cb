//! Stations of 802.11b among those of 802.11g.

use crate::scenario::ScenarioError;
use crate::scenario::wire::scalar::Rate;
use crate::scenario::wire::wifi::Wifi;
use radio::access::Station;
use wifi::Config;
use wifi::profile::Profile;
use wifi::timing::{Mode, Standard};

/// Some of the stations are of 802.11b.
pub fn b_stations(
    given: &Wifi,
    config: &mut Config,
    profile: Profile,
    path: &str,
) -> Result<(), ScenarioError> {
    let Some(names) = &given.b_stations else {
        let alone = [
            ("b_rate", given.b_rate.is_some()),
            ("b_cw_min", given.b_cw_min.is_some()),
            ("b_energy_detection", given.b_energy_detection.is_some()),
        ];
        return match alone.into_iter().find(|(_, there)| *there) {
            None => Ok(()),
            Some((key, _)) => {
                Err(ScenarioError::new(format!("{path}.{key}"), "it is of `b_stations`, and there are none")
                    .allowed("with b_stations = [\"...\"]"))
            }
        };
    };
    if config.standard != Standard::G {
        let message = format!("802.11{} has no stations of 802.11b among its own", config.standard.name());
        return Err(
            ScenarioError::new(format!("{path}.b_stations"), message).allowed("with standard = \"g\"")
        );
    }
    let mut stations = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let station = given.stations.iter().position(|station| station == name).ok_or_else(|| {
            let message = format!("\"{name}\" is no station of this network");
            ScenarioError::new(format!("{path}.b_stations.{i}"), message)
                .names(name, given.stations.iter().map(String::as_str))
        })?;
        stations.push(Station(station as u32));
    }
    config.set_non_erp(stations, profile);
    Ok(())
}

/// What is given of them in place of the defaults.
pub fn values(
    given: &Wifi,
    config: &mut Config,
    rate: impl Fn(Rate) -> Result<Mode, ScenarioError>,
) -> Result<(), ScenarioError> {
    let Some(non_erp) = &mut config.non_erp else { return Ok(()) };
    if let Some(given) = given.b_rate {
        non_erp.data = rate(given)?;
    }
    if let Some(cw_min) = given.b_cw_min {
        non_erp.cw_min = cw_min;
    }
    if let Some(power) = given.b_energy_detection {
        non_erp.energy_detection = power.0;
    }
    Ok(())
}

/// The key of a field of [`wifi::config::NonErp`].
pub fn key(field: &str) -> &'static str {
    match field {
        "non_erp.cw_min" => "b_cw_min",
        "non_erp.data" => "b_rate",
        _ => "b_stations",
    }
}
