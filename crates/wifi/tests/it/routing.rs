//! Routing protocols over the 802.11 medium: frames on the air, and conservation of packets.

use base::{Body, DropCause, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use proptest::prelude::*;
use radio::Position;
use radio::access::{Frame, Outbox, Station};
use radio::mobility::{self, Bounds, RandomWaypoint};
use radio::placement::Uniform;
use routing::{StationRef, aodv, dsdv, hwmp, olsr};
use wifi::timing::{GuardInterval, Standard, Width};
use wifi::{Config, Network, Profile, Site};

fn packet(seq: u64) -> Packet {
    Packet {
        sent: Instant::ZERO,
        flow: FlowId(0),
        route: 0,
        wire: 1000,
        body: Body::Datagram { seq, payload: 972 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

fn ms(n: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(n)
}

fn site(x: f64, y: f64) -> Site {
    Site::fixed(Position::new(x, y, 0.0))
}

/// Returns a network with ns-2's radio, a range of 250 m and no RTS.
fn config(sites: Vec<Site>, routing: routing::Config) -> Config {
    let mut config = Config::new(Standard::B, Profile::Ns2, sites, None);
    config.mac.exchange.rts_threshold = 65_535;
    config.routing = routing;
    assert_eq!(config.check(), Ok(()));
    config
}

fn chain(n: u32, routing: routing::Config) -> Config {
    config((0..n).map(|k| site(200.0 * f64::from(k), 0.0)).collect(), routing)
}

struct Run {
    network: Network,
    out: Outbox,
    sent: u64,
}

impl Run {
    fn new(config: &Config) -> Self {
        let out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
        Self { network: Network::new(config, 1, "wlan"), out, sent: 0 }
    }

    fn until(&mut self, end: Instant) {
        while let Some(at) = self.network.next().filter(|at| *at <= end) {
            self.network.run(at, &mut self.out);
        }
    }

    fn send(&mut self, now: Instant, from: u32, to: u32) {
        self.until(now);
        self.network.send(now, Station(from), Station(to), packet(self.sent), &mut self.out);
        self.sent += 1;
    }

    fn frames(&self, kind: &str) -> Vec<Frame> {
        self.out.frames.iter().flatten().filter(|frame| frame.kind == kind).copied().collect()
    }

    fn left(&mut self, now: Instant) -> u64 {
        self.network.finish(now);
        self.network.stats().total(|station| station.left)
    }
}

#[test]
fn aodv_floods_answers_and_sends() {
    // The first search covers the whole network without jitter: each station forwards the RREQ as soon as it gets the medium.
    let routing = aodv::Config { ttl_start: 35, jitter: Duration::ZERO, ..aodv::Config::default() };
    let mut run = Run::new(&chain(4, routing::Config::Aodv(routing)));
    run.send(ms(10), 0, 3);
    run.until(ms(100));
    let who = |kind| {
        run.frames(kind).iter().map(|frame| (frame.from.0, frame.to.map(|to| to.0))).collect::<Vec<_>>()
    };
    assert_eq!(who("RREQ"), [(0, None), (1, None), (2, None)]);
    assert_eq!(who("RREP"), [(3, Some(2)), (2, Some(1)), (1, Some(0))]);
    assert_eq!(who("DATA"), [(0, Some(1)), (1, Some(2)), (2, Some(3))]);
    // RREQ or RREP with headers of IP and UDP and 34 bytes of the MAC; a broadcast at 1 Mb/s has a preamble of 192 us.
    let [request, reply] = ["RREQ", "RREP"].map(|kind| run.frames(kind)[0]);
    assert_eq!((request.bytes, reply.bytes), (20 + 8 + 24 + 34, 20 + 8 + 20 + 34));
    assert_eq!(request.ends - request.begins, Duration::from_us(192 + 86 * 8));
    // The request is sent DIFS and a backoff of 0 to 30 slots after the packet arrived.
    let backoff = request.begins.since(ms(10) + Duration::from_us(50)).ps();
    assert!(backoff.is_multiple_of(20_000_000) && backoff <= 30 * 20_000_000, "{backoff} ps");
    assert_eq!(run.out.delivered.len(), 1);
    assert_eq!(run.out.delivered[0].0, Station(3));
}

#[test]
fn a_station_that_leaves_is_told_and_a_way_around_is_found() {
    // The route from 0 to 3 leads over 1, which moves away at 20 s, or over 2, which stays.
    let away = mobility::trace::setdest(
        "$node_(1) set X_ 200\n$node_(1) set Y_ 0\n$ns_ at 20.0 \"$node_(1) setdest 200 5000 1000\"",
    );
    let track = away.expect("a trace")[&1].clone();
    let mut sites = vec![site(0.0, 0.0), site(200.0, 0.0), site(200.0, 100.0), site(400.0, 0.0)];
    sites[1].mobility = mobility::Config::Track(track);
    let mut run = Run::new(&config(sites, routing::Config::Aodv(aodv::Config::default())));
    // The request that arrives at 3 first, over 1 or over 2, decides the first route.
    for k in 0..400 {
        run.send(ms(10_000 + 100 * k), 0, 3);
    }
    run.until(ms(60_000));
    let stats = run.network.stats();
    assert_eq!(run.out.delivered.len() as u64 + stats.total(|s| s.lost_total()), 400);
    assert!(run.out.delivered.len() >= 398, "{}", run.out.delivered.len());
    assert!(stats.stations[2].forwarded >= 290, "{}", stats.stations[2].forwarded);
}

/// Ten packets to a neighbour that has left: without link-layer feedback each packet has seven attempts, with feedback only the first.
#[test]
fn without_the_link_layer_the_retry_limit_costs_one_packet() {
    let routings = |link_layer| {
        [
            routing::Config::Dsdv(dsdv::Config { link_layer, salvage: false, ..dsdv::Config::default() }),
            routing::Config::Olsr(olsr::Config { link_layer, salvage: false, ..olsr::Config::default() }),
        ]
    };
    for (link_layer, attempts) in [(true, 7), (false, 70)] {
        for routing in routings(link_layer) {
            let away = mobility::trace::setdest(
                "$node_(1) set X_ 200\n$node_(1) set Y_ 0\n$ns_ at 30.0 \"$node_(1) setdest 200 5000 100000\"",
            );
            let mut sites = vec![site(0.0, 0.0), site(200.0, 0.0)];
            sites[1].mobility = mobility::Config::Track(away.expect("a trace")[&1].clone());
            let mut run = Run::new(&config(sites, routing));
            for _ in 0..10 {
                run.send(ms(30_100), 0, 1);
            }
            run.until(ms(32_000));
            assert_eq!(run.frames("DATA").len(), attempts, "{:?}", run.network.stats().stations[0]);
            assert_eq!(run.network.stats().total(|s| s.lost_total()), 10);
        }
    }
}

#[test]
fn every_protocol_carries_packets_along_a_chain() {
    for routing in [
        routing::Config::Aodv(aodv::Config::default()),
        routing::Config::Aodv(aodv::Config::ns2()),
        routing::Config::Dsdv(dsdv::Config::default()),
        routing::Config::Olsr(olsr::Config::default()),
        routing::Config::Hwmp(hwmp::Config::default()),
        routing::Config::Hwmp(hwmp::Config {
            root: Some(StationRef::Known(Station(2))),
            ..hwmp::Config::default()
        }),
        routing::Config::FewestHops,
    ] {
        let mut run = Run::new(&chain(7, routing.clone()));
        for k in 0..100 {
            run.send(ms(60_000 + 100 * k), 0, 6);
            // Start later: if both searches collide, ns-2's waits of 1.8 and 3.6 s exceed the buffer of 64 packets.
            run.send(ms(60_050 + 100 * k), 6, 0);
        }
        run.until(ms(80_000));
        assert_eq!(run.out.delivered.len(), 200, "{routing:?}");
        assert_eq!(run.network.stats().stations[3].forwarded, 200);
    }
}

#[test]
fn a_mesh_finds_its_path_on_the_air() {
    let mesh = hwmp::Config {
        jitter: Duration::ZERO,
        gates: Some(vec![StationRef::Known(Station(3))]),
        ..hwmp::Config::default()
    };
    let mut run = Run::new(&chain(4, routing::Config::Hwmp(mesh)));
    run.send(ms(3000), 0, 3);
    run.send(ms(3200), 0, 2);
    run.until(ms(3300));
    let who = |kind| {
        let frames = run.frames(kind).into_iter().filter(|frame| frame.begins >= ms(3000));
        frames.map(|frame| (frame.from.0, frame.to.map(|to| to.0))).collect::<Vec<_>>()
    };
    // Station 0 has to search for 2, too, since the reply of 3 has set up a path to 3 only.
    assert_eq!(who("PREQ"), [(0, None), (1, None), (2, None), (0, None), (1, None)]);
    assert_eq!(who("PREP"), [(3, Some(2)), (2, Some(1)), (1, Some(0)), (2, Some(1)), (1, Some(0))]);
    assert_eq!(who("DATA"), [(0, Some(1)), (1, Some(2)), (2, Some(3)), (0, Some(1)), (1, Some(2))]);
    let [request, reply, data] = ["PREQ", "PREP", "DATA"].map(|kind| run.frames(kind)[0]);
    // Management frames have 24 bytes of header, 2 of category and action, the element, and 4 of FCS. The packet has 34 bytes of ns-2's
    // header, Address 4, Mesh Control, QoS Control, and addresses 5 and 6, since it leaves the mesh at a gate.
    assert_eq!((request.bytes, reply.bytes), (24 + 2 + 39 + 4, 24 + 2 + 33 + 4));
    assert_eq!(
        [data.bytes, run.frames("DATA")[3].bytes],
        [1000 + 34 + 6 + 6 + 2 + 12, 1000 + 34 + 6 + 6 + 2]
    );
    // Each pair of peers has exchanged two OPEN and two CONFIRM frames.
    assert_eq!((run.frames("OPEN").len(), run.frames("CONFIRM").len()), (6, 6));
}

/// Two of five mesh stations send more than the channel carries for 20 s; the others listen only to beacons.
/// Each packet is delivered, lost or still queued.
#[test]
fn stations_of_a_mesh_may_listen_once_in_a_long_time() {
    let sites = (0..5).map(|k| site(f64::from(k), 0.0)).collect();
    let mut config = Config::new(Standard::N, Profile::Ieee, sites, None);
    config.set_mode(Standard::N.mcs(0, Width::Mhz20, GuardInterval::Long).expect("an MCS"));
    config.routing = routing::Config::Hwmp(hwmp::Config::default());
    let mut run = Run::new(&config);
    for k in 0..20_000 {
        run.send(ms(2000 + k), 0, 1);
        run.send(ms(2000 + k), 1, 0);
    }
    let left = run.left(ms(22_000));
    assert_eq!((run.out.delivered.len() + run.out.lost.len()) as u64 + left, 40_000);
}

/// Returns the least delay, ps, of packets sent one at a time over `hops` hops with backoffs of 0 slots.
fn delay(routing: routing::Config, hops: u32) -> u64 {
    let mut config = chain(hops + 1, routing);
    config.mac.access.cw_min = 1;
    let mut run = Run::new(&config);
    let mut best = u64::MAX;
    for k in 0..20 {
        // Beacons are 1.024 s apart, so most packets are not delayed by one.
        let sent = ms(20_000 + 70 * k);
        run.send(sent, 0, hops);
        while run.out.delivered.len() as u64 <= k {
            let now = run.network.next().expect("something to do");
            run.network.run(now, &mut run.out);
            if run.out.delivered.len() as u64 > k {
                best = best.min(now.since(sent).ps());
            }
        }
    }
    best
}

/// A hop of a mesh takes 10.18 us longer than a hop with fixed routes: 14 more bytes of header at 11 Mb/s.
#[test]
fn a_mesh_is_a_chain_with_longer_headers() {
    for hops in 1..=6 {
        let fixed = delay(routing::Config::FewestHops, hops);
        let mesh = delay(routing::Config::Hwmp(hwmp::Config::default()), hops);
        let more = u64::from(hops) * 14 * 8 * 1_000_000 / 11;
        assert!(mesh.abs_diff(fixed + more) <= u64::from(hops), "{hops} hops: {fixed} and {mesh} ps");
    }
}

#[test]
fn nobody_is_there() {
    let mut run = Run::new(&config(
        vec![site(0.0, 0.0), site(5000.0, 0.0)],
        routing::Config::Aodv(aodv::Config::default()),
    ));
    run.send(ms(10), 0, 1);
    run.until(ms(60_000));
    assert_eq!(run.out.lost.iter().map(|lost| lost.2).collect::<Vec<_>>(), [DropCause::NoRoute]);
    assert_eq!(run.frames("RREQ").len(), 7);
    assert_eq!(run.network.next(), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// In a network with moving stations each packet is delivered once, lost for one cause, or still queued.
    #[test]
    fn packets_are_conserved(seed in any::<u64>(), protocol in 0..4, rts in any::<bool>(), load in 1..20u64) {
        let routing = match protocol {
            0 => routing::Config::Aodv(aodv::Config::ns2()),
            1 => routing::Config::Dsdv(dsdv::Config { update_interval: Duration::from_secs(3), ..dsdv::Config::default() }),
            2 => routing::Config::Hwmp(hwmp::Config { gates: Some(vec![StationRef::Known(Station(0))]), ..hwmp::Config::default() }),
            _ => routing::Config::Olsr(olsr::Config::default()),
        };
        let bounds = Bounds::new([0.0, 700.0], [0.0, 400.0]);
        let pause = [Duration::ZERO; 2];
        let places = radio::placement::Config::Uniform(Uniform { bounds, height: 0.0 }).place(10, seed, "places");
        let sites = places
            .into_iter()
            .map(|position| Site {
                position,
                mobility: mobility::Config::RandomWaypoint(RandomWaypoint { bounds, speed: [5.0, 20.0], pause, starts_paused: false }),
            })
            .collect();
        let mut config = config(sites, routing);
        config.mac.exchange.rts_threshold = if rts { 0 } else { 65_535 };
        let mut run = Run::new(&config);
        for k in 0..400 {
            for pair in 0..load.min(5) as u32 {
                run.send(ms(5000 + 40 * k), pair, 9 - pair);
            }
        }
        run.until(ms(22_000));
        let left = run.left(ms(22_000));
        let stats = run.network.stats();
        prop_assert_eq!(stats.total(|s| s.entered), run.sent);
        prop_assert_eq!(stats.total(|s| s.delivered), run.out.delivered.len() as u64);
        prop_assert_eq!(stats.total(|s| s.lost_total()), run.out.lost.len() as u64);
        prop_assert_eq!(run.out.delivered.len() as u64 + run.out.lost.len() as u64 + left, run.sent);
        let seq = |packet: &Packet| match packet.body { Body::Datagram { seq, .. } => seq, _ => u64::MAX };
        let mut seen: Vec<u64> = run.out.delivered.iter().map(|(_, p)| seq(p)).chain(run.out.lost.iter().map(|(_, p, _)| seq(p))).collect();
        seen.sort_unstable();
        let before = seen.len();
        seen.dedup();
        prop_assert_eq!(seen.len(), before);
    }
}

/// At 53 m beacons and other short frames arrive but packets do not. Such stations do not become peers, so no packet is lost.
#[test]
fn stations_too_far_for_data_are_no_peers() {
    // 802.11n at 26 Mb/s: frames of 1000 bytes are lost at 53 m, and mostly arrive at 27 m.
    let at = [(0.0, 0.0), (25.0, 12.0), (50.0, 12.0), (75.0, 0.0)];
    let sites = at.map(|(x, y)| site(x, y)).to_vec();
    let mut config = Config::new(Standard::N, Profile::Ieee, sites, None);
    config.set_mode(Standard::N.mcs(3, Width::Mhz20, GuardInterval::Long).expect("an MCS"));
    config.routing = routing::Config::Hwmp(hwmp::Config::default());
    let mut run = Run::new(&config);
    for k in 0..400 {
        run.send(ms(3000 + 50 * k), 0, 3);
    }
    run.until(ms(25_000));
    assert_eq!(run.out.delivered.len(), 400);
}
