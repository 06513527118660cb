//! Measurement of round-trip times at a sender: the timed segment, send times, and the estimator.

use crate::config::{Config, Timers};
use crate::congestion::Transmission;
use crate::rtt::RttEstimator;
use crate::stamps::since_echo;
use crate::times::SendTimes;
use base::{AckHeader, Duration, Instant};

/// Number of no segment.
const NONE: u64 = u64::MAX;
/// Sample that no round trip gives.
const REPORTED: Duration = Duration::MAX;

/// State of one sender's measurement of round-trip times; the fields of every segment come first in memory.
#[derive(Clone, Debug)]
#[repr(C)]
pub(crate) struct RoundTrips {
    /// Segment being timed; `NONE` if there is none.
    timed: u64,
    /// Time at which the timed segment was sent.
    timed_at: Instant,
    /// Last sample, until it is reported; `REPORTED` if there is none.
    unreported: Duration,
    times: Option<SendTimes>,
    estimator: RttEstimator,
}

impl RoundTrips {
    /// Creates the state without samples. `phase` is the time since the last tick of the clock.
    pub(crate) fn new(timers: &Timers, phase: Duration, times: Option<SendTimes>) -> Self {
        Self {
            timed: NONE,
            timed_at: Instant::ZERO,
            unreported: REPORTED,
            times,
            estimator: RttEstimator::new(timers, phase),
        }
    }

    /// Returns the smoothed round-trip time; `None` before the first sample.
    #[inline]
    pub(crate) fn srtt(&self) -> Option<Duration> {
        self.estimator.srtt()
    }

    /// Returns the retransmission timeout, with bounds and backoff.
    #[inline]
    pub(crate) fn rto(&self) -> Duration {
        self.estimator.rto()
    }

    /// Returns true if the timeout has been doubled since backoff last ended.
    pub(crate) fn backed_off(&self) -> bool {
        self.estimator.backed_off()
    }

    /// Doubles the timeout (RFC 6298 section 5.5).
    pub(crate) fn back_off(&mut self, timers: &Timers) {
        self.estimator.back_off(timers);
    }

    #[inline]
    pub(crate) fn end_backoff(&mut self, timers: &Timers) {
        self.estimator.end_backoff(timers);
    }

    /// Adds a sample `rtt` taken at `now`.
    #[inline]
    pub(crate) fn measured(&mut self, now: Instant, rtt: Duration, timers: &Timers) {
        self.estimator.measured(now, rtt, timers);
        self.unreported = rtt;
    }

    /// Removes and returns the last sample, if it has not been reported.
    #[inline(always)]
    pub(crate) fn take_unreported(&mut self) -> Option<Duration> {
        let rtt = std::mem::replace(&mut self.unreported, REPORTED);
        (rtt != REPORTED).then_some(rtt)
    }

    /// Takes a sample from the timestamp that `ack` echoes, and returns it; `None` if there is no echo.
    #[inline]
    pub(crate) fn measure_stamp(
        &mut self,
        now: Instant,
        ack: &AckHeader,
        config: &Config,
    ) -> Option<Duration> {
        let rtt = config.options.timestamps.then(|| since_echo(now, ack))??;
        self.measured(now, rtt, &config.timers);
        Some(rtt)
    }

    /// Takes a sample from an acknowledgment that moves SND.UNA up from `una`. Returns the round-trip time of
    /// the newest acknowledged segment if it was sent only once.
    #[inline]
    pub(crate) fn on_ack(
        &mut self,
        now: Instant,
        una: u64,
        ack: &AckHeader,
        config: &Config,
    ) -> Option<Duration> {
        let news = ack.ack > una;
        let mut sampled = None;
        let fine = self.times.as_mut().filter(|_| news).map(|times| times.acknowledged(una, ack.ack));
        if config.options.timestamps {
            sampled = self.measure_stamp(now, ack, config);
            if sampled.is_some() && config.timers.stamps_end_backoff {
                self.end_backoff(&config.timers);
            }
            self.take_timed(ack.ack, &config.timers);
        } else if let Some(sent) = self.take_timed(ack.ack, &config.timers) {
            let rtt = now.since(sent);
            self.measured(now, rtt, &config.timers);
            sampled = Some(rtt);
        }
        match fine {
            Some(fine) => (fine.transmissions == 1).then(|| now.since(fine.sent)),
            None => sampled,
        }
    }

    /// Ends the timing of a segment and the backoff, if `ack` acknowledges the timed segment; returns its
    /// sending time.
    #[inline(always)]
    pub(crate) fn take_timed(&mut self, ack: u64, timers: &Timers) -> Option<Instant> {
        // No acknowledgment is above `NONE`.
        if ack <= self.timed {
            return None;
        }
        self.timed = NONE;
        self.end_backoff(timers);
        Some(self.timed_at)
    }

    /// Stops timing a segment, without a sample (Karn and Partridge 1987).
    pub(crate) fn give_up_timed(&mut self) {
        self.timed = NONE;
    }

    /// Records that segment `seq` is sent; `una` is the oldest unacknowledged segment, and `again` is true
    /// for a retransmission.
    #[inline]
    pub(crate) fn on_sent(&mut self, now: Instant, una: u64, seq: u64, again: bool, config: &Config) {
        if let Some(times) = &mut self.times {
            times.record(una, seq, now, again);
        }
        if !again {
            if self.timed == NONE {
                (self.timed, self.timed_at) = (seq, now);
            }
        } else if !config.timers.time_retransmissions && self.timed == seq {
            // A fast retransmission of the timed segment also ends its timing (Karn and Partridge 1987).
            self.timed = NONE;
        }
    }

    /// Returns the transmissions of outstanding segment `seq`; zeros if send times are not kept.
    #[inline]
    pub(crate) fn transmission(&self, seq: u64) -> Transmission {
        match &self.times {
            Some(times) => times.get(seq),
            None => Transmission { sent: Instant::ZERO, transmissions: 0 },
        }
    }
}
