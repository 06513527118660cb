//! Conversion of LTE networks to the form of a scenario file.

use crate::model::{self, RadioKind};
use crate::scenario::wire::lte::{Enb, Lte};
use lte::config::{self, Config, Tables};
use settings::Overlay;

/// Returns the LTE networks in the form of a scenario file.
pub(super) fn networks(scenario: &model::Scenario) -> Vec<Lte> {
    let each = scenario.radios.iter().filter_map(|radio| match &radio.kind {
        RadioKind::Lte(config) => Some(network(radio, config, &scenario.nodes)),
        RadioKind::Wifi(_) => None,
    });
    each.collect()
}

fn network(radio: &model::Radio, config: &Config, nodes: &[String]) -> Lte {
    let enb = |enb: &config::Enb| Enb {
        name: Some(enb.name.clone()),
        position: enb.position,
        antenna: enb.clone(),
    };
    Lte {
        name: Some(radio.name.clone()),
        gateway: nodes[radio.stations[0]].clone(),
        ue: radio.stations[1..].iter().map(|node| nodes[*node].clone()).collect(),
        enb: config.enbs.iter().map(enb).collect(),
        profile: None,
        carrier: Overlay::of(&config.carrier),
        propagation: config.propagation.clone(),
        reception: Overlay::of(&config.reception),
        cqi: Overlay::of(&config.cqi),
        harq: config.harq,
        multiplexing: Overlay::of(&config.multiplexing),
        tables: Overlay::of(&Tables {
            rlc: config.rlc,
            uplink: config.uplink,
            s1: config.s1,
            handover: config.handover,
        }),
    }
}
