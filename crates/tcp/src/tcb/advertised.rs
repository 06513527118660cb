//! Advertised window of the receiver at the sender, and the probes of a closed window (RFC 9293 sections 3.8.6 and 3.8.6.1).
//!
//! A window is in bytes. The sender sends whole segments, so it keeps the edge in segments, rounded down. Windows of this
//! simulator never shrink (RFC 9293 section 3.8.6: they should not). So of two acknowledgments of the same data the larger
//! window is the younger, whatever their order of arrival. A closed window is probed without payload, since a stream is
//! divided into segments once. The probe does not count as data, and nothing is measured by it.

use super::block::Tcb;
use base::{AckHeader, Instant};

/// Largest number of doublings of the interval between probes.
const BACKOFF_LIMIT: u32 = 20;

/// Persist state: probes of a closed window in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Persist {
    probes: u32,
}

impl Tcb {
    /// Handles the window of an acknowledgment of SND.UNA or later; returns true if its edge moved.
    #[inline]
    pub(crate) fn take_window(&mut self, now: Instant, ack: &AckHeader) -> bool {
        let edge = match ack.window.bytes() {
            None if self.stream.is_unbounded() => return false,
            None => u64::MAX,
            Some(bytes) => self.stream.edge_of(ack.ack, bytes),
        };
        let moved = edge != self.stream.edge();
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
            self.persist.probes = 0;
            self.timers.stop_retransmission();
            if !self.snd.all_acknowledged() {
                self.restart_timer(now);
            }
        }
    }

    /// Returns true if the advertised window has room for none of the data that waits.
    #[inline]
    pub(crate) fn window_closed(&self) -> bool {
        self.stream.window_closed(self.snd.una())
    }

    /// Makes sure that a closed window is probed: by the retransmission timer if it runs, else by a persist timer.
    #[cold]
    pub(crate) fn persist(&mut self, now: Instant) {
        if self.timers.retransmission().is_none() {
            let wait = self.round_trips.rto().saturating_mul(1 << self.persist.probes);
            self.timers.start_retransmission(now, wait.min(self.config.timers.max_rto));
        }
    }

    /// Counts a probe that goes out: the next one waits twice as long.
    pub(crate) fn probe(&mut self, now: Instant) {
        self.persist.probes = (self.persist.probes + 1).min(BACKOFF_LIMIT);
        self.persist(now);
    }
}
