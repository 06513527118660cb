//! Adapter from a congestion control of ackclock to quinn's interface of congestion controllers.

use crate::delivery::Delivery;
use base::{Duration, Instant};
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{Controller as QuinnController, ControllerMetrics};
use std::any::Any;
use std::sync::{Mutex, PoisonError};
use tcp::congestion::{
    AckSample, Arrival, Congestion, CustomControl, LossSample, Needs, RecoveryStep, Transmission, Window,
};

/// kMinimumWindow of RFC 9002 section 7.2, segments.
pub(crate) const MINIMUM_WINDOW: f64 = 2.0;

/// Packets that the acknowledgment being handled newly acknowledges.
#[derive(Clone, Copy, Debug, Default)]
struct Acknowledged {
    bytes: u64,
    /// Sending time of the packet that was sent last among these.
    newest: Option<std::time::Instant>,
    srtt: std::time::Duration,
}

/// Congestion controller of one connection.
pub(crate) struct Controller {
    /// In a mutex, because quinn requires that controllers are `Sync`, and a user-defined control need not
    /// be. All calls have exclusive access, so the mutex is never waited for.
    control: Mutex<Box<dyn CustomControl>>,
    needs: Needs,
    /// Window of the control after its last call.
    window: Window,
    pacing: Option<f64>,
    initial_window: f64,
    /// The quinn time that is time zero for the control.
    epoch: std::time::Instant,
    /// Size of a segment, bytes.
    segment: f64,
    acknowledged: Acknowledged,
    /// Segments acknowledged or declared lost so far.
    done: f64,
    in_flight_bytes: u64,
    /// Time of the last reaction to a loss or mark.
    answered: Option<std::time::Instant>,
    recovering: bool,
    /// True if a CE mark was reported since the last acknowledgment.
    marked: bool,
    measured: bool,
    delivery: Option<Delivery>,
}

impl Controller {
    pub(crate) fn new(
        control: Box<dyn CustomControl>,
        initial_window: f64,
        now: std::time::Instant,
        mtu: u16,
    ) -> Self {
        let needs = control.needs();
        Self {
            window: *control.window(),
            pacing: control.pacing_rate(),
            control: Mutex::new(control),
            needs,
            initial_window,
            epoch: now,
            segment: f64::from(mtu),
            acknowledged: Acknowledged::default(),
            done: 0.0,
            in_flight_bytes: 0,
            answered: None,
            recovering: false,
            marked: false,
            measured: false,
            delivery: needs.rates.then(Delivery::default),
        }
    }

    /// Converts quinn's time to the time since `epoch`, which the control sees.
    fn time(&self, at: std::time::Instant) -> Instant {
        Instant::ZERO + duration(at.saturating_duration_since(self.epoch))
    }

    /// Returns the data in flight in segments.
    fn in_flight(&self) -> f64 {
        self.in_flight_bytes as f64 / self.segment
    }

    /// Runs the control's timer if it has expired, calls `event` with the control, then stores the control's
    /// window and pacing rate. Returns the result of `event`.
    fn call<T>(&mut self, now: Instant, event: impl FnOnce(&mut dyn CustomControl) -> T) -> T {
        let control = self.control.get_mut().unwrap_or_else(PoisonError::into_inner);
        if self.needs.timer && control.wake().is_some_and(|at| at <= now) {
            control.on_timer(now);
        }
        let result = event(control.as_mut());
        self.window = *control.window();
        self.pacing = control.pacing_rate();
        result
    }

    /// Returns the size of `segments` segments in bytes, at least that of the minimum window.
    fn bytes(&self, segments: f64) -> u64 {
        (segments.max(MINIMUM_WINDOW) * self.segment) as u64
    }
}

impl QuinnController for Controller {
    fn on_sent(&mut self, now: std::time::Instant, bytes: u64, _last_packet_number: u64) {
        let at = self.time(now);
        if let Some(delivery) = &mut self.delivery {
            let in_flight = self.in_flight_bytes as f64 / self.segment;
            delivery.on_sent(at, in_flight, bytes as f64 / self.segment);
        }
        // Packets that carry acknowledgments alone count as in flight, too, until quinn gives the exact
        // number with the next acknowledgment.
        self.in_flight_bytes += bytes;
        if self.needs.timer {
            self.call(at, |_| ());
        }
    }

    fn on_ack(
        &mut self,
        _now: std::time::Instant,
        sent: std::time::Instant,
        bytes: u64,
        _app_limited: bool,
        rtt: &RttEstimator,
    ) {
        let acknowledged = &mut self.acknowledged;
        acknowledged.bytes += bytes;
        acknowledged.newest = Some(acknowledged.newest.map_or(sent, |newest| newest.max(sent)));
        acknowledged.srtt = rtt.get();
    }

    fn on_end_acks(
        &mut self,
        now: std::time::Instant,
        in_flight: u64,
        app_limited: bool,
        _largest_packet_num_acked: Option<u64>,
    ) {
        self.in_flight_bytes = in_flight;
        let Acknowledged { bytes, newest, srtt } = std::mem::take(&mut self.acknowledged);
        let Some(newest) = newest else { return };
        let (at, sent) = (self.time(now), self.time(newest));
        let rtt = at.since(sent);
        // Before the first sample, quinn's smoothed round-trip time is only an initial value.
        let srtt = if self.measured { duration(srtt) } else { rtt };
        if !std::mem::replace(&mut self.measured, true) {
            self.call(at, |control| control.on_handshake(at, rtt));
        }
        let una_before = self.done as u64;
        let acked = bytes as f64 / self.segment;
        self.done += acked;
        let una = self.done as u64;
        let in_flight = self.in_flight();
        let outstanding = whole(in_flight + acked);
        if self.recovering && self.answered.is_some_and(|answered| newest > answered) {
            self.recovering = false;
            self.call(at, |control| control.on_recovery(at, RecoveryStep::End));
        }
        let grow = !app_limited && !self.recovering;
        // Only whole segments are reported to the control; the remainder is added to the next acknowledgment.
        if una > una_before {
            if self.needs.arrivals {
                let arrival = Arrival {
                    now: at,
                    acked: una - una_before,
                    outstanding,
                    segment: self.segment as u64,
                    srtt: Some(srtt),
                    marked: std::mem::take(&mut self.marked),
                };
                self.call(at, |control| control.on_arrival(&arrival));
            }
            let sample = AckSample {
                now: at,
                count: (una - una_before) as f64,
                una_before,
                una,
                next: una + whole(in_flight),
                delayed: true,
                rtt: Some(rtt),
                srtt: Some(srtt),
                one_way: None,
                outstanding,
                grow,
            };
            self.call(at, |control| control.on_ack(&sample));
        }
        if let Some(mut delivery) = self.delivery.take() {
            let sample = delivery.on_ack(at, sent, acked, in_flight, app_limited, una);
            self.call(at, |control| control.on_rate(&sample));
            self.delivery = Some(delivery);
        }
    }

    fn on_congestion_event(
        &mut self,
        now: std::time::Instant,
        sent: std::time::Instant,
        is_persistent_congestion: bool,
        lost_bytes: u64,
    ) {
        let lost = lost_bytes as f64 / self.segment;
        self.done += lost;
        self.in_flight_bytes = self.in_flight_bytes.saturating_sub(lost_bytes);
        self.marked |= lost_bytes == 0;
        let (at, sent_at) = (self.time(now), self.time(sent));
        let delivery = self.delivery.as_mut().filter(|_| lost > 0.0);
        if let Some(lost) = delivery.and_then(|delivery| delivery.on_lost(at, sent_at, lost)) {
            self.call(at, |control| control.on_lost(&lost));
        }
        if self.answered.is_some_and(|answered| sent <= answered) {
            return;
        }
        self.answered = Some(now);
        self.recovering = true;
        let sample = LossSample {
            now: at,
            why: match (is_persistent_congestion, lost_bytes) {
                (true, _) => Congestion::Timeout,
                (false, 0) => Congestion::Mark,
                (false, _) => Congestion::FastLoss,
            },
            base: self.window.cwnd,
            whole: false,
            whole_ssthresh: false,
            halve_in_slow_start: tcp::Config::default().decrease.halve_in_slow_start,
            early: false,
            floor: MINIMUM_WINDOW,
            keep_ssthresh: false,
            oldest: Transmission { sent: self.time(sent), transmissions: 1 },
            abe: None,
            una: self.done as u64,
            outstanding: whole(self.in_flight()),
        };
        self.call(at, |control| control.on_congestion(&sample));
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        let share = self.segment / f64::from(new_mtu);
        self.segment = f64::from(new_mtu);
        let control = self.control.get_mut().unwrap_or_else(PoisonError::into_inner);
        let window = control.window_mut();
        window.cwnd = (window.cwnd * share).max(MINIMUM_WINDOW);
        window.ssthresh *= share;
        self.window = *window;
    }

    /// Returns the window in bytes plus one. quinn sends a packet only if the bytes in flight, with that
    /// packet, stay below the window. Without the additional byte, the last segment of a window of whole
    /// segments could not be sent.
    fn window(&self) -> u64 {
        self.bytes(self.window.cwnd) + 1
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = self.bytes(self.window.cwnd);
        metrics.ssthresh = self.window.ssthresh.is_finite().then(|| self.bytes(self.window.ssthresh));
        metrics.pacing_rate = self.pacing.map(|rate| (rate * self.segment * 8.0) as u64);
        metrics
    }

    fn clone_box(&self) -> Box<dyn QuinnController> {
        let control = self.control.lock().unwrap_or_else(PoisonError::into_inner).copied();
        Box::new(Self { control: Mutex::new(control), delivery: self.delivery.clone(), ..*self })
    }

    fn initial_window(&self) -> u64 {
        self.bytes(self.initial_window)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Converts a duration of quinn's.
fn duration(span: std::time::Duration) -> Duration {
    Duration::from_ps(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX).saturating_mul(1000))
}

/// Rounds up to a whole number of segments.
fn whole(segments: f64) -> u64 {
    segments.ceil() as u64
}
