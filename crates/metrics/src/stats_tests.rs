use super::*;
use crate::LinkStats;
use crate::ps_sum::PsSum;
use base::{Body, DataHeader, Ecn, FlowId};
use std::mem::offset_of;

fn ms(n: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(n)
}

fn segment(sent: Instant, seq: u64, retransmission: bool) -> Packet {
    let body = Body::Data(DataHeader { seq, payload: 1000, retransmission, ..DataHeader::default() });
    Packet { sent, flow: FlowId(0), route: 0, wire: 1040, body, ecn: Ecn::NotEct, class: 0 }
}

#[test]
fn delay_and_jitter_by_hand() {
    let mut delay = DelayStats::default();
    assert_eq!((delay.mean_s(), delay.jitter_mean_s(), delay.min(), delay.max()), (None, None, None, None));
    // Delays of 10, 30 and 20 ms have a mean of 20 ms and a mean difference between neighbours of (20 + 10) / 2 = 15
    // ms.
    assert_eq!(delay.add(Duration::from_ms(10)), None);
    assert_eq!(delay.jitter_mean_s(), None);
    assert_eq!(delay.add(Duration::from_ms(30)), Some(Duration::from_ms(20)));
    assert_eq!(delay.add(Duration::from_ms(20)), Some(Duration::from_ms(10)));
    assert_eq!(delay.mean_s(), Some(0.02));
    assert_eq!(delay.jitter_mean_s(), Some(0.015));
    assert_eq!(delay.min(), Some(Duration::from_ms(10)));
    assert_eq!(delay.max(), Some(Duration::from_ms(30)));
    assert_eq!(delay.count(), 3);
}

#[test]
fn flow_by_hand() {
    // Three segments are sent; the second is lost and retransmitted. Rates are over 2 s.
    let mut flow = FlowStats::default();
    for (seq, retransmission) in [(0, false), (1, false), (2, false), (1, true)] {
        flow.on_sent(&segment(ms(0), seq, retransmission));
    }
    flow.on_received(ms(50), &segment(ms(0), 0, false));
    flow.on_lost(DropCause::Random);
    flow.on_received(ms(100), &segment(ms(10), 2, false));
    assert_eq!(flow.in_flight_packets(), 1);
    flow.on_received(ms(300), &segment(ms(200), 1, true));
    flow.on_acked(3, 3000);
    assert_eq!(flow.in_flight_packets(), 0);
    assert_eq!((flow.sent_packets, flow.sent_bytes), (4, 4000));
    assert_eq!((flow.retransmitted_packets, flow.retransmitted_bytes), (1, 1000));
    assert_eq!((flow.received_packets, flow.received_bytes, flow.received_wire_bytes), (3, 3000, 3120));
    let interval = Duration::from_secs(2);
    assert_eq!(flow.goodput_bps(interval), 12_000.0);
    assert_eq!(flow.throughput_bps(interval), 12_480.0);
    assert_eq!(flow.new_data_bps(interval), 12_000.0);
    // 3120 B on the wire arrive between 50 and 300 ms; FlowMonitor's rate is over these 250 ms.
    assert_eq!(flow.flowmonitor_throughput_bps(), Some(99_840.0));
    assert_eq!(flow.loss_ratio(), 0.25);
    assert_eq!(flow.lost.of(DropCause::Random), 1);
    assert_eq!(flow.lost.total(), 1);
    assert_eq!(flow.delay.max(), Some(Duration::from_ms(100)));
    assert_eq!(FlowStats::default().loss_ratio(), 0.0);
    assert_eq!(flow.goodput_bps(Duration::ZERO), 0.0);
}

#[test]
fn link_by_hand() {
    // The run lasts 100 ms. Packet 1 arrives at 10 ms and is sent from 10 to 30 ms, packet 2 arrives at 20 ms and is
    // sent from 30 to 50 ms. Packet 3 arrives at 90 ms; its transmission until 110 ms is cut off at 100 ms.
    let end = ms(100);
    let mut link = LinkStats::default();
    link.on_queued(ms(10), [ms(10), ms(30)], 500, 1, end);
    link.on_queued(ms(20), [ms(30), ms(50)], 500, 2, end);
    link.on_queued(ms(90), [ms(90), ms(110)], 500, 1, end);
    link.on_drop(DropCause::Queue);
    assert_eq!((link.sent_packets, link.sent_bytes), (2, 1000));
    assert_eq!(link.utilisation(end), 0.5);
    // The packets are in the queue for 20 + 30 + 10 ms of the 100 ms.
    assert_eq!(link.queue_mean_packets(end), 0.6);
    assert_eq!(link.queue_max_packets(), 2);
    // The packets wait 0, 10 and 0 ms for their transmission.
    assert!((link.queue_delay_mean_s().unwrap() - 0.01 / 3.0).abs() < 1e-15);
    assert_eq!(link.drops().by_cause().map(|(_, n)| n).collect::<Vec<_>>(), {
        let mut one = [0; CAUSES];
        one[0] = 1;
        one
    });
    link.on_marked();
    link.on_duplicated();
    assert_eq!((link.marked_packets(), link.duplicated_packets()), (1, 1));
    // Packet 4 arrives at 95 ms and would be sent from 110 to 130 ms. It is in the queue for 5 ms of the run, and its
    // wait is not over, so it is not in the mean.
    link.on_queued(ms(95), [ms(110), ms(130)], 500, 2, end);
    assert_eq!((link.utilisation(end), link.queue_mean_packets(end)), (0.5, 0.65));
    assert!((link.queue_delay_mean_s().unwrap() - 0.01 / 3.0).abs() < 1e-15);
    assert_eq!(LinkStats::default().utilisation(Instant::ZERO), 0.0);
}

#[test]
fn counters_stay_small() {
    assert_eq!((size_of::<LinkStats>(), size_of::<DelayStats>()), (56, 56));
    // Two cache lines at the destination, and three at the source.
    assert_eq!(offset_of!(FlowStats, sent_packets), 128);
    assert!(offset_of!(FlowStats, retransmitted_packets) <= 5 * 64 && size_of::<FlowStats>() <= 448);
}

#[test]
fn sums_outgrow_64_bits() {
    let (mut sum, mut sums) = (PsSum::default(), PsSums::default());
    for _ in 0..3 {
        sum.add(u64::MAX);
        sums.add::<1>(u64::MAX);
    }
    assert_eq!(sum.get(), 3 * u128::from(u64::MAX));
    let mut twice = sums;
    twice.merge(sums);
    assert_eq!((twice.get::<0>().get(), twice.get::<1>().get()), (0, 6 * u128::from(u64::MAX)));
}

/// A flow that loses packets because of one cause needs less memory than one with several; the counts are the same.
#[test]
fn losses_of_one_cause_and_of_several_are_counted() {
    let mut lost = LostStats::default();
    (0..3).for_each(|_| lost.add(DropCause::Queue));
    assert_eq!((lost.of(DropCause::Queue), lost.of(DropCause::Random), lost.total()), (3, 0, 3));
    let one = lost.clone();
    lost.add(DropCause::Random);
    lost.merge(&one);
    assert_eq!((lost.of(DropCause::Queue), lost.of(DropCause::Random), lost.total()), (6, 1, 7));
    let mut other = LostStats::default();
    other.merge(&lost);
    assert_eq!(other, lost);
}

#[test]
fn jain_by_hand() {
    assert_eq!(jain(&[1.0, 1.0, 1.0]), Some(1.0));
    assert_eq!(jain(&[4.0, 0.0, 0.0, 0.0]), Some(0.25));
    // Jain's index is (sum of x)^2 / (n * sum of x^2) = (1 + 2 + 3)^2 / (3 * 14).
    assert_eq!(jain(&[1.0, 2.0, 3.0]), Some(36.0 / 42.0));
    assert_eq!(jain(&[]), None);
    assert_eq!(jain(&[0.0]), None);
}
