//! Conditions under which a receiver is calm ([`crate::calm`]).

use super::{NONE, Receiver};
use base::DataHeader;
use base::cache::fetch_front;

impl Receiver {
    /// Number of the first bytes that segments need in calm.
    pub(crate) const CALM_BYTES: usize = std::mem::offset_of!(Self, duplicate);

    /// Prefetches the fields that segments need in calm.
    #[inline(always)]
    pub fn fetch(&self) {
        fetch_front(self, Self::CALM_BYTES);
    }

    /// Returns true if nothing special is on.
    pub(super) fn is_calm(&self) -> bool {
        let Self {
            syn: _,
            segment: _,
            ack_size: _,
            syn_size: _,
            sack_option: _,
            sack_blocks: _,
            first_payload: _,
            delayed_ack: _,
            wheel: _,
            ack_every: _,
            quick: _,
            quick_acks: _,
            buffer: _,
            timestamps: _,
            options: _,
            fin_timeout: _,
            expected: _,
            runs,
            sack_memory: _,
            dsack: _,
            duplicate,
            sack_delay: _,
            prompt: _,
            compressed,
            waits_with_block,
            unacked: _,
            due: _,
            timer: _,
            cheat,
            ecn: _,
            ece,
            marked,
            echo: _,
            last_ack: _,
            answer_syn,
            fin_at,
            closed,
            rare: _,
            stats: _,
            calm: _,
        } = self;
        let reports = !runs.is_empty() || *duplicate != NONE || *marked || *ece;
        let waits = *compressed || *waits_with_block;
        cheat.is_none() && !reports && !waits && *fin_at == NONE && !answer_syn && !closed
    }

    /// Makes the receiver take the general path next.
    #[cfg(test)]
    pub(crate) fn leave_calm(&mut self) {
        self.calm = false;
    }

    /// Returns true if the receiver is known to be calm.
    #[cfg(test)]
    pub(crate) fn calm(&self) -> bool {
        self.calm
    }

    /// Returns true if a calm receiver may handle `segment` on the calm path: it is the next one of the stream, of full
    /// size, and says nothing else.
    #[inline(always)]
    pub(super) fn takes_calmly(&self, segment: &DataHeader) -> bool {
        debug_assert!(self.is_calm(), "the receiver has left calm");
        let DataHeader {
            seq,
            offset: _,
            payload,
            ts_val: _,
            ts_ecr: _,
            syn,
            fin,
            retransmission: _,
            bare_ack,
            acks_fin: _,
            push: _,
            cwr: _,
            probe,
        } = *segment;
        !(syn | fin | bare_ack | probe) && seq == self.expected && payload == self.segment
    }
}
