//! Scheduled events of a network.

use base::Instant;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Scheduled event; a transmission is named by its number in the log.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    /// A transmission has ended at its receiver or, if it is a broadcast, at all stations.
    Arrived(u64),
    /// The response timeout of a station has ended.
    TimedOut(u32),
    /// A beacon that no station evaluates has ended.
    Sent(u64),
    /// A CF-End has ended.
    Truncated(u64),
    /// A CTS-to-self has ended.
    Cleared(u64),
    /// TBTT: a beacon is due, in infrastructure mode that of the access point with this index.
    Beacon(u32),
    /// The association timeout of a station has ended, for its request of this number.
    AssociationTimedOut(u32, u32),
    /// A station's passive scan may have ended.
    Scanned(u32),
    /// A station's router must be called.
    Route(u32),
}

/// Events in order of time; simultaneous events in the order in which they were scheduled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    events: BinaryHeap<Reverse<(Instant, u64, Event)>>,
    scheduled: u64,
}

impl Schedule {
    pub(crate) fn add(&mut self, at: Instant, event: Event) {
        self.events.push(Reverse((at, self.scheduled, event)));
        self.scheduled += 1;
    }

    #[inline]
    pub(crate) fn next(&self) -> Option<Instant> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    pub(crate) fn pop(&mut self) -> Option<Event> {
        self.events.pop().map(|Reverse((_, _, event))| event)
    }
}
