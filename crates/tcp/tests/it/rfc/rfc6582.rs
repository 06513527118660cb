//! RFC 6582: NewReno.

use super::{Bench, endpoint, opened};
use crate::common::bench::at;
use tcp::recovery::Recovery;

/// Returns a sender in recovery: of segments 1 to 11, numbers 1 and 5 are lost, and the third duplicate ACK has arrived.
///
/// The first two duplicate ACKs have released segments 12 and 13 (Limited Transmit).
fn recovering() -> Bench {
    let mut bench = opened(Recovery::NewReno);
    assert_eq!(bench.ack(110, 1, &[]), [12]);
    assert_eq!(bench.ack(111, 1, &[]), [13]);
    assert_eq!(bench.ack(112, 1, &[]), [1]);
    bench
}

#[test]
fn three_duplicates_beyond_the_last_recovery_begin_another() {
    let mut bench = recovering();
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (5.5, 5.5));
    // All segments below 14 arrive. Then segment 15, sent after the full acknowledgment, is lost: a new
    // recovery begins.
    bench.ack(210, 14, &[]);
    let before = bench.0.stats().fast_retransmits;
    for ms in 0..3 {
        bench.ack(310 + ms, 15, &[]);
        bench.ack(310 + ms, 15, &[]);
    }
    assert_eq!((before, bench.0.stats().fast_retransmits), (1, 2));
}

/// After a timeout all data is retransmitted, and segments that had arrived cause duplicate ACKs, which start no recovery.
#[test]
fn duplicates_of_what_a_timeout_sent_again_begin_nothing() {
    let mut bench = opened(Recovery::NewReno);
    assert_eq!(bench.expire(400), [1]);
    assert_eq!(bench.ack(450, 2, &[]), [2, 3]);
    for ms in 1..=5 {
        bench.ack(450 + ms, 2, &[]);
    }
    assert_eq!(bench.0.stats().fast_retransmits, 0);
}

#[test]
fn a_partial_acknowledgment_sends_the_next_loss_and_deflates_by_what_it_acknowledges() {
    let mut bench = recovering();
    // Eight more duplicates: the window is inflated by 11 to 16.5, and 13 segments are outstanding before
    // them.
    let sent: Vec<u64> = (0..8).flat_map(|ms| bench.ack(113 + ms, 1, &[])).collect();
    assert_eq!(sent, [14, 15, 16]);
    // The partial ACK of segments 1 to 4 retransmits 5 and deflates the window by four minus one, to 13.5.
    // Twelve segments are outstanding, so one more is sent.
    assert_eq!(bench.ack(210, 5, &[]), [5, 17]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (5.5, 5.5));
}

#[test]
fn only_the_first_partial_acknowledgment_starts_the_timer_anew() {
    let mut bench = recovering();
    let begun = bench.due();
    bench.ack(210, 5, &[]);
    let first = bench.due();
    assert!(first > begun);
    bench.ack(220, 8, &[]);
    assert_eq!(bench.due(), first);
}

/// A full acknowledgment deflates the window to ssthresh, or to the outstanding data plus one segment if that is less.
#[test]
fn a_full_acknowledgment_deflates_the_window_without_a_burst() {
    let mut bench = recovering();
    assert_eq!(bench.ack(210, 14, &[]).len(), 2, "nothing is outstanding: two segments go");
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (2.0, 5.5));
}

#[test]
fn a_timeout_ends_recovery() {
    let mut bench = recovering();
    let due = bench.due();
    let ms = due.since(at(0)).ps() / 1_000_000_000;
    assert_eq!(bench.expire(ms), [1]);
    assert_eq!(bench.0.cwnd(), 1.0);
    // The sender is in slow start: each acknowledgment grows the window, and none counts as partial.
    assert_eq!(bench.ack(ms + 50, 5, &[]), [5, 6]);
}

/// The first segment of a connection is not beyond the initial `recover`, so its loss is repaired by the timer.
#[test]
fn the_first_segment_of_a_connection_waits_for_the_timer() {
    let mut bench = Bench::new(
        {
            let mut changed = endpoint(Recovery::NewReno);
            changed.detection.limited_transmit = false;
            changed
        },
        1000,
    );
    bench.sent(0);
    for ms in 100..104 {
        assert!(bench.ack(ms, 0, &[]).is_empty());
    }
    assert_eq!(bench.0.stats().fast_retransmits, 0);
}
