//! RFC 8985: requirements of RACK-TLP at the sender that `rack.rs` does not test.

use super::{Bench, endpoint};
use crate::common::bench::{ack, at, loss};
use base::{AckHeader, Duration};
use std::sync::Arc;
use tcp::Sender;
use tcp::recovery::Recovery;

/// Returns a sender that has sent four segments at 0 ms, of which three arrived.
///
/// The tail loss probe at 400 ms retransmits segment 3: its timeout of 200 + 200 ms is limited by the
/// retransmission timer of 300 ms. At 450 ms four more segments leave.
fn probed() -> Bench {
    let config = {
        let mut changed = endpoint(Recovery::Rack);
        changed.windows.initial_window = 4.0;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open_stream(at(0));
    sender.offer(at(0), 4000);
    let mut bench = Bench(sender);
    assert_eq!(bench.sent(0).len(), 4);
    bench.ack(100, 3, &[]);
    assert_eq!(bench.expire(400), [3]);
    bench.0.offer(at(450), 8000);
    assert_eq!(bench.sent(450), [4, 5, 6, 7]);
    bench
}

/// Section 7.4.2: an acknowledgment beyond the probe, without an earlier duplicate ACK, means that the probe repaired a loss.
#[test]
fn a_probe_that_repaired_a_loss_is_judged_among_later_data() {
    let mut bench = probed();
    bench.ack(500, 4, &[]);
    assert_eq!(bench.0.stats().fast_retransmits, 0, "not beyond it yet");
    let outstanding = bench.0.in_flight();
    bench.ack(550, 5, &[]);
    assert_eq!((bench.0.stats().fast_retransmits, outstanding), (1, 4));
    let loss = loss(&mut bench.0).expect("a loss");
    assert_eq!((loss.seq, loss.timeout), (3, false));
    assert_eq!(bench.0.ssthresh(), 2.0, "half of four");
    // The probe is judged only once: the next acknowledgment has no effect.
    bench.ack(560, 7, &[]);
    assert_eq!(bench.0.stats().fast_retransmits, 1);
}

/// A duplicate ACK without SACK blocks is caused by a needless probe; a duplicate ACK with blocks is caused by later data.
#[test]
fn a_duplicate_of_the_probe_alone_means_that_it_was_needless() {
    for (blocks, cuts) in [(&[][..], 0), (&[(5, 6)][..], 1)] {
        let mut bench = probed();
        bench.ack(500, 4, &[]);
        bench.ack(501, 4, blocks);
        bench.ack(502, 6, &[]);
        assert_eq!(bench.0.stats().fast_retransmits, cuts, "{blocks:?}");
    }
}

/// Section 6.2, step 2: a retransmission counts as delivered only if the acknowledgment echoes its timestamp
/// or a later one.
///
/// Segment 1 is retransmitted at 101 ms. If the echo is the retransmission's, all missing segments sent
/// before it are lost. If it is the original's, which arrived late, no other segment counts as lost.
#[test]
fn the_stamp_tells_which_sending_has_arrived() {
    for (echo, sent) in [(101_001, &[5, 6, 7, 8, 9][..]), (1, &[])] {
        let mut config = endpoint(Recovery::Rack);
        config.options.timestamps = true;
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        let mut told = |ms: u64, to, echo, blocks: &[(u64, u64)]| {
            bench.0.on_ack(at(ms), &AckHeader { ts_ecr: echo, ..ack(to, blocks) });
            bench.sent(ms)
        };
        assert_eq!(told(100, 1, 1, &[]), [10, 11]);
        assert_eq!(told(101, 1, 1, &[(2, 5)]), [1]);
        assert_eq!(told(215, 5, echo, &[]), sent, "{echo}");
    }
}

/// RFC 2018 section 8: at a timeout the oldest segment is missing although it was selectively acknowledged. The receiver has dropped
/// its data, and all segments are retransmitted.
#[test]
fn a_timeout_forgets_what_a_receiver_has_dropped() {
    for recovery in [Recovery::Rack, Recovery::Sack] {
        let mut config = endpoint(recovery);
        config.detection.tail_loss_probe = false;
        let mut bench = Bench::new(config, 10);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        bench.ack(101, 1, &[(5, 10)]);
        bench.ack(200, 5, &[]);
        let due = bench.due();
        bench.0.on_timer(due);
        let ms = due.since(at(0)).ps() / 1_000_000_000;
        assert_eq!(bench.sent(ms), [5], "{recovery:?}");
        let again: Vec<u64> = (6..=9).flat_map(|to| bench.ack(ms + 100 + to, to, &[])).collect();
        assert_eq!(again, [6, 7, 8, 9], "{recovery:?}");
        bench.ack(ms + 300, 10, &[]);
        assert!(bench.0.finished().is_some());
    }
}

/// Section 6.3: a timeout ends recovery and cancels probes; new probes wait until all outstanding data has arrived.
#[test]
fn a_timeout_ends_recovery_and_probes() {
    let mut bench = Bench::new(endpoint(Recovery::Rack), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(101, 1, &[(2, 5)]), [1]);
    let recovery = |bench: &Bench| bench.0.variables()[5].1;
    assert_eq!(recovery(&bench), 1.0);
    assert_eq!(bench.expire(401), [1], "300 ms after it went again");
    assert_eq!((recovery(&bench), bench.0.cwnd(), bench.0.stats().timeouts), (2.0, 1.0, 1));
    assert_eq!(bench.due(), at(1001), "no probe");
    assert_eq!(bench.ack(501, 5, &[]), [5, 6]);
    assert_eq!(bench.due(), at(501 + 600), "no probe either, and the backoff stays");
    bench.ack(601, 12, &[]);
    assert_eq!(recovery(&bench), 0.0);
    assert_eq!((bench.0.stats().fast_retransmits, bench.0.stats().timeouts), (1, 1));
}

/// RFC 6298 section 5.4: the timer retransmits the earliest segment, even if later segments were sent only recently.
#[test]
fn a_timeout_sends_the_oldest_segment_whatever_has_just_left() {
    let mut config = endpoint(Recovery::Rack);
    config.detection.tail_loss_probe = false;
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.0.set_cwnd(13.0);
    assert_eq!(bench.sent(350), [12, 13]);
    assert_eq!(bench.expire(400), [1]);
    assert_eq!(bench.0.in_flight(), 3, "12 and 13 are not overdue");
}
