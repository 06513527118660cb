//! FlowMonitor's XML, for scripts that read ns-3's output.
//!
//! A flow of FlowMonitor is one direction of a flow of ackclock, so a TCP connection gives two. They are
//! numbered from 1 in order of their first packets. A packet counts as sent at its source and as received at
//! its destination, with the bytes of its IP datagram. A retransmission counts as a further packet. Addresses
//! and ports are those of [`pcap`](crate::pcap). Bins have FlowMonitor's default widths.
//!
//! Difference from ns-3: `lostPackets` counts each packet as soon as it is lost, wherever that is; ns-3
//! counts drops in its IP layer and packets not seen for 10 s. `packetsDropped` has the drops whose cause has
//! a code in ns-3.

use crate::headers::{PROTOCOL_TCP, PROTOCOL_UDP, endpoints};
use crate::kept::Kept;
use crate::output::write_file;
use crate::subjects::{FlowSubject, Subjects};
use crate::tracer::{Event, Recorded, TraceFiles, Tracer};
use base::{Body, DropCause, Duration, FlowId, Instant, NodeId, Packet, PacketEvent, Place, RealSegment};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Width of the bins of delay and of jitter.
const DELAY_BIN: Duration = Duration::from_ms(1);
/// Width of the bins of packet sizes, bytes.
const SIZE_BIN: u64 = 20;
/// Width of the bins of interruptions.
const INTERRUPTION_BIN: Duration = Duration::from_ms(250);
/// Shortest time without a packet that counts as an interruption.
const INTERRUPTION: Duration = Duration::from_ms(500);

/// Identifies a packet of one direction of a flow: time of sending (picoseconds), sequence number.
type Key = (u64, i64);

/// Statistics of one direction of a flow.
#[derive(Clone, Debug, Default)]
struct Flow {
    /// Number of the flow in the file, from 1; 0 before its first packet.
    id: u32,
    first_tx: Instant,
    last_tx: Instant,
    /// First and last arrival at the destination.
    rx: Option<[Instant; 2]>,
    delay_ps: u128,
    jitter_ps: u128,
    last_delay: Duration,
    max_delay: Duration,
    min_delay: Duration,
    tx_bytes: u64,
    tx_packets: u64,
    rx_bytes: u64,
    rx_packets: u64,
    lost_packets: u64,
    times_forwarded: u64,
    /// Numbers of dropped packets and of their bytes, by FlowMonitor's reason code.
    dropped: BTreeMap<u8, (u64, u64)>,
    delays: Histogram,
    jitters: Histogram,
    sizes: Histogram,
    interruptions: Histogram,
    /// For each packet in flight, the number of times it has been forwarded.
    forwards: BTreeMap<Key, u64>,
    /// Counts at each node that sent, forwarded or received packets of the flow.
    probes: BTreeMap<NodeId, Probed>,
}

/// Counts of one flow's packets that one node sent, forwarded or received.
#[derive(Clone, Copy, Debug, Default)]
struct Probed {
    packets: u64,
    bytes: u64,
    /// Sum over packets of the time since sending, picoseconds.
    delay_ps: u128,
}

/// Histogram: counts by index of the bin.
#[derive(Clone, Debug, Default)]
struct Histogram(BTreeMap<u64, u64>);

impl Histogram {
    fn add(&mut self, value: u64, width: u64) {
        *self.0.entry(value / width).or_default() += 1;
    }

    /// Writes the histogram as element `name`. Bins are `width` wide; the file shows values divided by `unit`.
    fn write(&self, out: &mut impl Write, name: &str, width: u64, unit: f64) -> io::Result<()> {
        let bins = self.0.last_key_value().map_or(0, |(last, _)| last + 1);
        writeln!(out, "      <{name} nBins=\"{bins}\" >")?;
        for (index, count) in &self.0 {
            let [start, width] = [index * width, width].map(|value| value as f64 / unit);
            writeln!(
                out,
                "        <bin index=\"{index}\" start=\"{start}\" width=\"{width}\" count=\"{count}\" />"
            )?;
        }
        writeln!(out, "      </{name}>")
    }
}

impl Flow {
    fn sent(&mut self, at: Instant, packet: &Packet) {
        if self.tx_packets == 0 {
            self.first_tx = at;
        }
        self.last_tx = at;
        self.tx_packets += 1;
        self.tx_bytes += u64::from(packet.wire);
    }

    fn received(&mut self, at: Instant, packet: &Packet) {
        let delay = at.since(packet.sent);
        if self.rx_packets > 0 {
            let jitter = delay.ps().abs_diff(self.last_delay.ps());
            self.jitter_ps += u128::from(jitter);
            self.jitters.add(jitter, DELAY_BIN.ps());
        }
        if let Some([_, last]) = self.rx
            && at.since(last) > INTERRUPTION
        {
            self.interruptions.add(at.since(last).ps(), INTERRUPTION_BIN.ps());
        }
        self.min_delay = if self.rx_packets > 0 { self.min_delay.min(delay) } else { delay };
        self.max_delay = self.max_delay.max(delay);
        self.last_delay = delay;
        self.delay_ps += u128::from(delay.ps());
        self.delays.add(delay.ps(), DELAY_BIN.ps());
        self.sizes.add(packet.wire.into(), SIZE_BIN);
        self.rx = Some([self.rx.map_or(at, |[first, _]| first), at]);
        self.rx_packets += 1;
        self.rx_bytes += u64::from(packet.wire);
    }

    fn seen(&mut self, at: Instant, node: NodeId, packet: &Packet) {
        let probed = self.probes.entry(node).or_default();
        probed.packets += 1;
        probed.bytes += u64::from(packet.wire);
        probed.delay_ps += u128::from(at.since(packet.sent).ps());
    }

    fn lost(&mut self, packet: &Packet, cause: Option<DropCause>) {
        self.lost_packets += 1;
        if let Some(code) = cause.and_then(reason) {
            let (packets, bytes) = self.dropped.entry(code).or_default();
            *packets += 1;
            *bytes += u64::from(packet.wire);
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [first_rx, last_rx] = self.rx.unwrap_or_default().map(ns);
        let sum = |ps: u128| Ns(u64::try_from((ps + 500) / 1000).unwrap_or(u64::MAX));
        writeln!(
            out,
            "    <Flow flowId=\"{}\" timeFirstTxPacket=\"{}\" timeFirstRxPacket=\"{first_rx}\" timeLastTxPacket=\"{}\" timeLastRxPacket=\"{last_rx}\" delaySum=\"{}\" jitterSum=\"{}\" lastDelay=\"{}\" maxDelay=\"{}\" minDelay=\"{}\" txBytes=\"{}\" rxBytes=\"{}\" txPackets=\"{}\" rxPackets=\"{}\" lostPackets=\"{}\" timesForwarded=\"{}\">",
            self.id,
            ns(self.first_tx),
            ns(self.last_tx),
            sum(self.delay_ps),
            sum(self.jitter_ps),
            span(self.last_delay),
            span(self.max_delay),
            span(self.min_delay),
            self.tx_bytes,
            self.rx_bytes,
            self.tx_packets,
            self.rx_packets,
            self.lost_packets,
            self.times_forwarded,
        )?;
        for (code, (packets, _)) in &self.dropped {
            writeln!(out, "      <packetsDropped reasonCode=\"{code}\" number=\"{packets}\" />")?;
        }
        for (code, (_, bytes)) in &self.dropped {
            writeln!(out, "      <bytesDropped reasonCode=\"{code}\" bytes=\"{bytes}\" />")?;
        }
        let second = base::time::PS_PER_S as f64;
        self.delays.write(out, "delayHistogram", DELAY_BIN.ps(), second)?;
        self.jitters.write(out, "jitterHistogram", DELAY_BIN.ps(), second)?;
        self.sizes.write(out, "packetSizeHistogram", SIZE_BIN, 1.0)?;
        self.interruptions.write(out, "flowInterruptionsHistogram", INTERRUPTION_BIN.ps(), second)?;
        writeln!(out, "    </Flow>")
    }
}

/// A time in nanoseconds, shown in ns-3's format `+N.0ns`, since scripts cut off the last two or four
/// characters.
struct Ns(u64);

impl fmt::Display for Ns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}.0ns", self.0)
    }
}

fn ns(at: Instant) -> Ns {
    span(at.since(Instant::ZERO))
}

fn span(time: Duration) -> Ns {
    Ns(time.ps() / 1000 + u64::from(time.ps() % 1000 >= 500))
}

/// Returns FlowMonitor's reason code for a cause of loss; `None` if ns-3's IP layer has no such reason.
fn reason(cause: DropCause) -> Option<u8> {
    match cause {
        DropCause::NoRoute => Some(0),
        DropCause::Queue => Some(3),
        DropCause::Aqm => Some(4),
        DropCause::Outage => Some(5),
        _ => None,
    }
}

/// Recorder of the trace `flowmonitor`.
#[derive(Clone, Debug)]
pub(crate) struct FlowMonitor {
    /// For each flow, statistics of its data and of its acknowledgments.
    flows: Vec<[Flow; 2]>,
    /// Flow and direction (0 data, 1 acknowledgments), in order of their first packets.
    order: Vec<(usize, usize)>,
    subjects: Vec<FlowSubject>,
    nodes: usize,
}

impl Tracer for FlowMonitor {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        let flows = vec![<[Flow; 2]>::default(); subjects.flows.len()];
        Self { flows, order: Vec::new(), subjects: subjects.flows.clone(), nodes: subjects.nodes.len() }
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[PacketEvent::Send, PacketEvent::AckSent, PacketEvent::Receive, PacketEvent::Drop]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let number = e.packet.flow.index();
        let subject = &subjects.flows[number];
        let (source, target, direction) =
            if e.packet.is_forward() { (subject.from, subject.to, 0) } else { (subject.to, subject.from, 1) };
        let flow = &mut self.flows[number][direction];
        let key = (e.packet.sent.ps(), sequence(e.packet));
        match (e.event, e.place) {
            (PacketEvent::Send | PacketEvent::AckSent, Place::Node(node)) if node == source => {
                if flow.id == 0 {
                    self.order.push((number, direction));
                    flow.id = self.order.len() as u32;
                }
                flow.sent(e.at, e.packet);
                flow.seen(e.at, node, e.packet);
            }
            (PacketEvent::Receive, place) => {
                let Some(node) = subjects.ends(place).map(|ends| ends.to) else { return };
                flow.seen(e.at, node, e.packet);
                if node == target {
                    flow.times_forwarded += flow.forwards.remove(&key).unwrap_or_default();
                    flow.received(e.at, e.packet);
                } else {
                    *flow.forwards.entry(key).or_default() += 1;
                }
            }
            (PacketEvent::Drop, _) => {
                flow.forwards.remove(&key);
                flow.lost(e.packet, e.cause);
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>, _: &Subjects, _: Instant) -> Recorded {
        Recorded::Files(self)
    }
}

impl TraceFiles for FlowMonitor {
    /// Writes `<stem>.xml`; without a stem, `flowmonitor.xml`.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let path = folder.join(format!("{}.xml", stem.unwrap_or("flowmonitor")));
        write_file(&path, |out| self.write_to(out))?;
        Ok(vec![path])
    }

    /// Returns zero: the statistics are small, and do not grow with the length of the run.
    fn kept(&self) -> Kept {
        Kept::default()
    }
}

impl FlowMonitor {
    /// Returns the directions that carried packets, in the order of their numbers, each with flow and
    /// direction as indices.
    fn used(&self) -> impl Iterator<Item = (&Flow, usize, usize)> {
        self.order.iter().map(|(flow, direction)| (&self.flows[*flow][*direction], *flow, *direction))
    }

    fn write_to(&self, mut out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "<?xml version=\"1.0\" ?>\n<FlowMonitor>\n  <FlowStats>")?;
        for (flow, ..) in self.used() {
            flow.write(&mut out)?;
        }
        writeln!(out, "  </FlowStats>\n  <Ipv4FlowClassifier>")?;
        for (flow, number, direction) in self.used() {
            let subject = &self.subjects[number];
            let [from, to] = endpoints(subject, FlowId(number as u32));
            let (from, to) = if direction == 0 { (from, to) } else { (to, from) };
            let protocol = if subject.datagrams { PROTOCOL_UDP } else { PROTOCOL_TCP };
            let address = |octets: [u8; 4]| octets.map(|octet| octet.to_string()).join(".");
            writeln!(
                out,
                "    <Flow flowId=\"{}\" sourceAddress=\"{}\" destinationAddress=\"{}\" protocol=\"{protocol}\" sourcePort=\"{}\" destinationPort=\"{}\">\n      <Dscp value=\"0x0\" packets=\"{}\" />\n    </Flow>",
                flow.id,
                address(from.0),
                address(to.0),
                from.1,
                to.1,
                flow.tx_packets
            )?;
        }
        writeln!(
            out,
            "  </Ipv4FlowClassifier>\n  <Ipv6FlowClassifier>\n  </Ipv6FlowClassifier>\n  <FlowProbes>"
        )?;
        for node in 0..self.nodes {
            writeln!(out, "    <FlowProbe index=\"{node}\">")?;
            for (flow, ..) in self.used() {
                let Some(probed) = flow.probes.get(&NodeId(node as u32)) else { continue };
                writeln!(
                    out,
                    "      <FlowStats flowId=\"{}\" packets=\"{}\" bytes=\"{}\" delayFromFirstProbeSum=\"{}\" >\n      </FlowStats>",
                    flow.id,
                    probed.packets,
                    probed.bytes,
                    Ns(u64::try_from((probed.delay_ps + 500) / 1000).unwrap_or(u64::MAX))
                )?;
            }
            writeln!(out, "    </FlowProbe>")?;
        }
        writeln!(out, "  </FlowProbes>\n</FlowMonitor>")
    }
}

fn sequence(packet: &Packet) -> i64 {
    match &packet.body {
        Body::Data(data) => data.seq as i64,
        Body::Ack(ack) => ack.ack as i64,
        Body::Datagram { seq, .. } | Body::Reply { seq, .. } | Body::Real(RealSegment { seq, .. }) => {
            *seq as i64
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::recorder::tests::file;

    #[test]
    fn a_run_by_hand() {
        let xml = file("flowmonitor");
        let has = |text: &str| assert!(xml.contains(text), "{text}\n{xml}");
        has(
            "<Flow flowId=\"1\" timeFirstTxPacket=\"+0.0ns\" timeFirstRxPacket=\"+30000000.0ns\" timeLastTxPacket=\"+5000000.0ns\"",
        );
        has("delaySum=\"+30000000.0ns\" jitterSum=\"+0.0ns\" lastDelay=\"+30000000.0ns\"");
        has(
            "txBytes=\"2080\" rxBytes=\"1040\" txPackets=\"2\" rxPackets=\"1\" lostPackets=\"1\" timesForwarded=\"0\"",
        );
        has("<packetsDropped reasonCode=\"3\" number=\"1\" />");
        has(
            "<delayHistogram nBins=\"31\" >\n        <bin index=\"30\" start=\"0.03\" width=\"0.001\" count=\"1\" />",
        );
        has("<bin index=\"52\" start=\"1040\" width=\"20\" count=\"1\" />");
        // FlowMonitor counts the acknowledgments as a separate flow.
        has(
            "<Flow flowId=\"2\" sourceAddress=\"10.0.0.2\" destinationAddress=\"10.0.0.1\" protocol=\"6\" sourcePort=\"5001\"",
        );
        has("<FlowStats flowId=\"2\" packets=\"1\" bytes=\"40\" delayFromFirstProbeSum=\"+21000000.0ns\" >");
    }
}
