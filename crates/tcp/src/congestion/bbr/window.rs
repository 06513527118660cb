//! Window: its growth, its limits, and loss recovery.

use super::state::{Bbr, Phase, Repair};
use crate::rate::RateSample;

/// BBRMinPipeCwnd: least window, and the window in probe-rtt, segments.
pub(super) const MIN_WINDOW: f64 = 4.0;

impl Bbr {
    pub(super) fn save_window(&mut self) {
        let keeps = self.repair == Repair::None && self.phase != Phase::ProbeRtt;
        self.prior = if keeps { self.window.cwnd } else { self.prior.max(self.window.cwnd) };
    }

    /// Sets the window for an acknowledgment: in recovery from the data in flight, otherwise towards the
    /// target (sections 4.2.3.3 to 4.2.3.6).
    pub(super) fn set_window(&mut self, sample: &RateSample) {
        let gain = match self.phase {
            Phase::Startup | Phase::Drain => self.config.high_gain,
            Phase::ProbeBw => self.config.cwnd_gain,
            Phase::ProbeRtt => 1.0,
        };
        let target = self.target(gain);
        let newly = sample.newly_delivered as f64;
        let newly_lost = sample.lost.saturating_sub(self.lost) as f64;
        let in_flight = sample.in_flight as f64;
        let cwnd = &mut self.window.cwnd;
        match self.repair {
            Repair::Begins => {
                *cwnd = in_flight + newly.max(1.0);
                self.repair = Repair::Conserves(sample.delivered);
                if self.config.linux {
                    self.round_ends = sample.delivered;
                }
            }
            Repair::Conserves(until) => {
                *cwnd = (*cwnd - newly_lost).max(in_flight + newly).max(1.0);
                if sample.prior_delivered >= until && sample.newly_delivered > 0 {
                    self.repair = Repair::GoesOn;
                }
            }
            Repair::GoesOn | Repair::None => {
                if self.repair == Repair::GoesOn && newly_lost > 0.0 {
                    *cwnd = (*cwnd - newly_lost).max(1.0);
                }
                if self.filled {
                    *cwnd = (*cwnd + newly).min(target);
                } else if *cwnd < target {
                    *cwnd += newly;
                }
                *cwnd = cwnd.max(MIN_WINDOW);
            }
        }
        if self.phase == Phase::ProbeRtt {
            *cwnd = cwnd.min(MIN_WINDOW);
        }
    }
}
