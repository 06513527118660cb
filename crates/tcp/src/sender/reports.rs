//! Verbs of a sender that report its events.

use super::connection::Sender;
use super::event::{Event, Observed};

impl Sender {
    /// Makes the sender report acknowledged bytes and changes of its variables, too.
    pub fn observe(&mut self) {
        self.observed = Some(Box::new(Observed::new(self.stats().acked_bytes, self.variables())));
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
            observed.settle(variables);
        }
    }
}
