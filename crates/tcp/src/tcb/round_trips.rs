//! Round trips of one sender: segments timed, send times kept, and the estimate made of them.

use crate::config::{Config, Timers};
use crate::congestion::Transmission;
use crate::rtt::RttEstimator;
use crate::stamps::since_echo;
use crate::times::SendTimes;
use base::{AckHeader, Duration, Instant};

/// Round-trip measurement of one sender.
#[derive(Clone, Debug)]
pub(crate) struct RoundTrips {
    estimator: RttEstimator,
    /// Segment being timed, and the time at which it was sent.
    timed: Option<(u64, Instant)>,
    times: Option<SendTimes>,
    /// Last measurement, until it is reported.
    unreported: Option<Duration>,
}

impl RoundTrips {
    /// Creates a sampler without a measurement. `phase` is the place in its clock's tick at which the connection begins.
    pub(crate) fn new(timers: &Timers, phase: Duration, times: Option<SendTimes>) -> Self {
        Self { estimator: RttEstimator::new(timers, phase), timed: None, times, unreported: None }
    }

    /// Returns the smoothed round-trip time, if there is one.
    #[inline]
    pub(crate) fn srtt(&self) -> Option<Duration> {
        self.estimator.srtt()
    }

    /// Returns the retransmission timeout, with bounds and backoff.
    #[inline]
    pub(crate) fn rto(&self) -> Duration {
        self.estimator.rto()
    }

    /// Returns true if the timeout is backed off.
    pub(crate) fn backed_off(&self) -> bool {
        self.estimator.backed_off()
    }

    /// Doubles the timeout (RFC 6298 section 5.5).
    pub(crate) fn back_off(&mut self) {
        self.estimator.back_off();
    }

    /// Ends the backoff.
    #[inline]
    pub(crate) fn end_backoff(&mut self) {
        self.estimator.end_backoff();
    }

    /// Adds a measurement that ended at `now`.
    #[inline]
    pub(crate) fn measured(&mut self, now: Instant, rtt: Duration) {
        self.estimator.measured(now, rtt);
        self.unreported = Some(rtt);
    }

    /// Takes out the last measurement, if it has not been reported.
    #[inline(always)]
    pub(crate) fn take_unreported(&mut self) -> Option<Duration> {
        self.unreported.take()
    }

    /// Measures by the timestamp that `ack` echoes; `None` if it echoes none.
    #[inline]
    pub(crate) fn measure_stamp(
        &mut self,
        now: Instant,
        ack: &AckHeader,
        config: &Config,
    ) -> Option<Duration> {
        let rtt = config.options.timestamps.then(|| since_echo(now, ack))??;
        self.measured(now, rtt);
        Some(rtt)
    }

    /// Measures by an acknowledgment that moves SND.UNA up from `una`. Returns the round trip of the newest acknowledged
    /// segment if it was sent once.
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
                self.end_backoff();
            }
            self.take_timed(ack.ack);
        } else if let Some(sent) = self.take_timed(ack.ack) {
            let rtt = now.since(sent);
            self.measured(now, rtt);
            sampled = Some(rtt);
        }
        match fine {
            Some(fine) => (fine.transmissions == 1).then(|| now.since(fine.sent)),
            None => sampled,
        }
    }

    /// Ends the measurement under way if `ack` acknowledges its segment, and with it the backoff; returns the time at
    /// which the segment was sent.
    #[inline(always)]
    pub(crate) fn take_timed(&mut self, ack: u64) -> Option<Instant> {
        let (_, sent) = self.timed.filter(|(seq, _)| ack > *seq)?;
        self.timed = None;
        self.end_backoff();
        Some(sent)
    }

    /// Gives up the measurement under way (Karn and Partridge 1987).
    pub(crate) fn give_up_timed(&mut self) {
        self.timed = None;
    }

    /// Records that segment `seq` is sent while `una` is the oldest unacknowledged one.
    #[inline]
    pub(crate) fn on_sent(&mut self, now: Instant, una: u64, seq: u64, again: bool, config: &Config) {
        if let Some(times) = &mut self.times {
            times.record(una, seq, now, again);
        }
        if !again {
            if self.timed.is_none() {
                self.timed = Some((seq, now));
            }
        } else if !config.timers.time_retransmissions && self.timed.is_some_and(|(timed, _)| timed == seq) {
            // Karn and Partridge 1987, also for retransmissions of a recovery.
            self.timed = None;
        }
    }

    /// Returns the last transmission of outstanding segment `seq`; zeros if segments are not timed.
    #[inline]
    pub(crate) fn transmission(&self, seq: u64) -> Transmission {
        match &self.times {
            Some(times) => times.get(seq),
            None => Transmission { sent: Instant::ZERO, transmissions: 0 },
        }
    }
}
