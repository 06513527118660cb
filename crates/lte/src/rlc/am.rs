//! Acknowledged mode (TS 36.322, sections 5.1.3 and 5.2).
//!
//! PDUs carry 10 bits of sequence number, and at most 512 may be unacknowledged. The sender polls: after so many PDUs
//! or bytes, with its last PDU, and again when no answer comes. The receiver answers with a status report when it is
//! polled, or when its reordering timer shows a gap, but not more often than its prohibit timer lets it. PDUs that the
//! report misses are sent again, cut into segments if the transport block is too small.
//!
//! A PDU that has been sent again as often as allowed is a radio link failure, after which RRC sets the link up anew.
//! Here the packets in it are lost (cause `harq`) and the link goes on without them.

use super::config::{AmConfig, Config, Mode};
use super::pdu::{Fates, Pdu, SUBHEADER, Sdu, Status};
use super::stream::Stream;
use crate::subframe::Tti;

use base::Packet;
use std::collections::VecDeque;
use std::ops::Range;

/// PDUs that may be unacknowledged, at most (section 7.2).
const WINDOW: u64 = 512;

/// Header of a PDU and of a segment of one, bytes (sections 6.2.1.4 and 6.2.1.5).
const HEADER: u32 = 2;
const SEGMENT_HEADER: u32 = 4;

/// A PDU that has been sent.
#[derive(Clone, Debug)]
struct Sent {
    range: Range<u64>,
    /// Parts of it that the receiver does not have, in order.
    missing: Vec<Range<u64>>,
    /// Number of times it was sent again.
    retransmitted: u32,
    acknowledged: bool,
}

impl Sent {
    /// Notes that the receiver has `range` of it.
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
    /// Parts of PDUs to be sent again, in order of sequence number.
    retransmissions: VecDeque<(u64, Range<u64>)>,
    /// PDUs and bytes since the last poll.
    since_poll: (u32, u32),
    /// Subframe in which a poll for PDUs up to a number is repeated.
    poll: Option<(Tti, u64)>,
    /// The next PDU carries a poll.
    poll_next: bool,
    // The receiving end.
    /// First PDU not received whole: VR(R).
    expected: u64,
    /// One past the highest number received: VR(H).
    highest: u64,
    /// Number before which status reports end: VR(MS).
    max_status: u64,
    /// The reordering timer, for numbers below VR(X).
    reordering: Option<(Tti, u64)>,
    /// Number of a PDU with a poll that the reports do not cover yet.
    polled: Option<u64>,
    report: bool,
    /// First subframe in which a report may be sent.
    prohibited: Tti,
}

impl Am {
    pub(crate) fn new(config: &Config, am: AmConfig) -> Self {
        Self {
            am,
            pdcp_header: config.pdcp_header,
            limit: config.buffer,
            stream: Stream::default(),
            pdus: VecDeque::new(),
            first: 0,
            retransmissions: VecDeque::new(),
            since_poll: (0, 0),
            poll: None,
            poll_next: false,
            expected: 0,
            highest: 0,
            max_status: 0,
            reordering: None,
            polled: None,
            report: false,
            prohibited: 0,
        }
    }

    pub(crate) fn push(&mut self, packet: Packet, to: u32) -> bool {
        let bytes = packet.wire + self.pdcp_header;
        let fits = self.stream.unsent() + u64::from(bytes) <= self.limit;
        if fits {
            self.stream.push(Sdu { packet, to }, bytes);
        }
        fits
    }

    /// Returns the number of the next new PDU: VT(S).
    fn next(&self) -> u64 {
        self.first + self.pdus.len() as u64
    }

    fn stalled(&self) -> bool {
        self.pdus.len() as u64 >= WINDOW
    }

    pub(crate) fn waiting(&self) -> u64 {
        let header = u64::from(SEGMENT_HEADER + SUBHEADER);
        let resent: u64 =
            self.retransmissions.iter().map(|(_, range)| range.end - range.start + header + 4).sum();
        let new = match self.stream.unsent() {
            0 => 0,
            _ if self.stalled() => 0,
            bytes => bytes + 2 * self.stream.unsent_packets() + u64::from(HEADER),
        };
        resent + new
    }

    pub(crate) fn buffered(&self) -> u64 {
        self.stream.unsent()
    }

    pub(crate) fn unsent_packets(&self) -> u64 {
        self.stream.unsent_packets()
    }

    pub(crate) fn inside(&self) -> usize {
        self.stream.inside()
    }

    pub(crate) fn pull(&mut self, now: Tti, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        let mut used = 0;
        while let Some((sn, range)) = self.retransmissions.front().cloned() {
            let left = room.saturating_sub(used);
            let whole = self.pdus.get((sn - self.first) as usize).is_some_and(|pdu| pdu.range == range);
            let header = if whole { HEADER } else { SEGMENT_HEADER };
            let size = self.stream.size(&range, header);
            if size <= left {
                self.retransmissions.pop_front();
                used += size + SUBHEADER;
                self.send(now, sn, range, pdus);
                continue;
            }
            let Some(to) = self.stream.fit(range.start, range.end, left, SEGMENT_HEADER) else { return used };
            if let Some((_, rest)) = self.retransmissions.front_mut() {
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
            self.pdus.push_back(Sent {
                range: range.clone(),
                missing,
                retransmitted: 0,
                acknowledged: false,
            });
            self.send(now, sn, range, pdus);
        }
        used
    }

    /// Adds a PDU to a transport block, with a poll if one is due (section 5.2.2.1).
    fn send(&mut self, now: Tti, sn: u64, range: Range<u64>, pdus: &mut Vec<Pdu>) {
        let empty = self.retransmissions.is_empty() && (self.stream.unsent() == 0 || self.stalled());
        let often = self.since_poll.0 >= self.am.poll_pdus || self.since_poll.1 >= self.am.poll_bytes;
        let poll = empty || often || self.poll_next;
        if poll {
            self.since_poll = (0, 0);
            self.poll_next = false;
            self.poll = Some((now + Tti::from(self.am.poll_retransmit), self.next()));
        }
        pdus.push(Pdu::Data { sn, from: range.start, to: range.end, poll });
    }

    pub(crate) fn arrive(&mut self, now: Tti, sn: u64, range: Range<u64>, poll: bool, fates: &mut Fates) {
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

    /// Delivers whole PDUs in order, and moves VR(MS) to the first PDU that is not whole.
    fn advance(&mut self, fates: &mut Fates) {
        while self.expected < self.highest {
            let pdu = &self.pdus[(self.expected - self.first) as usize];
            if !pdu.missing.is_empty() {
                break;
            }
            self.stream.release(pdu.range.end, &mut fates.delivered);
            self.expected += 1;
        }
        self.move_max_status(self.max_status.max(self.expected));
    }

    /// Moves VR(MS) to the first number from `from` on that is not whole.
    fn move_max_status(&mut self, from: u64) {
        self.max_status = from;
        while self.max_status < self.highest
            && self.pdus[(self.max_status - self.first) as usize].missing.is_empty()
        {
            self.max_status += 1;
        }
    }

    /// Stops or starts the reordering timer (section 5.1.3.2.3).
    fn reorder(&mut self, now: Tti) {
        if self.reordering.is_some_and(|(_, below)| below <= self.expected) {
            self.reordering = None;
        }
        if self.reordering.is_none() && self.highest > self.expected {
            self.reordering = Some((now + Tti::from(self.am.reordering), self.highest));
        }
    }

    /// Answers a poll as soon as a report covers the PDU that had it.
    fn answer(&mut self) {
        if self.polled.is_some_and(|sn| sn < self.max_status) {
            self.polled = None;
            self.report = true;
        }
    }

    pub(crate) fn deadline(&self, now: Tti) -> Option<Tti> {
        let prohibited = (self.report && self.prohibited > now).then_some(self.prohibited);
        [self.poll.map(|(at, _)| at), self.reordering.map(|(at, _)| at), prohibited]
            .into_iter()
            .flatten()
            .min()
    }

    pub(crate) fn expire(&mut self, now: Tti, fates: &mut Fates) {
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
            self.move_max_status(below.max(self.max_status));
            if self.highest > self.max_status {
                self.reordering = Some((now + Tti::from(self.am.reordering), self.highest));
            }
            self.report = true;
            self.answer();
        }
    }

    /// Polls again after a poll without answer (section 5.2.2.3); with nothing else to carry the poll, the last PDU
    /// goes out again.
    fn repeat_poll(&mut self, now: Tti, fates: &mut Fates) {
        if self.pdus.is_empty() {
            return;
        }
        self.poll_next = true;
        if self.retransmissions.is_empty() && (self.stream.unsent() == 0 || self.stalled()) {
            let sn = self.next() - 1;
            let pdu = &mut self.pdus[(sn - self.first) as usize];
            pdu.retransmitted += 1;
            if pdu.retransmitted > self.am.retransmissions {
                self.abandon(sn, fates);
                self.advance_window();
            } else {
                self.retransmissions.push_back((sn, pdu.range.clone()));
            }
        } else {
            self.poll = Some((now + Tti::from(self.am.poll_retransmit), self.next()));
        }
    }

    #[inline]
    pub(crate) fn reporting(&self, now: Tti) -> u32 {
        if self.report && now >= self.prohibited { self.size(&self.gaps(u32::MAX)) + SUBHEADER } else { 0 }
    }

    /// Returns the bytes of a report (section 6.2.1.6): 15 bits, 12 for every PDU missing, 30 more if only a part is
    /// missing.
    fn size(&self, gaps: &Status) -> u32 {
        let bits = |(sn, range): &(u64, Range<u64>)| {
            let whole = self.pdus.get((sn - self.first) as usize).is_some_and(|pdu| pdu.range == *range);
            if whole { 12 } else { 42 }
        };
        (15 + gaps.missing.iter().map(bits).sum::<u32>()).div_ceil(8)
    }

    /// Returns a report of at most `room` bytes; a report cut short acknowledges up to the first gap that it has no
    /// room for.
    fn gaps(&self, room: u32) -> Status {
        let mut status = Status { ack: self.max_status, missing: Vec::new() };
        for sn in self.expected..self.max_status {
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

    pub(crate) fn report(&mut self, now: Tti, room: u32) -> Option<(Pdu, u32)> {
        if !self.report || now < self.prohibited || room < 2 {
            return None;
        }
        let status = self.gaps(room);
        let size = self.size(&status);
        self.report = false;
        self.prohibited = now + Tti::from(self.am.status_prohibit);
        Some((Pdu::Status(Box::new(status)), size))
    }

    pub(crate) fn status(&mut self, now: Tti, status: &Status, fates: &mut Fates) {
        if status.ack < self.first {
            return;
        }
        for sn in self.first..status.ack {
            self.pdus[(sn - self.first) as usize].acknowledged = true;
        }
        self.retransmissions.retain(|&(sn, _)| sn >= status.ack);
        if self.poll.is_some_and(|(_, below)| below <= status.ack) {
            self.poll = None;
        }
        // Back into order, before the parts that already wait to be sent again.
        let mut missing = VecDeque::new();
        let mut last = None;
        for (sn, range) in &status.missing {
            let Some(i) = sn.checked_sub(self.first) else { continue };
            let pdu = &mut self.pdus[i as usize];
            if last != Some(*sn) {
                pdu.retransmitted += 1;
                last = Some(*sn);
            }
            pdu.acknowledged = false;
            if pdu.retransmitted > self.am.retransmissions {
                self.abandon(*sn, fates);
            } else {
                missing.push_back((*sn, range.clone()));
            }
        }
        missing.append(&mut self.retransmissions);
        self.retransmissions = missing;
        self.advance_window();
        self.reorder(now);
    }

    /// Moves the window past acknowledged PDUs.
    fn advance_window(&mut self) {
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

    pub(crate) fn restart(&mut self) -> Vec<(Sdu, bool)> {
        let (am, pdcp_header, limit) = (self.am, self.pdcp_header, self.limit);
        let next = self.next();
        let mut stream = std::mem::take(&mut self.stream);
        let rest = stream.drain().into_iter().map(|(sdu, _)| (sdu, true)).collect();
        let config = Config { mode: Mode::Am(am), buffer: limit, pdcp_header };
        *self = Self {
            stream,
            first: next,
            expected: next,
            highest: next,
            max_status: next,
            ..Self::new(&config, am)
        };
        rest
    }
}
