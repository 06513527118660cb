//! RFC 6298: the retransmission timer.

use super::{Bench, endpoint, opened};
use crate::common::bench::{ack, at, rtt};
use base::Duration;
use std::sync::Arc;
use tcp::Sender;
use tcp::config::Syn;
use tcp::recovery::Recovery;

#[test]
fn before_a_measurement_the_timer_takes_a_second() {
    let mut bench = Bench::new(endpoint(Recovery::NewReno), 1000);
    bench.sent(0);
    assert_eq!(bench.due(), at(1000));
}

/// The first sample R = 100 ms gives SRTT = 100, RTTVAR = 50 and RTO = 100 + 4 * 50 ms.
#[test]
fn the_first_round_trip_gives_three_times_itself() {
    assert_eq!(opened(Recovery::NewReno).due(), at(100 + 300));
}

/// The second sample is R' = 180 ms, of segment 10, sent at 100 ms. RTTVAR = 3/4 * 50 + 1/4 * 80 = 57.5 (with the old SRTT),
/// SRTT = 7/8 * 100 + 1/8 * 180 = 110, RTO = 110 + 4 * 57.5 ms.
#[test]
fn further_round_trips_are_smoothed_by_an_eighth_and_a_quarter() {
    let mut bench = opened(Recovery::NewReno);
    bench.ack(280, 11, &[]);
    assert_eq!(rtt(&mut bench.0), Some(Duration::from_ms(180)));
    assert_eq!(bench.due(), at(280 + 340));
}

#[test]
fn the_timeout_is_a_second_at_least_and_a_minute_at_most() {
    let config = {
        let mut changed = endpoint(Recovery::NewReno);
        changed.timers.min_rto = Duration::from_secs(1);
        changed
    };
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    let mut ms = 1100;
    for wait in [2, 4, 8, 16, 32, 60, 60] {
        bench.expire(ms);
        ms += 1000 * wait;
        assert_eq!(bench.due(), at(ms));
    }
}

#[test]
fn a_timeout_sends_the_oldest_segment_and_doubles() {
    let mut bench = opened(Recovery::NewReno);
    assert_eq!(bench.expire(400), [1]);
    assert_eq!(bench.due(), at(1000), "600 ms after 300 ms");
    assert_eq!(bench.expire(1000), [1]);
    assert_eq!(bench.due(), at(2200));
}

#[test]
fn the_timer_starts_anew_with_new_data_acknowledged_and_stops_with_the_last() {
    let mut bench = Bench::new(endpoint(Recovery::NewReno), 3);
    assert_eq!(bench.sent(0), [0, 1, 2]);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.due(), at(400));
    bench.ack(150, 2, &[]);
    assert!(bench.due() > at(400));
    bench.ack(160, 3, &[]);
    assert!(bench.0.timer().is_none());
}

/// Segment 0 is retransmitted at 1000 ms and acknowledged at 1050 ms: that gives no RTT sample and keeps the
/// backoff (Karn). Segment 1, sent once after that, gives a sample and ends the backoff.
#[test]
fn a_segment_sent_twice_measures_nothing() {
    let mut bench = Bench::new(
        {
            let mut changed = endpoint(Recovery::NewReno);
            changed.windows.initial_window = 1.0;
            changed
        },
        1000,
    );
    assert_eq!(bench.sent(0), [0]);
    assert_eq!(bench.expire(1000), [0]);
    assert_eq!(bench.ack(1050, 1, &[]), [1, 2]);
    assert!(rtt(&mut bench.0).is_none());
    assert_eq!(bench.due(), at(1050 + 2000), "still twice the first timeout");
    bench.ack(1150, 2, &[]);
    assert_eq!(rtt(&mut bench.0), Some(Duration::from_ms(100)));
    assert_eq!(bench.due(), at(1150 + 300));
}

/// With timestamps an acknowledgment identifies the transmission that it answers.
#[test]
fn with_timestamps_a_segment_sent_twice_measures_too() {
    let config = {
        let mut changed = endpoint(Recovery::NewReno);
        changed.windows.initial_window = 1.0;
        changed.options.timestamps = true;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    bench.0.on_timer(at(1000));
    let (segment, _) = bench.0.poll(at(1000)).expect("the segment goes again");
    let mut ack = ack(1, &[]);
    ack.ts_ecr = segment.ts_val;
    bench.0.on_ack(at(1050), &ack);
    assert_eq!(rtt(&mut bench.0), Some(Duration::from_ms(50)));
}

/// Deviation from RFC 6298: after the loss of a SYN the RTO for data starts from the parameter's 1 s, not from 3 s.
#[test]
fn after_a_lost_syn_the_first_timeout_is_the_parameter_s() {
    let config = {
        let mut changed = endpoint(Recovery::NewReno);
        changed.connection.syn = Syn::Handshake;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(at(0), None);
    assert!(sender.poll(at(0)).is_some_and(|(segment, _)| segment.syn));
    sender.on_timer(at(1000));
    assert!(sender.poll(at(1000)).is_some_and(|(segment, _)| segment.syn));
    let answer = base::AckHeader { syn: true, ..base::AckHeader::default() };
    sender.on_ack(at(1100), &answer);
    assert!(sender.poll(at(1100)).is_some_and(|(segment, _)| segment.payload > 0));
    assert_eq!(sender.timer().expect("data is timed").at, at(1100 + 1000));
}
