//! Explicit congestion notification between two endpoints, worked by hand.

use base::{AckHeader, DataHeader, Duration, Ecn, Instant};
use std::sync::Arc;
use tcp::config::{Config, Ecn as Mode};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

fn config(control: &str, mode: Mode, delayed: bool) -> Config {
    let control = Control::by_name(control, &[]).expect("registered");
    let syn = tcp::config::Syn::None;
    let mut changed = crate::common::config(Recovery::Sack, control, false, delayed);
    changed.options.ecn = mode;
    changed.connection.syn = syn;
    changed.windows.max_window = 1000.0;
    changed
}

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(ms)
}

fn drain(sender: &mut Sender, now: Instant) -> Vec<DataHeader> {
    std::iter::from_fn(|| sender.poll(now).map(|(segment, _)| segment)).collect()
}

fn ack(ack: u64, ece: bool) -> AckHeader {
    AckHeader { ack, ece, ..AckHeader::default() }
}

/// RFC 3168 section 6.1: one reduction per window of data, no retransmission, and CWR only on the next new segment.
#[test]
fn a_mark_cuts_once_in_a_round_trip() {
    let mut sender = Sender::new(&Arc::new(config("reno", Mode::Classic, false)), Duration::ZERO);
    sender.open(at(0), None);
    let first = drain(&mut sender, at(0));
    assert_eq!((first.len(), first.iter().any(|s| s.cwr)), (10, false));
    assert!(first.iter().all(|s| sender.codepoint(s) == Ecn::Ect0));
    // The first acknowledgment has ECE, so it does not increase the window. It halves the nine segments then
    // outstanding.
    sender.on_ack(at(50), &ack(1, true));
    assert_eq!((sender.cwnd(), sender.ssthresh()), (4.5, 4.5));
    assert_eq!(drain(&mut sender, at(50)).len(), 0);
    for n in 2..=10 {
        sender.on_ack(at(50 + n), &ack(n, true));
        let sent = drain(&mut sender, at(50 + n));
        assert!(sent.iter().all(|s| !s.retransmission && s.cwr == (s.seq == 10)), "{sent:?}");
    }
    assert_eq!((sender.stats().ecn_reductions, sender.stats().fast_retransmits), (1, 0));
    // All data outstanding at the first reduction is acknowledged, so a new mark reduces the window again.
    sender.on_ack(at(100), &ack(11, true));
    assert_eq!(sender.stats().ecn_reductions, 2);
}

/// RFC 8511 section 3.1 (ABE): a mark multiplies the window by 0.8 rather than 0.5.
#[test]
fn abe_cuts_less() {
    let config = {
        let mut changed = config("reno", Mode::Classic, false);
        changed.decrease.abe = true;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(at(0), None);
    drain(&mut sender, at(0));
    sender.on_ack(at(50), &ack(1, true));
    assert!((sender.cwnd() - 0.8 * 9.0).abs() < 1e-12, "{}", sender.cwnd());
}

fn arrives(receiver: &mut Receiver, seq: u64, marked: bool, cwr: bool) -> Vec<(u64, bool)> {
    let now = at(seq);
    let mut acks = Vec::new();
    receiver.on_ecn(marked);
    acks.extend(receiver.poll(now).map(|(ack, _)| (ack.ack, ack.ece)));
    let segment = DataHeader { seq, offset: 1000 * seq, payload: 1000, cwr, ..DataHeader::default() };
    receiver.on_segment(now, &segment);
    acks.extend(receiver.poll(now).map(|(ack, _)| (ack.ack, ack.ece)));
    acks
}

#[test]
fn a_classic_receiver_echoes_until_told() {
    let mut receiver = Receiver::new(&config("reno", Mode::Classic, false));
    assert_eq!(arrives(&mut receiver, 0, false, false), [(1, false)]);
    assert_eq!(arrives(&mut receiver, 1, true, false), [(2, true)]);
    assert_eq!(arrives(&mut receiver, 2, false, false), [(3, true)]);
    assert_eq!(arrives(&mut receiver, 3, false, true), [(4, false)]);
    // A marked segment with CWR counts as a new mark.
    assert_eq!(arrives(&mut receiver, 4, true, true), [(5, true)]);
    assert_eq!(receiver.stats().marked_packets, 2);
}

/// RFC 8257 section 3.2, figure 1: with delayed ACKs, waiting segments are acknowledged before the marking changes.
#[test]
fn a_dctcp_receiver_tells_each_mark() {
    let mut receiver = Receiver::new(&config("dctcp", Mode::Dctcp, true));
    assert!(arrives(&mut receiver, 0, false, false).is_empty());
    assert_eq!(arrives(&mut receiver, 1, true, false), [(1, false)]);
    assert_eq!(arrives(&mut receiver, 2, true, false), [(3, true)]);
    assert!(arrives(&mut receiver, 3, true, false).is_empty());
    assert_eq!(arrives(&mut receiver, 4, false, false), [(4, true)]);
    assert_eq!(arrives(&mut receiver, 5, false, false), [(6, false)]);
}

/// RFC 3168 section 6.1.2: after a mark at a window of one segment, the next segment waits for the retransmission timer, here
/// 300 ms at an RTT of 100 ms.
#[test]
fn a_mark_at_a_window_of_one_segment_waits_for_the_timer() {
    let config = {
        let mut changed = config("reno", Mode::Classic, false);
        changed.windows.initial_window = 1.0;
        changed.decrease.loss_floor = 0.0;
        changed.growth.pacing = false;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(at(0), None);
    assert_eq!(drain(&mut sender, at(0)).len(), 1);
    sender.on_ack(at(100), &ack(1, true));
    assert!(drain(&mut sender, at(100)).is_empty());
    assert_eq!((sender.cwnd(), sender.stalled()), (1.0, None));
    assert_eq!(sender.timer().expect("it waits").at, at(400));
    sender.on_timer(at(400));
    let sent = drain(&mut sender, at(400));
    assert_eq!(sent.iter().map(|s| (s.seq, s.retransmission, s.cwr)).collect::<Vec<_>>(), [(1, false, true)]);
    assert_eq!(sender.cwnd(), 1.0);
}

/// After a timeout an ECN mark does not reduce the window again until all data outstanding at the timeout are
/// acknowledged.
#[test]
fn a_mark_while_a_timeout_is_repaired_cuts_nothing() {
    for (acked, reductions) in [(9, 0), (10, 1)] {
        let mut sender = Sender::new(&Arc::new(config("reno", Mode::Classic, false)), Duration::ZERO);
        sender.open(at(0), None);
        assert_eq!(drain(&mut sender, at(0)).len(), 10);
        sender.on_timer(at(1000));
        let again = drain(&mut sender, at(1000));
        // RFC 3168 section 6.1.5: retransmissions cannot be marked.
        assert_eq!((again.len(), sender.codepoint(&again[0])), (1, Ecn::NotEct));
        sender.on_ack(at(1100), &ack(acked, true));
        assert_eq!(sender.stats().ecn_reductions, reductions, "{acked}");
        // CWR follows the timeout in either case, but on new segments only.
        assert!(drain(&mut sender, at(1100)).iter().any(|s| s.cwr == (s.seq >= 10)));
    }
}

/// RFC 3168 section 6.1.2: a mark in fast recovery belongs to the same window and causes no further reduction.
#[test]
fn a_mark_in_fast_recovery_cuts_nothing() {
    let mut sender = Sender::new(&Arc::new(config("reno", Mode::Classic, false)), Duration::ZERO);
    sender.open(at(0), None);
    drain(&mut sender, at(0));
    sender.on_ack(at(100), &ack(1, false));
    drain(&mut sender, at(100));
    for (top, ece) in [(3, false), (4, false), (5, false), (6, true), (7, true)] {
        let mut header = ack(1, ece);
        header.sack[0] = base::SackBlock { from: 1, to: top - 1 };
        header.blocks = 1;
        sender.on_ack(at(100 + u64::from(top)), &header);
        drain(&mut sender, at(100 + u64::from(top)));
    }
    let stats = sender.stats();
    assert_eq!((stats.fast_retransmits, stats.ecn_reductions, sender.cwnd()), (1, 0, 5.5));
}

/// Nine segments are outstanding at the mark. With `pause_after_mark` the window does not grow until all of
/// them are acknowledged.
#[test]
fn the_window_may_pause_after_a_mark() {
    let grown = |pause: bool| {
        let mut config = config("reno", Mode::Classic, false);
        config.decrease.pause_after_mark = pause;
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open(at(0), None);
        drain(&mut sender, at(0));
        sender.on_ack(at(100), &ack(1, true));
        drain(&mut sender, at(100));
        let cut = sender.cwnd();
        sender.on_ack(at(101), &ack(5, false));
        let (_, _, max) = sender.sequence();
        let within = sender.cwnd() - cut;
        sender.on_ack(at(200), &ack(max, false));
        drain(&mut sender, at(200));
        sender.on_ack(at(300), &ack(max + 1, false));
        (within > 0.0, sender.cwnd() > cut)
    };
    assert_eq!((grown(false), grown(true)), ((true, true), (false, true)));
}

/// Returns the window after a mark on segment 0 of 20, and after segment 1 of the same window was found lost.
fn loss_after_a_mark(ecn: Mode, abe: bool) -> (f64, f64) {
    let mut config = config("reno", ecn, false);
    config.decrease.abe = abe;
    config.decrease.reduction = tcp::config::Reduction::Window;
    config.windows.initial_window = 20.0;
    config.growth.pacing = false;
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(at(0), None);
    assert_eq!(drain(&mut sender, at(0)).len(), 20);
    sender.on_ack(at(100), &ack(1, true));
    let marked = sender.cwnd();
    for arrived in 1..=4 {
        let mut header = ack(1, false);
        header.sack[0] = base::SackBlock { from: 1, to: 1 + arrived };
        header.blocks = 1;
        sender.on_ack(at(100 + u64::from(arrived)), &header);
    }
    assert!(drain(&mut sender, at(107)).iter().any(|s| s.seq == 1 && s.retransmission), "segment 1 was lost");
    (marked, sender.cwnd())
}

/// RFC 3168 section 6.1.2: if a mark has reduced the window, a loss in the same window of data causes no further reduction.
/// With ABE and DCTCP a mark reduces the window less than a loss does, so the loss still counts.
#[test]
fn a_loss_in_a_window_that_was_marked_cuts_nothing() {
    let (marked, lost) = loss_after_a_mark(Mode::Classic, false);
    assert!((10.0..11.0).contains(&marked) && marked == lost, "{marked} to {lost}");
    for (ecn, abe) in [(Mode::Classic, true), (Mode::Dctcp, false)] {
        let (marked, lost) = loss_after_a_mark(ecn, abe);
        assert!(lost < 0.7 * marked, "{ecn:?}: {marked} to {lost}");
    }
}

/// Retransmissions are ECN-capable in ns-2, but not by RFC 3168 section 6.1.5.
#[test]
fn retransmissions_are_ecn_capable_if_asked() {
    for (capable, codepoint) in [(false, Ecn::NotEct), (true, Ecn::Ect0)] {
        let mut config = config("reno", Mode::Classic, false);
        config.options.ecn_retransmissions = capable;
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open(at(0), None);
        drain(&mut sender, at(0));
        sender.on_timer(at(1000));
        let again = drain(&mut sender, at(1000));
        assert_eq!((again[0].retransmission, sender.codepoint(&again[0])), (true, codepoint));
    }
}

/// RFC 3168 section 6.1.2: the first new segment after a reduction for a loss has CWR. In ns-2 it is the retransmission.
#[test]
fn cwr_follows_a_loss() {
    for on_retransmissions in [false, true] {
        let mut config = config("reno", Mode::Classic, false);
        config.options.cwr_on_retransmissions = on_retransmissions;
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open(at(0), None);
        assert_eq!(drain(&mut sender, at(0)).iter().filter(|s| s.cwr).count(), 0);
        sender.on_timer(at(1000));
        let mut sent = drain(&mut sender, at(1000));
        sender.on_ack(at(1100), &ack(10, false));
        sent.extend(drain(&mut sender, at(1100)));
        let cwr: Vec<bool> = sent.iter().filter(|s| s.cwr).map(|s| s.retransmission).collect();
        assert_eq!(cwr, [on_retransmissions]);
    }
}

/// CDG reduces 20 segments to 14, since round-trip times grow from 40 to 60 ms. If the parameters ask for a gradual reduction
/// after a mark (Linux: state CWR), the window also shrinks gradually after a back-off, and does not grow in that round trip.
/// Otherwise it drops at once.
#[test]
fn a_back_off_is_gradual_where_marks_are() {
    for (gradual, largest) in [(true, 1.0), (false, 6.0)] {
        let mut config = config("cdg", Mode::Off, false);
        config.control = Control::by_name("cdg", &[("samples".to_owned(), 1.0)]).expect("registered");
        config.recovery = Recovery::Rack;
        config.decrease.window_reduction = tcp::config::WindowReduction::Prr;
        config.decrease.pause_after_mark = gradual;
        config.growth.whole_growth = true;
        config.windows.initial_window = 20.0;
        config.windows.initial_ssthresh = 10.0;
        config.growth.pacing = false;
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open(at(0), None);
        drain(&mut sender, at(0));
        let (mut windows, mut acked) = (vec![20.0], 0);
        for now in [40, 100, 160] {
            for _ in 0..20 {
                acked += 1;
                sender.on_ack(at(now), &ack(acked, false));
                drain(&mut sender, at(now));
                windows.push(sender.cwnd());
            }
        }
        let drop = windows.windows(2).map(|pair| pair[0] - pair[1]).fold(0.0, f64::max);
        assert!((drop - largest).abs() <= 0.3, "{gradual}: {drop} of {windows:?}");
        let least = windows.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((13.9..=15.0).contains(&least), "{gradual}: {windows:?}");
    }
}
