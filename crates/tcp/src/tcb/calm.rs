//! Conditions under which the TCB is calm ([`crate::calm`]).

use super::block::Tcb;
use crate::congestion::Needs;
use std::mem::offset_of;

impl Tcb {
    /// Number of the first bytes that acknowledgments and segments need in calm.
    #[cfg(test)]
    pub(crate) const CALM_BYTES: usize = offset_of!(Self, ecn);
    /// Number of the first bytes that acknowledgments and segments need, losses and marks included.
    pub(crate) const USED_BYTES: usize = offset_of!(Self, undo);

    /// Returns true if nothing special is on in the TCB.
    pub(crate) fn is_calm(&self) -> bool {
        let Self {
            config,
            control: _,
            needs,
            snd,
            open_until: _,
            stream,
            persist: _,
            duplicates,
            part,
            episode,
            allowance,
            timers: _,
            round_trips: _,
            ecn,
            pacing,
            growth,
            send_buffer: _,
            rate,
            stats: _,
            undo,
            undone: _,
            last_sent: _,
            newly_sacked,
            unreported_loss: _,
        } = self;
        let una = snd.una();
        config.is_calm()
            && asks_nothing(needs)
            && una > 1
            && snd.nxt() == snd.max()
            && stream.is_calm(una)
            && duplicates.is_calm()
            && *part == 0
            && episode.is_calm(una)
            && allowance.is_calm()
            && ecn.is_calm(una)
            && !pacing.has_overhead()
            && growth.is_calm()
            && rate.is_none()
            && undo.is_none()
            && *newly_sacked == 0
    }
}

/// Returns true if congestion control asks for no call that the calm path does not make.
fn asks_nothing(needs: &Needs) -> bool {
    let Needs {
        arrivals: _,
        rates,
        segment_times: _,
        timer,
        may_pace: _,
        fine_timeout,
        gradual,
        opens_late: _,
    } = needs;
    !rates && !timer && fine_timeout.is_none() && !gradual
}
