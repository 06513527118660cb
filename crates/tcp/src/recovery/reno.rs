//! Reno: fast retransmit, then fast recovery until the first acknowledgment of new data (RFC 5681 section 3.2).
//!
//! A control that judges losses by the age of segments (Vegas) may ask for the retransmission before the third duplicate acknowledgment.

use crate::congestion::{Congestion, CongestionControl, RecoveryStep};
use crate::core::{Core, LastCut};
use base::{AckHeader, Instant};

pub(super) fn on_ack(core: &mut Core, now: Instant, ack: &AckHeader) {
    if ack.ack > core.una {
        if core.last_cut == LastCut::FastLoss {
            core.recovered(now);
        }
        new_data(core, now, ack);
    } else {
        duplicate(core, now);
    }
    core.burst = if core.dup_acks == 0 || core.dup_acks >= core.duplicates() { core.most_burst() } else { 0 };
}

/// An acknowledgment of new data ends fast recovery.
pub(super) fn new_data(core: &mut Core, now: Instant, ack: &AckHeader) {
    if core.inflation > 0 {
        let keeps = core.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation);
        if core.dup_acks <= core.duplicates() && keeps {
            core.control.window_mut().cwnd += core.inflation as f64;
        } else {
            core.control.on_recovery(now, RecoveryStep::Deflation { inflation: core.inflation });
        }
        core.inflation = 0;
        core.acknowledge_last(now, ack);
    } else {
        core.acknowledge(now, ack);
    }
    if let Some(fine) = core.needs.fine_timeout {
        let known = core.una < core.next || (fine.unsent_expired && core.una < core.stream.available);
        if known && core.control.timed_out(now, core.oldest(), true) {
            core.dup_acks = core.duplicates();
            core.resend = Some(core.una);
        }
    }
}

/// A duplicate acknowledgment: the third cuts the window, each further one shows that a segment has left the network.
pub(super) fn duplicate(core: &mut Core, now: Instant) {
    core.dup_acks += 1;
    let fine = core.needs.fine_timeout.is_some();
    let expired = fine && core.control.timed_out(now, core.oldest(), false);
    if core.dup_acks == core.duplicates() || expired {
        if core.may_cut() {
            let cut = core.cut(now, Congestion::FastLoss);
            let sent_once = core.oldest().transmissions == 1;
            let outstanding = core.next - core.una;
            core.control.on_recovery(now, RecoveryStep::Retransmission { outstanding });
            if fine {
                // Each fine-grained retransmission backs the coarse timer off.
                core.rtt.back_off();
            }
            core.fast_retransmit(now);
            if cut {
                core.inflation = u64::from(core.dup_acks);
            }
            if fine && sent_once {
                // What comes after this retransmission counts as after a third duplicate; after a further one it does not.
                core.dup_acks = core.duplicates();
            }
        }
    } else if core.dup_acks > core.duplicates() {
        if core.last_cut == LastCut::FastLoss || fine {
            core.inflation += 1;
        }
    } else if core.config.detection.limited_transmit && !fine {
        // A control that judges by age needs no third duplicate: Limited Transmit is not for it.
        core.extra = true;
    }
}
