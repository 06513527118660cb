//! RLC entity in either mode.

use super::am::Am;
use super::config::{Config, Mode};
use super::pdu::{Fates, Pdu, Sdu, Status};
use super::um::Um;
use crate::subframe::Tti;
use base::Packet;

/// RLC of one direction of a bearer, with the sending and the receiving end.
#[derive(Clone, Debug)]
pub(crate) enum Entity {
    Um(Um),
    Am(Am),
}

impl Entity {
    pub(crate) fn new(config: &Config) -> Self {
        match config.mode {
            Mode::Um(um) => Self::Um(Um::new(config, um)),
            Mode::Am(am) => Self::Am(Am::new(config, am)),
        }
    }

    /// Puts a packet for station `to` into the buffer; returns false if the buffer is full.
    pub(crate) fn push(&mut self, packet: Packet, to: u32) -> bool {
        match self {
            Self::Um(um) => um.push(packet, to),
            Self::Am(am) => am.push(packet, to),
        }
    }

    /// Returns an upper bound on the bytes of transport blocks that all waiting data need, headers included.
    #[inline]
    pub(crate) fn waiting(&self) -> u64 {
        match self {
            Self::Um(um) => um.waiting(),
            Self::Am(am) => am.waiting(),
        }
    }

    /// Returns the bytes that count against the limit of the buffer.
    pub(crate) fn buffered(&self) -> u64 {
        match self {
            Self::Um(um) => um.buffered(),
            Self::Am(am) => am.buffered(),
        }
    }

    /// Returns the number of packets that have not been sent whole.
    pub(crate) fn unsent_packets(&self) -> u64 {
        match self {
            Self::Um(um) => um.unsent_packets(),
            Self::Am(am) => am.unsent_packets(),
        }
    }

    /// Returns the number of packets that have been neither delivered nor lost.
    pub(crate) fn inside(&self) -> usize {
        match self {
            Self::Um(um) => um.inside(),
            Self::Am(am) => am.inside(),
        }
    }

    /// Fills at most `room` bytes of a transport block with PDUs; returns the bytes used.
    pub(crate) fn pull(&mut self, now: Tti, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        match self {
            Self::Um(um) => um.pull(room, pdus),
            Self::Am(am) => am.pull(now, room, pdus),
        }
    }

    /// Handles a PDU at the receiving end.
    pub(crate) fn arrive(&mut self, now: Tti, pdu: &Pdu, fates: &mut Fates) {
        match (self, pdu) {
            (Self::Um(um), &Pdu::Data { sn, .. }) => um.arrive(now, sn, fates),
            (Self::Am(am), &Pdu::Data { sn, from, to, poll }) => am.arrive(now, sn, from..to, poll, fates),
            (_, Pdu::Status(_)) => {}
        }
    }

    /// Handles a PDU that HARQ has given up.
    pub(crate) fn gave_up(&mut self, pdu: &Pdu, fates: &mut Fates) {
        // In acknowledged mode the sender learns of the loss from status reports alone.
        if let (Self::Um(um), &Pdu::Data { sn, .. }) = (self, pdu) {
            um.gave_up(sn, fates);
        }
    }

    /// Returns the subframe in which the next timer ends. `now` is the current subframe: an ended prohibit timer does
    /// not count.
    #[inline]
    pub(crate) fn deadline(&self, now: Tti) -> Option<Tti> {
        match self {
            Self::Um(um) => um.deadline(),
            Self::Am(am) => am.deadline(now),
        }
    }

    /// Handles the timers that have ended by subframe `now`.
    pub(crate) fn expire(&mut self, now: Tti, fates: &mut Fates) {
        match self {
            Self::Um(um) => um.expire(now, fates),
            Self::Am(am) => am.expire(now, fates),
        }
    }

    /// Returns a status report of at most `room` bytes and its size in bytes, if one is due.
    pub(crate) fn report(&mut self, now: Tti, room: u32) -> Option<(Pdu, u32)> {
        match self {
            Self::Um(_) => None,
            Self::Am(am) => am.report(now, room),
        }
    }

    /// Returns true if the status report that is due, or else the last one, had to wait for the end of t-StatusProhibit.
    pub(crate) fn report_waited(&self) -> bool {
        match self {
            Self::Um(_) => false,
            Self::Am(am) => am.report_waited(),
        }
    }

    /// Returns the bytes that a status report due in subframe `now` would take; 0 if none is due.
    #[inline]
    pub(crate) fn reporting(&self, now: Tti) -> u32 {
        match self {
            Self::Um(_) => 0,
            Self::Am(am) => am.reporting(now),
        }
    }

    /// Handles a status report about PDUs that this entity sent.
    pub(crate) fn status(&mut self, now: Tti, status: &Status, fates: &mut Fates) {
        if let Self::Am(am) = self {
            am.status(now, status, fates);
        }
    }

    /// Restarts the entity, as at a handover (TS 36.322, section 5.4). Returns the packets that are still inside, in
    /// order, each with true if PDCP may send it again in the new cell: in acknowledged mode any packet, in
    /// unacknowledged mode a packet of which nothing was sent.
    pub(crate) fn restart(&mut self, fates: &mut Fates) -> Vec<(Sdu, bool)> {
        match self {
            Self::Um(um) => um.restart(fates),
            Self::Am(am) => am.restart(),
        }
    }
}
