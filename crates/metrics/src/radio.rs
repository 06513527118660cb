//! Tables of radio networks: `stations` (802.11), `ues` and `cells` (LTE), and the traces `frames`,
//! `associations` and `positions`.

use crate::row::{AT, NetworkId, RUN, table};
use base::{DropCause, FlowId, Instant, NodeId};
use serde::Serialize;

table! {
    "stations", RUN;
    /// One row per station of an 802.11 network; in JSON `stations[]`. JSON also has `wifi[]` with each
    /// network's name, standard, access point and utilisation: the share of the run during which at least one
    /// station transmitted. With EDCA each network has `categories[]`: for each access category, sums over
    /// all stations of TXOPs, data frames, acknowledged packets, packets lost because a queue was full, and
    /// internal collisions.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct StationSummary {
        /// name of the 802.11 network
        network: String ["", ""];
        /// the station's node
        station: String ["", ""];
        /// packets that entered the network at this station
        offered_packets: u64 ["packets", "network", was "entered_packets"];
        /// packets that left the network at this station
        delivered_packets: u64 ["packets", "network"];
        /// bytes of delivered_packets, without 802.11 headers
        delivered_bytes: u64 ["bytes with headers", "network"];
        /// packets of other stations that this station forwarded
        forwarded_packets: u64 ["packets", "network"];
        /// packets lost at this station, all causes
        lost_packets_total: u64 ["packets", "network"];
        /// packets lost because the queue was full, or because they had waited too long
        lost_queue_packets: u64 ["packets", "MAC"];
        /// packets dropped by the queue discipline that feeds the station's queue
        lost_aqm_packets: u64 ["packets", "queue discipline"];
        /// packets dropped after a collision, if frames are not retransmitted
        lost_collision_packets: u64 ["packets", "MAC"];
        /// packets dropped after a frame was lost to noise, if frames are not retransmitted
        lost_noise_packets: u64 ["packets", "MAC"];
        /// packets dropped when their frames had reached the retry limit
        lost_retry_limit_packets: u64 ["packets", "MAC"];
        /// packets dropped at the retry limit whose last frame was too weak to be received even without interference
        lost_out_of_range_packets: u64 ["packets", "MAC"];
        /// packets dropped because there was no route to their destination
        lost_no_route_packets: u64 ["packets", "network"];
        /// packets from or to a station that was not associated with the access point; only with `association
        /// = "exchange"`
        lost_not_associated_packets: u64 ["packets", "MAC"];
        /// time of the first association with an access point; empty: no association, or no access point
        associated_s: Option<f64> ["s", "MAC"];
        /// times that the station lost its association
        disassociations: u64 ["", "MAC"];
        /// times that the station moved from one access point to another; empty: the network has at most one
        /// access point
        #[serde(skip_serializing_if = "Option::is_none")]
        handovers: Option<u32> ["", "MAC"];
        /// access point of the station at the end of the run; empty: not associated, or the network has at
        /// most one access point
        #[serde(skip_serializing_if = "String::is_empty")]
        access_point: String ["", "MAC"];
        /// packets waiting or in transmission at the end of the run
        queued_at_end_packets: u64 ["packets", "MAC", was "left_packets"];
        /// data frames sent, retransmissions included
        data_frames: u64 ["frames", "MAC"];
        /// RTS frames sent
        rts_frames: u64 ["frames", "MAC"];
        /// CTS, CTS-to-self, ACK and Block ACK frames sent
        response_frames: u64 ["frames", "MAC"];
        /// frames sent of other kinds: broadcast, management and routing frames, Block ACK requests, CF-End
        control_frames: u64 ["frames", "MAC"];
        /// data, management and RTS frames lost to collisions
        failed_collision_frames: u64 ["frames", "PHY, receiver"];
        /// data, management and RTS frames lost to noise
        failed_noise_frames: u64 ["frames", "PHY, receiver"];
        /// data, management and RTS frames that were too weak to be received even without interference
        failed_out_of_range_frames: u64 ["frames", "PHY, receiver"];
        /// data, management and RTS frames lost because their receiver was transmitting
        failed_transmitting_frames: u64 ["frames", "PHY, receiver"];
        /// data, management and RTS frames that were received, but whose response was lost
        unanswered_frames: u64 ["frames", "MAC"];
        /// RTS frames that the receiver did not answer because its NAV was set
        refused_frames: u64 ["frames", "MAC"];
        /// data frames that this station received more than once (retry duplicates)
        duplicate_frames: u64 ["frames", "MAC, receiver"];
        /// time that the station spent transmitting
        airtime_s: f64 ["s", "PHY"];
    }
}

table! {
    "ues", RUN;
    /// One row per UE of an LTE network; in JSON `ues[]`. JSON also has `lte[]` with each network's name,
    /// bandwidth and gateway.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct UeSummary {
        /// name of the LTE network to which the UE belongs
        network: String ["", ""];
        /// the UE's node
        ue: String ["", ""];
        /// the eNodeB that serves the UE at the end of the run
        cell: String ["", ""];
        /// the last channel quality indicator (CQI) used, 0 to 15
        cqi: u64 ["", "PHY"];
        /// packets for the UE that entered the network
        downlink_offered_packets: u64 ["packets", "network", was "downlink_entered_packets"];
        /// packets that reached the UE
        downlink_delivered_packets: u64 ["packets", "network"];
        /// downlink packets lost because the queue of the S1 link was full
        downlink_lost_backhaul_packets: u64 ["packets", "S1"];
        /// downlink packets lost because the RLC buffer was full
        downlink_lost_buffer_packets: u64 ["packets", "RLC"];
        /// downlink packets lost after the last HARQ and RLC retransmission
        downlink_lost_harq_packets: u64 ["packets", "MAC, RLC"];
        /// downlink packets lost at handovers
        downlink_lost_handover_packets: u64 ["packets", "RLC"];
        /// transport blocks sent to the UE, each once
        downlink_blocks: u64 ["transport blocks", "MAC"];
        /// size of downlink_blocks
        downlink_block_bytes: u64 ["bytes", "MAC"];
        /// HARQ retransmissions to the UE
        downlink_retransmissions: u64 ["transport blocks", "MAC"];
        /// transport blocks to the UE that failed in their last HARQ transmission
        downlink_dropped_after_harq: u64 ["transport blocks", "MAC", was "downlink_given_up"];
        /// resource blocks used for the UE, retransmissions included
        downlink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// packets that entered the network at the UE
        uplink_offered_packets: u64 ["packets", "network", was "uplink_entered_packets"];
        /// uplink packets that reached the gateway
        uplink_delivered_packets: u64 ["packets", "network"];
        /// uplink packets lost because the queue of the S1 link was full
        uplink_lost_backhaul_packets: u64 ["packets", "S1"];
        /// uplink packets lost because the RLC buffer was full
        uplink_lost_buffer_packets: u64 ["packets", "RLC"];
        /// uplink packets lost after the last HARQ and RLC retransmission
        uplink_lost_harq_packets: u64 ["packets", "MAC, RLC"];
        /// uplink packets lost at handovers
        uplink_lost_handover_packets: u64 ["packets", "RLC"];
        /// transport blocks sent by the UE, each once
        uplink_blocks: u64 ["transport blocks", "MAC"];
        /// size of uplink_blocks
        uplink_block_bytes: u64 ["bytes", "MAC"];
        /// HARQ retransmissions by the UE
        uplink_retransmissions: u64 ["transport blocks", "MAC"];
        /// transport blocks of the UE that failed in their last HARQ transmission
        uplink_dropped_after_harq: u64 ["transport blocks", "MAC", was "uplink_given_up"];
        /// resource blocks used by the UE, retransmissions included
        uplink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// handovers of the UE to another cell
        handovers: u64 ["", "RRC"];
        /// scheduling requests that the UE sent, or, with `grants = "shares"`, buffer status reports that it sent
        /// outside of transport blocks
        scheduling_requests: u64 ["", "MAC"];
        /// largest number of bytes that waited for the UE at the eNodeB
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
        /// subframes in which the eNodeB sent data
        busy_subframes: u64 ["subframes of 1 ms", "PHY"];
        /// downlink resource blocks used, retransmissions included
        downlink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// downlink_resource_blocks / downlink resource blocks available for data in the whole run
        downlink_utilisation: f64 ["", "PHY"];
        /// uplink resource blocks used by the cell's UEs, retransmissions included
        uplink_resource_blocks: u64 ["resource blocks", "PHY"];
        /// uplink_resource_blocks / uplink resource blocks available for data in the whole run
        uplink_utilisation: f64 ["", "PHY"];
    }
}

/// Summary of an 802.11 network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct WifiSummary {
    /// Name of the network in the scenario.
    pub name: String,
    /// Name of the standard, such as `802.11g`.
    pub standard: String,
    /// Node of each access point; `None` for an ad hoc network.
    pub access_point: Option<OneOrSeveral>,
    /// Share of the run during which at least one station transmitted.
    pub utilisation: f64,
    /// Access categories of EDCA, lowest priority first; empty without EDCA.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<CategorySummary>,
}

/// One name or a list of names; in JSON a string or an array.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum OneOrSeveral {
    /// The only name.
    One(String),
    /// Names in the order of the scenario.
    Several(Vec<String>),
}

/// Counters of one access category, summed over all stations of an 802.11 network.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CategorySummary {
    /// Name of the access category.
    pub category: &'static str,
    /// TXOPs obtained.
    pub txops: u64,
    /// Data frames sent, retransmissions included.
    pub data_frames: u64,
    /// Packets acknowledged by the next station.
    pub acknowledged_packets: u64,
    /// Packets lost because the category's queue was full, or because they had waited too long.
    pub lost_queue_packets: u64,
    /// Internal collisions: a higher category of the same station obtained the medium at the same instant.
    pub internal_collisions: u64,
}

/// Summary of an LTE network.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LteSummary {
    /// Name of the network in the scenario.
    pub name: String,
    /// Channel bandwidth as in the scenario.
    pub bandwidth: String,
    /// Node of the gateway.
    pub gateway: String,
}

table! {
    "frames", AT;
    /// Trace: a row for each transmission in a radio network, in order of its beginning.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Transmission {
        /// when the transmission began at the sender
        time_s: Instant ["s", "PHY"];
        /// when the transmission ended at the sender
        end_s: Instant ["s", "PHY"];
        /// the radio network
        network: NetworkId ["", "", over ""];
        /// node that sent the frame or transport block
        from: NodeId ["", "", over ""];
        /// node that should receive it; empty: broadcast
        to: Option<NodeId> ["", "", over ""];
        /// kind of frame in the standard's terms: DATA, ACK, RTS, CTS, ...
        kind: &'static str ["", "", over ""];
        /// length of the frame or transport block
        bytes: u32 ["bytes", "PHY", over ""];
        /// flow whose packet was carried; empty: no packet of a flow
        flow: Option<FlowId> ["", "", over ""];
        /// cause of the loss at the receiver; empty: received
        lost: Option<DropCause> ["", "PHY", over ""];
    }
}

table! {
    "associations", AT;
    /// Trace: a row for each change of the access point with which a station of an 802.11 network considers
    /// itself associated.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Association {
        /// time of the change
        time_s: Instant ["s", "MAC"];
        /// the radio network
        network: NetworkId ["", "", over ""];
        /// the station's node
        station: NodeId ["", "", over ""];
        /// node of the access point; empty: the station has lost its association
        access_point: Option<NodeId> ["", "MAC"];
    }
}

table! {
    "positions", AT;
    /// Trace: a row for each node that has a position, at the beginning of the run; for a moving node a
    /// further row per bin of time.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Position {
        /// time at which the node has the position
        time_s: Instant ["s", ""];
        /// the node
        node: NodeId ["", "", over ""];
        /// coordinate towards the east
        x_m: f64 ["m", ""];
        /// coordinate towards the north
        y_m: f64 ["m", ""];
        /// height above the ground
        z_m: f64 ["m", ""];
    }
}
