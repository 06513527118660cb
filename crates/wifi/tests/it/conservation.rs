//! Conservation of packets for random stations, positions and settings.
//!
//! Each packet that enters is delivered once, lost once, or still queued at the end. Packets are delivered in the
//! order in which they were sent, and a seed determines the run. These tests run with assertions, so whenever the next
//! transmitter is found, each station's kept outlook is compared with a new one.

use crate::common::packet;
use base::{Body, DropCause, Duration, Instant, Packet};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use radio::Position;
use radio::access::{Outbox, Station};
use radio::mobility::{self, Bounds, RandomWaypoint};
use radio::propagation::Fading;
use settings::TimeOrNever;
use wifi::config::Association;
use wifi::config::Capture;
use wifi::config::Protection;
use wifi::config::Reception;
use wifi::config::Roaming;
use wifi::config::TxopProtection;
use wifi::edca::{AccessCategory, Edca};
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};
use wifi::timing::{GuardInterval, Standard, Width};
use wifi::{Config, Network, Profile, Site, Stats};

#[derive(Clone, Debug)]
struct Scene {
    standard: Standard,
    profile: Profile,
    places: Vec<(f64, f64)>,
    moving: bool,
    access_point: bool,
    /// Number of access points besides the first; fewer if there are not enough stations.
    others: u32,
    rts: bool,
    fading: bool,
    capture: bool,
    request: bool,
    edca: bool,
    /// Uses A-MSDU, or in 802.11g networks protection from 802.11b stations.
    amsdu: bool,
    /// Uses association frames with an access point; without one, beacons of an IBSS.
    association: bool,
    rate_control: RateControl,
    queue: u32,
    /// Time between two packets of a station, ms.
    pace: u64,
    seed: u64,
}

fn scenes() -> impl Strategy<Value = Scene> {
    let place = (0.0..220.0_f64, 0.0..120.0_f64);
    let rules = any::<[bool; 9]>();
    let controls = prop::sample::select(vec![
        RateControl::Constant,
        RateControl::Constant,
        RateControl::Arf(ArfConfig::default()),
        RateControl::Ideal(IdealConfig::default()),
        RateControl::MinstrelHt(MinstrelConfig::default()),
    ]);
    let kinds = (prop::sample::select(Standard::ALL.to_vec()), prop::sample::select(Profile::ALL.to_vec()));
    let aps = 0..4_u32;
    (kinds, prop::collection::vec(place, 2..7), (rules, aps), controls, 1..40_u32, 1..12_u64, any::<u64>())
        .prop_map(|((standard, profile), places, (rules, others), rate_control, queue, pace, seed)| {
            let [moving, access_point, rts, fading, capture, request, edca, amsdu, association] = rules;
            Scene {
                standard,
                profile,
                places,
                moving,
                access_point,
                others,
                rts,
                fading,
                capture,
                request,
                edca,
                amsdu,
                association,
                rate_control,
                queue,
                pace,
                seed,
            }
        })
}

fn config(scene: &Scene) -> Config {
    let bounds = Bounds::new([0.0, 220.0], [0.0, 120.0]);
    let sites = scene.places.iter().map(|&(x, y)| Site {
        position: Position::new(x, y, 0.0),
        mobility: match scene.moving {
            true => mobility::Config::RandomWaypoint(RandomWaypoint {
                bounds,
                speed: [100.0, 500.0],
                pause: [Duration::ZERO; 2],
                starts_paused: false,
            }),
            false => mobility::Config::Constant,
        },
    });
    let access_point = scene.access_point.then_some(Station(0));
    let mut config = Config::new(scene.standard, scene.profile, sites.collect(), access_point);
    if scene.standard.is_qos() {
        let he = scene.standard == Standard::Ax;
        let guard = if he { GuardInterval::Us1_6 } else { GuardInterval::Short };
        config.set_mode(scene.standard.mcs(3, Width::Mhz40, guard).expect("an MCS"));
    }
    config.mac.exchange.rts_threshold = if scene.rts { 0 } else { 65_535 };
    config.mac.block_ack_request = scene.request;
    if scene.amsdu && scene.standard == Standard::G {
        let protection = if scene.request { Protection::CtsToSelf } else { Protection::RtsCts };
        config.set_protection(protection, 20);
    }
    if scene.standard == Standard::G && !scene.seed.is_multiple_of(3) {
        // Some stations use 802.11b, but neither all stations nor the access point.
        let b = (1..scene.places.len() as u32).filter(|at| at % 2 == 1).map(Station);
        let protection = config.mac.exchange.protection;
        config.set_non_erp(b.collect(), scene.profile);
        config.mac.exchange.protection = if scene.amsdu { protection } else { Protection::None };
    }
    if scene.amsdu && scene.standard.is_qos() {
        config.mac.aggregation.amsdu = 3839;
    }
    config.phy.rate_control = scene.rate_control;
    if scene.edca {
        config.set_edca(Edca::standard(scene.standard, config.mac.access.cw_min, config.mac.access.cw_max));
        if scene.request {
            (config.mac.access.cf_end, config.mac.access.txop_protection) = (true, TxopProtection::Multiple);
        }
    }
    config.queue.packets = scene.queue;
    if scene.seed % 4 == 1 {
        config.queue.lifetime = TimeOrNever(Some(Duration::from_ms(scene.pace)));
    }
    surround(&mut config, scene);
    config
}

/// Sets association, routing and reception of a scene.
fn surround(config: &mut Config, scene: &Scene) {
    // Without an access point the stations send beacons in turn (IBSS).
    if scene.association {
        config.mac.bss.association = Association::Exchange;
        config.mac.bss.beacons = TimeOrNever(Some(Duration::from_us(20_480)));
        config.mac.bss.missed_beacons = 2;
        config.mac.bss.association_timeout = Duration::from_ms(50);
    }
    if scene.access_point && scene.association {
        // 802.11b stations have odd numbers, so further access points get even ones.
        let others = (2..scene.places.len() as u32).step_by(2).take(scene.others as usize);
        config.set_other_access_points(others.map(Station).collect(), scene.profile);
        config.mac.bss.scan_time = Duration::from_ms(30);
        config.mac.bss.roaming_margin = 3.0;
        config.mac.bss.roaming_beacons = 1 + u32::from(scene.request);
        config.mac.bss.roaming = if scene.seed.is_multiple_of(4) { Roaming::Lost } else { Roaming::Stronger };
    }
    config.routing = routing::Config::FewestHops;
    if scene.fading {
        config.phy.fading = Fading::Rayleigh;
    }
    if scene.capture {
        config.phy.reception = Reception::Capture(Capture {
            receive: -85.0,
            sense: -92.0,
            ratio: 10.0,
            reserves: scene.request,
        });
    }
}

/// Runs 0.5 s. In the first 0.4 s every station sends to every other in turn; each pair of stations is a
/// flow.
fn run(scene: &Scene) -> (Outbox, Stats, u64) {
    let config = config(scene);
    assert_eq!(config.check(), Ok(()));
    let n = scene.places.len() as u32;
    let mut network = Network::new(&config, scene.seed, "wlan");
    let mut out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
    let mut entered = 0;
    for k in 0..400 / scene.pace {
        let now = Instant::ZERO + Duration::from_ms(k * scene.pace);
        while let Some(at) = network.next().filter(|at| *at <= now) {
            network.run(at, &mut out);
        }
        for from in 0..n {
            let to = (from + 1 + (k as u32) % (n - 1)) % n;
            // A pair of stations uses one access category, so that its packets stay in order.
            let category = AccessCategory::ALL[((from + to) % 4) as usize];
            let packet = packet(from * n + to, k);
            network.send_as(category, now, (Station(from), Station(to)), packet, &mut out);
            entered += 1;
        }
    }
    let end = Instant::ZERO + Duration::from_ms(500);
    while let Some(at) = network.next().filter(|at| *at <= end) {
        network.run(at, &mut out);
    }
    network.finish(end);
    (out, network.stats(), entered)
}

fn number(packet: &Packet) -> (u32, u64) {
    match packet.body {
        Body::Datagram { seq, .. } => (packet.flow.0, seq),
        _ => panic!("a datagram"),
    }
}

/// Runs a scene and checks that every packet is delivered in order, lost or still queued, exactly once.
fn accounts(scene: &Scene) -> Result<(), TestCaseError> {
    let (out, stats, entered) = run(scene);
    let n = scene.places.len() as u32;
    let left = stats.total(|station| station.left);
    let total = out.delivered.len() as u64 + out.lost.len() as u64 + left;
    prop_assert_eq!(
        total,
        entered,
        "{} delivered, {} lost, {} left",
        out.delivered.len(),
        out.lost.len(),
        left
    );
    prop_assert_eq!(stats.total(|station| station.entered), entered);
    prop_assert_eq!(stats.total(|station| station.delivered), out.delivered.len() as u64);
    prop_assert_eq!(stats.total(wifi::StationStats::lost_total), out.lost.len() as u64);
    for cause in DropCause::ALL {
        let told = out.lost.iter().filter(|(_, _, why)| *why == cause).count() as u64;
        prop_assert_eq!(stats.total(|station| station.lost[cause as usize]), told);
    }
    // No packet is delivered twice, and each is delivered at its destination.
    let mut seen: Vec<_> = out.delivered.iter().map(|(_, packet)| number(packet)).collect();
    seen.extend(out.lost.iter().map(|(_, packet, _)| number(packet)));
    let all = seen.len();
    seen.sort_unstable();
    seen.dedup();
    prop_assert_eq!(seen.len(), all);
    let mut last = std::collections::BTreeMap::new();
    for (at, packet) in &out.delivered {
        let (flow, seq) = number(packet);
        prop_assert_eq!(flow % n, at.0);
        prop_assert!(last.insert(flow, seq).is_none_or(|before| before < seq), "flow {flow} out of order");
    }
    // No station transmits two frames at the same time.
    let mut until = vec![Instant::ZERO; n as usize];
    let mut frames = out.frames.unwrap_or_default();
    frames.sort_by_key(|frame| frame.begins);
    for frame in frames {
        prop_assert!(frame.begins >= until[frame.from.index()], "{frame:?}");
        until[frame.from.index()] = frame.ends;
    }
    Ok(())
}

/// Some scenes have handovers, so that the property of roaming stations is not trivially true.
#[test]
fn some_roam() {
    let mut runner = TestRunner::deterministic();
    let roams = (0..60).map(|_| {
        let scene = scenes().new_tree(&mut runner).expect("a scene").current();
        let places = scene.places.iter().copied().chain([(30.0, 40.0), (180.0, 60.0)]).collect();
        let scene = Scene { access_point: true, association: true, moving: true, others: 2, places, ..scene };
        u64::from(run(&scene).1.total(|station| u64::from(station.handovers)) > 0)
    });
    let roams = roams.sum::<u64>();
    assert!(roams >= 20, "{roams} of 60");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn packets_are_conserved(scene in scenes()) {
        accounts(&scene)?;
    }

    /// Packets of stations that roam between several access points are conserved.
    #[test]
    fn packets_of_those_who_roam_are_conserved(scene in scenes(), others in 1..3_u32) {
        let more = [(30.0, 40.0), (180.0, 60.0)];
        let places = scene.places.iter().copied().chain(more).collect();
        accounts(&Scene { access_point: true, association: true, moving: true, others, places, ..scene })?;
    }

    #[test]
    fn runs_repeat(scene in scenes()) {
        let ((a, x, _), (b, y, _)) = (run(&scene), run(&scene));
        prop_assert_eq!((a.delivered, a.lost, a.frames, x), (b.delivered, b.lost, b.frames, y));
    }
}
