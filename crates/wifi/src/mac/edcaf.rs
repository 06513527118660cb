//! A channel access function: the queue that contends for the medium at a station.

use crate::mac::payload::{Msdu, Payload, Queued, Service};
use crate::mlme::management::Management;
use crate::phy::air::EVERYBODY;
use base::Instant;
use std::collections::VecDeque;

/// What contends for the medium at a station: one for all that it has to send or, with EDCA, one for each access category.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) queue: VecDeque<Queued>,
    pub(crate) service: Option<Service>,
    /// The packets being transmitted, in order; with aggregation the window of a Block ACK, what has been acknowledged beyond
    /// a hole included.
    pub(crate) msdus: Vec<Msdu>,
    /// Until when it may have the medium, once it has it; zero: for one frame.
    pub(crate) txop: Instant,
    /// The neighbour whose CTS covers what follows in this TXOP, or all: none has.
    pub(crate) covers: u32,
}

impl Function {
    /// One with nothing to send.
    pub(crate) const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            service: None,
            msdus: Vec::new(),
            txop: Instant::ZERO,
            covers: EVERYBODY,
        }
    }

    /// The management frame that it is sending.
    #[inline]
    pub(crate) fn management(&self) -> Option<Management> {
        match self.msdus.first()?.queued.payload {
            Payload::Management(frame) => Some(frame),
            Payload::Datagram(_) | Payload::Message { .. } => None,
        }
    }

    /// What it sends next: what has not been acknowledged, or the first in its queue.
    pub(crate) fn next_queued(&self) -> Option<Queued> {
        let left = self.msdus.iter().find(|msdu| !msdu.acknowledged && !msdu.expired).map(|msdu| msdu.queued);
        left.or_else(|| self.queue.front().copied())
    }

    /// A response has come: the sender knows what the receiver has. How many packets are new among that.
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
