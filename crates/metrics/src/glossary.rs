//! Definitions of all metrics and columns of traces, one line each; the source of
//! `docs/reference/metrics.md`.

use crate::gateways::GatewaySummary;
use crate::observe::Trace;
use crate::radio::{CellSummary, StationSummary, UeSummary};
use crate::reactions::LossReaction;
use crate::row::{Declared, FLOW, RUN, Row, Term};
use crate::sessions::{CompletionSummary, SessionsSummary};
use crate::summary::{FlowSummary, LinkSummary};
use crate::table::Table;
use crate::video::VideoSummary;

/// Tables that every run has, in the order in which lists show them.
pub const RESULTS: [Declared; 10] = [
    FlowSummary::TABLE,
    LinkSummary::TABLE,
    LossReaction::TABLE,
    VideoSummary::TABLE,
    SessionsSummary::TABLE,
    CompletionSummary::TABLE,
    GatewaySummary::TABLE,
    StationSummary::TABLE,
    UeSummary::TABLE,
    CellSummary::TABLE,
];

/// Defines the metrics of a table that has no row type in this crate: name, unit, layer, interval and
/// equivalent if given, and definition.
macro_rules! terms {
    ($table:literal; $($name:literal [$unit:literal, $layer:literal $(, over $interval:expr)? $(, as $equals:expr)?] $definition:literal;)+) => {
        |terms| {
            const TERMS: &[Term] =
                &[$(Term::new($table, RUN, $name, $definition).of($unit, $layer)$(.over($interval))?$(.equals($equals))?,)+];
            terms.extend(TERMS);
        }
    };
}

/// Metrics of the run as a whole, which are in its JSON but in no table.
const OF_RUN: Declared = Declared {
    name: "run",
    holds: "The run as a whole; in JSON `fairness` and `manifest`.",
    terms: terms! { "run";
        "jain" ["", "transport, sender", over FLOW, as "Jain's fairness index of RFC 5166 section 2.3.1"]
            "(sum x)^2 / (n sum x^2) over the flows' goodput_bps; absent if every goodput is 0";
        "drop_digest" ["", "link"]
            "16 hexadecimal digits: digest of the drops and ECN marks at each place, in order, by flow, packet and cause but not by time. Runs with the same digest lost the same packets in the same order; zeros: no packet was dropped or marked";
    },
    empty: Table::new,
};

/// Metrics of a whole run, or of a group of its flows, in `runs.csv`. Python computes their values.
const OF_RUNS: Declared = Declared {
    name: "runs",
    holds: "One row per run of a sweep or a comparison, in `runs.csv`: totals and means over its flows. These are the flows that use the variant, or all flows.",
    terms: terms! { "runs";
        "goodput_bps" ["bit/s", "transport, sender", over FLOW, as "throughput of the aggregate in RFC 5166 section 2.1.1, counted as goodput"]
            "sum of goodput_bps over its flows";
        "throughput_bps" ["bit/s", "link, receiver", over FLOW]
            "sum of throughput_bps over its flows";
        "new_data_bps" ["bit/s", "transport, sender", over FLOW]
            "sum of new_data_bps over its flows";
        "packet_rtt_mean_s" ["s", "link, there and back"]
            "mean of packet_rtt_mean_s over its flows, all flows with equal weight";
        "packet_rtt_p50_s" ["s", "link, there and back"]
            "mean of packet_rtt_p50_s over its flows";
        "packet_rtt_p95_s" ["s", "link, there and back"]
            "mean of packet_rtt_p95_s over its flows";
        "packet_rtt_p99_s" ["s", "link, there and back"]
            "mean of packet_rtt_p99_s over its flows";
        "sampled_rtt_mean_s" ["s", "transport, sender"]
            "mean of sampled_rtt_mean_s over its flows";
        "delay_mean_s" ["s", "link, one way"]
            "mean of delay_mean_s over its flows, all flows with equal weight";
        "delay_p50_s" ["s", "link, one way"]
            "mean of delay_p50_s over its flows";
        "delay_p95_s" ["s", "link, one way"]
            "mean of delay_p95_s over its flows";
        "delay_p99_s" ["s", "link, one way"]
            "mean of delay_p99_s over its flows";
        "jitter_mean_s" ["s", "link, one way"]
            "mean of jitter_mean_s over its flows";
        "loss_ratio" ["", "link", as "FlowMonitor lostPackets / (rxPackets + lostPackets) of the aggregate"]
            "sum of lost_packets_total / sum of (lost_packets_total + received_packets), over its flows";
        "retransmitted_packets" ["packets", "transport, sender"]
            "sum of retransmitted_packets over its flows";
        "fct_mean_s" ["s", "transport, sender", over "start to completion"]
            "mean of fct_s over its flows, and of the requests of its flows with sessions; absent unless every flow of given size completed";
        "fct_p50_s" ["s", "transport, sender", over "start to completion"]
            "median of fct_s over its flows; of flows with sessions, fct_p50_s of table `completions`, averaged by requests; absent unless every flow of given size completed";
        "fct_p95_s" ["s", "transport, sender", over "start to completion"]
            "95th percentile of fct_s, as fct_p50_s";
        "fct_p99_s" ["s", "transport, sender", over "start to completion"]
            "99th percentile of fct_s, as fct_p50_s";
        "slowdown_mean" ["", "application, receiver"]
            "mean slowdown of the requests of its flows with sessions: completion time over that of the same transfer alone on the empty path";
        "slowdown_p50" ["", "application, receiver"]
            "median of the slowdown; of several flows or classes of size, the average by requests";
        "slowdown_p95" ["", "application, receiver"]
            "95th percentile of the slowdown, as slowdown_p50";
        "slowdown_p99" ["", "application, receiver"]
            "99th percentile of the slowdown, as slowdown_p50";
        "timeouts" ["", "transport, sender"]
            "sum of timeouts over its flows";
        "jain" ["", "transport, sender", over FLOW, as "Jain's fairness index of RFC 5166 section 2.3.1"]
            "(sum x)^2 / (n sum x^2) over the goodput_bps of its flows; in a mix, over the flows of both variants";
        "utilisation" ["", "link"]
            "share of the run during which the bottleneck transmitted. The bottleneck is the direction of a link, the air of an 802.11 network, or a direction of an LTE cell: the busiest of these, or the one chosen (docs/reference/compare.md). The air counts as busy while at least one station transmits; for a cell the share of resource blocks used is taken";
        "queue_mean_packets" ["packets", "link"]
            "queue_mean_packets of the bottleneck, if it is a link";
        "queue_delay_mean_s" ["s", "link"]
            "queue_delay_mean_s of the bottleneck, if it is a link";
        "other_goodput_bps" ["bit/s", "transport, sender", over FLOW]
            "mixes only: sum of goodput_bps over the flows of the other variant on the path";
        "share" ["", "transport, sender", over FLOW]
            "mixes only: x / (x + y), with x the mean goodput_bps of the variant's flows and y that of the other variant's; 0.5 is an equal share";
        "goodput_share" ["", "transport, sender", over FLOW]
            "of a group of flows (goodput_share:GROUP): its goodput_bps / that of all flows of the run";
        "drop_digest" ["", "link"]
            "drop_digest of the run, over all flows: replications with equal digests had the same losses";
    },
    empty: Table::new,
};

/// Returns the declarations of [`RESULTS`], then those of the metrics of whole runs (`run` and `runs`).
pub fn result_tables() -> impl Iterator<Item = Declared> {
    RESULTS.into_iter().chain([OF_RUN, OF_RUNS])
}

/// Returns every table, traces included, in the order in which lists show them.
pub fn tables() -> impl Iterator<Item = Declared> {
    result_tables().chain(Trace::ALL.into_iter().filter_map(Trace::table))
}

/// Writes the page `docs/reference/metrics.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Metrics and trace columns\n\n\
         Written from `crates/metrics/src/glossary.rs` (`make pages` renews it). Different definitions have\n\
         different names. Byte counts are payload unless the unit says otherwise. No single number tells which variant is\n\
         better: look at throughput, delay, loss and fairness together (RFC 5166 section 2).\n",
    );
    for table in tables() {
        let (name, holds) = (table.name, table.holds);
        page.push_str(&format!("\n## {name}\n\n{holds}\n\n| name | unit | definition | layer | interval | equals |\n|---|---|---|---|---|---|\n"));
        for t in table.terms() {
            let cells = [t.unit, t.definition, t.layer, t.interval, t.equals].map(|c| c.replace('|', "\\|"));
            page.push_str(&format!("| `{}` | {} |\n", t.name, cells.join(" | ")));
        }
    }
    page.push_str(FILES);
    page.push_str(FORMER);
    for t in renamed() {
        page.push_str(&format!("| `{}` | `{}` | `{}` |\n", t.table, t.was, t.name));
    }
    page
}

/// Returns the columns that had another name in the previous version.
pub fn renamed() -> impl Iterator<Item = Term> {
    tables().flat_map(|table| table.terms()).filter(|term| !term.was.is_empty())
}

/// Heading of the page's table of names in the previous version.
const FORMER: &str = "
## Former names

A column of a table is still found by the name that it had in the version before, with a warning; the next version drops these
names. So do the maps `lost_packets` of flows and `drops` of links, which the JSON of a run still has beside the columns
`lost_CAUSE_packets`.

| table | former name | name |
|---|---|---|
";

/// The page's section on traces that are files.
const FILES: &str = "
## Files

`pcap`: one capture `<stem>-<node>-<interface>.pcap` per interface of each host, nanosecond resolution, link type raw IPv4. A
packet is captured when the interface begins to transmit it (to a radio network: when it is handed to it) and when it has
arrived whole. Payload is cut off but counted
in every length. Node *n* (from 0) has the address 10.0.0.0 + *n* + 1, unless its table gives an `address`. Flow *f* goes from port
40000 + *f* to 5001 + *f*. Initial sequence numbers are 0. Options and flags are those of the simulated segments; where a profile counts fewer bytes
on the wire than the headers take (ns-2's Vegas; SACK blocks in `ns2`), the capture shows the headers whole. Profiles
without a handshake have no SYN of the receiver, so Wireshark shows their windows unscaled. Wireshark labels retransmissions
by guess: at the sender `tcp.analysis.retransmission` and `tcp.analysis.out_of_order` together are `retransmitted_packets`.

`ns2`: ns-2's wired format, `ev time from to type size flags fid src.port dst.port seq uid`. `ev` is `+` (joins a queue), `-`
(transmission begins; not in radio networks), `r` (arrives at the far end) or `d` (lost). A loss in a radio network has one
node, which stands for both. Times are rounded to the microsecond. Nodes are numbered in order of first appearance in the
scenario. `type` is `tcp`, `ack` or `cbr`. `seq` is the packet number, whatever the profile. `uid` numbers packets in order
of sending.

`flowmonitor`: the XML of ns-3's FlowMonitor, for scripts that read it. Each direction of a flow is a flow there, numbered
from 1 in order of first packets, with the addresses and ports of `pcap`. Bytes are those of IP datagrams, times are in
nanoseconds. Bins are as wide as FlowMonitor's defaults (1 ms, 20 bytes, 250 ms of interruptions above 500 ms). There is a
probe for each node. `lostPackets` counts a loss anywhere, at once; FlowMonitor counts packets not seen for 10 s, and drops
of the IP layer. `packetsDropped` has the losses whose cause has a code there: 0 no route, 3 queue, 4 active queue
management, 5 outage.

`evalvid`: of each video flow EvalVid's three traces. `<flow>-video.txt`: `number kind size packets time` of each frame that was
written; `<flow>-sent.txt` and `<flow>-received.txt`: `time id NUMBER udp SIZE` of each packet written and delivered, in seconds,
numbered from 1, the size with headers. Over TCP a packet is sent when the application writes it, and received in order.

`pcap-all`: the same of every node, so that a packet is seen at each router and access point that it passes.

`qlog`: logs of the two ends of each TCP and QUIC flow, as qlog 0.3 in a JSON sequence (RFC 7464), which qvis reads:
`<stem>-<flow>-client.sqlog`, of the end that sends, and `<stem>-<flow>-server.sqlog`. Times are in milliseconds of simulated time.
Events are `packet_sent`, `packet_received`, `packet_lost` and `metrics_updated`; QUIC stacks log theirs themselves, and their
`group_id` is the connection's first id. Of TCP also `congestion_state_updated`. Its packet numbers count the transmissions of an end,
and `acked_ranges` has the numbers of those newly acknowledged; sequence numbers, selective acknowledgments and flags are in `tcp`. A
packet is `packet_lost` when the sender sends its data again.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::tests::{ms, play, subjects};
    use crate::{Observe, Recorder};

    #[test]
    fn every_column_has_a_term() {
        let names: Vec<String> = Trace::ALL.map(|t| t.name().to_owned()).to_vec();
        let observe = Observe::parse(&names, base::Duration::from_secs(1)).unwrap();
        let mut recorder = Recorder::new(&observe, subjects());
        play(&mut recorder);
        let mut tables = recorder.finish(ms(150)).tables;
        tables.insert("flows", FlowSummary::table(&[]));
        tables.insert("links", LinkSummary::table(&[]));
        tables.insert("video", VideoSummary::table(&[]));
        for (name, table) in tables {
            let columns: Vec<&str> = table.columns().iter().map(|(column, _)| *column).collect();
            let declared = super::tables().find(|declared| declared.name == name).unwrap();
            assert_eq!(columns, declared.terms().iter().map(|term| term.name).collect::<Vec<_>>(), "{name}");
        }
    }

    #[test]
    fn a_name_is_one_tables_alone() {
        let mut names: Vec<&str> = tables().map(|table| table.name).collect();
        names.sort_unstable();
        assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    }

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/metrics.md");

    #[test]
    fn the_page_is_current() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        assert!(page == markdown(), "docs/reference/metrics.md is not what glossary.rs says: make pages");
    }

    #[test]
    #[ignore = "writes docs/reference/metrics.md"]
    fn renew_the_page() {
        std::fs::write(PAGE, markdown()).unwrap();
    }
}
