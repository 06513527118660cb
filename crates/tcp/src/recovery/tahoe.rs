//! Tahoe: the third duplicate acknowledgment shows a loss; slow start restarts at the lost segment (Jacobson
//! 1988).

use crate::congestion::Congestion;
use crate::tcb::Tcb;
use base::{AckHeader, Instant};

pub(super) fn on_ack(tcb: &mut Tcb, now: Instant, ack: &AckHeader) {
    if ack.ack > tcb.snd.una() {
        tcb.acknowledge::<false>(now, ack);
    } else {
        tcb.duplicates.count();
        if tcb.duplicates.acks() == tcb.duplicates_for_loss() {
            if tcb.may_cut() {
                tcb.cut(now, Congestion::Restart);
                tcb.restart_timer(now);
                tcb.snd.rewind();
            }
        } else if tcb.duplicates.acks() < tcb.duplicates_for_loss() && tcb.config.detection.limited_transmit {
            tcb.allowance.set_extra(true);
        }
    }
    tcb.release_burst();
}
