//! Timers of RLC, scheduling requests, measurements and handovers, and the number of the next subframe to be
//! simulated.

use crate::amc::Direction;
use crate::subframe::Tti;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Purpose of a timer; each begins or ends something in the subframe for which it is set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Timer {
    /// A timer of the RLC entity of a direction ends.
    Rlc(Direction),
    /// A scheduling request of a UE, or its buffer status report outside of a transport block, arrives at the
    /// eNodeB.
    Request {
        /// Number of the UE's stay in a cell when the request was sent.
        stay: u32,
    },
    /// The UE measures all cells.
    Measure,
    /// The time to trigger of event A3 is over.
    Trigger {
        /// Subframe since which A3 has held.
        since: Tti,
    },
    /// The UE receives the command for a handover to `cell`.
    Command { cell: usize },
    /// The UE is attached to its new cell.
    Attach,
    /// The gateway sends the UE's packets to its new cell (path switch).
    Switch,
}

/// Running timers of all UEs.
#[derive(Clone, Debug)]
pub(crate) struct Timers {
    running: BinaryHeap<Reverse<(Tti, u32, Timer)>>,
    /// Next subframe to be simulated; `Tti::MAX` if none is known.
    due: Tti,
}

impl Timers {
    pub(crate) fn new() -> Self {
        Self { running: BinaryHeap::new(), due: Tti::MAX }
    }

    /// Starts `timer` of UE `ue`, to end in subframe `at`.
    pub(crate) fn start(&mut self, at: Tti, ue: u32, timer: Timer) {
        self.running.push(Reverse((at, ue, timer)));
        self.wake(at);
    }

    /// Removes the next timer that ends in or before subframe `now`; returns the subframe for which it was set, its
    /// UE and its purpose.
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

    /// Returns the next subframe that has to be simulated.
    pub(crate) fn due(&self) -> Option<Tti> {
        (self.due < Tti::MAX).then_some(self.due)
    }

    /// Ensures that subframe `at` is simulated.
    #[inline]
    pub(crate) fn wake(&mut self, at: Tti) {
        self.due = self.due.min(at);
    }

    /// Clears the number of the next subframe when the simulation of that subframe begins.
    pub(crate) fn begin(&mut self) {
        self.due = Tti::MAX;
    }

    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.running.len()
    }
}
