use super::config::{Config, Hello, LocalRepair};
use super::message::{Message, Reply};
use super::node::Aodv;
use settings::TimeOrNever;

use crate::harness::{Net, alone, datagram, happening, live, ms, words};
use crate::port::{Length, Message as _};
use crate::router::Router as _;
use crate::table::Unreachable;
use base::{DropCause, Duration};
use proptest::prelude::*;
use radio::access::Station;

/// Returns a configuration without jitter, so that the times of all messages can be computed by hand.
fn steady() -> Config {
    Config { jitter: Duration::ZERO, gratuitous: false, ..Config::default() }
}

fn chain(config: &Config, n: u32) -> Net<Aodv> {
    Net::chain(config, n)
}

fn network(config: &Config, n: u32, links: &[(u32, u32)]) -> Net<Aodv> {
    Net::new(config, n, links)
}

#[test]
fn lengths_are_the_rfcs() {
    let net = |message: Message| message.length();
    let unreachable = Unreachable { destination: Station(1), seq: None };
    assert_eq!(net(Message::Error(vec![unreachable; 2])), Length::Udp(20));
    let reply = Reply {
        hops: 0,
        destination: Station(1),
        destination_seq: 0,
        originator: Station(0),
        lifetime: Duration::ZERO,
        asked: base::Instant::ZERO,
    };
    assert_eq!(net(Message::Reply(reply)), Length::Udp(20));
}

#[test]
fn a_route_is_found_in_rings_that_grow() {
    // In the chain 0 - 1 - 2 - 3 the first RREQ has TTL 1 and waits the ring traversal time 2 * 40 ms * (1 +
    // 2) = 240 ms; the second has TTL 3.
    let mut net = chain(&steady(), 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(2000));
    assert_eq!(
        net.said(),
        words(&[
            (0, 0, None, "RREQ 3 ttl 1"),
            (240, 0, None, "RREQ 3 ttl 3"),
            (241, 1, None, "RREQ 3 ttl 2"),
            (242, 2, None, "RREQ 3 ttl 1"),
            (243, 3, Some(2), "RREP 3 hops 0"),
            (244, 2, Some(1), "RREP 3 hops 1"),
            (245, 1, Some(0), "RREP 3 hops 2"),
        ])
    );
    assert_eq!(net.next_hops(3), [Some(1), Some(2), Some(3), None]);
    assert_eq!(net.delivered.len(), 1);
    assert_eq!(net.delivered[0].hops, 3);
}

#[test]
fn a_station_with_a_route_answers() {
    // Station 4 is connected to station 1 only, which has a route to station 3.
    let mut net = network(&Config { gratuitous: true, ..steady() }, 5, &[(0, 1), (1, 2), (2, 3), (1, 4)]);
    net.send(datagram(0, 0, 3));
    net.run(ms(500));
    net.said();
    net.send(datagram(1, 4, 3));
    net.run(ms(600));
    assert_eq!(
        net.said(),
        words(&[
            (500, 4, None, "RREQ 3 ttl 1"),
            // Gratuitous RREP (G flag): one RREP gives the destination a route to the originator, the other answers
            // the originator.
            (501, 1, Some(2), "RREP 4 hops 1"),
            (501, 1, Some(4), "RREP 3 hops 2"),
            (502, 2, Some(3), "RREP 4 hops 2"),
        ])
    );
    assert_eq!(net.next_hops(4)[3], Some(2));
    assert_eq!(net.delivered.len(), 2);
}

#[test]
fn nobody_there_costs_three_attempts_over_the_whole_network() {
    // RREQs with TTL 1, 3, 5 and 7 wait 240, 400, 560 and 720 ms; three with TTL 35 then wait 2.8, 5.6 and
    // 11.2 s.
    let mut net = chain(&steady(), 2);
    net.send(datagram(0, 0, 9));
    net.run(ms(60_000));
    let asked: Vec<_> =
        net.said().into_iter().filter(|said| said.1 == 0).map(|said| (said.0, said.3)).collect();
    let want = [(0, 1), (240, 3), (640, 5), (1200, 7), (1920, 35), (4720, 35), (10_320, 35)];
    assert_eq!(asked, want.map(|(at, ttl)| (at, format!("RREQ 9 ttl {ttl}"))));
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
    assert_eq!(net.routers[0].next(), None);
}

#[test]
fn a_broken_link_is_told_to_who_uses_it() {
    let mut net = chain(&steady(), 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(1000));
    net.said();
    net.link((2, 3), false);
    net.send(datagram(1, 0, 3));
    net.run(ms(1100));
    // Station 2 receives the packet at 1002 ms and gives up at 1007 ms. Each RERR is unicast, since there is one
    // precursor.
    assert_eq!(net.said(), words(&[(1007, 2, Some(1), "RERR 3"), (1008, 1, Some(0), "RERR 3")]));
    assert_eq!(net.next_hops(3), [None; 4]);
    assert_eq!(net.lost.len(), 1);
    assert_eq!(net.lost[0].1, DropCause::RetryLimit);
    // The TTL of the next RREQ is the last known hop count, 3, plus TTL_INCREMENT, 2.
    net.send(datagram(2, 0, 3));
    assert_eq!(net.said(), words(&[(1100, 0, None, "RREQ 3 ttl 5")]));
}

#[test]
fn a_source_keeps_what_it_could_not_send() {
    for salvage in [true, false] {
        let mut net = network(&Config { salvage, ..steady() }, 4, &[(0, 1), (1, 3), (0, 2), (2, 3)]);
        net.send(datagram(0, 0, 3));
        net.run(ms(1000));
        net.link((0, 1), false);
        net.send(datagram(1, 0, 3));
        net.run(ms(2000));
        assert_eq!(net.delivered.len(), if salvage { 2 } else { 1 });
        assert_eq!(net.lost.len(), if salvage { 0 } else { 1 });
    }
}

#[test]
fn a_route_expires_without_use_and_lives_with_it() {
    let mut net = chain(&steady(), 3);
    net.send(datagram(0, 0, 2));
    net.run(ms(1000));
    for k in 1..=20 {
        net.send(datagram(k, 0, 2));
        net.run(ms(1000 + 1000 * k));
    }
    assert_eq!(net.next_hops(2), [Some(1), Some(2), None]);
    // The reverse route is extended, too: each station that forwards a packet extends the route to its source.
    assert_eq!(net.next_hops(0), [None, Some(0), Some(1)]);
    net.run(ms(23_100));
    assert_eq!(net.next_hops(2), [None; 3]);
    assert!(net.lost.is_empty());
}

#[test]
fn a_repair_mends_the_route_where_it_broke() {
    // Chain 0 - 1 - 2 - 3 - 4 with a detour 2 - 5 - 4.
    let links = [(0, 1), (1, 2), (2, 3), (3, 4), (2, 5), (5, 4)];
    let config = Config { local_repair: LocalRepair::Within(10), ttl_start: 7, ..steady() };
    let mut net = network(&config, 6, &links);
    net.send(datagram(0, 0, 4));
    net.run(ms(1000));
    assert_eq!(net.next_hops(4)[2], Some(3));
    net.said();
    net.link((2, 3), false);
    net.send(datagram(1, 0, 4));
    net.run(ms(2000));
    // Station 2 gives up at 1007 ms. The destination was 2 hops away, so the RREQ of the local repair has TTL 2 + 2.
    let said = net.said();
    assert!(said.contains(&(1007, 2, None, "RREQ 4 ttl 4".to_owned())), "{said:?}");
    assert!(said.iter().all(|s| s.3 != "RERR 4"), "{said:?}");
    assert_eq!(net.delivered.len(), 2);
    assert_eq!(net.next_hops(4)[2], Some(5));
}

#[test]
fn a_repair_that_fails_is_told() {
    let config = Config { local_repair: LocalRepair::Within(10), ..steady() };
    let mut net = chain(&config, 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(1000));
    net.said();
    net.link((2, 3), false);
    net.send(datagram(1, 0, 3));
    net.run(ms(3000));
    // The RREQ of the local repair has TTL max(1, 3 / 2) + 2 = 3 and waits 2 * 40 ms * (3 + 2) = 400 ms.
    let said = net.said();
    assert!(said.contains(&(1007, 2, None, "RREQ 3 ttl 3".to_owned())), "{said:?}");
    assert!(said.contains(&(1407, 2, Some(1), "RERR 3".to_owned())), "{said:?}");
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
}

#[test]
fn hellos_find_a_silent_neighbour_gone() {
    let hello = Some(Hello { interval: Duration::from_secs(1), allowed_loss: 2 });
    let mut net = chain(&Config { hello, ..steady() }, 3);
    net.send(datagram(0, 0, 2));
    net.run(ms(2900));
    assert_eq!(net.next_hops(2), [Some(1), Some(2), None]);
    net.link((1, 2), false);
    net.said();
    for k in 0..20 {
        net.run(ms(3000 + 100 * k));
    }
    // Without packets a neighbour counts as lost two hello intervals after its last hello. Station 2's last hello
    // before 3 s was sent after 2 s.
    let said: Vec<_> = net.said().into_iter().filter(|said| said.3.starts_with("RERR")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!((said[0].1, said[0].2), (1, Some(0)));
    assert!((4000..5000).contains(&said[0].0), "{said:?}");
    assert_eq!(net.next_hops(2), [None; 3]);
}

#[test]
fn requests_are_limited_to_ten_in_a_second() {
    let mut net = chain(&steady(), 2);
    for k in 0..15 {
        net.send(datagram(k, 0, 10 + k as u32));
    }
    assert_eq!(net.said().len(), 10);
    net.run(ms(999));
    assert!(net.said().iter().all(|said| said.1 == 1), "only what is passed on");
    net.run(ms(1000));
    assert!(net.said().iter().filter(|said| said.1 == 0).count() > 0);
}

#[test]
fn the_buffer_drops_the_oldest_and_what_waits_too_long() {
    let config = Config { buffer: 2, buffer_time: TimeOrNever(Some(Duration::from_ms(100))), ..steady() };
    let mut net = chain(&config, 2);
    for k in 0..3 {
        net.send(datagram(k, 0, 9));
    }
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::Queue]);
    net.run(ms(100));
    assert_eq!(net.lost.len(), 3);
    assert_eq!(net.lost[2].1, DropCause::NoRoute);
}

#[test]
fn numbers_wrap() {
    use crate::table::newer;
    assert!(newer(1, 0) && newer(0, u32::MAX) && newer(0x7fff_ffff, 0) && !newer(0, 0));
    assert!(!newer(0x8000_0001, 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_loops_and_nothing_lost_from_the_books(
        happenings in proptest::collection::vec(happening(), 1..60),
        repair in any::<bool>(),
        salvage in any::<bool>(),
        gratuitous in any::<bool>(),
        hello in any::<bool>(),
        short in any::<bool>(),
    ) {
        let config = Config {
            local_repair: if repair { LocalRepair::Within(10) } else { LocalRepair::Never },
            hello: hello.then_some(Hello { interval: Duration::from_ms(300), allowed_loss: 2 }),
            salvage,
            gratuitous,
            // Short lifetimes make routes expire during the test.
            active_route_timeout: Duration::from_ms(if short { 50 } else { 3000 }),
            my_route_timeout: Duration::from_ms(if short { 100 } else { 6000 }),
            ..Config::default()
        };
        live::<Aodv>(&config, happenings, false)?;
    }
}

/// Returns the settings of profile `ns2` without jitter.
fn like_ns2() -> Config {
    Config { jitter: Duration::ZERO, ..Config::ns2() }
}

/// Before the first answered search ns-2 assumes 30 ms per hop. So RREQs with TTL 30 wait 1.8, 3.6, 5.4 and
/// 7.2 s. Without packets the next RREQ is sent at the next multiple of 0.5 s after the wait. After the
/// failed search no search begins for 10 s.
#[test]
fn ns2_asks_at_ticks_and_rests() {
    let mut net = chain(&like_ns2(), 2);
    net.send(datagram(0, 0, 9));
    net.run(ms(40_000));
    let asked = |net: &mut Net<Aodv>| -> Vec<_> {
        net.said().into_iter().filter(|said| said.1 == 0).map(|said| said.0).collect()
    };
    assert_eq!(asked(&mut net), [0, 2000, 6000, 11_500]);
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
    assert_eq!(net.routers[0].next(), None);
    // A packet at 1.9 s triggers an RREQ at once. A packet before 1.8 s, or in the pause that begins at 18.5
    // s, waits.
    let mut net = chain(&like_ns2(), 2);
    for (n, at) in [0, 1700, 1900, 20_000].into_iter().enumerate() {
        net.run(ms(at));
        net.send(datagram(n as u64, 0, 9));
    }
    net.run(ms(31_000));
    // The waits end at 1.9 + 3.6 = 5.5 s, at 5.5 + 5.4 = 10.9 s and at 11 + 7.2 = 18.2 s. The search goes on at the
    // ticks of 5.5, 11 and 18.5 s. The last tick ends the search, and the pause lasts until 28.5 s.
    assert_eq!(asked(&mut net), [0, 1900, 5500, 11_000, 28_500, 30_500]);
    assert_eq!((net.lost.len(), net.routers[0].waiting()), (3, 1));
}

/// A hop takes 1 ms in each direction. One search over 3 hops has taken 6 ms, 2 ms per hop. The wait after an RREQ
/// with TTL 5 is then 2 * 5 * 2 = 20 ms, that after TTL 7 is 28 ms, and those after RREQs to the whole network are
/// 120 and 240 ms, if packets arrive every millisecond.
#[test]
fn ns2_waits_by_what_a_hop_took() {
    let mut net = chain(&Config { local_repair: LocalRepair::Never, ..like_ns2() }, 4);
    net.send(datagram(0, 0, 3));
    net.run(ms(1000));
    net.link((2, 3), false);
    net.send(datagram(1, 0, 3));
    net.run(ms(1100));
    net.said();
    for n in 0..700 {
        net.run(ms(1100 + n));
        net.send(datagram(2 + n, 0, 3));
    }
    let own = |said: &(u64, u32, Option<u32>, String)| said.1 == 0 && said.3.starts_with("RREQ");
    let asked: Vec<_> = net.said().into_iter().filter(own).map(|said| (said.0, said.3)).collect();
    let want = [(1100, 5), (1120, 7), (1148, 30), (1268, 30), (1508, 30)];
    assert_eq!(asked, want.map(|(at, ttl)| (at, format!("RREQ 3 ttl {ttl}"))));
}

/// The time per hop is averaged over the last three answered searches only.
#[test]
fn three_searches_are_remembered() {
    let mut router = alone::<Aodv>(&like_ns2(), "a");
    let mut out = Vec::new();
    for (n, ms_a_hop) in [50, 3, 4, 8].into_iter().enumerate() {
        let reply = Reply {
            hops: 1,
            destination: Station(2),
            destination_seq: n as u32 + 1,
            originator: Station(0),
            lifetime: Duration::from_secs(1),
            asked: ms(1000),
        };
        let now = ms(1000 + 2 * ms_a_hop);
        router.receive(now, &Message::Reply(reply), Station(1), &mut out);
    }
    assert_eq!(router.hop_time(Station(2)), Duration::from_ms(5));
    assert_eq!(router.hop_time(Station(3)), Duration::from_ms(30));
}
