//! Acknowledged mode (TS 36.322, sections 5.1.3 and 5.2).
//!
//! PDUs carry 10 bits of sequence number, and at most 512 may be unacknowledged. The sender polls: after so many PDUs or bytes, with
//! the last that it has, and again when no answer comes. The receiver answers with a status report, when polled or when its
//! reordering timer shows a gap, not more often than its prohibit timer lets it; what the report misses is sent again, cut into
//! segments where the transport block is too small.
//!
//! A PDU that has been sent again as often as allowed is a radio link failure, after which RRC sets the link up anew. Here the packets in
//! it are lost (cause `harq`) and the link goes on without them.

use super::stream::Stream;
use super::{Config, Fates, Held, Pdu, SUBHEADER};
use crate::Tti;
use base::Packet;
use std::collections::VecDeque;
use std::ops::Range;

/// Parameters of acknowledged mode (ranges: TS 36.331, section 6.3.2, RLC-Config).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AmConfig {
    /// t-PollRetransmit, ms: a poll without answer is repeated after this.
    pub poll_retransmit: u32,
    /// pollPDU: a poll with every so-many-th PDU.
    pub poll_pdus: u32,
    /// pollByte: a poll after so many bytes.
    pub poll_bytes: u32,
    /// maxRetxThreshold: how often a PDU is sent again before the link counts as failed.
    pub retransmissions: u32,
    /// t-Reordering, ms: how long HARQ may take to bring a PDU that is missing.
    pub reordering: u32,
    /// t-StatusProhibit, ms: the least time between two status reports; 0: none.
    pub status_prohibit: u32,
}

impl Default for AmConfig {
    /// 45 ms, 16 PDUs, 25 kB, 8 retransmissions, 35 ms, 10 ms.
    fn default() -> Self {
        Self {
            poll_retransmit: 45,
            poll_pdus: 16,
            poll_bytes: 25_000,
            retransmissions: 8,
            reordering: 35,
            status_prohibit: 10,
        }
    }
}

/// A status report: all below `ack` have arrived but what `missing` lists, as stretches of the stream.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Status {
    pub ack: u64,
    pub missing: Vec<(u64, Range<u64>)>,
}

/// How many PDUs may be unacknowledged (section 7.2).
const WINDOW: u64 = 512;

/// Header of a PDU and of a segment of one, bytes (sections 6.2.1.4 and 6.2.1.5).
const HEADER: u32 = 2;
const SEGMENT_HEADER: u32 = 4;

/// A PDU that has been sent.
#[derive(Clone, Debug)]
struct Sent {
    range: Range<u64>,
    /// What the receiver does not have of it, in order.
    missing: Vec<Range<u64>>,
    /// How often it was sent again.
    again: u32,
    acknowledged: bool,
}

impl Sent {
    /// The receiver gets `range` of it.
    fn receive(&mut self, range: &Range<u64>) {
        if self.missing.len() == 1 && self.missing[0] == *range {
            return self.missing.clear();
        }
        let mut rest = Vec::new();
        for gap in self.missing.drain(..) {
            let parts = [gap.start..gap.end.min(range.start), gap.start.max(range.end)..gap.end];
            rest.extend(parts.into_iter().filter(|part| part.start < part.end));
        }
        self.missing = rest;
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Am {
    am: AmConfig,
    pdcp_header: u32,
    limit: u64,
    stream: Stream,
    /// PDUs from the first that is not acknowledged, VT(A), to the last sent.
    pdus: VecDeque<Sent>,
    first: u64,
    /// To be sent again, in order of sequence number.
    again: VecDeque<(u64, Range<u64>)>,
    /// PDUs and bytes since the last poll.
    since_poll: (u32, u32),
    /// When a poll for PDUs up to a number is repeated.
    poll: Option<(Tti, u64)>,
    /// The next PDU carries a poll.
    poll_next: bool,
    // The receiving end.
    /// The first PDU not received whole: VR(R).
    expected: u64,
    /// One past the highest received: VR(H).
    highest: u64,
    /// Up to where a report may tell: VR(MS).
    told: u64,
    /// The reordering timer, for numbers below VR(X).
    reordering: Option<(Tti, u64)>,
    /// A poll in a PDU that the reports do not reach yet.
    polled: Option<u64>,
    report: bool,
    /// No report before this.
    prohibited: Tti,
}

impl Am {
    pub fn new(config: &Config, am: AmConfig) -> Self {
        Self {
            am,
            pdcp_header: config.pdcp_header,
            limit: config.buffer,
            stream: Stream::default(),
            pdus: VecDeque::new(),
            first: 0,
            again: VecDeque::new(),
            since_poll: (0, 0),
            poll: None,
            poll_next: false,
            expected: 0,
            highest: 0,
            told: 0,
            reordering: None,
            polled: None,
            report: false,
            prohibited: 0,
        }
    }

    pub fn push(&mut self, packet: Packet, to: u32) -> bool {
        let bytes = packet.wire + self.pdcp_header;
        let fits = self.stream.unsent() + u64::from(bytes) <= self.limit;
        if fits {
            self.stream.push(Held { packet, to }, bytes);
        }
        fits
    }

    /// The number of the next new PDU: VT(S).
    fn next(&self) -> u64 {
        self.first + self.pdus.len() as u64
    }

    fn stalled(&self) -> bool {
        self.pdus.len() as u64 >= WINDOW
    }

    pub fn waiting(&self) -> u64 {
        let header = u64::from(SEGMENT_HEADER + SUBHEADER);
        let again: u64 = self.again.iter().map(|(_, range)| range.end - range.start + header + 4).sum();
        let new = match self.stream.unsent() {
            0 => 0,
            _ if self.stalled() => 0,
            bytes => bytes + 2 * self.stream.unsent_packets() + u64::from(HEADER),
        };
        again + new
    }

    pub fn buffered(&self) -> u64 {
        self.stream.unsent()
    }

    pub fn inside(&self) -> usize {
        self.stream.inside()
    }

    pub fn pull(&mut self, now: Tti, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        let mut used = 0;
        while let Some((sn, range)) = self.again.front().cloned() {
            let left = room.saturating_sub(used);
            let whole = self.pdus.get((sn - self.first) as usize).is_some_and(|pdu| pdu.range == range);
            let header = if whole { HEADER } else { SEGMENT_HEADER };
            let size = self.stream.size(&range, header);
            if size <= left {
                self.again.pop_front();
                used += size + SUBHEADER;
                self.send(now, sn, range, pdus);
                continue;
            }
            let Some(to) = self.stream.fit(range.start, range.end, left, SEGMENT_HEADER) else { return used };
            if let Some((_, rest)) = self.again.front_mut() {
                rest.start = to;
            }
            let part = range.start..to;
            used += self.stream.size(&part, SEGMENT_HEADER);
            self.send(now, sn, part, pdus);
            return used;
        }
        if self.stalled() {
            return used;
        }
        if let Some((range, bytes)) = self.stream.take(room.saturating_sub(used), HEADER) {
            used += bytes;
            let sn = self.next();
            let missing = vec![range.clone()];
            self.since_poll.0 += 1;
            self.since_poll.1 += (range.end - range.start) as u32;
            self.pdus.push_back(Sent { range: range.clone(), missing, again: 0, acknowledged: false });
            self.send(now, sn, range, pdus);
        }
        used
    }

    /// Adds a PDU to a transport block, with a poll where one is due (section 5.2.2.1).
    fn send(&mut self, now: Tti, sn: u64, range: Range<u64>, pdus: &mut Vec<Pdu>) {
        let empty = self.again.is_empty() && (self.stream.unsent() == 0 || self.stalled());
        let often = self.since_poll.0 >= self.am.poll_pdus || self.since_poll.1 >= self.am.poll_bytes;
        let poll = empty || often || self.poll_next;
        if poll {
            self.since_poll = (0, 0);
            self.poll_next = false;
            self.poll = Some((now + Tti::from(self.am.poll_retransmit), self.next()));
        }
        pdus.push(Pdu::Data { sn, from: range.start, to: range.end, poll });
    }

    pub fn arrive(&mut self, now: Tti, sn: u64, range: Range<u64>, poll: bool, fates: &mut Fates) {
        if sn >= self.expected {
            self.pdus[(sn - self.first) as usize].receive(&range);
            self.highest = self.highest.max(sn + 1);
            self.advance(fates);
            self.reorder(now);
        }
        if poll {
            self.polled = Some(self.polled.map_or(sn, |polled| polled.max(sn)));
        }
        self.answer();
    }

    /// Delivers what is whole in order, and lets reports tell as far as all is whole.
    fn advance(&mut self, fates: &mut Fates) {
        while self.expected < self.highest {
            let pdu = &self.pdus[(self.expected - self.first) as usize];
            if !pdu.missing.is_empty() {
                break;
            }
            self.stream.release(pdu.range.end, &mut fates.delivered);
            self.expected += 1;
        }
        self.tell(self.told.max(self.expected));
    }

    /// Reports may tell up to the first number from `from` on that is not whole.
    fn tell(&mut self, from: u64) {
        self.told = from;
        while self.told < self.highest && self.pdus[(self.told - self.first) as usize].missing.is_empty() {
            self.told += 1;
        }
    }

    /// The reordering timer (section 5.1.3.2.3).
    fn reorder(&mut self, now: Tti) {
        if self.reordering.is_some_and(|(_, below)| below <= self.expected) {
            self.reordering = None;
        }
        if self.reordering.is_none() && self.highest > self.expected {
            self.reordering = Some((now + Tti::from(self.am.reordering), self.highest));
        }
    }

    /// A poll is answered as soon as a report can tell of the PDU that had it.
    fn answer(&mut self) {
        if self.polled.is_some_and(|sn| sn < self.told) {
            self.polled = None;
            self.report = true;
        }
    }

    pub fn deadline(&self, now: Tti) -> Option<Tti> {
        let prohibited = (self.report && self.prohibited > now).then_some(self.prohibited);
        [self.poll.map(|(at, _)| at), self.reordering.map(|(at, _)| at), prohibited]
            .into_iter()
            .flatten()
            .min()
    }

    pub fn expire(&mut self, now: Tti, fates: &mut Fates) {
        if let Some((at, _)) = self.poll
            && at <= now
        {
            self.poll = None;
            self.repeat_poll(now, fates);
        }
        if let Some((at, below)) = self.reordering
            && at <= now
        {
            self.reordering = None;
            self.tell(below.max(self.told));
            if self.highest > self.told {
                self.reordering = Some((now + Tti::from(self.am.reordering), self.highest));
            }
            self.report = true;
            self.answer();
        }
    }

    /// No answer to a poll (section 5.2.2.3): with nothing else to carry the next, the last PDU goes out again.
    fn repeat_poll(&mut self, now: Tti, fates: &mut Fates) {
        if self.pdus.is_empty() {
            return;
        }
        self.poll_next = true;
        if self.again.is_empty() && (self.stream.unsent() == 0 || self.stalled()) {
            let sn = self.next() - 1;
            let pdu = &mut self.pdus[(sn - self.first) as usize];
            pdu.again += 1;
            if pdu.again > self.am.retransmissions {
                self.abandon(sn, fates);
                self.forget();
            } else {
                self.again.push_back((sn, pdu.range.clone()));
            }
        } else {
            self.poll = Some((now + Tti::from(self.am.poll_retransmit), self.next()));
        }
    }

    #[inline]
    pub fn reporting(&self, now: Tti) -> u32 {
        if self.report && now >= self.prohibited { self.size(&self.gaps(u32::MAX)) + SUBHEADER } else { 0 }
    }

    /// Bytes of a report (section 6.2.1.6): 15 bits, 12 for every PDU missing, 30 more where only a part is.
    fn size(&self, gaps: &Status) -> u32 {
        let bits = |(sn, range): &(u64, Range<u64>)| {
            let whole = self.pdus.get((sn - self.first) as usize).is_some_and(|pdu| pdu.range == *range);
            if whole { 12 } else { 42 }
        };
        (15 + gaps.missing.iter().map(bits).sum::<u32>()).div_ceil(8)
    }

    /// What a report of at most `room` bytes says now; cut short, it acknowledges up to the first gap that it has no room for.
    fn gaps(&self, room: u32) -> Status {
        let mut status = Status { ack: self.told, missing: Vec::new() };
        for sn in self.expected..self.told {
            for range in &self.pdus[(sn - self.first) as usize].missing {
                status.missing.push((sn, range.clone()));
                if self.size(&status) > room {
                    status.missing.retain(|&(other, _)| other < sn);
                    status.ack = sn;
                    return status;
                }
            }
        }
        status
    }

    pub fn report(&mut self, now: Tti, room: u32) -> Option<(Pdu, u32)> {
        if !self.report || now < self.prohibited || room < 2 {
            return None;
        }
        let status = self.gaps(room);
        let size = self.size(&status);
        self.report = false;
        self.prohibited = now + Tti::from(self.am.status_prohibit);
        Some((Pdu::Status(Box::new(status)), size))
    }

    pub fn status(&mut self, now: Tti, status: &Status, fates: &mut Fates) {
        if status.ack < self.first {
            return;
        }
        for sn in self.first..status.ack {
            self.pdus[(sn - self.first) as usize].acknowledged = true;
        }
        self.again.retain(|&(sn, _)| sn >= status.ack);
        if self.poll.is_some_and(|(_, below)| below <= status.ack) {
            self.poll = None;
        }
        // Back into order, before what is already waiting to go again.
        let mut missing = VecDeque::new();
        let mut last = None;
        for (sn, range) in &status.missing {
            let Some(i) = sn.checked_sub(self.first) else { continue };
            let pdu = &mut self.pdus[i as usize];
            if last != Some(*sn) {
                pdu.again += 1;
                last = Some(*sn);
            }
            pdu.acknowledged = false;
            if pdu.again > self.am.retransmissions {
                self.abandon(*sn, fates);
            } else {
                missing.push_back((*sn, range.clone()));
            }
        }
        missing.append(&mut self.again);
        self.again = missing;
        self.forget();
        self.reorder(now);
    }

    /// The window moves past what is acknowledged.
    fn forget(&mut self) {
        while self.pdus.front().is_some_and(|pdu| pdu.acknowledged) {
            self.pdus.pop_front();
            self.first += 1;
        }
    }

    /// Gives up PDU `sn`: its packets are lost, and both ends go on.
    fn abandon(&mut self, sn: u64, fates: &mut Fates) {
        let pdu = &mut self.pdus[(sn - self.first) as usize];
        pdu.acknowledged = true;
        pdu.missing.clear();
        let range = pdu.range.clone();
        self.highest = self.highest.max(sn + 1);
        self.stream.lose(&range, &mut fates.lost);
        self.advance(fates);
    }

    pub fn restart(&mut self) -> Vec<(Held, bool)> {
        let (am, pdcp_header, limit) = (self.am, self.pdcp_header, self.limit);
        let next = self.next();
        let mut stream = std::mem::take(&mut self.stream);
        let rest = stream.drain().into_iter().map(|(held, _)| (held, true)).collect();
        let config = Config { mode: super::Mode::Am(am), buffer: limit, pdcp_header };
        *self =
            Self { stream, first: next, expected: next, highest: next, told: next, ..Self::new(&config, am) };
        rest
    }
}
