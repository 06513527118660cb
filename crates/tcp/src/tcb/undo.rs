//! Undo of a cut of the window that proves needless: no segment was lost, but a segment or an acknowledgment was late.
//!
//! Three signs show that a cut was needless. A parameter enables each:
//!
//! - Eifel (RFC 3522): the first acknowledgment that covers a retransmission echoes a stamp from before that retransmission
//! - D-SACK (RFC 3708): the receiver has reported a duplicate for each retransmission
//! - F-RTO (RFC 5682, the version with SACK): after a timeout and an acknowledgment of the retransmission, two new segments are
//!   sent. If the next acknowledgment covers a segment that was not sent again, the timeout was spurious.
//!
//! Window and ssthresh then become what they were before the cut (RFC 4015 section 3.2 leaves less of the window after
//! a timeout). All outstanding segments count as in flight, and no retransmission is due. A D-SACK arrives a round
//! trip after the retransmission, so the record of a cut is kept until the data outstanding at the end of recovery is
//! acknowledged. A mark discards the record (RFC 3168).

use super::episode::LossEpisode;
use crate::congestion::Window;
use crate::stamps::timestamp;
use base::{AckHeader, Instant};

/// Number of new segments that F-RTO sends before it waits for the deciding acknowledgment (RFC 5682 section
/// 3.1, step 2b).
const FRTO_SEGMENTS: u8 = 2;

/// State of F-RTO (RFC 5682 section 3.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Frto {
    /// F-RTO is not in use, or has decided.
    Off,
    /// The oldest segment has been retransmitted, and its acknowledgment is awaited (step 2).
    Resent,
    /// New data may be sent, this number of segments more; the next acknowledgment decides (step 3).
    Probing(u8),
}

/// State before a cut of the window, and counts of the retransmissions since.
#[derive(Clone, Debug)]
pub(crate) struct Undo {
    pub(super) window: Window,
    pub(super) episode: LossEpisode,
    pub(super) timeout: bool,
    /// SND.UNA at the cut.
    pub(super) una: u64,
    /// One more than the highest segment sent before the cut.
    pub(super) recover: u64,
    /// First retransmission since the cut and its timestamp, until its acknowledgment has been handled.
    pub(super) first: Option<(u64, u32)>,
    /// Number of retransmissions since the cut.
    pub(super) resent: u64,
    /// Number of these retransmissions that D-SACK reported as duplicates.
    pub(super) duplicates: u64,
    pub(super) frto: Frto,
    /// Acknowledgment at which the record is discarded; `None` until recovery has ended.
    pub(super) until: Option<u64>,
}

impl Undo {
    /// Counts a retransmission, or a new segment that F-RTO allows, when it is sent.
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

    /// Notes the end of recovery: the record of the cut is kept until all segments below `max`, the next new
    /// segment, are acknowledged.
    pub(super) fn recovered(&mut self, max: u64) {
        self.until.get_or_insert(max);
    }

    /// Returns true if the first acknowledgment that covers a retransmission echoes an earlier stamp (RFC 3522, steps 3 and 4).
    pub(super) fn echoes_original(&mut self, ack: &AckHeader) -> bool {
        let Some((_, stamp)) = self.first.filter(|(seq, _)| ack.ack > *seq) else { return false };
        self.first = None;
        self.resent > 0 && ack.ts_ecr != 0 && (ack.ts_ecr.wrapping_sub(stamp) as i32) < 0
    }

    /// Counts the duplicates that `ack` reports; returns true if they are at least as many as the
    /// retransmissions.
    pub(super) fn all_duplicates(&mut self, ack: &AckHeader) -> bool {
        let Some((from, to)) = ack.duplicate() else { return false };
        self.duplicates += to.min(self.recover).saturating_sub(from.max(self.una));
        self.resent > 0 && self.duplicates >= self.resent
    }

    /// Takes a step of F-RTO; returns true if the timeout was spurious. `una` is the oldest outstanding segment before
    /// the acknowledgment, and `new_data` is true if there is new data to send.
    pub(super) fn step(
        &mut self,
        una: u64,
        ack: &AckHeader,
        new_data: bool,
        sacked: impl Fn(u64) -> bool,
    ) -> bool {
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
