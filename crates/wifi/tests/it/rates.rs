//! Rate control: first frames worked by hand, and goodput at several distances compared with the best constant rate.
//!
//! Two stations with the default radio (16 dBm, log-distance with exponent 3, noise figure 7 dB); the constant rate is the best
//! of all at that distance.

use crate::common::timeline::{Run, at, line};
use crate::common::{BASIC, crowd, packet, saturate};
use radio::Position;
use radio::access::{Frame, Station};
use wifi::config::Aggregation;
use wifi::config::Capture;
use wifi::config::Reception;
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};
use wifi::timing::{GuardInterval, He, Mode, Ofdm, Standard, Training, Vht, Width};
use wifi::{Config, Profile, Site};

const ARF: RateControl = RateControl::Arf(ArfConfig { successes: 10, failures: 2, timer: 15 });

fn ideal() -> RateControl {
    RateControl::Ideal(IdealConfig::default())
}

fn minstrel() -> RateControl {
    RateControl::MinstrelHt(MinstrelConfig::default())
}

fn pair(standard: Standard, distance: f64) -> Config {
    let mut config = crowd(standard, Profile::Ieee, 1, false);
    config.sites[1] = Site::fixed(Position::new(distance, 0.0, 0.0));
    config.mac.exchange.rts_threshold = BASIC;
    config
}

/// Sends `packets` packets from station 0 to 1 and returns the airtime of each data frame, us.
fn airtimes(config: &Config, packets: u64) -> Vec<u64> {
    let mut run = Run::new(config);
    for seq in 0..packets {
        run.network.send(at(1000), Station(0), Station(1), packet(0, seq), &mut run.out);
    }
    let (frames, out, _) = run.finish();
    assert_eq!(out.delivered.len() as u64, packets);
    let data = frames.iter().filter(|frame| frame.kind == "DATA");
    data.map(|frame: &Frame| (frame.ends - frame.begins).ps() / 1_000_000).collect()
}

/// ARF raises the rate after ten frames. 1536 bytes of 802.11b take 192 + 12288 us at 1 Mb/s, 192 + 6144 at 2, 192 + ceil(2234.2) at
/// 5.5 and 192 + 1118 at 11.
#[test]
fn arf_climbs_by_ten_frames() {
    let mut config = line(&[0.0, 10.0], 100.0);
    config.phy.rate_control = ARF;
    let expected: Vec<u64> = [(12_480, 10), (6336, 10), (2427, 10), (1310, 5)]
        .into_iter()
        .flat_map(|(time, times)| std::iter::repeat_n(time, times))
        .collect();
    assert_eq!(airtimes(&config, 35), expected);
}

/// `ideal` knows no SNR before the first frame, which uses 6 Mb/s, 20 + 4 * ceil(12310 / 24) us; the next uses 54 Mb/s.
#[test]
fn ideal_knows_after_one_frame() {
    let mut config = pair(Standard::A, 5.0);
    config.phy.rate_control = ideal();
    assert_eq!(airtimes(&config, 3), [2072, 248, 248]);
}

/// The data rate `data` of a network is the highest rate that rate control uses.
#[test]
fn the_rate_that_is_given_is_the_fastest() {
    let mut config = pair(Standard::A, 5.0);
    config.phy.rate_control = ideal();
    config.phy.data = Mode::Ofdm(Ofdm { rate: 24, erp: false });
    // The second frame takes 20 + 4 * ceil(12310 / 96) us.
    assert_eq!(airtimes(&config, 2), [2072, 536]);
}

/// With a data rate of VHT MCS 3 with two streams at 80 MHz (234 Mb/s), MCS 6 to 9 of one stream, which are faster, are not used.
///
/// The first frame uses MCS 0 with one stream, 40 + 4 * ceil((22 + 12304) / 117) us, the next MCS 3 with two streams,
/// 44 + 4 * ceil(12326 / 936) us.
#[test]
fn with_two_streams_one_is_tried_too() {
    let sites = pair(Standard::Ac, 5.0).sites;
    let mut config = Config::new(Standard::Ac, Profile::Ieee, sites, None);
    config.mac.aggregation = Aggregation::none();
    config.phy.data = Mode::Vht(Vht { mcs: 3, streams: 2, width: Width::Mhz80, guard: GuardInterval::Long });
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    config.phy.rate_control = ideal();
    assert_eq!(airtimes(&config, 2), [464, 100]);
}

/// With two HE streams rate control uses MCS of one stream, too.
///
/// The first frame uses MCS 0 with one stream: 43.2 us and 26 symbols of 490 bits, 13.6 us each. The next uses MCS 3
/// with two streams: 50.4 us and 4 symbols of 3920 bits.
#[test]
fn with_two_streams_of_he_one_is_tried_too() {
    let sites = pair(Standard::Ax, 5.0).sites;
    let mut config = Config::new(Standard::Ax, Profile::Ieee, sites, None);
    config.mac.aggregation = Aggregation::none();
    let guard = GuardInterval::Us0_8;
    let training = Training::usual(guard);
    config.phy.data = Mode::He(He { mcs: 3, streams: 2, width: Width::Mhz80, guard, training, erp: false });
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    config.phy.rate_control = ideal();
    assert_eq!(airtimes(&config, 2), [396, 104]);
}

fn goodput(config: &Config, rate_control: RateControl) -> f64 {
    let mut config = config.clone();
    config.phy.rate_control = rate_control;
    saturate(&config, 3.0, 1).goodput
}

#[test]
fn without_aggregation_all_follow_the_best_rate() {
    for distance in [5.0, 20.0, 25.0, 35.0, 45.0] {
        let base = pair(Standard::A, distance);
        let constant = Ofdm::RATES.map(|rate| {
            let mut config = base.clone();
            config.phy.data = Mode::Ofdm(Ofdm { rate, erp: false });
            goodput(&config, RateControl::Constant)
        });
        let best = constant.into_iter().fold(0.0, f64::max);
        let of = |control| goodput(&base, control) / best;
        let (ideal, minstrel, arf) = (of(ideal()), of(minstrel()), of(ARF));
        assert!((ideal - 1.0).abs() < 0.015, "{distance} m: ideal {ideal:.3}");
        assert!(minstrel > 0.9, "{distance} m: Minstrel-HT {minstrel:.3}");
        assert!(arf > 0.9, "{distance} m: ARF {arf:.3}");
    }
}

/// With A-MPDUs every rate control follows the best MCS of one and two streams.
#[test]
fn with_aggregation_all_follow_the_best_mcs() {
    for distance in [5.0, 30.0, 45.0] {
        let mut base = pair(Standard::N, distance);
        let mut set = |mcs| {
            base.set_mode(Standard::N.mcs(mcs, Width::Mhz20, GuardInterval::Long).expect("an MCS"));
            base.clone()
        };
        let best = (0..16).map(|mcs| saturate(&set(mcs), 1.0, 1).goodput).fold(0.0, f64::max);
        let base = set(15);
        let of = |control| goodput(&base, control) / best;
        let (ideal, minstrel, arf) = (of(ideal()), of(minstrel()), of(ARF));
        assert!((ideal - 1.0).abs() < 0.015, "{distance} m: ideal {ideal:.3}");
        assert!(minstrel > 0.97, "{distance} m: Minstrel-HT {minstrel:.3}");
        assert!(arf > 0.93, "{distance} m: ARF {arf:.3}");
    }
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let mut config = pair(Standard::A, 5.0);
    let mut wrong = |control| {
        config.phy.rate_control = control;
        config.check().expect_err("something is wrong").to_string()
    };
    assert_eq!(
        wrong(RateControl::Ideal(IdealConfig { target: 1.0, ..IdealConfig::default() })),
        "rate_control.target: an error rate between 0 and 1, not 1"
    );
    let shares = MinstrelConfig { lookaround: 1.5, ..MinstrelConfig::default() };
    assert_eq!(
        wrong(RateControl::MinstrelHt(shares)),
        "rate_control.lookaround: 0 or more and less than 1, not 1.5"
    );
    assert_eq!(
        wrong(RateControl::Arf(ArfConfig { timer: 0, ..ArfConfig::default() })),
        "rate_control.timer: 0 is out of range\n  allowed: at least 1"
    );
}
