//! Invariants of every queue discipline: packets come out once, counts agree, and equal seeds give equal behaviour.

use super::*;
use base::{Body, Duration, Ecn, FlowId, LOWEST_CLASS};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Returns a packet of a datagram flow.
pub(super) fn datagram(flow: u32, wire: u32) -> Packet {
    let body = Body::Datagram { seq: 0, payload: wire };
    let ecn = Ecn::NotEct;
    Packet { sent: Instant::ZERO, flow: FlowId(flow), route: 0, wire, body, ecn, class: LOWEST_CLASS }
}

/// Returns the instant `n` milliseconds after the start.
pub(super) fn ms(n: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(n)
}

/// Returns the site of a queue: in front of a link of 8 Mb/s (1000 bytes per millisecond).
pub(super) fn site() -> Site<'static> {
    Site { rate: rate(8_000_000), seed: 1, name: "queue" }
}

fn rate(bps: u64) -> DataRate {
    DataRate::from_bps(bps).expect("positive")
}

/// Returns each discipline with a setting in which it drops, marks or reorders packets.
fn configs() -> Vec<Config> {
    let drop_tail = Config::DropTail(drop_tail::Config { limit: Limit::Packets(8) });
    let codel = codel::Config {
        law: codel::Law { interval: Duration::from_ms(20), ..codel::Law::default() },
        ..codel::Config::default()
    };
    let red = red::Config { weight: Some(0.2), limit: Limit::Bytes(40_000), ..red::Config::default() };
    let pie = pie::Config { max_burst: Duration::ZERO, ..pie::Config::default() };
    let fq = fq_codel::Config { queues: 4, limit: Limit::Packets(20), ..fq_codel::Config::default() };
    let bucket = |queue: Config| {
        Config::TokenBucket(token_bucket::Config {
            rate: rate(4_000_000),
            burst: 3000,
            queue: Box::new(queue),
        })
    };
    vec![
        drop_tail.clone(),
        Config::HeadDrop(head_drop::Config { limit: Limit::Packets(8) }),
        Config::Red(red),
        Config::TxRing(tx_ring::Config { packets: 3, queue: Box::new(drop_tail.clone()) }),
        Config::Red(red::Config { adaptive: true, ..red }),
        Config::CoDel(codel),
        Config::FqCoDel(fq),
        Config::Pie(pie),
        bucket(drop_tail.clone()),
        bucket(Config::FqCoDel(fq)),
        Config::Priority(priority::Config { bands: vec![bucket(drop_tail), Config::CoDel(codel)] }),
    ]
}

/// The fate of each packet, by its number, in one run of a link of 8 Mb/s that serves a queue.
#[derive(Debug, PartialEq)]
struct Fates {
    served: Vec<(u64, Instant)>,
    dropped: Vec<u64>,
    marked: Vec<u64>,
    left: usize,
}

fn number(packet: &Packet) -> u64 {
    match packet.body {
        Body::Datagram { seq, .. } => seq,
        _ => unreachable!("datagrams only"),
    }
}

/// Feeds `arrivals` (gap in microseconds, bytes, flow) to a queue and serves it; checks the queue's counts after every step.
fn play(config: &Config, arrivals: &[(u64, u32, u32)]) -> Fates {
    let mut queue = Queue::new(config, rate(8_000_000), 7, "queue");
    let mut out = Decisions::default();
    let mut fates = Fates { served: vec![], dropped: vec![], marked: vec![], left: 0 };
    // Time, end of the present transmission, and the time at which a shaped packet may leave.
    let (mut now, mut busy_until, mut wake) = (Instant::ZERO, None, None);
    let (mut held_bytes, mut came, mut next) = (0u64, 0usize, 0usize);
    let mut arrives = arrivals.first().map(|(gap, ..)| now + Duration::from_us(*gap));
    while let Some(at) = [arrives, busy_until, wake].into_iter().flatten().min() {
        now = at;
        if busy_until == Some(at) {
            busy_until = None;
            queue.sent();
        } else if arrives == Some(at) {
            let (_, wire, flow) = arrivals[next];
            let body = Body::Datagram { seq: next as u64, payload: wire };
            let ecn = if flow % 2 == 0 { Ecn::Ect0 } else { Ecn::NotEct };
            let class = (flow % 3) as u8;
            queue.enqueue(now, Packet { body, ecn, class, ..datagram(flow, wire) }, &mut out);
            held_bytes += u64::from(wire);
            came += 1;
            next += 1;
            arrives = arrivals.get(next).map(|(gap, ..)| now + Duration::from_us(*gap));
        }
        wake = None;
        if busy_until.is_none() {
            if let Some(held) = queue.dequeue(now, &mut out) {
                assert!(held.arrived <= now);
                held_bytes -= u64::from(held.packet.wire);
                fates.served.push((number(&held.packet), now));
                busy_until = Some(now + rate(8_000_000).time_for(u64::from(held.packet.wire)));
            } else {
                wake = queue.ready();
                assert_eq!(wake.is_some(), queue.packets() > 0, "a queue that waits says for what");
                assert!(wake.is_none_or(|at| at > now));
            }
        }
        for (held, _) in out.dropped.drain(..) {
            held_bytes -= u64::from(held.packet.wire);
            fates.dropped.push(number(&held.packet));
        }
        fates.marked.extend(out.marked.drain(..).map(|packet| number(&packet)));
        assert_eq!(queue.packets(), came - fates.served.len() - fates.dropped.len());
        assert_eq!(queue.bytes(), held_bytes);
        if next == arrivals.len() && busy_until.is_none() && fates.served.len() > arrivals.len() / 2 {
            break;
        }
    }
    fates.left = queue.drain().len();
    assert_eq!((queue.packets(), queue.bytes()), (0, 0));
    fates
}

fn arrivals() -> impl Strategy<Value = Vec<(u64, u32, u32)>> {
    prop::collection::vec((0u64..1500, 40u32..1500, 0u32..6), 1..300)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Each packet that arrived was served, was dropped or is still queued, exactly once.
    #[test]
    fn packets_are_conserved(arrivals in arrivals()) {
        for config in configs() {
            let fates = play(&config, &arrivals);
            let gone: Vec<u64> =
                fates.served.iter().map(|(n, _)| *n).chain(fates.dropped.iter().copied()).collect();
            let distinct: BTreeSet<u64> = gone.iter().copied().collect();
            prop_assert_eq!(distinct.len(), gone.len(), "{:?}", config);
            prop_assert_eq!(gone.len() + fates.left, arrivals.len(), "{:?}", config);
            // Only ECT packets are marked, and no packet is marked twice.
            prop_assert!(fates.marked.iter().all(|n| arrivals[*n as usize].2 % 2 == 0));
            let distinct: BTreeSet<u64> = fates.marked.iter().copied().collect();
            prop_assert_eq!(distinct.len(), fates.marked.len());
            prop_assert_eq!(play(&config, &arrivals), fates, "the same twice");
        }
    }

    /// Packets of one flow stay in order, whatever the discipline.
    #[test]
    fn flows_stay_in_order(arrivals in arrivals()) {
        for config in configs() {
            let fates = play(&config, &arrivals);
            for flow in 0..6 {
                let of_flow = |n: &u64| arrivals[*n as usize].2 == flow;
                let order: Vec<u64> = fates.served.iter().map(|(n, _)| *n).filter(of_flow).collect();
                prop_assert!(order.is_sorted(), "{config:?}");
            }
        }
    }

    /// A token bucket lets no more through than `burst + rate t` in any time t.
    #[test]
    fn tokens_bound_what_leaves(arrivals in arrivals()) {
        let limit = Limit::Unlimited;
        let inner = Box::new(Config::DropTail(drop_tail::Config { limit }));
        let config = token_bucket::Config { rate: rate(4_000_000), burst: 3000, queue: inner };
        let served = play(&Config::TokenBucket(config), &arrivals).served;
        for first in 0..served.len() {
            let mut bytes = 0;
            for (n, at) in &served[first..] {
                bytes += u64::from(arrivals[*n as usize].1);
                // The bucket's rate is 4 Mb/s: half a byte per microsecond.
                let allowed = 3000 + at.since(served[first].1).ps() / 2_000_000;
                // One byte of tolerance for the rounding of times to picoseconds.
                prop_assert!(bytes <= allowed + 1, "{bytes} B, {allowed} allowed");
            }
        }
    }
}

#[test]
fn every_discipline_drops_and_marks() {
    // Six flows send 12 Mb/s into a link of 8 Mb/s for 2 s.
    let arrivals: Vec<_> = (0..3000).map(|i| (666, 1000, i % 6)).collect();
    for config in configs() {
        let fates = play(&config, &arrivals);
        assert!(!fates.dropped.is_empty(), "{config:?}");
        assert_eq!(can_mark(&config), !fates.marked.is_empty(), "{config:?}");
    }
}

/// Returns true if a queue, or the queue inside it, can mark packets.
fn can_mark(config: &Config) -> bool {
    match config {
        Config::DropTail(_) | Config::HeadDrop(_) => false,
        Config::TokenBucket(bucket) => can_mark(&bucket.queue),
        Config::TxRing(ring) => can_mark(&ring.queue),
        Config::Priority(priority) => priority.bands.iter().any(can_mark),
        Config::Red(_) | Config::CoDel(_) | Config::FqCoDel(_) | Config::Pie(_) => true,
    }
}

/// Departures worked by hand: packets of 1000 bytes and a bucket of 3000 bytes at 4 Mb/s (a packet in 2 ms), before a link of 8 Mb/s (a packet
/// in 1 ms).
#[test]
fn a_token_bucket_spends_its_burst_then_keeps_its_rate() {
    let arrivals: Vec<_> = (0..7).map(|_| (0, 1000, 0)).collect();
    let inner = Box::new(Config::DropTail(drop_tail::Config { limit: Limit::Unlimited }));
    let bucket = |burst| {
        let config = token_bucket::Config { rate: rate(4_000_000), burst, queue: inner.clone() };
        let mut queue = Queue::new(&Config::TokenBucket(config), rate(8_000_000), 1, "queue");
        let mut out = Decisions::default();
        arrivals.iter().for_each(|(_, wire, flow)| queue.enqueue(ms(0), datagram(*flow, *wire), &mut out));
        let (mut now, mut starts) = (ms(0), Vec::new());
        while queue.packets() > 0 {
            match queue.dequeue(now, &mut out) {
                Some(_) => {
                    starts.push(now.ps() / 1_000_000_000);
                    now += Duration::from_ms(1);
                    queue.sent();
                }
                None => now = queue.ready().expect("waits for tokens"),
            }
        }
        starts
    };
    // The bucket has 3000 B of tokens at 0 and gets 500 B per millisecond: five packets by 4 ms, then one in two milliseconds.
    assert_eq!(bucket(3000), [0, 1, 2, 3, 4, 6, 8]);
    // A packet larger than the bucket waits until the bucket is full.
    assert_eq!(bucket(500), [0, 2, 4, 6, 8, 10, 12]);
}

#[test]
fn the_first_band_is_served_first() {
    let band = |packets| Config::DropTail(drop_tail::Config { limit: Limit::Packets(packets) });
    let config = Config::Priority(priority::Config { bands: vec![band(2), band(10)] });
    let mut queue = Queue::new(&config, rate(8_000_000), 1, "queue");
    let mut out = Decisions::default();
    for (flow, class) in [(0, 7), (1, 1), (2, 0), (3, 0), (4, 0)] {
        queue.enqueue(ms(0), Packet { class, ..datagram(flow, 1000) }, &mut out);
    }
    // Traffic classes 1 and 7 share the last band; the first band has room for two packets.
    assert_eq!(out.dropped.iter().map(|(held, _)| held.packet.flow.0).collect::<Vec<_>>(), [4]);
    let order: Vec<u32> =
        std::iter::from_fn(|| queue.dequeue(ms(0), &mut out)).map(|held| held.packet.flow.0).collect();
    assert_eq!(order, [2, 3, 0, 1]);
}

/// A queue that replaces another takes over all waiting packets in order, even more than its own limit.
#[test]
fn packets_change_disciplines() {
    for config in configs() {
        let mut old = Queue::new(&configs()[4], rate(8_000_000), 1, "queue");
        let mut out = Decisions::default();
        (0..12u32).for_each(|i| old.enqueue(ms(u64::from(i)), datagram(i % 3, 1000), &mut out));
        let held = old.drain();
        assert!(held.is_sorted_by_key(|held| held.arrived));
        let mut new = Queue::new(&config, rate(8_000_000), 1, "queue");
        held.into_iter().for_each(|held| new.adopt(held));
        assert_eq!((new.packets(), new.bytes()), (12, 12_000));
    }
}
