//! Enhanced distributed channel access function (EDCAF): a queue of a station, and the state of its frame exchange.
//!
//! A station with EDCA has one for each access category; a station without EDCA has one for all packets.

use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mlme::management::Management;
use crate::phy::air::EVERYBODY;
use base::Instant;
use std::collections::VecDeque;

/// An EDCAF of a station: its queue, and the frame that it is sending.
#[derive(Clone, Debug)]
pub(crate) struct Edcaf {
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) service: Option<Service>,
    /// Packets of the current frame, in order. With aggregation they are the window of a Block ACK, which includes
    /// acknowledged packets that follow a missing one.
    pub(crate) msdus: Vec<Msdu>,
    /// End of the TXOP, once the EDCAF has the medium; zero if the TXOP is for one frame.
    pub(crate) txop: Instant,
    /// Neighbour that has acknowledged a frame in this TXOP, so that further frames for it need no RTS; [`EVERYBODY`]
    /// if there is none.
    pub(crate) covers: u32,
}

impl Edcaf {
    /// Creates an EDCAF with an empty queue.
    pub(crate) const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            service: None,
            msdus: Vec::new(),
            txop: Instant::ZERO,
            covers: EVERYBODY,
        }
    }

    /// Returns the management frame that the EDCAF is sending, if any.
    #[inline]
    pub(crate) fn management(&self) -> Option<Management> {
        match self.msdus.first()?.queued.payload {
            Payload::Management(frame) => Some(frame),
            Payload::Datagram(_) | Payload::Message { .. } => None,
        }
    }

    /// Returns the next payload to send: the first in transmission that is neither acknowledged nor expired, or else
    /// the first in the queue.
    pub(crate) fn next_queued(&self) -> Option<Queued> {
        let left = self.msdus.iter().find(|msdu| !msdu.acknowledged && !msdu.expired).map(|msdu| msdu.queued);
        left.or_else(|| self.queue.front().copied())
    }

    /// Marks the packets that the receiver has as acknowledged, and counts a miss for the others that were sent.
    /// Returns the number of newly acknowledged packets.
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
