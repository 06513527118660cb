//! Undo of a cut of the window that proves needless: nothing was lost, a segment or an acknowledgment was late.
//!
//! Three signs show it, each a parameter of its own:
//!
//! - Eifel (RFC 3522): the first acknowledgment that covers a retransmission echoes a stamp from before that retransmission
//! - D-SACK (RFC 3708): the receiver has reported a duplicate for each retransmission
//! - F-RTO (RFC 5682, the version with SACK): after a timeout and an acknowledgment of the retransmission, two new segments go. If
//!   the next acknowledgment covers a segment that was not sent again, the timeout was spurious.
//!
//! Then the window and the threshold from before the cut are in force again (RFC 4015 section 3.2 leaves less of the window after a
//! timeout), what was outstanding counts as in flight, and no retransmission is due. The record of a cut is kept until the data
//! outstanding at the end of recovery is acknowledged: a D-SACK comes a round trip after the retransmission. A mark ends it (RFC 3168).

use super::block::Tcb;
use super::episode::{LastCut, LossEpisode};
use crate::config::SackPipe;
use crate::congestion::{Congestion, CongestionControl, Window};
use crate::recovery::Recovery;
use crate::stamps::timestamp;
use base::{AckHeader, Instant};

/// New segments that F-RTO sends before the acknowledgment that decides (RFC 5682 section 3.1, step 2b).
const FRTO_SEGMENTS: u8 = 2;

/// State of F-RTO (RFC 5682 section 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Frto {
    /// Not in use, or it has decided against a spurious timeout.
    Off,
    /// The oldest segment has been sent again: its acknowledgment is waited for (step 2).
    Resent,
    /// New data goes, this number of segments more; the next acknowledgment decides (step 3).
    Probing(u8),
}

/// State before a cut of the window, and what has come of the retransmissions since.
#[derive(Clone, Debug)]
pub(crate) struct Undo {
    window: Window,
    episode: LossEpisode,
    timeout: bool,
    /// SND.UNA at the cut.
    una: u64,
    /// One past the highest segment sent at the cut.
    recover: u64,
    /// First retransmission since the cut and its stamp, until an acknowledgment of it has been judged.
    first: Option<(u64, u32)>,
    /// Retransmissions since the cut.
    resent: u64,
    /// Those of them that were reported as duplicates.
    duplicates: u64,
    frto: Frto,
    /// Acknowledgment with which the record ends, once recovery has.
    until: Option<u64>,
}

impl Undo {
    /// Counts a segment that leaves.
    #[inline]
    pub(super) fn on_sent(&mut self, now: Instant, seq: u64, again: bool) {
        if again {
            if self.resent == 0 {
                self.first = Some((seq, timestamp(now)));
            }
            self.resent += 1;
        } else if let Frto::Probing(left) = &mut self.frto {
            *left = left.saturating_sub(1);
        }
    }

    /// Notes the end of recovery; `max` is one past the highest segment sent.
    pub(super) fn recovered(&mut self, max: u64) {
        self.until.get_or_insert(max);
    }

    /// Returns true if the first acknowledgment that covers a retransmission echoes an earlier stamp (RFC 3522, steps 3 and 4).
    fn echoes_original(&mut self, ack: &AckHeader) -> bool {
        let Some((_, stamp)) = self.first.filter(|(seq, _)| ack.ack > *seq) else { return false };
        self.first = None;
        self.resent > 0 && ack.ts_ecr != 0 && (ack.ts_ecr.wrapping_sub(stamp) as i32) < 0
    }

    /// Returns true if each retransmission was reported as a duplicate by now.
    fn all_duplicates(&mut self, ack: &AckHeader) -> bool {
        let Some((from, to)) = ack.duplicate() else { return false };
        self.duplicates += to.min(self.recover).saturating_sub(from.max(self.una));
        self.resent > 0 && self.duplicates >= self.resent
    }

    /// Takes a step of F-RTO; returns true if the timeout was spurious. `una` is the oldest segment before the acknowledgment,
    /// `new_data` true if there is some to send.
    fn step(&mut self, una: u64, ack: &AckHeader, new_data: bool, sacked: impl Fn(u64) -> bool) -> bool {
        match self.frto {
            Frto::Off => false,
            Frto::Resent if ack.ack == una => false,
            Frto::Resent => {
                let goes_on = ack.ack < self.recover && new_data;
                self.frto = if goes_on { Frto::Probing(FRTO_SEGMENTS) } else { Frto::Off };
                false
            }
            Frto::Probing(_) => {
                self.frto = Frto::Off;
                let arrived = |from: u32, to: u32| {
                    let (from, to) = (ack.segment_at(from), ack.segment_at(to).min(self.recover));
                    (from..to).any(|seq| !sacked(seq))
                };
                ack.ack > una || ack.sacked().iter().any(|block| arrived(block.from, block.to))
            }
        }
    }
}

impl Tcb {
    /// Returns true if cuts of the window are remembered.
    pub(super) fn can_undo(&self) -> bool {
        let decrease = &self.config.decrease;
        (decrease.undo_by_timestamps || decrease.undo_by_dsack || decrease.frto)
            && !matches!(self.config.recovery, Recovery::Tahoe | Recovery::Fack)
    }

    /// Remembers the window and the episode from `before` a cut.
    pub(super) fn remember(&mut self, before: (Window, LossEpisode), why: Congestion) {
        let (window, episode) = before;
        let timeout = why == Congestion::Timeout;
        let (una, recover) = (self.snd.una(), self.snd.max());
        if timeout
            && let Some(undo) = &mut self.undo
            && undo.timeout
            && undo.una == una
        {
            // The same segment has timed out again: the state before the first timeout stays (RFC 4015 section 3.2, step 1).
            undo.frto = Frto::Off;
            undo.recover = recover;
            return;
        }
        let by_pipe = match self.config.recovery {
            Recovery::Rack => true,
            Recovery::Sack => self.config.detection.sack_pipe == SackPipe::Scoreboard,
            _ => false,
        };
        // Within an earlier recovery an acknowledgment may belong to a retransmission of that (RFC 5682 section 3.1, step 1).
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

    /// Forgets the state before the last cut: it stands.
    pub(crate) fn forget_cut(&mut self) {
        self.undo = None;
    }

    /// Returns true if the last cut of the window may still prove needless.
    #[inline(always)]
    pub(crate) fn may_undo(&self) -> bool {
        self.undo.is_some()
    }

    /// Returns true if F-RTO has new data go before retransmissions.
    #[inline]
    pub(crate) fn prefers_new_data(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| matches!(undo.frto, Frto::Probing(_)))
    }

    /// Returns true if F-RTO waits for the acknowledgment that decides, and nothing may be sent.
    #[inline]
    pub(crate) fn waits_for_verdict(&self) -> bool {
        self.undo.as_ref().is_some_and(|undo| undo.frto == Frto::Probing(0))
    }

    /// Returns true if an acknowledgment, not handled yet, shows that the last cut was needless. `sacked` tells of a segment if it
    /// is known to have arrived out of order.
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

    /// Puts the window and the episode back to what they were before the last cut.
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
