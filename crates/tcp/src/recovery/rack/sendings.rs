//! Transmissions of outstanding segments, in the order of sending.

use crate::congestion::Transmission;
use crate::tcb::Tcb;
use base::Instant;
use std::collections::VecDeque;

/// One transmission of a segment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Sending {
    pub(super) seq: u64,
    pub(super) at: Instant,
    /// Number of times that the segment had been sent, this transmission included. A smaller number than
    /// `Tcb::sending` returns means that the segment was sent again since.
    pub(super) transmissions: u32,
}

/// Transmissions of the outstanding segments. One is late once a segment that was sent later is delivered.
#[derive(Clone, Debug, Default)]
pub(super) struct Sendings {
    /// Segment from which on first transmissions are not late. Those of lower segments are late, delivered,
    /// or followed by a retransmission.
    pub(super) fresh: u64,
    /// Retransmissions that are not late, in the order of sending.
    pub(super) resent: VecDeque<Sending>,
    /// One more than the highest segment that has been retransmitted.
    pub(super) resent_end: u64,
    /// Late transmissions of segments that have not arrived, in the order of sending.
    pub(super) late: VecDeque<Sending>,
}

impl Sendings {
    /// Returns the transmission of the lowest segment from `fresh` on that has been sent only once; `None` if
    /// there is none.
    fn first_fresh(&mut self, tcb: &Tcb) -> Option<Sending> {
        self.fresh = self.fresh.max(tcb.snd.una());
        while self.fresh < tcb.snd.max() {
            let Transmission { sent: at, transmissions } = tcb.sending(self.fresh);
            if transmissions == 1 {
                return Some(Sending { seq: self.fresh, at, transmissions });
            }
            // A first transmission does not count after a retransmission.
            self.fresh += 1;
        }
        None
    }

    /// Removes and returns the earliest transmission that is not yet late, if it was sent no later than
    /// `upto` (time and segment).
    pub(super) fn next_late(&mut self, tcb: &Tcb, upto: (Instant, u64)) -> Option<Sending> {
        let key = |sending: &Sending| (sending.at, sending.seq);
        let fresh = self.first_fresh(tcb).filter(|sending| key(sending) <= upto);
        let resent = self.resent.front().copied().filter(|sending| key(sending) <= upto);
        if let Some(first) = fresh
            && resent.is_none_or(|resent| key(&first) < key(&resent))
        {
            self.fresh += 1;
            return fresh;
        }
        resent.and_then(|_| self.resent.pop_front())
    }

    /// Returns the transmissions of all outstanding segments in the order of sending, late ones first.
    pub(super) fn all(&self, tcb: &Tcb) -> Vec<Sending> {
        let mut rest: Vec<Sending> = self.resent.iter().copied().collect();
        for seq in self.fresh.max(tcb.snd.una())..tcb.snd.max() {
            let Transmission { sent: at, transmissions } = tcb.sending(seq);
            if transmissions == 1 {
                rest.push(Sending { seq, at, transmissions });
            }
        }
        rest.sort_by_key(|sending| (sending.at, sending.seq));
        self.late.iter().copied().chain(rest).collect()
    }
}
