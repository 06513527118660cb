//! Reno: fast retransmit, then fast recovery until the first acknowledgment of new data (RFC 5681 section 3.2).
//!
//! Controls with a fine-grained timeout (Vegas) can trigger the retransmission before the third duplicate
//! acknowledgment.

use crate::congestion::{Congestion, CongestionControl, RecoveryStep};
use crate::tcb::{LastCut, Tcb};
use base::{AckHeader, Instant};

pub(super) fn on_ack(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if ack.ack > tcb.snd.una() {
        if tcb.episode.last_cut() == LastCut::FastLoss {
            tcb.recovered(now);
        }
        new_data(tcb, now, ack);
    } else {
        duplicate(tcb, now);
    }
    let dups = tcb.duplicates.acks();
    let burst = if dups == 0 || dups >= tcb.duplicates_for_loss() { tcb.most_burst() } else { 0 };
    tcb.allowance.set_burst(burst);
}

/// Handles an acknowledgment of new data. It ends fast recovery, and with a fine-grained timeout can trigger
/// a retransmission.
pub(super) fn new_data(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if tcb.duplicates.inflation() > 0 {
        let (dups, inflation) = (tcb.duplicates.acks(), tcb.duplicates.deflate());
        let keeps = tcb.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation);
        if dups <= tcb.duplicates_for_loss() && keeps {
            tcb.control.window_mut().cwnd += inflation as f64;
        } else {
            tcb.control.on_recovery(now, RecoveryStep::Deflation { inflation });
        }
        tcb.acknowledge_last(now, ack);
    } else {
        tcb.acknowledge::<false>(now, ack);
    }
    if let Some(fine) = tcb.needs.fine_timeout {
        let known =
            tcb.snd.una() < tcb.snd.nxt() || (fine.unsent_expired && tcb.snd.una() < tcb.stream.available());
        if known && tcb.control.timed_out(now, tcb.oldest(), true) {
            tcb.duplicates.set(tcb.duplicates_for_loss());
            tcb.allowance.resend(tcb.snd.una());
        }
    }
}

/// Handles a duplicate acknowledgment. The third one, or an expired fine-grained timeout, reduces the window
/// and triggers the retransmission. Each further one shows that a segment has left the network, and inflates
/// the window.
pub(super) fn duplicate(tcb: &mut Tcb, now: Instant) {
    tcb.duplicates.count();
    let fine = tcb.needs.fine_timeout.is_some();
    let expired = fine && tcb.control.timed_out(now, tcb.oldest(), false);
    if tcb.duplicates.acks() == tcb.duplicates_for_loss() || expired {
        if tcb.may_cut() {
            let cut = tcb.cut(now, Congestion::FastLoss);
            let sent_once = tcb.oldest().transmissions == 1;
            let outstanding = tcb.snd.outstanding();
            tcb.control.on_recovery(now, RecoveryStep::Retransmission { outstanding });
            if fine {
                // Each fine-grained retransmission doubles the coarse timeout.
                tcb.round_trips.back_off(&tcb.config.timers);
            }
            tcb.fast_retransmit(now);
            if cut {
                tcb.duplicates.begin_inflation();
            }
            if fine && sent_once {
                // If the segment had been sent only once before, further duplicates inflate the window, as
                // after a third duplicate. After a later retransmission of the segment they do not.
                tcb.duplicates.set(tcb.duplicates_for_loss());
            }
        }
    } else if tcb.duplicates.acks() > tcb.duplicates_for_loss() {
        if tcb.episode.last_cut() == LastCut::FastLoss || fine {
            tcb.duplicates.inflate();
        }
    } else if tcb.config.detection.limited_transmit && !fine {
        // Controls with a fine-grained timeout do not need the third duplicate, so Limited Transmit does not
        // apply.
        tcb.allowance.set_extra(true);
    }
}
