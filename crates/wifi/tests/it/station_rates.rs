//! Stations with their own data rate, worked by hand.
//!
//! 802.11b with long preambles: data of 1536 bytes takes 192 + 1118 us at 11 Mb/s, 192 + 6144 us at 2 Mb/s and 192 + 12288 us at
//! 1 Mb/s. An ad hoc ACK takes 203 us (11 Mb/s), 248 us (2 Mb/s) or 304 us (1 Mb/s). SIFS 10 us, DIFS 50 us, slot 20 us.

use crate::common::slots::{Kind, shares};
use crate::common::timeline::{Run, at, begins, line};
use crate::common::{as_modelled, crowd, saturate};
use radio::access::Station;
use wifi::config::{OwnRate, StationRate};
use wifi::rate::{ArfConfig, RateControl};
use wifi::timing::{Dsss, GuardInterval, Mode, Preamble, Standard, Width};
use wifi::{Config, Profile};

fn dsss(rate: u32) -> Mode {
    Mode::Dsss(Dsss { rate, preamble: Preamble::Long })
}

/// Returns a network of four 802.11b stations, of which 2 and 3 send at 2 and 1 Mb/s.
fn network() -> Config {
    let mut config = line(&[0.0, 10.0, 20.0, 30.0], 100.0);
    let own = |station, rate| StationRate { station: Station(station), data: dsss(rate) };
    config.station_rates = vec![own(2, 20), own(3, 10)];
    config
}

/// A station's rate applies to frames from and to the station; between two such stations the slower rate applies. Responses follow
/// the frame's rate.
#[test]
fn the_rate_of_a_link_is_that_of_its_slower_end() {
    let links = [
        (0, 1, 1310, 203),
        (0, 2, 6336, 248),
        (2, 1, 6336, 248),
        (3, 0, 12480, 304),
        (2, 3, 12480, 304),
        (3, 2, 12480, 304),
    ];
    let mut run = Run::new(&network());
    for (k, (from, to, ..)) in links.iter().enumerate() {
        run.send(at(20_000 * (k as u64 + 1)), *from, *to);
    }
    let (frames, out, _) = run.finish();
    assert_eq!((out.delivered.len(), frames.len()), (links.len(), 2 * links.len()));
    for (k, (from, to, data, ack)) in links.into_iter().enumerate() {
        let begin = 20_000 * (k as u64 + 1);
        let answer = begin + data + 10;
        let got = [&frames[2 * k], &frames[2 * k + 1]].map(|f| (f.kind, f.from.0, f.begins, f.ends));
        let expected =
            [("DATA", from, at(begin), at(begin + data)), ("ACK", to, at(answer), at(answer + ack))];
        assert_eq!(got, expected, "{from} to {to}");
    }
}

/// With rate control a station's own rate is the highest that its links use; other links reach higher rates. ARF raises the rate after
/// ten frames, so that after 40 frames the link has its highest rate.
#[test]
fn rate_control_goes_up_to_a_stations_own_rate() {
    let mut config = network();
    config.phy.rate_control = RateControl::Arf(ArfConfig::default());
    for (to, fastest) in [(1, 1310), (2, 6336), (3, 12480)] {
        let mut run = Run::new(&config);
        (1..=40).for_each(|k| run.send(at(20_000 * k), 0, to));
        let (frames, ..) = run.finish();
        let data: Vec<_> = frames.iter().filter(|f| f.kind == "DATA").collect();
        assert_eq!(begins(&frames, 0, "DATA").len(), 40);
        let last = data[39];
        assert_eq!(last.ends.since(last.begins).ps() / 1_000_000, fastest, "to {to}");
    }
}

/// A station's own rate can be an MCS: data of 1538 bytes takes 36 us and 475 symbols at MCS 0 of 802.11n, 36 us and 48 at MCS 7.
#[test]
fn an_mcs_of_its_own() {
    let base = line(&[0.0, 10.0, 20.0], 100.0);
    let mut config = Config::new(Standard::N, Profile::Ieee, base.sites, None);
    config.phy.propagation = base.phy.propagation;
    config.phy.reception = base.phy.reception;
    config.mac.aggregation = wifi::config::Aggregation::none();
    let own = OwnRate { mcs: Some(0), ..OwnRate::default() };
    let data = own.mode(&config, Station(2)).expect("an MCS");
    assert_eq!(data, Standard::N.mcs(0, Width::Mhz20, GuardInterval::Long).expect("an MCS"));
    config.station_rates = vec![StationRate { station: Station(2), data }];
    for (to, time) in [(1, 228), (2, 1936)] {
        let mut run = Run::new(&config);
        run.send(at(1000), 0, to);
        let (frames, ..) = run.finish();
        assert_eq!(frames[0].ends.since(frames[0].begins).ps() / 1_000_000, time);
    }
}

/// Heusse's anomaly: 802.11b stations with equal windows send equally many packets, so one station at 1 Mb/s reduces the goodput of
/// the others to about its own. The model of the medium's slots agrees; in it a collision lasts as long as its longest frame.
#[test]
fn one_slow_station_slows_all() {
    for fast in [1, 3] {
        let mut config = crowd(Standard::B, Profile::Ieee, fast + 1, true);
        as_modelled(&mut config);
        let slow = Station(fast as u32 + 1);
        config.station_rates = vec![StationRate { station: slow, data: dsss(10) }];
        let run = saturate(&config, 100.0, 1);
        // With an access point ACKs use 2 and 1 Mb/s: cycles take 1310 + 10 + 248 + 50 and 12480 + 10 + 304 + 50 us.
        let kind = |stations| Kind { stations, window: [31, 1023] };
        let (share, rate) = shares([&kind(fast as i32), &kind(1)], 20.0, [1618.0, 12844.0]);
        let all: u64 = run.from.iter().sum();
        let got = 1.0 - run.from[slow.index()] as f64 / all as f64;
        let goodput = run.goodput / (rate * 11_776.0);
        assert!((got - share).abs() < 0.02, "{got} {share}");
        assert!((goodput - 1.0).abs() < 0.02, "{goodput}");
    }
}
