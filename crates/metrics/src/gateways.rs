//! One row per gateway: what it did for the connections through it.

use crate::glossary::{RUN, Term, term};
use crate::summary::{count, text};
use crate::table::Table;
use serde::Serialize;

/// The summary of one gateway.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
#[allow(missing_docs, reason = "each field is defined in the glossary under its name")]
pub struct GatewaySummary {
    pub node: String,
    pub kind: String,
    pub variant: String,
    pub buffer_bytes: u64,
    pub connections: u64,
    pub pre_acks: u64,
    pub window_updates: u64,
    pub pushed_back: u64,
    pub refused_packets: u64,
    pub copied_packets: u64,
    pub freed_packets: u64,
    pub retransmitted_packets: u64,
    pub retransmitted_bytes: u64,
    pub timeouts: u64,
    pub fast_retransmits: u64,
    pub suppressed_acks: u64,
    pub given_up_packets: u64,
    pub dropped_packets: u64,
    pub buffered_max_bytes: u64,
    pub crashes: u64,
    pub crash_unconfirmed_bytes: u64,
    pub acknowledged_undelivered_bytes: u64,
}

/// The table `gateways`: a row per gateway.
pub fn gateways_table(rows: &[GatewaySummary]) -> Table {
    Table::new()
        .with("node", text(rows, |r| &r.node))
        .with("kind", text(rows, |r| &r.kind))
        .with("variant", text(rows, |r| &r.variant))
        .with("buffer_bytes", count(rows, |r| r.buffer_bytes))
        .with("connections", count(rows, |r| r.connections))
        .with("pre_acks", count(rows, |r| r.pre_acks))
        .with("window_updates", count(rows, |r| r.window_updates))
        .with("pushed_back", count(rows, |r| r.pushed_back))
        .with("refused_packets", count(rows, |r| r.refused_packets))
        .with("copied_packets", count(rows, |r| r.copied_packets))
        .with("freed_packets", count(rows, |r| r.freed_packets))
        .with("retransmitted_packets", count(rows, |r| r.retransmitted_packets))
        .with("retransmitted_bytes", count(rows, |r| r.retransmitted_bytes))
        .with("timeouts", count(rows, |r| r.timeouts))
        .with("fast_retransmits", count(rows, |r| r.fast_retransmits))
        .with("suppressed_acks", count(rows, |r| r.suppressed_acks))
        .with("given_up_packets", count(rows, |r| r.given_up_packets))
        .with("dropped_packets", count(rows, |r| r.dropped_packets))
        .with("buffered_max_bytes", count(rows, |r| r.buffered_max_bytes))
        .with("crashes", count(rows, |r| r.crashes))
        .with("crash_unconfirmed_bytes", count(rows, |r| r.crash_unconfirmed_bytes))
        .with("acknowledged_undelivered_bytes", count(rows, |r| r.acknowledged_undelivered_bytes))
}

pub(crate) const TERMS: &[Term] = &[
    term("gateways", "node", "", "", RUN, "the gateway's node", ""),
    term("gateways", "kind", "", "", RUN, "intelligent, snoop or split", ""),
    term(
        "gateways",
        "variant",
        "",
        "",
        RUN,
        "the variant on the far side; empty where there is no sender there, or each flow has its own",
        "",
    ),
    term(
        "gateways",
        "buffer_bytes",
        "bytes of payload",
        "configuration",
        RUN,
        "room for each connection",
        "",
    ),
    term("gateways", "connections", "", "", RUN, "connections that pass through it both ways", ""),
    term(
        "gateways",
        "pre_acks",
        "packets",
        "transport, gateway",
        RUN,
        "acknowledgments sent to sources in place of the destination, window updates included",
        "",
    ),
    term(
        "gateways",
        "window_updates",
        "packets",
        "transport, gateway",
        RUN,
        "of these, sent only to say that there is room again",
        "",
    ),
    term(
        "gateways",
        "pushed_back",
        "",
        "transport, gateway",
        RUN,
        "times that the window given to a source closed: less room than a segment",
        "",
    ),
    term(
        "gateways",
        "refused_packets",
        "packets",
        "transport, gateway",
        RUN,
        "packets refused for lack of room (snoop: passed on uncached)",
        "",
    ),
    term("gateways", "copied_packets", "packets", "transport, gateway", RUN, "copies taken into buffers", ""),
    term(
        "gateways",
        "freed_packets",
        "packets",
        "transport, gateway",
        RUN,
        "copies freed, since the destination has the packet",
        "",
    ),
    term(
        "gateways",
        "retransmitted_packets",
        "packets",
        "transport, gateway",
        RUN,
        "packets sent again towards destinations",
        "",
    ),
    term(
        "gateways",
        "retransmitted_bytes",
        "bytes of payload",
        "transport, gateway",
        RUN,
        "their payload",
        "",
    ),
    term("gateways", "timeouts", "", "transport, gateway", RUN, "timeouts on the far side", ""),
    term(
        "gateways",
        "fast_retransmits",
        "",
        "transport, gateway",
        RUN,
        "losses on the far side seen from acknowledgments",
        "",
    ),
    term(
        "gateways",
        "suppressed_acks",
        "packets",
        "transport, gateway",
        RUN,
        "acknowledgments kept from sources (snoop)",
        "",
    ),
    term(
        "gateways",
        "given_up_packets",
        "packets",
        "transport, gateway",
        RUN,
        "copies given up, since the gateway's own queue had dropped the packet: that loss is the source's (snoop)",
        "",
    ),
    term(
        "gateways",
        "dropped_packets",
        "packets",
        "transport, gateway",
        RUN,
        "packets of connections that a crash has ended (split)",
        "",
    ),
    term(
        "gateways",
        "buffered_max_bytes",
        "bytes of payload",
        "transport, gateway",
        RUN,
        "the most held at once, all connections together",
        "",
    ),
    term("gateways", "crashes", "", "", RUN, "times that it went down", ""),
    term(
        "gateways",
        "crash_unconfirmed_bytes",
        "bytes of payload",
        "transport, gateway",
        RUN,
        "acknowledged to sources and not confirmed by destinations at the moments of crashes",
        "",
    ),
    term(
        "gateways",
        "acknowledged_undelivered_bytes",
        "bytes of payload",
        "transport",
        "end of the run",
        "acknowledged to sources by this gateway and not delivered to destinations at the end of the run: in its buffer, on the way, or lost by a crash",
        "",
    ),
];
