//! Events that a sender reports to an observer: losses, round-trip time samples, acknowledged bytes and changes of
//! its variables. The caller polls for them.

use super::connection::Sender;
use super::event::{Event, Observed};

impl Sender {
    /// Makes the sender report acknowledged bytes and changes of its variables.
    pub fn observe(&mut self) {
        self.calm = false;
        self.observed = Some(Box::new(Observed::new(self.stats().acked_bytes, self.variables())));
    }

    /// Returns the next event. Must be called until it returns `None`, after every input to the sender and after
    /// [`Sender::poll`] has returned `None`. Of losses and round-trip time samples that are not fetched, only the
    /// latest of each is kept.
    #[inline]
    pub fn poll_event(&mut self) -> Option<Event> {
        if let Some(loss) = self.tcb.take_unreported_loss() {
            return Some(Event::Loss(loss));
        }
        if let Some(rtt) = self.tcb.round_trips.take_unreported() {
            return Some(Event::RoundTrip(rtt));
        }
        let observed = self.observed.as_mut()?;
        observed.poll(self.tcb.acked_bytes())
    }

    /// Sets the values to report, after the last segment of this instant was sent.
    #[cold]
    pub(super) fn settle(&mut self) {
        let variables = self.variables();
        if let Some(observed) = &mut self.observed {
            observed.settle(variables);
        }
    }
}
