//! The trace `hops`: every packet on each link that it crosses, for animations.

use crate::row::{AT, Rows, table};
use crate::stats::is_retransmission;
use crate::subjects::Subjects;
use crate::tracer::{Event, Recorded, Tracer};
use base::{Body, DropCause, Duration, FlowId, Instant, LinkId, Packet, PacketEvent, Place, RealSegment};
use std::collections::BTreeMap;

/// Identifies a packet on a link: link, flow, true towards the destination, time of sending (picoseconds),
/// sequence number.
type Key = (LinkId, FlowId, bool, u64, u64);

/// Times of a packet that has joined a link's queue and has not arrived at the link's far end yet.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    enqueued: Instant,
    begins: Option<Instant>,
    ends: Option<Instant>,
    /// Duplicates of the packet that have neither arrived nor been lost.
    copies: u32,
}

table! {
    "hops", AT;
    /// Trace: a row for each packet on each link, written when the packet has arrived or is lost. The link
    /// includes the queue before it.
    pub(crate) struct Hop {
        /// when the packet joined the link's queue
        enqueued_s: Instant ["s", "link"];
        /// when its transmission began; if the packet was lost before that, the time of the loss
        begins_s: Instant ["s", "link"];
        /// when its transmission ended; if the packet was lost before that, the time of the loss
        ends_s: Instant ["s", "link"];
        /// when the packet arrived at the far end, or was lost
        arrives_s: Instant ["s", "link"];
        /// the direction `a>b` of a link; for a packet lost in a radio network, the node
        place: Place ["", ""];
        /// the flow's number
        flow: FlowId ["", ""];
        /// `data`, `retransmission`, `ack` or `datagram`
        kind: &'static str ["", "transport"];
        /// as in `segments`
        seq: i64 ["packets or bytes", "transport"];
        /// size with headers
        bytes: u32 ["bytes on the wire", "link"];
        /// cause of the loss, as in `segments`; empty if the packet arrived
        cause: Option<DropCause> ["", "link"];
    }
}

/// Recorder of the trace `hops`.
#[derive(Clone)]
pub(crate) struct Hops {
    open: BTreeMap<Key, Open>,
    rows: Rows<Hop>,
}

impl Hops {
    fn row(&mut self, subjects: &Subjects, e: &Event<'_>, open: Open) {
        let row = Hop {
            enqueued_s: open.enqueued,
            begins_s: open.begins.unwrap_or(e.at),
            ends_s: open.ends.unwrap_or(e.at),
            arrives_s: e.at,
            place: e.place,
            flow: e.packet.flow,
            kind: match e.packet.body {
                Body::Data(_) if is_retransmission(e.packet) => "retransmission",
                Body::Data(_) => "data",
                Body::Ack(_) => "ack",
                Body::Real(_) if is_retransmission(e.packet) => "retransmission",
                Body::Real(segment) => {
                    if segment.forward {
                        "data"
                    } else {
                        "ack"
                    }
                }
                Body::Datagram { .. } | Body::Reply { .. } => "datagram",
            },
            seq: subjects.sequence(e.packet),
            bytes: e.packet.wire,
            cause: e.cause,
        };
        self.rows.push_bounded(subjects, &row);
    }
}

impl Tracer for Hops {
    fn new(_: &Subjects, _: Duration) -> Self {
        Self { open: BTreeMap::new(), rows: Rows::default() }
    }

    fn events(&self) -> &'static [PacketEvent] {
        &[
            PacketEvent::Enqueue,
            PacketEvent::Dequeue,
            PacketEvent::Departed,
            PacketEvent::Receive,
            PacketEvent::Drop,
            PacketEvent::Duplicate,
        ]
    }

    fn packet(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let unknown = Open { enqueued: e.at, ..Open::default() };
        let Place::Link(link) = e.place else {
            if e.event == PacketEvent::Drop {
                self.row(subjects, e, unknown);
            }
            return;
        };
        let key = key(link, e.packet);
        match e.event {
            PacketEvent::Enqueue => drop(self.open.insert(key, unknown)),
            PacketEvent::Dequeue => self.open.entry(key).or_default().begins = Some(e.at),
            PacketEvent::Departed => self.open.entry(key).or_default().ends = Some(e.at),
            PacketEvent::Duplicate => self.open.entry(key).or_default().copies += 1,
            PacketEvent::Receive | PacketEvent::Drop => {
                let open = self.open.get(&key).copied().unwrap_or(unknown);
                if open.copies == 0 {
                    self.open.remove(&key);
                } else {
                    self.open.insert(key, Open { copies: open.copies - 1, ..open });
                }
                self.row(subjects, e, open);
            }
            _ => {}
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.rows.into_table(subjects))
    }
}

fn key(link: LinkId, packet: &Packet) -> Key {
    let number = match &packet.body {
        Body::Data(data) => data.seq,
        Body::Ack(ack) => ack.ack,
        Body::Datagram { seq, .. } | Body::Reply { seq, .. } | Body::Real(RealSegment { seq, .. }) => *seq,
    };
    (link, packet.flow, packet.is_forward(), packet.sent.ps(), number)
}
