//! Timers of radio link control, requests, measurements and handovers; and the next subframe to run.

use crate::amc::Direction;
use crate::subframe::Tti;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Purpose of a timer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Timer {
    /// A timer of radio link control, by direction.
    Rlc(Direction),
    /// A scheduling request arrives at the eNodeB.
    Request {
        /// Number of the stay in which it was sent.
        stay: u32,
    },
    /// The UE measures its cells.
    Measure,
    /// The time to trigger of event A3 is over.
    Trigger {
        /// Subframe since which the event has held.
        since: Tti,
    },
    /// The UE receives the command to go to another cell.
    Command {
        /// The new cell.
        cell: usize,
    },
    /// The UE arrives in its new cell.
    Attach,
    /// The gateway sends its packets to the new cell.
    Switch,
}

/// The running timers of all UEs.
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

    /// Takes out the next timer that ends in or before subframe `now`; returns the subframe it was set for, its UE and
    /// its purpose.
    pub(crate) fn pop(&mut self, now: Tti) -> Option<(Tti, u32, Timer)> {
        let &Reverse(next) = self.running.peek()?;
        if next.0 > now {
            return None;
        }
        self.running.pop();
        Some(next)
    }

    /// Returns the subframe in which the next timer ends.
    pub(crate) fn next(&self) -> Option<Tti> {
        self.running.peek().map(|&Reverse((at, ..))| at)
    }

    /// Returns the next subframe in which something happens.
    pub(crate) fn due(&self) -> Option<Tti> {
        (self.due < Tti::MAX).then_some(self.due)
    }

    /// Makes sure that subframe `at` is run.
    #[inline]
    pub(crate) fn wake(&mut self, at: Tti) {
        self.due = self.due.min(at);
    }

    /// Forgets the due subframe, which is being run.
    pub(crate) fn begin(&mut self) {
        self.due = Tti::MAX;
    }

    /// Returns the number of running timers.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }
}
