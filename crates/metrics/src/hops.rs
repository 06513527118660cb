//! Every packet on each link that it crosses: what an animation shows.

use crate::observe::Subjects;
use crate::series::{Event, causes, place_code, places, sequence};
use crate::stats::is_retransmission;
use crate::table::{Column, NO_LABEL, Table};
use base::{Body, FlowId, LinkId, Packet, PacketEvent, Place};
use std::collections::BTreeMap;

/// What tells two packets on one link apart: flow, direction, time of sending, number.
type Key = (LinkId, FlowId, bool, u64, u64);

/// A packet on a link, not at its end yet: when it came, began and left, picoseconds.
#[derive(Clone, Copy, Debug, Default)]
struct Open {
    enqueued: u64,
    begins: Option<u64>,
    ends: Option<u64>,
    /// Copies to come beside the first.
    copies: u32,
}

/// What a packet is.
const KINDS: [&str; 4] = ["data", "retransmission", "ack", "datagram"];

/// A row for each packet and link.
#[derive(Default)]
pub(crate) struct Hops {
    open: BTreeMap<Key, Open>,
    enqueued: Vec<u64>,
    begins: Vec<u64>,
    ends: Vec<u64>,
    arrives: Vec<u64>,
    place: Vec<u32>,
    flow: Vec<i32>,
    kind: Vec<u32>,
    seq: Vec<i64>,
    bytes: Vec<i32>,
    cause: Vec<u32>,
}

impl Hops {
    pub fn add(&mut self, subjects: &Subjects, e: &Event<'_>) {
        let now = e.at.ps();
        let Place::Link(link) = e.place else {
            if e.event == PacketEvent::Drop {
                self.row(subjects, e, Open { enqueued: now, ..Open::default() });
            }
            return;
        };
        let key = key(link, e.packet);
        match e.event {
            PacketEvent::Enqueue => {
                self.open.insert(key, Open { enqueued: now, ..Open::default() });
            }
            PacketEvent::Dequeue => self.open.entry(key).or_default().begins = Some(now),
            PacketEvent::Departed => self.open.entry(key).or_default().ends = Some(now),
            PacketEvent::Duplicate => self.open.entry(key).or_default().copies += 1,
            PacketEvent::Receive | PacketEvent::Drop => {
                let open = self.open.get(&key).copied().unwrap_or(Open { enqueued: now, ..Open::default() });
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

    fn row(&mut self, subjects: &Subjects, e: &Event<'_>, open: Open) {
        let now = e.at.ps();
        self.enqueued.push(open.enqueued);
        self.begins.push(open.begins.unwrap_or(now));
        self.ends.push(open.ends.unwrap_or(now));
        self.arrives.push(now);
        self.place.push(place_code(subjects, e.place));
        self.flow.push(e.packet.flow.0 as i32);
        self.kind.push(match e.packet.body {
            Body::Data(_) => u32::from(is_retransmission(e.packet)),
            Body::Ack(_) => 2,
            Body::Datagram { .. } => 3,
        });
        self.seq.push(sequence(subjects, e.packet));
        self.bytes.push(e.packet.wire as i32);
        self.cause.push(e.cause.map_or(NO_LABEL, |cause| cause as u32));
    }

    pub fn into_table(self, subjects: &Subjects) -> Table {
        let kinds = KINDS.map(str::to_owned).to_vec();
        Table::new()
            .with("enqueued_s", Column::Time(self.enqueued))
            .with("begins_s", Column::Time(self.begins))
            .with("ends_s", Column::Time(self.ends))
            .with("arrives_s", Column::Time(self.arrives))
            .with("place", Column::Label { names: places(subjects), codes: self.place })
            .with("flow", Column::Int32(self.flow))
            .with("kind", Column::Label { names: kinds, codes: self.kind })
            .with("seq", Column::Int(self.seq))
            .with("bytes", Column::Int32(self.bytes))
            .with("cause", Column::Label { names: causes(), codes: self.cause })
    }
}

fn key(link: LinkId, packet: &Packet) -> Key {
    let number = match &packet.body {
        Body::Data(data) => data.seq,
        Body::Ack(ack) => ack.ack,
        Body::Datagram { seq, .. } => *seq,
    };
    (link, packet.flow, packet.is_forward(), packet.sent.ps(), number)
}
