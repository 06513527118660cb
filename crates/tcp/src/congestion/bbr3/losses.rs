//! Losses, and the return to the state before a loss recovery that proves spurious.

use super::state::{Bbr3, Phase, UndoState};
use crate::rate::LostSegment;
use base::Instant;

impl Bbr3 {
    /// Returns true if losses exceed the threshold (IsInflightTooHigh).
    pub(super) fn is_too_high(&self, lost: u64, in_flight: u64) -> bool {
        lost as f64 > self.config.loss_threshold * in_flight as f64
    }

    /// Notes a lost segment, and ends a probe that lost too many (NoteLoss, HandleLostPacket).
    pub(super) fn handle_lost(&mut self, lost: &LostSegment) {
        self.delivered = lost.delivered;
        // These lines are the draft's NoteLoss.
        if !self.losses.lossy {
            self.losses.ends = lost.delivered;
            self.save_state();
        }
        self.losses.lossy = true;
        if lost.seq != self.losses.next {
            self.losses.ranges += 1;
        }
        self.losses.next = lost.seq + 1;
        if !self.probe.sampling {
            return;
        }
        let flight = lost.lost - lost.prior_lost;
        if self.is_too_high(flight, lost.tx_in_flight) {
            let at_loss = self.inflight_at_loss(flight, lost.tx_in_flight);
            self.handle_too_high(lost, at_loss);
        }
    }

    /// Returns the amount in flight at which the losses crossed the threshold (InflightAtLoss).
    fn inflight_at_loss(&self, lost: u64, in_flight: u64) -> f64 {
        let threshold = self.config.loss_threshold;
        let (before, lost_before) = (in_flight as f64 - 1.0, lost as f64 - 1.0);
        before + (threshold * before - lost_before) / (1.0 - threshold)
    }

    fn handle_too_high(&mut self, lost: &LostSegment, at_loss: f64) {
        self.probe.was_too_high = true;
        self.probe.sampling = false;
        if !lost.app_limited {
            self.bounds.inflight_longterm = at_loss.max(self.config.beta * self.target());
        }
        if self.phase == Phase::Up {
            self.repair.undo_state = UndoState::Up;
            self.start_down(lost.now);
        }
    }

    /// Saves the state for undo (SaveStateUponLoss), once for each loss episode: later losses must not overwrite what
    /// undo restores.
    pub(super) fn save_state(&mut self) {
        self.save_cwnd();
        if !self.repair.saved {
            self.repair.saved = true;
            self.repair.undo_state = UndoState::None;
            self.repair.undo = self.bounds;
        }
    }

    /// Saves the window; in recovery and in probe-rtt only if it exceeds the saved window (SaveCwnd).
    pub(super) fn save_cwnd(&mut self) {
        let repairs = self.repair.fast || self.repair.timeout.is_some();
        let keeps = !repairs && self.phase != Phase::ProbeRtt;
        let cwnd = self.window.cwnd;
        self.repair.prior_cwnd = if keeps { cwnd } else { self.repair.prior_cwnd.max(cwnd) };
    }

    /// Raises the window to the saved one (RestoreCwnd).
    pub(super) fn restore_cwnd(&mut self) {
        self.window.cwnd = self.window.cwnd.max(self.repair.prior_cwnd);
    }

    /// Ends a loss recovery, and raises the window to the saved one.
    pub(super) fn end_repair(&mut self) {
        self.repair.fast = false;
        self.repair.timeout = None;
        self.repair.saved = false;
        self.restore_cwnd();
    }

    /// Raises the bounds to those saved before the losses, and resumes the phase that the losses ended
    /// (HandleSpuriousLossDetection).
    pub(super) fn handle_spurious(&mut self, _now: Instant) {
        let repair = self.repair;
        self.end_repair();
        self.losses.lossy = false;
        self.full.reset(0.0);
        let bounds = &mut self.bounds;
        bounds.bw_shortterm = bounds.bw_shortterm.max(repair.undo.bw_shortterm);
        bounds.inflight_shortterm = bounds.inflight_shortterm.max(repair.undo.inflight_shortterm);
        bounds.inflight_longterm = bounds.inflight_longterm.max(repair.undo.inflight_longterm);
        match repair.undo_state {
            UndoState::Startup if self.phase != Phase::Startup => {
                self.full.reached = false;
                if self.phase != Phase::ProbeRtt {
                    self.phase = Phase::Startup;
                }
            }
            UndoState::Up if self.phase != Phase::Up && self.phase != Phase::ProbeRtt => self.start_refill(),
            _ => {}
        }
        self.repair.undo_state = UndoState::None;
    }
}
