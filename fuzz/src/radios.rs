//! Networks of 802.11 and of LTE, called directly: packets at arbitrary times between arbitrary stations.
//!
//! The targets assert that each packet that enters is delivered once, lost once, or inside at the end.

use super::draw::Draw;
use base::{Body, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use lte::bandwidth::Bandwidth;
use lte::config::{Enb, Grants, Handover, Ue};
use lte::fading::{self, Epa};
use lte::rlc::{AmConfig, Mode, UmConfig};
use lte::scheduler::Scheduler;
use radio::Position;
use radio::access::{Outbox, Station};
use radio::mobility::{self, Bounds, RandomWaypoint};
use radio::propagation::Fading;
use settings::TimeOrNever;
use std::collections::BTreeSet;
use wifi::config::{Association, Capture, Protection, Reception, Roaming};
use wifi::edca::{AccessCategory, Edca};
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};
use wifi::timing::{GuardInterval, Standard, Width};
use wifi::{Profile, Site};

/// Longest simulated time of one input.
const END: Instant = Instant::from_ps(3_000_000_000_000);

fn datagram(now: Instant, flow: u32, seq: u64, wire: u32) -> Packet {
    let body = Body::Datagram { seq, payload: wire - 28 };
    Packet { sent: now, flow: FlowId(flow), route: 0, wire, body, ecn: Ecn::NotEct, class: LOWEST_CLASS }
}

/// Count of the packets that have entered a network, and the numbers of those that have come out.
#[derive(Default)]
struct Ledger {
    out: BTreeSet<u64>,
    entered: u64,
}

impl Ledger {
    /// Records the packets that a network has delivered or lost. Asserts that no packet comes out twice.
    fn take(&mut self, out: &mut Outbox, stations: u32) {
        let delivered = out.delivered.drain(..);
        let lost = out.lost.drain(..).map(|(station, packet, _)| (station, packet));
        for (station, packet) in delivered.chain(lost) {
            let Body::Datagram { seq, .. } = packet.body else { panic!("{packet:?}") };
            assert!(station.0 < stations && seq < self.entered, "{station:?}: {packet:?}");
            assert!(self.out.insert(seq), "{packet:?} came out twice");
        }
    }
}

fn waypoints() -> mobility::Config {
    mobility::Config::RandomWaypoint(RandomWaypoint {
        bounds: Bounds::new([0.0, 900.0], [0.0, 120.0]),
        speed: [100.0, 500.0],
        pause: [Duration::ZERO; 2],
        starts_paused: false,
    })
}

fn wifi_config(draw: &mut Draw<'_>) -> wifi::Config {
    let (standard, profile) = (draw.of(&Standard::ALL), draw.of(&Profile::ALL));
    let rules = [draw.byte(), draw.byte()];
    let count = 2 + draw.below(5);
    let sites = (0..count).map(|_| Site {
        position: Position::new(draw.below(256) as f64, draw.below(128) as f64, 0.0),
        mobility: if rules[0] & 1 > 0 { waypoints() } else { mobility::Config::Constant },
    });
    let sites = sites.collect();
    let access_point = (rules[0] & 2 > 0).then_some(Station(0));
    let mut config = wifi::Config::new(standard, profile, sites, access_point);
    if standard.is_qos() {
        let guard =
            draw.of(&[GuardInterval::Long, GuardInterval::Short, GuardInterval::Us0_8, GuardInterval::Us1_6]);
        let width = draw.of(&[Width::Mhz20, Width::Mhz40, Width::Mhz80]);
        if let Ok(mode) = standard.mcs(draw.below(12) as u8, width, guard) {
            config.set_mode(mode);
        }
        config.mac.aggregation.amsdu = draw.of(&[0, 3839]);
        config.mac.block_ack_request = draw.flag();
    }
    if standard == Standard::G && rules[0] & 4 > 0 {
        config.set_protection(draw.of(&[Protection::CtsToSelf, Protection::RtsCts]), 20);
    }
    config.mac.exchange.rts_threshold = draw.of(&[0, 500, 65_535]);
    config.phy.rate_control = draw.of(&[
        RateControl::Constant,
        RateControl::Arf(ArfConfig::default()),
        RateControl::Ideal(IdealConfig::default()),
        RateControl::MinstrelHt(MinstrelConfig::default()),
    ]);
    if rules[0] & 8 > 0 {
        config.set_edca(Edca::standard(standard, config.mac.access.cw_min, config.mac.access.cw_max));
    }
    config.queue.packets = 1 + draw.below(40) as u32;
    if rules[0] & 16 > 0 {
        config.queue.lifetime = TimeOrNever(Some(Duration::from_ms(1 + draw.below(100))));
    }
    if rules[0] & 32 > 0 {
        config.mac.bss.association = Association::Exchange;
        config.mac.bss.beacons = TimeOrNever(Some(Duration::from_us(20_480)));
        config.mac.bss.missed_beacons = 1 + draw.below(3) as u32;
        config.mac.bss.association_timeout = Duration::from_ms(1 + draw.below(100));
        if access_point.is_some() {
            config.set_other_access_points((2..count as u32).step_by(2).map(Station).collect(), profile);
            config.mac.bss.scan_time = Duration::from_ms(1 + draw.below(60));
            config.mac.bss.roaming = draw.of(&[Roaming::Lost, Roaming::Stronger]);
        }
    }
    config.routing = draw.of(&[
        routing::Config::FewestHops,
        routing::Config::Aodv(routing::aodv::Config::default()),
        routing::Config::Olsr(routing::olsr::Config::default()),
        routing::Config::Dsdv(routing::dsdv::Config::default()),
    ]);
    if rules[1] & 1 > 0 {
        config.phy.fading = Fading::Rayleigh;
    }
    if rules[1] & 2 > 0 {
        config.phy.reception = Reception::Capture(Capture {
            receive: -85.0,
            sense: -92.0,
            ratio: 10.0,
            reserves: rules[1] & 4 > 0,
        });
    }
    config
}

/// Runs an 802.11 network with a configuration and packets that the input describes.
pub fn wifi_network(data: &[u8]) {
    let mut draw = Draw::new(data);
    let config = wifi_config(&mut draw);
    if config.check().is_err() {
        return;
    }
    let stations = config.sites.len() as u32;
    let mut network = wifi::Network::new(&config, draw.number(), "wlan");
    let (mut ledger, mut out) = (Ledger::default(), Outbox::default());
    let mut now = Instant::ZERO;
    while !draw.is_empty() && now < END {
        now = draw.later(now);
        while let Some(at) = network.next().filter(|at| *at <= now) {
            network.run(at, &mut out);
            ledger.take(&mut out, stations);
        }
        let from = draw.below(stations.into()) as u32;
        let to = (from + 1 + draw.below(u64::from(stations) - 1) as u32) % stations;
        let wire = 28 + draw.below(1473) as u32;
        for _ in 0..1 + draw.below(8) {
            let packet = datagram(now, from * stations + to, ledger.entered, wire);
            ledger.entered += 1;
            let category = AccessCategory::ALL[((from + to) % 4) as usize];
            network.send_as(category, now, (Station(from), Station(to)), packet, &mut out);
            ledger.take(&mut out, stations);
        }
    }
    let end = now + Duration::from_ms(500);
    while let Some(at) = network.next().filter(|at| *at <= end) {
        network.run(at, &mut out);
        ledger.take(&mut out, stations);
    }
    network.finish(end);
    let left = network.stats().total(|station| station.left);
    assert_eq!(ledger.out.len() as u64 + left, ledger.entered, "packets are conserved");
}

fn lte_config(draw: &mut Draw<'_>) -> lte::Config {
    let rules = draw.byte();
    let ues = (0..1 + draw.below(4)).map(|i| Ue {
        name: format!("ue{i}"),
        position: Position::new(4.0 * draw.below(256) as f64 + 1.0, 0.0, 0.0),
        mobility: if rules & 1 > 0 { waypoints() } else { mobility::Config::Constant },
    });
    let ues = ues.collect();
    let mut config = lte::Config { enbs: vec![Enb::default()], ues, ..lte::Config::default() };
    if rules & 2 > 0 {
        config.enbs.push(Enb { position: Position::new(900.0, 0.0, 0.0), ..Enb::default() });
    }
    config.carrier.bandwidth = draw.of(Bandwidth::ALL);
    config.carrier.scheduler = draw.of(&[Scheduler::RoundRobin, Scheduler::default(), Scheduler::MaxCi]);
    config.carrier.mimo = 1.0 + draw.below(5) as f64 / 4.0;
    config.harq.transmissions = 1 + draw.below(4) as u32;
    if rules & 4 > 0 {
        config.reception.fading = fading::Config::Epa(Epa { doppler: 1.0 + draw.below(300) as f64 });
    }
    config.rlc.mode = if rules & 8 > 0 {
        Mode::Um(UmConfig { reordering: draw.below(60) as u32, ..UmConfig::default() })
    } else {
        Mode::Am(AmConfig {
            poll_retransmit: 5 + draw.below(95) as u32,
            poll_pdus: 1 + draw.below(20) as u32,
            retransmissions: 1 + draw.below(4) as u32,
            reordering: draw.below(60) as u32,
            status_prohibit: draw.below(40) as u32,
            ..AmConfig::default()
        })
    };
    config.rlc.buffer = 200 + draw.below(60_000);
    config.uplink.request_period = draw.of(&[1, 2, 5, 10, 20, 40, 80]);
    config.uplink.grants = draw.of(&[Grants::Requested, Grants::Shares]);
    if let Handover::A3(handover) = &mut config.handover {
        handover.forwarding = rules & 16 > 0;
        handover.time_to_trigger = draw.of(&[0, 40, 256]);
    }
    config
}

/// Runs an LTE network with a configuration and packets that the input describes.
pub fn lte_network(data: &[u8]) {
    let mut draw = Draw::new(data);
    let config = lte_config(&mut draw);
    if config.check().is_err() {
        return;
    }
    let stations = config.ues.len() as u32 + 1;
    let mut network = lte::Network::new(&config, draw.number(), "cell");
    let (mut ledger, mut out) = (Ledger::default(), Outbox::default());
    let mut now = Instant::ZERO;
    while !draw.is_empty() && now < END {
        now = draw.later(now);
        while let Some(at) = network.next().filter(|at| *at <= now) {
            network.run(at, &mut out);
            ledger.take(&mut out, stations);
        }
        let from = draw.below(stations.into()) as u32;
        let to = (from + 1 + draw.below(u64::from(stations) - 1) as u32) % stations;
        let wire = 28 + draw.below(1473) as u32;
        for _ in 0..1 + draw.below(8) {
            let packet = datagram(now, 0, ledger.entered, wire);
            ledger.entered += 1;
            network.send(now, Station(from), Station(to), packet, &mut out);
            ledger.take(&mut out, stations);
        }
    }
    let end = now + Duration::from_ms(200);
    while let Some(at) = network.next().filter(|at| *at <= end) {
        network.run(at, &mut out);
        ledger.take(&mut out, stations);
    }
    network.finish(end);
    assert_eq!(ledger.out.len() + network.inside(), ledger.entered as usize, "packets are conserved");
}
