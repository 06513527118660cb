//! Trains of segments (`gso`): their size, the wait for room in the window, and pacing by trains.

use base::{Duration, Instant};
use tcp::Config;
use tcp::recovery::Recovery;

use crate::common::bench::{Bench, at};
use crate::common::endpoint::endpoint;

/// Returns a sender in congestion avoidance with a window of 100 segments, of which all have been sent at 0 ms.
fn flying(gso: u32, change: impl FnOnce(&mut Config)) -> Bench {
    let mut config = endpoint(Recovery::Rack);
    config.windows.initial_window = 100.0;
    config.windows.initial_ssthresh = 2.0;
    config.windows.max_window = f64::INFINITY;
    config.growth.gso = gso;
    change(&mut config);
    let mut bench = Bench::new(config, 100_000);
    assert_eq!(bench.sent(0).len(), 100);
    bench
}

/// With 100 segments in 20 ms the pacing rate is 1.2 * 100 / 20 ms = 6000 segments per second, 5.86 in 1/1024 s:
/// a train has five segments. After a transmission it waits until five segments of the window are free; without trains
/// each acknowledgment releases what is free.
#[test]
fn a_train_waits_for_room() {
    let mut bench = flying(45, |_| {});
    assert_eq!(bench.ack(20, 5, &[]), [100, 101, 102, 103, 104]);
    assert!(bench.ack(20, 7, &[]).is_empty());
    assert!(bench.ack(20, 9, &[]).is_empty());
    assert_eq!(bench.ack(20, 10, &[]).len(), 5);
    // Twelve segments are free: two trains leave, and two segments wait.
    assert_eq!(bench.ack(20, 22, &[]).len(), 10);
    assert_eq!(bench.ack(20, 25, &[]).len(), 5);
    let mut plain = flying(1, |_| {});
    assert_eq!([5, 7, 9].map(|ack| plain.ack(20, ack, &[]).len()), [5, 2, 2]);
}

/// Nothing waits 1 ms after the last transmission.
#[test]
fn nothing_waits_for_long() {
    let mut bench = flying(45, |_| {});
    assert_eq!(bench.ack(20, 5, &[]).len(), 5);
    assert!(bench.ack(20, 7, &[]).is_empty());
    assert_eq!(bench.ack(21, 9, &[]).len(), 4);
}

/// `gso` limits a train. At 2 ms the rate is ten times as high and the RTT adds 64 KiB / 2^3, which gives 58 + 8 segments of
/// 1000 bytes. A train has at most 45 of them, and a third of the window, 34 segments, does not wait. At 400 ms
/// the rate gives less than one segment, and a train has two.
#[test]
fn a_train_has_two_segments_at_least_and_a_third_of_the_window_at_most() {
    for (gso, ms, whole, room) in [(3, 20, 48, 3), (45, 2, 45, 34), (45, 400, 50, 2)] {
        let mut bench = flying(gso, |config| config.timers.min_rto = Duration::from_secs(1));
        assert_eq!(bench.ack(ms, whole, &[]).len() as u64, whole, "whole trains");
        for more in 2..room {
            assert!(bench.ack(ms, whole + more, &[]).is_empty(), "{more} at {ms} ms");
        }
        assert_eq!(bench.ack(ms, whole + room, &[]).len() as u64, room, "{ms} ms");
    }
}

/// Repair does not wait for a train: with the same losses the sender sends the same segments as one without trains.
#[test]
fn recovery_is_not_held_back() {
    let sent = |gso| {
        let mut bench = flying(gso, |_| {});
        (4..40).map(|to| bench.ack(20 + to, 0, &[(1, to)])).collect::<Vec<_>>()
    };
    let (trains, plain) = (sent(45), sent(1));
    assert!(plain.iter().flatten().any(|seq| *seq == 0), "the lost segment is sent again");
    let from = plain.iter().position(|sent| sent.contains(&0)).expect("repaired");
    assert_eq!(trains[from..], plain[from..]);
}

/// A sender with pacing sends whole trains: five segments at once, and the next five after the time that five segments
/// take at the pacing rate.
#[test]
fn trains_are_paced_as_wholes() {
    let mut bench = flying(45, |config| config.growth.pacing = true);
    let mut leaves = Vec::new();
    let mut now = at(20);
    bench.0.on_ack(now, &crate::common::bench::ack(40, &[]));
    loop {
        let sent = std::iter::from_fn(|| bench.0.poll(now)).count();
        leaves.push((now, sent));
        match bench.0.release() {
            Some(release) => now = release.at,
            None => break,
        }
    }
    let trains: Vec<(Instant, usize)> = leaves.into_iter().filter(|(_, sent)| *sent > 0).collect();
    assert_eq!(trains.iter().map(|(_, sent)| *sent).collect::<Vec<_>>(), [5; 8]);
    for pair in trains.windows(2) {
        let gap = pair[1].0.since(pair[0].0).secs();
        assert!((gap - 5.0 / 6000.0).abs() < 0.01 * gap, "{gap}");
    }
}
