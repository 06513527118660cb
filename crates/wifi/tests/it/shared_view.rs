//! Networks in which stations share a view of the medium, compared with the same networks without one.
//!
//! A network has a shared view if no station moves. In the other network of each pair one silent station moves, within
//! a square of a picometre: each station of that network reads the log of transmissions by itself. Frames, deliveries,
//! losses and the times at which the network must be called must be equal.

use crate::common::{BASIC, packet};
use base::{Duration, Instant};
use proptest::prelude::*;
use radio::Position;
use radio::access::{Outbox, Station};
use radio::mobility::{self, Bounds, RandomWaypoint};
use settings::TimeOrNever;
use wifi::config::{Association, Capture, Eifs, IdleAccess, Reception};
use wifi::timing::Standard;
use wifi::{Config, Network, Profile, Site};

#[derive(Clone, Debug)]
struct Scene {
    standard: Standard,
    profile: Profile,
    places: Vec<(f64, f64)>,
    /// Factor of all distances: with a large one, stations are hidden from each other.
    scale: f64,
    eifs: Eifs,
    idle_access: IdleAccess,
    access_point: bool,
    association: bool,
    /// Length above which an RTS precedes a frame, bytes: never, or from the first frame on.
    rts_threshold: u32,
    /// Greatest contention window, slots: with the larger one, backoffs outlast the log.
    cw_max: u32,
    /// Time between two packets of a station, us, and time after which all are silent for a while, ms.
    pace: u64,
    silent: u64,
    seed: u64,
}

fn scenes() -> impl Strategy<Value = Scene> {
    let place = (0.0..100.0_f64, 0.0..100.0_f64);
    let kinds = (
        prop::sample::select(vec![Standard::B, Standard::A, Standard::G]),
        prop::sample::select(Profile::ALL.to_vec()),
        prop::sample::select(vec![Eifs::Lowest, Eifs::Dynamic, Eifs::Reserved]),
        prop::sample::select(vec![IdleAccess::Immediate, IdleAccess::Backoff, IdleAccess::BetweenFrames]),
    );
    let sizes = (
        prop::sample::select(vec![0.1, 1.0, 3.0, 6.0]),
        prop::sample::select(vec![BASIC, BASIC, BASIC, 1000]),
        prop::sample::select(vec![1023, 1023, 32_767]),
    );
    let times = (300..6000_u64, 20..200_u64, any::<u64>());
    (kinds, prop::collection::vec(place, 2..9), sizes, any::<[bool; 2]>(), times).prop_map(
        |((standard, profile, eifs, idle_access), places, (scale, rts_threshold, cw_max), modes, times)| {
            let [access_point, association] = modes;
            let (pace, silent, seed) = times;
            Scene {
                standard,
                profile,
                places,
                scale,
                eifs,
                idle_access,
                access_point,
                association,
                rts_threshold,
                cw_max,
                pace,
                silent,
                seed,
            }
        },
    )
}

/// Returns the configuration of a scene, with one more station in the middle, which moves if `moves`.
fn config(scene: &Scene, moves: bool) -> Config {
    let place = |&(x, y): &(f64, f64)| Site::fixed(Position::new(x * scene.scale, y * scene.scale, 0.0));
    let middle = 50.0 * scene.scale;
    let position = Position::new(middle, middle, 0.0);
    let waypoints = RandomWaypoint {
        bounds: Bounds::new([middle, middle + 1e-12], [middle, middle + 1e-12]),
        speed: [1e-12, 2e-12],
        pause: [Duration::ZERO; 2],
        starts_paused: false,
    };
    let mobility = mobility::Config::RandomWaypoint(waypoints);
    let last = if moves { Site { position, mobility } } else { Site::fixed(position) };
    let sites = scene.places.iter().map(place).chain([last]).collect();
    let access_point = scene.access_point.then_some(Station(0));
    let mut config = Config::new(scene.standard, scene.profile, sites, access_point);
    config.phy.reception = Reception::Capture(Capture {
        receive: -80.0,
        sense: -90.0,
        ratio: 10.0,
        reserves: scene.seed.is_multiple_of(2),
    });
    (config.mac.exchange.eifs, config.mac.exchange.idle_access) = (scene.eifs, scene.idle_access);
    config.mac.exchange.rts_threshold = scene.rts_threshold;
    config.mac.access.cw_max = scene.cw_max;
    config.mac.bss.beacons = TimeOrNever(scene.access_point.then_some(Duration::from_us(20_480)));
    if scene.access_point && scene.association {
        config.mac.bss.association = Association::Exchange;
        config.mac.bss.missed_beacons = 2;
    }
    config.queue.packets = 20;
    config
}

/// Runs 0.6 s; returns what the network reported, and the times at which it was called.
fn run(scene: &Scene, moves: bool) -> (Outbox, Vec<Instant>) {
    let config = config(scene, moves);
    assert_eq!(config.check(), Ok(()));
    let n = scene.places.len() as u32;
    let mut network = Network::new(&config, scene.seed, "wlan");
    let mut out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
    let mut calls = Vec::new();
    for k in 0..500_000 / scene.pace {
        let now = Instant::ZERO + Duration::from_us(k * scene.pace);
        while let Some(at) = network.next().filter(|at| *at <= now) {
            calls.push(at);
            network.run(at, &mut out);
        }
        let sends = (k * scene.pace / 1000 / scene.silent).is_multiple_of(2);
        for from in (0..n).filter(|_| sends) {
            let to = (from + 1 + (k as u32) % (n - 1)) % n;
            network.send(now, Station(from), Station(to), packet(from * n + to, k), &mut out);
        }
    }
    let end = Instant::ZERO + Duration::from_ms(600);
    while let Some(at) = network.next().filter(|at| *at <= end) {
        calls.push(at);
        network.run(at, &mut out);
    }
    (out, calls)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_shared_view_changes_nothing(scene in scenes()) {
        let ((a, calls), (b, others)) = (run(&scene, false), run(&scene, true));
        prop_assert_eq!(a.frames, b.frames);
        prop_assert_eq!((a.delivered, a.lost), (b.delivered, b.lost));
        prop_assert_eq!(calls, others);
    }
}
