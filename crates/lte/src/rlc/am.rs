//! Acknowledged mode (TS 36.322, sections 5.1.3 and 5.2).
//!
//! A sequence number has 10 bits, and at most 512 PDUs may be unacknowledged. The sender polls after `poll_pdus` PDUs
//! or `poll_bytes` bytes, with the last PDU in its buffer, and again if no status report answers a poll. The receiver
//! sends a status report when it was polled, or when a gap is left at the end of its reordering timer, but only after
//! its prohibit timer has ended. PDUs that are missing by the report are sent again, cut into segments if the
//! transport block is too small.
//!
//! In the standard, a PDU that was retransmitted as often as allowed causes a radio link failure, after which RRC
//! sets the link up anew. Here the packets in that PDU are lost (cause `harq`) and transmission goes on without them.

use super::config::{AmConfig, Config, Mode};
use super::pdu::{Fates, Pdu, SUBHEADER, Sdu, Status};
use super::stream::Stream;
use crate::subframe::Tti;

use base::Packet;
use std::collections::VecDeque;
use std::ops::Range;

/// Maximum number of unacknowledged PDUs: AM_Window_Size (section 7.2).
const WINDOW: u64 = 512;

/// Headers of a PDU and of a segment of a PDU, bytes (sections 6.2.1.4 and 6.2.1.5).
const HEADER: u32 = 2;
const SEGMENT_HEADER: u32 = 4;

/// PDU that has been sent and is still in the window.
#[derive(Clone, Debug)]
struct Sent {
    range: Range<u64>,
    /// Byte ranges of the PDU that the receiver does not have, in order.
    missing: Vec<Range<u64>>,
    /// RETX_COUNT: number of times that the PDU was sent again.
    retransmitted: u32,
    acknowledged: bool,
}

impl Sent {
    /// Records that the receiver has got `range` of the PDU.
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
    /// Sent PDUs, from number `first` on.
    pdus: VecDeque<Sent>,
    /// VT(A): number of the first PDU that is not acknowledged.
    first: u64,
    /// Byte ranges of PDUs to be sent again, with their sequence numbers, in order.
    retransmissions: VecDeque<(u64, Range<u64>)>,
    /// PDU_WITHOUT_POLL and BYTE_WITHOUT_POLL: PDUs and bytes sent since the last poll.
    since_poll: (u32, u32),
    /// t-PollRetransmit: the subframe in which it ends, and the number below which all PDUs must be acknowledged to
    /// stop it.
    poll: Option<(Tti, u64)>,
    /// True if the next PDU must carry a poll.
    poll_next: bool,
    // The receiving end.
    /// VR(R): number of the first PDU that has not been received whole.
    expected: u64,
    /// VR(H): one more than the highest number received.
    highest: u64,
    /// VR(MS): number at which a status report ends.
    max_status: u64,
    /// t-Reordering: the subframe in which it ends, and VR(X), the number below which it waits for PDUs.
    reordering: Option<(Tti, u64)>,
    /// Highest number of a PDU with a poll that no status report covers yet.
    polled: Option<u64>,
    report: bool,
    /// True if the last status report was due while t-StatusProhibit ran, and so had to wait for its end.
    waited: bool,
    /// End of t-StatusProhibit: the first subframe in which a status report may be sent.
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
            waited: false,
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

    /// Returns VT(S), the sequence number of the next new PDU.
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

    /// Adds a PDU or a segment to a transport block, with a poll if one is due (section 5.2.2.1).
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
        self.answer(now);
    }

    /// Delivers complete PDUs in order and moves VR(R) to the first incomplete PDU. Moves VR(MS) to the first
    /// incomplete PDU that is neither before VR(R) nor before the old VR(MS).
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

    /// Moves VR(MS) to the first PDU at or after `from` that has not been received whole.
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

    /// Triggers a status report, unless one is due already.
    fn trigger(&mut self, now: Tti) {
        if !self.report {
            self.report = true;
            self.waited = now < self.prohibited;
        }
    }

    /// Triggers a status report once VR(MS) has passed the PDU with the poll.
    fn answer(&mut self, now: Tti) {
        if self.polled.is_some_and(|sn| sn < self.max_status) {
            self.polled = None;
            self.trigger(now);
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
            self.trigger(now);
            self.answer(now);
        }
    }

    /// Handles the end of t-PollRetransmit (section 5.2.2.3). The next PDU carries a poll; if there is nothing to
    /// send, the last PDU is sent again.
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

    /// Returns the bytes of a status report (section 6.2.1.6): 15 bits, 12 bits for each missing PDU, and 30 more if
    /// only a part of the PDU is missing.
    fn size(&self, gaps: &Status) -> u32 {
        let bits = |(sn, range): &(u64, Range<u64>)| {
            let whole = self.pdus.get((sn - self.first) as usize).is_some_and(|pdu| pdu.range == *range);
            if whole { 12 } else { 42 }
        };
        (15 + gaps.missing.iter().map(bits).sum::<u32>()).div_ceil(8)
    }

    /// Returns a status report of at most `room` bytes. A report that does not fit acknowledges only up to the first
    /// gap that it leaves out.
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

    /// Returns true if the status report that is due, or else the last one, had to wait for the end of t-StatusProhibit.
    pub(crate) fn report_waited(&self) -> bool {
        self.waited
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
        // The missing parts, in order, come before retransmissions beyond `status.ack`, which already wait.
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

    /// Moves VT(A) past the acknowledged PDUs.
    fn advance_window(&mut self) {
        while self.pdus.front().is_some_and(|pdu| pdu.acknowledged) {
            self.pdus.pop_front();
            self.first += 1;
        }
    }

    /// Gives up PDU `sn`: its packets are lost, and both ends treat it as received.
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
