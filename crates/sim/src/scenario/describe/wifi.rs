//! Conversion of 802.11 networks to the form of a scenario file.

use crate::model::{self, RadioKind};
use crate::scenario::wire::wifi::{StationRates, Wifi};
use ::wifi::config::{Config, OwnRate, Table};
use radio::access::Station;
use routing::{Given, StationRef};
use settings::Overlay;

/// Returns the 802.11 networks in the form of a scenario file.
pub(super) fn networks(scenario: &model::Scenario) -> Vec<Wifi> {
    let each = scenario.radios.iter().filter_map(|radio| match &radio.kind {
        RadioKind::Wifi(config) => Some(network(radio, config, &scenario.nodes)),
        RadioKind::Lte(_) => None,
    });
    each.collect()
}

fn network(radio: &model::Radio, config: &Config, nodes: &[String]) -> Wifi {
    let name = |station: Station| nodes[radio.stations[station.index()]].clone();
    Wifi {
        name: Some(radio.name.clone()),
        standard: config.standard,
        stations: radio.stations.iter().map(|node| nodes[*node].clone()).collect(),
        access_point: config.access_point.is_some().then(|| config.access_points().map(name).collect()),
        b_stations: config.non_erp.as_ref().map(|b| b.stations.iter().copied().map(name).collect()),
        station_rates: (!config.station_rates.is_empty()).then(|| {
            let each = config.station_rates.iter();
            each.map(|own| StationRates { stations: vec![name(own.station)], own: OwnRate::of(own.data) })
                .collect()
        }),
        profile: None,
        table: Table::of(config),
        routing: config.access_point.is_none().then(|| routing(&config.routing, name)),
        queue: Overlay::of(&config.queue),
    }
}

/// Returns the routing of a network with stations given by name.
fn routing(config: &routing::Config, name: impl Fn(Station) -> String) -> Given {
    let mut config = config.clone();
    for (_, station) in config.stations() {
        if let StationRef::Known(known) = station {
            *station = StationRef::Named(name(*known));
        }
    }
    Given::of(&config)
}
