//! RFC 5681: TCP congestion control.

use super::{Bench, bench, endpoint, opened};
use crate::common::bench::{ack, at};
use base::{AckHeader, DataHeader, Duration, Instant};
use std::sync::Arc;
use tcp::config::Syn;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

/// Returns the answer to a SYN.
fn syn_ack() -> AckHeader {
    AckHeader { syn: true, ..AckHeader::default() }
}

fn sent(sender: &mut Sender, now: Instant) -> Vec<DataHeader> {
    std::iter::from_fn(|| sender.poll(now)).map(|(segment, _)| segment).collect()
}

/// Opens a connection and returns the number of segments in the first window; with `lost` the SYN is retransmitted once.
fn connected(lost: bool) -> usize {
    let config = {
        let mut changed = endpoint(Recovery::Sack);
        changed.connection.syn = Syn::Handshake;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(Instant::ZERO, None);
    assert!(sent(&mut sender, Instant::ZERO)[0].syn);
    let mut now = at(100);
    if lost {
        now = sender.timer().expect("the SYN is timed").at;
        sender.on_timer(now);
        assert!(sent(&mut sender, now)[0].syn);
        now += Duration::from_ms(100);
    }
    sender.on_ack(now, &syn_ack());
    sent(&mut sender, now).iter().filter(|segment| segment.payload > 0).count()
}

#[test]
fn the_first_window_goes_when_the_handshake_is_over() {
    assert_eq!(connected(false), 10);
}

#[test]
fn a_lost_syn_leaves_a_first_window_of_one_segment() {
    assert_eq!(connected(true), 1);
}

#[test]
fn slow_start_adds_at_most_a_segment_for_each_acknowledgment() {
    let mut bench = bench(Recovery::NewReno);
    assert!(bench.0.ssthresh().is_infinite(), "arbitrarily high at first");
    bench.ack(100, 1, &[]);
    assert_eq!(bench.0.cwnd(), 11.0);
    // One acknowledgment of four segments.
    bench.ack(101, 5, &[]);
    assert_eq!(bench.0.cwnd(), 12.0);
}

#[test]
fn congestion_avoidance_adds_a_segment_for_each_round_trip() {
    let mut bench = Bench::new(
        {
            let mut changed = endpoint(Recovery::NewReno);
            changed.windows.initial_ssthresh = 2.0;
            changed
        },
        1000,
    );
    bench.sent(0);
    let mut expected = 10.0;
    for acked in 1..=10 {
        bench.ack(100, acked, &[]);
        expected += 1.0 / expected;
    }
    assert_eq!(bench.0.cwnd(), expected);
    assert!((10.9..11.0).contains(&expected));
}

#[test]
fn a_timeout_halves_the_flight_and_leaves_a_window_of_one() {
    let mut bench = opened(Recovery::NewReno);
    // With an RTT of 100 ms the RTO is 100 + 4 * 50 ms after the acknowledgment.
    assert_eq!(bench.expire(400), [1]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 5.5));
}

/// After a timeout in recovery, ssthresh is half of the data in the network. Duplicate ACKs have released new segments during
/// recovery, so half of all unacknowledged data would exceed what the path held at the loss.
#[test]
fn a_timeout_within_recovery_halves_what_is_in_the_network() {
    let mut bench = opened(Recovery::NewReno);
    let sent: Vec<u64> = (0..11).flat_map(|ms| bench.ack(110 + ms, 1, &[])).collect();
    assert_eq!(sent, [12, 13, 1, 14, 15, 16]);
    // 16 segments are outstanding, eleven of which have arrived; recovery's window is 5.5.
    assert_eq!(bench.expire(412), [1]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 2.75));
}

#[test]
fn the_threshold_is_at_least_two_segments() {
    let mut bench = Bench::new(
        {
            let mut changed = endpoint(Recovery::NewReno);
            changed.windows.initial_window = 2.0;
            changed
        },
        1000,
    );
    assert_eq!(bench.sent(0), [0, 1]);
    assert_eq!(bench.expire(1000), [0]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 2.0));
}

#[test]
fn a_second_timeout_of_a_segment_keeps_the_threshold() {
    let mut bench = opened(Recovery::NewReno);
    bench.expire(400);
    assert_eq!(bench.expire(1000), [1]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 5.5));
}

#[test]
fn early_duplicates_send_new_segments_and_the_third_the_lost_one() {
    let mut bench = opened(Recovery::Reno);
    // Limited Transmit: two segments beyond cwnd are sent, and cwnd does not change.
    assert_eq!(bench.ack(110, 1, &[]), [12]);
    assert_eq!(bench.ack(111, 1, &[]), [13]);
    assert_eq!(bench.0.cwnd(), 11.0);
    // At the third duplicate cwnd becomes half of the flight, without the two segments of Limited Transmit.
    // The inflation by three is not a part of cwnd.
    assert_eq!(bench.ack(112, 1, &[]), [1]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (5.5, 5.5));
    // 13 segments are outstanding. The window is 5.5 + 3 plus one per further duplicate, so the sixth
    // releases a segment.
    let further: Vec<Vec<u64>> = (0..6).map(|ms| bench.ack(113 + ms, 1, &[])).collect();
    assert_eq!(further, [vec![], vec![], vec![], vec![], vec![], vec![14]]);
    // New data is acknowledged: the inflation ends, and cwnd stays at ssthresh.
    bench.ack(210, 14, &[]);
    assert_eq!(bench.0.cwnd(), 5.5);
}

/// After an idle time longer than the RTO, a write is sent with the restart window, not with the grown cwnd.
#[test]
fn an_idle_connection_begins_again_with_its_first_window() {
    let config = {
        let mut changed = endpoint(Recovery::NewReno);
        changed.windows.initial_window = 2.0;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open_writes(Instant::ZERO);
    sender.write(Instant::ZERO, 8000);
    let mut acked = 0;
    for round in 1..=3u64 {
        let upto = acked + sent(&mut sender, at(100 * (round - 1))).len() as u64;
        for segment in acked + 1..=upto {
            sender.on_ack(at(100 * round), &ack(segment, &[]));
        }
        acked = upto;
    }
    assert_eq!((acked, sender.cwnd()), (8, 10.0));
    sender.write(at(350), 8000);
    assert_eq!(sent(&mut sender, at(350)).len(), 8, "50 ms are not idle");
    (9..=16).for_each(|segment| sender.on_ack(at(450), &ack(segment, &[])));
    sender.write(at(5000), 8000);
    assert_eq!((sender.cwnd(), sent(&mut sender, at(5000)).len()), (2.0, 2));
}

fn arrive(receiver: &mut Receiver, ms: u64, seq: u64) -> Option<u64> {
    let segment = DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() };
    receiver.on_segment(at(ms), &segment);
    receiver.poll(at(ms)).map(|(ack, _)| ack.ack)
}

fn delaying() -> Receiver {
    Receiver::new(&{
        let mut changed = endpoint(Recovery::NewReno);
        changed.acks.delayed_ack = Duration::from_ms(100);
        changed
    })
}

#[test]
fn every_second_segment_is_acknowledged_or_the_timer_does() {
    let mut receiver = delaying();
    assert_eq!(arrive(&mut receiver, 0, 0), None);
    assert_eq!(arrive(&mut receiver, 1, 1), Some(2));
    assert_eq!(arrive(&mut receiver, 2, 2), None);
    let timer = receiver.timer().expect("one waits").at;
    assert_eq!(timer, at(102));
    receiver.on_timer(timer);
    assert_eq!(receiver.poll(timer).map(|(ack, _)| ack.ack), Some(3));
}

#[test]
fn fewer_acknowledgments_where_that_is_asked_for() {
    let mut receiver = Receiver::new(&{
        let mut changed = endpoint(Recovery::NewReno);
        changed.acks.delayed_ack = Duration::from_ms(100);
        changed.acks.ack_every = 4;
        changed
    });
    let acks: Vec<_> = (0..8).filter_map(|seq| arrive(&mut receiver, seq, seq)).collect();
    assert_eq!(acks, [4, 8]);
    assert_eq!(arrive(&mut receiver, 8, 8), None);
    assert_eq!(receiver.timer().expect("one waits").at, at(108));
}

#[test]
fn what_comes_out_of_order_or_fills_a_hole_is_acknowledged_at_once() {
    let mut receiver = delaying();
    arrive(&mut receiver, 0, 0);
    assert_eq!(arrive(&mut receiver, 1, 2), Some(1));
    assert_eq!(arrive(&mut receiver, 2, 3), Some(1));
    assert_eq!(arrive(&mut receiver, 3, 1), Some(4));
}

/// Two losses in one window cause one reduction with selective acknowledgments.
#[test]
fn losses_of_one_window_cut_once() {
    let mut bench = opened(Recovery::Sack);
    bench.ack(110, 1, &[(2, 3), (4, 6)]);
    bench.ack(111, 1, &[(2, 3), (4, 7)]);
    bench.ack(112, 1, &[(2, 3), (4, 8)]);
    assert_eq!((bench.0.stats().fast_retransmits, bench.0.ssthresh()), (1, 5.5));
    bench.ack(210, 3, &[(4, 12)]);
    bench.ack(220, 12, &[]);
    assert_eq!((bench.0.stats().fast_retransmits, bench.0.ssthresh()), (1, 5.5));
}

#[test]
fn an_update_of_the_window_is_no_duplicate() {
    let mut bench = Bench::new(
        {
            let mut changed = endpoint(Recovery::Reno);
            changed.windows.receive_window = 20.0;
            changed
        },
        1000,
    );
    bench.sent(0);
    let with_room = |bytes: u64| {
        let mut header = ack(1, &[]);
        header.window = base::Advertised::of(bytes);
        header
    };
    bench.0.on_ack(at(100), &with_room(20_000));
    bench.sent(100);
    for more in 1..=4 {
        bench.0.on_ack(at(100 + more), &with_room(20_000 + 1000 * more));
        bench.sent(100 + more);
    }
    assert_eq!(bench.0.stats().fast_retransmits, 0);
}
