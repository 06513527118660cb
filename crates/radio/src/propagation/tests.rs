use super::*;

/// Received powers by ns-2.35's formulas (`reference/wireless/propagation_ns2.json`): distance in m, then Friis and two-ray ground at 914 MHz
/// in dBm.
const NS2: [[f64; 3]; 20] = [
    [1.0, -7.160698, -7.160698],
    [5.0, -21.140098, -21.140098],
    [10.0, -27.160698, -27.160698],
    [20.0, -33.181298, -33.181298],
    [40.0, -39.201898, -39.201898],
    [50.0, -41.140098, -41.140098],
    [70.0, -44.062659, -44.062659],
    [86.14, -45.864796, -45.864796],
    [100.0, -47.160698, -48.456352],
    [150.0, -50.682523, -55.500002],
    [200.0, -53.181298, -60.497552],
    [250.0, -55.119498, -64.373952],
    [300.0, -56.703123, -67.541202],
    [400.0, -59.201898, -72.538751],
    [500.0, -61.140098, -76.415152],
    [550.0, -61.967952, -78.070859],
    [600.0, -62.723723, -79.582402],
    [800.0, -65.222498, -84.579951],
    [1000.0, -67.160698, -88.456352],
    [1415.0, -70.175827, -94.486609],
];

/// Received powers of ns-3.37 (`reference/wireless/propagation_ns3.json`): distance in m, then in dBm Friis and two-ray ground at 5150 MHz,
/// log-distance, Friis and two-ray ground at 914 MHz.
const NS3: [[f64; 6]; 20] = [
    [1.0, -30.6633, -30.6633, -30.6571, -7.1667, -7.1667],
    [5.0, -44.6427, -44.6427, -51.6262, -21.1461, -21.1461],
    [10.0, -50.6633, -50.6633, -60.6571, -27.1667, -27.1667],
    [20.0, -56.6839, -56.6839, -69.688, -33.1873, -33.1873],
    [40.0, -62.7045, -62.7045, -78.7189, -39.2079, -39.2079],
    [50.0, -64.6427, -64.6427, -81.6262, -41.1461, -41.1461],
    [70.0, -67.5653, -67.5653, -86.01, -44.0687, -44.0687],
    [86.14, -69.3674, -69.3674, -88.7132, -45.8708, -45.8708],
    [100.0, -70.6633, -70.6633, -90.6571, -47.1667, -48.4564],
    [150.0, -74.1852, -74.1852, -95.9398, -50.6885, -55.5],
    [200.0, -76.6839, -76.6839, -99.688, -53.1873, -60.4976],
    [250.0, -78.6221, -78.6221, -102.5953, -55.1255, -64.374],
    [300.0, -80.2058, -80.2058, -104.9707, -56.7091, -67.5412],
    [400.0, -82.7045, -82.7045, -108.7189, -59.2079, -72.5388],
    [500.0, -84.6427, -84.8945, -111.6262, -61.1461, -76.4152],
    [550.0, -85.4706, -86.5503, -112.868, -61.974, -78.0709],
    [600.0, -86.2264, -88.0618, -114.0016, -62.7297, -79.5824],
    [800.0, -88.7251, -93.0593, -117.7498, -65.2285, -84.58],
    [1000.0, -90.6633, -96.9357, -120.6571, -67.1667, -88.4564],
    [1415.0, -93.6785, -102.966, -125.1798, -70.1818, -94.4866],
];

/// Transmission power of the tables' columns at 914 MHz, dBm: 0.28183815 W as in ns-2.
const TX_914: f64 = 24.5;
/// Transmission power of the tables' columns at 5150 MHz, dBm: ns-3's default.
const TX_5150: f64 = 16.0206;

fn power(config: &Config, tx: f64, distance: f64) -> f64 {
    let channel = Propagation::new(config, Fading::None, 1, "test");
    channel.mean(tx, Position::default(), Position::new(0.6 * distance, 0.8 * distance, 0.0))
}

fn close(got: f64, want: f64, what: &str) {
    assert!((got - want).abs() < 0.01, "{what}: {got} instead of {want} dBm");
}

#[test]
fn power_is_ns2s() {
    for [d, friis, two_ray] in NS2 {
        let config = Config::ns2();
        close(power(&config, TX_914, d), two_ray, &format!("two-ray at {d} m"));
        let config = Config { loss: PathLoss::Friis, ..config };
        close(power(&config, TX_914, d), friis, &format!("Friis at {d} m"));
    }
}

#[test]
fn power_is_ns3s() {
    for [d, friis_5150, two_ray_5150, log_distance, friis_914, two_ray_914] in NS3 {
        close(power(&Config::ns3(), TX_5150, d), log_distance, &format!("log-distance at {d} m"));
        for (frequency, tx, friis, two_ray) in
            [(5.15e9, TX_5150, friis_5150, two_ray_5150), (914e6, TX_914, friis_914, two_ray_914)]
        {
            let config = Config { frequency, antenna_height: 1.5, ..Config::default() };
            close(power(&config, tx, d), friis, &format!("Friis at {d} m, {frequency} Hz"));
            let config = Config { loss: PathLoss::TwoRayGround, ..config };
            close(power(&config, tx, d), two_ray, &format!("two-ray at {d} m, {frequency} Hz"));
        }
    }
}

#[test]
fn ns2s_thresholds_reach_250_and_550_m() {
    let channel = Propagation::new(&Config::ns2(), Fading::None, 1, "test");
    let dbm = |watts: f64| 10.0 * libm::log10(watts * 1e3);
    let reach = |watts| channel.reach(TX_914, dbm(watts), Position::default());
    assert!((reach(3.652e-10) - 250.0106).abs() < 0.002, "{}", reach(3.652e-10));
    assert!((reach(1.559e-11) - 550.0215).abs() < 0.002, "{}", reach(1.559e-11));
}

#[test]
fn both_parts_of_two_ray_ground_meet_at_the_crossover() {
    // The crossover distance of two-ray ground is 4 pi 1.5^2 914e6 / 3e8 = 86.1425 m.
    let [below, above] = [86.142, 86.143].map(|d| power(&Config::ns2(), TX_914, d));
    assert!(below > above && below - above < 1e-3, "{below} {above}");
}

#[test]
fn gains_and_losses_add() {
    let config = Config { tx_gain: 3.0, rx_gain: 2.0, system_loss: 1.5, ..Config::default() };
    close(power(&config, 10.0, 50.0), power(&Config::default(), 13.5, 50.0), "gains");
}

#[test]
fn a_fixed_range_gives_all_or_nothing() {
    let config = Config { loss: PathLoss::Range(Range { range: 250.0 }), ..Config::default() };
    assert_eq!(power(&config, 16.0, 250.0), 16.0);
    assert_eq!(power(&config, 16.0, 250.001), f64::NEG_INFINITY);
}

#[test]
fn a_place_of_its_own_loses_what_the_minimum_distance_does() {
    assert_eq!(power(&Config::default(), 16.0, 0.0), power(&Config::default(), 16.0, 0.5));
    assert_eq!(power(&Config::ns3(), 16.0, 0.0), 16.0 - 46.6777);
}

/// Hata's formulas worked by hand at 900 MHz, for antennas at 30 m and 1.5 m and a distance of 5 km: log10 900 = 2.954243, log10 30 = 1.477121,
/// log10 5 = 0.698970.
#[test]
fn hata_by_hand() {
    let loss = |loss, frequency| {
        let config = Config { loss, frequency, ..Config::default() };
        let channel = Propagation::new(&config, Fading::None, 1, "test");
        // Over 5 km on the ground a height difference of 28.5 m makes the path 8 cm longer, which is 0.0003 dB.
        -channel.mean(0.0, Position::new(0.0, 0.0, 30.0), Position::new(5000.0, 0.0, 1.5))
    };
    let okumura = |environment, city| loss(PathLoss::OkumuraHata(OkumuraHata { environment, city }), 900e6);
    // 69.55 + 26.16 * 2.954243 - 13.82 * 1.477121 + (44.9 - 6.55 * 1.477121) * 0.698970 = 151.0403;
    // large city: a = 3.2 * log10(17.625)^2 - 4.97 = -0.000919.
    close(okumura(Environment::Urban, City::Large), 151.0412, "urban, large");
    // small city: a = (1.1 * 2.954243 - 0.7) * 1.5 - (1.56 * 2.954243 - 0.8) = 0.015882.
    close(okumura(Environment::Urban, City::Small), 151.0244, "urban, small");
    // suburban: 2 * log10(900 / 28)^2 + 5.4 = 9.9427 dB less than in a large city.
    close(okumura(Environment::Suburban, City::Large), 141.0986, "suburban");
    // open: 4.78 * 2.954243^2 - 18.33 * 2.954243 + 40.94 = 28.5064 dB less than in a large city.
    close(okumura(Environment::Open, City::Large), 122.5348, "open");
    // COST 231 at 1800 MHz, log10 1800 = 3.255273: 46.3 + 33.9 * 3.255273 - 20.413812 - 0.042975 + 24.620973 + 3.
    let cost = |city| loss(PathLoss::Cost231Hata(Cost231Hata { city }), 1800e6);
    close(cost(City::Large) - cost(City::Small), 3.0, "centre of a large city");
    close(cost(City::Small), 160.8181, "COST 231");
}

#[test]
fn shadowing_is_a_pairs_own_both_ways() {
    let config = Config { shadowing: 8.0, ..Config::default() };
    let (a, b, c) = (Station(0), Station(1), Station(7));
    let mut channel = Propagation::new(&config, Fading::None, 5, "wlan");
    let ab = channel.shadowing(a, b);
    assert_eq!(channel.shadowing(b, a), ab);
    assert_ne!(channel.shadowing(a, c), ab);
    // The draws of a pair do not depend on the order in which pairs are first used.
    let mut other = Propagation::new(&config, Fading::None, 5, "wlan");
    let ac = other.shadowing(c, a);
    assert_eq!(ac, channel.shadowing(a, c));
    assert_eq!(other.shadowing(a, b), ab);
    assert_ne!(Propagation::new(&config, Fading::None, 6, "wlan").shadowing(a, b), ab);
    assert_ne!(Propagation::new(&config, Fading::None, 5, "other").shadowing(a, b), ab);
}

#[test]
fn shadowing_has_the_deviation_asked_for() {
    let config = Config { shadowing: 8.0, ..Config::default() };
    let mut channel = Propagation::new(&config, Fading::None, 5, "wlan");
    let draws: Vec<f64> = (1..300)
        .flat_map(|b| (0..b).step_by(7).map(move |a| (a, b)))
        .map(|(a, b)| channel.shadowing(Station(a), Station(b)))
        .collect();
    let n = draws.len() as f64;
    let mean = draws.iter().sum::<f64>() / n;
    let deviation = libm::sqrt(draws.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n);
    assert!(mean.abs() < 0.4, "{mean}");
    assert!((deviation - 8.0).abs() < 0.25, "{deviation}");
}

/// Returns the mean power ratio under fading, and the share of frames that fade by more than 10 dB.
fn faded(fading: Fading, distance: f64) -> (f64, f64) {
    let mut channel = Propagation::new(&Config::default(), fading, 9, "wlan");
    let n = 100_000;
    let (mut sum, mut deep) = (0.0, 0.0);
    for _ in 0..n {
        let db = channel.fading(Station(0), Station(1), distance);
        sum += libm::pow(10.0, db / 10.0);
        deep += f64::from(u8::from(db < -10.0));
    }
    (sum / f64::from(n), deep / f64::from(n))
}

#[test]
fn fading_keeps_the_mean_power_and_has_its_law() {
    // Rayleigh fading has exponential power: P(x < 0.1) = 1 - exp(-0.1).
    let (mean, deep) = faded(Fading::Rayleigh, 10.0);
    assert!((mean - 1.0).abs() < 0.01 && (deep - 0.095163).abs() < 0.003, "{mean} {deep}");
    // Nakagami fading has gamma-distributed power of shape m; the regularised lower incomplete gamma function at m x gives P(1.5, 0.15) =
    // 0.039972 and P(0.75, 0.075) = 0.151043.
    let (mean, deep) = faded(Fading::Nakagami(Nakagami::default()), 79.9);
    assert!((mean - 1.0).abs() < 0.01 && (deep - 0.039972).abs() < 0.003, "{mean} {deep}");
    let (mean, deep) = faded(Fading::Nakagami(Nakagami::default()), 80.0);
    assert!((mean - 1.0).abs() < 0.02 && (deep - 0.151043).abs() < 0.004, "{mean} {deep}");
    // Log-normal fading with a deviation of 4 dB: 10 dB are 2.5 deviations, P(z < -2.5) = 0.006210.
    let (_, deep) = faded(Fading::LogNormal(LogNormal { deviation: 4.0 }), 10.0);
    assert!((deep - 0.006210).abs() < 0.001, "{deep}");
    assert_eq!(faded(Fading::None, 10.0), (1.0, 0.0));
}

#[test]
fn fading_of_one_pair_does_not_see_another() {
    let config = Config::default();
    let mut alone = Propagation::new(&config, Fading::Rayleigh, 5, "wlan");
    let mut busy = Propagation::new(&config, Fading::Rayleigh, 5, "wlan");
    for _ in 0..10 {
        busy.fading(Station(2), Station(1), 10.0);
        assert_eq!(alone.fading(Station(0), Station(1), 10.0), busy.fading(Station(0), Station(1), 10.0));
    }
}

#[test]
fn a_signal_takes_a_microsecond_for_300_m() {
    let channel = Propagation::new(&Config::ns2(), Fading::None, 1, "test");
    assert_eq!(channel.delay(Position::default(), Position::new(300.0, 0.0, 0.0)), Duration::from_us(1));
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let good = Config::ns2();
    assert_eq!(good.check(), Ok(()));
    let loss = PathLoss::LogDistance(LogDistance { exponent: f64::NAN, ..LogDistance::default() });
    for (config, field) in [
        (Config { frequency: 0.0, ..good.clone() }, "frequency"),
        (Config { antenna_height: 0.0, ..good.clone() }, "antenna_height"),
        (Config { loss, ..good.clone() }, "propagation.exponent"),
        (Config { light_speed: 150.0, ..good.clone() }, "light_speed"),
        (Config { shadowing: -1.0, ..good }, "shadowing"),
    ] {
        assert_eq!(config.check().unwrap_err().path, field);
    }
    let fading = Fading::Nakagami(Nakagami { shapes: [0.4; 3], ..Nakagami::default() });
    assert_eq!(settings::table::holds(&fading).unwrap_err().path, "shapes");
}
