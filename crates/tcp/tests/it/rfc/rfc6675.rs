//! RFC 6675: loss recovery by selective acknowledgments.

use super::{Bench, opened};
use crate::common::bench::at;
use tcp::config::{LimitedTransmitBound, PartialAckTimer, Reduction, WindowReduction};
use tcp::recovery::Recovery;

/// Returns a sender in recovery: of segments 1 to 11, numbers 1 and 5 were lost, and the third duplicate ACK has shown the loss
/// of 1.
///
/// 13 segments are outstanding, two of them by Limited Transmit; 3 have arrived and 1 is lost. The pipe is 9, and 10 with the
/// retransmission.
fn recovering() -> Bench {
    let mut bench = opened(Recovery::Sack);
    assert_eq!(bench.ack(110, 1, &[(2, 3)]), [12]);
    assert_eq!(bench.ack(111, 1, &[(2, 4)]), [13]);
    assert_eq!(bench.ack(112, 1, &[(2, 5)]), [1]);
    bench
}

#[test]
fn three_segments_above_a_hole_make_it_lost() {
    let mut bench = recovering();
    assert_eq!(
        (bench.0.cwnd(), bench.0.ssthresh()),
        (5.5, 5.5),
        "half of the flight before Limited Transmit"
    );
    assert_eq!(bench.0.in_flight(), 10);
    assert!(bench.ack(113, 1, &[(6, 7), (2, 5)]).is_empty(), "9 in the network and a window of 5");
}

/// If one acknowledgment reports three segments, the first duplicate ACK already reveals the loss.
#[test]
fn one_acknowledgment_may_show_the_loss() {
    let mut bench = opened(Recovery::Sack);
    assert_eq!(bench.ack(110, 1, &[(2, 5)])[0], 1);
    assert_eq!(bench.0.stats().fast_retransmits, 1);
}

#[test]
fn early_duplicates_send_new_segments() {
    let mut bench = opened(Recovery::Sack);
    assert_eq!(bench.ack(110, 1, &[(2, 3)]), [12]);
    assert_eq!(bench.ack(111, 1, &[(2, 4)]), [13]);
    assert_eq!(bench.0.cwnd(), 11.0);
}

/// The first acknowledgment covers segment 1, reports 3 and increases the window to 12. The second, a
/// duplicate ACK, reports 4: of 13 outstanding segments two have arrived. If the pipe limits Limited
/// Transmit, a pipe of 11 permits another segment. If the outstanding data limits it, 13 segments are the
/// maximum.
#[test]
fn what_bounds_early_segments() {
    for (bound, early) in
        [(LimitedTransmitBound::Outstanding, &[][..]), (LimitedTransmitBound::Pipe, &[15][..])]
    {
        let mut config = super::endpoint(Recovery::Sack);
        config.detection.limited_transmit_bound = bound;
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        assert_eq!(bench.ack(110, 2, &[(3, 4)]), [12, 13, 14], "12 in the network");
        assert_eq!(bench.ack(111, 2, &[(3, 5)]), early);
        assert_eq!(bench.ack(112, 2, &[(3, 6)]), [2]);
    }
}

/// Partial acknowledgments come at 210 and 310 ms. Each restarts the timer of 300 ms, or only the first does
/// (ns-3).
#[test]
fn which_partial_acknowledgments_restart_the_timer() {
    for (which, due) in [(PartialAckTimer::Every, 610), (PartialAckTimer::First, 510)] {
        let mut config = super::endpoint(Recovery::Sack);
        config.fast_recovery.sack_partial_timer = which;
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        // Segments 1, 5 and 8 are lost.
        bench.ack(110, 1, &[(9, 12), (6, 8), (2, 5)]);
        bench.ack(210, 5, &[(9, 12), (6, 8)]);
        bench.ack(310, 8, &[(9, 12)]);
        assert_eq!(bench.due(), at(due), "{which:?}");
    }
}

/// While segment 1 is missing, a receive window of 80 segments stops the sender; by the timeout all other segments have arrived.
/// With reduction "pipe" ssthresh is half of the pipe at the last transmission, not half of the single segment that is left.
#[test]
fn a_timeout_halves_what_was_in_the_network_when_something_was_sent_last() {
    let mut config = super::endpoint(Recovery::Sack);
    config.decrease.reduction = Reduction::Pipe;
    config.windows.initial_window = 40.0;
    config.windows.receive_window = 80.0;
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(110, 1, &[(2, 5)]), [1]);
    assert_eq!(bench.0.ssthresh(), 18.5, "37 of 41 were in the network");
    let sent = (6..=81).flat_map(|top| bench.ack(110 + top, 1, &[(2, top)])).last();
    assert_eq!((sent, bench.0.in_flight()), (Some(80), 1));
    let due = bench.due().since(base::Instant::ZERO).ps() / 1_000_000_000;
    bench.expire(due);
    assert_eq!(bench.0.ssthresh(), 8.5, "17 were in the network when 80 went again, as the rescue");
}

/// Segments are sent only while the pipe is below the window: first lost segments, then new data.
#[test]
fn what_is_lost_goes_before_new_data_as_the_pipe_allows() {
    let mut bench = recovering();
    let mut sent = Vec::new();
    for top in 7..=14 {
        sent.extend(bench.ack(106 + top, 1, &[(6, top), (2, 5)]));
    }
    // At the end five segments are in the network: the retransmissions of 1 and 5, and 14 to 16.
    assert_eq!(sent, [5, 14, 15, 16]);
    assert_eq!(bench.0.in_flight(), 5);
}

/// Without new data and known losses, NextSeg rules 3 and 4 retransmit a hole that may be lost, then the highest segment once.
#[test]
fn without_new_data_a_hole_goes_and_then_one_rescue() {
    let mut bench = Bench::new(super::endpoint(Recovery::Sack), 10);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(110, 1, &[(2, 5), (6, 7)]), [1]);
    // Segment 1 has arrived. Segments 5 to 9 are outstanding at a window of 4; above 5 one segment has arrived, then two.
    assert!(bench.ack(210, 5, &[(6, 7)]).is_empty());
    assert_eq!(bench.ack(211, 5, &[(6, 8)]), [5], "a hole that is not known to be lost");
    assert_eq!(bench.ack(212, 5, &[(6, 9)]), [9], "the rescue");
    assert!(bench.ack(213, 5, &[(6, 9)]).is_empty(), "only one");
}

/// The rescue retransmission is the highest segment that has not arrived. If that is the only hole, it is
/// sent once more as the rescue, but not a third time.
#[test]
fn the_rescue_is_the_highest_segment_that_has_not_arrived() {
    let mut bench = Bench::new(super::endpoint(Recovery::Sack), 10);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(110, 1, &[(2, 5)]), [1]);
    assert_eq!(bench.ack(111, 1, &[(2, 8)]), [9], "8 and 9 are outstanding above all that has arrived");
    assert!(bench.ack(112, 1, &[(2, 10)]).is_empty(), "one rescue in a recovery");
    // The retransmission of 1 was lost, and only the timer can repair it.
    let mut bench = Bench::new(super::endpoint(Recovery::Sack), 10);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(110, 1, &[(2, 10)]), [1, 1], "1 again, then as the rescue");
}

/// TCP-Linux lacks NextSeg rules 3 and 4: a segment that is not known to be lost waits.
#[test]
fn without_the_rules_for_the_tail_a_hole_waits() {
    let mut config = super::endpoint(Recovery::Sack);
    config.detection.sack_tail = tcp::config::SackTail::Wait;
    let mut bench = Bench::new(config, 10);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(110, 1, &[(2, 5), (6, 7)]), [1]);
    assert!(bench.ack(210, 5, &[(6, 7)]).is_empty());
    assert!(bench.ack(211, 5, &[(6, 8)]).is_empty(), "two above it have arrived");
    assert_eq!(bench.ack(212, 5, &[(6, 9)]), [5], "three above it have arrived");
    assert!(bench.ack(213, 5, &[(6, 9)]).is_empty(), "no rescue");
}

#[test]
fn recovery_ends_with_all_that_was_outstanding_when_it_began() {
    let mut bench = recovering();
    bench.ack(210, 5, &[(6, 12)]);
    assert_eq!(bench.0.cwnd(), 5.5, "a partial acknowledgment opens nothing");
    bench.ack(220, 14, &[]);
    bench.ack(230, 15, &[]);
    assert!(bench.0.cwnd() > 5.5, "recovery is over");
    assert_eq!(bench.0.stats().fast_retransmits, 1);
}

/// After a timeout, selectively acknowledged segments are not retransmitted and cause no fast retransmit.
#[test]
fn a_timeout_ends_recovery_and_keeps_what_arrived() {
    let mut bench = recovering();
    let ms = bench.due().since(crate::common::bench::at(0)).ps() / 1_000_000_000;
    assert_eq!(bench.expire(ms), [1]);
    assert_eq!(bench.0.cwnd(), 1.0);
    assert_eq!(bench.ack(ms + 50, 5, &[]), [5, 6], "2 to 4 had arrived");
    assert_eq!(bench.0.stats().fast_retransmits, 1);
}

/// If the cumulative acknowledgment stops at a selectively acknowledged segment, the receiver has dropped data (reneging), and
/// the sender discards all SACK information.
#[test]
fn a_receiver_that_drops_what_it_has_gets_it_again() {
    let mut bench = opened(Recovery::Sack);
    bench.ack(110, 1, &[(2, 4)]);
    // Segment 1 arrives, and the receiver has dropped 2 and 3: the cumulative acknowledgment stops at 2.
    bench.ack(120, 2, &[]);
    let ms = bench.due().since(crate::common::bench::at(0)).ps() / 1_000_000_000;
    assert_eq!(bench.expire(ms), [2]);
    assert_eq!(bench.ack(ms + 50, 3, &[]), [3, 4]);
}

/// Segment 1 is retransmitted when 13 is the highest segment sent, and is lost again. With `lost_retransmission` three later
/// segments reveal that loss; otherwise the timer repairs it.
#[test]
fn a_lost_retransmission_is_found_by_later_data_where_that_is_asked_for() {
    for (lost_retransmission, again) in [(3, true), (0, false)] {
        let mut config = super::endpoint(Recovery::Sack);
        config.detection.lost_retransmission = lost_retransmission;
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        (3..=5).for_each(|top| drop(bench.ack(107 + top, 1, &[(2, top)])));
        let early: Vec<u64> = (6..=16).flat_map(|top| bench.ack(107 + top, 1, &[(2, top)])).collect();
        assert!(!early.contains(&1), "{early:?}");
        assert_eq!(bench.ack(130, 1, &[(2, 17)]).contains(&1), again);
        assert_eq!((bench.0.stats().timeouts, bench.0.stats().fast_retransmits), (0, 1));
    }
}

/// The timer is restarted when recovery begins, even if rate halving delays the first retransmission.
#[test]
fn the_timer_starts_anew_with_recovery() {
    for reduction in [WindowReduction::AtOnce, WindowReduction::RateHalving, WindowReduction::Prr] {
        let mut config = super::endpoint(Recovery::Sack);
        config.decrease.window_reduction = reduction;
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        (3..=5).for_each(|top| drop(bench.ack(107 + top, 1, &[(2, top)])));
        assert_eq!(bench.0.stats().fast_retransmits, 1);
        assert_eq!(bench.due(), at(112 + 300), "{reduction:?}");
    }
}
