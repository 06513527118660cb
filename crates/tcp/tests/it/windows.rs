//! Growth, restart and reduction of the congestion window, one rule at a time.

use base::{AckHeader, DataHeader, Duration, Instant};
use std::sync::Arc;
use tcp::config::{Config, HyStartForm, SackPipe, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Phase, Sender};

use crate::common::bench::{Bench, ack, at};
use crate::common::endpoint::endpoint;

fn with(recovery: Recovery, change: impl FnOnce(&mut Config)) -> Bench {
    let mut config = endpoint(recovery);
    change(&mut config);
    Bench::new(config, 1000)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// A maximum window of 12 segments always limits the outstanding data, and with `window_clamp` also cwnd itself.
#[test]
fn the_largest_window_may_clamp_cwnd() {
    for (window_clamp, window) in [(true, 12.0), (false, 15.0)] {
        let mut bench = with(Recovery::NewReno, |config| {
            (config.windows.max_window, config.windows.window_clamp) = (12.0, window_clamp);
        });
        bench.sent(0);
        (1..=5).for_each(|to| drop(bench.ack(100, to, &[])));
        assert_eq!((bench.0.cwnd(), bench.0.in_flight()), (window, 12));
    }
}

/// RFC 9406 section 4.2: slow start ends at ssthresh as without HyStart++, and the window then grows by 1/cwnd.
#[test]
fn hystart_leaves_congestion_avoidance_alone() {
    let mut bench = with(Recovery::NewReno, |config| {
        (config.growth.hystart, config.windows.initial_ssthresh) = (HyStartForm::Rfc9406, 12.0);
    });
    bench.sent(0);
    let windows = [1, 2, 3, 4].map(|to| {
        bench.ack(100, to, &[]);
        bench.0.cwnd()
    });
    let third = 12.0 + 1.0 / 12.0;
    assert_eq!(windows, [11.0, 12.0, third, third + 1.0 / third]);
}

/// RFC 9406 section 4.3: HyStart++ does not apply to later slow starts, which have a finite ssthresh, even if RTTs grow.
#[test]
fn hystart_ends_with_the_first_loss() {
    let mut bench = with(Recovery::NewReno, |config| {
        (config.growth.hystart, config.windows.initial_window) = (HyStartForm::Rfc9406, 64.0);
    });
    assert_eq!(bench.sent(0).len(), 64);
    assert_eq!(bench.expire(1000), [0]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 32.0));
    let (mut now, mut acked) = (1000, 0);
    for (round, rtt) in [100, 100, 100, 150, 200].into_iter().enumerate() {
        now += rtt;
        (0..1 << round).for_each(|_| {
            acked += 1;
            bench.ack(now, acked, &[]);
        });
    }
    assert_eq!(bench.0.cwnd(), 32.0, "one segment for each of 31 acknowledgments");
}

/// RFC 5681 section 4.1: only a sender without outstanding data that has not sent for longer than the RTO is
/// idle. Only its window is reset to the initial window of 4.
#[test]
fn only_a_sender_without_anything_outstanding_is_idle() {
    // Segments 0 to 3 leave at 0 ms, and two or all four are acknowledged at 100 ms, which makes the RTO 300
    // ms.
    for (acked, written, window) in [(2, 360, 6.0), (4, 300, 8.0), (4, 301, 4.0)] {
        let config = {
            let mut changed = endpoint(Recovery::NewReno);
            changed.windows.initial_window = 4.0;
            changed
        };
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open_writes(at(0));
        sender.write(at(0), 4000);
        let mut bench = Bench(sender);
        assert_eq!(bench.sent(0), [0, 1, 2, 3]);
        (1..=acked).for_each(|to| drop(bench.ack(100, to, &[])));
        bench.0.write(at(written), 100_000);
        assert_eq!(bench.0.cwnd(), window, "{acked} acknowledged, a write at {written} ms");
        assert_eq!(bench.sent(written).len() as f64, window - (4 - acked) as f64);
    }
}

/// ns-2's first_decrease_: with a decrease factor of 0.8 the first reduction, reductions in slow start and timeouts halve the
/// window; reductions in congestion avoidance use the factor.
#[test]
fn early_cuts_may_take_half_whatever_the_decrease() {
    for (early_halving, shares) in [(true, [0.5, 0.8, 0.5]), (false, [0.8, 0.8, 0.8])] {
        let mut bench = with(Recovery::NewReno, |config| {
            let decrease = [("decrease".to_owned(), 0.8)];
            config.control = Control::by_name("reno", &decrease).expect("registered");
            config.decrease.early_halving = early_halving;
            config.detection.limited_transmit = false;
            (config.windows.initial_window, config.windows.initial_ssthresh) = (20.0, 10.0);
        });
        assert_eq!(bench.sent(0).len(), 20);
        let mut left = Vec::new();
        let mut next = 1;
        for round in 0..2 {
            let now = 100 * (round + 1);
            bench.ack(now, next, &[]);
            let (una, _, max) = bench.0.sequence();
            (1..=3).for_each(|n| drop(bench.ack(now + n, next, &[])));
            left.push(bench.0.ssthresh() / (max - una) as f64);
            next = bench.0.sequence().2;
            bench.ack(now + 50, next, &[]);
            bench.0.set_cwnd(20.0);
            assert!(!bench.sent(now + 51).is_empty());
            next += 1;
        }
        let (una, _, max) = bench.0.sequence();
        let due = bench.due();
        bench.0.on_timer(due);
        left.push(bench.0.ssthresh() / (max - una) as f64);
        assert!(left.iter().zip(shares).all(|(left, share)| close(*left, share)), "{left:?} {shares:?}");
    }
}

/// RFC 6582 section 3.2, step 3: after the third duplicate ACK cwnd is 5.5, inflated by three. A partial ACK
/// of segments 1 to `to - 1` first removes the inflation, and then reduces cwnd, to one segment at least.
#[test]
fn a_partial_acknowledgment_of_more_than_the_inflation_takes_the_rest_off_the_window() {
    for (to, left) in [(3, 5.5), (4, 5.5), (5, 4.5), (9, 1.0)] {
        let mut bench = with(Recovery::NewReno, |_| ());
        bench.sent(0);
        bench.ack(100, 1, &[]);
        (0..3).for_each(|n| drop(bench.ack(110 + n, 1, &[])));
        assert_eq!(bench.0.cwnd(), 5.5);
        assert_eq!(bench.ack(210, to, &[])[0], to, "the next loss goes again");
        assert_eq!(bench.0.cwnd(), left, "{to}");
        // The partial ACK belongs to the same recovery.
        assert_eq!(bench.0.stats().fast_retransmits, 1);
    }
}

/// ns-2's NewReno sends at most two segments per acknowledgment in fast recovery, regardless of its window.
#[test]
fn a_recovery_may_send_two_segments_at_a_time() {
    for (recovery_burst, sent) in [(2, 2), (0, 11)] {
        let mut bench = with(Recovery::NewReno, |config| {
            config.fast_recovery.recovery_burst = recovery_burst;
            config.detection.limited_transmit = false;
        });
        bench.sent(0);
        bench.ack(100, 1, &[]);
        (0..3).for_each(|n| drop(bench.ack(110 + n, 1, &[])));
        bench.0.set_cwnd(17.0);
        assert_eq!(bench.sent(113).len(), 9, "what a program sets is free of it");
        // Eleven more segments are permitted: the window grows by ten, and a duplicate ACK inflates it by one.
        bench.0.set_cwnd(27.0);
        assert_eq!(bench.ack(114, 1, &[]).len(), sent);
    }
}

/// If the SYN is a separate segment, its acknowledgment opens the initial window of ten. The loss of the SYN
/// leads to a smaller initial window (RFC 5681 section 3.1).
#[test]
fn the_loss_of_a_syn_with_a_segment_of_its_own_leaves_a_smaller_window() {
    for (lost, window) in [(false, 10.0), (true, 2.0)] {
        let mut bench = with(Recovery::NewReno, |config| {
            (config.connection.syn, config.windows.syn_loss_window) = (Syn::Packet, 2.0);
        });
        assert_eq!(bench.sent(0), [0]);
        if lost {
            assert_eq!(bench.expire(1000), [0]);
        }
        bench.ack(1100, 1, &[]);
        assert_eq!(bench.0.cwnd(), window);
    }
}

/// RFC 7323 section 3.2: each segment echoes the latest timestamp received; without the option there is no echo.
#[test]
fn segments_echo_the_receivers_stamp() {
    for (timestamps, echo) in [(true, 777), (false, 0)] {
        let mut bench = with(Recovery::Sack, |config| config.options.timestamps = timestamps);
        bench.sent(0);
        bench.0.on_ack(at(100), &AckHeader { ts_val: 777, ts_ecr: 1, ..ack(1, &[]) });
        let (segment, _) = bench.0.poll(at(100)).expect("a segment");
        assert_eq!((segment.ts_ecr, segment.ts_val), (echo, if timestamps { 100_001 } else { 0 }));
        assert_eq!(bench.0.header(), 40);
    }
}

/// A source that stops early sends no FIN, since its last segment has left without one; the connection ends without FIN.
#[test]
fn a_source_that_stops_closes_without_a_fin() {
    let config = {
        let mut changed = endpoint(Recovery::Sack);
        changed.connection.fin = true;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    assert_eq!(bench.sent(0).len(), 10);
    bench.0.stop();
    assert!(bench.ack(100, 9, &[]).is_empty());
    bench.ack(110, 10, &[]);
    assert_eq!((bench.0.phase(), bench.0.finished()), (Phase::Closed, Some(at(110))));
    // A source that has sent everything closes with a FIN.
    let mut whole = Bench::new(
        {
            let mut changed = endpoint(Recovery::Sack);
            changed.connection.fin = true;
            changed
        },
        10,
    );
    whole.sent(0);
    whole.0.stop();
    whole.ack(100, 10, &[]);
    assert_eq!((whole.0.phase(), whole.0.finished()), (Phase::Open, Some(at(100))));
}

/// The application writes half a segment, then two and a half. Data leaves in the sizes written, but data that waits behind the
/// window leaves in full segments.
#[test]
fn writes_become_segments_as_they_leave() {
    let config = {
        let mut changed = endpoint(Recovery::NewReno);
        changed.windows.initial_window = 3.0;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open_writes(at(0));
    assert_eq!(sender.write(at(0), 500), 500);
    let poll = |sender: &mut Sender, now: Instant| -> Vec<(u64, u64, u32, bool)> {
        let each = |(s, _): (DataHeader, u32)| (s.seq, s.offset, s.payload, s.fin);
        std::iter::from_fn(|| sender.poll(now)).map(each).collect()
    };
    assert_eq!(poll(&mut sender, at(0)), [(0, 0, 500, false)]);
    assert_eq!(sender.write(at(1), 2500), 3000);
    assert_eq!(poll(&mut sender, at(1)), [(1, 500, 1000, false), (2, 1500, 1000, false)]);
    // 500, 700 and 900 bytes wait: they leave as two full segments and a remainder.
    sender.write(at(2), 700);
    sender.write(at(3), 900);
    sender.on_ack(at(100), &ack(1, &[]));
    assert_eq!(poll(&mut sender, at(100)), [(3, 2500, 1000, false), (4, 3500, 1000, false)]);
    sender.on_ack(at(101), &ack(3, &[]));
    assert_eq!(poll(&mut sender, at(101)), [(5, 4500, 100, false)]);
    assert_eq!(sender.stats().acked_bytes, 2500);
    // A segment retransmitted by the timer keeps its boundaries.
    let due = sender.timer().expect("set").at;
    sender.on_timer(due);
    assert_eq!(poll(&mut sender, due)[0], (3, 2500, 1000, false));
    sender.on_ack(at(2000), &ack(6, &[]));
    assert_eq!((sender.stats().acked_bytes, sender.sequence()), (4600, (6, 6, 6)));
}

/// ns-2's SACK and FACK: after a timeout duplicate ACKs caused by retransmissions are ignored until new data is acknowledged.
#[test]
fn duplicates_after_a_timeout_mean_nothing_until_new_data() {
    for recovery in [Recovery::Sack, Recovery::Fack] {
        let mut bench = with(recovery, |config| {
            config.detection.sack_pipe = SackPipe::Counter;
            config.detection.limited_transmit = false;
        });
        bench.sent(0);
        bench.ack(100, 1, &[]);
        assert_eq!(bench.expire(400), [1]);
        for top in 3..=7 {
            bench.ack(400 + top, 1, &[(2, top)]);
        }
        assert_eq!(bench.0.stats().fast_retransmits, 0, "{}", recovery.name());
        // All outstanding data arrives; a loss of later data is a new loss event.
        bench.ack(500, 12, &[]);
        let (_, next, _) = bench.0.sequence();
        bench.ack(600, next, &[]);
        bench.0.set_cwnd(8.0);
        bench.sent(600);
        assert_eq!(bench.0.in_flight(), 8);
        for top in 2..=5 {
            bench.ack(700 + top, next, &[(next + 1, next + top)]);
        }
        assert_eq!(bench.0.stats().fast_retransmits, 1, "{}", recovery.name());
        assert_eq!(bench.0.stats().timeouts, 1);
    }
}

/// New data from the application is sent at once, up to `max_burst` segments, although the last acknowledgment was a duplicate,
/// which permits no segment.
#[test]
fn new_data_leaves_without_an_acknowledgment() {
    let opened = |max_burst: u32| {
        let mut config = endpoint(Recovery::NewReno);
        (config.detection.limited_transmit, config.windows.max_burst) = (false, max_burst);
        Sender::new(&Arc::new(config), Duration::ZERO)
    };
    let mut stream = Bench(opened(0));
    stream.0.open_stream(at(0));
    stream.0.offer(at(0), 3999);
    assert_eq!(stream.sent(0), [0, 1, 2], "the rest is no whole segment");
    stream.ack(100, 1, &[]);
    assert!(stream.ack(101, 1, &[]).is_empty());
    stream.0.offer(at(102), 5000);
    assert_eq!(stream.sent(102), [3, 4]);
    stream.0.finish(at(103), 5500, true);
    assert_eq!(stream.sent(103), [5]);
    let mut writes = Bench(opened(0));
    writes.0.open_writes(at(0));
    writes.0.write(at(0), 3000);
    assert_eq!(writes.sent(0), [0, 1, 2]);
    writes.ack(100, 1, &[]);
    assert!(writes.ack(101, 1, &[]).is_empty());
    writes.0.write(at(102), 2000);
    assert_eq!(writes.sent(102), [3, 4]);
    let mut burst = Bench(opened(3));
    burst.0.open_stream(at(0));
    burst.0.offer(at(0), 10_000);
    assert_eq!(burst.sent(0), [0, 1, 2]);
}

/// RFC 5681 section 2: a duplicate ACK has the same number as the latest acknowledgment. Older acknowledgments, and those of
/// segments that were not sent, are ignored.
#[test]
fn acknowledgments_out_of_the_window_say_nothing() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::Rack] {
        let mut bench = with(recovery, |_| ());
        bench.sent(0);
        bench.ack(100, 3, &[]);
        for to in [0, 1, 2, 2, 2, 2, 200, 200, 200, 15] {
            assert!(bench.ack(101, to, &[]).is_empty(), "{recovery:?}");
        }
        assert_eq!((bench.0.sequence(), bench.0.cwnd()), ((3, 14, 14), 11.0));
        assert_eq!(bench.0.stats().fast_retransmits, 0, "{recovery:?}");
    }
}
