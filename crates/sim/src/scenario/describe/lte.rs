//! LTE networks written back.

use super::propagation::path_loss;
use crate::model::{self, RadioKind};
use crate::scenario::wire::declared::Legacy;
use crate::scenario::wire::lte::{Enb, Lte};
use crate::scenario::wire::places::Place;
use lte::config::{self, Config};

/// The LTE networks.
pub(super) fn networks(scenario: &model::Scenario) -> Vec<Lte> {
    let each = scenario.radios.iter().filter_map(|radio| match &radio.kind {
        RadioKind::Lte(config) => Some(network(radio, config, &scenario.nodes)),
        RadioKind::Wifi(_) => None,
    });
    each.collect()
}

fn network(radio: &model::Radio, config: &Config, nodes: &[String]) -> Lte {
    let channel = &config.propagation;
    let enb = |enb: &config::Enb| Enb {
        name: Some(enb.name.clone()),
        position: Legacy(Place(enb.position)),
        antenna: enb.clone(),
    };
    Lte {
        name: Some(radio.name.clone()),
        gateway: nodes[radio.stations[0]].clone(),
        ue: radio.stations[1..].iter().map(|node| nodes[*node].clone()).collect(),
        enb: config.enbs.iter().map(enb).collect(),
        carrier: config.carrier,
        propagation: Some(Legacy(path_loss(&channel.loss))),
        frequency: Some(channel.frequency),
        tx_gain: Some(channel.tx_gain),
        rx_gain: Some(channel.rx_gain),
        system_loss: Some(channel.system_loss),
        antenna_height: Some(channel.antenna_height),
        minimum_distance: Some(channel.minimum_distance),
        light_speed: Some(channel.light_speed),
        shadowing: Some(channel.shadowing),
        reception: config.reception,
        cqi: config.cqi,
        harq: config.harq,
        rlc: config.rlc,
        uplink: config.uplink,
        s1: config.s1,
        handover: config.handover,
    }
}
