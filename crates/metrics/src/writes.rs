//! Delays and losses of an application's writes to TCP.
//!
//! Two delays are distinguished. The delay of a *write* runs from the write until its last byte has arrived
//! in order. It includes the wait in the sender's backlog and the retransmission of losses. The *transit* of
//! a segment runs from its first transmission to the first arrival of a copy. It includes retransmissions,
//! but not the wait before the first transmission. Both jitters are means of `|d_i - d_(i-1)|` in order of
//! number.

use crate::row::{RUN, table};
use crate::stats::DelayStats;
use crate::video::VideoLog;
use base::{Duration, Instant};
use serde::Serialize;
use std::collections::VecDeque;

/// A write that is not completely delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Write {
    at: Instant,
    /// Length of the stream including this write, bytes.
    end: u64,
}

/// A segment that has not been delivered in order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Segment {
    sent: Instant,
    received: Option<Instant>,
}

/// A segment that has not arrived by the end of the run is overdue if it was first sent longer ago than this.
const OVERDUE: Duration = Duration::from_secs(10);

const SUHERMAN: &str =
    "delay of study suherman's reference; EvalVid's end-to-end delay where its sender logs in the transport";

table! {
    "flows", RUN;
    /// Summary of one flow's writes. The fields are columns of `flows`; they are empty if no application
    /// writes to TCP.
    #[derive(Clone, PartialEq, Debug, Default, Serialize)]
    pub struct WriteSummary with fn new(stats: &WriteStats) {
        /// writes of the application to TCP
        writes: u64 ["", "application"] = stats.writes;
        /// writes whose last byte was delivered in order by the end of the run
        delivered_writes: u64 ["", "application"] = stats.delay.count();
        /// mean time from a write to the in-order delivery of its last byte. It includes the wait in the
        /// sender's backlog, retransmission of losses, and the wait for earlier data
        write_delay_mean_s: Option<f64> ["s", "application"] = stats.delay.mean_s();
        /// longest time from a write to the in-order delivery of its last byte
        write_delay_max_s: Option<f64> ["s", "application"] = stats.delay.max().map(Duration::secs);
        /// mean |d_i - d_(i-1)| of write delays, in order of writing
        write_jitter_mean_s: Option<f64> ["s", "application"] = stats.delay.jitter_mean_s();
        /// (writes - delivered_writes) / writes; writes in flight at the end count as lost
        write_loss_ratio: Option<f64> ["", "application"] = stats.loss_ratio();
        /// mean time from a segment's first transmission to the first arrival of a copy, in order or not, if
        /// an application writes to TCP; the wait in the sender's backlog is not included
        transit_delay_mean_s: Option<f64>
            ["s", "transport", as SUHERMAN]
            = stats.transit.mean_s();
        /// mean |d_i - d_(i-1)| of transit delays over the segments that arrived, in order of number
        transit_jitter_mean_s: Option<f64> ["s", "transport"] = stats.transit.jitter_mean_s();
        /// segments of which no copy had arrived by the end of the run / segments sent, each counted once
        transit_loss_ratio: Option<f64> ["", "transport"] = stats.transit_loss_ratio();
        /// segments first sent more than 10 s before the end of the run of which no copy had arrived by then;
        /// segments sent later may still be in flight
        transit_overdue: u64 ["packets", "transport"] = stats.overdue;
    }
}

/// Counters of one flow's writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WriteStats {
    /// Writes of the application.
    pub writes: u64,
    /// Delays of the writes that were delivered in order.
    pub delay: DelayStats,
    /// Segments sent, each counted once.
    pub segments: u64,
    /// Transit delays of the segments that arrived.
    pub transit: DelayStats,
    /// Segments that had not arrived at the end of the run, more than 10 s after they were first sent.
    pub overdue: u64,
    /// Log of each write, if the writes are the packets of a video.
    pub video: Option<VideoLog>,
    undelivered: VecDeque<Write>,
    out_of_order: VecDeque<Segment>,
    /// Number of the first segment of `out_of_order`.
    first: u64,
}

impl WriteStats {
    /// Creates the counters; `video` is given if the writes are the packets of a video.
    pub fn new(video: Option<VideoLog>) -> Self {
        Self { video, ..Self::default() }
    }

    /// Counts a write at `now`, after which the stream is `end` bytes long.
    pub fn on_write(&mut self, now: Instant, end: u64) {
        self.writes += 1;
        self.undelivered.push_back(Write { at: now, end });
        if let Some(video) = &mut self.video {
            video.on_write(now);
        }
    }

    /// Records the first transmission of segment `seq`.
    pub fn on_sent(&mut self, now: Instant, seq: u64) {
        if self.segments == 0 {
            self.first = seq;
        }
        self.segments += 1;
        self.out_of_order.push_back(Segment { sent: now, received: None });
    }

    /// Records the arrival of a copy of segment `seq`.
    pub fn on_received(&mut self, now: Instant, seq: u64) {
        let at = seq.checked_sub(self.first).map(|at| at as usize);
        if let Some(segment) = at.and_then(|at| self.out_of_order.get_mut(at)) {
            segment.received.get_or_insert(now);
        }
    }

    /// Records that all segments below `seq`, `bytes` of the stream in total, have arrived in order.
    pub fn on_delivered(&mut self, now: Instant, seq: u64, bytes: u64) {
        while self.first < seq
            && let Some(segment) = self.out_of_order.pop_front()
        {
            self.first += 1;
            self.arrived(segment);
        }
        while let Some(write) = self.undelivered.front().filter(|write| write.end <= bytes) {
            if let Some(video) = &mut self.video {
                video.on_delivered(now, self.delay.count());
            }
            self.delay.add(now.since(write.at));
            self.undelivered.pop_front();
        }
    }

    /// Ends the run at `end`; segments that have arrived out of order count as arrived.
    pub fn finish(&mut self, end: Instant) {
        for segment in std::mem::take(&mut self.out_of_order) {
            self.overdue += u64::from(segment.received.is_none() && end.since(segment.sent) > OVERDUE);
            self.arrived(segment);
        }
    }

    fn arrived(&mut self, segment: Segment) {
        if let Some(received) = segment.received {
            self.transit.add(received.since(segment.sent));
        }
    }

    /// Returns the summary of the writes.
    pub fn summary(&self) -> WriteSummary {
        WriteSummary::new(self)
    }

    /// Returns the share of writes that were not delivered in order by the end of the run; `None` if there
    /// were no writes.
    pub fn loss_ratio(&self) -> Option<f64> {
        (self.writes > 0).then(|| (self.writes - self.delay.count()) as f64 / self.writes as f64)
    }

    /// Returns the share of sent segments of which no copy had arrived by the end of the run; `None` if no
    /// segment was sent.
    pub fn transit_loss_ratio(&self) -> Option<f64> {
        (self.segments > 0).then(|| (self.segments - self.transit.count()) as f64 / self.segments as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_by_hand() {
        // Four writes of one segment each, at 0, 10, 20 and 30 ms, are sent at 0, 15, 20 and 30 ms. The second is lost and
        // arrives at 60 ms, after the third (40 ms); the fourth never arrives.
        let ms = |ms: u64| Instant::ZERO + Duration::from_ms(ms);
        let mut stats = WriteStats::default();
        assert_eq!((stats.loss_ratio(), stats.transit_loss_ratio()), (None, None));
        for (i, (written, sent)) in [(0, 0), (10, 15), (20, 20), (30, 30)].into_iter().enumerate() {
            stats.on_write(ms(written), 100 * (i as u64 + 1));
            stats.on_sent(ms(sent), i as u64 + 7);
        }
        stats.on_received(ms(5), 7);
        stats.on_delivered(ms(5), 8, 100);
        stats.on_received(ms(40), 9);
        stats.on_delivered(ms(40), 8, 100);
        stats.on_received(ms(60), 8);
        stats.on_received(ms(61), 8);
        stats.on_delivered(ms(60), 10, 300);
        let mut later = stats.clone();
        stats.finish(ms(10_030));
        later.finish(ms(10_031));
        // The fourth segment, sent at 30 ms, never arrived; the others did, however late.
        assert_eq!((stats.overdue, later.overdue), (0, 1));
        // Delays since the write are 5, 50 and 40 ms; transit times are 5, 45 and 20 ms.
        assert_eq!((stats.delay.count(), stats.delay.max()), (3, Some(Duration::from_ms(50))));
        assert!((stats.delay.mean_s().unwrap() - 0.095 / 3.0).abs() < 1e-15);
        assert_eq!(stats.delay.jitter_mean_s(), Some(0.0275));
        assert!((stats.transit.mean_s().unwrap() - 0.07 / 3.0).abs() < 1e-15);
        assert_eq!(stats.transit.jitter_mean_s(), Some(0.0325));
        assert_eq!((stats.loss_ratio(), stats.transit_loss_ratio()), (Some(0.25), Some(0.25)));
    }
}
