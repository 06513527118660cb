//! Acknowledgments that end within a segment, which only a receiver that divides its acknowledgments sends.
//!
//! The sender counts in segments, so the bytes acknowledged of segment SND.UNA are kept beside SND.UNA. Such an
//! acknowledgment is one of new data: it increases the window and restarts the retransmission timer. Estimators of
//! round-trip times and rates, and the counters, take a segment when all of it is acknowledged.

use super::block::Tcb;
use crate::config::{AckCounting, Ecn};
use crate::congestion::AckSample;
use base::{AckHeader, Instant};

impl Tcb {
    /// Handles an acknowledgment of the first `ack.part()` bytes of segment SND.UNA; has no effect if they are
    /// acknowledged already.
    #[cold]
    pub(crate) fn acknowledge_part(&mut self, now: Instant, ack: &AckHeader) {
        // A segment has at most 65 535 bytes.
        let bytes = ack.part() as u16;
        if bytes <= self.part || ack.part() >= self.config.sizes.segment {
            return;
        }
        let share = f64::from(bytes - self.part) / f64::from(self.config.sizes.segment);
        self.part = bytes;
        self.duplicates.clear();
        self.set_timer(now);
        let count = match self.config.growth.ack_counting {
            AckCounting::Acks if self.config.growth.count_parts_as_whole => 1.0,
            AckCounting::Acks | AckCounting::Segments => share,
            AckCounting::Delivered => 0.0,
        };
        if count > 0.0 {
            let una = self.snd.una();
            self.grow::<false>(&AckSample {
                now,
                count,
                una_before: una,
                una,
                next: self.snd.nxt(),
                delayed: !self.config.acks.delayed_ack.is_zero(),
                rtt: None,
                srtt: self.round_trips.srtt(),
                one_way: None,
                outstanding: self.snd.outstanding(),
                grow: !(ack.ece && self.config.options.ecn == Ecn::Classic),
            });
        }
        self.release_burst();
    }

    /// Forgets the part of segment SND.UNA that is acknowledged; returns it as a fraction of a full segment.
    #[cold]
    pub(super) fn end_part(&mut self) -> f64 {
        f64::from(std::mem::take(&mut self.part)) / f64::from(self.config.sizes.segment)
    }

    /// Returns `sample` without the fraction `parted` of its first segment, which earlier acknowledgments have counted.
    #[cold]
    pub(super) fn without_part(&self, sample: AckSample, parted: f64) -> AckSample {
        let segments = (sample.una - sample.una_before) as f64;
        let count = match self.config.growth.ack_counting {
            AckCounting::Acks if self.config.growth.count_parts_as_whole => sample.count,
            AckCounting::Acks => (segments - parted).min(1.0),
            AckCounting::Segments => sample.count - parted,
            AckCounting::Delivered => sample.count,
        };
        AckSample { count, ..sample }
    }
}
