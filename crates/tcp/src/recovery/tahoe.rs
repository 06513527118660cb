//! Tahoe: the third duplicate acknowledgment means loss; slow start begins again at the lost segment (Jacobson 1988).

use crate::congestion::Congestion;
use crate::tcb::Tcb;
use base::{AckHeader, Instant};

pub(super) fn on_ack(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if ack.ack > tcb.una {
        tcb.acknowledge(now, ack);
    } else {
        tcb.dup_acks += 1;
        if tcb.dup_acks == tcb.duplicates() {
            if tcb.may_cut() {
                tcb.cut(now, Congestion::Restart);
                tcb.restart_timer(now);
                tcb.rewind();
            }
        } else if tcb.dup_acks < tcb.duplicates() && tcb.config.detection.limited_transmit {
            tcb.extra = true;
        }
    }
    tcb.burst = tcb.most_burst();
}
