//! Events of a sender: reports that its owner takes out with `Sender::poll_event`.

use crate::stats::ClassifiedLoss;
use base::{Duration, Variable};

/// Report of a sender to its owner.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Event {
    /// Congestion control answered a loss.
    Loss(ClassifiedLoss),
    /// A round trip was measured.
    RoundTrip(Duration),
    /// Bytes of payload were newly acknowledged; only of a sender that is observed.
    Acked(u64),
    /// A variable has a new value, once nothing more is sent at this time; only of a sender that is observed.
    Variable(Variable, f64),
}

/// Variables of a sender that it reports.
const VARIABLES: usize = 6;

/// Values that an observed sender has reported.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    acked_bytes: u64,
    reported: [f64; VARIABLES],
    /// Values since nothing more is sent, with the first that has not been compared with its report.
    settled: [(Variable, f64); VARIABLES],
    next: usize,
}

impl Observed {
    /// Creates the record of a sender whose present values are `variables`: none of them is a report yet.
    pub(super) fn new(acked_bytes: u64, variables: [(Variable, f64); VARIABLES]) -> Self {
        Self { acked_bytes, reported: [f64::NAN; VARIABLES], settled: variables, next: VARIABLES }
    }

    /// Takes the values to report, since nothing more is sent now.
    pub(super) fn settle(&mut self, variables: [(Variable, f64); VARIABLES]) {
        self.settled = variables;
        self.next = 0;
    }

    /// Returns the next report that is due.
    pub(super) fn poll(&mut self, acked_bytes: u64) -> Option<Event> {
        let acked = acked_bytes - self.acked_bytes;
        if acked > 0 {
            self.acked_bytes = acked_bytes;
            return Some(Event::Acked(acked));
        }
        while let Some(&(variable, value)) = self.settled.get(self.next) {
            let reported = &mut self.reported[self.next];
            self.next += 1;
            // Not a number differs from everything, so that the first value is reported.
            if *reported != value {
                *reported = value;
                return Some(Event::Variable(variable, value));
            }
        }
        None
    }
}
