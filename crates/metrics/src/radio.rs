//! One row per station of an 802.11 network, per UE and per cell of an LTE network; and transmissions on the air.

use crate::row::{AT, NetworkId, RUN, table};
use base::{DropCause, FlowId, Instant, NodeId};
use serde::Serialize;

table! {
    "stations", RUN;
    /// One row per station of an 802.11 network; in JSON `stations[]`. Beside it `wifi[]` has each network's name,
    /// standard, access point and utilisation: the share of the run during which at least one station transmitted.
    /// With EDCA a station has `categories[]`: TXOPs, data frames, acknowledged packets, packets lost because a queue
    /// was full, and internal collisions of each access category.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct StationSummary {
        /// the network
        network: String ["", ""];
        /// the station's node
        station: String ["", ""];
        /// packets that entered the network here
        offered_packets: u64 ["packets", "network", was "entered_packets"];
        /// packets that left the network here
        delivered_packets: u64 ["packets", "network"];
        /// their bytes, without those of 802.11
        delivered_bytes: u64 ["bytes with headers", "network"];
        /// packets of others that it passed on
        forwarded_packets: u64 ["packets", "network"];
        /// packets lost here; each cause below
        lost_packets_total: u64 ["packets", "network"];
        /// for want of room, or because they had waited too long
        lost_queue_packets: u64 ["packets", "MAC"];
        /// dropped by the discipline before the station's queue
        lost_aqm_packets: u64 ["packets", "queue discipline"];
        /// given up after frames that met others on the air, if nothing is sent again
        lost_collision_packets: u64 ["packets", "MAC"];
        /// given up after frames lost to noise
        lost_noise_packets: u64 ["packets", "MAC"];
        /// given up after as many attempts as the retry limits allow
        lost_retry_limit_packets: u64 ["packets", "MAC"];
        /// given up so, if the last attempt was too weak even on a silent channel
        lost_out_of_range_packets: u64 ["packets", "MAC"];
        /// without a route to their destination
        lost_no_route_packets: u64 ["packets", "network"];
        /// of or for a station that was not associated with the access point, with `association = "exchange"`
        lost_not_associated_packets: u64 ["packets", "MAC"];
        /// when it first was associated with the access point; empty: never, or there is none
        associated_s: Option<f64> ["s", "MAC"];
        /// times that it lost the association
        disassociations: u64 ["", "MAC"];
        /// times that it came from one access point to another; empty: there is one at most
        #[serde(skip_serializing_if = "Option::is_none")]
        handovers: Option<u32> ["", "MAC"];
        /// the access point that it belongs to at the end of the run; empty: none, or there is one at most
        #[serde(skip_serializing_if = "String::is_empty")]
        access_point: String ["", "MAC"];
        /// waiting or in transmission at the end of the run
        queued_at_end_packets: u64 ["packets", "MAC", was "left_packets"];
        /// data frames sent, every attempt
        data_frames: u64 ["frames", "MAC"];
        /// RTS frames sent
        rts_frames: u64 ["frames", "MAC"];
        /// CTS and ACK frames sent
        response_frames: u64 ["frames", "MAC"];
        /// broadcast, management and routing frames sent, and requests for a Block ACK
        control_frames: u64 ["frames", "MAC"];
        /// data, management and RTS frames that other frames took
        failed_collision_frames: u64 ["frames", "PHY, receiver"];
        /// such frames lost to noise
        failed_noise_frames: u64 ["frames", "PHY, receiver"];
        /// such frames too weak even on a silent channel
        failed_out_of_range_frames: u64 ["frames", "PHY, receiver"];
        /// such frames whose receiver was transmitting
        failed_transmitting_frames: u64 ["frames", "PHY, receiver"];
        /// data, management and RTS frames that were received, and whose response was not
        unanswered_frames: u64 ["frames", "MAC"];
        /// RTS frames that the receiver did not answer, since the medium was reserved
        refused_frames: u64 ["frames", "MAC"];
        /// data frames received a second time
        duplicate_frames: u64 ["frames", "MAC, receiver"];
        /// time spent transmitting
        airtime_s: f64 ["s", "PHY"];
    }
}

table! {
    "ues", RUN;
    /// One row per UE of an LTE network; in JSON `ues[]`, beside `lte[]` with each network's name, bandwidth and
    /// gateway.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct UeSummary {
        /// the network
        network: String ["", ""];
        /// the UE's node
        ue: String ["", ""];
        /// the eNodeB that serves it at the end of the run
        cell: String ["", ""];
        /// the last channel quality indicator used, 0 to 15
        cqi: u64 ["", "PHY"];
        /// packets for it that entered the network
        downlink_offered_packets: u64 ["packets", "network", was "downlink_entered_packets"];
        /// of these, packets that reached it
        downlink_delivered_packets: u64 ["packets", "network"];
        /// of these, lost for want of room in the queue of the S1 link
        downlink_lost_backhaul_packets: u64 ["packets", "S1"];
        /// of these, lost for want of room in the buffer of radio link control
        downlink_lost_buffer_packets: u64 ["packets", "RLC"];
        /// of these, given up by HARQ and radio link control
        downlink_lost_harq_packets: u64 ["packets", "MAC, RLC"];
        /// of these, left behind at handovers
        downlink_lost_handover_packets: u64 ["packets", "RLC"];
        /// sent to it for the first time
        downlink_blocks: u64 ["transport blocks", "MAC"];
        /// their size
        downlink_block_bytes: u64 ["bytes", "MAC"];
        /// sent again by HARQ
        downlink_retransmissions: u64 ["transport blocks", "MAC"];
        /// failed as often as they may be sent
        downlink_dropped_after_harq: u64 ["transport blocks", "MAC", was "downlink_given_up"];
        /// used for it, retransmissions included
        downlink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// packets that entered the network at it
        uplink_offered_packets: u64 ["packets", "network", was "uplink_entered_packets"];
        /// of these, packets that reached the gateway
        uplink_delivered_packets: u64 ["packets", "network"];
        /// of these, lost for want of room in the queue of the S1 link
        uplink_lost_backhaul_packets: u64 ["packets", "S1"];
        /// of these, lost for want of room in the buffer of radio link control
        uplink_lost_buffer_packets: u64 ["packets", "RLC"];
        /// of these, given up by HARQ and radio link control
        uplink_lost_harq_packets: u64 ["packets", "MAC, RLC"];
        /// of these, left behind at handovers
        uplink_lost_handover_packets: u64 ["packets", "RLC"];
        /// sent by it for the first time
        uplink_blocks: u64 ["transport blocks", "MAC"];
        /// their size
        uplink_block_bytes: u64 ["bytes", "MAC"];
        /// sent again by HARQ
        uplink_retransmissions: u64 ["transport blocks", "MAC"];
        /// failed as often as they may be sent
        uplink_dropped_after_harq: u64 ["transport blocks", "MAC", was "uplink_given_up"];
        /// used by it, retransmissions included
        uplink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// times that it went to another cell
        handovers: u64 ["", "RRC"];
        /// times that it asked to send
        scheduling_requests: u64 ["", "MAC"];
        /// the most that waited for it at the eNodeB
        buffer_max_bytes: u64 ["bytes", "RLC"];
    }
}

table! {
    "cells", RUN;
    /// One row per eNodeB of an LTE network; in JSON `cells[]`.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct CellSummary {
        /// the network
        network: String ["", ""];
        /// the eNodeB
        cell: String ["", ""];
        /// subframes in which it sent data
        busy_subframes: u64 ["subframes of 1 ms", "PHY"];
        /// used, retransmissions included
        downlink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// downlink_resource_blocks / blocks that data may use in the whole run
        downlink_utilisation: f64 ["", "PHY"];
        /// used by its UEs, retransmissions included
        uplink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// uplink_resource_blocks / blocks that data may use in the whole run
        uplink_utilisation: f64 ["", "PHY"];
    }
}

/// The summary of an 802.11 network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WifiSummary {
    /// Its name.
    pub name: String,
    /// Its standard.
    pub standard: String,
    /// The access point's node; none if it is ad hoc.
    pub access_point: Option<OneOrSeveral>,
    /// Share of the run during which at least one station transmitted.
    pub utilisation: f64,
    /// With EDCA its access categories, lowest first; else none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategorySummary>,
}

/// A name, or several.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum OneOrSeveral {
    /// One.
    One(String),
    /// Several, in the order of the scenario.
    Several(Vec<String>),
}

/// The counters of an access category of an 802.11 network, at all stations together.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CategorySummary {
    /// Its name.
    pub category: &'static str,
    /// TXOPs that it won.
    pub txops: u64,
    /// Data frames sent, every attempt.
    pub data_frames: u64,
    /// Packets that the next station acknowledged.
    pub acknowledged_packets: u64,
    /// Packets that found no room in its queue, or had waited too long.
    pub lost_queue_packets: u64,
    /// Times that a higher category of the same station won the medium at the same instant.
    pub internal_collisions: u64,
}

/// The summary of an LTE network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LteSummary {
    /// Its name.
    pub name: String,
    /// Its bandwidth.
    pub bandwidth: String,
    /// Its gateway's node.
    pub gateway: String,
}

table! {
    "frames", AT;
    /// Trace: a row for each transmission of a radio network on the air, in order of beginning.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Transmission {
        /// when the transmission began at the sender
        time_s: Instant ["s", "PHY"];
        /// when it ended there
        end_s: Instant ["s", "PHY"];
        /// the radio network
        network: NetworkId ["", "", over ""];
        /// node that sent it
        from: NodeId ["", "", over ""];
        /// its receiver; empty: everybody
        to: Option<NodeId> ["", "", over ""];
        /// its kind, in the standard's words: DATA, ACK, RTS, CTS, ...
        kind: &'static str ["", "", over ""];
        /// its length
        bytes: u32 ["bytes", "PHY", over ""];
        /// the flow whose packet it carried; empty if it carried none
        flow: Option<FlowId> ["", "", over ""];
        /// the cause for which the receiver did not get it; empty if it did
        lost: Option<DropCause> ["", "PHY", over ""];
    }
}

table! {
    "associations", AT;
    /// Trace: a row for each change of the access point that a station of an 802.11 network belongs to, by the station's own
    /// books.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Association {
        /// when
        time_s: Instant ["s", "MAC"];
        /// the radio network
        network: NetworkId ["", "", over ""];
        /// the station's node
        station: NodeId ["", "", over ""];
        /// the access point's node; empty: it has lost its association
        access_point: Option<NodeId> ["", "MAC"];
    }
}

table! {
    "positions", AT;
    /// Trace: a row for each node that has a place, at the beginning; for those that move, one more for each bin of
    /// time.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Position {
        /// when
        time_s: Instant ["s", ""];
        /// the node
        node: NodeId ["", "", over ""];
        /// distance to the east
        x_m: f64 ["m", ""];
        /// distance to the north
        y_m: f64 ["m", ""];
        /// height
        z_m: f64 ["m", ""];
    }
}
