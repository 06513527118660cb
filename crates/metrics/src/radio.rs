//! One row per station of an 802.11 network, per UE and per cell of an LTE network; and transmissions on the air.

use crate::glossary::{RUN, Term, term};
use crate::summary::{count, float, optional, text};
use crate::table::{Column, NO_LABEL, Table};
use base::{DropCause, FlowId, Instant, NodeId};
use serde::Serialize;

/// Declares the summary of something: the struct, its table, and its terms in the glossary, all from one list.
macro_rules! summary {
    (
        $(#[$doc:meta])* $name:ident, $table:literal by $make:ident, $terms:ident {
            $($field:ident: $type:ty = $column:ident, $unit:literal, $layer:literal, $definition:literal;)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Debug, Default, Serialize)]
        #[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
        pub struct $name {
            $(pub $field: $type,)+
        }

        #[doc = concat!("The table `", $table, "`.")]
        pub fn $make(rows: &[$name]) -> Table {
            Table::new()$(.with(stringify!($field), summary!(@column $column rows $field)))+
        }

        pub(crate) const $terms: &[Term] =
            &[$(term($table, stringify!($field), $unit, $layer, RUN, $definition, ""),)+];
    };
    (@column text $rows:ident $field:ident) => { text($rows, |row| &row.$field) };
    (@column count $rows:ident $field:ident) => { count($rows, |row| row.$field) };
    (@column optional $rows:ident $field:ident) => { optional($rows, |row| row.$field) };
    (@column float $rows:ident $field:ident) => { float($rows, |row| row.$field) };
}

summary! {
    /// What a station of an 802.11 network did.
    StationSummary, "stations" by stations_table, STATION_TERMS {
        network: String = text, "", "", "the network";
        station: String = text, "", "", "the station's node";
        entered_packets: u64 = count, "packets", "network", "packets that entered the network here";
        delivered_packets: u64 = count, "packets", "network", "packets that left the network here";
        delivered_bytes: u64 = count, "bytes with headers", "network", "their bytes, without those of 802.11";
        forwarded_packets: u64 = count, "packets", "network", "packets of others that it passed on";
        lost_packets_total: u64 = count, "packets", "network", "packets lost here; each cause below";
        lost_queue_packets: u64 = count, "packets", "MAC", "for want of room, or because they had waited too long";
        lost_aqm_packets: u64 = count, "packets", "queue discipline", "dropped by the discipline before the station's queue";
        lost_collision_packets: u64 = count, "packets", "MAC", "given up after frames that met others on the air, where nothing is sent again";
        lost_noise_packets: u64 = count, "packets", "MAC", "likewise, frames that noise took";
        lost_retry_limit_packets: u64 = count, "packets", "MAC", "given up after as many attempts as the retry limits allow";
        lost_out_of_range_packets: u64 = count, "packets", "MAC", "likewise, where the last attempt was too weak even on a silent channel";
        lost_no_route_packets: u64 = count, "packets", "network", "without a route to their destination";
        lost_not_associated_packets: u64 = count, "packets", "MAC", "of or for a station that was not associated with the access point, with `association = \"exchange\"`";
        associated_s: Option<f64> = optional, "s", "MAC", "when it first was associated with the access point; empty: never, or there is none";
        disassociations: u64 = count, "", "MAC", "times that it lost the association";
        left_packets: u64 = count, "packets", "MAC", "waiting or in transmission at the end of the run";
        data_frames: u64 = count, "frames", "MAC", "data frames sent, every attempt";
        rts_frames: u64 = count, "frames", "MAC", "RTS frames sent";
        response_frames: u64 = count, "frames", "MAC", "CTS and ACK frames sent";
        control_frames: u64 = count, "frames", "MAC", "broadcast, management and routing frames sent, and requests for a Block ACK";
        failed_collision_frames: u64 = count, "frames", "PHY, receiver", "data, management and RTS frames that other frames took";
        failed_noise_frames: u64 = count, "frames", "PHY, receiver", "likewise, that noise took";
        failed_out_of_range_frames: u64 = count, "frames", "PHY, receiver", "likewise, too weak even on a silent channel";
        failed_transmitting_frames: u64 = count, "frames", "PHY, receiver", "likewise, whose receiver was transmitting";
        unanswered_frames: u64 = count, "frames", "MAC", "data, management and RTS frames that were received, and whose response was not";
        refused_frames: u64 = count, "frames", "MAC", "RTS frames that the receiver did not answer, since the medium was reserved";
        duplicate_frames: u64 = count, "frames", "MAC, receiver", "data frames received a second time";
        airtime_s: f64 = float, "s", "PHY", "time spent transmitting";
    }
}

summary! {
    /// What went to and from a UE of an LTE network.
    UeSummary, "ues" by ues_table, UE_TERMS {
        network: String = text, "", "", "the network";
        ue: String = text, "", "", "the UE's node";
        cell: String = text, "", "", "the eNodeB that serves it at the end of the run";
        cqi: u64 = count, "", "PHY", "the last channel quality indicator used, 0 to 15";
        downlink_entered_packets: u64 = count, "packets", "network", "packets for it that entered the network";
        downlink_delivered_packets: u64 = count, "packets", "network", "of these, packets that reached it";
        downlink_lost_backhaul_packets: u64 = count, "packets", "S1", "of these, lost for want of room in the queue of the S1 link";
        downlink_lost_buffer_packets: u64 = count, "packets", "RLC", "of these, lost for want of room in the buffer of radio link control";
        downlink_lost_harq_packets: u64 = count, "packets", "MAC, RLC", "of these, given up by HARQ and radio link control";
        downlink_lost_handover_packets: u64 = count, "packets", "RLC", "of these, left behind at handovers";
        downlink_blocks: u64 = count, "transport blocks", "MAC", "sent to it for the first time";
        downlink_block_bytes: u64 = count, "bytes", "MAC", "their size";
        downlink_retransmissions: u64 = count, "transport blocks", "MAC", "sent again by HARQ";
        downlink_given_up: u64 = count, "transport blocks", "MAC", "failed as often as they may be sent";
        downlink_resource_blocks: u64 = count, "resource blocks", "PHY", "used for it, retransmissions included";
        uplink_entered_packets: u64 = count, "packets", "network", "packets that entered the network at it";
        uplink_delivered_packets: u64 = count, "packets", "network", "of these, packets that reached the gateway";
        uplink_lost_backhaul_packets: u64 = count, "packets", "S1", "of these, lost for want of room in the queue of the S1 link";
        uplink_lost_buffer_packets: u64 = count, "packets", "RLC", "of these, lost for want of room in the buffer of radio link control";
        uplink_lost_harq_packets: u64 = count, "packets", "MAC, RLC", "of these, given up by HARQ and radio link control";
        uplink_lost_handover_packets: u64 = count, "packets", "RLC", "of these, left behind at handovers";
        uplink_blocks: u64 = count, "transport blocks", "MAC", "sent by it for the first time";
        uplink_block_bytes: u64 = count, "bytes", "MAC", "their size";
        uplink_retransmissions: u64 = count, "transport blocks", "MAC", "sent again by HARQ";
        uplink_given_up: u64 = count, "transport blocks", "MAC", "failed as often as they may be sent";
        uplink_resource_blocks: u64 = count, "resource blocks", "PHY", "used by it, retransmissions included";
        handovers: u64 = count, "", "RRC", "times that it went to another cell";
        scheduling_requests: u64 = count, "", "MAC", "times that it asked to send";
        buffer_max_bytes: u64 = count, "bytes", "RLC", "the most that waited for it at the eNodeB";
    }
}

summary! {
    /// What a cell of an LTE network did.
    CellSummary, "cells" by cells_table, CELL_TERMS {
        network: String = text, "", "", "the network";
        cell: String = text, "", "", "the eNodeB";
        busy_subframes: u64 = count, "subframes of 1 ms", "PHY", "subframes in which it sent data";
        downlink_resource_blocks: u64 = count, "resource blocks", "PHY", "used, retransmissions included";
        downlink_utilisation: f64 = float, "", "PHY", "downlink_resource_blocks / blocks that data may use in the whole run";
        uplink_resource_blocks: u64 = count, "resource blocks", "PHY", "used by its UEs, retransmissions included";
    }
}

/// An 802.11 network, as the summary of a run has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WifiSummary {
    /// Its name.
    pub name: String,
    /// Its standard.
    pub standard: String,
    /// The access point's node; none where it is ad hoc.
    pub access_point: Option<String>,
    /// With EDCA what its access categories did, lowest first; else none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategorySummary>,
}

/// What an access category of an 802.11 network did, at all stations together.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CategorySummary {
    /// Its name.
    pub category: &'static str,
    /// Times that it won the medium.
    pub txops: u64,
    /// Data frames sent, every attempt.
    pub data_frames: u64,
    /// Packets that the next station acknowledged.
    pub acknowledged_packets: u64,
    /// Packets that found no room in a queue of it, or had waited too long.
    pub lost_queue_packets: u64,
    /// Times that a higher category of the same station won the medium at the same instant.
    pub internal_collisions: u64,
}

/// An LTE network, as the summary of a run has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LteSummary {
    /// Its name.
    pub name: String,
    /// Its bandwidth.
    pub bandwidth: String,
    /// Its gateway's node.
    pub gateway: String,
}

/// A transmission on the air.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transmission {
    /// When it began and ended at the sender.
    pub span: [Instant; 2],
    /// Which network, counted from 0.
    pub network: u32,
    /// Who sent it.
    pub from: NodeId,
    /// Whom it was for; `None`: everybody.
    pub to: Option<NodeId>,
    /// What it was.
    pub kind: &'static str,
    /// Length, bytes.
    pub bytes: u32,
    /// The flow whose packet it carried.
    pub flow: Option<FlowId>,
    /// Why the receiver did not get it; `None`: it did.
    pub lost: Option<DropCause>,
}

/// Every transmission on the air: trace `frames`.
#[derive(Debug, Default)]
pub struct Frames {
    each: Vec<Transmission>,
}

impl Frames {
    /// Adds a transmission.
    pub fn add(&mut self, transmission: Transmission) {
        self.each.push(transmission);
    }

    /// The table, in order of beginning; `networks` and `nodes` are names.
    pub fn into_table(mut self, networks: &[String], nodes: &[String]) -> Table {
        self.each.sort_by_key(|t| t.span[0]);
        let mut kinds: Vec<&'static str> = Vec::new();
        let kind = self.each.iter().map(|t| {
            let known = kinds.iter().position(|kind| *kind == t.kind);
            known.unwrap_or_else(|| {
                kinds.push(t.kind);
                kinds.len() - 1
            }) as u32
        });
        let kind = kind.collect();
        let column = |code: fn(&Transmission) -> u32| self.each.iter().map(code).collect();
        let kinds = kinds.into_iter().map(str::to_owned).collect();
        let causes = DropCause::ALL.map(|cause| cause.name().to_owned()).to_vec();
        let (from, to) = (column(|t| t.from.0), column(|t| t.to.map_or(NO_LABEL, |to| to.0)));
        let lost = column(|t| t.lost.map_or(NO_LABEL, |cause| cause as u32));
        Table::new()
            .with("time_s", Column::Time(self.each.iter().map(|t| t.span[0].ps()).collect()))
            .with("end_s", Column::Time(self.each.iter().map(|t| t.span[1].ps()).collect()))
            .with("network", Column::Label { names: networks.to_vec(), codes: column(|t| t.network) })
            .with("from", Column::Label { names: nodes.to_vec(), codes: from })
            .with("to", Column::Label { names: nodes.to_vec(), codes: to })
            .with("kind", Column::Label { names: kinds, codes: kind })
            .with("bytes", Column::Int32(self.each.iter().map(|t| t.bytes as i32).collect()))
            .with(
                "flow",
                Column::OptionalInt32(self.each.iter().map(|t| t.flow.map(|f| f.0 as i32)).collect()),
            )
            .with("lost", Column::Label { names: causes, codes: lost })
    }
}

/// Where nodes are: trace `positions`.
#[derive(Debug, Default)]
pub struct Positions {
    time: Vec<u64>,
    node: Vec<u32>,
    place: [Vec<f64>; 3],
}

impl Positions {
    /// A node is at a place, metres.
    pub fn add(&mut self, at: Instant, node: NodeId, place: [f64; 3]) {
        self.time.push(at.ps());
        self.node.push(node.0);
        for (column, value) in self.place.iter_mut().zip(place) {
            column.push(value);
        }
    }

    /// The table; `nodes` are names.
    pub fn into_table(self, nodes: &[String]) -> Table {
        let [x, y, z] = self.place;
        Table::new()
            .with("time_s", Column::Time(self.time))
            .with("node", Column::Label { names: nodes.to_vec(), codes: self.node })
            .with("x_m", Column::Float(x))
            .with("y_m", Column::Float(y))
            .with("z_m", Column::Float(z))
    }
}

const AIR: &str = "PHY";

pub(crate) const TRACE_TERMS: &[Term] = &[
    term("frames", "time_s", "s", AIR, "instant", "when the transmission began at the sender", ""),
    term("frames", "end_s", "s", AIR, "instant", "when it ended there", ""),
    term("frames", "network", "", "", "", "the radio network", ""),
    term("frames", "from", "", "", "", "node that sent it", ""),
    term("frames", "to", "", "", "", "node that it was for; empty: everybody", ""),
    term("frames", "kind", "", "", "", "what it was, in the standard's words: DATA, ACK, RTS, CTS, ...", ""),
    term("frames", "bytes", "bytes", AIR, "", "its length", ""),
    term("frames", "flow", "", "", "", "the flow whose packet it carried; empty where it carried none", ""),
    term("frames", "lost", "", AIR, "", "why the receiver did not get it; empty where it did", ""),
    term("positions", "time_s", "s", "", "instant", "when", ""),
    term("positions", "node", "", "", "", "the node", ""),
    term("positions", "x_m", "m", "", "instant", "how far east it is", ""),
    term("positions", "y_m", "m", "", "instant", "how far north", ""),
    term("positions", "z_m", "m", "", "instant", "how far up", ""),
];

/// The terms of this file.
pub(crate) fn terms() -> impl Iterator<Item = &'static Term> {
    STATION_TERMS.iter().chain(UE_TERMS).chain(CELL_TERMS).chain(TRACE_TERMS)
}
