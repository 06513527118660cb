//! Drop tail: first in, first out; a packet that arrives at a full queue is dropped.
//!
//! A link whose only queue is drop tail computes departures on arrival ([`crate::link`]) and does not use
//! this type. This type has the same rule for stepped links, and as the inner queue of other disciplines.

use super::backlog::{Backlog, Fifo};
use super::discipline::Site;
use super::limit::Limit;
use settings::Settings;

/// Settings of a drop-tail queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Config {
    /// Capacity of the queue.
    #[setting(flatten)]
    pub limit: Limit,
}

/// State of a drop-tail queue.
#[derive(Clone, Debug)]
pub struct DropTail {
    limit: Limit,
    backlog: Backlog,
}

impl DropTail {
    pub(super) fn new(config: &Config, _: &Site) -> Self {
        Self { limit: config.limit, backlog: Backlog::default() }
    }

    /// Changes the limit; waiting packets stay, even above the new limit.
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
