//! Tahoe: the third duplicate acknowledgment means loss; slow start begins again at the lost segment (Jacobson 1988).

use crate::congestion::Congestion;
use crate::core::Core;
use base::{AckHeader, Instant};

pub(super) fn on_ack(core: &mut Core, now: Instant, ack: &AckHeader) {
    if ack.ack > core.una {
        core.acknowledge(now, ack);
    } else {
        core.dup_acks += 1;
        if core.dup_acks == core.duplicates() {
            if core.may_cut() {
                core.cut(now, Congestion::Restart);
                core.restart_timer(now);
                core.rewind();
            }
        } else if core.dup_acks < core.duplicates() && core.config.detection.limited_transmit {
            core.extra = true;
        }
    }
    core.burst = core.most_burst();
}
