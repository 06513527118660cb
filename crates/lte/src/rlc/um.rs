//! Unacknowledged mode (TS 36.322, section 5.1.2).
//!
//! HARQ can deliver PDUs out of order. The receiver waits for missing PDUs while its reordering timer runs. Then it
//! goes on without them, and every packet with bytes in a missing PDU is lost. If HARQ gives up on a PDU, the packets
//! in the PDU are counted as lost at once, although the receiver knows of the loss only when its timer ends.

use super::config::{Config, SequenceNumber, UmConfig};
use super::pdu::{Fates, Pdu, Sdu};
use super::stream::Stream;
use crate::subframe::Tti;

use base::Packet;
use std::collections::VecDeque;
use std::ops::Range;

#[derive(Clone, Debug)]
struct Sent {
    range: Range<u64>,
    received: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Um {
    header: u32,
    pdcp_header: u32,
    limit: u64,
    reordering: Tti,
    stream: Stream,
    /// Sent PDUs from VR(UR), the first for which the receiver still waits; its number is `first`.
    pdus: VecDeque<Sent>,
    first: u64,
    /// VR(UH): one more than the highest number received.
    highest: u64,
    /// t-Reordering: the subframe in which it ends, and VR(UX), the number below which it waits for PDUs.
    timer: Option<(Tti, u64)>,
}

impl Um {
    pub(crate) fn new(config: &Config, um: UmConfig) -> Self {
        Self {
            header: match um.sequence_number {
                SequenceNumber::Short => 1,
                SequenceNumber::Long => 2,
            },
            pdcp_header: config.pdcp_header,
            limit: config.buffer,
            reordering: um.reordering.into(),
            stream: Stream::default(),
            pdus: VecDeque::new(),
            first: 0,
            highest: 0,
            timer: None,
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

    #[inline]
    pub(crate) fn waiting(&self) -> u64 {
        match self.stream.unsent() {
            0 => 0,
            bytes => bytes + 2 * self.stream.unsent_packets() + u64::from(self.header),
        }
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

    pub(crate) fn pull(&mut self, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        let Some((range, bytes)) = self.stream.take(room, self.header) else { return 0 };
        let sn = self.first + self.pdus.len() as u64;
        pdus.push(Pdu::Data { sn, from: range.start, to: range.end, poll: false });
        self.pdus.push_back(Sent { range, received: false });
        bytes
    }

    pub(crate) fn arrive(&mut self, now: Tti, sn: u64, fates: &mut Fates) {
        let Some(i) = sn.checked_sub(self.first) else { return };
        self.pdus[i as usize].received = true;
        self.highest = self.highest.max(sn + 1);
        self.advance(fates);
        if self.timer.is_some_and(|(_, below)| below <= self.first) {
            self.timer = None;
        }
        self.arm(now);
    }

    /// Delivers the PDUs at the front that have been received.
    fn advance(&mut self, fates: &mut Fates) {
        while self.pdus.front().is_some_and(|pdu| pdu.received) {
            self.pass(fates);
        }
    }

    /// Moves VR(UR) past the first PDU. If the PDU was not received, its packets are lost; then packets that end in
    /// it are delivered.
    fn pass(&mut self, fates: &mut Fates) {
        let Some(pdu) = self.pdus.pop_front() else { return };
        self.first += 1;
        if !pdu.received {
            self.stream.lose(&pdu.range, &mut fates.lost);
        }
        self.stream.release(pdu.range.end, &mut fates.delivered);
    }

    fn arm(&mut self, now: Tti) {
        if self.timer.is_none() && self.highest > self.first {
            self.timer = Some((now + self.reordering, self.highest));
        }
    }

    pub(crate) fn gave_up(&mut self, sn: u64, fates: &mut Fates) {
        let Some(i) = sn.checked_sub(self.first) else { return };
        let range = self.pdus[i as usize].range.clone();
        self.stream.lose(&range, &mut fates.lost);
    }

    #[inline]
    pub(crate) fn deadline(&self) -> Option<Tti> {
        self.timer.map(|(at, _)| at)
    }

    pub(crate) fn expire(&mut self, now: Tti, fates: &mut Fates) {
        let Some((_, below)) = self.timer.filter(|&(at, _)| at <= now) else { return };
        self.timer = None;
        while self.first < below {
            self.pass(fates);
        }
        self.advance(fates);
        self.arm(now);
    }

    pub(crate) fn restart(&mut self, fates: &mut Fates) -> Vec<(Sdu, bool)> {
        // Deliver the packets that can be reassembled from PDUs that the receiver holds, in order.
        let mut rest = Vec::new();
        while self.first < self.highest {
            if let Some(pdu) = self.pdus.front().filter(|pdu| !pdu.received) {
                self.stream.lose(&pdu.range, &mut rest);
            }
            self.pass(fates);
        }
        let sent = self.stream.sent();
        self.first += self.pdus.len() as u64;
        self.highest = self.first;
        self.pdus.clear();
        self.timer = None;
        let rest = rest.into_iter().map(|sdu| (sdu, false));
        rest.chain(self.stream.drain().into_iter().map(|(sdu, range)| (sdu, range.start >= sent))).collect()
    }
}
