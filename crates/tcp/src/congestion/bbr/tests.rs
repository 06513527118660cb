use super::aggregation::Aggregation;
use super::config::{ALGORITHM, Config, HIGH_GAIN};
use super::state::{Bbr, Phase, RATE_ROUNDS, Repair};
use crate::congestion::control::{CongestionControl, RecoveryStep};
use crate::congestion::fixtures::{at, loss};
use crate::congestion::signals::LossSample;
use crate::congestion::window::Window;
use crate::congestion::windowed_max::WindowedMax;
use crate::rate::RateSample;
use base::{Duration, Instant};

fn bbr() -> Bbr {
    let config = Config::new(&|name| ALGORITHM.default_of(name));
    Bbr::new(&config, Window { cwnd: 10.0, ssthresh: f64::INFINITY })
}

fn linux() -> Bbr {
    let draft = Config::new(&|name| ALGORITHM.default_of(name));
    let config = Config { linux: true, ..draft };
    Bbr::new(&config, Window { cwnd: 10.0, ssthresh: f64::INFINITY })
}

/// At 833 segments per second and 40.1 ms the BDP is 33.4 segments, and twice the BDP 66.8. Rounded up to 67,
/// plus three quanta of 2 segments, this gives 73, rounded up to the even 74; 2 segments of `extra` make it
/// 76. At 8333 segments per second and 20.1 ms, paced at 8250, twice the BDP rounds up to 336, and three
/// quanta are 24.
#[test]
fn the_form_linux_counts_in_quanta() {
    let mut bbr = linux();
    bbr.rates.enter(RATE_ROUNDS, bbr.rounds, 833.0);
    bbr.rtprop = Some(Duration::from_us(40_100));
    (bbr.pacing_rate, bbr.filled, bbr.phase, bbr.cycle_at) = (0.99 * 833.0, true, Phase::ProbeBw, 2);
    assert_eq!(bbr.inflight(2.0), 74.0);
    bbr.aggregation.most = [2.0, 0.0];
    assert_eq!((bbr.inflight(2.0), bbr.target(2.0)), (74.0, 76.0));
    bbr.cycle_at = 0;
    assert_eq!(bbr.target(2.0), 78.0);
    bbr.rates.enter(RATE_ROUNDS, bbr.rounds, 8333.0);
    bbr.rtprop = Some(Duration::from_us(20_105));
    (bbr.pacing_rate, bbr.cycle_at) = (8250.0, 2);
    assert_eq!(bbr.inflight(2.0), 360.0);
    // 100 segments per second are below 1.2 Mb/s, so a quantum is one segment.
    bbr.pacing_rate = 99.0;
    bbr.rates = WindowedMax::NONE;
    bbr.rates.enter(RATE_ROUNDS, bbr.rounds, 100.0);
    bbr.rtprop = Some(Duration::from_ms(40));
    assert_eq!(bbr.inflight(2.0), 12.0);
}

/// A handshake of 40 ms and a window of 10 segments give 250 segments per second, times the gain 2.885
/// and 0.99.
#[test]
fn the_form_linux_begins_with_the_handshake() {
    let mut bbr = linux();
    bbr.on_handshake(Instant::ZERO, Duration::from_ms(40));
    assert!((bbr.pacing_rate - 0.99 * HIGH_GAIN * 250.0).abs() < 1e-9);
    assert_eq!(bbr.rtprop, Some(Duration::from_ms(40)));
}

/// At 100 segments per second ten segments arrive at once, and ten more after 50 ms: 20 segments, of
/// which 5 were expected, so `extra` is 15. After 200 ms without arrivals the expected number exceeds the
/// delivered one, and the interval begins anew. `extra` ends 5 to 10 round trips later.
#[test]
fn aggregation_is_what_arrives_beyond_the_rate() {
    let at = |ms: u64| Instant::ZERO + Duration::from_ms(ms);
    let mut aggregation = Aggregation::NONE;
    aggregation.add(at(1000), 10.0, 100.0, 50.0, false);
    assert_eq!(aggregation.most[0], 10.0);
    aggregation.add(at(1050), 10.0, 100.0, 50.0, false);
    assert_eq!((aggregation.most[0], aggregation.extra(100.0)), (15.0, 10.0));
    assert_eq!(aggregation.extra(1000.0), 15.0);
    aggregation.add(at(1250), 3.0, 100.0, 50.0, false);
    assert_eq!((aggregation.began, aggregation.delivered), (at(1250), 3.0));
    for round in 1..=9 {
        aggregation.add(at(2000 + 100 * round), 2.0, 100.0, 50.0, true);
    }
    assert_eq!(aggregation.extra(1000.0), 15.0);
    aggregation.add(at(3000), 2.0, 100.0, 50.0, true);
    assert_eq!(aggregation.extra(1000.0), 2.0);
}

/// At 1000 segments per second and 50 ms the BDP is 50 segments, and the target twice the BDP plus three
/// quanta of 2 segments. Below 1.2 Mb/s a quantum is one segment; paced at 8000 segments per second it is 8.
#[test]
fn what_is_in_flight() {
    let mut bbr = bbr();
    bbr.rates.enter(RATE_ROUNDS, bbr.rounds, 1000.0);
    bbr.rtprop = Some(Duration::from_ms(50));
    for (pacing, wanted) in [(1000.0, 106.0), (100.0, 103.0), (8000.0, 124.0)] {
        bbr.pacing_rate = pacing;
        assert!((bbr.inflight(2.0) - wanted).abs() < 1e-9, "{pacing}: {}", bbr.inflight(2.0));
    }
    bbr.phase = Phase::ProbeBw;
    assert!((bbr.pacing_gain() * bbr.bottleneck() - 1250.0).abs() < 1e-9);
}

/// A flow that begins at 30 s has no estimate of the round-trip time yet. This must not count as an estimate
/// older than 10 s, which would begin probe-rtt.
#[test]
fn a_late_start_does_not_begin_with_probe_rtt() {
    let mut bbr = bbr();
    bbr.on_rate(&RateSample {
        now: Instant::ZERO + Duration::from_secs(30),
        rate: Some(100.0),
        rtt: Some(Duration::from_ms(40)),
        newly_delivered: 1,
        delivered: 1,
        in_flight: 9,
        ..SAMPLE
    });
    assert_eq!((bbr.phase, bbr.rtprop), (Phase::Startup, Some(Duration::from_ms(40))));
}

const SAMPLE: RateSample = RateSample {
    now: Instant::ZERO,
    rate: None,
    interval: Duration::ZERO,
    app_limited: false,
    cwnd_limited: false,
    rtt: None,
    delivered: 0,
    prior_delivered: 0,
    newly_delivered: 0,
    lost: 0,
    prior_lost: 0,
    tx_in_flight: 0,
    in_flight: 0,
    una: 0,
};

/// If one acknowledgment ends a recovery and begins the next, the first recovery continues: window and recovery step
/// stay. A recovery that begins later starts with packet conservation again.
#[test]
fn the_form_linux_does_not_notice_a_chained_recovery() {
    let (first, end, later) = (at(0.1), at(0.2), at(0.3));
    for (begins, repair, cwnd) in [(end, Repair::GoesOn, 101.0), (later, Repair::Begins, 120.0)] {
        let mut bbr = linux();
        bbr.window.cwnd = 120.0;
        bbr.on_congestion(&LossSample { now: first, ..loss(120.0, 0, 120) });
        (bbr.repair, bbr.window.cwnd) = (Repair::GoesOn, 101.0);
        bbr.on_recovery(end, RecoveryStep::End);
        assert_eq!(bbr.window.cwnd, 120.0, "the window from before");
        bbr.on_congestion(&LossSample { now: begins, ..loss(120.0, 120, 240) });
        assert_eq!((bbr.repair, bbr.window.cwnd), (repair, cwnd));
    }
}

/// Form `linux`, at 833 segments per second and 40 ms, where 5/4 of the BDP and the margin are 50 segments: phase 5/4 counts the
/// two segments that depart next, so it ends at 48. In phase 3/4, whose target is 40, a wait of 2.5 ms lets two more
/// arrive: it ends at 42. Form `draft` waits for its target.
#[test]
fn the_form_linux_counts_for_the_time_of_departure() {
    let mut bbr = linux();
    bbr.rates.enter(RATE_ROUNDS, bbr.rounds, 833.0);
    bbr.rtprop = Some(Duration::from_ms(40));
    (bbr.pacing_rate, bbr.filled, bbr.phase) = (833.0, true, Phase::ProbeBw);
    let goes_on = |bbr: &mut Bbr, cycle_at: usize, in_flight: u64| {
        (bbr.cycle_at, bbr.cycle_began) = (cycle_at, at(0.0));
        let now = at(if cycle_at == 0 { 0.05 } else { 0.01 });
        bbr.advance_cycle(&RateSample { now, in_flight, ..SAMPLE });
        bbr.cycle_at == cycle_at
    };
    assert_eq!([47, 48].map(|flight| goes_on(&mut bbr, 0, flight)), [true, false]);
    assert_eq!([41, 40].map(|flight| goes_on(&mut bbr, 1, flight)), [true, false]);
    bbr.departs_in(Duration::from_us(2500));
    assert_eq!([43, 42].map(|flight| goes_on(&mut bbr, 1, flight)), [true, false]);
    bbr.config.linux = false;
    assert_eq!([42, 41].map(|flight| goes_on(&mut bbr, 1, flight)), [true, true], "33.3 and three quanta");
}

/// Form `linux`: the first acknowledgment of a recovery begins a round trip, so that the segments sent before it end none. BtlBw
/// is a multiple of 2^-24 segments per microsecond: 1000/1.2 segments per second are 13 981.01 of them.
#[test]
fn the_form_linux_begins_a_round_trip_with_recovery() {
    for (form, rounds) in [(linux(), 1), (bbr(), 2)] {
        let mut bbr = form;
        let ack = |delivered: u64, prior_delivered: u64| RateSample {
            now: at(0.1),
            rate: Some(1000.0 / 1.2),
            rtt: Some(Duration::from_ms(40)),
            newly_delivered: 1,
            delivered,
            prior_delivered,
            in_flight: 40,
            ..SAMPLE
        };
        bbr.on_rate(&ack(50, 0));
        bbr.on_congestion(&loss(50.0, 50, 90));
        bbr.on_rate(&ack(80, 40));
        bbr.on_rate(&ack(81, 60));
        assert_eq!(bbr.rounds, rounds);
        let counted = 13_981e6 / 16_777_216.0;
        let expected = if bbr.config.linux { counted } else { 1000.0 / 1.2 };
        assert!((bbr.bottleneck() - expected).abs() < 1e-9);
    }
}
