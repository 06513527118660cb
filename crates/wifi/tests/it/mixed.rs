//! 802.11b stations among 802.11g stations, worked by hand.
//!
//! 802.11b: data of 1536 bytes at 11 Mb/s takes 192 + 1118 us, an ACK 192 + 11 us; CTS at 1 Mb/s 192 + 112 us, RTS 192 + 160 us.
//! 802.11g: data at 54 Mb/s 248 + 6 us, an ACK at 24 Mb/s 28 + 6 us. SIFS 10 us, slot 20 us, DIFS 50 us.

use crate::common::erp::{ACK, CTS, DATA, DIFS, RTS, SIFS, SLOT};
use crate::common::slots::{Kind, shares};
use crate::common::timeline::{Run, at, backoffs, begins, line};
use crate::common::{as_modelled, crowd, saturate};
use base::DropCause;
use radio::Position;
use radio::access::Station;
use routing::aodv;
use wifi::config::Protection;
use wifi::config::Sinr;
use wifi::edca::Edca;
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};
use wifi::timing::{Dsss, Mode, Preamble, Standard};
use wifi::{Config, Profile, Site};

const B_DATA: u64 = 1310;
const B_ACK: u64 = 203;

/// Energy detection thresholds above and below any signal, dBm.
const DEAF: f64 = 30.0;
const KEEN: f64 = -82.0;

/// Returns 802.11g stations on a line with a range of 100 m.
///
/// The stations in `b` are 802.11b stations and sense OFDM signals from `energy` dBm on.
fn mixed(places: &[f64], b: &[u32], energy: f64, protection: Protection) -> Config {
    let base = line(places, 100.0);
    let mut config = Config::new(Standard::G, Profile::Ieee, base.sites, None);
    config.phy.propagation = base.phy.propagation;
    config.phy.reception = base.phy.reception;
    config.set_non_erp(b.iter().map(|at| Station(*at)).collect(), Profile::Ieee);
    config.phy.cca_time = base.phy.cca_time;
    config.mac.exchange.protection = protection;
    config.phy.b_energy_detection = Some(energy);
    config
}

/// A b station that cannot sense OFDM frames learns of them only by the CTS-to-self, and waits for the reserved time.
#[test]
fn a_cts_to_self_holds_a_b_station_through_a_frame_that_it_does_not_hear() {
    let mut run = Run::new(&mixed(&[0.0, 10.0, 20.0], &[2], DEAF, Protection::CtsToSelf));
    run.send(at(1000), 0, 1);
    // This packet arrives during the data frame.
    run.send(at(1000 + CTS + SIFS + 100), 2, 1);
    let (frames, out, _) = run.finish();
    let data = 1000 + CTS + SIFS;
    let ack = data + DATA + SIFS;
    let b = ack + ACK + DIFS + backoffs(2, &[31])[0] * SLOT;
    let b_ack = b + B_DATA + SIFS;
    let times: Vec<_> = frames.iter().map(|f| (f.kind, f.from.0, f.begins, f.ends)).collect();
    let expected = [
        ("CTS", 0, at(1000), at(1000 + CTS)),
        ("DATA", 0, at(data), at(data + DATA)),
        ("ACK", 1, at(ack), at(ack + ACK)),
        ("DATA", 2, at(b), at(b + B_DATA)),
        ("ACK", 1, at(b_ack), at(b_ack + B_ACK)),
    ];
    assert_eq!(times, expected);
    assert_eq!(out.delivered.len(), 2);
}

/// Without protection a b station that cannot sense OFDM transmits at once, and both frames are lost at the receiver.
#[test]
fn without_protection_it_transmits_into_the_frame() {
    let mut run = Run::new(&mixed(&[0.0, 10.0, 20.0], &[2], DEAF, Protection::None));
    run.send(at(1000), 0, 1);
    run.send(at(1100), 2, 1);
    let (frames, ..) = run.finish();
    assert_eq!((begins(&frames, 0, "DATA")[0], begins(&frames, 2, "DATA")[0]), (at(1000), at(1100)));
    let lost: Vec<_> = frames.iter().take(2).map(|frame| frame.lost).collect();
    assert_eq!(lost, [Some(DropCause::Collision); 2]);
}

/// A b station that senses OFDM as energy waits for the end of the frame and of the ACK, and then for DIFS, not EIFS.
#[test]
fn energy_is_sensed_and_calls_for_no_eifs() {
    let mut run = Run::new(&mixed(&[0.0, 10.0, 20.0], &[2], KEEN, Protection::None));
    run.send(at(1000), 0, 1);
    run.send(at(1100), 2, 1);
    let (frames, ..) = run.finish();
    let done = 1000 + DATA + SIFS + ACK;
    assert_eq!(begins(&frames, 2, "DATA"), [at(done + DIFS + backoffs(2, &[31])[0] * SLOT)]);
}

/// An OFDM frame sets no NAV at a b station: if the receiver is out of range, the b station senses the data but not the ACK.
#[test]
fn a_frame_in_ofdm_reserves_nothing_at_a_b_station() {
    let mut run = Run::new(&mixed(&[0.0, 80.0, -80.0, -90.0], &[2], KEEN, Protection::None));
    run.send(at(1000), 0, 1);
    run.send(at(1100), 2, 3);
    let (frames, ..) = run.finish();
    let slots = backoffs(2, &[31])[0];
    assert_eq!(begins(&frames, 2, "DATA")[0], at(1000 + DATA + DIFS + slots * SLOT));
}

/// An RTS in DSSS sets the b station's NAV. If the b station receives no CTS and cannot sense the OFDM data, it
/// resets the NAV.
#[test]
fn an_rts_is_forgotten_where_only_ofdm_follows() {
    // NAV reset timeout: 2 SIFS, a CTS at 1 Mb/s, a preamble and 2 slots.
    let silence = 2 * SIFS + CTS + 192 + 2 * SLOT;
    let begins_at = |places: &[f64]| {
        let mut run = Run::new(&mixed(places, &[2], DEAF, Protection::RtsCts));
        run.send(at(1000), 0, 1);
        run.send(at(1100), 2, 3);
        let (frames, ..) = run.finish();
        begins(&frames, 2, "DATA")[0]
    };
    let slots = backoffs(2, &[31])[0] * SLOT;
    let done = 1000 + RTS + SIFS + CTS + SIFS + DATA + SIFS + ACK;
    assert_eq!(begins_at(&[0.0, 10.0, 20.0, 30.0]), at(done + DIFS + slots));
    assert_eq!(begins_at(&[0.0, 80.0, -80.0, -90.0]), at(1000 + RTS + silence + DIFS + slots));
}

/// Data to a b station and the response use DSSS without protection; the g station keeps slots of 20 us and a window of 15.
#[test]
fn data_for_a_b_station_are_in_dsss() {
    let mut run = Run::new(&mixed(&[0.0, 10.0, 20.0], &[2], KEEN, Protection::RtsCts));
    run.send(at(1000), 0, 2);
    run.send(at(1001), 0, 2);
    let (frames, ..) = run.finish();
    let done = 1000 + B_DATA + SIFS + B_ACK;
    let again = done + DIFS + backoffs(0, &[15])[0] * SLOT;
    let times: Vec<_> = frames.iter().map(|f| (f.kind, f.begins)).collect();
    let expected = [
        ("DATA", at(1000)),
        ("ACK", at(1000 + B_DATA + SIFS)),
        ("DATA", at(again)),
        ("ACK", at(again + B_DATA + SIFS)),
    ];
    assert_eq!(times, expected);
}

/// A DSSS frame at 11 Mb/s is never answered in OFDM, although 6 Mb/s would be slow enough (clause 9.7.6.5.2).
#[test]
fn responses_are_of_the_class_of_what_they_answer() {
    let mut config = mixed(&[0.0, 10.0], &[1], KEEN, Protection::CtsToSelf);
    let dsss = |rate| Mode::Dsss(Dsss { rate, preamble: Preamble::Long });
    config.phy.responses.retain(|mode| !mode.is_dsss() || *mode == dsss(10) || *mode == dsss(20));
    let mut run = Run::new(&config);
    run.send(at(1000), 0, 1);
    let (frames, ..) = run.finish();
    // The ACK takes 192 + 56 us at 2 Mb/s.
    assert_eq!(frames[1].ends, at(1000 + B_DATA + SIFS + 248));
}

/// Broadcasts use DSSS at 1 Mb/s, so a b station can take part in a multi-hop network and forward packets.
#[test]
fn a_b_station_relays() {
    let mut config = mixed(&[0.0, 80.0, 160.0], &[1], KEEN, Protection::CtsToSelf);
    config.routing = routing::Config::Aodv(aodv::Config::default());
    let mut run = Run::new(&config);
    run.send(at(1000), 0, 2);
    let (frames, out, stats) = run.finish();
    assert_eq!((out.delivered.len(), stats.stations[1].forwarded), (1, 1));
    let data: Vec<_> = frames.iter().filter(|frame| frame.kind == "DATA").collect();
    assert!(
        data.iter().all(|frame| frame.ends - frame.begins == base::Duration::from_us(B_DATA)),
        "{data:?}"
    );
    assert_eq!(begins(&frames, 0, "CTS"), []);
}

/// Returns a network of an 802.11g access point, one saturated 802.11g station and one saturated 802.11b station.
fn pair() -> Config {
    let mut config = crowd(Standard::G, Profile::Ieee, 2, true);
    config.set_non_erp(vec![Station(2)], Profile::Ieee);
    as_modelled(&mut config);
    config
}

/// The performance anomaly (Heusse, Rousseau, Berger-Sabbatel, Duda, IEEE INFOCOM 2003), compared with a model of the medium's slots.
///
/// With equal windows both stations deliver the same number of packets, although one takes 662 us per packet and the other, whose ACK
/// is at 2 Mb/s, 1618 us. With the standard's windows of 15 and 31 the g station delivers seven in ten packets.
#[test]
fn a_slow_station_slows_the_fast_one() {
    let frames = [CTS + SIFS + DATA + SIFS + ACK + DIFS, B_DATA + SIFS + 248 + DIFS];
    assert_eq!(frames, [662, 1618]);
    for (window, share) in [(31, 0.5), (15, 0.707)] {
        let mut config = pair();
        config.mac.access.cw_min = window;
        let kinds = [window, 31].map(|least| Kind { stations: 1, window: [least, 1023] });
        let model = shares([&kinds[0], &kinds[1]], 20.0, frames.map(|us| us as f64));
        let run = saturate(&config, 100.0, 1);
        let of_g = run.from[1] as f64 / (run.from[1] + run.from[2]) as f64;
        assert!((of_g - model.0).abs() < 0.006 && (of_g - share).abs() < 0.01, "{of_g:.4}, {:.4}", model.0);
        let off = run.goodput / (model.1 * 11_776.0) - 1.0;
        assert!(off.abs() < 0.01, "window {window}: {:.3} {off:+.4}", run.goodput);
    }
}

/// Goodput of one saturated station of each kind, 54 and 11 Mb/s to an access point, as in ns-3.37; means over 3 runs of 20 s.
#[test]
fn as_ns3_within_one_percent() {
    for (protection, expected) in [
        (Protection::None, [9.644, 3.746]),
        (Protection::CtsToSelf, [7.668, 2.960]),
        (Protection::RtsCts, [6.200, 2.384]),
    ] {
        let mut config = crowd(Standard::G, Profile::Ns3, 2, true);
        config.set_non_erp(vec![Station(2)], Profile::Ns3);
        config.mac.exchange.protection = protection;
        let off = saturate(&config, 50.0, 1).goodput / (expected[0] + expected[1]) - 1.0;
        assert!(off.abs() < 0.01, "{protection:?}: {off:+.4}");
    }
}

/// Goodput as in ns-3 when the 802.11b station does not sense OFDM: both stations are 8 m from the access point, on
/// either side, and receive each other at -66.8 dBm. Means over 6 runs of 20 s.
#[test]
fn as_ns3_where_ofdm_is_not_sensed() {
    for (protection, [g, b], bound) in
        [(Protection::None, [10.785, 1.751], 0.04), (Protection::CtsToSelf, [7.721, 2.912], 0.01)]
    {
        let mut config = crowd(Standard::G, Profile::Ns3, 2, true);
        config.sites[1] = Site::fixed(Position::new(8.0, 0.0, 0.0));
        config.sites[2] = Site::fixed(Position::new(-8.0, 0.0, 0.0));
        config.set_non_erp(vec![Station(2)], Profile::Ns3);
        config.mac.exchange.protection = protection;
        let run = saturate(&config, 100.0, 1);
        let off = run.goodput / (g + b) - 1.0;
        assert!(off.abs() < bound, "{protection:?}: {:.3} {off:+.4}", run.goodput);
        let share = run.from[1] as f64 / (run.from[1] + run.from[2]) as f64;
        assert!((share - g / (g + b)).abs() < 0.02, "{protection:?}: {share:.3}");
    }
}

/// At short distance every rate control reaches the highest rate of either kind of station.
#[test]
fn rate_control_has_the_rates_of_each_kind() {
    let constant = saturate(&pair(), 5.0, 1);
    for (control, least) in [
        (RateControl::Ideal(IdealConfig::default()), 0.98),
        (RateControl::Arf(ArfConfig::default()), 0.9),
        (RateControl::MinstrelHt(MinstrelConfig::default()), 0.9),
    ] {
        let mut config = pair();
        config.phy.rate_control = control;
        let run = saturate(&config, 5.0, 1);
        let share = run.goodput / constant.goodput;
        assert!(share > least && share < 1.02, "{control:?}: {share:.3}");
    }
}

/// The access point's EDCA parameters apply to both kinds of stations, which therefore get equal shares.
#[test]
fn edca_has_one_set_of_parameters_for_both_kinds() {
    let mut config = pair();
    config.set_edca(Edca::standard(Standard::G, 15, 1023));
    let run = saturate(&config, 10.0, 1);
    let of_g = run.from[1] as f64 / (run.from[1] + run.from[2]) as f64;
    assert!((of_g - 0.5).abs() < 0.01, "{of_g:.4}");
}

/// A b station at 11 Mb/s reaches an access point that is out of range for a g station at 54 Mb/s.
#[test]
fn reach_is_that_of_the_rates_of_each_kind() {
    let mut config = pair();
    config.sites[1] = Site::fixed(Position::new(40.0, 0.0, 0.0));
    config.sites[2] = Site::fixed(Position::new(0.0, 40.0, 0.0));
    config.phy.reception = wifi::config::Reception::Sinr(Sinr::default());
    let run = saturate_lossy(&config);
    assert_eq!(run.0, 0);
    assert!(run.1 > 100, "{run:?}");
}

/// Sends 300 packets from each of stations 1 and 2 to station 0; returns the number of packets delivered from each.
fn saturate_lossy(config: &Config) -> (usize, usize) {
    let mut run = Run::new(config);
    for k in 0..300 {
        run.send(at(3000 * k), 1, 0);
        run.send(at(3000 * k + 1), 2, 0);
    }
    let (_, out, _) = run.finish();
    let of = |flow| out.delivered.iter().filter(|(_, packet)| packet.flow.0 == flow).count();
    (of(1), of(2))
}

#[test]
fn what_is_wrong_is_said() {
    let said = |config: &Config| config.check().expect_err("wrong").to_string();
    let g = || crowd(Standard::G, Profile::Ieee, 2, true);
    let with = |mut config: Config, stations: &[u32]| {
        config.set_non_erp(stations.iter().map(|at| Station(*at)).collect(), Profile::Ieee);
        config
    };
    assert_eq!(with(g(), &[1]).check(), Ok(()));
    let n = with(crowd(Standard::N, Profile::Ieee, 2, false), &[1]);
    for (config, message) in [
        (n, "b_stations: 802.11n has no stations of 802.11b among its own: 802.11g has"),
        (with(g(), &[3]), "b_stations: there is no station 3"),
        (with(g(), &[0]), "b_stations: station 0 is the access point"),
        (with(g(), &[]), "b_stations: at least one station and not all of them, not 0 of 3"),
        (with(crowd(Standard::G, Profile::Ieee, 1, false), &[0, 1]), "b_stations: at least one"),
    ] {
        let said = said(&config);
        assert!(said.starts_with(message), "{said}");
    }
    let mut config = with(g(), &[1]);
    config.phy.responses.retain(|mode| !mode.is_dsss());
    assert!(said(&config).starts_with("response_rates: stations of 802.11b do not hear"));
    let mut config = with(g(), &[1]);
    config.mac.exchange.protection = Protection::None;
    config.phy.control = config.phy.data;
    assert!(said(&config).starts_with("control_rate: stations of 802.11b do not hear"));
    let mut config = with(g(), &[1]);
    config.mac.access.b_cw_min = Some(0);
    assert_eq!(said(&config), "b_cw_min: 1 <= cw_min <= cw_max, not 0 and 1023");
}
