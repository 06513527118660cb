//! Delivery-rate samples: the rate at which segments are delivered, computed for each acknowledgment.
//!
//! Source: draft-cheng-iccrg-delivery-rate-estimation, sections 2 and 3. When a segment is sent, the number
//! of segments delivered so far is recorded with the time. When it is acknowledged, the rate is
//!
//! ```text
//! rate = (delivered now - delivered then) / max(send interval, acknowledgment interval)
//! ```
//!
//! The maximum prevents compressed acknowledgments from giving a rate at which segments were never sent. A
//! sample is marked if the application or the receiver, not the network, limited the sender.
//!
//! Samples are computed only for controls that use them. With recovery `rack`, and with `sack` if pipe comes
//! from the scoreboard, a segment counts as lost when the loss is detected; otherwise when the segment is
//! retransmitted.

use crate::congestion::sample::sample;
use crate::scoreboard::Scoreboard;
use base::{AckHeader, Duration, Instant};

sample! {
    /// Sample of the delivery rate from one acknowledgment.
    RateSample {
        /// Time of the acknowledgment.
        ["s"] now: Instant,
        /// Delivery rate; `None` if no segment was newly delivered, or the interval is shorter than the least
        /// round-trip time.
        ["segments/s"] rate: Option<f64>,
        /// Interval over which the rate is computed: the longer of the send and the acknowledgment interval.
        ["s"] interval: Duration,
        /// True if the application or the receiver's window limited the sender during the interval.
        [""] app_limited: bool,
        /// True if the window kept the sender from sending at some time in the last round trip.
        [""] cwnd_limited: bool,
        /// Round-trip time of the last sent of the newly delivered segments, if that segment was sent only
        /// once.
        ["s"] rtt: Option<Duration>,
        /// Segments delivered since the connection began.
        ["segments"] delivered: u64,
        /// Segments that had been delivered when the sampled segment was sent.
        ["segments"] prior_delivered: u64,
        /// Segments newly delivered by this acknowledgment.
        ["segments"] newly_delivered: u64,
        /// Segments that counted as lost since the connection began.
        ["segments"] lost: u64,
        /// Segments that had counted as lost when the sampled segment was sent.
        ["segments"] prior_lost: u64,
        /// Segments in flight when the sampled segment was sent, including that segment.
        ["segments"] tx_in_flight: u64,
        /// Segments in flight after this acknowledgment.
        ["segments"] in_flight: u64,
        /// First unacknowledged segment.
        [""] una: u64,
    }
}

sample! {
    /// A segment whose loss has just been detected.
    LostSegment {
        /// Time at which the loss was detected.
        ["s"] now: Instant,
        /// Number of the segment.
        [""] seq: u64,
        /// Segments in flight when the segment was sent, including that segment.
        ["segments"] tx_in_flight: u64,
        /// Segments that have counted as lost since the connection began, including that segment.
        ["segments"] lost: u64,
        /// Segments that had counted as lost when the segment was sent.
        ["segments"] prior_lost: u64,
        /// Segments delivered since the connection began.
        ["segments"] delivered: u64,
        /// True if the application or the receiver's window limited the sender when the segment was sent.
        [""] app_limited: bool,
    }
}

/// State recorded when a segment is sent (the draft's `P.` variables).
#[derive(Clone, Copy, Debug)]
struct Record {
    sent: Instant,
    /// `P.first_sent_time`: sending time of the segment whose delivery began this segment's sampling
    /// interval.
    first_sent: Instant,
    delivered_at: Instant,
    delivered: u64,
    lost: u64,
    in_flight: u32,
    again: bool,
    app_limited: bool,
    /// True once this transmission counts as lost.
    is_lost: bool,
}

const NEVER: Record = Record {
    sent: Instant::ZERO,
    first_sent: Instant::ZERO,
    delivered_at: Instant::ZERO,
    delivered: 0,
    lost: 0,
    in_flight: 0,
    again: false,
    app_limited: false,
    is_lost: false,
};

/// Delivery-rate estimator of one sender.
#[derive(Clone, Debug)]
pub(crate) struct RateEstimator {
    records: Vec<Record>,
    board: Scoreboard,
    delivered: u64,
    delivered_at: Instant,
    first_sent: Instant,
    lost: u64,
    /// `C.app_limited`: the sender is application-limited until more than this number of segments are
    /// delivered; 0 if it is not.
    limited_until: u64,
    /// The window limits the sender until this number of segments is delivered.
    full_until: u64,
    min_rtt: Duration,
    /// Sample of the last acknowledgment, without `in_flight`, which is known later.
    last: Option<RateSample>,
}

impl RateEstimator {
    pub(crate) fn new() -> Self {
        Self {
            records: vec![NEVER; 16],
            board: Scoreboard::default(),
            delivered: 0,
            delivered_at: Instant::ZERO,
            first_sent: Instant::ZERO,
            lost: 0,
            limited_until: 0,
            full_until: 0,
            min_rtt: Duration::from_ps(u64::MAX),
            last: None,
        }
    }

    fn record(&self, seq: u64) -> &Record {
        &self.records[seq as usize & (self.records.len() - 1)]
    }

    /// Records that segment `seq` is sent, with `in_flight` other segments in flight; `again` is true for a
    /// retransmission. `una` is the oldest outstanding segment.
    pub(crate) fn on_sent(&mut self, now: Instant, una: u64, seq: u64, in_flight: u64, again: bool) {
        let need = (seq - una + 2).next_power_of_two() as usize;
        if need > self.records.len() {
            let mut larger = vec![NEVER; need];
            for old in una..una + self.records.len() as u64 {
                larger[old as usize & (need - 1)] = *self.record(old);
            }
            self.records = larger;
        }
        if in_flight == 0 {
            self.first_sent = now;
            self.delivered_at = now;
        }
        let at = seq as usize & (self.records.len() - 1);
        self.records[at] = Record {
            sent: now,
            first_sent: self.first_sent,
            delivered_at: self.delivered_at,
            delivered: self.delivered,
            lost: self.lost,
            in_flight: in_flight as u32 + 1,
            again,
            app_limited: self.limited_until > 0,
            is_lost: false,
        };
    }

    /// Counts the last transmission of segment `seq` as lost; returns `None` if it is counted already.
    pub(crate) fn on_lost(&mut self, now: Instant, seq: u64) -> Option<LostSegment> {
        let at = seq as usize & (self.records.len() - 1);
        let record = &mut self.records[at];
        if std::mem::replace(&mut record.is_lost, true) {
            return None;
        }
        self.lost += 1;
        Some(LostSegment {
            now,
            seq,
            tx_in_flight: u64::from(record.in_flight),
            lost: self.lost,
            prior_lost: record.lost,
            delivered: self.delivered,
            app_limited: record.app_limited,
        })
    }

    /// Records that the window keeps the sender from sending more, with `in_flight` segments in flight.
    ///
    /// The samples until these segments are delivered are marked as limited by the window.
    pub(crate) fn on_window_full(&mut self, in_flight: u64) {
        self.full_until = self.delivered + in_flight;
    }

    /// Returns true if the sender is application-limited.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.limited_until > 0
    }

    /// Records that the application or the receiver limits the sender, with `in_flight` segments in flight.
    pub(crate) fn on_app_limited(&mut self, in_flight: u64) {
        self.limited_until = (self.delivered + in_flight).max(1);
    }

    /// Computes the sample of an acknowledgment; `una` is the oldest outstanding segment before the
    /// acknowledgment.
    pub(crate) fn on_ack(&mut self, now: Instant, una: u64, ack: &AckHeader) {
        let before = self.delivered;
        // Of the newly delivered segments, the one sent last gives the rate.
        let mut newest: Option<Record> = None;
        let mut take = |record: &Record| {
            if newest.is_none_or(|n| (record.delivered, record.sent) >= (n.delivered, n.sent)) {
                newest = Some(*record);
            }
        };
        let mut count = 0;
        for seq in una..ack.ack {
            if !self.board.is_sacked(seq) {
                take(&self.records[seq as usize & (self.records.len() - 1)]);
                count += 1;
            }
        }
        self.board.advance(ack.ack);
        for block in ack.sacked() {
            let (from, to) = (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
            let (records, mask) = (&self.records, self.records.len() - 1);
            count += self.board.sack_each(from, to, |seq| take(&records[seq as usize & mask]));
        }
        self.delivered += count;
        if count > 0 {
            self.delivered_at = now;
        }
        if self.limited_until > 0 && self.delivered > self.limited_until {
            self.limited_until = 0;
        }
        let Some(record) = newest else {
            self.last = Some(self.sample(now, ack.ack, before, &NEVER, None, Duration::ZERO, None));
            return;
        };
        let rtt = (!record.again).then(|| now.since(record.sent));
        if let Some(rtt) = rtt {
            self.min_rtt = self.min_rtt.min(rtt);
        }
        self.first_sent = record.sent;
        let interval = record.sent.since(record.first_sent).max(now.since(record.delivered_at));
        let valid = interval >= self.min_rtt && !interval.is_zero();
        let rate = valid.then(|| (self.delivered - record.delivered) as f64 / interval.secs());
        self.last = Some(self.sample(now, ack.ack, before, &record, rtt, interval, rate));
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one sample")]
    fn sample(
        &self,
        now: Instant,
        una: u64,
        before: u64,
        record: &Record,
        rtt: Option<Duration>,
        interval: Duration,
        rate: Option<f64>,
    ) -> RateSample {
        RateSample {
            now,
            rate,
            interval,
            app_limited: record.app_limited,
            cwnd_limited: self.delivered <= self.full_until,
            rtt,
            delivered: self.delivered,
            prior_delivered: record.delivered,
            newly_delivered: self.delivered - before,
            lost: self.lost,
            prior_lost: record.lost,
            tx_in_flight: u64::from(record.in_flight),
            in_flight: 0,
            una,
        }
    }

    /// Removes and returns the sample of the last acknowledgment, with the losses that it has shown;
    /// `in_flight` is the number of segments in flight after it.
    pub(crate) fn take(&mut self, in_flight: u64) -> Option<RateSample> {
        let lost = self.lost;
        self.last.take().map(|sample| RateSample { in_flight, lost, ..sample })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::SackBlock;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(ms)
    }

    fn cumulative(ack: u64) -> AckHeader {
        AckHeader { ack, ..AckHeader::default() }
    }

    /// Segments leave 2 ms apart, 500 per second. An acknowledgment that covers thirty of them does not give a higher
    /// rate.
    #[test]
    fn compressed_acknowledgments_do_not_feign_a_rate() {
        let mut rate = RateEstimator::new();
        for seq in 0..40 {
            rate.on_sent(at(2 * seq), 0, seq, seq, false);
        }
        rate.on_ack(at(50), 0, &cumulative(1));
        let first = rate.take(39).unwrap();
        // One segment was delivered in the 50 ms since it was sent.
        assert!((first.rate.unwrap() - 20.0).abs() < 1e-9);
        assert_eq!((first.rtt, first.in_flight), (Some(Duration::from_ms(50)), 39));
        // Thirty more segments are acknowledged at 111 ms. When the last of them was sent, nothing had been
        // delivered. So the rate is that of all 31 segments in 111 ms.
        rate.on_ack(at(111), 1, &cumulative(31));
        let many = rate.take(9).unwrap();
        assert_eq!((many.prior_delivered, many.newly_delivered, many.delivered), (0, 30, 31));
        assert!((many.rate.unwrap() - 31.0 / 0.111).abs() < 1e-9, "{many:?}");
    }

    #[test]
    fn selective_acknowledgments_count_once() {
        let mut rate = RateEstimator::new();
        for seq in 0..5 {
            rate.on_sent(at(seq), 0, seq, seq, false);
        }
        let mut dup = cumulative(0);
        dup.sack[0] = SackBlock { from: 1, to: 4 };
        dup.blocks = 1;
        rate.on_ack(at(100), 0, &dup);
        assert_eq!(rate.take(0).unwrap().newly_delivered, 3);
        rate.on_ack(at(101), 0, &dup);
        let again = rate.take(0).unwrap();
        assert_eq!((again.newly_delivered, again.rate), (0, None));
        let lost = rate.on_lost(at(101), 0).unwrap();
        assert_eq!((lost.tx_in_flight, lost.lost, lost.prior_lost, lost.delivered), (1, 1, 0, 3));
        assert_eq!(rate.on_lost(at(102), 0), None, "it counts once");
        rate.on_sent(at(102), 0, 0, 1, true);
        rate.on_ack(at(200), 0, &cumulative(5));
        let last = rate.take(0).unwrap();
        assert_eq!((last.newly_delivered, last.delivered, last.lost), (2, 5, 1));
        // The segment sent last is a retransmission, so there is no RTT sample (Karn's algorithm).
        assert_eq!(last.rtt, None);
    }

    /// The sample of an acknowledgment includes the losses that the acknowledgment shows, although they are
    /// found after the sample is computed.
    #[test]
    fn the_sample_has_the_losses_of_its_acknowledgment() {
        let mut rate = RateEstimator::new();
        for seq in 0..3 {
            rate.on_sent(at(seq), 0, seq, seq, false);
        }
        rate.on_ack(at(100), 0, &cumulative(1));
        rate.on_lost(at(100), 1);
        let sample = rate.take(1).unwrap();
        assert_eq!((sample.lost, sample.prior_lost), (1, 0));
    }

    /// A window of two segments limits the sender until both are delivered.
    #[test]
    fn a_full_window_marks_a_round_trip() {
        let mut rate = RateEstimator::new();
        rate.on_sent(at(0), 0, 0, 0, false);
        rate.on_sent(at(1), 0, 1, 1, false);
        rate.on_window_full(2);
        rate.on_ack(at(50), 0, &cumulative(2));
        assert!(rate.take(0).unwrap().cwnd_limited);
        rate.on_sent(at(51), 2, 2, 0, false);
        rate.on_ack(at(99), 2, &cumulative(3));
        assert!(!rate.take(0).unwrap().cwnd_limited);
    }

    #[test]
    fn an_app_limited_sender_marks_its_samples() {
        let mut rate = RateEstimator::new();
        rate.on_sent(at(0), 0, 0, 0, false);
        rate.on_app_limited(1);
        rate.on_sent(at(5), 0, 1, 1, false);
        rate.on_ack(at(50), 0, &cumulative(1));
        assert!(!rate.take(1).unwrap().app_limited);
        rate.on_ack(at(55), 1, &cumulative(2));
        assert!(rate.take(0).unwrap().app_limited);
        rate.on_sent(at(60), 2, 2, 0, false);
        rate.on_ack(at(110), 2, &cumulative(3));
        assert!(!rate.take(0).unwrap().app_limited);
    }

    /// Two segments are in flight when the application has no more data. Samples are marked until a third
    /// segment is delivered. If the application has no data at the very beginning, samples are marked until
    /// the second delivery.
    #[test]
    fn being_app_limited_ends_with_the_delivery_of_segments_sent_after_it() {
        let marked = |rate: &mut RateEstimator, seq: u64| {
            rate.on_sent(at(10 * seq + 1), seq, seq, 1, false);
            rate.on_ack(at(10 * seq + 9), seq, &cumulative(seq + 1));
            rate.take(0).unwrap().app_limited
        };
        let mut rate = RateEstimator::new();
        rate.on_app_limited(2);
        assert_eq!([0, 1, 2, 3, 4].map(|seq| marked(&mut rate, seq)), [true, true, true, false, false]);
        rate.on_app_limited(0);
        assert_eq!([5, 6].map(|seq| marked(&mut rate, seq)), [true, false]);
        let mut rate = RateEstimator::new();
        rate.on_app_limited(0);
        assert_eq!([0, 1, 2].map(|seq| marked(&mut rate, seq)), [true, true, false]);
    }
}
