//! FACK: the forward-most selective acknowledgment tells how much data is in the network (Mathis and Mahdavi 1996).
//!
//! `awnd = next - fack + retransmitted`: all below `fack` has left the network but for what was sent again. Recovery begins
//! when `fack` is more than three segments ahead of the first missing one, or at the third duplicate acknowledgment. The
//! window then starts from one segment and each acknowledgment opens it.

use crate::congestion::Congestion;
use crate::core::{Core, DUP_THRESH, LastCut};
use crate::scoreboard::Scoreboard;
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    board: Scoreboard,
    active: bool,
    /// After a timeout, until new data is acknowledged.
    deaf: bool,
}

impl State {
    pub fn active(&self) -> bool {
        self.active
    }

    /// The paper's awnd: segments in the network.
    pub fn in_flight(&self, core: &Core) -> u64 {
        core.next.saturating_sub(self.board.top().max(core.una)) + self.board.resent_count()
    }

    pub fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        core.burst = u32::MAX;
        self.board.advance(ack.ack);
        let mut news = 0;
        if !self.deaf || ack.ack > core.una {
            for block in ack.sacked() {
                news += self.board.sack(ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            }
        }
        if !self.active {
            if ack.ack > core.una {
                self.deaf = false;
                super::open_window(core, now, ack);
            } else if !self.deaf {
                core.dup_acks += 1;
                let ahead = self.board.top() - core.una > u64::from(DUP_THRESH);
                if news > 0 && (ahead || core.dup_acks == DUP_THRESH) && core.may_cut() {
                    self.active = true;
                    core.cut(now, Congestion::Restart);
                    self.board.mark_resent(core.una);
                    core.fast_retransmit(now);
                } else if core.dup_acks < DUP_THRESH && core.config.limited_transmit {
                    core.extra = true;
                }
            }
            return;
        }
        if ack.ack >= core.recover {
            self.active = false;
            self.board.forget_resent();
            core.last_cut = LastCut::Recovered;
            super::open_window(core, now, ack);
        } else {
            let una_before = core.una;
            if ack.ack > core.una {
                core.advance_partial(ack);
                core.rtt.end_backoff();
                core.update_timer(now);
            }
            let sample = core.sample(now, una_before, None);
            core.grow(&sample);
        }
    }

    pub fn on_timeout(&mut self, core: &mut Core) {
        self.active = false;
        self.deaf = true;
        self.board.clear(core.una);
    }

    /// The next segment to send, or none.
    pub fn next(&mut self, core: &mut Core) -> Option<u64> {
        if !self.active {
            return core.window_open().then_some(core.next);
        }
        let window = core.control_window() as u64;
        if self.in_flight(core) >= window {
            return None;
        }
        if let Some(hole) = self.board.first_hole(core.una, self.board.top()) {
            self.board.mark_resent(hole);
            return Some(hole);
        }
        (core.next < core.available && ((core.next - core.una) as f64) < core.limit).then_some(core.next)
    }
}
