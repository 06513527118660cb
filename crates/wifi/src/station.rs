//! One station: its queue, the frame that it is sending, its receiver.

use crate::ear::{Ear, Fault};
use crate::routing::Datagram;
use crate::stats::StationStats;
use base::{FlowId, Instant};
use std::collections::VecDeque;

/// What a data frame carries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Load {
    /// A packet on its way through the network.
    Datagram(Datagram),
    /// A message of a routing protocol.
    Message {
        /// Its number among those that are held.
        number: u32,
        /// Length of its IP packet.
        bytes: u32,
        /// What it is called.
        name: &'static str,
    },
}

impl Load {
    /// Length of the IP packet, bytes.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            Self::Datagram(datagram) => datagram.packet.wire,
            Self::Message { bytes, .. } => *bytes,
        }
    }

    /// The flow that it belongs to.
    #[inline]
    pub(crate) fn flow(&self) -> Option<FlowId> {
        match self {
            Self::Datagram(datagram) => Some(datagram.packet.flow),
            Self::Message { .. } => None,
        }
    }
}

/// Something in a station's queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) load: Load,
    /// The neighbour that it goes to now, or all.
    pub(crate) via: u32,
    /// When it came to this station.
    pub(crate) came: Instant,
}

/// What is being transmitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    pub(crate) held: Held,
    /// The data frame is on its way, not the RTS before it.
    pub(crate) sending_data: bool,
    /// The receiver has it already: what comes is a duplicate.
    pub(crate) received: bool,
    /// Failed attempts without answer to the first frame: SSRC.
    pub(crate) short: u32,
    /// Failed attempts at the data frame after CTS: SLRC.
    pub(crate) long: u32,
    /// What became of the last attempt.
    pub(crate) fault: Option<Fault>,
}

/// A station.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) ear: Ear,
    pub(crate) queue: VecDeque<Held>,
    pub(crate) service: Option<Service>,
    /// Where it stands among those that contend for the medium.
    pub(crate) contender: Option<u32>,
    pub(crate) stats: StationStats,
    /// When its router is called next.
    pub(crate) wakes: Option<Instant>,
}

impl State {
    pub(crate) fn new(ear: Ear) -> Self {
        Self {
            ear,
            queue: VecDeque::new(),
            service: None,
            contender: None,
            stats: StationStats::default(),
            wakes: None,
        }
    }
}
