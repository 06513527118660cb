//! NewReno: fast recovery lasts until all segments outstanding at its beginning are acknowledged. A partial
//! acknowledgment shows the next lost segment, which is retransmitted at once (RFC 6582).

use super::reno;
use crate::config::{FullAckWindow, PartialAckTimer, PartialWindow};
use crate::congestion::CongestionControl;
use crate::tcb::{LastCut, Tcb};
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// True if a partial acknowledgment has arrived in this recovery.
    partial_seen: bool,
    /// The reduced window of this recovery, segments.
    target: f64,
}

impl State {
    /// Returns true if no partial acknowledgment has arrived in the current recovery.
    pub(super) fn is_calm(&self) -> bool {
        let Self { partial_seen, target: _ } = self;
        !partial_seen
    }

    pub(crate) fn on_ack(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        if ack.ack > tcb.snd.una() {
            if ack.ack >= tcb.episode.recover() || tcb.episode.last_cut() != LastCut::FastLoss {
                let ends = tcb.duplicates.inflation() > 0 && tcb.episode.last_cut() == LastCut::FastLoss;
                if ends {
                    tcb.recovered(now);
                }
                self.partial_seen = false;
                reno::new_data(tcb, now, ack);
                if ends && tcb.config.fast_recovery.full_ack_window == FullAckWindow::Flight {
                    // RFC 6582 section 3.2, step 3, option 1: deflates the window without allowing a burst if
                    // few segments are outstanding.
                    let outstanding = tcb.snd.outstanding() as f64;
                    tcb.control.window_mut().cwnd = self.target.min(outstanding.max(1.0) + 1.0);
                }
            } else {
                self.partial(tcb, now, ack);
            }
        } else {
            let before = tcb.duplicates.inflation();
            reno::duplicate(tcb, now);
            if before == 0 && tcb.duplicates.inflation() > 0 {
                self.target = tcb.target();
            }
        }
        let burst = match tcb.duplicates.acks() {
            0 => tcb.most_burst(),
            dups if dups >= tcb.duplicates_for_loss() && tcb.config.fast_recovery.recovery_burst > 0 => {
                tcb.config.fast_recovery.recovery_burst
            }
            dups if dups >= tcb.duplicates_for_loss() => tcb.most_burst(),
            _ => 0,
        };
        tcb.allowance.set_burst(burst);
    }

    /// Handles a partial acknowledgment (RFC 6582 section 3.2, step 3).
    fn partial(&mut self, tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
        let acked = ack.ack - tcb.snd.una();
        tcb.advance_partial(ack);
        if tcb.config.fast_recovery.partial_ack_timer == PartialAckTimer::Every || !self.partial_seen {
            self.partial_seen = true;
            tcb.update_timer(now);
        }
        match tcb.config.fast_recovery.partial_window {
            PartialWindow::Reset => {
                tcb.duplicates.deflate();
            }
            PartialWindow::Deflate => {
                if let Some(rest) = tcb.duplicates.deflate_partially(acked) {
                    let window = tcb.control.window_mut();
                    window.cwnd = (window.cwnd - rest as f64).max(1.0);
                }
            }
        }
        tcb.allowance.resend(tcb.snd.una());
    }
}
