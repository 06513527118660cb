//! LTE networks written back.

use super::bytes;
use super::propagation::path_loss;
use crate::model::{self, RadioKind};
use crate::scenario::wire::declared::Declared;
use crate::scenario::wire::lte::{
    A3, Backhaul, Bandwidth, Enb, Grants, Granularity, Handover, Lte, LteFading, ModeName, NoHandover,
    Profile, Rlc, RlcMode, Scheduler, SchedulerName, Uplink,
};
use crate::scenario::wire::places::Place;
use crate::scenario::wire::propagation::{Frequency, NoFading, Power};
use crate::scenario::wire::scalar::{Rate, Size, Time};
use base::{Bytes, Duration};
use lte::config::{self, Config};
use lte::fading;
use lte::rlc::{self, Mode, SequenceNumber};
use lte::scheduler;

/// The LTE networks.
pub(super) fn networks(scenario: &model::Scenario) -> Vec<Lte> {
    let each = scenario.radios.iter().filter_map(|radio| match &radio.kind {
        RadioKind::Lte(config) => Some(network(radio, config, &scenario.nodes)),
        RadioKind::Wifi(_) => None,
    });
    each.collect()
}

/// So many subframes.
fn subframes(n: u32) -> Option<Time> {
    Some(Time(Duration::from_ms(n.into())))
}

fn network(radio: &model::Radio, config: &Config, nodes: &[String]) -> Lte {
    let channel = &config.propagation;
    let (scheduler, scheduler_window) = match config.scheduler {
        scheduler::Scheduler::RoundRobin => (SchedulerName::RoundRobin, None),
        scheduler::Scheduler::ProportionalFair { window } => (SchedulerName::ProportionalFair, Some(window)),
        scheduler::Scheduler::MaxCi => (SchedulerName::MaxCi, None),
    };
    Lte {
        name: Some(radio.name.clone()),
        gateway: nodes[radio.stations[0]].clone(),
        ue: radio.stations[1..].iter().map(|node| nodes[*node].clone()).collect(),
        enb: config.enbs.iter().map(enb).collect(),
        bandwidth: Some(Bandwidth(config.bandwidth)),
        blocks: config.blocks,
        granularity: Some(Granularity(config.granularity)),
        control_symbols: Some(config.control_symbols),
        mimo: Some(config.mimo),
        scheduler: Some(Scheduler(scheduler)),
        scheduler_window,
        propagation: Some(path_loss(&channel.loss)),
        frequency: Some(Frequency(channel.frequency)),
        tx_gain: Some(channel.tx_gain),
        rx_gain: Some(channel.rx_gain),
        system_loss: Some(channel.system_loss),
        antenna_height: Some(channel.antenna_height),
        minimum_distance: Some(channel.minimum_distance),
        light_speed: Some(channel.light_speed),
        shadowing: Some(channel.shadowing),
        fading: Some(fading(config.fading)),
        ue_noise_figure: Some(config.ue_noise_figure),
        error_gap: Some(config.curve.gap_db),
        error_slope: Some(config.curve.slope_db),
        cqi_period: subframes(config.cqi.period),
        cqi_delay: subframes(config.cqi.delay),
        transmissions: Some(config.transmissions),
        processing: subframes(config.processing),
        rlc: Some(rlc(&config.rlc)),
        uplink: Some(uplink(&config.uplink)),
        s1: Some(backhaul(&config.s1)),
        handover: Some(handover(config.handover.as_ref())),
    }
}

fn fading(config: Option<fading::Config>) -> LteFading {
    let Some(fading::Config { profile, doppler }) = config else {
        return LteFading::None(NoFading {});
    };
    let own = Profile { doppler: Some(doppler) };
    match profile {
        fading::Profile::Epa => LteFading::Epa(own),
        fading::Profile::Eva => LteFading::Eva(own),
        fading::Profile::Etu => LteFading::Etu(own),
    }
}

fn handover(config: Option<&lte::config::Handover>) -> Handover {
    let Some(config) = config else { return Handover::None(NoHandover {}) };
    Handover::A3(A3 {
        offset: Some(config.offset),
        hysteresis: Some(config.hysteresis),
        time_to_trigger: subframes(config.time_to_trigger),
        period: subframes(config.period),
        filter: Some(config.filter),
        preparation: subframes(config.preparation),
        interruption: subframes(config.interruption),
        path_switch: subframes(config.path_switch),
        forwarding: Some(config.forwarding),
        x2: Some(backhaul(&config.x2)),
    })
}

fn enb(enb: &config::Enb) -> Enb {
    Enb {
        name: Some(enb.name.clone()),
        position: Place(enb.position),
        power: Some(Power(enb.power)),
        noise_figure: Some(enb.noise_figure),
    }
}

fn rlc(config: &rlc::Config) -> Rlc {
    let table = Rlc {
        buffer: Some(Size(Bytes(config.buffer))),
        pdcp_header: Some(bytes(config.pdcp_header)),
        ..Rlc::default()
    };
    match config.mode {
        Mode::Um(um) => Rlc {
            mode: Some(RlcMode(ModeName::Um)),
            reordering: subframes(um.reordering),
            sequence_bits: Some(match um.sequence_number {
                SequenceNumber::Short => 5,
                SequenceNumber::Long => 10,
            }),
            ..table
        },
        Mode::Am(am) => Rlc {
            mode: Some(RlcMode(ModeName::Am)),
            reordering: subframes(am.reordering),
            poll_retransmit: subframes(am.poll_retransmit),
            poll_pdus: Some(am.poll_pdus),
            poll_bytes: Some(bytes(am.poll_bytes)),
            retransmissions: Some(am.retransmissions),
            status_prohibit: subframes(am.status_prohibit),
            ..table
        },
    }
}

fn uplink(uplink: &config::Uplink) -> Uplink {
    Uplink {
        power: Some(Power(uplink.power)),
        request_period: subframes(uplink.request_period),
        grants: Some(Grants(uplink.grants)),
        first_grant: Some(bytes(uplink.first_grant)),
        control_blocks: Some(uplink.control_blocks),
        qam64: Some(uplink.qam64),
        noise_rise: Some(uplink.noise_rise),
    }
}

fn backhaul(link: &config::Backhaul) -> Backhaul {
    Backhaul {
        rate: Some(Rate(link.rate)),
        delay: Some(Time(link.delay)),
        queue: Some(Declared(net::queue::drop_tail::Config { limit: link.queue })),
    }
}
