//! FACK: the forward-most selective acknowledgment gives the amount of data in the network (Mathis and
//! Mahdavi 1996).
//!
//! `awnd = next - fack + retransmitted`: all segments below `fack` have left the network, except for
//! retransmissions. Recovery begins when `fack` is more than three segments above the first missing one, or
//! at the third duplicate acknowledgment. The window then starts from one segment and grows with each
//! acknowledgment. There is no Limited Transmit, because awnd allows new segments in its place.
//!
//! If a retransmission is lost, the sender waits for the timer, as in the authors' implementation for ns-2.

use crate::congestion::Congestion;
use crate::scoreboard::Scoreboard;
use crate::tcb::Tcb;
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    board: Scoreboard,
    active: bool,
    /// True after a timeout, until new data are acknowledged: duplicate acknowledgments are ignored.
    ignores_duplicates: bool,
    /// True after a timeout, until all segments outstanding at that time are acknowledged: missing segments
    /// are sent before new data.
    repairing: bool,
    /// Segments retransmitted in this recovery, each with the next new segment at that time.
    resent: Vec<(u64, u64)>,
    /// True if a retransmission was lost, which only the timer can repair.
    stuck: bool,
}

impl State {
    pub(crate) fn active(&self) -> bool {
        self.active
    }

    /// Returns awnd of the paper: the number of segments in the network.
    pub(crate) fn in_flight(&self, tcb: &Tcb) -> u64 {
        tcb.snd.nxt().saturating_sub(self.board.top().max(tcb.snd.una())) + self.board.marked_count()
    }

    pub(crate) fn on_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        tcb.release_burst();
        self.board.advance(ack.ack);
        let mut news = 0;
        if !self.ignores_duplicates || ack.ack > tcb.snd.una() {
            for block in ack.sacked() {
                news += self.board.sack(ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            }
        }
        if self.active {
            if ack.ack > tcb.episode.recover() {
                self.active = false;
                self.leave(tcb, now);
            } else {
                self.find_lost_again();
            }
            tcb.acknowledge::<false>(now, ack);
        } else if ack.ack > tcb.snd.una() {
            self.ignores_duplicates = false;
            tcb.acknowledge::<false>(now, ack);
            if self.repairing && tcb.snd.una() >= tcb.episode.recover() {
                self.leave(tcb, now);
            }
        } else if !self.ignores_duplicates {
            tcb.allowance.set_burst(0);
            tcb.duplicates.count();
            // A duplicate acknowledgment shows too that the path works, so it restarts the timer.
            tcb.update_timer(now);
            let ahead = self.board.top() - tcb.snd.una() > u64::from(tcb.duplicates_for_loss());
            if news > 0 && (ahead || tcb.duplicates.acks() == tcb.duplicates_for_loss()) && tcb.may_cut() {
                self.active = true;
                tcb.cut(now, Congestion::Restart);
                tcb.fast_retransmit(now);
                self.resend(tcb, tcb.snd.una());
                tcb.release_burst();
            }
        }
        tcb.snd.advance(self.board.top());
    }

    fn leave(&mut self, tcb: &mut Tcb, now: Instant) {
        self.repairing = false;
        self.stuck = false;
        self.resent.clear();
        self.board.clear(tcb.snd.una().max(tcb.episode.recover()));
        tcb.recovered(now);
    }

    /// Records if a retransmission was lost: segments that were sent after it have arrived, but it has not.
    fn find_lost_again(&mut self) {
        let board = &self.board;
        self.resent.retain(|(seq, _)| board.is_marked(*seq) && !board.is_sacked(*seq));
        self.stuck |= self.resent.iter().any(|(_, next)| board.top() > *next);
    }

    fn resend(&mut self, tcb: &Tcb, seq: u64) {
        self.board.mark(seq);
        self.resent.push((seq, tcb.snd.nxt()));
    }

    pub(crate) fn on_timeout(&mut self, tcb: &mut Tcb) {
        self.active = false;
        self.ignores_duplicates = true;
        self.repairing = true;
        self.stuck = false;
        self.resent.clear();
        self.board.clear(tcb.snd.una());
    }

    /// Returns the next segment to send; `None` if the window or the data allow none, or if a retransmission
    /// was lost.
    pub(crate) fn next(&mut self, tcb: &mut Tcb) -> Option<u64> {
        // A lost retransmission waits for the timer. If no segment is outstanding, nothing is lost any more
        // and sending continues.
        if self.stuck && tcb.snd.una() < tcb.snd.max() {
            return None;
        }
        let window = if self.active { tcb.control_window() } else { tcb.window() } as u64;
        if self.in_flight(tcb) >= window {
            return None;
        }
        if (self.active || self.repairing)
            && let Some(hole) = self.board.first_hole(tcb.snd.una(), self.board.top())
        {
            self.resend(tcb, hole);
            if hole >= tcb.episode.recover() {
                // A segment sent since recovery began is lost: the same recovery goes on until it is
                // repaired, without another reduction of the window.
                tcb.episode.move_recover(tcb.snd.max());
            }
            return Some(hole);
        }
        (tcb.snd.nxt() < tcb.stream.available() && (tcb.snd.outstanding() as f64) < tcb.growth.limit())
            .then_some(tcb.snd.nxt())
    }
}
