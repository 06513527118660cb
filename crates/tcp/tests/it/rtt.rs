//! The RTT estimator, worked by hand: Jacobson's on a coarse clock (Jacobson 1988, appendix A), and the RTO backoff.

use base::{Duration, Instant};
use std::ops::Deref;
use tcp::config::{RtoFloor, Timers};
use tcp::{Config, rtt::RttEstimator};

fn ms(ms: u64) -> Duration {
    Duration::from_ms(ms)
}

/// An RTT estimator with its settings.
struct Estimator {
    rtt: RttEstimator,
    timers: Timers,
}

impl Estimator {
    fn new(timers: &Timers, phase: Duration) -> Self {
        Self { rtt: RttEstimator::new(timers, phase), timers: *timers }
    }

    fn measured(&mut self, now: Instant, rtt: Duration) {
        self.rtt.measured(now, rtt, &self.timers);
    }

    fn back_off(&mut self) {
        self.rtt.back_off(&self.timers);
    }

    fn end_backoff(&mut self) {
        self.rtt.end_backoff(&self.timers);
    }
}

impl Deref for Estimator {
    type Target = RttEstimator;

    fn deref(&self) -> &RttEstimator {
        &self.rtt
    }
}

/// Returns an RTT estimator whose clock ticks every 100 ms; the connection began `phase` ms after a tick.
fn ticking(phase: u64, change: impl FnOnce(&mut Timers)) -> Estimator {
    let mut timers = Config::default().timers;
    timers.clock_tick = ms(100);
    timers.min_rto = ms(1);
    change(&mut timers);
    Estimator::new(&timers, ms(phase))
}

/// An RTT is measured by the number of clock ticks in it. The first sample R gives 8 SRTT = 8 R and 4 RTTVAR
/// = 2 R; later samples are smoothed in integer arithmetic. RTO = SRTT + 4 RTTVAR.
#[test]
fn round_trips_are_counted_in_ticks() {
    let mut rtt = ticking(0, |_| ());
    // From 750 to 1000 ms there are three ticks: 800, 900, 1000. srtt = 24/8, rttvar = 6/4, RTO = (48 + 24) / 8.
    rtt.measured(Instant::ZERO + ms(1000), ms(250));
    assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(300)), ms(900)));
    // From 1050 to 1500 ms there are 5 ticks. delta = 5 - 3, srtt = 26/8, rttvar = (6 + 2 - 1)/4, RTO = (56 + 26) / 8.
    rtt.measured(Instant::ZERO + ms(1500), ms(450));
    assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(325)), ms(1000)));
    // From 1650 to 1700 ms there is 1 tick. delta = 1 - 3, srtt = 24/8, rttvar = (7 + 2 - 1)/4, RTO = (64 + 24) / 8.
    rtt.measured(Instant::ZERO + ms(1700), ms(50));
    assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(300)), ms(1100)));
}

/// From 810 to 1070 ms of the clock there are two ticks, 900 and 1000. An RTT of 10 ms without a tick counts as one.
#[test]
fn the_phase_of_the_clock_decides_how_many_ticks_there_are() {
    let mut rtt = ticking(60, |_| ());
    rtt.measured(Instant::ZERO + ms(1010), ms(260));
    assert_eq!(rtt.srtt(), Some(ms(200)));
    let mut rtt = ticking(0, |_| ());
    rtt.measured(Instant::ZERO + ms(1020), ms(10));
    assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(100)), ms(300)));
}

#[test]
fn a_timer_of_a_clock_is_two_of_its_ticks_at_least() {
    assert_eq!(ticking(0, |timers| timers.initial_rto = ms(50)).rto(), ms(200));
    assert_eq!(ticking(0, |timers| timers.min_rto = ms(250)).rto(), ms(1000), "the initial timeout");
    let low = |timers: &mut Timers| (timers.initial_rto, timers.min_rto) = (ms(50), ms(250));
    assert_eq!(ticking(0, low).rto(), ms(250));
    let capped = |timers: &mut Timers| (timers.initial_rto, timers.max_rto) = (ms(50), ms(150));
    assert_eq!(ticking(0, capped).rto(), ms(150), "whatever its bound is");
}

/// After a backoff of more than eight the estimate is discarded: the next sample counts as the first.
#[test]
fn a_long_backoff_forgets_the_mean() {
    let mut rtt = ticking(0, |_| ());
    rtt.measured(Instant::ZERO + ms(1000), ms(250));
    for backed_off in [1800, 3600, 7200] {
        rtt.back_off();
        assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(300)), ms(backed_off)));
    }
    rtt.back_off();
    assert_eq!((rtt.srtt(), rtt.rto()), (None, ms(14_400)));
    rtt.end_backoff();
    assert!(!rtt.backed_off());
    rtt.measured(Instant::ZERO + ms(20_000), ms(450));
    // 5 ticks: RTO = (80 + 40) / 8.
    assert_eq!((rtt.srtt(), rtt.rto()), (Some(ms(500)), ms(1500)));
}

/// Six timeouts double 1 s to 64 s, beyond the bound of 60 s; further timeouts do not double the RTO. A sample that does not end the
/// backoff then gives 64 times its own timeout.
#[test]
fn the_backoff_stops_at_the_upper_bound() {
    let mut rtt = Estimator::new(&Timers { min_rto: ms(100), ..Config::default().timers }, Duration::ZERO);
    for seconds in [2, 4, 8, 16, 32, 60, 60, 60, 60] {
        rtt.back_off();
        assert_eq!(rtt.rto(), Duration::from_secs(seconds));
    }
    rtt.measured(Instant::ZERO + ms(1000), ms(100));
    assert_eq!(rtt.rto(), ms(64 * 300));
}

/// Linux: RTO = SRTT + max(4 RTTVAR, least timeout), in whole milliseconds. SRTT is 100.3 ms, and RTTVAR
/// first 50.15 ms, then smaller.
#[test]
fn the_least_timeout_may_bound_the_deviations_alone() {
    let mut timers = Config::default().timers;
    timers.min_rto = ms(200);
    timers.rto_floor = RtoFloor::Deviation;
    timers.rto_unit = ms(1);
    let mut rtt = Estimator::new(&timers, Duration::ZERO);
    let sample = Duration::from_us(100_300);
    rtt.measured(Instant::ZERO + ms(1000), sample);
    assert_eq!(rtt.rto(), ms(301));
    for _ in 0..20 {
        rtt.measured(Instant::ZERO + ms(1000), sample);
    }
    assert_eq!(rtt.rto(), ms(301), "100.3 + 200");
    timers.rto_floor = RtoFloor::Timeout;
    timers.rto_unit = Duration::ZERO;
    let mut whole = Estimator::new(&timers, Duration::ZERO);
    (0..21).for_each(|_| whole.measured(Instant::ZERO + ms(1000), sample));
    assert_eq!(whole.rto(), ms(200));
}
