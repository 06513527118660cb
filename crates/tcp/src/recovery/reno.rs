//! Reno: fast retransmit, then fast recovery until the first acknowledgment of new data (RFC 5681 section 3.2).
//!
//! A control that judges losses by the age of segments (Vegas) may ask for the retransmission before the third duplicate acknowledgment.

use crate::congestion::{Congestion, CongestionControl, RecoveryStep};
use crate::tcb::{LastCut, Tcb};
use base::{AckHeader, Instant};

pub(super) fn on_ack(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if ack.ack > tcb.una {
        if tcb.last_cut == LastCut::FastLoss {
            tcb.recovered(now);
        }
        new_data(tcb, now, ack);
    } else {
        duplicate(tcb, now);
    }
    tcb.burst = if tcb.dup_acks == 0 || tcb.dup_acks >= tcb.duplicates() { tcb.most_burst() } else { 0 };
}

/// Ends fast recovery at an acknowledgment of new data.
pub(super) fn new_data(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if tcb.inflation > 0 {
        let keeps = tcb.needs.fine_timeout.is_some_and(|fine| fine.keeps_inflation);
        if tcb.dup_acks <= tcb.duplicates() && keeps {
            tcb.control.window_mut().cwnd += tcb.inflation as f64;
        } else {
            tcb.control.on_recovery(now, RecoveryStep::Deflation { inflation: tcb.inflation });
        }
        tcb.inflation = 0;
        tcb.acknowledge_last(now, ack);
    } else {
        tcb.acknowledge(now, ack);
    }
    if let Some(fine) = tcb.needs.fine_timeout {
        let known = tcb.una < tcb.next || (fine.unsent_expired && tcb.una < tcb.stream.available);
        if known && tcb.control.timed_out(now, tcb.oldest(), true) {
            tcb.dup_acks = tcb.duplicates();
            tcb.resend = Some(tcb.una);
        }
    }
}

/// Handles a duplicate acknowledgment: the third cuts the window, each further one shows that a segment has left the
/// network.
pub(super) fn duplicate(tcb: &mut Tcb, now: Instant) {
    tcb.dup_acks += 1;
    let fine = tcb.needs.fine_timeout.is_some();
    let expired = fine && tcb.control.timed_out(now, tcb.oldest(), false);
    if tcb.dup_acks == tcb.duplicates() || expired {
        if tcb.may_cut() {
            let cut = tcb.cut(now, Congestion::FastLoss);
            let sent_once = tcb.oldest().transmissions == 1;
            let outstanding = tcb.next - tcb.una;
            tcb.control.on_recovery(now, RecoveryStep::Retransmission { outstanding });
            if fine {
                // Each fine-grained retransmission backs the coarse timer off.
                tcb.rtt.back_off();
            }
            tcb.fast_retransmit(now);
            if cut {
                tcb.inflation = u64::from(tcb.dup_acks);
            }
            if fine && sent_once {
                // Duplicates after this retransmission count as after a third duplicate; after a further one they do
                // not.
                tcb.dup_acks = tcb.duplicates();
            }
        }
    } else if tcb.dup_acks > tcb.duplicates() {
        if tcb.last_cut == LastCut::FastLoss || fine {
            tcb.inflation += 1;
        }
    } else if tcb.config.detection.limited_transmit && !fine {
        // A control that judges by age needs no third duplicate: Limited Transmit does not apply to it.
        tcb.extra = true;
    }
}
