use super::config::Config;
use super::message::{Action, Entry, MOST, Update};
use super::node::Dsdv;

use crate::harness::{Net, alone, datagram, happening, live, ms};
use crate::port::{Length, Message as _};
use crate::router::Router as _;
use base::{DropCause, Duration, Instant};
use proptest::prelude::*;
use radio::access::Station;

fn chain(config: &Config, n: u32) -> Net<Dsdv> {
    Net::chain(config, n)
}

fn entry(to: u32, hops: Option<u8>, seq: u32) -> Entry {
    Entry { to: Station(to), hops, seq }
}

/// A single DSDV router that receives updates made by the test.
struct Alone {
    router: Dsdv,
    now: Instant,
}

impl Alone {
    fn new() -> Self {
        let mut alone = Self { router: alone(&Config::default(), "a"), now: ms(2000) };
        // By 2 s the router has sent its first update, which lists itself only.
        alone.run(2000);
        alone
    }

    fn receive(&mut self, at: u64, previous: u32, entries: &[Entry]) {
        self.now = ms(at);
        self.router.receive(self.now, &Update(entries.to_vec()), Station(previous), &mut Vec::new());
    }

    /// Runs until `until` ms. Returns each update sent: its time, ms, and its entries about other nodes.
    fn run(&mut self, until: u64) -> Vec<(u64, Vec<Entry>)> {
        let mut said = Vec::new();
        while let Some(at) = self.router.next().map(|at| at.max(self.now)).filter(|at| *at <= ms(until)) {
            self.now = at;
            let mut out = Vec::new();
            self.router.run(at, &mut out);
            for order in out {
                if let Action::Send(update, None) = order {
                    let when = at.since(Instant::ZERO).ps() / 1_000_000_000;
                    said.push((when, update.0.into_iter().filter(|e| e.to != Station(0)).collect()));
                }
            }
        }
        said
    }

    fn hops(&self, to: u32) -> Option<u32> {
        self.router.next_hop(Station(to), self.now).map(|next| next.0)
    }
}

#[test]
fn lengths() {
    assert_eq!(Update(vec![entry(1, None, 1); 3]).length(), Length::Udp(36));
    assert_eq!(Update(vec![entry(1, None, 1); MOST]).length(), Length::Udp(1500 - 28 - 8));
}

#[test]
fn newer_wins_and_of_equal_numbers_the_shorter_way() {
    let mut alone = Alone::new();
    alone.receive(3000, 1, &[entry(9, Some(3), 100)]);
    assert_eq!(alone.hops(9), Some(1));
    alone.receive(3100, 2, &[entry(9, Some(3), 100)]);
    assert_eq!(alone.hops(9), Some(1), "not shorter");
    alone.receive(3200, 2, &[entry(9, Some(2), 100)]);
    assert_eq!(alone.hops(9), Some(2), "shorter");
    alone.receive(3300, 3, &[entry(9, Some(1), 98)]);
    assert_eq!(alone.hops(9), Some(2), "older");
    alone.receive(3400, 3, &[entry(9, Some(7), 102)]);
    assert_eq!(alone.hops(9), Some(3), "newer");
    alone.receive(3500, 3, &[entry(9, None, 103)]);
    assert_eq!(alone.hops(9), None, "gone");
}

#[test]
fn a_new_route_is_told_at_once_and_another_distance_when_it_has_settled() {
    let mut alone = Alone::new();
    alone.receive(4000, 1, &[entry(9, Some(3), 100)]);
    assert_eq!(alone.run(4500), [(4000, vec![entry(9, Some(4), 100)])]);
    // A route with a newer sequence number and a greater metric is advertised only after 2 * 6 s, twice the settling
    // time.
    alone.receive(5000, 2, &[entry(9, Some(5), 102)]);
    let said = alone.run(30_000);
    let own: Vec<_> = said.iter().filter(|(_, entries)| !entries.is_empty()).collect();
    // A full update in between leaves the new route out; the route is advertised at 17 s or in the next full update.
    assert!(own[0].0 >= 17_000 && own[0].1 == [entry(9, Some(6), 102)], "{said:?}");
}

#[test]
fn old_bad_news_are_contradicted() {
    let mut alone = Alone::new();
    alone.receive(4000, 1, &[entry(9, Some(3), 102)]);
    alone.run(4500);
    alone.receive(4600, 2, &[entry(9, None, 101)]);
    assert_eq!(alone.hops(9), Some(1));
    assert_eq!(alone.run(6000), [(5000, vec![entry(9, Some(4), 102)])]);
}

#[test]
fn who_is_said_to_be_gone_says_that_it_is_there() {
    let mut alone = Alone::new();
    alone.receive(4000, 1, &[entry(0, None, 7)]);
    alone.run(4100);
    assert!(alone.router.next().is_some());
    let mut out = Vec::new();
    alone.receive(5500, 1, &[entry(0, None, 9)]);
    alone.router.run(ms(5500), &mut out);
    assert_eq!(out, [Action::Send(Update(vec![entry(0, Some(0), 10)]), None)]);
}

#[test]
fn a_chain_learns_its_routes_and_a_break_is_told() {
    let mut net = chain(&Config::default(), 4);
    net.run(ms(40_000));
    assert_eq!(net.next_hops(3), [Some(1), Some(2), Some(3), None]);
    assert_eq!(net.next_hops(0), [None, Some(0), Some(1), Some(2)]);
    net.said();
    net.link((2, 3), false);
    net.send(datagram(0, 0, 3));
    net.run(ms(43_100));
    // Station 2 gives up at 40 007 ms. Each station advertises the broken route within a second, the least gap
    // between updates.
    assert_eq!(net.next_hops(3), [None; 4]);
    let odd: Vec<_> =
        net.said().into_iter().filter(|said| said.3.contains("3:inf:")).map(|said| said.1).collect();
    assert_eq!(odd, [2, 1, 0]);
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::RetryLimit]);
}

#[test]
fn what_has_no_route_yet_waits_for_it() {
    let mut net = chain(&Config::default(), 3);
    net.send(datagram(0, 0, 2));
    net.run(ms(20_000));
    assert_eq!(net.delivered.len(), 1);
    let said = net.said();
    assert!(said.iter().filter(|said| said.0 < 1000).count() >= 3, "{said:?}");
    // Station 9 does not exist: a packet for it is dropped after 30 s.
    net.send(datagram(1, 0, 9));
    net.run(ms(51_000));
    assert_eq!(net.lost.iter().map(|lost| lost.1).collect::<Vec<_>>(), [DropCause::NoRoute]);
}

#[test]
fn a_silent_neighbour_is_gone_after_three_intervals() {
    let config = Config { link_layer: false, ..Config::default() };
    let mut net = chain(&config, 2);
    net.run(ms(20_000));
    assert_eq!(net.next_hops(1), [Some(1), None]);
    net.link((0, 1), false);
    net.run(ms(44_000));
    assert_eq!(net.next_hops(1), [Some(1), None]);
    net.run(ms(66_000));
    assert_eq!(net.next_hops(1), [None, None]);
}

#[test]
fn the_first_updates_by_hand() {
    // Each of two stations first advertises itself, then the other station too.
    let mut net = chain(&Config::default(), 2);
    net.run(ms(3000));
    let said: Vec<_> = net.said().into_iter().map(|(_, who, to, what)| (0, who, to, what)).collect();
    let first = said[0].1;
    let second = 1 - first;
    let tell = |who: u32, what: String| (0, who, None, what);
    let want = [
        tell(first, format!("{first}:0:2")),
        tell(second, format!("{second}:0:2 {first}:1:2")),
        tell(first, format!("{first}:0:2 {second}:1:2")),
    ];
    assert_eq!(said, want);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_loops_and_nothing_lost_from_the_books(
        happenings in proptest::collection::vec(happening(), 1..60),
        salvage in any::<bool>(),
        link_layer in any::<bool>(),
    ) {
        let config = Config {
            update_interval: Duration::from_ms(900),
            trigger_gap: Duration::from_ms(50),
            settling: Duration::from_ms(100),
            buffer_time: Duration::from_secs(5),
            salvage,
            link_layer,
            ..Config::default()
        };
        live::<Dsdv>(&config, happenings, false)?;
    }
}
