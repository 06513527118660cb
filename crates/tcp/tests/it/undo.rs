//! Undo of needless cuts of the window, by hand-worked steps: Eifel (RFC 3522), D-SACK (RFC 2883 and RFC 3708), F-RTO (RFC 5682).

use base::{AckHeader, DataHeader, SackBlock};
use tcp::config::{AckCounting, Config, Ecn, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

use crate::common::bench::{Bench, ack, at};

fn config(recovery: Recovery, change: impl FnOnce(&mut Config)) -> Config {
    let reno = Control::by_name("reno", &[]).expect("registered");
    let mut config = crate::common::config(recovery, reno, false, false);
    config.connection.syn = Syn::None;
    config.connection.fin = false;
    config.windows.max_window = f64::INFINITY;
    config.growth.ack_counting = AckCounting::Segments;
    config.growth.pacing = false;
    change(&mut config);
    config
}

/// Returns the TSval of a segment sent at `ms`.
fn stamp(ms: u32) -> u32 {
    1000 * ms + 1
}

/// Returns a sender in fast recovery.
///
/// Ten segments leave at 0 ms, and segment 0 is acknowledged at 100 ms. Three duplicate ACKs from 101 to 103
/// ms cause the retransmission of segment 1.
fn in_recovery(recovery: Recovery, change: impl FnOnce(&mut Config)) -> Bench {
    let mut bench = Bench::new(config(recovery, change), 1000);
    bench.sent(0);
    hand_in(&mut bench, 100, &stamped(1, &[], 0));
    let mut resent = Vec::new();
    for (ms, to) in [(101, 3), (102, 4), (103, 5)] {
        resent = hand_in(&mut bench, ms, &stamped(1, &[(2, to)], 0));
    }
    assert_eq!(resent.first(), Some(&1), "{recovery:?}");
    assert_eq!(bench.0.stats().fast_retransmits, 1);
    bench
}

fn stamped(to: u64, blocks: &[(u64, u64)], sent: u32) -> AckHeader {
    AckHeader { ts_ecr: stamp(sent), ..ack(to, blocks) }
}

fn hand_in(bench: &mut Bench, ms: u64, header: &AckHeader) -> Vec<u64> {
    bench.0.on_ack(at(ms), header);
    bench.sent(ms)
}

fn by_timestamps(config: &mut Config) {
    config.options.timestamps = true;
    config.decrease.undo_by_timestamps = true;
}

const RECOVERIES: [Recovery; 4] = [Recovery::Reno, Recovery::NewReno, Recovery::Sack, Recovery::Rack];

/// RFC 3522 section 3.2: segment 1 was sent at 0 and again at 103 ms. An echo of 0 means that the first sending arrived.
#[test]
fn an_early_echo_takes_the_cut_back() {
    for recovery in RECOVERIES {
        let mut late = in_recovery(recovery, by_timestamps);
        assert!(late.0.ssthresh() < 6.0);
        hand_in(&mut late, 110, &stamped(8, &[], 0));
        assert_eq!(
            (late.0.cwnd(), late.0.ssthresh(), late.0.undone()),
            (11.0, f64::INFINITY, 1),
            "{recovery:?}"
        );
        // The window grows as if nothing had been lost.
        hand_in(&mut late, 111, &stamped(10, &[], 0));
        assert_eq!(late.0.cwnd(), 13.0, "{recovery:?}");
        let mut lost = in_recovery(recovery, by_timestamps);
        hand_in(&mut lost, 203, &stamped(8, &[], 103));
        assert!(lost.0.ssthresh() < 6.0 && lost.0.undone() == 0, "{recovery:?}");
        let mut off = in_recovery(recovery, |config| config.options.timestamps = true);
        hand_in(&mut off, 110, &stamped(8, &[], 0));
        assert!(off.0.ssthresh() < 6.0 && off.0.undone() == 0, "{recovery:?}");
    }
}

/// The first acknowledgment of the retransmission decides: a later one that echoes an old stamp changes nothing.
#[test]
fn the_first_acknowledgment_of_a_retransmission_decides() {
    let mut bench = in_recovery(Recovery::Rack, by_timestamps);
    hand_in(&mut bench, 203, &stamped(2, &[(2, 5)], 103));
    hand_in(&mut bench, 204, &stamped(8, &[], 0));
    assert_eq!(bench.0.undone(), 0);
}

/// A mark since the cut is a reason of its own to reduce the window, so the cut is not undone.
#[test]
fn a_mark_lets_the_cut_stand() {
    let mut bench = in_recovery(Recovery::Rack, |config| {
        by_timestamps(config);
        config.options.ecn = Ecn::Classic;
    });
    hand_in(&mut bench, 104, &AckHeader { ece: true, ..stamped(1, &[(2, 6)], 0) });
    hand_in(&mut bench, 110, &stamped(8, &[], 0));
    assert_eq!(bench.0.undone(), 0);
}

/// Returns an acknowledgment of `to` that reports `seq` as a duplicate.
fn duplicate(to: u64, seq: u64) -> AckHeader {
    let mut header = AckHeader { ack: to, blocks: 1, ..AckHeader::default() };
    header.sack[0] = SackBlock { from: seq.wrapping_sub(to) as u32, to: (seq + 1).wrapping_sub(to) as u32 };
    header
}

fn by_dsack(config: &mut Config) {
    config.decrease.undo_by_dsack = true;
}

/// RFC 3708 section 3: if the only retransmission is reported as a duplicate, the cut is undone, also after the end of
/// recovery. The cut stays if only one of two retransmissions is reported, or if all data outstanding at the end of
/// recovery has been acknowledged before the report.
#[test]
fn a_duplicate_of_each_retransmission_takes_the_cut_back() {
    for recovery in [Recovery::Sack, Recovery::Rack] {
        let mut bench = in_recovery(recovery, by_dsack);
        let sent = hand_in(&mut bench, 110, &ack(14, &[]));
        assert!(bench.0.ssthresh() < 6.0 && !sent.is_empty(), "{recovery:?}");
        hand_in(&mut bench, 203, &duplicate(14, 1));
        assert_eq!((bench.0.ssthresh(), bench.0.undone()), (f64::INFINITY, 1), "{recovery:?}");
        assert_eq!(bench.0.cwnd(), 11.0, "{recovery:?}");
        hand_in(&mut bench, 204, &duplicate(14, 1));
        assert_eq!(bench.0.undone(), 1);
        let mut late = in_recovery(recovery, by_dsack);
        let sent = hand_in(&mut late, 110, &ack(14, &[]));
        let end = sent.last().expect("some") + 1;
        hand_in(&mut late, 210, &ack(end, &[]));
        hand_in(&mut late, 211, &duplicate(end, 1));
        assert_eq!(late.0.undone(), 0, "{recovery:?}");
    }
    // Segments 1 and 2 are retransmitted.
    let mut two = Bench::new(config(Recovery::Sack, by_dsack), 1000);
    two.sent(0);
    two.ack(100, 1, &[]);
    let mut again: Vec<u64> =
        (4..14).flat_map(|to| two.ack(100 + to, 1, &[(3, to)])).filter(|seq| *seq < 3).collect();
    again.sort_unstable();
    assert_eq!(again, [1, 2]);
    hand_in(&mut two, 203, &duplicate(3, 2));
    assert_eq!(two.0.undone(), 0, "one of two");
    hand_in(&mut two, 204, &duplicate(3, 1));
    assert_eq!(two.0.undone(), 1);
}

/// RFC 8985 section 6.2, step 4: a D-SACK widens the reordering window from a quarter to half of the least round trip.
#[test]
fn a_duplicate_widens_the_reordering_window() {
    let mut bench = in_recovery(Recovery::Rack, by_dsack);
    hand_in(&mut bench, 203, &ack(14, &[]));
    hand_in(&mut bench, 204, &duplicate(14, 1));
    // Segment 14 was sent at 203 ms, and 15 arrives first, after 100 ms.
    hand_in(&mut bench, 303, &ack(14, &[(15, 16)]));
    assert_eq!(bench.due(), at(203 + 100 + 50));
}

fn by_frto(config: &mut Config) {
    config.decrease.frto = true;
    config.detection.tail_loss_probe = false;
}

/// Returns a sender whose timer has expired at 400 ms, with segments 2 to 13 outstanding.
fn timed_out(recovery: Recovery, change: impl FnOnce(&mut Config)) -> Bench {
    let mut bench = Bench::new(config(recovery, change), 1000);
    bench.sent(0);
    assert_eq!(hand_in(&mut bench, 100, &stamped(2, &[], 0)), [10, 11, 12, 13]);
    assert_eq!(bench.expire(400), [2]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (1.0, 6.0));
    bench
}

/// RFC 5682 section 3.1: after the acknowledgment of the retransmission two new segments are sent. If the next
/// acknowledgment covers segment 3, which was not retransmitted, nothing was lost. Without F-RTO segment 3 is
/// retransmitted at once.
#[test]
fn two_new_segments_tell_a_spurious_timeout() {
    for recovery in [Recovery::Sack, Recovery::Rack] {
        let mut bench = timed_out(recovery, by_frto);
        assert_eq!(bench.ack(410, 3, &[]), [14, 15], "{recovery:?}");
        let sent = bench.ack(411, 4, &[]);
        assert_eq!(
            (bench.0.cwnd(), bench.0.ssthresh(), bench.0.undone()),
            (12.0, f64::INFINITY, 1),
            "{recovery:?}"
        );
        assert!(sent.iter().all(|seq| *seq >= 16), "{recovery:?}: {sent:?}");
        let mut selective = timed_out(recovery, by_frto);
        selective.ack(410, 3, &[]);
        selective.ack(411, 3, &[(4, 5)]);
        assert_eq!(selective.0.undone(), 1, "{recovery:?}");
        let off = timed_out(recovery, |config| config.detection.tail_loss_probe = false).ack(410, 3, &[]);
        assert_eq!(off[0], 3, "{recovery:?}");
    }
}

/// If only the new segments are acknowledged, the older ones were lost (step 3a). F-RTO is not used if there is no
/// new data to send, or if the first acknowledgment covers all segments (step 2a).
#[test]
fn a_real_timeout_goes_on_as_before() {
    for recovery in [Recovery::Sack, Recovery::Rack] {
        let mut bench = timed_out(recovery, by_frto);
        bench.ack(500, 3, &[]);
        let sent = bench.ack(600, 3, &[(14, 15)]);
        assert_eq!((sent[0], bench.0.undone()), (3, 0), "{recovery:?}");
        let mut all = timed_out(recovery, by_frto);
        all.ack(500, 14, &[]);
        all.ack(600, 15, &[]);
        assert_eq!(all.0.undone(), 0, "{recovery:?}");
        let mut short = Bench::new(config(recovery, by_frto), 12);
        short.sent(0);
        short.ack(100, 2, &[]);
        short.expire(400);
        assert_eq!(short.ack(500, 3, &[])[0], 3, "{recovery:?}");
    }
}

/// After several spurious timeouts the state before the first one is restored.
#[test]
fn repeated_timeouts_are_taken_back_together() {
    let mut bench = timed_out(Recovery::Rack, |config| {
        by_timestamps(config);
        config.detection.tail_loss_probe = false;
    });
    let due = bench.due();
    bench.0.on_timer(due);
    assert_eq!(
        std::iter::from_fn(|| bench.0.poll(due)).map(|(segment, _)| segment.seq).collect::<Vec<_>>(),
        [2]
    );
    hand_in(&mut bench, 1300, &stamped(8, &[], 0));
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh(), bench.0.undone()), (12.0, f64::INFINITY, 1));
}

/// RFC 2883 section 4: the first block reports a duplicate below the cumulative acknowledgment or within a run; in the
/// second case the block of the run follows.
#[test]
fn the_receiver_reports_what_arrives_twice() {
    let mut receiver = Receiver::new(&config(Recovery::Sack, |config| config.acks.dsack = true));
    let mut arrive = |ms: u64, seq: u64| {
        let segment = DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() };
        receiver.on_segment(at(ms), &segment);
        let (header, wire) = receiver.poll(at(ms)).expect("at once");
        (header.duplicate(), header.sacked().len(), wire)
    };
    assert_eq!(arrive(0, 0), (None, 0, 40));
    assert_eq!(arrive(1, 0), (Some((0, 1)), 0, 52));
    assert_eq!(arrive(2, 1), (None, 0, 40));
    assert_eq!(arrive(3, 3), (None, 1, 52));
    assert_eq!(arrive(4, 4), (None, 1, 52));
    assert_eq!(arrive(5, 3), (Some((3, 4)), 1, 60));
    assert_eq!(arrive(6, 6), (None, 2, 60));
    assert_eq!(arrive(7, 0), (Some((0, 1)), 2, 68));
}

/// Segment 30 of an endless transfer arrives 30 ms late. With the undo rules of profile `linux` the window is kept,
/// without them it is halved.
#[test]
fn a_late_segment_costs_profile_linux_nothing() {
    let threshold = |undo: bool| {
        let (variant, profile) = (Some("reno".to_owned()), Some("linux".to_owned()));
        let (name, mut config) =
            tcp::Table { variant, profile, ..Default::default() }.resolve().expect("a table");
        assert_eq!((name.as_str(), config.recovery), ("rack", Recovery::Rack));
        config.decrease.undo_by_timestamps &= undo;
        config.decrease.undo_by_dsack &= undo;
        let sender: Sender = crate::common::path::late_segment(&config, 30, 30);
        (sender.ssthresh(), sender.undone(), sender.stats().fast_retransmits)
    };
    assert_eq!(threshold(true), (f64::INFINITY, 1, 1));
    assert_eq!((threshold(false).1, threshold(false).2), (0, 1));
    assert!(threshold(false).0.is_finite());
}
