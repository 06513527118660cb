//! Conditions under which a sender is calm ([`crate::calm`]).

use super::connection::{Phase, Sender};
use crate::congestion::CongestionControl;
use crate::recovery::State;
use crate::tcb::Tcb;
use base::AckHeader;
use base::cache::{fetch, fetch_front};
use std::mem::offset_of;

impl Sender {
    /// Number of the first bytes that acknowledgments and segments need in calm.
    #[cfg(test)]
    const CALM_BYTES: usize = offset_of!(Self, tcb) + Tcb::CALM_BYTES;

    /// Prefetches the fields that acknowledgments and segments need.
    #[inline(always)]
    pub fn fetch(&self) {
        fetch_front(self, offset_of!(Self, tcb) + Tcb::USED_BYTES);
    }

    /// Prefetches what lies behind pointers in these fields: the window, and the state of recovery if every segment needs it.
    #[inline(always)]
    pub fn fetch_rest(&self) {
        fetch(self.tcb.control.window());
        if let State::Rack(state) = &self.recovery {
            fetch(&**state);
        }
    }

    /// Returns true if nothing special is on.
    pub(super) fn is_calm(&self) -> bool {
        let Self {
            tcb,
            recovery,
            phase,
            control_segment,
            syn_losses: _,
            syn_sent: _,
            fin: _,
            fin_seen: _,
            echo: _,
            finished,
            observed,
            calm: _,
        } = self;
        *phase == Phase::Open
            && control_segment.is_none()
            && finished.is_none()
            && observed.is_none()
            && tcb.is_calm()
            && recovery.is_calm(tcb)
    }

    /// Returns true if a calm sender may handle `ack` on the calm path: it acknowledges new data and reports nothing else.
    #[inline(always)]
    pub(super) fn takes_calmly(&self, ack: &AckHeader) -> bool {
        debug_assert!(self.is_calm(), "the sender has left calm");
        let AckHeader { ack: number, sack: _, blocks, syn, fin, ece, ts_val: _, ts_ecr: _, window: _ } = *ack;
        let plain = !(syn | fin | ece) && blocks == 0;
        plain && number > self.tcb.snd.una() && number <= self.tcb.snd.max()
    }
}

#[cfg(test)]
#[path = "calm_tests.rs"]
mod tests;
