//! One station: its queue, the frames that it is sending, its receiver.

use crate::air::EVERYBODY;
use crate::association::{Management, Membership};
use crate::ear::Ear;
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
    /// A frame of authentication or association.
    Management(Management),
}

impl Load {
    /// Length of the IP packet, bytes, with what a mesh puts before it; of a management frame all of it.
    #[inline]
    pub(crate) fn bytes(&self) -> u32 {
        match self {
            Self::Datagram(datagram) => datagram.packet.wire + u32::from(datagram.overhead),
            Self::Message { bytes, .. } => *bytes,
            Self::Management(frame) => frame.bytes,
        }
    }

    /// The flow that it belongs to.
    #[inline]
    pub(crate) fn flow(&self) -> Option<FlowId> {
        match self {
            Self::Datagram(datagram) => Some(datagram.packet.flow),
            Self::Message { .. } | Self::Management(_) => None,
        }
    }

    /// Whether it is a packet, not a message.
    pub(crate) fn is_datagram(&self) -> bool {
        matches!(self, Self::Datagram(_))
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

/// What is being transmitted: the packet of an MPDU, or one of several.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mpdu {
    pub(crate) held: Held,
    /// The receiver has it: what comes again is a duplicate.
    pub(crate) received: bool,
    /// The receiver has passed it on: it does so in order.
    pub(crate) released: bool,
    /// The sender knows that the receiver has it.
    pub(crate) acknowledged: bool,
    /// It is in one MPDU with the packet before it.
    pub(crate) joined: bool,
    /// It is part of the transmission that is on the air, or was last.
    pub(crate) on_air: bool,
    /// Attempts that a Block ACK said were in vain.
    pub(crate) misses: u32,
}

impl Mpdu {
    pub(crate) const fn new(held: Held) -> Self {
        Self {
            held,
            received: false,
            released: false,
            acknowledged: false,
            joined: false,
            on_air: false,
            misses: 0,
        }
    }
}

/// What a station is doing about the packets that it is transmitting.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Service {
    /// Their receiver.
    pub(crate) via: u32,
    /// Length of the data frame, bytes.
    pub(crate) bytes: u32,
    /// How many frames it aggregates; 0: it is one frame.
    pub(crate) aggregates: u8,
    /// A Block ACK is to be asked for, in place of data.
    pub(crate) asks: bool,
    /// The data frame or the request is on its way, not the RTS before it.
    pub(crate) past_rts: bool,
    /// The rate of its data frame, and whether that is a sample, which goes alone.
    pub(crate) rate: u8,
    pub(crate) probes: bool,
    /// Failed attempts: SSRC.
    pub(crate) short: u32,
    /// Failed attempts at a data frame after CTS: SLRC.
    pub(crate) long: u32,
}

/// What contends for the medium at a station: one for all that it has to send or, with EDCA, one for each access category.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) queue: VecDeque<Held>,
    pub(crate) service: Option<Service>,
    /// The packets being transmitted, in order; with aggregation the window of a Block ACK, what has been acknowledged beyond
    /// a hole included.
    pub(crate) mpdus: Vec<Mpdu>,
    /// Where it stands among those that contend for the medium.
    pub(crate) contender: Option<u32>,
    /// Until when it may have the medium, once it has it; zero: for one frame.
    pub(crate) txop: Instant,
    /// The neighbour whose CTS covers what follows in this TXOP, or all: none has.
    pub(crate) covers: u32,
}

impl Function {
    pub(crate) const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            service: None,
            mpdus: Vec::new(),
            contender: None,
            txop: Instant::ZERO,
            covers: EVERYBODY,
        }
    }

    /// The management frame that it is sending.
    #[inline]
    pub(crate) fn management(&self) -> Option<Management> {
        match self.mpdus.first()?.held.load {
            Load::Management(frame) => Some(frame),
            Load::Datagram(_) | Load::Message { .. } => None,
        }
    }

    /// What it sends next: what has not been acknowledged, or the first in its queue.
    pub(crate) fn next_held(&self) -> Option<Held> {
        let left = self.mpdus.iter().find(|mpdu| !mpdu.acknowledged).map(|mpdu| mpdu.held);
        left.or_else(|| self.queue.front().copied())
    }
}

/// A station.
#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) ear: Ear,
    /// Which of its functions has the medium, or had it last.
    pub(crate) active: u8,
    /// Whether it waits for the response to a frame of its own.
    pub(crate) exchanging: bool,
    pub(crate) membership: Membership,
    /// When its last answer to a frame has begun or will begin, unless that was an aggregate: what that carried came while it lasted.
    pub(crate) answers: Instant,
    pub(crate) stats: StationStats,
    /// When its router is called next.
    pub(crate) wakes: Option<Instant>,
}

impl State {
    pub(crate) fn new(ear: Ear, stats: StationStats) -> Self {
        Self {
            ear,
            active: 0,
            exchanging: false,
            answers: Instant::ZERO,
            membership: Membership::default(),
            stats,
            wakes: None,
        }
    }
}
