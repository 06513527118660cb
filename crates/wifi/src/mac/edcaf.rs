//! The enhanced distributed channel access function (EDCAF): a queue of a station, and its frame exchange.
//!
//! A station with EDCA has one for each access category, a station without it has one for all packets.

use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mlme::management::Management;
use crate::phy::air::EVERYBODY;
use base::Instant;
use std::collections::VecDeque;

/// An EDCAF of a station.
#[derive(Clone, Debug)]
pub(crate) struct Edcaf {
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) service: Option<Service>,
    /// The packets being transmitted, in order; with aggregation the window of a Block ACK, acknowledged packets beyond
    /// a hole included.
    pub(crate) msdus: Vec<Msdu>,
    /// Time until which it may keep the medium, once it has it; zero: for one frame.
    pub(crate) txop: Instant,
    /// The neighbour whose CTS covers the further frames of this TXOP; the number of all stations: none.
    pub(crate) covers: u32,
}

impl Edcaf {
    /// Creates an EDCAF with nothing to send.
    pub(crate) const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            service: None,
            msdus: Vec::new(),
            txop: Instant::ZERO,
            covers: EVERYBODY,
        }
    }

    /// Returns the management frame that it is sending.
    #[inline]
    pub(crate) fn management(&self) -> Option<Management> {
        match self.msdus.first()?.queued.payload {
            Payload::Management(frame) => Some(frame),
            Payload::Datagram(_) | Payload::Message { .. } => None,
        }
    }

    /// Returns its next packet to send: the first that has not been acknowledged, or the first in its queue.
    pub(crate) fn next_queued(&self) -> Option<Queued> {
        let left = self.msdus.iter().find(|msdu| !msdu.acknowledged && !msdu.expired).map(|msdu| msdu.queued);
        left.or_else(|| self.queue.front().copied())
    }

    /// Marks as acknowledged the packets that the receiver has, after a response. Returns the number of new ones.
    pub(crate) fn acknowledge(&mut self) -> u64 {
        let mut new = 0;
        for msdu in &mut self.msdus {
            new += u64::from(msdu.received && !msdu.acknowledged);
            msdu.acknowledged = msdu.received;
            msdu.misses += u32::from(msdu.on_air && !msdu.acknowledged);
        }
        new
    }
}
