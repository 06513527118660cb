//! An entity of radio link control in either mode.

use super::am::Am;
use super::config::{Config, Mode};
use super::pdu::{Fates, Pdu, Sdu, Status};
use super::um::Um;
use crate::subframe::Tti;
use base::Packet;

/// One direction of a bearer.
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

    /// Takes a packet for station `to`; returns false if there is no room.
    pub(crate) fn push(&mut self, packet: Packet, to: u32) -> bool {
        match self {
            Self::Um(um) => um.push(packet, to),
            Self::Am(am) => am.push(packet, to),
        }
    }

    /// Returns the bytes that a transport block would need for everything that waits, headers included (an upper
    /// bound).
    #[inline]
    pub(crate) fn waiting(&self) -> u64 {
        match self {
            Self::Um(um) => um.waiting(),
            Self::Am(am) => am.waiting(),
        }
    }

    /// Returns the bytes in the buffer that the configuration limits.
    pub(crate) fn buffered(&self) -> u64 {
        match self {
            Self::Um(um) => um.buffered(),
            Self::Am(am) => am.buffered(),
        }
    }

    /// Returns the number of packets of which some bytes have never been sent.
    pub(crate) fn unsent_packets(&self) -> u64 {
        match self {
            Self::Um(um) => um.unsent_packets(),
            Self::Am(am) => am.unsent_packets(),
        }
    }

    /// Returns the number of packets that have not come out yet.
    pub(crate) fn inside(&self) -> usize {
        match self {
            Self::Um(um) => um.inside(),
            Self::Am(am) => am.inside(),
        }
    }

    /// Fills `room` bytes of a transport block; returns the bytes used.
    pub(crate) fn pull(&mut self, now: Tti, room: u32, pdus: &mut Vec<Pdu>) -> u32 {
        match self {
            Self::Um(um) => um.pull(room, pdus),
            Self::Am(am) => am.pull(now, room, pdus),
        }
    }

    /// Receives a PDU.
    pub(crate) fn arrive(&mut self, now: Tti, pdu: &Pdu, fates: &mut Fates) {
        match (self, pdu) {
            (Self::Um(um), &Pdu::Data { sn, .. }) => um.arrive(now, sn, fates),
            (Self::Am(am), &Pdu::Data { sn, from, to, poll }) => am.arrive(now, sn, from..to, poll, fates),
            (_, Pdu::Status(_)) => {}
        }
    }

    /// Handles a PDU that HARQ has given up.
    pub(crate) fn gave_up(&mut self, pdu: &Pdu, fates: &mut Fates) {
        // Acknowledged mode learns of it from status reports alone.
        if let (Self::Um(um), &Pdu::Data { sn, .. }) = (self, pdu) {
            um.gave_up(sn, fates);
        }
    }

    /// Returns the subframe in which a timer ends after subframe `now`.
    #[inline]
    pub(crate) fn deadline(&self, now: Tti) -> Option<Tti> {
        match self {
            Self::Um(um) => um.deadline(),
            Self::Am(am) => am.deadline(now),
        }
    }

    /// Ends the timers that are due.
    pub(crate) fn expire(&mut self, now: Tti, fates: &mut Fates) {
        match self {
            Self::Um(um) => um.expire(now, fates),
            Self::Am(am) => am.expire(now, fates),
        }
    }

    /// Returns the status report that the receiving end wants to send now, if any.
    pub(crate) fn report(&mut self, now: Tti, room: u32) -> Option<(Pdu, u32)> {
        match self {
            Self::Um(_) => None,
            Self::Am(am) => am.report(now, room),
        }
    }

    /// Returns the bytes of a status report that the receiving end wants to send now; 0 if there is none.
    #[inline]
    pub(crate) fn reporting(&self, now: Tti) -> u32 {
        match self {
            Self::Um(_) => 0,
            Self::Am(am) => am.reporting(now),
        }
    }

    /// Receives a report about the PDUs that this entity sent.
    pub(crate) fn status(&mut self, now: Tti, status: &Status, fates: &mut Fates) {
        if let Self::Am(am) = self {
            am.status(now, status, fates);
        }
    }

    /// Starts anew, as at a handover (TS 36.322, section 5.4). Returns the packets that are still inside, in order,
    /// each with whether PDCP may send it again in the new cell. In acknowledged mode it may send all, in
    /// unacknowledged mode those of which nothing has been sent.
    pub(crate) fn restart(&mut self, fates: &mut Fates) -> Vec<(Sdu, bool)> {
        match self {
            Self::Um(um) => um.restart(fates),
            Self::Am(am) => am.restart(),
        }
    }
}
