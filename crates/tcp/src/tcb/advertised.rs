//! The receiver's advertised window at the sender, and the probes that ask for it while it is closed (RFC 9293 sections
//! 3.8.6 and 3.8.6.1).
//!
//! A window is in bytes; the sender sends whole segments and so keeps its edge in segments, rounded down. Windows of this
//! simulator never shrink (RFC 9293 section 3.8.6: they should not), so that of two acknowledgments of the same data the
//! larger window is the younger, whatever their order of arrival. A closed window is probed without payload, since a
//! stream is divided into segments once; the probe does not count as data, and nothing is measured by it.

use super::block::Tcb;
use base::{AckHeader, Instant, Stamp};

/// Most doublings of the interval between probes.
const BACKOFF_LIMIT: u32 = 20;

impl Tcb {
    /// Updates the edge by the window of an acknowledgment of `una` or later; returns true if it moved.
    #[inline]
    pub(crate) fn take_window(&mut self, now: Instant, ack: &AckHeader) -> bool {
        let edge = match ack.window.bytes() {
            None if self.stream.edge == u64::MAX => return false,
            None => u64::MAX,
            Some(bytes) => self.stream.edge_of(ack.ack, bytes),
        };
        let moved = edge != self.stream.edge;
        if moved {
            self.move_edge(now, edge);
        }
        moved
    }

    #[cold]
    fn move_edge(&mut self, now: Instant, edge: u64) {
        let closed = self.window_closed();
        self.stream.move_edge(edge);
        if closed && !self.window_closed() {
            self.probes = 0;
            self.timer = None;
            if self.una < self.max {
                self.restart_timer(now);
            }
        }
    }

    /// Returns true if there is data to send that the advertised window has no room for, and nothing before it.
    #[inline]
    pub(crate) fn window_closed(&self) -> bool {
        self.stream.window_closed(self.una)
    }

    /// Sets the timer for the next probe of a closed window: the retransmission timer if it runs, else its own.
    #[cold]
    pub(crate) fn persist(&mut self, now: Instant) {
        if self.timer.is_none() {
            let wait = self.rtt.rto().saturating_mul(1 << self.probes);
            self.timer = Some(Stamp::new(now + wait.min(self.config.timers.max_rto), now));
        }
    }

    /// Notes that a probe is sent: the next one waits twice as long.
    pub(crate) fn probe(&mut self, now: Instant) {
        self.probes = (self.probes + 1).min(BACKOFF_LIMIT);
        self.persist(now);
    }
}
