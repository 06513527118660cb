//! What every metric and every column of a trace means, in one line each. `docs/metrics.md` is written from this.

mod hops;
mod runs;
mod terms;
mod video;
mod writes;

use terms::TERMS;

const FLOW: &str = "flow: its start to its stop, or to the end of the run";
pub(crate) const RUN: &str = "whole run";
const AT: &str = "instant";

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

/// The tables, each with what it holds.
pub const TABLES: [(&str, &str); 20] = [
    ("flows", "One row per flow; in JSON `flows[]`, where losses by cause are `lost_packets`."),
    ("links", "One row per direction of a link; in JSON `links[]`, where losses by cause are `drops`."),
    (
        "loss_reactions",
        "What senders reacted to against what they took it for: a row for each combination that occurred; in JSON `loss_reactions` of each flow. The truth is the simulator's, no sender can see it.",
    ),
    (
        "video",
        "Of flows whose traffic is a video: a row for each kind of frame that it has (H, I, P, B) and one for all; in JSON `video` of each flow. EvalVid's quantities (Klaue, Rathke and Wolisz 2003).",
    ),
    ("gateways", "One row per gateway; in JSON `gateways[]`."),
    (
        "stations",
        "One row per station of an 802.11 network; in JSON `stations[]`, beside `wifi[]` with each network's name, standard and access point, and with EDCA `categories[]`: TXOPs, data frames, acknowledged packets, packets lost for want of room, and internal collisions of each access category.",
    ),
    (
        "ues",
        "One row per UE of an LTE network; in JSON `ues[]`, beside `lte[]` with each network's name, bandwidth and gateway.",
    ),
    ("cells", "One row per eNodeB of an LTE network; in JSON `cells[]`."),
    ("run", "The run as a whole; in JSON `fairness`."),
    (
        "runs",
        "One row per run of a sweep or a comparison, in `runs.csv`: its flows taken together, those that take the variant, or all.",
    ),
    (
        "segments",
        "Trace: every packet at every place, data and acknowledgments. A packet that finds a queue full has its `enq` first; one that a loss model takes before the queue has none. The crossing of a radio network is a place, too: `enq` where a packet enters it and `recv` where it leaves; what is lost inside is lost at a node (`drop`), the station that gave it up.",
    ),
    ("cwnd", "Trace: a row for each change."),
    ("state", "Trace: a row for each change; for `rtt`, for each measurement."),
    ("queue", "Trace: a row for each change. An arrival that finds no room is not in it."),
    (
        "hops",
        "Trace: a row for each packet on each link, once it has arrived or is lost. The queue that it stood in is part of the link.",
    ),
    ("drops", "Trace: a row for each lost packet. It is the truth, which no sender can see."),
    ("throughput", "Trace: a row for each flow and bin of time."),
    ("delay", "Trace: a row for each packet that reached its flow's destination."),
    ("frames", "Trace: a row for each transmission of a radio network on the air, in order of beginning."),
    (
        "positions",
        "Trace: a row for each node that has a place, at the beginning; for those that move, one more for each bin of time.",
    ),
];

/// Every term.
pub fn terms() -> impl Iterator<Item = &'static Term> {
    TERMS
        .iter()
        .chain(writes::TERMS)
        .chain(hops::TERMS)
        .chain(video::TERMS)
        .chain(crate::gateways::TERMS)
        .chain(crate::radio::terms())
        .chain(runs::TERMS)
}

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
packet is captured when the interface begins to transmit it (to a radio network: when it is handed to it) and when it has
arrived whole. Payload is cut off but counted
in every length. Node *n* (from 0) has the address 10.0.0.0 + *n* + 1; flow *f* goes from port 40000 + *f* to 5001 + *f*;
initial sequence numbers are 0. Options and flags are those of the simulated segments; where a profile counts fewer bytes
on the wire than the headers take (ns-2's Vegas; SACK blocks in `ns2`), the capture shows the headers whole. Profiles
without a handshake have no SYN of the receiver, so Wireshark shows their windows unscaled. Wireshark labels retransmissions
by guess: at the sender `tcp.analysis.retransmission` and `tcp.analysis.out_of_order` together are `retransmitted_packets`.

`ns2`: ns-2's wired format, `ev time from to type size flags fid src.port dst.port seq uid`. `ev` is `+` (joins a queue), `-`
(transmission begins; not in radio networks), `r` (arrives at the far end), `d` (lost; in a radio network at one node, which stands for
both); times are rounded to the microsecond; nodes are numbered
in order of first appearance in the scenario; type is `tcp`, `ack` or `cbr`; `seq` is the packet number whatever the profile;
`uid` numbers packets in order of sending.

`flowmonitor`: the XML of ns-3's FlowMonitor, for scripts that read it. Each direction of a flow is a flow there, numbered
from 1 in order of first packets, with the addresses and ports of `pcap`; bytes are those of IP datagrams; times are in
nanoseconds; bins are as wide as FlowMonitor's defaults (1 ms, 20 bytes, 250 ms of interruptions above 500 ms); there is a
probe for each node. `lostPackets` are the packets that were lost, wherever and at once (FlowMonitor: those not seen for 10 s,
and drops of the IP layer); `packetsDropped` has those whose cause has a code there: 0 no route, 3 queue, 4 active queue
management, 5 outage.

`evalvid`: of each video flow EvalVid's three traces. `<flow>-video.txt`: `number kind size packets time` of each frame that was
written; `<flow>-sent.txt` and `<flow>-received.txt`: `time id NUMBER udp SIZE` of each packet written and delivered, in seconds,
numbered from 1, the size with headers. Over TCP a packet is sent when the application writes it, and received in order.
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
            crate::flows_table(&[FlowSummary::new(
                identity,
                &FlowStats::default(),
                crate::WriteSummary::default(),
                Vec::new(),
            )]),
        );
        let link = LinkSummary::new(String::new(), &LinkStats::default(), Instant::ZERO);
        tables.insert("links", crate::links_table(&[link]));
        tables.insert("loss_reactions", crate::loss_reactions_table([].into_iter()));
        tables.insert("video", crate::video_table(std::iter::empty()));
        tables.insert("gateways", crate::gateways_table(&[]));
        tables.insert("stations", crate::radio::stations_table(&[]));
        tables.insert("ues", crate::radio::ues_table(&[]));
        tables.insert("cells", crate::radio::cells_table(&[]));
        tables.insert("frames", crate::radio::Frames::default().into_table(&[], &[]));
        tables.insert("positions", crate::radio::Positions::default().into_table(&[]));
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
