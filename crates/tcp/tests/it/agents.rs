//! Parameters for rules of ns-2's agents, off by default, with results worked by hand.

use base::{DataHeader, Duration, Rng};
use tcp::config::{SackPipe, Syn};
use tcp::recovery::Recovery;
use tcp::{Config, Receiver};

use crate::common::bench::{Bench, at};
use crate::common::endpoint::endpoint;

fn with(recovery: Recovery, change: impl FnOnce(&mut Config)) -> Bench {
    let mut config = endpoint(recovery);
    config.detection.limited_transmit = false;
    change(&mut config);
    Bench::new(config, 1000)
}

/// With `max_burst` 3 an initial window of ten is sent three segments at a time; later acknowledgments release the rest.
#[test]
fn no_more_than_a_burst_leaves_for_one_acknowledgment() {
    for recovery in [Recovery::Tahoe, Recovery::Reno, Recovery::NewReno] {
        let mut bench = with(recovery, |config| config.windows.max_burst = 3);
        assert_eq!(bench.sent(0), [0, 1, 2], "{}", recovery.name());
        // Segment 0 has arrived and the window is 11: of the nine more segments that it permits, three are
        // sent.
        assert_eq!(bench.ack(100, 1, &[]), [3, 4, 5]);
        assert_eq!(bench.ack(101, 2, &[]), [6, 7, 8]);
        assert_eq!(bench.ack(102, 3, &[]), [9, 10, 11]);
        // Eight segments are outstanding and the window of 14 permits six more: three are sent.
        assert_eq!(bench.ack(103, 4, &[]), [12, 13, 14]);
    }
}

/// A timeout retransmits segment 0, and three duplicate ACKs arrive. They start a recovery only if
/// `repeated_recovery` is set.
#[test]
fn duplicates_after_a_timeout_begin_recovery_where_that_is_asked_for() {
    for (repeated, cuts) in [(false, 1), (true, 2)] {
        let mut bench = with(Recovery::Reno, |config| config.detection.repeated_recovery = repeated);
        bench.sent(0);
        let due = bench.due().ps() / 1_000_000_000;
        assert_eq!(bench.expire(due), [0]);
        for duplicate in 1..=3 {
            bench.ack(due + 10 + duplicate, 0, &[]);
        }
        let stats = bench.0.stats();
        assert_eq!(stats.timeouts + stats.fast_retransmits, cuts, "repeated_recovery = {repeated}");
    }
}

/// The number of duplicate ACKs that starts recovery can be set, here to one, three and five.
#[test]
fn so_many_duplicates_mean_a_loss() {
    for (recovery, blocks) in [(Recovery::Reno, false), (Recovery::Tahoe, false), (Recovery::Sack, true)] {
        for wanted in [1, 3, 5] {
            let mut bench = with(recovery, |config| {
                config.detection.duplicates = wanted;
                config.detection.sack_pipe = SackPipe::Counter;
            });
            bench.sent(0);
            bench.ack(90, 1, &[]);
            for duplicate in 1..=wanted {
                assert_eq!(bench.0.stats().fast_retransmits, 0, "{} {wanted}", recovery.name());
                let top = 2 + u64::from(duplicate);
                let block = [(2, top)];
                bench.ack(100 + top, 1, if blocks { &block } else { &[] });
            }
            assert_eq!(bench.0.stats().fast_retransmits, 1, "{} {wanted}", recovery.name());
        }
    }
}

/// A segment that the window permits waits for a random send overhead; segments that the window permits during the wait
/// are sent at its end, too. A fast retransmission does not wait.
#[test]
fn the_host_works_on_what_the_window_lets_go() {
    let most = Duration::from_ms(50);
    let mut bench = with(Recovery::NewReno, |config| config.timers.send_overhead = most);
    bench.0.set_overhead_rng(Rng::stream(1, "overhead"));
    let wait = Rng::stream(1, "overhead").duration_below(most);
    assert!(bench.sent(0).is_empty());
    let leaves = bench.0.release().expect("it waits").at;
    assert_eq!(leaves, at(0) + wait);
    let mut now = at(0) + wait;
    let first: Vec<_> = std::iter::from_fn(|| bench.0.poll(now)).map(|(segment, _)| segment.seq).collect();
    assert_eq!((first, bench.0.release()), ((0..10).collect(), None));
    // Two acknowledgments come before the next send overhead ends: four segments leave together.
    assert!(bench.ack(200, 1, &[]).is_empty());
    now = bench.0.release().expect("it waits").at;
    assert!(now > at(200) && now < at(250));
    bench.0.on_ack(now, &crate::common::bench::ack(2, &[]));
    let more: Vec<_> = std::iter::from_fn(|| bench.0.poll(now)).map(|(segment, _)| segment.seq).collect();
    assert_eq!(more, [10, 11, 12, 13]);
    for duplicate in 1..=2 {
        assert!(bench.ack(300 + duplicate, 2, &[]).is_empty());
    }
    assert_eq!(bench.ack(303, 2, &[]), [2], "the third duplicate");
}

/// The send overhead delays each paced segment by a random time, but does not reorder segments or change the
/// pacing rate.
#[test]
fn the_work_of_the_host_does_not_slow_the_pace() {
    let most = Duration::from_ms(1);
    let leave = |most: Duration| {
        let mut config = endpoint(Recovery::Sack);
        config.growth.pacing = true;
        config.windows.initial_window = 40.0;
        config.timers.send_overhead = most;
        let mut bench = Bench::new(config, 1000);
        bench.0.set_overhead_rng(Rng::stream(1, "overhead"));
        let mut leaves = Vec::new();
        let mut leave_from = |bench: &mut Bench, mut now: base::Instant| {
            leaves.clear();
            loop {
                leaves
                    .extend(std::iter::from_fn(|| bench.0.poll(now)).map(|(segment, _)| (segment.seq, now)));
                match bench.0.release() {
                    Some(release) => now = release.at,
                    None => return leaves.clone(),
                }
            }
        };
        // Without an RTT there is no pacing rate: the initial window leaves together.
        assert_eq!(leave_from(&mut bench, at(0)).len(), 40);
        bench.0.on_ack(at(100), &crate::common::bench::ack(20, &[]));
        leave_from(&mut bench, at(100))
    };
    let (plain, moved) = (leave(Duration::ZERO), leave(most));
    assert!(plain.len() >= 20 && plain.last().expect("some").1 > at(120), "{plain:?}");
    assert_eq!(plain.len(), moved.len());
    for ((seq, ready), (moved, leaves)) in plain.iter().zip(&moved) {
        assert_eq!(seq, moved);
        // The first window leaves later, so the measured RTT is slightly shorter and the pacing rate slightly higher.
        let apart = leaves.ps().abs_diff(ready.ps());
        assert!(apart <= most.ps(), "{seq}: {leaves:?}, ready at {ready:?}");
    }
}

/// In ns-2 the timestamp option makes data packets larger, but not acknowledgments and SYNs.
#[test]
fn timestamps_make_what_is_asked_for_larger() {
    for (on_data, grown) in [(true, [0, 10, 0]), (false, [10, 10, 10])] {
        let mut config = endpoint(Recovery::NewReno);
        config.connection.syn = Syn::Packet;
        config.connection.early_data = true;
        config.options.timestamps = true;
        config.sizes.timestamps_size = 10;
        config.sizes.timestamps_on_data = on_data;
        let mut receiver = Receiver::new(&config);
        let mut bench = Bench::new(config, 10);
        let (syn, data) = (bench.0.poll(at(0)).expect("a SYN"), bench.0.poll(at(0)).expect("data"));
        receiver.on_segment(at(1), &DataHeader { ts_val: 7, ..syn.0 });
        let (header, answer) = receiver.poll(at(1)).expect("an acknowledgment");
        assert_eq!([syn.1 - 40, data.1 - 1040, answer - 40], grown, "timestamps_on_data = {on_data}");
        assert_eq!(header.ts_ecr, 7, "echoed all the same");
    }
}

/// Send overhead occurs only while the window permits a segment: not at a duplicate ACK that releases none,
/// and not after the last segment.
#[test]
fn the_host_does_not_work_on_what_may_not_leave() {
    for recovery in [Recovery::Tahoe, Recovery::NewReno, Recovery::Sack, Recovery::Fack, Recovery::Rack] {
        let most = Duration::from_ms(50);
        let mut config = endpoint(recovery);
        config.detection.limited_transmit = false;
        config.detection.tail_loss_probe = false;
        config.timers.send_overhead = most;
        let mut bench = Bench::new(config, 13);
        bench.0.set_overhead_rng(Rng::stream(1, "overhead"));
        // Returns the segments that leave at the end of the send overhead.
        let leave = |bench: &mut Bench, ms: u64| {
            assert!(bench.sent(ms).is_empty(), "{}", recovery.name());
            let Some(release) = bench.0.release() else { return Vec::new() };
            assert!(release.at >= at(ms) && release.at < at(ms) + most);
            std::iter::from_fn(|| bench.0.poll(release.at)).map(|(segment, _)| segment.seq).collect()
        };
        assert_eq!(leave(&mut bench, 0), (0..10).collect::<Vec<_>>());
        assert_eq!(bench.0.release(), None, "{}: the window is full", recovery.name());
        bench.0.on_ack(at(100), &crate::common::bench::ack(1, &[]));
        assert_eq!(leave(&mut bench, 100), [10, 11]);
        // Segment 1 is missing and 2 has arrived, so SACK's pipe permits one more segment.
        bench.0.on_ack(at(200), &crate::common::bench::ack(1, &[(2, 3)]));
        let more = leave(&mut bench, 200);
        assert_eq!(more, if recovery == Recovery::Sack { vec![12] } else { vec![] }, "{}", recovery.name());
        bench.0.on_ack(at(260), &crate::common::bench::ack(12, &[]));
        assert_eq!(leave(&mut bench, 260).len() + more.len(), 1, "{}", recovery.name());
        assert_eq!(bench.0.release(), None);
        bench.0.on_ack(at(400), &crate::common::bench::ack(13, &[]));
        assert!(leave(&mut bench, 400).is_empty() && bench.0.finished().is_some());
    }
}
