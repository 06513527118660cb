//! Methods of the TCB for the receiver's advertised window.

use super::BACKOFF_LIMIT;
use crate::tcb::block::Tcb;
use base::{AckHeader, Instant};

impl Tcb {
    /// Handles the window of an acknowledgment of SND.UNA or later; returns true if the right edge moved.
    #[inline]
    pub(crate) fn take_window(&mut self, now: Instant, ack: &AckHeader) -> bool {
        let edge = match ack.window.bytes() {
            None if self.stream.is_unbounded() => return false,
            None => u64::MAX,
            Some(bytes) => {
                if let Some(buffer) = &mut self.send_buffer {
                    buffer.take_window(bytes, ack.syn);
                }
                self.stream.edge_of(ack.ack, bytes)
            }
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

    /// Returns true if data wait and the advertised window allows none of them.
    #[inline]
    pub(crate) fn window_closed(&self) -> bool {
        self.stream.window_closed(self.snd.una())
    }

    /// Makes sure that a zero window will be probed: if the retransmission timer does not run, it is started
    /// with the interval between probes.
    #[cold]
    pub(crate) fn persist(&mut self, now: Instant) {
        if self.timers.retransmission().is_none() {
            let wait = self.round_trips.rto().saturating_mul(1 << self.persist.probes);
            self.timers.start_retransmission(now, wait.min(self.config.timers.max_rto));
        }
    }

    /// Records a probe, and sets the timer for the next one, after twice the interval.
    pub(crate) fn probe(&mut self, now: Instant) {
        self.persist.probes = (self.persist.probes + 1).min(BACKOFF_LIMIT);
        self.persist(now);
    }
}
