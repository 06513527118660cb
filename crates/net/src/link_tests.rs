use super::*;
use crate::queue;
use base::{Body, Ecn, FlowId};
use proptest::prelude::*;

fn packet(wire: u32) -> Packet {
    let body = Body::Datagram { seq: 0, payload: wire };
    Packet { sent: Instant::ZERO, flow: FlowId(0), route: 0, wire, body, ecn: Ecn::NotEct, class: 0 }
}

fn at(us: u64) -> Stamp {
    let now = Instant::ZERO + Duration::from_us(us);
    Stamp::new(now, now)
}

fn rate(bps: u64) -> DataRate {
    DataRate::from_bps(bps).expect("positive")
}

#[test]
fn a_queued_packet_needs_two_cache_lines() {
    assert_eq!(size_of::<Link>(), 64);
    assert_eq!((size_of::<Rest>(), align_of::<Rest>()), (128, 64));
    assert_eq!(std::mem::offset_of!(Rest, losses), 64);
}

#[test]
fn room_counts_the_packet_in_transmission() {
    // Each packet of 1000 B takes 1 ms at 8 Mb/s.
    let mut link = Link::new(rate(8_000_000), Duration::from_ms(5), Limit::Packets(2));
    let Some(Departure { departs, .. }) = link.depart(at(0), &packet(1000)) else { panic!() };
    assert_eq!((departs.at, link.longest()), (at(1000).at, 0));
    assert_eq!(link.arrival(departs).at, at(6000).at);
    assert!(matches!(link.admit(at(0), &packet(1000)), Admission::Departs(_)));
    assert_eq!(link.depart(at(999), &packet(1000)), None);
    assert_eq!(link.admit(at(999), &packet(1000)), Admission::Dropped(DropCause::Queue));
    assert!(matches!(link.admit(at(1001), &packet(1000)), Admission::Departs(_)));
    assert_eq!((link.longest(), link.backlog(at(1001).at)), (2, (2, 2000)));
}

#[test]
fn equal_instants_go_by_the_time_of_scheduling() {
    let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Packets(1));
    link.admit(at(0), &packet(1000));
    let end = at(1000).at;
    // An arrival at the end of a transmission finds a free place, unless it was scheduled before the
    // transmission began.
    let mut early = link.clone();
    assert!(matches!(early.admit(Stamp::new(end, Instant::ZERO), &packet(1)), Admission::Departs(_)));
    link.began = Instant::from_ps(5);
    let arrival = Stamp::new(end, Instant::from_ps(4));
    assert_eq!(link.admit(arrival, &packet(1)), Admission::Dropped(DropCause::Queue));
}

/// Returns a packet of `wire` bytes of a flow other than that of [`packet`].
fn other(wire: u32) -> Packet {
    Packet { flow: FlowId(1), ..packet(wire) }
}

/// Returns a link with two accepted packets of 1 ms each, which arrived at 0 and at 100 us.
fn full(stepped: bool) -> Link {
    let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Packets(2));
    if stepped {
        link.step(drop_tail(Limit::Packets(2)), rate(8_000_000));
    }
    link.admit(at(0), &packet(1000));
    begins(&mut link, at(0).at);
    link.admit(at(100), &packet(1000));
    assert_eq!(link.ties(), 0);
    link
}

#[test]
fn arrivals_whose_fate_hangs_on_a_tie_are_counted() {
    let end = at(1000).at;
    for stepped in [false, true] {
        // An arrival just before a departure at the same instant is refused, and is a tie; a picosecond earlier there is no tie.
        for (arrives, ties) in [(end, 1), (Instant::from_ps(end.ps() - 1), 0)] {
            let mut link = full(stepped);
            link.began = Instant::from_ps(5);
            link.rest.get_or_insert_default().ahead.iter_mut().for_each(|one| one.departs.since = link.began);
            link.admit(Stamp::new(arrives, Instant::ZERO), &packet(1000));
            assert_eq!(link.ties(), ties, "stepped: {stepped}");
        }
        // An arrival just after a departure at the same instant takes the free place, and is a tie; later there is no tie.
        for (arrives, ties) in [(end, 1), (Instant::from_ps(end.ps() + 1), 0)] {
            let mut link = full(stepped);
            if stepped {
                link.end(Stamp::new(end, Instant::ZERO));
                begins(&mut link, end);
            }
            link.admit(Stamp::new(arrives, Instant::from_ps(1)), &packet(1000));
            assert_eq!(link.ties(), ties, "stepped: {stepped}");
        }
        // Two packets arrive at one instant and one place is left: a tie if the packets are of two flows.
        for (second, ties) in [(other(1000), 1), (packet(1000), 0)] {
            let mut link = full(stepped);
            if stepped {
                link.end(Stamp::new(end, Instant::ZERO));
                begins(&mut link, end);
            }
            let now = Stamp::new(at(1500).at, at(1400).at);
            link.admit(now, &packet(1000));
            link.admit(now, &second);
            assert_eq!(link.ties(), ties, "stepped: {stepped}");
        }
    }
}

fn drop_tail(limit: Limit) -> Queue {
    let config = queue::Config::DropTail(queue::drop_tail::Config { limit });
    Queue::new(&config, rate(8_000_000), 1, "queue")
}

/// Begins a transmission if a packet waits, and returns the end of the transmission.
fn begins(link: &mut Link, now: Instant) -> Option<Stamp> {
    match link.begin(now) {
        Next::Transmit { departs, .. } => Some(departs),
        _ => None,
    }
}

#[test]
fn an_outage_loses_what_is_in_transmission() {
    let mut link = Link::new(rate(8_000_000), Duration::from_ms(5), Limit::Packets(10));
    link.step(drop_tail(Limit::Packets(10)), rate(8_000_000));
    assert_eq!(link.admit(at(0), &packet(1000)), Admission::Waiting);
    let departs = begins(&mut link, at(0).at).expect("idle");
    link.admit(at(10), &packet(1000));
    assert_eq!(link.stepped().map(Stepped::queued), Some(2));
    assert_eq!(link.end(departs).expect("transmitted").arrives.at, at(6000).at);
    let cut_off = begins(&mut link, departs.at).expect("the second");
    assert!(link.stepped_mut().expect("stepped").take_down().is_some());
    assert_eq!(link.end(cut_off), None);
    assert_eq!(link.admit(at(2000), &packet(1)), Admission::Dropped(DropCause::Outage));
    link.stepped_mut().expect("stepped").bring_up();
    assert_eq!(link.admit(at(3000), &packet(1)), Admission::Waiting);
}

#[test]
fn framing_takes_time_and_no_room() {
    // A packet of 998 B and 2 B of framing takes 1 ms at 8 Mb/s; two packets of 998 B fill the queue.
    let mut link = Link::new(rate(8_000_000), Duration::ZERO, Limit::Bytes(1996));
    link.frame(2);
    for end in [1000, 2000] {
        let Admission::Departs(Departure { departs, .. }) = link.admit(at(0), &packet(998)) else { panic!() };
        assert_eq!(departs.at, at(end).at);
    }
    assert_eq!(link.admit(at(0), &packet(1)), Admission::Dropped(DropCause::Queue));
}

proptest! {
    #[test]
    fn transmission_times_are_exact(wire in 1u32..100_000, bps in 1u64..400_000_000_000) {
        let link = Link::new(rate(bps), Duration::ZERO, Limit::Unlimited);
        let exact = rate(bps).time_for(u64::from(wire)).ps();
        prop_assert!(link.transmission(wire).ps().abs_diff(exact) <= 1);
    }

    /// A link that is computed ahead has the same departures and drops as a link that serves packet by
    /// packet.
    #[test]
    fn ahead_equals_stepped(
        arrivals in prop::collection::vec((0u64..3000, 40u32..1500), 1..80),
        room in 1u32..8,
        framing in 0u16..50,
    ) {
        let mut ahead = Link::new(rate(8_000_000), Duration::from_ms(1), Limit::Packets(room));
        ahead.frame(framing);
        let mut stepped = ahead.clone();
        stepped.step(drop_tail(Limit::Packets(room)), rate(8_000_000));
        let (mut now, mut expected, mut got) = (0, Vec::new(), Vec::new());
        let mut due: Option<Stamp> = None;
        for (gap, wire) in arrivals {
            now += gap;
            // A picosecond away from any departure, since ties have a test of their own.
            let stamp = Stamp::new(at(now).at + Duration::from_ps(1), at(now).at);
            if let Admission::Departs(Departure { departs, .. }) = ahead.admit(stamp, &packet(wire)) {
                expected.push(departs.at);
            }
            while let Some(end) = due.filter(|end| end.key() <= stamp.key()) {
                got.push(end.at);
                stepped.end(end);
                due = begins(&mut stepped, end.at);
            }
            stepped.admit(stamp, &packet(wire));
            if due.is_none() {
                due = begins(&mut stepped, stamp.at);
            }
        }
        while let Some(end) = due {
            got.push(end.at);
            stepped.end(end);
            due = begins(&mut stepped, end.at);
        }
        prop_assert_eq!(expected, got);
    }
}
