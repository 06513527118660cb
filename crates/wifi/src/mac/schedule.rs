//! The scheduled events of a network.

use base::Instant;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A scheduled event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Event {
    /// The transmission of this number has ended at its receiver.
    Arrived(u64),
    /// The timeout of a station that waits for a response.
    TimedOut(u32),
    /// The transmission of this number, which has no single receiver, has ended.
    Sent(u64),
    /// A CF-End, the transmission of this number, has ended.
    Truncated(u64),
    /// A CTS of its sender to itself, the transmission of this number, has ended.
    Cleared(u64),
    /// TBTT: a beacon is due, of the access point of this number among them.
    Beacon(u32),
    /// The timeout of a station that waits for the response to its request of this number.
    AssociationTimedOut(u32, u32),
    /// The scan of a station may have ended.
    Scanned(u32),
    /// The router of a station has something to do.
    Route(u32),
}

/// Events in order of time; ties in the order of scheduling.
#[derive(Clone, Debug, Default)]
pub(crate) struct Schedule {
    events: BinaryHeap<Reverse<(Instant, u64, Event)>>,
    scheduled: u64,
}

impl Schedule {
    /// Schedules an event at `at`.
    pub(crate) fn add(&mut self, at: Instant, event: Event) {
        self.events.push(Reverse((at, self.scheduled, event)));
        self.scheduled += 1;
    }

    /// Returns the time of the next event.
    #[inline]
    pub(crate) fn next(&self) -> Option<Instant> {
        self.events.peek().map(|Reverse((at, ..))| *at)
    }

    /// Removes and returns the next event.
    pub(crate) fn pop(&mut self) -> Option<Event> {
        self.events.pop().map(|Reverse((_, _, event))| event)
    }
}
