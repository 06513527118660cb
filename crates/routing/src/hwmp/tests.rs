//! Tests of HWMP: sequences of messages and metrics computed by hand, and random networks.

use super::config::Config;
use super::message::{Action, Message, Peering, Request};
use super::node::Hwmp;

use crate::harness::{Net, alone, datagram, happening, live, ms, words};
use crate::port::{Length, Message as _};
use crate::router::Router as _;
use crate::station_ref::StationRef;
use base::{DropCause, Duration};
use proptest::prelude::*;
use radio::access::Station;

fn steady() -> Config {
    Config { jitter: Duration::ZERO, packet_failures: 1, ..Config::default() }
}

/// Returns a network at 2 s, when all neighbours are peers: each station has sent its first beacon within 1024 ms.
fn network(config: &Config, n: u32, links: &[(u32, u32)]) -> Net<Hwmp> {
    let mut net = Net::new(config, n, links);
    net.run(ms(2000));
    for (a, b) in links {
        assert!(router(&mut net, *a).peers.is_peer(Station(*b)), "{a} and {b}");
    }
    net.said();
    net
}

fn chain(config: &Config, n: u32) -> Net<Hwmp> {
    let links: Vec<_> = (1..n).map(|k| (k - 1, k)).collect();
    network(config, n, &links)
}

fn router(net: &mut Net<Hwmp>, at: u32) -> &mut Hwmp {
    &mut net.routers[at as usize]
}

/// Returns the messages sent since the last call, without beacons.
fn said(net: &mut Net<Hwmp>) -> Vec<(u64, u32, Option<u32>, String)> {
    net.said().into_iter().filter(|said| said.3 != "BEACON").collect()
}

fn metric(net: &mut Net<Hwmp>, at: u32, to: u32) -> u32 {
    let now = net.now;
    router(net, at).table.active(Station(to), now).expect("a path").metric
}

#[test]
fn neighbours_become_peers() {
    let mut net = Net::<Hwmp>::new(&steady(), 2, &[(0, 1)]);
    net.run(ms(2000));
    let all = net.said();
    let (at, first) = (all[0].0, all[0].1);
    let other = 1 - first;
    assert_eq!(all[0].3, "BEACON");
    let open = [
        (at + 1, other, Some(first), "OPEN"),
        (at + 2, first, Some(other), "CONFIRM"),
        (at + 2, first, Some(other), "OPEN"),
        (at + 3, other, Some(first), "CONFIRM"),
    ];
    let frames: Vec<_> = all.into_iter().filter(|said| said.3 != "BEACON").collect();
    assert_eq!(frames, words(&open));
    assert_eq!(router(&mut net, 0).peers.list(), [Station(1)]);
    assert_eq!(router(&mut net, 1).peers.list(), [Station(0)]);
}

/// The Open frame is sent three times in all, 40 TU = 40.96 ms apart. Then a Close is sent, and after another
/// 40 TU the attempt is forgotten.
#[test]
fn an_unanswered_peering_is_closed() {
    let mut router = alone::<Hwmp>(&steady(), "station");
    let mut out = Vec::new();
    router.receive(ms(0), &Message::Beacon, Station(1), &mut out);
    let mut sent = Vec::new();
    for k in 1..=5 {
        sent.push(out.drain(..).filter(|order| !matches!(order, Action::Send(_, None))).collect::<Vec<_>>());
        let due = router.peers.next();
        assert_eq!(due, (k < 5).then_some(ms(0) + Duration::from_us(40_960 * k)));
        router.peers.run(due.unwrap_or(ms(0)), &steady(), &mut out);
    }
    let tell = |frame| vec![Action::Send(Message::Peering(frame), Some(Station(1)))];
    assert_eq!(
        sent,
        [tell(Peering::Open), tell(Peering::Open), tell(Peering::Open), tell(Peering::Close), vec![]]
    );
}

#[test]
fn a_path_over_three_hops_is_found() {
    let mut net = chain(&steady(), 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(2100));
    let expected = [
        (2000, 0, None, "PREQ 3 metric 0"),
        (2001, 1, None, "PREQ 3 metric 100"),
        (2002, 2, None, "PREQ 3 metric 200"),
        (2003, 3, Some(2), "PREP 3 metric 0"),
        (2004, 2, Some(1), "PREP 3 metric 100"),
        (2005, 1, Some(0), "PREP 3 metric 200"),
    ];
    assert_eq!(said(&mut net), words(&expected));
    assert_eq!(net.delivered.len(), 1);
    assert_eq!(net.next_hops(3), [Some(1), Some(2), Some(3), None]);
    assert_eq!(net.next_hops(0), [None, Some(0), Some(1), Some(2)]);
    assert_eq!([metric(&mut net, 0, 3), metric(&mut net, 3, 0)], [300, 300]);
}

#[test]
fn a_broken_link_is_told_to_whoever_has_paths_over_it() {
    let mut net = chain(&steady(), 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(2100));
    said(&mut net);
    net.link((2, 3), false);
    net.send(datagram(1, 0, 3));
    net.run(ms(2200));
    // The packet takes two hops, and the MAC of station 2 gives up after 5 ms.
    let expected = [(2107, 2, Some(1), "PERR 3"), (2108, 1, Some(0), "PERR 3")];
    assert_eq!(said(&mut net), words(&expected));
    assert_eq!(net.next_hops(3), [None; 4]);
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::RetryLimit]);
}

/// The first packet on which the MAC gives up is lost and has no other effect; the second in a row breaks the
/// link. A successful frame resets the count.
#[test]
fn a_link_breaks_when_packets_in_a_row_are_given_up() {
    let mut net = chain(&Config { packet_failures: 2, ..steady() }, 2);
    net.send(datagram(0, 0, 1));
    net.run(ms(2100));
    net.link((0, 1), false);
    for (k, known) in [(1, Some(1)), (2, None)] {
        net.send(datagram(k, 0, 1));
        net.run(ms(2100 + 10 * k));
        assert_eq!(net.next_hops(1)[0], known);
    }
    router(&mut net, 0).attempted(ms(2200), Station(1), (3, 2), None);
    assert!(!router(&mut net, 0).breaks(ms(2200), Station(1)));
}

/// The path is direct at first. Then 7 of 8 frames fail on its link: e_f = 7 / 10, airtime metric 333 units. Two
/// links of 100 units each are then better.
#[test]
fn a_better_path_replaces_a_worse_one() {
    let mut net = network(&steady(), 3, &[(0, 1), (0, 2), (2, 1)]);
    net.send(datagram(0, 0, 1));
    net.run(ms(2100));
    assert_eq!((net.next_hops(1)[0], metric(&mut net, 0, 1)), (Some(1), 100));
    for (at, to) in [(0, 1), (1, 0)] {
        router(&mut net, at).attempted(ms(2100), Station(to), (8, 7), None);
    }
    // The originator keeps its path for the maintenance interval, until 2048 ms after its PREQ.
    net.run(ms(4047));
    net.send(datagram(1, 0, 1));
    net.run(ms(4048));
    said(&mut net);
    net.send(datagram(2, 0, 1));
    net.run(ms(4100));
    let expected = [
        (4048, 0, None, "PREQ 1 metric 0"),
        // The target answers the PREQ that it receives directly, and then the one that comes over station 2
        // with a better metric.
        (4049, 1, Some(0), "PREP 1 metric 0"),
        (4049, 2, None, "PREQ 1 metric 100"),
        (4050, 1, Some(2), "PREP 1 metric 0"),
        (4051, 2, Some(0), "PREP 1 metric 100"),
    ];
    assert_eq!(said(&mut net), words(&expected));
    assert_eq!((net.next_hops(1)[0], metric(&mut net, 0, 1)), (Some(2), 200));
    assert_eq!((net.next_hops(0)[1], metric(&mut net, 1, 0)), (Some(2), 200));
    assert_eq!(net.delivered.len(), 3);
}

/// The target's own frames have not failed, but it knows how many of the peer's frames failed. So the path
/// over station 2, which has the better metric, is taken.
#[test]
fn both_ends_know_what_a_link_loses() {
    let mut net = network(&steady(), 3, &[(0, 1), (0, 2), (2, 1)]);
    router(&mut net, 0).attempted(ms(2000), Station(1), (8, 7), None);
    router(&mut net, 1).reported(ms(2000), Station(0), (8, 7));
    net.send(datagram(0, 0, 1));
    net.run(ms(2100));
    assert_eq!((net.next_hops(1)[0], metric(&mut net, 0, 1)), (Some(2), 200));
}

/// A beacon that arrives too weak for data frames closes the peering and removes the paths over this peer.
#[test]
fn a_peer_that_is_too_far_is_none() {
    let mut net = chain(&steady(), 2);
    net.send(datagram(0, 0, 1));
    net.run(ms(2010));
    let mut out = Vec::new();
    router(&mut net, 0).receive_distant_beacon(ms(2010), Station(1), &mut out);
    assert!(!router(&mut net, 0).peers.is_peer(Station(1)));
    assert_eq!(net.next_hops(1)[0], None);
}

/// The first wait for a PREP is 2 * 500 TU, and each later wait is twice as long: 1.024, 2.048, 4.096 and 8.192 s.
#[test]
fn requests_are_repeated_and_given_up() {
    let mut net = chain(&steady(), 2);
    net.send(datagram(0, 0, 9));
    net.run(ms(17_359));
    let mine: Vec<u64> = said(&mut net).into_iter().filter(|said| said.1 == 0).map(|said| said.0).collect();
    assert_eq!(mine, [2000, 3024, 5072, 9168]);
    assert!(net.lost.is_empty());
    net.run(ms(17_360));
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
}

/// PREQs are at least 100 TU apart, so further targets wait and share the next PREQ.
#[test]
fn requests_keep_their_distance_and_have_several_targets() {
    let mut net = chain(&steady(), 2);
    for k in 7..10 {
        net.send(datagram(u64::from(k), 0, k));
    }
    net.run(ms(2500));
    let mine: Vec<_> = said(&mut net).into_iter().filter(|said| said.1 == 0).collect();
    let expected = [(2000, 0, None, "PREQ 7 metric 0"), (2102, 0, None, "PREQ 8 9 metric 0")];
    assert_eq!(mine, words(&expected));
}

#[test]
fn a_root_has_paths_to_all_and_all_to_it() {
    let root = Config { root: Some(StationRef::Known(Station(0))), ..steady() };
    let mut net = chain(&root, 4);
    net.run(ms(2100));
    assert_eq!(net.next_hops(0), [None, Some(0), Some(1), Some(2)]);
    assert_eq!(router(&mut net, 0).next_hop(Station(3), ms(2100)), Some(Station(1)));
    // The root sends its proactive PREQ 2000 TU after the start, and each station answers.
    let words: Vec<_> = said(&mut net).into_iter().map(|said| (said.0, said.1, said.3)).collect();
    assert_eq!(words[0], (2048, 0, "PREQ  metric 0".to_owned()));
    assert_eq!(words.iter().filter(|said| said.2.starts_with("PREP")).count(), 1 + 2 + 3);
    let silent = Config { proactive_prep: false, ..root };
    let mut net = chain(&silent, 4);
    net.run(ms(2100));
    assert_eq!(net.next_hops(0), [None, Some(0), Some(1), Some(2)]);
    assert_eq!(router(&mut net, 0).next_hop(Station(3), ms(2100)), None);
}

#[test]
fn strangers_are_not_listened_to() {
    let mut router = alone::<Hwmp>(&steady(), "station");
    let request = Request {
        ttl: 31,
        hops: 0,
        metric: 0,
        originator: Station(1),
        originator_seq: 1,
        lifetime: Duration::from_secs(5),
        targets: vec![(Station(0), None)],
        proactive_prep: false,
    };
    let mut out = Vec::new();
    router.receive(ms(1), &Message::Request(request), Station(1), &mut out);
    assert_eq!(out, []);
}

#[test]
fn a_silent_peer_is_gone() {
    let mut net = chain(&steady(), 3);
    net.send(datagram(0, 0, 2));
    net.run(ms(2100));
    net.link((1, 2), false);
    said(&mut net);
    net.run(ms(14_000));
    // A peering ends ten beacon intervals after the peer's last beacon, which came in the last interval before 2100
    // ms.
    assert_eq!(router(&mut net, 1).peers.list(), [Station(0)]);
}

/// A packet whose TTL is used up is dropped.
#[test]
fn a_packet_ends_with_its_time_to_live() {
    let mut net = chain(&steady(), 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(2100));
    let mut out = Vec::new();
    let mut old = datagram(1, 0, 3);
    old.hops = 31;
    router(&mut net, 1).forward(ms(2100), old, Some(Station(0)), &mut out);
    assert_eq!(out, [Action::Drop(old, DropCause::NoRoute)]);
}

#[test]
fn lengths() {
    let request = |targets: usize| {
        Message::Request(Request {
            ttl: 1,
            hops: 0,
            metric: 0,
            originator: Station(0),
            originator_seq: 0,
            lifetime: Duration::ZERO,
            targets: vec![(Station(1), None); targets],
            proactive_prep: false,
        })
    };
    // A PREQ has a header and FCS of 24 + 4 bytes, category and action of 2, and an element of 2 + 26 + 11
    // for each target. The root's proactive PREQ has one target, the broadcast address.
    assert_eq!([0, 1, 2].map(|targets| request(targets).length()), [69, 69, 80].map(Length::Frame));
    let config = Config { gates: Some(vec![StationRef::Known(Station(0))]), ..Config::default() };
    let [a, b, gate] = [1, 2, 0].map(Station);
    // A mesh adds Address 4 and Mesh Control (12 bytes), QoS Control if the header has none (2), and
    // addresses 5 and 6 at a gate (12).
    assert_eq!(config.overhead(a, b, true), 12);
    assert_eq!(config.overhead(a, b, false), 14);
    assert_eq!([config.overhead(gate, b, true), config.overhead(a, gate, true)], [24, 24]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_loops_and_nothing_lost_from_the_books(
        happenings in proptest::collection::vec(happening(), 1..60),
        salvage in any::<bool>(),
        root in any::<bool>(),
        short in any::<bool>(),
    ) {
        let config = Config {
            salvage,
            root: root.then_some(StationRef::Known(Station(2))),
            // Short lifetimes make paths expire during the test.
            active_path_timeout: Duration::from_ms(if short { 50 } else { 5120 }),
            maintenance_interval: Duration::from_ms(if short { 200 } else { 2048 }),
            beacon_interval: Duration::from_ms(if short { 100 } else { 1024 }),
            net_diameter_traversal_time: Duration::from_ms(if short { 30 } else { 512 }),
            ..Config::default()
        };
        live::<Hwmp>(&config, happenings, false)?;
    }
}
