//! Trace files in ns-2's wired format: `ev time from to type size flags fid src.port dst.port seq uid`.
//!
//! Events: `+` a packet joins a queue or enters a radio network, `-` its transmission on a link begins, `r`
//! it arrives at the next node, `d` it is lost. For a loss in a radio network, `from` and `to` are both the
//! node of the loss. Times are in seconds, rounded to microseconds. Nodes are numbered from 0 in the order of
//! the scenario. The agents of each flow take the next free ports of their nodes. `uid` numbers packets in
//! order of sending.

use crate::kept::Kept;
use crate::output::write_file;
use crate::scratch::{Piece, Scratch};
use crate::subjects::Subjects;
use crate::tracer::{Event, Recorded, TraceFiles, Tracer};
use base::{Body, Duration, FlowId, Instant, Packet, PacketEvent, RealSegment};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Identifies a packet: flow, true towards the destination, time of sending (picoseconds), sequence number.
type Key = (FlowId, bool, u64, i64);

/// Bytes of lines that are collected before they are written to disk.
const PIECE: usize = 1 << 18;

/// Recorder of the trace `ns2`.
#[derive(Clone, Debug)]
pub(crate) struct Ns2Trace {
    /// Lines that are on disk.
    earlier: Vec<Piece>,
    /// Lines that follow those on disk.
    lines: Vec<u8>,
    scratch: Scratch,
    /// Both ends of each place, by place code: nodes (twice the node itself), then links, then paths through radio
    /// networks.
    ends: Vec<(u32, u32)>,
    /// For each flow, node and port of its source and of its destination.
    agents: Vec<[(u32, u32); 2]>,
    next_uid: u64,
    /// `uid` of each packet in flight.
    uids: BTreeMap<Key, u64>,
}

impl Tracer for Ns2Trace {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        let mut ports = vec![0u32; subjects.nodes.len()];
        let mut agent = |node: base::NodeId| {
            let port = ports[node.index()];
            ports[node.index()] += 1;
            (node.0, port)
        };
        let agents = subjects.flows.iter().map(|flow| [agent(flow.from), agent(flow.to)]).collect();
        let nodes = (0u32..).zip(&subjects.nodes).map(|(node, _)| (node, node));
        let links = subjects.links.iter().chain(subjects.crossings.iter().map(|crossing| &crossing.ends));
        let ends = nodes.chain(links.map(|ends| (ends.from.0, ends.to.0))).collect();
        Self {
            earlier: Vec::new(),
            lines: Vec::new(),
            scratch: Scratch::default(),
            ends,
            agents,
            next_uid: 0,
            uids: BTreeMap::new(),
        }
    }

    fn events(&self) -> &'static [PacketEvent] {
        use PacketEvent::{AckSent, Dequeue, Drop, Enqueue, Receive, Send};
        &[Send, AckSent, Enqueue, Dequeue, Receive, Drop]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let seq = sequence(e.packet);
        let key = (e.packet.flow, e.packet.is_forward(), e.packet.sent.ps(), seq);
        if matches!(e.event, PacketEvent::Send | PacketEvent::AckSent) {
            self.uids.insert(key, self.next_uid);
            self.next_uid += 1;
            return;
        }
        let event = match e.event {
            PacketEvent::Enqueue => b'+',
            PacketEvent::Dequeue => b'-',
            PacketEvent::Receive => b'r',
            PacketEvent::Drop => b'd',
            _ => return,
        };
        let place = subjects.place_code(e.place);
        let uid = *self.uids.entry(key).or_insert_with(|| {
            let uid = self.next_uid;
            self.next_uid += 1;
            uid
        });
        let flow = &subjects.flows[e.packet.flow.index()];
        let target = if e.packet.is_forward() { flow.to } else { flow.from };
        let arrived = event == b'r' && self.ends[place as usize].1 == target.0;
        if arrived || event == b'd' {
            self.uids.remove(&key);
        }
        let [source, destination] = self.agents[e.packet.flow.index()];
        let (kind, source, destination) = match e.packet.body {
            Body::Data(_) => ("tcp", source, destination),
            Body::Ack(_) => ("ack", destination, source),
            Body::Datagram { .. } => ("cbr", source, destination),
            Body::Reply { .. } => ("cbr", destination, source),
            Body::Real(segment) if segment.forward => ("tcp", source, destination),
            Body::Real(_) => ("ack", destination, source),
        };
        let (from, to) = self.ends[place as usize];
        // Writing to memory cannot fail.
        let _ = writeln!(
            self.lines,
            "{} {} {from} {to} {kind} {} ------- {} {}.{} {}.{} {seq} {uid}",
            char::from(event),
            Seconds(e.at.ps()),
            e.packet.wire,
            e.packet.flow.0,
            source.0,
            source.1,
            destination.0,
            destination.1,
        );
        if self.lines.len() >= PIECE {
            self.earlier.push(self.scratch.append(&self.lines));
            self.lines.clear();
        }
    }

    fn finish(self: Box<Self>, _: &Subjects, _: Instant) -> Recorded {
        Recorded::Files(self)
    }
}

impl TraceFiles for Ns2Trace {
    /// Writes `<stem>.tr`; without a stem, `trace.tr`.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let path = folder.join(format!("{}.tr", stem.unwrap_or("trace")));
        write_file(&path, |out| self.write_to(out))?;
        Ok(vec![path])
    }

    fn kept(&self) -> Kept {
        Kept::waiting(self.earlier.iter().map(|piece| piece.bytes()).sum::<u64>() + self.lines.len() as u64)
    }
}

impl Ns2Trace {
    fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        for piece in &self.earlier {
            out.write_all(&self.scratch.read(*piece)?)?;
        }
        out.write_all(&self.lines)
    }
}

/// Returns the packet number, for `rfc` and `linux` flows too. For an acknowledgment this is the highest
/// packet received in order.
fn sequence(packet: &Packet) -> i64 {
    match &packet.body {
        Body::Data(data) => data.seq as i64,
        Body::Ack(ack) => ack.ack as i64 - 1,
        Body::Datagram { seq, .. } | Body::Reply { seq, .. } | Body::Real(RealSegment { seq, .. }) => {
            *seq as i64
        }
    }
}

/// A time in picoseconds, shown as seconds with at most 6 decimals, no trailing zeros, and an exponent below
/// 100 us, as by C's `%g`.
struct Seconds(u64);

impl std::fmt::Display for Seconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let us = self.0 / 1_000_000 + u64::from(self.0 % 1_000_000 >= 500_000);
        let (whole, mut fraction) = (us / 1_000_000, us % 1_000_000);
        if fraction == 0 {
            return write!(f, "{whole}");
        }
        if us < 10 {
            return write!(f, "{us}e-06");
        }
        if us < 100 {
            return write!(f, "{}e-05", us as f64 / 10.0);
        }
        let mut digits = 6;
        while fraction.is_multiple_of(10) {
            fraction /= 10;
            digits -= 1;
        }
        write!(f, "{whole}.{fraction:0digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_ns2_prints_them() {
        for (ps, text) in [
            (1_000_000_000_000, "1"),
            (1_022_106_600_000, "1.022107"),
            (111_997_240_000_000, "111.99724"),
            (12_345_678_900_000, "12.345679"),
            (12_300_000, "1.2e-05"),
            (40_000_000, "4e-05"),
            (1_000_000, "1e-06"),
            (100_000_000, "0.0001"),
            (0, "0"),
        ] {
            assert_eq!(Seconds(ps).to_string(), text);
        }
    }
}
