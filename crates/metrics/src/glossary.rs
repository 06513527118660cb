//! What every metric and every column of a trace means, in one line each. `docs/metrics.md` is written from this.

mod runs;

/// One metric, or one column of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// Where it appears: `flows`, `links`, `run`, `runs`, or a trace.
    pub table: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// At which layer it is observed.
    pub layer: &'static str,
    /// Over which interval it is taken.
    pub interval: &'static str,
    /// The formula, or what is counted.
    pub definition: &'static str,
    /// The standard or program that defines the same; empty where there is none.
    pub equals: &'static str,
}

pub(crate) const fn term(
    table: &'static str,
    name: &'static str,
    unit: &'static str,
    layer: &'static str,
    interval: &'static str,
    definition: &'static str,
    equals: &'static str,
) -> Term {
    Term { table, name, unit, layer, interval, definition, equals }
}

const FLOW: &str = "flow: its start to its stop, or to the end of the run";
pub(crate) const RUN: &str = "whole run";
const AT: &str = "instant";

/// The tables, each with what it holds.
pub const TABLES: [(&str, &str); 13] = [
    ("flows", "One row per flow; in JSON `flows[]`, where losses by cause are `lost_packets`."),
    ("links", "One row per direction of a link; in JSON `links[]`, where losses by cause are `drops`."),
    (
        "loss_reactions",
        "What senders reacted to against what they took it for: a row for each combination that occurred; in JSON `loss_reactions` of each flow. The truth is the simulator's, no sender can see it.",
    ),
    ("gateways", "One row per gateway; in JSON `gateways[]`."),
    ("run", "The run as a whole; in JSON `fairness`."),
    (
        "runs",
        "One row per run of a sweep or a comparison, in `runs.csv`: its flows taken together, those that take the variant, or all.",
    ),
    (
        "segments",
        "Trace: every packet at every place, data and acknowledgments. A packet that finds a queue full has its `enq` first; one that a loss model takes before the queue has none.",
    ),
    ("cwnd", "Trace: a row for each change."),
    ("state", "Trace: a row for each change; for `rtt`, for each measurement."),
    ("queue", "Trace: a row for each change. An arrival that finds no room is not in it."),
    ("drops", "Trace: a row for each lost packet. It is the truth, which no sender can see."),
    ("throughput", "Trace: a row for each flow and bin of time."),
    ("delay", "Trace: a row for each packet that reached its flow's destination."),
];

/// Every term.
pub fn terms() -> impl Iterator<Item = &'static Term> {
    TERMS.iter().chain(crate::gateways::TERMS).chain(runs::TERMS)
}

const TERMS: &[Term] = &[
    term("flows", "flow", "", "", RUN, "the flow's number, from 0, in the scenario's order", ""),
    term("flows", "name", "", "", RUN, "the flow's name", ""),
    term("flows", "variant", "", "", RUN, "TCP variant, or `udp`", ""),
    term("flows", "from", "", "", RUN, "node of the source", ""),
    term("flows", "to", "", "", RUN, "node of the destination", ""),
    term(
        "flows",
        "goodput_bps",
        "bit/s",
        "transport, sender",
        FLOW,
        "8 acked_bytes / interval_s; datagrams: 8 delivered_bytes / interval_s",
        "goodput of RFC 5166 section 2.1.1, up to what is delivered and not yet acknowledged",
    ),
    term(
        "flows",
        "throughput_bps",
        "bit/s",
        "link, receiver",
        FLOW,
        "8 received_bytes / interval_s: with headers and copies",
        "throughput of RFC 5166 section 2.1.1",
    ),
    term(
        "flows",
        "new_data_bps",
        "bit/s",
        "transport, sender",
        FLOW,
        "8 (sent_bytes - retransmitted_bytes) / interval_s: what is in flight or lost at the end counts",
        "throughput of study abadin (there in bytes/s)",
    ),
    term(
        "flows",
        "flowmonitor_throughput_bps",
        "bit/s",
        "link, receiver",
        "first to last arrival",
        "8 received_bytes / (last arrival - first arrival)",
        "FlowMonitor: 8 rxBytes / (timeLastRxPacket - timeFirstRxPacket)",
    ),
    term("flows", "interval_s", "s", "", FLOW, "length of the interval", ""),
    term(
        "flows",
        "sent_packets",
        "packets",
        "transport, sender",
        RUN,
        "packets handed down, retransmissions and bare SYN, FIN, ACK included",
        "FlowMonitor txPackets",
    ),
    term("flows", "sent_bytes", "bytes of payload", "transport, sender", RUN, "their payload", ""),
    term(
        "flows",
        "acked_packets",
        "segments",
        "transport, sender",
        RUN,
        "segments newly acknowledged cumulatively; datagrams: received",
        "",
    ),
    term(
        "flows",
        "acked_bytes",
        "bytes of payload",
        "transport, sender",
        RUN,
        "their payload, each byte once",
        "",
    ),
    term(
        "flows",
        "retransmitted_packets",
        "packets",
        "transport, sender",
        RUN,
        "packets sent that carry a segment sent before",
        "ns-2 nrexmitpack_",
    ),
    term(
        "flows",
        "retransmitted_bytes",
        "bytes of payload",
        "transport, sender",
        RUN,
        "their payload",
        "ns-2 nrexmitbytes_",
    ),
    term(
        "flows",
        "received_packets",
        "packets",
        "link, receiver",
        RUN,
        "packets that reached the destination, copies included",
        "FlowMonitor rxPackets",
    ),
    term(
        "flows",
        "received_bytes",
        "bytes on the wire",
        "link, receiver",
        RUN,
        "their size with headers",
        "FlowMonitor rxBytes",
    ),
    term(
        "flows",
        "delivered_bytes",
        "bytes of payload",
        "application, receiver",
        RUN,
        "payload handed to the receiving application, each byte once and in order; datagrams: as they come",
        "",
    ),
    term(
        "flows",
        "lost_packets_total",
        "packets",
        "link",
        RUN,
        "packets from source to destination that were lost, all causes",
        "",
    ),
    term("flows", "lost_queue_packets", "packets", "link", RUN, "of these, found a queue full", ""),
    term(
        "flows",
        "lost_aqm_packets",
        "packets",
        "link",
        RUN,
        "of these, dropped by active queue management though there was room",
        "",
    ),
    term("flows", "lost_random_packets", "packets", "link", RUN, "of these, taken by random packet loss", ""),
    term(
        "flows",
        "lost_gilbert_elliott_packets",
        "packets",
        "link",
        RUN,
        "of these, taken by the Gilbert-Elliott model",
        "",
    ),
    term(
        "flows",
        "lost_bit_error_packets",
        "packets",
        "link",
        RUN,
        "of these, with at least one wrong bit",
        "",
    ),
    term("flows", "lost_list_packets", "packets", "link", RUN, "of these, listed by the scenario", ""),
    term("flows", "lost_periodic_packets", "packets", "link", RUN, "of these, taken by periodic loss", ""),
    term("flows", "lost_trace_packets", "packets", "link", RUN, "of these, taken by a loss trace", ""),
    term("flows", "lost_outage_packets", "packets", "link", RUN, "of these, on a link that was down", ""),
    term(
        "flows",
        "lost_acks_total",
        "packets",
        "link",
        RUN,
        "acknowledgments from destination to source that were lost, all causes",
        "",
    ),
    term(
        "flows",
        "marked_packets",
        "packets",
        "link",
        RUN,
        "packets from source to destination that a queue marked instead of dropping them (ECN)",
        "",
    ),
    term(
        "flows",
        "duplicated_packets",
        "packets",
        "link",
        RUN,
        "second copies that links made of packets from source to destination",
        "",
    ),
    term(
        "flows",
        "loss_ratio",
        "",
        "link",
        RUN,
        "lost_packets_total / (lost_packets_total + received_packets)",
        "FlowMonitor lostPackets / (rxPackets + lostPackets), with true losses instead of packets unseen for 10 s",
    ),
    term(
        "flows",
        "in_flight_packets",
        "packets",
        "link",
        "end of the run",
        "sent_packets + duplicated_packets - received_packets - lost_packets_total, and what gateways sent less what they took",
        "",
    ),
    term(
        "flows",
        "delay_mean_s",
        "s",
        "link, one way",
        RUN,
        "mean of arrival - sending over received packets; a retransmission is a packet of its own",
        "FlowMonitor delaySum / rxPackets",
    ),
    term("flows", "delay_max_s", "s", "link, one way", RUN, "the longest of them", "FlowMonitor maxDelay"),
    term(
        "flows",
        "jitter_mean_s",
        "s",
        "link, one way",
        RUN,
        "mean of |d_i - d_(i-1)| over packets in order of arrival, from the second on",
        "FlowMonitor jitterSum / (rxPackets - 1); RFC 3393 with consecutive packets selected",
    ),
    term(
        "flows",
        "rtt_mean_s",
        "s",
        "transport, sender",
        RUN,
        "mean of the round-trip times that the sender measured",
        "",
    ),
    term("flows", "rtt_min_s", "s", "transport, sender", RUN, "the shortest of them", ""),
    term(
        "flows",
        "fct_s",
        "s",
        "transport, sender",
        "start to completion",
        "time from the flow's start until its last byte was acknowledged; absent where it did not end",
        "connection transfer time of RFC 5166 section 2.1.1",
    ),
    term("flows", "timeouts", "", "transport, sender", RUN, "retransmission timeouts that fired", ""),
    term(
        "flows",
        "fast_retransmits",
        "",
        "transport, sender",
        RUN,
        "times that fast retransmit was entered",
        "",
    ),
    term("loss_reactions", "flow", "", "", RUN, "the flow's number, from 0", ""),
    term(
        "loss_reactions",
        "found_by",
        "",
        "transport, sender",
        RUN,
        "what showed the loss: `acks` (fast retransmit) or `timeout`",
        "",
    ),
    term(
        "loss_reactions",
        "truth",
        "",
        "link",
        RUN,
        "what had happened to the oldest outstanding segment: `congestion` (a queue dropped it), `random` (it was lost otherwise), `not-lost`",
        "",
    ),
    term(
        "loss_reactions",
        "taken_for",
        "",
        "transport, sender",
        RUN,
        "what congestion control took it for: `congestion` or `random`; a control that does not tell them apart takes every loss for congestion, one that leaves the window uncut takes it for random",
        "",
    ),
    term("loss_reactions", "count", "", "transport, sender", RUN, "how often that was so", ""),
    term("links", "name", "", "", RUN, "`a>b`: from node a to node b", ""),
    term(
        "links",
        "utilisation",
        "",
        "link",
        RUN,
        "share of the run during which it transmitted",
        "link utilisation of RFC 5166 section 2.1.1",
    ),
    term("links", "sent_packets", "packets", "link", RUN, "packets whose transmission ended", ""),
    term("links", "sent_bytes", "bytes on the wire", "link", RUN, "their size with headers", ""),
    term("links", "lost_queue_packets", "packets", "link", RUN, "arrivals that found the queue full", ""),
    term(
        "links",
        "lost_aqm_packets",
        "packets",
        "link",
        RUN,
        "packets dropped by active queue management though there was room",
        "",
    ),
    term("links", "lost_random_packets", "packets", "link", RUN, "packets taken by random packet loss", ""),
    term(
        "links",
        "lost_gilbert_elliott_packets",
        "packets",
        "link",
        RUN,
        "packets taken by the Gilbert-Elliott model",
        "",
    ),
    term(
        "links",
        "lost_bit_error_packets",
        "packets",
        "link",
        RUN,
        "packets with at least one wrong bit",
        "",
    ),
    term("links", "lost_list_packets", "packets", "link", RUN, "packets listed by the scenario", ""),
    term("links", "lost_periodic_packets", "packets", "link", RUN, "packets taken by periodic loss", ""),
    term("links", "lost_trace_packets", "packets", "link", RUN, "packets taken by a loss trace", ""),
    term(
        "links",
        "lost_outage_packets",
        "packets",
        "link",
        RUN,
        "packets lost because the link was down",
        "",
    ),
    term(
        "links",
        "marked_packets",
        "packets",
        "link",
        RUN,
        "packets that the queue marked instead of dropping them (ECN)",
        "",
    ),
    term("links", "duplicated_packets", "packets", "link", RUN, "second copies that the wire made", ""),
    term(
        "links",
        "queue_mean_packets",
        "packets",
        "link",
        RUN,
        "packets in the queue, the one in transmission included, averaged over time",
        "",
    ),
    term("links", "queue_max_packets", "packets", "link", RUN, "the most that were in it at once", ""),
    term(
        "links",
        "queue_delay_mean_s",
        "s",
        "link",
        RUN,
        "time from joining the queue to the beginning of transmission, averaged over packets",
        "queueing delay of RFC 5166 section 2.1.2",
    ),
    term(
        "run",
        "jain",
        "",
        "transport, sender",
        FLOW,
        "(sum x)^2 / (n sum x^2) over the flows' goodput_bps; absent where no flow got anything",
        "Jain's fairness index of RFC 5166 section 2.3.1",
    ),
    term("segments", "time_s", "s", "", AT, "when; CSV shows 9 decimals, halves rounded up", ""),
    term(
        "segments",
        "event",
        "",
        "",
        AT,
        "`send`: the sender hands a segment down; `enq`: joins a queue; `deq`: transmission begins; `recv`: arrives at the far end; `drop`: is lost; `mark`: a queue marks it (ECN); `duplicate`: the wire delivers it once more; `acksent`: the receiver hands an acknowledgment down; `ack`: it reaches the sender",
        "",
    ),
    term(
        "segments",
        "place",
        "",
        "",
        AT,
        "a node (`send`, `acksent`, `ack`) or the direction `a>b` of a link (the rest)",
        "",
    ),
    term("segments", "flow", "", "", AT, "the flow's number", ""),
    term(
        "segments",
        "seq",
        "packets or bytes",
        "transport",
        AT,
        "packet number from 0 (`ns2`, datagrams) or offset of the first byte (`rfc`, `linux`); on acknowledgments the highest packet received in order (`ns2`) or the next byte expected",
        "",
    ),
    term("segments", "bytes", "bytes on the wire", "link", AT, "size with headers", ""),
    term(
        "segments",
        "cause",
        "",
        "link",
        AT,
        "of a `drop`: `queue`, `random`, `bit-error`, `list`, `outage`; empty else",
        "",
    ),
    term("cwnd", "time_s", "s", "", AT, "when", ""),
    term("cwnd", "flow", "", "", AT, "the flow's number", ""),
    term(
        "cwnd",
        "variable",
        "",
        "",
        AT,
        "`cwnd`: congestion window; `ssthresh`: slow-start threshold (RFC 5681)",
        "",
    ),
    term("cwnd", "value", "segments", "transport, sender", AT, "its new value", ""),
    term("state", "time_s", "s", "", AT, "when", ""),
    term("state", "flow", "", "", AT, "the flow's number", ""),
    term(
        "state",
        "variable",
        "",
        "",
        AT,
        "`rtt`: one measured round-trip time; `srtt`: smoothed (RFC 6298); `rto`: timeout in force, backoff included; `in_flight`: segments sent and not known to have left the network; `recovery`: 0 open, 1 fast recovery, 2 after a timeout",
        "",
    ),
    term(
        "state",
        "value",
        "s (rtt, srtt, rto), segments (in_flight)",
        "transport, sender",
        AT,
        "its new value",
        "",
    ),
    term("queue", "time_s", "s", "", AT, "when", ""),
    term("queue", "link", "", "", AT, "the direction `a>b` of a link", ""),
    term(
        "queue",
        "packets",
        "packets",
        "link",
        AT,
        "packets in the queue, the one in transmission included",
        "",
    ),
    term("queue", "bytes", "bytes on the wire", "link", AT, "their size with headers", ""),
    term("drops", "time_s", "s", "", AT, "when", ""),
    term("drops", "place", "", "", AT, "the direction `a>b` of a link", ""),
    term("drops", "flow", "", "", AT, "the flow's number", ""),
    term("drops", "seq", "packets or bytes", "transport", AT, "as in `segments`", ""),
    term("drops", "bytes", "bytes on the wire", "link", AT, "size with headers", ""),
    term("drops", "cause", "", "link", AT, "as in `segments`", ""),
    term("throughput", "time_s", "s", "", "bin", "start of the bin", ""),
    term("throughput", "bin_s", "s", "", "bin", "its width; the last ends with the run", ""),
    term("throughput", "flow", "", "", "bin", "the flow's number", ""),
    term(
        "throughput",
        "throughput_bps",
        "bit/s",
        "link, receiver",
        "bin",
        "8 x bytes on the wire that reached the destination / bin_s",
        "throughput of RFC 5166 section 2.1.1",
    ),
    term(
        "throughput",
        "goodput_bps",
        "bit/s",
        "transport, sender",
        "bin",
        "8 acked_bytes / bin_s; datagrams: 8 x payload that reached the destination / bin_s",
        "goodput of RFC 5166 section 2.1.1",
    ),
    term(
        "throughput",
        "sent_bytes",
        "bytes of payload",
        "transport, sender",
        "bin",
        "payload handed down, retransmissions included",
        "",
    ),
    term(
        "throughput",
        "retransmitted_bytes",
        "bytes of payload",
        "transport, sender",
        "bin",
        "of these, sent before",
        "",
    ),
    term(
        "throughput",
        "acked_bytes",
        "bytes of payload",
        "transport, sender",
        "bin",
        "payload newly acknowledged; datagrams: received",
        "",
    ),
    term(
        "throughput",
        "received_packets",
        "packets",
        "link, receiver",
        "bin",
        "packets that reached the destination, copies included",
        "",
    ),
    term(
        "throughput",
        "lost_packets",
        "packets",
        "link",
        "bin",
        "packets from source to destination that were lost",
        "",
    ),
    term("delay", "time_s", "s", "", AT, "arrival at the destination", ""),
    term("delay", "flow", "", "", AT, "the flow's number", ""),
    term("delay", "seq", "packets or bytes", "transport", AT, "as in `segments`", ""),
    term("delay", "delay_s", "s", "link, one way", AT, "arrival - sending", "one-way delay of RFC 7679"),
    term(
        "delay",
        "jitter_s",
        "s",
        "link, one way",
        AT,
        "|d_i - d_(i-1)| of packets in order of arrival; absent on the first",
        "absolute delay variation of RFC 3393 with consecutive packets selected",
    ),
];

/// The page `docs/metrics.md`.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Metrics and trace columns\n\n\
         Written from `crates/metrics/src/glossary.rs` (`make pages` renews it). Different definitions have\n\
         different names. Byte counts are payload unless the unit says otherwise. No single number tells which variant is\n\
         better: look at throughput, delay, loss and fairness together (RFC 5166 section 2).\n",
    );
    for (table, holds) in TABLES {
        page.push_str(&format!("\n## {table}\n\n{holds}\n\n| name | unit | definition | layer | interval | equals |\n|---|---|---|---|---|---|\n"));
        for t in terms().filter(|t| t.table == table) {
            let cells = [t.unit, t.definition, t.layer, t.interval, t.equals].map(|c| c.replace('|', "\\|"));
            page.push_str(&format!("| `{}` | {} |\n", t.name, cells.join(" | ")));
        }
    }
    page.push_str(FILES);
    page
}

/// What the traces that are files hold.
const FILES: &str = "
## Files

`pcap`: one capture `<stem>-<node>-<interface>.pcap` per interface of each host, nanosecond resolution, link type raw IPv4. A
packet is captured when the interface begins to transmit it and when it has arrived whole. Payload is cut off but counted
in every length. Node *n* (from 0) has the address 10.0.0.0 + *n* + 1; flow *f* goes from port 40000 + *f* to 5001 + *f*;
initial sequence numbers are 0. Options and flags are those of the simulated segments; where a profile counts fewer bytes
on the wire than the headers take (ns-2's Vegas; SACK blocks in `ns2`), the capture shows the headers whole. Profiles
without a handshake have no SYN of the receiver, so Wireshark shows their windows unscaled. Wireshark labels retransmissions
by guess: at the sender `tcp.analysis.retransmission` and `tcp.analysis.out_of_order` together are `retransmitted_packets`.

`ns2`: ns-2's wired format, `ev time from to type size flags fid src.port dst.port seq uid`. `ev` is `+` (joins a queue), `-`
(transmission begins), `r` (arrives at the far end), `d` (lost); times are rounded to the microsecond; nodes are numbered
in order of first appearance in the scenario; type is `tcp`, `ack` or `cbr`; `seq` is the packet number whatever the profile;
`uid` numbers packets in order of sending.
";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorder::tests::{ms, play, subjects};
    use crate::{FlowStats, FlowSummary, LinkStats, LinkSummary, Observe, Recorder, Trace};
    use base::Instant;

    #[test]
    fn every_column_is_defined_once() {
        let names: Vec<String> = Trace::ALL.map(|t| t.name().to_owned()).to_vec();
        let observe = Observe::parse(&names, base::Duration::from_secs(1)).unwrap();
        let mut recorder = Recorder::new(&observe, subjects());
        play(&mut recorder);
        let mut tables = recorder.finish(ms(150)).tables;
        let identity = crate::FlowIdentity {
            name: String::new(),
            variant: String::new(),
            from: String::new(),
            to: String::new(),
            start: Instant::ZERO,
            stop: Instant::ZERO,
        };
        tables.insert(
            "flows",
            crate::flows_table(&[FlowSummary::new(identity, &FlowStats::default(), Vec::new())]),
        );
        let link = LinkSummary::new(String::new(), &LinkStats::default(), Instant::ZERO);
        tables.insert("links", crate::links_table(&[link]));
        tables.insert("loss_reactions", crate::loss_reactions_table(&[Vec::new()]));
        tables.insert("gateways", crate::gateways_table(&[]));
        for (name, table) in &tables {
            let columns: Vec<&str> = table.columns().iter().map(|(column, _)| *column).collect();
            let terms: Vec<&str> = terms().filter(|t| t.table == *name).map(|t| t.name).collect();
            assert_eq!(columns, terms, "table {name}");
        }
        for term in terms() {
            assert!(TABLES.iter().any(|(table, _)| *table == term.table), "{term:?}");
        }
    }

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/metrics.md");

    #[test]
    fn the_page_is_current() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        assert!(page == markdown(), "docs/metrics.md is not what glossary.rs says: make pages");
    }

    #[test]
    #[ignore = "writes docs/metrics.md"]
    fn renew_the_page() {
        std::fs::write(PAGE, markdown()).unwrap();
    }
}
