//! RACK-TLP (RFC 8985): rules worked by hand, and behaviour on paths that reorder and lose segments.

use base::{AckHeader, DataHeader, Duration, Instant};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tcp::config::{AckCounting, Config, Reduction, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender, SenderStats};

use crate::common::bench::{Bench, at};

fn config(recovery: Recovery, control: &str) -> Config {
    let control = Control::by_name(control, &[]).expect("registered");
    let mut changed = crate::common::config(recovery, control, false, false);
    changed.connection.syn = Syn::None;
    changed.growth.ack_counting = AckCounting::Segments;
    changed.windows.max_window = f64::INFINITY;
    changed.growth.pacing = false;
    changed.connection.fin = false;
    changed
}

fn segments(range: std::ops::Range<u64>) -> Vec<u64> {
    range.collect()
}

/// RFC 8985 section 6.2: with RACK.rtt 100 ms and reo_wnd 100 / 4 ms, segment 1, sent at 0 ms, counts as lost at 125 ms. If the
/// second delivery out of order took 110 ms, it counts as lost at 135 ms.
#[test]
fn a_segment_is_lost_a_reordering_window_after_it_should_have_arrived() {
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 1000);
    assert_eq!(bench.sent(0), segments(0..10));
    assert_eq!(bench.ack(100, 1, &[]), [10, 11]);
    assert_eq!(bench.ack(100, 1, &[(2, 3)]), [12], "what has arrived lets a new segment go");
    assert_eq!(bench.due(), at(125));
    assert_eq!(bench.ack(110, 1, &[(2, 4)]), [13]);
    assert_eq!(bench.expire(135), [1]);
    assert_eq!(bench.0.stats().fast_retransmits, 1);
    // Segments 1 to 13 are outstanding. Limited Transmit sent two of them, which do not count, so ssthresh is
    // half of eleven.
    assert_eq!(bench.0.ssthresh(), 5.5);
}

/// Without earlier reordering, three segments received out of order end the reordering window (RFC 8985 section 6.2, step 4).
#[test]
fn three_segments_out_of_order_mean_a_loss_where_there_is_no_reordering() {
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.ack(100, 1, &[(2, 3)]);
    bench.ack(101, 1, &[(2, 4)]);
    assert_eq!(bench.ack(102, 1, &[(2, 5)]), [1]);
}

/// Before reordering is seen, three segments out of order show a loss. Once it is seen, RACK keeps its
/// reordering window. Segment 1 arrives late at 112 ms; segment 5 then counts as lost at 0 + 120 + 25 ms, not
/// earlier, however many segments are selectively acknowledged.
#[test]
fn reordering_seen_means_patience() {
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.ack(100, 1, &[(2, 5)]);
    assert_eq!(bench.0.stats().fast_retransmits, 1, "taken for a loss at first");
    bench.ack(104, 5, &[]);
    bench.ack(112, 5, &[(6, 7)]);
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.ack(101, 1, &[(2, 3)]);
    bench.ack(112, 3, &[]);
    bench.ack(113, 5, &[]);
    for (ms, to) in [(116, 7), (118, 8), (119, 9), (120, 10)] {
        bench.ack(ms, 5, &[(6, to)]);
        assert_eq!(bench.due(), at(ms + 25), "{to}");
    }
    assert_eq!(bench.0.stats().fast_retransmits, 0);
    assert_eq!(bench.expire(145)[0], 5);
}

/// The loss of a retransmission is detected by segments sent after it.
#[test]
fn a_retransmission_is_judged_like_any_other() {
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    assert_eq!(bench.ack(100, 1, &[(2, 5)]), [1]);
    // Eight of eleven segments are in flight at a window of five: no segment is sent until four have arrived.
    assert_eq!(bench.ack(101, 1, &[(2, 10)]), [12, 13]);
    // Segments 10 and 11 were sent with the retransmission, 12 after it; in recovery the reordering window is zero.
    assert_eq!(bench.ack(201, 1, &[(2, 13)])[0], 1);
    assert_eq!(bench.0.stats().timeouts, 0);
}

/// Segment 1 is lost, and segment 12, which was sent during the recovery of 1. The acknowledgment of all
/// segments below 12 ends that recovery. With `chained_recovery` segment 12, which is already retransmitted,
/// begins a recovery of its own, and the outstanding data are halved once more.
#[test]
fn a_loss_beyond_the_recovery_point_can_begin_a_recovery_of_its_own() {
    for (chained, cuts, ssthresh) in [(false, 1, 5.5), (true, 2, 2.5)] {
        let mut changed = config(Recovery::Rack, "reno");
        changed.fast_recovery.chained_recovery = chained;
        let mut bench = Bench::new(changed, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        assert_eq!(bench.ack(100, 1, &[(2, 5)]), [1]);
        assert_eq!(bench.ack(101, 1, &[(2, 10)]), [12, 13]);
        assert_eq!(bench.ack(202, 1, &[(2, 12), (13, 14)])[..2], [1, 12]);
        bench.ack(301, 12, &[(13, 14)]);
        assert_eq!((bench.0.stats().fast_retransmits, bench.0.ssthresh()), (cuts, ssthresh), "{chained}");
    }
}

/// RFC 8985 section 7.2: the probe timeout is two SRTT, plus 200 ms with one segment outstanding, and 1 s before the first RTT
/// sample. The retransmission timer is set so late that it does not limit these timeouts.
#[test]
fn the_probe_timeout_is_that_of_the_rfc() {
    let slow = |size| {
        let config = {
            let mut changed = config(Recovery::Rack, "reno");
            changed.timers.min_rto = Duration::from_secs(2);
            changed.timers.initial_rto = Duration::from_secs(3);
            changed
        };
        let mut bench = Bench::new(config, size);
        bench.sent(0);
        bench
    };
    assert_eq!(slow(10).due(), at(1000));
    let mut several = slow(10);
    assert!(several.ack(100, 1, &[]).is_empty());
    assert_eq!(several.due(), at(100 + 200));
    let mut one = slow(2);
    one.ack(100, 1, &[]);
    assert_eq!(one.due(), at(100 + 200 + 200));
    // SRTT 100 ms, RTTVAR 50 ms: the retransmission timer expires after 300 ms.
    let mut early = Bench::new(config(Recovery::Rack, "reno"), 2);
    early.sent(0);
    early.ack(100, 1, &[]);
    assert_eq!(early.due(), at(100 + 300));
    // Without an RTT sample no probe is sent (section 7.3), and the timer is restarted.
    let mut silent = slow(10);
    assert!(silent.expire(1000).is_empty());
    assert_eq!(silent.expire(4000)[0], 0);
    assert_eq!(silent.0.stats().timeouts, 1);
}

/// RFC 8985 section 7.3: a probe is a new segment, or the highest segment again if there are no new data.
/// Only one probe is outstanding at a time.
#[test]
fn a_probe_is_new_data_or_the_last_segment() {
    let mut bench = Bench::new(config(Recovery::Rack, "reno"), 10);
    bench.sent(0);
    bench.ack(100, 5, &[]);
    assert_eq!(bench.expire(300), [9]);
    assert_eq!(bench.0.stats().timeouts, 0);
    let mut bench = Bench::new(
        {
            let mut changed = config(Recovery::Rack, "reno");
            changed.windows.max_window = 10.0;
            changed
        },
        1000,
    );
    bench.sent(0);
    assert_eq!(bench.ack(100, 5, &[]), segments(10..15));
    assert_eq!(bench.expire(300), [14], "max_window leaves no room");
    let mut bench = Bench::new(config(Recovery::Rack, "vegas"), 1000);
    bench.sent(0);
    let sent = bench.ack(100, 5, &[]);
    let next = sent.last().expect("some") + 1;
    assert_eq!(bench.expire(300), [next], "beyond the window");
    assert_eq!(bench.0.cwnd(), (next - 5) as f64, "which stays as it is");
    // The retransmission timer expires at 300 + 300 ms.
    assert_eq!(bench.expire(600)[0], 5);
}

/// RFC 8985 section 7.4: a probe that repaired a loss reduces the window; a needless probe does not.
#[test]
fn a_probe_that_repaired_a_loss_cuts_the_window() {
    let probed = || {
        let mut sender = Sender::new(
            &Arc::new({
                let mut changed = config(Recovery::Rack, "reno");
                changed.windows.initial_window = 4.0;
                changed
            }),
            Duration::ZERO,
        );
        sender.open_stream(Instant::ZERO);
        sender.offer(Instant::ZERO, 4000);
        let mut bench = Bench(sender);
        bench.sent(0);
        bench.ack(100, 3, &[]);
        assert_eq!(bench.0.cwnd(), 7.0);
        // With one segment the probe timeout is 200 + 200 ms, but the retransmission timer expires after 300 ms.
        assert_eq!(bench.expire(400), [3]);
        bench.ack(500, 4, &[]);
        bench
    };
    let mut repaired = probed();
    repaired.0.offer(at(600), 8000);
    assert_eq!(repaired.sent(600), segments(4..8));
    repaired.ack(700, 5, &[]);
    assert_eq!((repaired.0.ssthresh(), repaired.0.stats().fast_retransmits), (2.0, 1));
    let mut needless = probed();
    needless.ack(501, 4, &[]);
    needless.0.offer(at(600), 8000);
    needless.sent(600);
    needless.ack(700, 5, &[]);
    assert_eq!((needless.0.ssthresh(), needless.0.stats().fast_retransmits), (f64::INFINITY, 0));
}

/// RFC 8985 section 6.3: a timeout marks the oldest segment and others of that age as lost, but not more recent ones.
#[test]
fn a_timeout_takes_only_the_old_for_lost() {
    let config = {
        let mut changed = config(Recovery::Rack, "reno");
        changed.detection.tail_loss_probe = false;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    assert_eq!(bench.ack(100, 2, &[]), segments(10..14));
    // Segments 2 to 9 were sent at 0 ms, 10 to 13 at 100 ms; by 400 ms all of them are overdue.
    assert_eq!(bench.expire(400), [2]);
    assert_eq!(bench.0.in_flight(), 1);
    assert_eq!(bench.ack(500, 3, &[]), [3, 4]);
}

/// Result of a run over a path.
struct Outcome {
    stats: SenderStats,
    /// Number of segments that arrived more than once.
    needless: u64,
    took: Duration,
}

/// Sends `size` segments over a link of one segment per millisecond with a round trip of 100 ms.
///
/// `fate` returns the extra delay of a segment, ms, given its number and the count of its transmissions, or `None` if it is lost.
fn transfer(config: &Config, size: u64, fate: impl Fn(u64, u32) -> Option<u64>) -> Outcome {
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(config);
    let mut heap: BinaryHeap<Reverse<(Instant, usize, bool)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let mut sendings = vec![0; size as usize];
    let (mut now, mut free) = (Instant::ZERO, Instant::ZERO);
    sender.open(now, Some(size * u64::from(config.sizes.segment)));
    while sender.finished().is_none() {
        while let Some((segment, _)) = sender.poll(now) {
            free = free.max(now) + Duration::from_ms(1);
            let sending = &mut sendings[segment.seq as usize];
            *sending += 1;
            if let Some(late) = fate(segment.seq, *sending) {
                segments.push(segment);
                heap.push(Reverse((free + Duration::from_ms(50 + late), segments.len() - 1, false)));
            }
        }
        while let Some((header, _)) = receiver.poll(now) {
            acks.push(header);
            heap.push(Reverse((now + Duration::from_ms(50), acks.len() - 1, true)));
        }
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timers = [sender.timer(), sender.release(), receiver.timer()].map(|t| t.map(|t| t.at));
        now = timers.into_iter().chain([arrival]).flatten().min().expect("the connection is stuck");
        if arrival == Some(now) {
            match heap.pop() {
                Some(Reverse((_, i, true))) => sender.on_ack(now, &acks[i]),
                Some(Reverse((_, i, false))) => receiver.on_segment(now, &segments[i]),
                None => {}
            }
        } else if timers[0] == Some(now) {
            sender.on_timer(now);
        } else if timers[2] == Some(now) {
            receiver.on_timer(now);
        }
    }
    let needless = receiver.stats().duplicate_packets;
    Outcome { stats: sender.stats(), needless, took: now.since(Instant::ZERO) }
}

/// Every 50th segment arrives 12 ms late, after twelve others. `sack` considers each lost and retransmits it. RACK does so only
/// until a late segment arrives that it has not retransmitted, which reveals the reordering.
#[test]
fn reordering_makes_sack_send_in_vain_but_not_rack() {
    let late = |seq: u64, _| Some(if seq % 50 == 49 { 12 } else { 0 });
    for (control, limits) in [("reno", [4, 24]), ("cubic", [2, 22])] {
        let config = |recovery| {
            let mut changed = config(recovery, control);
            changed.windows.max_window = 100.0;
            changed
        };
        let sack = transfer(&config(Recovery::Sack), 3000, late);
        let rack = transfer(&config(Recovery::Rack), 3000, late);
        assert_eq!([rack.needless, sack.needless], limits, "{control}: sent in vain");
        assert!(rack.stats.fast_retransmits <= limits[0]);
        assert!(rack.took < sack.took, "{control}: {:?} against {:?}", rack.took, sack.took);
        // The first late segment comes only 2 ms late, and so is not retransmitted but reveals the
        // reordering: no later retransmission is needless.
        let mild = |seq: u64, _| Some(if seq % 50 == 49 { if seq < 50 { 2 } else { 12 } } else { 0 });
        assert_eq!(transfer(&config(Recovery::Rack), 3000, mild).needless, 0, "{control}");
    }
}

/// The last three segments are lost. `sack` waits for the timer; RACK's probe causes an acknowledgment that reveals the losses.
#[test]
fn a_probe_repairs_the_tail_without_a_timeout() {
    let tail = |seq: u64, sending: u32| (seq < 57 || sending > 1).then_some(0);
    // The minimum RTO of RFC 6298.
    let config = |recovery, control| {
        let mut changed = config(recovery, control);
        changed.timers.min_rto = Duration::from_secs(1);
        changed
    };
    for control in ["reno", "cubic", "bbr", "vegas"] {
        let sack = transfer(&config(Recovery::Sack, control), 60, tail);
        let rack = transfer(&config(Recovery::Rack, control), 60, tail);
        assert_eq!((sack.stats.timeouts, rack.stats.timeouts), (1, 0), "{control}");
        assert_eq!((rack.needless, rack.stats.fast_retransmits), (0, 1), "{control}");
        assert!(rack.took < sack.took, "{control}: {:?} against {:?}", rack.took, sack.took);
        // The receiver does not echo the timestamp of a segment out of order; an old echo is no sign that the probe
        // was needless.
        let stamped = {
            let mut changed = config(Recovery::Rack, control);
            changed.options.timestamps = true;
            changed
        };
        let rack = transfer(&stamped, 60, tail);
        assert_eq!((rack.stats.timeouts, rack.stats.fast_retransmits), (0, 1), "{control}: with timestamps");
        let blind = {
            let mut changed = config(Recovery::Rack, control);
            changed.detection.tail_loss_probe = false;
            changed
        };
        assert_eq!(transfer(&blind, 60, tail).stats.timeouts, 1, "{control}: without probes");
    }
}

/// The loss of a retransmission costs `sack` a timeout, but RACK only one more round trip.
#[test]
fn a_lost_retransmission_needs_no_timeout() {
    let twice = |seq: u64, sending: u32| (seq != 30 || sending > 2).then_some(0);
    let sack = transfer(&config(Recovery::Sack, "reno"), 400, twice);
    let rack = transfer(&config(Recovery::Rack, "reno"), 400, twice);
    assert_eq!((sack.stats.timeouts, rack.stats.timeouts), (1, 0));
    assert_eq!((rack.needless, rack.stats.fast_retransmits), (0, 1));
}

/// Of ten segments the first is lost, and two duplicate ACKs each release one more. At the third, twelve are outstanding, of which
/// three have arrived and one is lost. ssthresh is half of ten (without Limited Transmit), or half of the pipe of eight.
#[test]
fn what_sack_halves() {
    for (reduction, left) in [(Reduction::Flight, 5.0), (Reduction::Pipe, 4.0)] {
        let mut bench = Bench::new(
            {
                let mut changed = config(Recovery::Sack, "reno");
                changed.decrease.reduction = reduction;
                changed
            },
            100,
        );
        assert_eq!(bench.sent(0).len(), 10);
        assert_eq!(bench.ack(100, 0, &[(1, 2)]), [10]);
        assert_eq!(bench.ack(100, 0, &[(1, 3)]), [11]);
        assert_eq!(bench.ack(100, 0, &[(1, 4)])[0], 0);
        assert_eq!(bench.0.ssthresh(), left, "{reduction:?}");
    }
}
