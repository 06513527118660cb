//! Capture files that Wireshark opens: one per interface of each host or node, nanosecond resolution, IPv4 without a
//! link layer.
//!
//! A packet is captured when an interface begins to transmit it, or hands it to a radio network, and when an
//! interface has received it completely. Headers are complete: addresses, ports, flags, sequence numbers,
//! options and checksums. The payload is all zeros; it is cut from the capture but counted in every length. A
//! node has the address that the scenario gives it, otherwise node `n` has `10.0.0.0 + n + 1`. Flow `f` goes
//! from port `40000 + f` to port `5001 + f`; ports repeat after 25 000 flows. Initial sequence numbers are 0.
//!
//! Packets of a kernel's TCP, and real ones, are captured with their own headers, addresses and ports, and
//! with the beginning of their payload.
//!
//! The file gives each packet the length that the simulation gives it, or the length of headers and payload
//! if that is larger.

use crate::headers::{ConnectionState, encode};
use crate::heads::Heads;
use crate::kept::Kept;
use crate::output::stems;
use crate::scratch::{Piece, Scratch};
use crate::subjects::Subjects;
use crate::tracer::{Event, Recorded, TraceFiles, Tracer};
use base::{Body, Duration, Instant, Packet, PacketEvent, Place};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

/// Magic number of captures with nanosecond timestamps.
const MAGIC_NS: u32 = 0xa1b2_3c4d;
/// `LINKTYPE_RAW`: packets begin with their IPv4 header.
const LINKTYPE_RAW: u32 = 101;
/// Bytes captured of each packet, enough for the longest headers with options.
const SNAPLEN: u32 = 128;
/// Bytes of records that are collected before they are written to disk.
const PIECE: usize = 1 << 18;

/// Capture of one interface.
#[derive(Clone, Debug)]
struct Interface {
    node: String,
    number: u32,
    /// Records that are on disk.
    earlier: Vec<Piece>,
    /// Records that follow those on disk.
    records: Vec<u8>,
}

/// Recorder of the trace `pcap`: captures of all hosts' interfaces; within [`CaptureAll`], of all nodes'
/// interfaces.
#[derive(Clone, Debug)]
pub(crate) struct Capture {
    interfaces: Vec<Interface>,
    scratch: Scratch,
    /// For each direction of a link, indices of the interfaces at its two ends; `None` if that end is not
    /// captured.
    ends: Vec<[Option<usize>; 2]>,
    /// For each path through a radio network, indices of the interfaces at its two ends; `None` if that end is not
    /// captured.
    crossings: Vec<[Option<usize>; 2]>,
    connections: Vec<ConnectionState>,
    heads: Heads,
}

impl Capture {
    /// Creates empty captures of all interfaces of the nodes that are `captured`.
    fn of(subjects: &Subjects, captured: &[bool]) -> Self {
        let mut numbers = vec![0u32; subjects.nodes.len()];
        let mut interfaces = Vec::new();
        let mut ends: Vec<[Option<usize>; 2]> = Vec::with_capacity(subjects.links.len());
        let mut attach = |node: base::NodeId| {
            let number = numbers[node.index()];
            numbers[node.index()] += 1;
            captured[node.index()].then(|| {
                let name = subjects.node(node).to_owned();
                interfaces.push(Interface { node: name, number, earlier: Vec::new(), records: Vec::new() });
                interfaces.len() - 1
            })
        };
        // Both directions of a link share its interfaces; interfaces of a node are numbered in order of links, then networks.
        for pair in subjects.links.chunks(2) {
            let there = [attach(pair[0].from), attach(pair[0].to)];
            ends.push(there);
            if pair.len() == 2 {
                ends.push([there[1], there[0]]);
            }
        }
        // A station has one interface to its network, whichever station it communicates with.
        let mut stations: BTreeMap<(u32, base::NodeId), Option<usize>> = BTreeMap::new();
        let crossings = subjects.crossings.iter().map(|crossing| {
            [crossing.ends.from, crossing.ends.to]
                .map(|node| *stations.entry((crossing.network, node)).or_insert_with(|| attach(node)))
        });
        let crossings = crossings.collect();
        let connections = vec![ConnectionState::default(); subjects.flows.len()];
        Self {
            interfaces,
            scratch: Scratch::default(),
            ends,
            crossings,
            connections,
            heads: Heads::default(),
        }
    }
}

impl Tracer for Capture {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        let mut host = vec![false; subjects.nodes.len()];
        for flow in &subjects.flows {
            host[flow.from.index()] = true;
            host[flow.to.index()] = true;
        }
        Self::of(subjects, &host)
    }

    fn events(&self) -> &'static [PacketEvent] {
        use PacketEvent::{Ack, Dequeue, Enqueue, Receive, Send};
        &[Send, Enqueue, Dequeue, Receive, Ack]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let flow = &subjects.flows[e.packet.flow.index()];
        let state = &mut self.connections[e.packet.flow.index()];
        match (e.event, &e.packet.body) {
            // Packets that a gateway's transport sends do not change the state of the source's connection.
            _ if e.place != Place::Node(flow.from) => {}
            (PacketEvent::Send, Body::Data(data)) => state.on_sent(data),
            (PacketEvent::Ack, Body::Ack(ack)) => state.on_ack(ack),
            _ => {}
        }
        let interface = match (e.event, e.place) {
            (PacketEvent::Dequeue, Place::Link(link)) => self.ends[link.index()][0],
            (PacketEvent::Receive, Place::Link(link)) => self.ends[link.index()][1],
            (PacketEvent::Enqueue, Place::Radio(crossing)) => self.crossings[crossing.index()][0],
            (PacketEvent::Receive, Place::Radio(crossing)) => self.crossings[crossing.index()][1],
            _ => None,
        };
        let Some(interface) = interface else {
            return;
        };
        let head = self.heads.of(e.packet);
        let (encoded, total);
        let header = if let Some(bytes) = &head {
            total = 0;
            bytes.as_slice()
        } else {
            encoded = encode(flow, e.packet, state);
            total = encoded.total_length();
            encoded.bytes()
        };
        let Interface { records, earlier, .. } = &mut self.interfaces[interface];
        let ns = e.at.ps() / 1000;
        for word in [
            (ns / 1_000_000_000) as u32,
            (ns % 1_000_000_000) as u32,
            header.len() as u32,
            e.packet.wire.max(total),
        ] {
            records.extend_from_slice(&word.to_le_bytes());
        }
        records.extend_from_slice(header);
        if records.len() >= PIECE {
            earlier.push(self.scratch.append(records));
            records.clear();
        }
    }

    fn content(&mut self, packet: &Packet, bytes: &[u8]) {
        self.heads.keep(packet, &bytes[..bytes.len().min(SNAPLEN as usize)]);
    }

    fn finish(self: Box<Self>, _: &Subjects, _: Instant) -> Recorded {
        Recorded::Files(self)
    }
}

/// Recorder of the trace `pcap-all`: captures of the interfaces of every node.
#[derive(Clone, Debug)]
pub(crate) struct CaptureAll(Capture);

impl Tracer for CaptureAll {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        Self(Capture::of(subjects, &vec![true; subjects.nodes.len()]))
    }

    fn events(&self) -> &'static [PacketEvent] {
        self.0.events()
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        self.0.packet(subjects, e);
    }

    fn content(&mut self, packet: &Packet, bytes: &[u8]) {
        self.0.content(packet, bytes);
    }

    fn finish(self: Box<Self>, _: &Subjects, _: Instant) -> Recorded {
        Recorded::Files(Box::new(self.0))
    }
}

impl TraceFiles for Capture {
    /// Writes `<stem>-<node>-<interface>.pcap` for each captured interface; without a stem, `capture-...`.
    fn write(&self, folder: &Path, stem: Option<&str>) -> io::Result<Vec<PathBuf>> {
        let stem = stem.unwrap_or("capture");
        let mut paths = Vec::with_capacity(self.interfaces.len());
        // All interfaces of a node use the same name in their files.
        let nodes: BTreeSet<&str> = self.interfaces.iter().map(|interface| interface.node.as_str()).collect();
        let stems: BTreeMap<&str, String> = nodes.iter().copied().zip(stems(nodes.iter().copied())).collect();
        for interface in &self.interfaces {
            let node = &stems[interface.node.as_str()];
            let path = folder.join(format!("{stem}-{node}-{}.pcap", interface.number));
            crate::output::write_file(&path, |out| {
                out.write_all(&MAGIC_NS.to_le_bytes())?;
                for half in [2u16, 4] {
                    out.write_all(&half.to_le_bytes())?;
                }
                for word in [0, 0, SNAPLEN, LINKTYPE_RAW] {
                    out.write_all(&word.to_le_bytes())?;
                }
                for piece in &interface.earlier {
                    out.write_all(&self.scratch.read(*piece)?)?;
                }
                out.write_all(&interface.records)
            })?;
            paths.push(path);
        }
        Ok(paths)
    }

    fn kept(&self) -> Kept {
        let each = |interface: &Interface| {
            interface.earlier.iter().map(|piece| piece.bytes()).sum::<u64>() + interface.records.len() as u64
        };
        Kept::waiting(self.interfaces.iter().map(each).sum())
    }
}

#[cfg(test)]
#[path = "pcap_tests.rs"]
mod tests;
