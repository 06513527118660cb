//! The table `gateways`: counters of each proxy on a path (intelligent gateway, Snoop, split TCP).

use crate::row::{RUN, table};
use serde::Serialize;

table! {
    "gateways", RUN;
    /// One row per gateway; in JSON `gateways[]`.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
    pub struct GatewaySummary {
        /// the gateway's node
        node: String ["", ""];
        /// intelligent, pre-ack, snoop or split
        kind: String ["", ""];
        /// TCP variant of the gateway's sender towards the destination; empty if the gateway has no sender,
        /// or one variant per flow
        variant: String ["", ""];
        /// capacity of the buffer of each connection
        buffer_bytes: u64 ["bytes of payload", "configuration"];
        /// connections of which both directions pass through the gateway
        connections: u64 ["", ""];
        /// acknowledgments sent to sources in place of the destination, window updates included
        pre_acks: u64 ["packets", "transport, gateway"];
        /// pre_acks sent only to announce a window that is open again
        window_updates: u64 ["packets", "transport, gateway"];
        /// times that the window advertised to a source fell below one segment
        zero_window_events: u64 ["", "transport, gateway", was "pushed_back"];
        /// packets refused because the buffer was full (snoop: forwarded without a copy)
        refused_packets: u64 ["packets", "transport, gateway"];
        /// packets copied into buffers
        copied_packets: u64 ["packets", "transport, gateway"];
        /// copies freed because the destination had acknowledged the packet
        freed_packets: u64 ["packets", "transport, gateway"];
        /// retransmissions towards destinations
        retransmitted_packets: u64 ["packets", "transport, gateway"];
        /// payload of retransmitted_packets
        retransmitted_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// retransmission timeouts towards destinations
        timeouts: u64 ["", "transport, gateway"];
        /// losses on the path to destinations that acknowledgments revealed
        fast_retransmits: u64 ["", "transport, gateway"];
        /// acknowledgments not forwarded to sources (snoop)
        suppressed_acks: u64 ["packets", "transport, gateway"];
        /// copies discarded because the gateway's own queue had dropped the packet: the source must react to
        /// that loss (snoop)
        given_up_packets: u64 ["packets", "transport, gateway"];
        /// packets of connections that had ended by a crash of the gateway (split)
        dropped_packets: u64 ["packets", "transport, gateway"];
        /// largest payload buffered at one time, all connections together
        buffered_max_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// times that the gateway crashed
        crashes: u64 ["", ""];
        /// bytes acknowledged to sources but not yet by destinations, summed over crashes
        crash_unconfirmed_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// bytes that the gateway had acknowledged to sources and that destinations had not received at the
        /// end of the run: in its buffer, in flight, or lost by a crash
        acknowledged_undelivered_bytes: u64 ["bytes of payload", "transport", over "end of the run"];
    }
}
