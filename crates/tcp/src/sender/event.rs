//! Events of a sender: reports that its owner takes out with [`Sender::poll_event`].

use super::connection::Sender;
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
    /// Returns the next report that is due.
    fn poll(&mut self, acked_bytes: u64) -> Option<Event> {
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

impl Sender {
    /// Makes the sender report acknowledged bytes and changes of its variables, too.
    pub fn observe(&mut self) {
        let settled = self.variables();
        let reported = [f64::NAN; VARIABLES];
        let acked_bytes = self.stats().acked_bytes;
        self.observed = Some(Box::new(Observed { acked_bytes, reported, settled, next: VARIABLES }));
    }

    /// Returns the next report, if there is one. Call it until there is none: after each call that hands something in, and
    /// after [`Sender::poll`] has returned `None`. Of losses and round trips only the last of each is kept.
    #[inline]
    pub fn poll_event(&mut self) -> Option<Event> {
        if let Some(loss) = self.tcb.take_unreported_loss() {
            return Some(Event::Loss(loss));
        }
        if let Some(rtt) = self.tcb.round_trips.take_unreported() {
            return Some(Event::RoundTrip(rtt));
        }
        let acked_bytes = self.tcb.stats.acked_bytes;
        self.observed.as_mut()?.poll(acked_bytes)
    }

    /// Takes the values to report, since nothing more is sent now.
    #[cold]
    pub(super) fn settle(&mut self) {
        let variables = self.variables();
        if let Some(observed) = &mut self.observed {
            observed.settled = variables;
            observed.next = 0;
        }
    }
}
