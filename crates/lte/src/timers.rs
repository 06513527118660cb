//! What ends when: timers of radio link control, requests, measurements, handovers; and the next subframe to run.

use crate::amc::Direction;
use crate::subframe::Tti;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a timer is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Timer {
    /// One of radio link control's, by direction.
    Rlc(Direction),
    /// A scheduling request arrives at the eNodeB.
    Request {
        /// The stay that it was sent in.
        stay: u32,
    },
    /// The UE measures its cells.
    Measure,
    /// The time to trigger of event A3 is over.
    Trigger {
        /// Since when the event has held.
        since: Tti,
    },
    /// The UE receives the command to go to another cell.
    Command {
        /// Which.
        cell: usize,
    },
    /// The UE arrives in its new cell.
    Attach,
    /// Its packets come to the new cell directly.
    Switch,
}

/// Every timer that runs, by UE.
#[derive(Clone, Debug)]
pub(crate) struct Timers {
    running: BinaryHeap<Reverse<(Tti, u32, Timer)>>,
    /// The next subframe in which something happens.
    due: Tti,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self { running: BinaryHeap::new(), due: Tti::MAX }
    }

    /// Starts `timer` of UE `ue`, which ends in subframe `at`.
    pub(crate) fn start(&mut self, at: Tti, ue: u32, timer: Timer) {
        self.running.push(Reverse((at, ue, timer)));
        self.wake(at);
    }

    /// The next timer that ends in or before subframe `now`: when it was set for, whose it is, and what for.
    pub(crate) fn pop(&mut self, now: Tti) -> Option<(Tti, u32, Timer)> {
        let &Reverse(next) = self.running.peek()?;
        if next.0 > now {
            return None;
        }
        self.running.pop();
        Some(next)
    }

    /// When the next timer ends.
    pub(crate) fn next(&self) -> Option<Tti> {
        self.running.peek().map(|&Reverse((at, ..))| at)
    }

    /// The next subframe in which something happens.
    pub(crate) fn due(&self) -> Option<Tti> {
        (self.due < Tti::MAX).then_some(self.due)
    }

    /// Something happens in subframe `at`.
    #[inline]
    pub(crate) fn wake(&mut self, at: Tti) {
        self.due = self.due.min(at);
    }

    /// The subframe that was due is run.
    pub(crate) fn begin(&mut self) {
        self.due = Tti::MAX;
    }

    /// How many run.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }
}
