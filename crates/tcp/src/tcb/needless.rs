//! Cuts of the window that are remembered, and undone if they prove needless (by the signs in `undo.rs`).

use super::block::Tcb;
use super::episode::{LastCut, LossEpisode};
use super::undo::{Frto, Undo};
use crate::config::SackPipe;
use crate::congestion::{Congestion, CongestionControl, Window};
use crate::recovery::Recovery;
use base::{AckHeader, Instant};

impl Tcb {
    /// Returns true if cuts of the window are remembered.
    pub(super) fn can_undo(&self) -> bool {
        let decrease = &self.config.decrease;
        (decrease.undo_by_timestamps || decrease.undo_by_dsack || decrease.frto)
            && !matches!(self.config.recovery, Recovery::Tahoe | Recovery::Fack)
    }

    /// Remembers the window and the episode from `before` a cut. At a further timeout of the same segment,
    /// the state from before the first timeout is kept.
    pub(super) fn remember(&mut self, before: (Window, LossEpisode), why: Congestion) {
        let (window, episode) = before;
        let timeout = why == Congestion::Timeout;
        let (una, recover) = (self.snd.una(), self.snd.max());
        if timeout
            && let Some(undo) = &mut self.undo
            && undo.timeout
            && undo.una == una
        {
            // The same segment has timed out again: the state from before the first timeout is kept (RFC 4015 section 3.2,
            // step 1).
            undo.frto = Frto::Off;
            undo.recover = recover;
            return;
        }
        let by_pipe = match self.config.recovery {
            Recovery::Rack => true,
            Recovery::Sack => self.config.detection.sack_pipe == SackPipe::Scoreboard,
            _ => false,
        };
        // If an earlier recovery is in progress, the next acknowledgment may cover one of its
        // retransmissions, so F-RTO does not begin (RFC 5682 section 3.1, step 1).
        let probes = timeout && by_pipe && self.config.decrease.frto && una >= episode.recover();
        let frto = if probes { Frto::Resent } else { Frto::Off };
        let (first, until) = (None, None);
        self.undo = Some(Box::new(Undo {
            window,
            episode,
            timeout,
            una,
            recover,
            first,
            resent: 0,
            duplicates: 0,
            frto,
            until,
        }));
    }

    /// Forgets the state before the last cut, so that the cut cannot be undone.
    pub(crate) fn forget_cut(&mut self) {
        self.undo = None;
    }

    /// Returns true if the last cut of the window may still prove needless.
    #[inline(always)]
    pub(crate) fn may_undo(&self) -> bool {
        self.undo.is_some()
    }

    /// Returns true if F-RTO sends new data before retransmissions.
    #[inline]
    pub(crate) fn prefers_new_data(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| matches!(undo.frto, Frto::Probing(_)))
    }

    /// Returns true if F-RTO has sent its new data and waits for an acknowledgment that shows whether the
    /// timeout was spurious; nothing may be sent until then.
    #[inline]
    pub(crate) fn waits_for_verdict(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| undo.frto == Frto::Probing(0))
    }

    /// Returns true if `ack`, which recovery has not handled yet, shows that the last cut was needless.
    /// `sacked` returns true for a segment that is known to have arrived out of order.
    pub(crate) fn is_needless(&mut self, ack: &AckHeader, sacked: impl Fn(u64) -> bool) -> bool {
        let new_data = self.snd.max() < self.stream.available()
            && (self.snd.unacknowledged() as f64) < self.growth.limit();
        let Some(undo) = &mut self.undo else { return false };
        let decrease = &self.config.decrease;
        let stamps = self.config.options.timestamps && decrease.undo_by_timestamps;
        let spurious = undo.step(self.snd.una(), ack, new_data, sacked);
        let original = undo.echoes_original(ack) && stamps;
        let twice = undo.all_duplicates(ack) && decrease.undo_by_dsack;
        if spurious || original || twice {
            return true;
        }
        if undo.timeout && ack.ack >= undo.recover {
            undo.recovered(self.snd.max());
        }
        if undo.until.is_some_and(|until| ack.ack >= until && ack.ack > self.snd.una()) {
            self.undo = None;
        }
        false
    }

    /// Restores the window and the episode from before the last cut; a recovery or gradual reduction that was
    /// in progress before the cut does not continue.
    pub(crate) fn restore(&mut self, now: Instant) {
        let Some(undo) = self.undo.take() else { return };
        self.episode = undo.episode;
        self.episode.set_reduction(None);
        if self.episode.last_cut() == LastCut::FastLoss {
            self.episode.end();
        }
        self.allowance.withdraw_repair();
        self.control.on_undo(now, &undo.window);
        self.undone += 1;
    }
}
