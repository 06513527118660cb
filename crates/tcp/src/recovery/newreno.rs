//! NewReno: fast recovery lasts until all that was outstanding when it began is acknowledged; a partial acknowledgment
//! shows the next loss, which is sent again at once (RFC 6582).

use super::reno;
use crate::config::{FullAckWindow, PartialAckTimer, PartialWindow};
use crate::congestion::CongestionControl;
use crate::core::{Core, LastCut};
use base::{AckHeader, Instant};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The first partial acknowledgment of this recovery has been seen.
    partial_seen: bool,
    /// The window that this recovery's cut left.
    target: f64,
}

impl State {
    pub(crate) fn on_ack(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        if ack.ack > core.una {
            if ack.ack >= core.recover || core.last_cut != LastCut::FastLoss {
                let ends = core.inflation > 0 && core.last_cut == LastCut::FastLoss;
                if ends {
                    core.recovered(now);
                }
                self.partial_seen = false;
                reno::new_data(core, now, ack);
                if ends && core.config.fast_recovery.full_ack_window == FullAckWindow::Flight {
                    // RFC 6582 section 3.2, step 3, option 1: deflate, but no burst where little is outstanding.
                    let outstanding = (core.next - core.una) as f64;
                    core.control.window_mut().cwnd = self.target.min(outstanding.max(1.0) + 1.0);
                }
            } else {
                self.partial(core, now, ack);
            }
        } else {
            let before = core.inflation;
            reno::duplicate(core, now);
            if before == 0 && core.inflation > 0 {
                self.target = core.target();
            }
        }
        core.burst = match core.dup_acks {
            0 => core.most_burst(),
            dups if dups >= core.duplicates() && core.config.fast_recovery.recovery_burst > 0 => {
                core.config.fast_recovery.recovery_burst
            }
            dups if dups >= core.duplicates() => core.most_burst(),
            _ => 0,
        };
    }

    /// RFC 6582 section 3.2, step 3.
    fn partial(&mut self, core: &mut Core, now: Instant, ack: &AckHeader) {
        let acked = ack.ack - core.una;
        core.advance_partial(ack);
        if core.config.fast_recovery.partial_ack_timer == PartialAckTimer::Every || !self.partial_seen {
            self.partial_seen = true;
            core.update_timer(now);
        }
        match core.config.fast_recovery.partial_window {
            PartialWindow::Reset => core.inflation = 0,
            PartialWindow::Deflate if core.inflation > acked => core.inflation -= acked - 1,
            PartialWindow::Deflate => {
                // More was acknowledged than the window was inflated by: the rest comes off cwnd.
                let window = core.control.window_mut();
                window.cwnd = (window.cwnd - (acked - core.inflation) as f64).max(1.0);
                core.inflation = 1;
            }
        }
        core.resend = Some(core.una);
    }
}
