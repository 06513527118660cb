//! FACK: the forward-most selective acknowledgment tells how much data is in the network (Mathis and Mahdavi 1996).
//!
//! `awnd = next - fack + retransmitted`: all below `fack` has left the network but for what was sent again. Recovery begins
//! when `fack` is more than three segments ahead of the first missing one, or at the third duplicate acknowledgment. The
//! window then starts from one segment and each acknowledgment opens it. There is no Limited Transmit: `fack` takes its part.
//!
//! A retransmission that is lost again waits for the timer, as in the implementation that the paper's authors gave to ns-2.

use crate::congestion::Congestion;
use crate::core::Core;
use crate::scoreboard::Scoreboard;
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    board: Scoreboard,
    active: bool,
    /// After a timeout, until new data is acknowledged: duplicate acknowledgments mean nothing.
    ignores_duplicates: bool,
    /// After a timeout, until all that was outstanding then is acknowledged: holes go before new data.
    repairing: bool,
    /// Segments sent again in this recovery, and what was the next new segment then.
    resent: Vec<(u64, u64)>,
    /// A segment sent again was lost again: only the timer can repair that.
    stuck: bool,
}

impl State {
    pub(crate) fn active(&self) -> bool {
        self.active
    }

    /// The paper's awnd: segments in the network.
    pub(crate) fn in_flight(&self, core: &Core) -> u64 {
        core.next.saturating_sub(self.board.top().max(core.una)) + self.board.marked_count()
    }

    pub(crate) fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        core.burst = core.most_burst();
        self.board.advance(ack.ack);
        let mut news = 0;
        if !self.ignores_duplicates || ack.ack > core.una {
            for block in ack.sacked() {
                news += self.board.sack(ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            }
        }
        if self.active {
            if ack.ack > core.recover {
                self.active = false;
                self.leave(core, now);
            } else {
                self.find_lost_again();
            }
            core.acknowledge(now, ack);
        } else if ack.ack > core.una {
            self.ignores_duplicates = false;
            core.acknowledge(now, ack);
            if self.repairing && core.una >= core.recover {
                self.leave(core, now);
            }
        } else if !self.ignores_duplicates {
            core.burst = 0;
            core.dup_acks += 1;
            // Each acknowledgment shows that the path is alive, duplicates too.
            core.update_timer(now);
            let ahead = self.board.top() - core.una > u64::from(core.duplicates());
            if news > 0 && (ahead || core.dup_acks == core.duplicates()) && core.may_cut() {
                self.active = true;
                core.cut(now, Congestion::Restart);
                core.fast_retransmit(now);
                self.resend(core, core.una);
                core.burst = core.most_burst();
            }
        }
        core.next = core.next.max(self.board.top());
    }

    fn leave(&mut self, core: &mut Core, now: Instant) {
        self.repairing = false;
        self.stuck = false;
        self.resent.clear();
        self.board.clear(core.una.max(core.recover));
        core.recovered(now);
    }

    /// What was sent after a retransmission has arrived, the retransmission has not: it was lost again.
    fn find_lost_again(&mut self) {
        let board = &self.board;
        self.resent.retain(|(seq, _)| board.is_marked(*seq) && !board.is_sacked(*seq));
        self.stuck |= self.resent.iter().any(|(_, next)| board.top() > *next);
    }

    fn resend(&mut self, core: &Core, seq: u64) {
        self.board.mark(seq);
        self.resent.push((seq, core.next));
    }

    pub(crate) fn on_timeout(&mut self, core: &mut Core) {
        self.active = false;
        self.ignores_duplicates = true;
        self.repairing = true;
        self.stuck = false;
        self.resent.clear();
        self.board.clear(core.una);
    }

    /// The next segment to send, or none.
    pub(crate) fn next(&mut self, core: &mut Core) -> Option<u64> {
        // With nothing outstanding there is nothing for the timer to repair.
        if self.stuck && core.una < core.max {
            return None;
        }
        let window = if self.active { core.control_window() } else { core.window() } as u64;
        if self.in_flight(core) >= window {
            return None;
        }
        if (self.active || self.repairing)
            && let Some(hole) = self.board.first_hole(core.una, self.board.top())
        {
            self.resend(core, hole);
            if hole >= core.recover {
                // A loss of what was sent since: recovery lasts until that is repaired, too, without a further cut.
                core.recover = core.max;
            }
            return Some(hole);
        }
        (core.next < core.stream.available && ((core.next - core.una) as f64) < core.limit)
            .then_some(core.next)
    }
}
