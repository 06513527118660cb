//! Delivery-rate samples (draft-cheng-iccrg-delivery-rate-estimation) computed from quinn's callbacks, for
//! controls that need them.
//!
//! Packets are identified by the time at which they were sent. The sample is taken from the last sent of the
//! packets that an acknowledgment newly acknowledges, as in the draft. Records of earlier packets are then
//! dropped, so a later acknowledgment of a packet that was overtaken gives no sample.

use base::{Duration, Instant};
use std::collections::VecDeque;
use tcp::rate::{LostSegment, RateSample};

/// State when the packets of one instant were sent (the draft's `P.` variables).
#[derive(Clone, Copy, Debug)]
struct Record {
    sent: Instant,
    /// `P.first_sent_time`: sending time of the packet whose delivery began this packet's sampling interval.
    first_sent: Instant,
    delivered_at: Instant,
    delivered: f64,
    lost: f64,
    in_flight: f64,
    app_limited: bool,
}

/// Delivery-rate estimator of one connection; counts are in segments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Delivery {
    records: VecDeque<Record>,
    delivered: f64,
    delivered_at: Instant,
    first_sent: Instant,
    lost: f64,
    /// `C.app_limited`: the flow is application-limited until this number of segments is delivered; 0 if it
    /// is not.
    limited_until: f64,
    min_rtt: Option<Duration>,
}

impl Delivery {
    /// Records that `sent` segments are sent at `now` while `in_flight` segments are in flight.
    pub(crate) fn on_sent(&mut self, now: Instant, in_flight: f64, sent: f64) {
        if in_flight == 0.0 {
            self.first_sent = now;
            self.delivered_at = now;
        }
        let in_flight = in_flight + sent;
        match self.records.back_mut().filter(|last| last.sent == now) {
            Some(last) => last.in_flight = in_flight,
            None => self.records.push_back(Record {
                sent: now,
                first_sent: self.first_sent,
                delivered_at: self.delivered_at,
                delivered: self.delivered,
                lost: self.lost,
                in_flight,
                app_limited: self.limited_until > 0.0,
            }),
        }
    }

    /// Records that `lost` segments were declared lost, the last of which was sent at `sent`. Returns the
    /// loss of that segment; `None` if its record was dropped.
    pub(crate) fn on_lost(&mut self, now: Instant, sent: Instant, lost: f64) -> Option<LostSegment> {
        self.lost += lost;
        let record = self.records.iter().rev().find(|record| record.sent == sent)?;
        Some(LostSegment {
            now,
            seq: (self.delivered + self.lost) as u64,
            tx_in_flight: record.in_flight.ceil() as u64,
            lost: self.lost as u64,
            prior_lost: record.lost as u64,
            delivered: self.delivered as u64,
            app_limited: record.app_limited,
        })
    }

    /// Returns the rate sample of an acknowledgment. It acknowledges `acked` segments, the last of which was
    /// sent at `sent`, and leaves `in_flight` segments in flight.
    pub(crate) fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        acked: f64,
        in_flight: f64,
        app_limited: bool,
        una: u64,
    ) -> RateSample {
        let before = self.delivered;
        self.delivered += acked;
        self.delivered_at = now;
        if self.limited_until > 0.0 && self.delivered > self.limited_until {
            self.limited_until = 0.0;
        }
        while self.records.front().is_some_and(|record| record.sent < sent) {
            self.records.pop_front();
        }
        let record = self.records.front().copied().filter(|record| record.sent == sent);
        let rtt = now.since(sent);
        let min_rtt = self.min_rtt.map_or(rtt, |least| least.min(rtt));
        self.min_rtt = Some(min_rtt);
        let mut interval = Duration::ZERO;
        let mut rate = None;
        if let Some(record) = record {
            self.first_sent = sent;
            interval = sent.since(record.first_sent).max(now.since(record.delivered_at));
            let valid = interval >= min_rtt && !interval.is_zero();
            rate = valid.then(|| (self.delivered - record.delivered) / interval.secs());
        }
        let sample = RateSample {
            now,
            rate,
            interval,
            app_limited: record.is_some_and(|record| record.app_limited),
            cwnd_limited: !app_limited,
            rtt: Some(rtt),
            delivered: self.delivered as u64,
            prior_delivered: record.map_or(before, |record| record.delivered) as u64,
            newly_delivered: self.delivered as u64 - before as u64,
            lost: self.lost as u64,
            prior_lost: record.map_or(self.lost, |record| record.lost) as u64,
            tx_in_flight: record.map_or(0.0, |record| record.in_flight).ceil() as u64,
            in_flight: in_flight.ceil() as u64,
            una,
        };
        if app_limited {
            self.limited_until = (self.delivered + in_flight).max(1.0);
        }
        sample
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ms: u64) -> Instant {
        Instant::ZERO + Duration::from_ms(ms)
    }

    /// Twenty segments are sent 2 ms apart over a path of 50 ms. The delivery rate does not exceed 500
    /// segments per second, even if one acknowledgment covers nineteen of them.
    #[test]
    fn compressed_acknowledgments_do_not_feign_a_rate() {
        let mut delivery = Delivery::default();
        for sent in 0..20 {
            delivery.on_sent(at(2 * sent), sent as f64, 1.0);
        }
        let first = delivery.on_ack(at(50), at(0), 1.0, 19.0, false, 1);
        assert_eq!(first.rate, Some(1.0 / 0.05));
        let last = delivery.on_ack(at(89), at(38), 19.0, 0.0, false, 20);
        // Twenty segments were delivered in the 89 ms since the beginning, nineteen of them by this acknowledgment.
        assert_eq!((last.rate, last.newly_delivered), (Some(20.0 / 0.089), 19));
        assert_eq!((last.rtt, last.tx_in_flight), (Some(Duration::from_ms(51)), 20));
    }

    #[test]
    fn what_the_application_holds_back_is_marked() {
        let mut delivery = Delivery::default();
        delivery.on_sent(at(0), 0.0, 1.0);
        assert!(!delivery.on_ack(at(10), at(0), 1.0, 0.0, true, 1).app_limited);
        delivery.on_sent(at(20), 0.0, 1.0);
        assert!(delivery.on_ack(at(30), at(20), 1.0, 0.0, false, 2).app_limited);
        delivery.on_sent(at(40), 0.0, 1.0);
        assert!(!delivery.on_ack(at(50), at(40), 1.0, 0.0, false, 3).app_limited);
    }

    #[test]
    fn a_packet_that_was_overtaken_gives_no_rate() {
        let mut delivery = Delivery::default();
        delivery.on_sent(at(0), 0.0, 1.0);
        delivery.on_sent(at(5), 1.0, 1.0);
        assert!(delivery.on_ack(at(50), at(5), 1.0, 1.0, false, 1).rate.is_some());
        let late = delivery.on_ack(at(60), at(0), 1.0, 0.0, false, 2);
        assert_eq!((late.rate, late.delivered), (None, 2));
    }
}
