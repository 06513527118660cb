//! 802.11 networks written back.

use super::access::edca;
use super::bytes;
use super::propagation::{fading, path_loss};
use super::routing::routing;
use crate::model::{self, RadioKind};
use crate::scenario::wire::declared::Declared;
use crate::scenario::wire::propagation::{Frequency, Power};
use crate::scenario::wire::scalar::{Rate, Time};
use crate::scenario::wire::wifi::{
    Aggregation, Association, Capture, Countdown, Discipline, Draw, Eifs, GuardInterval, IdleAccess,
    Lifetime, Preamble, Protection, Reception, Rounding, Sinr, Standard, Timeout, TxopProtection, Width,
    Wifi,
};
use base::DataRate;
use wifi::config::{self, Config};
use wifi::timing::Mode;

/// The 802.11 networks.
pub(super) fn networks(scenario: &model::Scenario) -> Vec<Wifi> {
    let each = scenario.radios.iter().filter_map(|radio| match &radio.kind {
        RadioKind::Wifi(config) => Some(network(radio, config, &scenario.nodes)),
        RadioKind::Lte(_) => None,
    });
    each.collect()
}

fn network(radio: &model::Radio, config: &Config, nodes: &[String]) -> Wifi {
    let station = |number: usize| nodes[radio.stations[number]].clone();
    let Config { standard, phy, mac, queue, .. } = config;
    let channel = &phy.propagation;
    let (mut data, mut mcs, mut width, mut guard, mut preamble) = (None, None, None, None, None);
    let mut streams = None;
    match phy.data {
        Mode::Dsss(mode) => {
            data = rate(phy.data);
            preamble = Some(Preamble(mode.preamble));
        }
        Mode::Ofdm(_) => data = rate(phy.data),
        Mode::Ht(mode) => {
            (mcs, width, guard) = (Some(mode.mcs), Some(Width(mode.width)), Some(GuardInterval(mode.guard)));
        }
        Mode::Vht(mode) => {
            streams = Some(mode.streams);
            (mcs, width, guard) = (Some(mode.mcs), Some(Width(mode.width)), Some(GuardInterval(mode.guard)));
        }
    }
    let control_mcs = match phy.control {
        Mode::Ht(mode) => Some(mode.mcs),
        _ => None,
    };
    let aggregation = match mac.aggregation {
        Some(limits) => Aggregation {
            frames: Some(limits.frames),
            bytes: Some(bytes(limits.bytes)),
            duration: Some(Time(limits.duration)),
            amsdu: Some(bytes(mac.amsdu)),
        },
        None => Aggregation { frames: Some(1), amsdu: Some(bytes(mac.amsdu)), ..Aggregation::default() },
    };
    Wifi {
        name: Some(radio.name.clone()),
        standard: Standard(*standard),
        stations: (0..radio.stations.len()).map(station).collect(),
        access_point: config.access_point.map(|at| station(at.index())),
        b_stations: config
            .non_erp
            .as_ref()
            .map(|b| b.stations.iter().map(|at| station(at.index())).collect()),
        profile: None,
        channel: None,
        rate: data,
        b_rate: config.non_erp.as_ref().and_then(|b| rate(b.data)),
        mcs,
        streams,
        width,
        guard_interval: guard,
        preamble,
        rate_control: Some(Declared(phy.rate_control)),
        control_rate: rate(phy.control).filter(|_| control_mcs.is_none()),
        control_mcs,
        response_rates: Some(phy.responses.iter().filter_map(|mode| rate(*mode)).collect()),
        rounding: Some(Rounding(phy.rounding)),
        tx_power: Some(Power(phy.power)),
        propagation: Some(path_loss(&channel.loss)),
        frequency: Some(Frequency(channel.frequency)),
        tx_gain: Some(channel.tx_gain),
        rx_gain: Some(channel.rx_gain),
        system_loss: Some(channel.system_loss),
        antenna_height: Some(channel.antenna_height),
        minimum_distance: Some(channel.minimum_distance),
        light_speed: Some(channel.light_speed),
        shadowing: Some(channel.shadowing),
        fading: Some(fading(&channel.fading)),
        reception: Some(match phy.reception {
            config::Reception::Capture { receive, sense, ratio, reserves } => Reception::Capture(Capture {
                receive: Some(Power(receive)),
                sense: Some(Power(sense)),
                ratio: Some(ratio),
                reserves: Some(reserves),
            }),
            config::Reception::Sinr { noise_figure, preamble_snr, preamble_power, energy_detection } => {
                Reception::Sinr(Sinr {
                    noise_figure: Some(noise_figure),
                    preamble_snr: Some(preamble_snr),
                    preamble_power: Some(Power(preamble_power)),
                    energy_detection: Some(Power(energy_detection)),
                })
            }
        }),
        b_energy_detection: config.non_erp.as_ref().map(|b| Power(b.energy_detection)),
        cca_time: Some(Time(phy.cca_time)),
        position_interval: Some(Time(phy.position_interval)),
        slot: Some(Time(mac.slot)),
        sifs: Some(Time(mac.sifs)),
        aifsn: mac.edca.is_none().then_some(mac.aifsn),
        cw_min: Some(mac.cw_min),
        cw_max: Some(mac.cw_max),
        b_cw_min: config.non_erp.as_ref().map(|b| b.cw_min),
        edca: mac.edca.map(edca),
        txop_protection: Some(TxopProtection(mac.txop_protection)),
        cf_end: Some(mac.cf_end),
        draw: Some(Draw(mac.draw)),
        countdown: Some(Countdown(mac.countdown)),
        eifs: Some(Eifs(mac.eifs)),
        timeout: Some(Timeout(mac.timeout)),
        propagation_allowance: Some(Time(mac.propagation_allowance)),
        defer_after_timeout: Some(mac.defer_after_timeout),
        idle_access: Some(IdleAccess(mac.idle_access)),
        nav_reset: Some(mac.nav_reset),
        short_retry_limit: Some(mac.short_retry_limit),
        long_retry_limit: Some(mac.long_retry_limit),
        rts_threshold: Some(bytes(mac.rts_threshold)),
        protection: (config.non_erp.is_some() || mac.protection != wifi::config::Protection::None)
            .then_some(Protection(mac.protection)),
        header: Some(bytes(mac.header)),
        aggregation: standard.is_qos().then_some(aggregation),
        block_ack_request: Some(mac.block_ack_request),
        beacons: Some(mac.beacons.map_or(Lifetime::Unlimited, |time| Lifetime::Limited(Time(time)))),
        beacon_size: Some(bytes(mac.beacon_bytes)),
        association: config.access_point.map(|_| Association(mac.association)),
        missed_beacons: config.access_point.map(|_| mac.missed_beacons),
        association_timeout: config.access_point.map(|_| Time(mac.association_timeout)),
        routing: config
            .access_point
            .is_none()
            .then(|| Declared(routing(&config.routing, |at| station(at.index())))),
        queue: Some(queue.packets),
        discipline: Some(
            queue
                .discipline
                .as_ref()
                .map_or(Discipline::None, |queue| Discipline::Queue(Declared(queue.clone()))),
        ),
        lifetime: Some(queue.lifetime.map_or(Lifetime::Unlimited, |time| Lifetime::Limited(Time(time)))),
        routing_first: Some(queue.routing_first),
    }
}

fn rate(mode: Mode) -> Option<Rate> {
    DataRate::from_bps(mode.bps()).map(Rate)
}
