//! Protection of 802.11g frames among 802.11b stations, worked by hand.
//!
//! CTS at 1 Mb/s takes 192 + 112 us, RTS 192 + 160 us, data of 1536 bytes at 54 Mb/s 248 + 6 us, an ACK at 24 Mb/s 28 + 6 us. SIFS
//! 10 us, slot 20 us, DIFS 50 us.

use crate::common::erp::{ACK, CTS, DATA, DIFS, RTS, SIFS, SLOT};
use crate::common::timeline::{Run, at, backoffs, begins, line};
use crate::common::{BASIC, crowd, saturate};
use settings::TimeOrNever;
use wifi::config::Protection;
use wifi::timing::Standard;
use wifi::{Config, Profile};

/// Returns the stations of `line` as 802.11g stations.
fn protected(places: &[f64], protection: Protection) -> Config {
    let b = line(places, 100.0);
    let mut config = Config::new(Standard::G, Profile::Ieee, b.sites, None);
    config.phy.propagation = b.phy.propagation;
    config.phy.reception = b.phy.reception;
    config.phy.cca_time = b.phy.cca_time;
    config.set_protection(protection, 10);
    config
}

#[test]
fn a_cts_to_self_goes_before_data() {
    let mut run = Run::new(&protected(&[0.0, 10.0, 20.0], Protection::CtsToSelf));
    run.send(at(1000), 0, 1);
    run.send(at(1100), 2, 1);
    let (frames, out, stats) = run.finish();
    let times: Vec<_> = frames.iter().take(3).map(|f| (f.kind, f.from.0, f.begins, f.ends)).collect();
    let data = 1000 + CTS + SIFS;
    let ack = data + DATA + SIFS;
    let first = [
        ("CTS", 0, at(1000), at(1000 + CTS)),
        ("DATA", 0, at(data), at(data + DATA)),
        ("ACK", 1, at(ack), at(ack + ACK)),
    ];
    assert_eq!(times, first);
    let slots = backoffs(2, &[15])[0];
    assert_eq!(begins(&frames, 2, "CTS"), [at(ack + ACK + DIFS + slots * SLOT)]);
    assert_eq!(out.delivered.len(), 2);
    assert_eq!(stats.stations[0].rts_sent, 0);
}

#[test]
fn rts_and_cts_go_before_data() {
    let mut run = Run::new(&protected(&[0.0, 10.0], Protection::RtsCts));
    run.send(at(1000), 0, 1);
    let (frames, ..) = run.finish();
    let times: Vec<_> = frames.iter().map(|f| (f.kind, f.begins)).collect();
    let cts = 1000 + RTS + SIFS;
    let data = cts + CTS + SIFS;
    let ack = data + DATA + SIFS;
    assert_eq!(times, [("RTS", at(1000)), ("CTS", at(cts)), ("DATA", at(data)), ("ACK", at(ack))]);
}

/// Each frame costs DIFS, 7.5 slots and the exchange. CTS-to-self halves the goodput; RTS and CTS leave a
/// third of it.
#[test]
fn what_protection_costs_is_as_worked_by_hand() {
    let without = 28.0 + 7.5 * 9.0 + 254.0 + 10.0 + 34.0;
    let exchange = 50.0 + 7.5 * 20.0 + 254.0 + 10.0 + 34.0;
    for (protection, cycle) in [
        (Protection::None, without),
        (Protection::CtsToSelf, exchange + 304.0 + 10.0),
        (Protection::RtsCts, exchange + 352.0 + 10.0 + 304.0 + 10.0),
    ] {
        let mut config = crowd(Standard::G, Profile::Ieee, 1, true);
        config.mac.bss.beacons = TimeOrNever(None);
        config.mac.exchange.rts_threshold = BASIC;
        config.set_protection(protection, 10);
        assert_eq!(config.check(), Ok(()));
        let off = saturate(&config, 5.0, 1).goodput * cycle / 11_776.0 - 1.0;
        assert!(off.abs() < 0.005, "{protection:?}: {off:+.4}");
    }
}

#[test]
fn only_802_11g_has_it() {
    let mut config = crowd(Standard::A, Profile::Ieee, 1, false);
    config.set_protection(Protection::CtsToSelf, 10);
    let said = config.check().expect_err("802.11a").to_string();
    assert_eq!(said, "protection: 802.11a has no protection against b stations: 802.11g has");
    let mut config = protected(&[0.0, 10.0], Protection::CtsToSelf);
    config.phy.control = config.phy.data;
    let said = config.check().expect_err("OFDM").to_string();
    assert!(said.starts_with("control_rate: stations of 802.11b do not hear frames in OFDM"), "{said}");
}
