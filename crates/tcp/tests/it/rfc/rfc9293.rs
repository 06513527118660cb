//! RFC 9293: the advertised window, zero-window probes, and opening and closing of connections.

use super::{Bench, endpoint};
use crate::common::bench::{ack, at, rtt};
use base::{AckHeader, Advertised, DataHeader, Duration, Instant};
use std::sync::Arc;
use tcp::config::Syn;
use tcp::recovery::Recovery;
use tcp::{Phase, Sender};

/// Returns an acknowledgment of all segments below `to` with an advertised window of `segments` segments.
fn room(to: u64, segments: u64) -> AckHeader {
    AckHeader { window: Advertised::of(1000 * segments), ..ack(to, &[]) }
}

/// Returns a sender that has sent the ten segments of its first window at 0 ms.
fn bench() -> Bench {
    let mut bench = Bench::new(endpoint(Recovery::Reno), 1000);
    assert_eq!(bench.sent(0).len(), 10);
    bench
}

fn told(bench: &mut Bench, ms: u64, header: &AckHeader) -> Vec<u64> {
    bench.0.on_ack(at(ms), header);
    bench.sent(ms)
}

/// Lets the timer expire at `ms` and asserts that a zero-window probe leaves: a bare header, no segment of the stream.
fn probed(bench: &mut Bench, ms: u64) {
    assert_eq!(bench.due(), at(ms));
    bench.0.on_timer(at(ms));
    let (probe, wire) = bench.0.poll(at(ms)).expect("a probe");
    assert!(probe.probe && !probe.syn && !probe.retransmission);
    assert_eq!((probe.seq, probe.payload, wire), (10, 0, 40));
    assert!(bench.0.poll(at(ms)).is_none());
}

/// Section 3.8.6.1: the first zero-window probe comes after an RTO (100 + 4 * 50 ms), and later intervals double. When the window
/// opens, the intervals are reset.
#[test]
fn a_closed_window_is_probed_with_intervals_that_double() {
    let mut bench = bench();
    assert!(told(&mut bench, 100, &room(10, 0)).is_empty());
    for ms in [400, 1000, 2200] {
        probed(&mut bench, ms);
        // The answer shows that the window is still closed.
        assert!(told(&mut bench, ms + 100, &room(10, 0)).is_empty());
    }
    assert_eq!(bench.due(), at(4600));
    assert_eq!(told(&mut bench, 4000, &room(10, 5)), [10, 11, 12, 13, 14]);
    assert_eq!(bench.due(), at(4300), "now for data");
    told(&mut bench, 4100, &room(15, 0));
    assert!(bench.due() < at(4100 + 600), "the interval begins anew");
    assert_eq!(bench.0.stats().timeouts, 0);
}

#[test]
fn probes_are_a_minute_apart_at_most() {
    let mut bench = bench();
    told(&mut bench, 100, &room(10, 0));
    for _ in 0..40 {
        let due = bench.due();
        bench.0.on_timer(due);
        assert!(bench.0.poll(due).is_some_and(|(segment, _)| segment.probe));
        assert!(bench.due().since(due) <= Duration::from_secs(60));
    }
    let last = bench.due();
    bench.0.on_timer(last);
    assert_eq!(bench.due().since(last), Duration::from_secs(60));
}

/// The sender also probes the window if the application writes the data only after the window has been
/// closed.
#[test]
fn data_that_finds_the_window_closed_has_it_probed() {
    let mut sender = Sender::new(&Arc::new(endpoint(Recovery::Reno)), Duration::ZERO);
    sender.open_stream(at(0));
    sender.offer(at(0), 3000);
    let mut bench = Bench(sender);
    assert_eq!(bench.sent(0), [0, 1, 2]);
    assert!(told(&mut bench, 100, &room(3, 0)).is_empty());
    assert!(bench.0.timer().is_none(), "nothing is left to send");
    bench.0.offer(at(1000), 5000);
    assert!(bench.sent(1000).is_empty());
    assert_eq!(bench.due(), at(1300));
    assert_eq!(told(&mut bench, 1100, &room(3, 1)), [3]);
}

/// If the window closes while segments are outstanding and then opens again, the retransmission timer is restarted for them.
#[test]
fn a_window_that_opens_over_outstanding_data_restarts_the_timer() {
    let mut bench = bench();
    assert!(told(&mut bench, 100, &room(1, 0)).is_empty());
    assert_eq!(bench.due(), at(400));
    // The window permits segments up to 9, which have already been sent.
    assert!(told(&mut bench, 150, &room(1, 9)).is_empty());
    assert_eq!(bench.due(), at(450));
    assert_eq!(bench.expire(450), [1]);
}

/// A duplicate ACK releases no segment, but an acknowledgment that widens the window does, even after a
/// duplicate.
#[test]
fn an_update_of_the_window_sends_what_it_has_room_for() {
    let mut bench = bench();
    assert!(told(&mut bench, 100, &room(1, 9)).is_empty());
    assert!(told(&mut bench, 110, &room(1, 9)).is_empty());
    assert_eq!(told(&mut bench, 120, &room(1, 10)), [10], "the window of 11 has room for two");
    // This acknowledgment advertises no window (`Advertised::NONE`), so only the sender's own limits apply; they
    // also permit segment 11.
    assert_eq!(told(&mut bench, 130, &ack(1, &[])), [11]);
}

fn handshake() -> Sender {
    let config = {
        let mut changed = endpoint(Recovery::Reno);
        changed.connection.syn = Syn::Handshake;
        changed.connection.fin = true;
        changed
    };
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(at(50), Some(3000));
    let syn = drain(&mut sender, at(50));
    assert!(syn.len() == 1 && syn[0].syn && !syn[0].retransmission);
    sender
}

fn drain(sender: &mut Sender, now: Instant) -> Vec<DataHeader> {
    std::iter::from_fn(|| sender.poll(now)).map(|(segment, _)| segment).collect()
}

fn syn_ack() -> AckHeader {
    AckHeader { syn: true, ..AckHeader::default() }
}

#[test]
fn the_handshake_measures_a_round_trip_and_a_lost_syn_none() {
    let mut sender = handshake();
    sender.on_ack(at(150), &syn_ack());
    assert_eq!(rtt(&mut sender), Some(Duration::from_ms(100)));
    let mut sender = handshake();
    sender.on_timer(at(1050));
    let again = drain(&mut sender, at(1050));
    assert!(again.len() == 1 && again[0].syn && again[0].retransmission);
    assert_eq!(sender.stats().timeouts, 1);
    assert_eq!(sender.timer().expect("backed off").at, at(1050 + 2000));
    sender.on_ack(at(1150), &syn_ack());
    assert_eq!(rtt(&mut sender), None);
}

/// A window of zero in the SYN-ACK is probed.
#[test]
fn a_window_closed_from_the_beginning_is_probed() {
    let mut sender = handshake();
    sender.on_ack(at(150), &AckHeader { window: Advertised::of(0), ..syn_ack() });
    let sent = drain(&mut sender, at(150));
    assert!(sent.len() == 1 && sent[0].bare_ack, "no data completes the handshake");
    assert_eq!(sender.timer().expect("probes").at, at(150 + 300));
    sender.on_timer(at(450));
    assert!(drain(&mut sender, at(450))[0].probe);
}

/// If the ACK of a SYN-ACK was lost, the SYN-ACK comes again; it is acknowledged and does not count as a duplicate ACK.
#[test]
fn a_second_answer_to_the_syn_is_acknowledged_and_means_nothing_else() {
    let mut sender = handshake();
    sender.on_ack(at(150), &syn_ack());
    assert_eq!(drain(&mut sender, at(150)).len(), 3);
    for ms in [160, 170, 180, 190] {
        sender.on_ack(at(ms), &syn_ack());
        let sent = drain(&mut sender, at(ms));
        assert!(sent.len() == 1 && sent[0].bare_ack && !sent[0].acks_fin && !sent[0].retransmission);
    }
    assert_eq!((sender.stats().fast_retransmits, sender.cwnd()), (0, 10.0));
}

/// Sections 3.6 and 3.10.7.4: the last segment carries the FIN; the connection closes once the receiver's FIN
/// has arrived too.
#[test]
fn the_connection_closes_when_both_ends_have() {
    let mut sender = handshake();
    sender.on_ack(at(150), &syn_ack());
    assert_eq!(drain(&mut sender, at(150)).iter().map(|s| s.fin).collect::<Vec<_>>(), [false, false, true]);
    sender.on_ack(at(250), &ack(2, &[]));
    // A FIN that comes before the sender's own is acknowledged does not close the connection: the receiver
    // cannot have seen the end of the data.
    sender.on_ack(at(255), &AckHeader { fin: true, ..ack(2, &[]) });
    assert_eq!(sender.phase(), Phase::Open);
    drain(&mut sender, at(255));
    sender.on_ack(at(260), &ack(3, &[]));
    assert_eq!((sender.finished(), sender.phase()), (Some(at(260)), Phase::Open));
    sender.on_ack(at(270), &AckHeader { fin: true, ..ack(3, &[]) });
    assert_eq!((sender.finished(), sender.phase()), (Some(at(260)), Phase::Closed));
    let last = drain(&mut sender, at(270));
    assert!(last.len() == 1 && last[0].bare_ack && last[0].acks_fin);
    assert!(sender.timer().is_none());
}

/// The receiver's FIN can come with the acknowledgment of the last data.
#[test]
fn an_acknowledgment_with_a_fin_may_be_the_last_of_the_data() {
    let mut sender = handshake();
    sender.on_ack(at(150), &syn_ack());
    drain(&mut sender, at(150));
    sender.on_ack(at(250), &AckHeader { fin: true, ..ack(3, &[]) });
    assert_eq!((sender.finished(), sender.phase()), (Some(at(250)), Phase::Closed));
    assert_eq!((sender.stats().acked_bytes, sender.sequence()), (3000, (3, 3, 3)));
    assert!(sender.timer().is_none());
}

/// Without a FIN the connection ends with the acknowledgment of the last data, also if loss recovery has set a timer.
#[test]
fn without_a_fin_the_last_acknowledgment_ends_it() {
    for recovery in [Recovery::Reno, Recovery::Rack] {
        let mut bench = Bench::new(endpoint(recovery), 3);
        bench.sent(0);
        bench.ack(100, 2, &[]);
        assert_eq!(bench.0.phase(), Phase::Open);
        bench.ack(110, 3, &[]);
        assert_eq!((bench.0.phase(), bench.0.finished()), (Phase::Closed, Some(at(110))));
        assert!(bench.0.timer().is_none() && bench.0.stalled().is_none());
    }
}

/// RFC 7323 section 3.2: every segment has a timestamp, also SYNs, bare ACKs and probes. A SYN and a bare ACK have the size of a SYN,
/// a probe that of an acknowledgment, each plus the option.
#[test]
fn segments_without_data_have_stamps_and_sizes_of_their_own() {
    for (timestamps, option, stamps) in [(true, 12, [50_001, 150_001, 500_001]), (false, 0, [0; 3])] {
        let config = {
            let mut changed = endpoint(Recovery::Reno);
            (changed.connection.syn, changed.options.timestamps) = (Syn::Handshake, timestamps);
            (changed.sizes.syn_size, changed.sizes.ack_size) = (60, 44);
            changed
        };
        let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
        sender.open(at(50), Some(3000));
        let (syn, syn_size) = sender.poll(at(50)).expect("a SYN");
        sender.on_ack(at(150), &AckHeader { window: Advertised::of(0), ts_val: 7, ..syn_ack() });
        let (bare, bare_size) = sender.poll(at(150)).expect("an acknowledgment");
        sender.on_timer(at(500));
        let (probe, probe_size) = sender.poll(at(500)).expect("a probe");
        assert_eq!([syn_size, bare_size, probe_size], [60, 60, 44].map(|size| size + option));
        assert_eq!([syn.ts_val, bare.ts_val, probe.ts_val], stamps);
        assert_eq!([syn.ts_ecr, bare.ts_ecr], [0, if timestamps { 7 } else { 0 }]);
    }
}
