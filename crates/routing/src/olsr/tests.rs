use super::config::Config;
use super::message::{LinkCode, Message, Topology};
use super::node::Olsr;

use crate::harness::{Net, datagram, happening, live, ms};
use crate::port::{Length, Message as _};
use base::{DropCause, Duration};
use proptest::prelude::*;
use radio::access::Station;
use std::collections::{BTreeMap, VecDeque};

fn network(config: &Config, n: u32, links: &[(u32, u32)]) -> Net<Olsr> {
    Net::new(config, n, links)
}

fn olsr(net: &Net<Olsr>, station: usize) -> &Olsr {
    &net.routers[station]
}

#[test]
fn lengths_are_the_rfcs() {
    let [a, b, c] = [1, 2, 3].map(Station);
    let hello =
        Message::Hello(vec![(a, LinkCode::Symmetric), (b, LinkCode::Symmetric), (c, LinkCode::Relay)]);
    // The bytes are a packet header of 4, a message header of 12, the hello's own 4, two link codes of 4
    // each, and three addresses of 4 each.
    assert_eq!(hello.length(), Length::Udp(4 + 12 + 4 + 8 + 12));
    let topology = Topology { originator: a, number: 0, ttl: 1, ansn: 0, selectors: vec![b, c] };
    assert_eq!(Message::Topology(topology).length(), Length::Udp(4 + 12 + 4 + 8));
}

#[test]
fn a_link_is_sensed_in_three_hellos() {
    let mut net = network(&Config::default(), 2, &[(0, 1)]);
    net.run(ms(6000));
    let said: Vec<_> = net.said().into_iter().map(|said| (said.1, said.3)).take(4).collect();
    let first = said[0].0;
    let second = 1 - first;
    // The first hello lists no neighbour. The next lists the neighbour as asymmetric, and the last two list it as
    // symmetric.
    let hello = |who: u32, what: String| (who, format!("HELLO{what}"));
    let want = [
        hello(first, String::new()),
        hello(second, format!(" {first}:Asymmetric")),
        hello(first, format!(" {second}:Symmetric")),
        hello(second, format!(" {first}:Symmetric")),
    ];
    assert_eq!(said, want);
}

#[test]
fn relays_reach_everybody_two_hops_away() {
    // Station 0 has the neighbours 1, 2 and 3. Only 1 reaches 4; 2 and 3 reach 5; only 3 reaches 6.
    let links = [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (3, 5), (3, 6)];
    let mut net = network(&Config::default(), 7, &links);
    net.run(ms(20_000));
    assert_eq!(olsr(&net, 0).relays(), [Station(1), Station(3)]);
    assert_eq!(olsr(&net, 4).relays(), [Station(1)]);
    // No station has selected 4 or 6 as multipoint relay, so these send no TC messages.
    let tell: Vec<u32> =
        net.said().iter().filter(|said| said.3.starts_with("TC")).map(|said| said.1).collect();
    assert!([1, 3].iter().all(|relay| tell.contains(relay)) && !tell.contains(&4) && !tell.contains(&6));
}

#[test]
fn a_lost_link_is_noticed_by_the_mac_or_by_silence() {
    for (link_layer, until) in [(true, 30_010), (false, 36_100)] {
        let config = Config { link_layer, salvage: false, ..Config::default() };
        let mut net = network(&config, 3, &[(0, 1), (1, 2)]);
        net.run(ms(30_000));
        assert_eq!(net.next_hops(2), [Some(1), Some(2), None]);
        net.link((0, 1), false);
        net.send(datagram(0, 0, 2));
        net.run(ms(until));
        assert_eq!(net.next_hops(2)[0], None);
        assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::RetryLimit]);
    }
}

/// With `jittered = "message"`, ns-3's timing, the HELLOs of a station lie within `jitter` after whole multiples of
/// the interval. By the RFC each interval is shortened, so that a station sends more HELLOs.
#[test]
fn ns3_delays_messages_and_keeps_its_timers() {
    let hellos = |config: &Config| {
        let mut net = network(config, 2, &[(0, 1)]);
        net.run(ms(200_000));
        let said = net.said();
        said.into_iter()
            .filter(|said| said.1 == 0 && said.3.starts_with("HELLO"))
            .map(|said| said.0)
            .collect::<Vec<_>>()
    };
    let ns3 = hellos(&Config::ns3());
    assert_eq!(ns3.len(), 100);
    for (n, at) in ns3.iter().enumerate() {
        let timer = 2000 * n as u64;
        assert!((timer..=timer + 500).contains(at), "HELLO {n} came at {at} ms");
    }
    let rfc = hellos(&Config::default());
    assert!((110..119).contains(&rfc.len()), "{}", rfc.len());
}

/// ns-3's OLSR keeps no packets: one without a route is dropped at once.
#[test]
fn without_a_buffer_a_packet_without_a_route_is_dropped() {
    let mut net = network(&Config::ns3(), 3, &[(0, 1), (1, 2)]);
    net.send(datagram(0, 0, 2));
    net.run(ms(20_000));
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
}

/// Returns the distance between each pair of stations in hops, by breadth-first search.
fn distances(n: u32, links: &[(u32, u32)]) -> BTreeMap<(u32, u32), u32> {
    let mut all = BTreeMap::new();
    for from in 0..n {
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((at, hops)) = queue.pop_front() {
            if all.contains_key(&(from, at)) {
                continue;
            }
            all.insert((from, at), hops);
            let near = links.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).filter(|link| link.0 == at);
            queue.extend(near.map(|link| (link.1, hops + 1)));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn ways_are_shortest(links in proptest::collection::btree_set((0..8u32, 0..8u32), 4..16)) {
        let links: Vec<_> = links.into_iter().filter(|(a, b)| a < b).collect();
        let mut net = network(&Config::default(), 8, &links);
        net.run(ms(40_000));
        let want = distances(8, &links);
        for to in 0..8 {
            let next = net.next_hops(to);
            for from in (0..8).filter(|from| *from != to) {
                let hops = want.get(&(from, to)).copied();
                match (next[from as usize], hops) {
                    (None, None) => {}
                    (Some(via), Some(hops)) => prop_assert_eq!(want[&(via, to)] + 1, hops),
                    (got, hops) => prop_assert!(false, "{from} to {to}: {got:?}, {hops:?}"),
                }
            }
        }
    }

    #[test]
    fn nothing_is_lost_from_the_books(
        happenings in proptest::collection::vec(happening(), 1..60),
        salvage in any::<bool>(),
        link_layer in any::<bool>(),
    ) {
        let config = Config {
            hello_interval: Duration::from_ms(200),
            tc_interval: Duration::from_ms(500),
            jitter: Duration::from_ms(50),
            buffer_time: Duration::from_secs(5),
            salvage,
            link_layer,
            ..Config::default()
        };
        live::<Olsr>(&config, happenings, true)?;
    }
}
