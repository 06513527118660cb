//! One row per gateway: what it did for the connections through it.

use crate::row::{RUN, table};
use serde::Serialize;

table! {
    "gateways", RUN;
    /// One row per gateway; in JSON `gateways[]`.
    #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
    pub struct GatewaySummary {
        /// the gateway's node
        node: String ["", ""];
        /// intelligent, snoop or split
        kind: String ["", ""];
        /// the variant on the far side; empty if there is no sender there, or each flow has its own
        variant: String ["", ""];
        /// room for each connection
        buffer_bytes: u64 ["bytes of payload", "configuration"];
        /// connections that pass through it both ways
        connections: u64 ["", ""];
        /// acknowledgments sent to sources in place of the destination, window updates included
        pre_acks: u64 ["packets", "transport, gateway"];
        /// of these, sent only to say that there is room again
        window_updates: u64 ["packets", "transport, gateway"];
        /// times that the window given to a source closed: less room than a segment
        zero_window_events: u64 ["", "transport, gateway", was "pushed_back"];
        /// packets refused for lack of room (snoop: passed on uncached)
        refused_packets: u64 ["packets", "transport, gateway"];
        /// copies taken into buffers
        copied_packets: u64 ["packets", "transport, gateway"];
        /// copies freed, since the destination has the packet
        freed_packets: u64 ["packets", "transport, gateway"];
        /// packets sent again towards destinations
        retransmitted_packets: u64 ["packets", "transport, gateway"];
        /// their payload
        retransmitted_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// timeouts on the far side
        timeouts: u64 ["", "transport, gateway"];
        /// losses on the far side seen from acknowledgments
        fast_retransmits: u64 ["", "transport, gateway"];
        /// acknowledgments kept from sources (snoop)
        suppressed_acks: u64 ["packets", "transport, gateway"];
        /// copies given up, since the gateway's own queue had dropped the packet: that loss is the source's (snoop)
        given_up_packets: u64 ["packets", "transport, gateway"];
        /// packets of connections that a crash has ended (split)
        dropped_packets: u64 ["packets", "transport, gateway"];
        /// the most held at once, all connections together
        buffered_max_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// times that it went down
        crashes: u64 ["", ""];
        /// acknowledged to sources and not confirmed by destinations at the moments of crashes
        crash_unconfirmed_bytes: u64 ["bytes of payload", "transport, gateway"];
        /// acknowledged to sources by this gateway and not delivered to destinations at the end of the run: in its
        /// buffer, on the way, or lost by a crash
        acknowledged_undelivered_bytes: u64 ["bytes of payload", "transport", over "end of the run"];
    }
}
