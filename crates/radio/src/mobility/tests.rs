use super::*;
use base::Duration;
use proptest::prelude::*;
use settings::{Node, Setting};
use std::f64::consts::PI;

const fn s(seconds: u64) -> Instant {
    Instant::from_ps(seconds * base::time::PS_PER_S)
}

const SQUARE: Bounds = Bounds::new([0.0, 100.0], [0.0, 100.0]);

fn level(x: f64, y: f64) -> Position {
    Position::new(x, y, 0.0)
}

/// Returns the legs of a movement up to an instant.
fn legs(mobility: &mut Mobility, until: Instant) -> Vec<Leg> {
    let mut legs = vec![mobility.leg(Instant::ZERO)];
    while legs[legs.len() - 1].ends < until {
        let next = mobility.leg(legs[legs.len() - 1].ends);
        legs.push(next);
    }
    legs
}

fn near(got: Position, want: Position) {
    assert!(got.distance(want) < 1e-6, "{got:?} instead of {want:?}");
}

fn walk(bounds: Bounds, speed: [f64; 2], step: Step) -> Config {
    let (time, distance) = match step {
        Step::Time(time) => (Some(time), None),
        Step::Distance(metres) => (None, Some(metres)),
    };
    Config::RandomWalk(RandomWalk { bounds, speed, time, distance })
}

fn waypoint(speed: [f64; 2], pause: [Duration; 2], starts_paused: bool) -> Config {
    Config::RandomWaypoint(RandomWaypoint { bounds: SQUARE, speed, pause, starts_paused })
}

/// Returns a Gauss-Markov walk without randomness: it keeps the mean direction, and one step covers the whole way.
fn straight(direction: f64, speed: f64, bounds: Bounds) -> Config {
    Config::GaussMarkov(GaussMarkov {
        bounds,
        memory: 1.0,
        mean_speed: speed,
        mean_direction: Some(direction.to_degrees()),
        speed_deviation: Some(0.0),
        direction_deviation: 0.0,
        step: Duration::from_secs(1000),
    })
}

#[test]
fn a_constant_station_stays() {
    let mut mobility = Mobility::new(&Config::Constant, Position::new(1.0, 2.0, 3.0), 1, "a");
    assert_eq!(mobility.position(s(10)), Position::new(1.0, 2.0, 3.0));
    assert_eq!(mobility.leg(s(10)).ends, Instant::MAX);
}

#[test]
fn a_wall_reflects_and_the_step_is_finished() {
    // From (90, 50) at 45 degrees and sqrt(2) * 10 m/s the node reaches the east wall after 1 s at y = 60 m and turns west; it reaches the north
    // wall after 5 s at x = 60 m.
    let mut mobility =
        Mobility::new(&straight(PI / 4.0, 10.0 * libm::sqrt(2.0), SQUARE), level(90.0, 50.0), 1, "a");
    near(mobility.position(Instant::from_ps(500_000_000_000)), level(95.0, 55.0));
    near(mobility.position(s(1)), level(100.0, 60.0));
    near(mobility.position(s(3)), level(80.0, 80.0));
    near(mobility.position(s(5)), level(60.0, 100.0));
    near(mobility.position(s(6)), level(50.0, 90.0));
}

#[test]
fn a_corner_sends_back_the_way_it_came() {
    let mut mobility = Mobility::new(&straight(PI / 4.0, libm::sqrt(2.0), SQUARE), level(90.0, 90.0), 1, "a");
    near(mobility.position(s(10)), level(100.0, 100.0));
    near(mobility.position(s(15)), level(95.0, 95.0));
}

#[test]
fn a_walk_turns_after_its_time_or_distance() {
    for (step, length) in [(Step::Time(Duration::from_secs(2)), None), (Step::Distance(5.0), Some(5.0))] {
        let wide = Bounds::new([-1e6, 1e6], [-1e6, 1e6]);
        let config = walk(wide, [2.0, 4.0], step);
        let mut mobility = Mobility::new(&config, level(50.0, 50.0), 1, "a");
        let legs = legs(&mut mobility, s(200));
        for leg in legs.iter().filter(|leg| leg.ends > leg.begins) {
            match length {
                Some(length) => assert!((leg.from.distance(leg.to) - length).abs() < 1e-6),
                None => assert_eq!(leg.ends.since(leg.begins), Duration::from_secs(2)),
            }
            assert!((2.0..4.0).contains(&(leg.speed() + 1e-9)), "{}", leg.speed());
        }
    }
}

#[test]
fn ns2s_random_motion_has_a_destination_every_30_s_and_waits() {
    // At 1000 m/s the node arrives at every destination within 0.15 s.
    let every_30_s = |speed| {
        let interval = Duration::from_secs(30);
        Config::RandomDestination(RandomDestination { bounds: SQUARE, speed: [speed; 2], interval })
    };
    let config = every_30_s(1000.0);
    let mut mobility = Mobility::new(&config, level(50.0, 50.0), 1, "a");
    let mut places = Vec::new();
    for k in 0..5 {
        let place = mobility.position(s(30 * k + 1));
        assert_eq!(place, mobility.position(s(30 * k + 29)));
        places.push(place);
    }
    places.dedup();
    assert_eq!(places.len(), 5);
    // At 1 m/s the node has gone 30 m, or has arrived, when the next destination is drawn.
    let config = every_30_s(1.0);
    let mut mobility = Mobility::new(&config, level(50.0, 50.0), 1, "a");
    for k in 0..20 {
        let leg = mobility.leg(s(30 * k));
        assert_eq!(leg.begins, s(30 * k));
        assert!(leg.ends <= s(30 * (k + 1)));
        assert!((leg.speed() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn a_waypoint_is_followed_by_a_pause() {
    for starts_paused in [false, true] {
        let pause = [Duration::from_secs(2); 2];
        let config = waypoint([0.3, 0.7], pause, starts_paused);
        let mut mobility = Mobility::new(&config, level(50.0, 50.0), 1, "a");
        let legs = legs(&mut mobility, s(3000));
        let first = usize::from(!starts_paused);
        for (k, leg) in legs.iter().enumerate() {
            if (k + first) % 2 == 0 {
                assert_eq!((leg.from, leg.ends.since(leg.begins)), (leg.to, Duration::from_secs(2)));
            } else {
                assert!((0.3..0.7).contains(&leg.speed()), "{}", leg.speed());
            }
        }
        assert!(legs.len() > 10);
    }
}

#[test]
fn gauss_markov_remembers_as_much_as_it_is_told() {
    // The speeds of successive steps have a correlation of `memory` and the configured standard deviation.
    let config = Config::GaussMarkov(GaussMarkov {
        bounds: Bounds::new([-1e9, 1e9], [-1e9, 1e9]),
        memory: 0.75,
        mean_speed: 20.0,
        mean_direction: Some(0.0),
        speed_deviation: Some(2.0),
        direction_deviation: 0.3f64.to_degrees(),
        step: Duration::from_secs(1),
    });
    let mut mobility = Mobility::new(&config, level(0.0, 0.0), 1, "a");
    let speeds: Vec<f64> = (0..50_000).map(|k| mobility.leg(s(k)).speed() - 20.0).collect();
    let mean = |x: &mut dyn Iterator<Item = f64>| x.sum::<f64>() / speeds.len() as f64;
    let variance = mean(&mut speeds.iter().map(|x| x * x));
    let together = mean(&mut speeds.iter().zip(&speeds[1..]).map(|(a, b)| a * b));
    assert!((libm::sqrt(variance) - 2.0).abs() < 0.05, "{variance}");
    assert!((together / variance - 0.75).abs() < 0.02, "{}", together / variance);
}

#[test]
fn the_same_name_moves_alike_and_another_does_not() {
    let at = |seed, name: &str| {
        let walk = walk(SQUARE, [2.0, 4.0], Step::Distance(1.0));
        Mobility::new(&walk, level(9.0, 9.0), seed, name).position(s(40))
    };
    assert_eq!(at(1, "a"), at(1, "a"));
    assert_ne!(at(1, "a"), at(1, "b"));
    assert_ne!(at(1, "a"), at(2, "a"));
}

/// Returns random mobility models in an area of 100 m by 100 m, each with a speed in m/s that it does not
/// exceed.
fn bounded() -> impl Strategy<Value = (Config, f64)> {
    let speeds = (0.1..5.0f64, 0.0..20.0f64).prop_map(|(least, more)| [least, least + more]);
    let step = prop_oneof![
        (1..20_000u64).prop_map(|ms| Step::Time(Duration::from_ms(ms))),
        (0.1..500.0f64).prop_map(Step::Distance),
    ];
    prop_oneof![
        (speeds.clone(), step).prop_map(|(speed, step)| (walk(SQUARE, speed, step), speed[1])),
        (speeds.clone(), 1..60u64).prop_map(|(speed, interval)| {
            let interval = Duration::from_secs(interval);
            let config = RandomDestination { bounds: SQUARE, speed, interval };
            (Config::RandomDestination(config), speed[1])
        }),
        (speeds, 0..20u64, any::<bool>()).prop_map(|(speed, pause, starts_paused)| {
            let pause = [Duration::ZERO, Duration::from_secs(pause)];
            (waypoint(speed, pause, starts_paused), speed[1])
        }),
        (0.0..1.0f64, 0.0..1.5f64).prop_map(|(memory, direction_deviation)| {
            let config = GaussMarkov {
                bounds: SQUARE,
                memory,
                mean_speed: 5.0,
                mean_direction: None,
                speed_deviation: Some(1.0),
                direction_deviation: direction_deviation.to_degrees(),
                step: Duration::from_ms(700),
            };
            (Config::GaussMarkov(config), 15.0)
        }),
    ]
}

proptest! {
    #[test]
    fn a_station_stays_within_its_bounds_and_moves_without_jumps(
        (config, greatest) in bounded(),
        x in -50.0..150.0f64,
        y in 0.0..100.0f64,
        seed in any::<u64>(),
    ) {
        let mut mobility = Mobility::new(&config, level(x, y), seed, "a");
        let mut last = mobility.position(Instant::ZERO);
        for k in 1..600 {
            let now = Instant::from_ps(k * 137_000_000_000);
            let here = mobility.position(now);
            prop_assert!(SQUARE.contains(here), "{:?}", here);
            prop_assert!(last.distance(here) <= greatest * 0.137 + 1e-6, "{:?} {:?}", last, here);
            last = here;
        }
    }

    #[test]
    fn asking_often_changes_nothing((config, _) in bounded(), seed in any::<u64>()) {
        let mut often = Mobility::new(&config, level(20.0, 30.0), seed, "a");
        let mut seldom = often.clone();
        for k in 0..3000 {
            often.position(Instant::from_ps(k * 33_000_000_000));
        }
        prop_assert_eq!(often.position(s(100)), seldom.position(s(100)));
    }
}

const MOVEMENT: &str = "\
#
# nodes: 2, pause: 2.00, max speed: 10.00
#
$node_(0) set X_ 100.0
$node_(0) set Y_ 200.0
$node_(0) set Z_ 1.5
$node_(1) set X_ 0.0
$node_(1) set Y_ 0.0
$god_ set-dist 0 1 1
$ns_ at 10.0 \"$node_(0) setdest 130.0 240.0 5.0\"
$ns_ at 4.0 \"$node_(1) setdest 100.0 0.0 10.0\"
$ns_ at 7.0 \"$god_ set-dist 0 1 2\"
$ns_ at 9.0 \"$node_(1) setdest 50.0 50.0 25.0\"
";

#[test]
fn setdest_by_hand() {
    let tracks = trace::setdest(MOVEMENT).unwrap();
    let mut first = Mobility::new(&Config::Track(tracks[&0].clone()), Position::default(), 1, "0");
    // The first node goes 50 m at 5 m/s from 10 s on.
    assert_eq!(first.position(s(9)), Position::new(100.0, 200.0, 1.5));
    near(first.position(s(15)), Position::new(115.0, 220.0, 1.5));
    near(first.position(s(20)), Position::new(130.0, 240.0, 1.5));
    near(first.position(s(1000)), Position::new(130.0, 240.0, 1.5));
    // The second node goes east at 10 m/s from 4 s on, and turns north at 9 s, at x = 50 m.
    let mut second = Mobility::new(&Config::Track(tracks[&1].clone()), Position::default(), 1, "1");
    near(second.position(s(3)), level(0.0, 0.0));
    near(second.position(s(6)), level(20.0, 0.0));
    near(second.position(s(9)), level(50.0, 0.0));
    near(second.position(s(10)), level(50.0, 25.0));
    near(second.position(s(12)), level(50.0, 50.0));
    assert_eq!(second.leg(s(12)).ends, Instant::MAX);
}

#[test]
fn setdest_names_the_line_of_an_error() {
    for (bad, problem) in [
        ("$node_(0) set W_ 1", "`W_` is not a coordinate: expected X_, Y_ or Z_"),
        ("$node_(x) set X_ 1", "`$node_(x)` is not a node: expected `$node_(N)`"),
        ("$ns_ at 1 \"$node_(0) setdest 1 y 3\"", "`y` is not a number"),
        ("$ns_ at -1 \"$node_(0) setdest 1 2 3\"", "a time of -1 s is not within"),
        ("$ns_ at 1 \"$node_(0) setdest 1 2 -3\"", "a speed of -3 m/s is below zero"),
        ("$node_(0) sez X_ 1", "`$node_(0) sez X_ 1` is neither"),
    ] {
        let error = trace::setdest(&format!("# two lines\n\n{bad}\n")).unwrap_err();
        assert_eq!(error.line, 3);
        assert!(error.problem.starts_with(problem), "{error}");
    }
}

#[test]
fn bonnmotion_by_hand() {
    let text = "# two stations\n0.0 10 20 5.0 10 20 10.0 60 20\n2.0 1 1 4.0 3 5\n";
    let tracks = trace::bonnmotion(text, trace::Dimensions::Two).unwrap();
    let mut movements: Vec<_> = tracks
        .iter()
        .map(|track| Mobility::new(&Config::Track(track.clone()), Position::default(), 1, "0"))
        .collect();
    near(movements[0].position(s(3)), level(10.0, 20.0));
    near(movements[0].position(s(7)), level(30.0, 20.0));
    near(movements[0].position(s(11)), level(60.0, 20.0));
    near(movements[1].position(s(1)), level(1.0, 1.0));
    near(movements[1].position(s(3)), level(2.0, 3.0));
    near(movements[1].position(s(5)), level(3.0, 5.0));
    let space = trace::bonnmotion("0 0 0 0 10 10 20 30", trace::Dimensions::Three).unwrap();
    assert_eq!(space[0].legs()[0].at(s(5)), Position::new(5.0, 10.0, 15.0));
}

#[test]
fn bonnmotion_names_the_line_of_an_error() {
    for (bad, problem) in [
        ("0 1 2 3", "4 numbers are not whole waypoints: expected `time x y` again and again"),
        ("0 1 x", "`x` is not a number"),
        ("5 1 2 4 1 2", "time goes back from 5 to 4 s"),
        ("NaN 1 2", "`NaN` is not a number"),
    ] {
        let error = trace::bonnmotion(&format!("0 0 0\n{bad}\n"), trace::Dimensions::Two).unwrap_err();
        assert_eq!((error.line, error.problem.as_str()), (2, problem));
    }
}

#[test]
fn a_file_of_ns2s_tool_is_read() {
    // Output of ns-2's `setdest -v 2 -n 1 -s 1 -m 1 -M 10 -t 30 -P 1 -p 2 -x 500 -y 500`.
    let text = "\
#
# nodes: 2, speed type: 1, min speed: 1.00, max speed: 10.00
# avg speed: 3.79, pause type: 1, pause: 2.00, max x: 500.00, max y: 500.00
#
$node_(1) set X_ 359.829168148448
$node_(1) set Y_ 50.992439292936
$node_(1) set Z_ 0.000000000000
$ns_ at 0.000000000000 \"$node_(1) setdest 491.826778929674 112.018008436948 7.178770400394\"
$ns_ at 20.257196641353 \"$node_(1) setdest 491.826778929674 112.018008436948 0.000000000000\"
$ns_ at 22.257196641353 \"$node_(1) setdest 160.501451088186 252.473616626699 5.499573390445\"
#
# Link Changes: 0
";
    let tracks = trace::setdest(text).unwrap();
    let mut movement = Mobility::new(&Config::Track(tracks[&1].clone()), Position::default(), 1, "1");
    assert_eq!(movement.position(s(0)), level(359.829168148448, 50.992439292936));
    near(movement.position(s(21)), level(491.826778929674, 112.018008436948));
    // After another 10 s at 5.499573 m/s the node has gone 54.99573 of 359.86699 m.
    let here = movement.position(Instant::from_ps(32_257_196_641_353));
    near(
        here,
        level(
            491.826778929674 - 331.325327841488 * 0.152822391,
            112.018008436948 + 140.455608189751 * 0.152822391,
        ),
    );
    assert_eq!(tracks.len(), 1);
}

/// In a tiny area a movement still has few legs. With a leg for each picosecond such areas once caused endless loops.
#[test]
fn a_movement_in_a_tiny_area_has_few_legs() {
    let time = Duration::from_ps(1);
    let tiny = [[0.0, 1e-7], [5.0, 5.0 + 1e-12]];
    let areas = [
        Bounds::new(tiny[0], [0.0, 100.0]),
        Bounds::new([0.0, 100.0], tiny[1]),
        Bounds::new(tiny[0], tiny[1]),
        SQUARE,
    ];
    for bounds in areas {
        let speed = [1.0, 50.0];
        let models = [
            walk(bounds, speed, Step::Time(time)),
            walk(bounds, speed, Step::Time(Duration::from_secs(1))),
            walk(bounds, speed, Step::Distance(1e-12)),
            Config::RandomDestination(RandomDestination { bounds, speed, interval: time }),
            Config::RandomWaypoint(RandomWaypoint {
                bounds,
                speed,
                pause: [Duration::ZERO; 2],
                starts_paused: false,
            }),
            Config::GaussMarkov(GaussMarkov {
                bounds,
                memory: 0.5,
                mean_speed: 20.0,
                mean_direction: None,
                speed_deviation: Some(5.0),
                direction_deviation: 1f64.to_degrees(),
                step: time,
            }),
        ];
        for config in models {
            let mut movement = Mobility::new(&config, Position::default(), 1, "1");
            let mut leg = movement.leg(Instant::ZERO);
            let mut legs = 1;
            while leg.ends < s(1) {
                assert!(bounds.contains(leg.to), "{config:?}");
                leg = movement.leg(leg.ends);
                legs += 1;
            }
            assert!(legs <= 2001, "{legs} legs in a second: {config:?}");
        }
    }
}

/// Between walls 1 m apart, a way of 3.5 m has three reflections and ends half a metre from a wall.
#[test]
fn bounces_between_near_walls_are_counted() {
    assert_eq!(super::models::bounced(3.5, [0.0, 1.0]), (0.5, true));
    assert_eq!(super::models::bounced(-0.25, [0.0, 1.0]), (0.25, true));
    assert_eq!(super::models::bounced(2.5, [0.0, 1.0]), (0.5, false));
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let time = Duration::from_secs(1);
    let destination = RandomDestination { bounds: SQUARE, speed: [1.0, 2.0], interval: time };
    for (config, path) in [
        (walk(SQUARE, [2.0, 1.0], Step::Time(time)), "speed"),
        (walk(SQUARE, [1.0, 2.0], Step::Distance(0.0)), "distance"),
        (
            Config::RandomDestination(RandomDestination { interval: Duration::ZERO, ..destination }),
            "interval",
        ),
        (waypoint([1.0, 2.0], [time, Duration::ZERO], false), "pause"),
        (waypoint([0.0, 0.0], [time; 2], false), "speed"),
    ] {
        assert_eq!(config.check().unwrap_err().path, path);
    }
}

#[test]
fn between_walls_that_touch_a_node_goes_to_and_fro() {
    let road = Bounds::new([0.0, 100.0], [5.0, 5.0]);
    let interval = Duration::from_secs(1);
    for config in [
        walk(road, [1.0, 2.0], Step::Time(interval)),
        straight(1.0, 2.0, road),
        Config::RandomDestination(RandomDestination { bounds: road, speed: [1.0, 2.0], interval }),
    ] {
        assert_eq!(config.check(), Ok(()));
        let mut moved = Mobility::new(&config, level(50.0, 5.0), 1, "n");
        let at: Vec<Position> = (1..=200).map(|second| moved.position(s(second))).collect();
        assert!(at.iter().all(|at| at.y == 5.0 && (0.0..=100.0).contains(&at.x)), "{config:?}");
        assert!(at.windows(2).any(|pair| pair[0].x != pair[1].x), "{config:?} stands still");
    }
}

#[test]
fn what_is_not_given_is_as_in_the_simulators_that_the_models_are_from() {
    let read = |text: &str| Config::read(&Node::from_toml(text).unwrap()).unwrap();
    assert_eq!(
        read("kind = \"random-walk\"\nbounds = [0, 100, 0, 100]"),
        walk(SQUARE, [2.0, 4.0], Step::Distance(1.0))
    );
    let interval = Duration::from_secs(30);
    let motion = RandomDestination { bounds: SQUARE, speed: [0.0, 5.0], interval };
    assert_eq!(
        read("kind = \"random-destination\"\nbounds = [0, 100, 0, 100]"),
        Config::RandomDestination(motion)
    );
    let Config::GaussMarkov(model) =
        read("kind = \"gauss-markov\"\nbounds = [0, 100, 0, 100]\nmean_speed = 5")
    else {
        panic!("another kind");
    };
    assert_eq!((model.speed_deviation, model.mean_direction, model.memory), (Some(0.5), None, 0.85));
}
