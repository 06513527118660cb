//! One station: its queue, the frame that it is sending, its receiver.

use crate::ear::{Ear, Fault};
use crate::stats::StationStats;
use base::{Instant, Packet};
use std::collections::VecDeque;

/// A packet on its way through the network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Held {
    pub(crate) packet: Packet,
    /// Where it leaves the network.
    pub(crate) to: u32,
    /// The neighbour that it goes to now.
    pub(crate) via: u32,
    /// When it came to this station.
    pub(crate) came: Instant,
}

/// A packet that is being transmitted.
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
}

impl State {
    pub(crate) fn new(ear: Ear) -> Self {
        Self { ear, queue: VecDeque::new(), service: None, contender: None, stats: StationStats::default() }
    }
}
