//! Methods of the TCB for acknowledgments: SND.UNA, counters, and the sample for congestion control.

use super::block::Tcb;
use crate::calm::special;
use crate::config::{AckCounting, Ecn};
use crate::congestion::{AckSample, Arrival, CongestionControl};
use crate::stamps::one_way;
use crate::stats::SenderStats;
use base::{AckHeader, Duration, Instant};

impl Tcb {
    /// Passes an incoming ACK, before loss recovery handles it, to the delivery-rate estimator, and to congestion
    /// controls that need every ACK, duplicates included (`Needs::arrivals`).
    #[inline(always)]
    pub(crate) fn arrived<const CALM: bool>(&mut self, now: Instant, ack: &AckHeader) {
        let una = self.snd.una();
        if special::<CALM>(self.rate.is_some())
            && let Some(rate) = &mut self.rate
        {
            rate.on_ack(now, una, ack);
        }
        if self.needs.arrivals {
            self.control.on_arrival(&Arrival {
                now,
                acked: ack.ack - una,
                outstanding: self.snd.outstanding(),
                segment: u64::from(self.config.sizes.segment),
                srtt: self.round_trips.srtt(),
                marked: ack.ece,
            });
        }
    }

    /// Moves SND.UNA, measures the round-trip time and updates the timer for an acknowledgment of new data;
    /// returns the sample for congestion control.
    #[inline]
    pub(crate) fn advance<const CALM: bool>(&mut self, now: Instant, ack: &AckHeader) -> AckSample {
        let una_before = self.snd.una();
        let trains = special::<CALM>(self.pacing.has_trains());
        let outstanding = if trains { self.outstanding_or_held() } else { self.snd.outstanding() };
        if special::<CALM>(self.duplicates.acks() > 0) {
            self.duplicates.clear();
        }
        let parted = if special::<CALM>(self.part > 0) { self.end_part() } else { 0.0 };
        let rtt = self.move_una::<CALM>(now, ack);
        self.update_timer(now);
        let delayed = !self.config.acks.delayed_ack.is_zero();
        let one_way =
            if self.config.options.timestamps { one_way(now, ack, rtt.filter(|_| delayed)) } else { None };
        // An acknowledgment with ECE does not increase the window (RFC 3168 section 6.1.2).
        let grow = !(special::<CALM>(ack.ece) && self.config.options.ecn == Ecn::Classic);
        let pauses = special::<CALM>(self.ecn.is_answering(ack.ack)) && self.config.decrease.pause_after_mark;

        let sample = AckSample {
            one_way,
            grow: grow && !pauses,
            ..self.sample(now, una_before, ack.ack, outstanding, rtt)
        };
        if special::<CALM>(parted > 0.0) { self.without_part(sample, parted) } else { sample }
    }

    /// Returns the sample of an acknowledgment that moved SND.UNA from `una_before` to `una`.
    ///
    /// `una` is a parameter for speed: reading it together with SND.NXT, just after both were written, would
    /// wait for the cache.
    #[inline]
    fn sample(
        &self,
        now: Instant,
        una_before: u64,
        una: u64,
        outstanding: u64,
        rtt: Option<Duration>,
    ) -> AckSample {
        debug_assert_eq!(una, self.snd.una());
        let count = match self.config.growth.ack_counting {
            AckCounting::Acks => 1.0,
            AckCounting::Segments => (una - una_before) as i64 as f64,
            AckCounting::Delivered => {
                ((una - una_before) as i64 + i64::from(self.newly_sacked)).max(0) as f64
            }
        };
        AckSample {
            now,
            count,
            una_before,
            una,
            next: self.snd.nxt(),
            delayed: !self.config.acks.delayed_ack.is_zero(),
            rtt,
            srtt: self.round_trips.srtt(),
            one_way: None,
            outstanding,
            grow: true,
        }
    }

    /// Moves SND.UNA, and takes samples of the round-trip time. Returns the round-trip time of the newest
    /// acknowledged segment if it was sent only once.
    #[inline]
    fn move_una<const CALM: bool>(&mut self, now: Instant, ack: &AckHeader) -> Option<Duration> {
        let una = self.snd.una();
        self.acknowledge_below::<CALM>(ack.ack);
        self.round_trips.on_ack(now, una, ack, &self.config)
    }

    /// Takes a sample of the round-trip time from the timestamp that `ack` echoes; `None` if there is no
    /// echo.
    #[inline]
    pub(crate) fn measure_stamp(&mut self, now: Instant, ack: &AckHeader) -> Option<Duration> {
        self.round_trips.measure_stamp(now, ack, &self.config)
    }

    /// Moves SND.UNA to `una`.
    #[inline]
    fn acknowledge_below<const CALM: bool>(&mut self, una: u64) {
        self.allowance.clear_extra_sent();
        self.stream.acknowledge::<CALM>(una);
        self.snd.acknowledge(una);
    }

    /// Returns the counters so far.
    pub(crate) fn stats(&self) -> SenderStats {
        let acked_packets = self.snd.una().saturating_sub(self.stream.first_payload());
        SenderStats { acked_packets, acked_bytes: self.acked_bytes(), ..self.stats }
    }

    /// Returns the payload acknowledged so far, bytes.
    pub(crate) fn acked_bytes(&self) -> u64 {
        self.stream.bytes_below(self.snd.una())
    }

    /// Moves SND.UNA for a partial acknowledgment. If the timed segment is acknowledged, its timing ends
    /// without a sample, and the backoff ends. The timer is not restarted.
    pub(crate) fn advance_partial(&mut self, ack: &AckHeader) {
        self.part = 0;
        self.acknowledge_below::<false>(ack.ack);
        self.round_trips.take_timed(ack.ack, &self.config.timers);
    }

    /// Notes that the current acknowledgment changed the number of segments that have arrived out of order
    /// from `before` to `after`.
    #[inline]
    pub(crate) fn note_sacked(&mut self, before: u64, after: u64) {
        self.newly_sacked = (after as i64 - before as i64) as i32;
    }
}
