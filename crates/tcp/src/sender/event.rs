//! Events that a sender reports to its owner through `Sender::poll_event`.

use crate::stats::ClassifiedLoss;
use base::{Duration, Variable};

/// An event of a sender.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// Congestion control reacted to a loss.
    Loss(ClassifiedLoss),
    /// There was a sample of the round-trip time.
    RoundTrip(Duration),
    /// Payload was newly acknowledged, bytes; reported only if the sender is observed.
    Acked(u64),
    /// A variable has this new value once all segments of the current instant are sent; reported only if the
    /// sender is observed.
    Variable(Variable, f64),
}

/// Number of variables that a sender reports.
const VARIABLES: usize = 6;

/// Values that an observed sender has reported, and those that it still has to report.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    acked_bytes: u64,
    reported: [f64; VARIABLES],
    /// Values after the last segment of an instant was sent. Values from index `next` on have not been
    /// compared with `reported`.
    settled: [(Variable, f64); VARIABLES],
    next: usize,
}

impl Observed {
    /// Creates the record of a sender whose variables have the values `variables`; none of these values has
    /// been reported.
    pub(super) fn new(acked_bytes: u64, variables: [(Variable, f64); VARIABLES]) -> Self {
        Self { acked_bytes, reported: [f64::NAN; VARIABLES], settled: variables, next: VARIABLES }
    }

    /// Sets the values to report; called after the last segment of an instant was sent.
    pub(super) fn settle(&mut self, variables: [(Variable, f64); VARIABLES]) {
        self.settled = variables;
        self.next = 0;
    }

    /// Returns the next event to report; `None` if there is none.
    pub(super) fn poll(&mut self, acked_bytes: u64) -> Option<Event> {
        let acked = acked_bytes - self.acked_bytes;
        if acked > 0 {
            self.acked_bytes = acked_bytes;
            return Some(Event::Acked(acked));
        }
        while let Some(&(variable, value)) = self.settled.get(self.next) {
            let reported = &mut self.reported[self.next];
            self.next += 1;
            // NaN differs from every value, so the first value is reported.
            if *reported != value {
                *reported = value;
                return Some(Event::Variable(variable, value));
            }
        }
        None
    }
}
