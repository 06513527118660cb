//! Drop tail: first in, first out; arrivals that find no room are dropped.
//!
//! A link whose only queue is this one computes departures ahead ([`crate::link`]) and does not use it. This is the
//! same rule packet by packet, for stepped links and inside other disciplines.

use super::backlog::{Backlog, Fifo};
use super::discipline::Site;
use super::limit::Limit;
use settings::Settings;

/// Settings of a drop-tail queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Room of the queue.
    #[setting(flatten)]
    pub limit: Limit,
}

/// The queue with its state.
#[derive(Clone, Debug)]
pub struct DropTail {
    limit: Limit,
    backlog: Backlog,
}

impl DropTail {
    pub(super) fn new(config: &Config, _: &Site) -> Self {
        Self { limit: config.limit, backlog: Backlog::default() }
    }

    /// Changes the room; packets already queued stay.
    pub(super) fn set_limit(&mut self, limit: Limit) {
        self.limit = limit;
    }
}

impl Fifo for DropTail {
    fn backlog(&self) -> &Backlog {
        &self.backlog
    }

    fn backlog_mut(&mut self) -> &mut Backlog {
        &mut self.backlog
    }

    fn limit(&self) -> Limit {
        self.limit
    }
}
