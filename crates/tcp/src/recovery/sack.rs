//! SACK: retransmits what selective acknowledgments show missing, as much as the estimated data in the network allows.
//!
//! The estimate is RFC 6675's, recomputed from the scoreboard, or the counter of Fall and Floyd 1996
//! ([`SackPipe`]).

use crate::config::SackPipe;
use crate::congestion::Congestion;
use crate::core::{Core, DUP_THRESH, LastCut};
use crate::scoreboard::Scoreboard;
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    board: Scoreboard,
    /// In fast recovery.
    active: bool,
    /// After a timeout, until new data is acknowledged: duplicate acknowledgments mean nothing.
    deaf: bool,
    /// Estimated segments in the network, where it is counted.
    pipe: i64,
    /// This recovery has sent its one rescue retransmission (RFC 6675 section 4, NextSeg rule 4).
    rescued: bool,
}

impl State {
    pub fn active(&self) -> bool {
        self.active
    }

    /// Segments sent and not known to have left the network.
    pub fn in_flight(&self, core: &Core) -> u64 {
        match core.config.sack_pipe {
            SackPipe::Counter if self.active => self.pipe.max(0) as u64,
            SackPipe::Counter => core.next - core.una,
            SackPipe::Scoreboard => self.scoreboard_pipe(core),
        }
    }

    /// RFC 6675 section 4, SetPipe.
    fn scoreboard_pipe(&self, core: &Core) -> u64 {
        if core.next < core.max {
            // Going back after a timeout: what was sent since, and did not arrive before.
            return core.next - core.una - self.board.sacked_below(core.next);
        }
        let edge = self.board.lost_edge();
        (core.max - core.una) - self.board.sacked_count() - self.board.lost_count(edge)
            + self.board.resent_count()
    }

    pub fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        let news = self.update(ack);
        match core.config.sack_pipe {
            SackPipe::Scoreboard => self.on_ack_scoreboard(core, now, ack, news),
            SackPipe::Counter => self.on_ack_counter(core, now, ack, news),
        }
    }

    /// Enters what an acknowledgment shows; returns how many segments it newly shows to have arrived out of order.
    fn update(&mut self, ack: &AckHeader) -> u64 {
        self.board.advance(ack.ack);
        let mut news = 0;
        for block in ack.sacked() {
            news += self.board.sack(ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
        }
        news
    }

    /// RFC 6675 section 5.
    fn on_ack_scoreboard(&mut self, core: &mut Core, now: Instant, ack: &AckHeader, news: u64) {
        core.burst = u32::MAX;
        if ack.ack > core.una {
            self.deaf = false;
            if self.active && ack.ack < core.recover {
                core.advance(now, ack);
                // Duplicates counted before still stand: recovery goes on.
                core.dup_acks = DUP_THRESH;
            } else if self.active {
                self.active = false;
                self.board.forget_resent();
                core.recovered(now);
                super::leave(core, now, ack);
            } else {
                super::open_window(core, now, ack);
            }
        } else if news > 0 && !self.active {
            core.dup_acks += 1;
            let lost = core.dup_acks >= DUP_THRESH || self.board.lost_edge() > core.una;
            if lost && core.una >= core.recover && !self.deaf {
                self.enter(core, now);
            } else if core.config.limited_transmit && core.next == core.max {
                core.extra = core.dup_acks < DUP_THRESH;
            }
        }
    }

    fn enter(&mut self, core: &mut Core, now: Instant) {
        self.active = true;
        self.rescued = false;
        core.dup_acks = core.dup_acks.max(DUP_THRESH);
        core.cut(now, Congestion::FastLoss);
        self.board.mark_resent(core.una);
        core.fast_retransmit(now);
    }

    /// Fall and Floyd 1996, section 3.4.
    fn on_ack_counter(&mut self, core: &mut Core, now: Instant, ack: &AckHeader, news: u64) {
        core.burst = 0;
        if !self.active {
            if ack.ack > core.una {
                // Blocks that come with new data are forgotten: the next duplicate brings them as news.
                self.board.clear(ack.ack);
                super::open_window(core, now, ack);
                self.deaf = false;
            } else if !self.deaf && news > 0 {
                core.dup_acks += 1;
                if core.dup_acks == DUP_THRESH {
                    if core.una > core.recover || core.last_cut != LastCut::Timeout {
                        self.pipe = (core.max - core.una) as i64 - i64::from(DUP_THRESH);
                        self.enter(core, now);
                    }
                } else if core.dup_acks < DUP_THRESH && core.config.limited_transmit {
                    core.extra = true;
                }
            }
            if core.dup_acks == 0 {
                core.burst = u32::MAX;
            }
            return;
        }
        core.burst = u32::MAX;
        self.pipe -= 1;
        if ack.ack >= core.recover {
            self.active = false;
            self.deaf = false;
            self.board.clear(ack.ack);
            core.recovered(now);
            core.advance(now, ack);
        } else if ack.ack > core.una {
            // A retransmission and the segment it replaces have both left the network.
            self.pipe -= 1;
            core.advance_partial(ack);
            core.rtt.end_backoff();
            core.update_timer(now);
        }
    }

    pub fn on_timeout(&mut self, core: &mut Core) {
        self.active = false;
        match core.config.sack_pipe {
            // The oldest segment is waited for though it was said to have arrived: the receiver has dropped it again, or
            // was a gateway that crashed. It must be sent again, and nothing said holds any more (RFC 2018 section 8).
            SackPipe::Scoreboard if self.board.is_sacked(core.una) => self.board.clear(core.una),
            // What has arrived is known and is not sent again (RFC 6675 section 5.1).
            SackPipe::Scoreboard => self.board.forget_resent(),
            SackPipe::Counter => {
                self.deaf = true;
                self.board.clear(core.una);
            }
        }
    }

    /// The next segment to send, or none.
    pub fn next(&mut self, core: &mut Core) -> Option<u64> {
        match core.config.sack_pipe {
            SackPipe::Scoreboard => self.next_scoreboard(core),
            SackPipe::Counter => self.next_counter(core),
        }
    }

    fn next_scoreboard(&mut self, core: &mut Core) -> Option<u64> {
        let window = core.window() as u64;
        if self.scoreboard_pipe(core) >= window {
            return None;
        }
        if !self.active {
            while core.next < core.max && self.board.is_sacked(core.next) {
                core.next += 1;
            }
            return (core.next < core.available && ((core.next - core.una) as f64) < core.limit)
                .then_some(core.next);
        }
        // NextSeg (RFC 6675 section 4): lost segments, then new data, then what may be lost, then one last rescue.
        let edge = self.board.lost_edge();
        if let Some(hole) = self.board.first_hole(core.una, edge) {
            self.board.mark_resent(hole);
            return Some(hole);
        }
        if core.next < core.available && ((core.next - core.una) as f64) < core.limit {
            return Some(core.next);
        }
        if let Some(hole) = self.board.first_hole(core.una, self.board.top()) {
            self.board.mark_resent(hole);
            return Some(hole);
        }
        if !self.rescued && core.una < core.max && core.max > self.board.top() {
            self.rescued = true;
            return Some(core.max - 1);
        }
        None
    }

    fn next_counter(&mut self, core: &mut Core) -> Option<u64> {
        if !self.active {
            return core.window_open().then_some(core.next);
        }
        let window = core.control_window() as i64;
        if self.pipe >= window || core.next >= core.available {
            return None;
        }
        let limit = core.limit;
        let fits = |seq: u64| ((seq - core.una) as f64) < limit;
        match self.board.first_hole(core.una, self.board.top()) {
            Some(hole) if fits(hole) => {
                self.board.mark_resent(hole);
                self.pipe += 1;
                Some(hole)
            }
            None if fits(core.next) => {
                self.pipe += 1;
                Some(core.next)
            }
            _ => None,
        }
    }
}
