//! Results of radio networks.

use crate::model::{RadioKind, Scenario};
use crate::radios::{Machine, Radios};
use base::{DropCause, Duration, Instant};
use lte::stats::UeStats;
use metrics::radio::{
    CategorySummary, CellSummary, LteSummary, OneOrSeveral, StationSummary, UeSummary, WifiSummary,
};
use wifi::edca::AccessCategory;
use wifi::{CategoryStats, Fault, StationStats};

/// Rows of radio networks.
#[derive(Debug, Default)]
pub(super) struct Radio {
    pub wifi: Vec<WifiSummary>,
    pub stations: Vec<StationSummary>,
    pub lte: Vec<LteSummary>,
    pub ues: Vec<UeSummary>,
    pub cells: Vec<CellSummary>,
}

/// Returns the sum of the counters of each access category over all stations; empty without EDCA.
fn categories(stats: &wifi::Stats) -> Vec<CategorySummary> {
    let told_apart = stats.stations.first().map_or(0, |station| station.categories.len());
    let each = AccessCategory::ALL.into_iter().take(told_apart).enumerate();
    let sum = |(k, category): (usize, AccessCategory)| {
        let total =
            |counter: fn(&CategoryStats) -> u64| stats.total(|station| counter(&station.categories[k]));
        CategorySummary {
            category: category.name(),
            txops: total(|c| c.txops),
            data_frames: total(|c| c.data_sent),
            acknowledged_packets: total(|c| c.acknowledged),
            lost_queue_packets: total(|c| c.lost_queue),
            internal_collisions: total(|c| c.internal_collisions),
        }
    };
    each.map(sum).collect()
}

/// Returns the name of the access point, or the names of several; `None` if there is no access point.
fn access_points(mut names: Vec<String>) -> Option<OneOrSeveral> {
    if names.len() > 1 { Some(OneOrSeveral::Several(names)) } else { names.pop().map(OneOrSeveral::One) }
}

impl Radio {
    /// Collects the rows of the scenario's networks.
    pub(super) fn new(scenario: &Scenario, radios: &Radios) -> Self {
        let mut rows = Self::default();
        for (given, radio) in scenario.radios.iter().zip(&radios.each) {
            let node = |station: usize| scenario.nodes[given.stations[station]].clone();
            match (&given.kind, &radio.machine) {
                (RadioKind::Wifi(config), Machine::Wifi(network)) => {
                    let stats = network.stats();
                    let roams = !config.other_access_points.is_empty();
                    let stations = stats.stations.iter().enumerate().map(|(i, stats)| StationSummary {
                        handovers: roams.then_some(stats.handovers),
                        access_point: stats
                            .access_point
                            .filter(|_| roams)
                            .map(|ap| node(ap.index()))
                            .unwrap_or_default(),
                        ..station(&given.name, node(i), stats)
                    });
                    rows.stations.extend(stations);
                    rows.wifi.push(WifiSummary {
                        name: given.name.clone(),
                        standard: config.standard.name().to_owned(),
                        access_point: access_points(
                            config.access_points().map(|at| node(at.index())).collect(),
                        ),
                        // A frame on the air at the end of the run counts with its whole airtime, so that the sum may
                        // exceed the run.
                        utilisation: (stats.busy.secs() / scenario.duration.secs()).min(1.0),
                        categories: categories(&stats),
                    });
                }
                (RadioKind::Lte(config), Machine::Lte(network)) => {
                    rows.cellular(&given.name, config, network, node, scenario.duration);
                }
                // Cannot happen: a network has the kind that the scenario gives.
                (RadioKind::Wifi(_), Machine::Lte(_)) | (RadioKind::Lte(_), Machine::Wifi(_)) => {}
            }
        }
        rows
    }

    fn cellular(
        &mut self,
        name: &str,
        config: &lte::Config,
        network: &lte::Network,
        node: impl Fn(usize) -> String,
        duration: Duration,
    ) {
        let stats = network.stats();
        let cell = |number: usize| config.enbs[number].name.clone();
        let ues = stats.ues.iter().enumerate();
        let ues = ues.map(|(i, stats)| ue(name.to_owned(), node(i + 1), cell(stats.cell), stats));
        // A subframe takes 1 ms.
        let subframes = duration.secs() * 1e3;
        let [down, up] = [config.downlink_blocks(), config.uplink_blocks()].map(|n| subframes * f64::from(n));
        let cells = stats.cells.iter().enumerate().map(|(i, stats)| CellSummary {
            network: name.to_owned(),
            cell: cell(i),
            busy_subframes: stats.busy,
            downlink_resource_blocks: stats.downlink_blocks,
            downlink_utilisation: stats.downlink_blocks as f64 / down,
            uplink_resource_blocks: stats.uplink_blocks,
            uplink_utilisation: stats.uplink_blocks as f64 / up,
        });
        self.ues.extend(ues);
        self.cells.extend(cells);
        self.lte.push(LteSummary {
            name: name.to_owned(),
            bandwidth: config.carrier.bandwidth.name().to_owned(),
            gateway: node(0),
        });
    }
}

fn ue(network: String, ue: String, cell: String, stats: &UeStats) -> UeSummary {
    let (down, down_air, up, up_air) =
        (&stats.downlink, &stats.downlink_air, &stats.uplink, &stats.uplink_air);
    UeSummary {
        network,
        ue,
        cell,
        cqi: stats.cqi.into(),
        downlink_offered_packets: down.entered,
        downlink_delivered_packets: down.delivered,
        downlink_lost_backhaul_packets: down.lost_backhaul,
        downlink_lost_buffer_packets: down.lost_buffer,
        downlink_lost_harq_packets: down.lost_harq,
        downlink_lost_handover_packets: down.lost_handover,
        downlink_blocks: down_air.blocks,
        downlink_block_bytes: down_air.bytes,
        downlink_retransmissions: down_air.retransmissions,
        downlink_dropped_after_harq: down_air.gave_up,
        downlink_resource_blocks: down_air.resource_blocks,
        uplink_offered_packets: up.entered,
        uplink_delivered_packets: up.delivered,
        uplink_lost_backhaul_packets: up.lost_backhaul,
        uplink_lost_buffer_packets: up.lost_buffer,
        uplink_lost_harq_packets: up.lost_harq,
        uplink_lost_handover_packets: up.lost_handover,
        uplink_blocks: up_air.blocks,
        uplink_block_bytes: up_air.bytes,
        uplink_retransmissions: up_air.retransmissions,
        uplink_dropped_after_harq: up_air.gave_up,
        uplink_resource_blocks: up_air.resource_blocks,
        handovers: stats.handovers,
        scheduling_requests: stats.requests,
        buffer_max_bytes: stats.longest_buffer,
    }
}

fn station(network: &str, station: String, stats: &StationStats) -> StationSummary {
    let lost = |cause: DropCause| stats.lost[cause as usize];
    let failed = |fault: Fault| stats.failed[fault as usize];
    StationSummary {
        network: network.to_owned(),
        station,
        offered_packets: stats.entered,
        delivered_packets: stats.delivered,
        delivered_bytes: stats.delivered_bytes.0,
        forwarded_packets: stats.forwarded,
        lost_packets_total: stats.lost_total(),
        lost_queue_packets: lost(DropCause::Queue),
        lost_aqm_packets: lost(DropCause::Aqm),
        lost_collision_packets: lost(DropCause::Collision),
        lost_noise_packets: lost(DropCause::Noise),
        lost_retry_limit_packets: lost(DropCause::RetryLimit),
        lost_out_of_range_packets: lost(DropCause::OutOfRange),
        lost_no_route_packets: lost(DropCause::NoRoute),
        lost_not_associated_packets: lost(DropCause::NotAssociated),
        queued_at_end_packets: stats.left,
        associated_s: stats.associated.map(|at| (at - Instant::ZERO).secs()),
        disassociations: stats.disassociations,
        handovers: None,
        access_point: String::new(),
        data_frames: stats.data_sent,
        rts_frames: stats.rts_sent,
        response_frames: stats.responses_sent,
        control_frames: stats.control_sent,
        failed_collision_frames: failed(Fault::Collision),
        failed_noise_frames: failed(Fault::Noise),
        failed_out_of_range_frames: failed(Fault::OutOfRange),
        failed_transmitting_frames: failed(Fault::Transmitting),
        unanswered_frames: stats.unanswered,
        refused_frames: stats.refused,
        duplicate_frames: stats.duplicates,
        airtime_s: stats.airtime.secs(),
    }
}
