//! Beacons of an ad hoc network, worked by hand.
//!
//! 802.11b at 11 Mb/s: slot 20 us, SIFS 10 us, DIFS 50 us. Data takes 1310 us, an ACK 203 us, a beacon of 56 bytes at 1 Mb/s
//! 192 + 448 us. Beacon delays are 0 to 62 slots.

use crate::common::timeline::{Run, SEED, at, backoffs, begins, line};
use crate::common::{BASIC, crowd, saturate};
use base::{Duration, Instant, Rng};
use radio::access::Frame;
use routing::hwmp;
use settings::TimeOrNever;
use wifi::timing::Standard;
use wifi::{Config, Profile};

const INTERVAL: u64 = 102_400;
const BEACON: u64 = 640;
const DATA: u64 = 1310;
const ACK: u64 = 203;
const SIFS: u64 = 10;
const DIFS: u64 = 50;
const SLOT: u64 = 20;

fn ibss(places: &[f64]) -> Config {
    let mut config = line(places, 100.0);
    config.mac.bss.beacons = TimeOrNever(Some(Duration::from_us(INTERVAL)));
    config
}

/// Returns the first `count` random beacon delays that a station draws, slots.
fn delays(station: u32, count: usize) -> Vec<u64> {
    let mut rng = Rng::stream(SEED, &format!("wlan.station.{station}.beacon"));
    (0..count).map(|_| ((u128::from(rng.bits()) * 63) >> 64) as u64).collect()
}

fn beacons(frames: &[Frame]) -> Vec<(u32, Instant, Instant)> {
    let sent = frames.iter().filter(|frame| frame.kind == "BEACON");
    sent.map(|frame| (frame.from.0, frame.begins, frame.ends)).collect()
}

/// In each interval the station with the least delay sends the beacon. At the first TBTT, the start of the run, the
/// delays begin only after DIFS.
#[test]
fn the_shortest_delay_sends_the_beacon() {
    let run = Run::new(&ibss(&[0.0, 10.0, 20.0]));
    let (frames, _, stats) = run.finish();
    let drawn = [0, 1, 2].map(|station| delays(station, 10));
    let mut expected = Vec::new();
    for k in 0..10 {
        let least = drawn.iter().map(|delays| delays[k]).min().expect("three");
        let tbtt = INTERVAL * k as u64 + if k == 0 { DIFS } else { 0 };
        let begin = tbtt + least * SLOT;
        // Stations that have drawn the same delay send at the same time.
        let who = (0..3).filter(|station| drawn[*station as usize][k] == least);
        expected.extend(who.map(|station| (station, at(begin), at(begin + BEACON))));
    }
    assert_eq!(expected.len(), 10, "the seed was to let none meet");
    assert_eq!(beacons(&frames), expected);
    assert!(frames.iter().all(|frame| frame.to.is_none() && frame.bytes == 56));
    assert_eq!(stats.total(|station| station.control_sent), 10);
}

/// Two hidden stations both send their beacons. The station between them cancels its own beacon when it has
/// received the first.
#[test]
fn hidden_stations_each_send_theirs() {
    let run = Run::new(&ibss(&[0.0, 90.0, 180.0]));
    let (frames, ..) = run.finish();
    for k in 1..10 {
        let tbtt = INTERVAL * k as u64;
        let [left, middle, right] = [0, 1, 2].map(|station| delays(station, 10)[k]);
        let sent: Vec<_> = beacons(&frames)
            .into_iter()
            .filter(|(_, begin, _)| (at(tbtt)..at(tbtt + INTERVAL)).contains(begin))
            .map(|(from, begin, _)| (from, begin.since(at(tbtt)).ps() / 1_000_000))
            .collect();
        if middle < left.min(right) {
            assert_eq!(sent, [(1, middle * SLOT)]);
        } else {
            for (station, delay) in [(0, left), (2, right)] {
                assert!(sent.contains(&(station, delay * SLOT)), "{k}: {sent:?}");
            }
        }
    }
}

/// A backoff is suspended from TBTT until the end of the beacon, and continues after DIFS with the remaining slots.
#[test]
fn backoffs_stand_still_for_a_beacon() {
    let mut run = Run::new(&ibss(&[0.0, 10.0, 20.0]));
    // After DIFS two slots of the backoff pass before TBTT.
    let first = INTERVAL - 2 * SLOT - DIFS - ACK - SIFS - DATA;
    run.send(at(first), 1, 0);
    run.send(at(first), 1, 0);
    let (frames, out, _) = run.finish();
    let drawn = backoffs(1, &[31])[0];
    assert!(drawn > 2, "the seed was to leave something");
    let delay = [0, 1, 2].into_iter().map(|station| delays(station, 2)[1]).min().expect("three");
    let over = INTERVAL + delay * SLOT + BEACON;
    assert_eq!(begins(&frames, 1, "DATA"), [at(first), at(over + DIFS + (drawn - 2) * SLOT)]);
    assert_eq!(out.delivered.len(), 2);
}

/// A packet that arrives between TBTT and the beacon waits for the beacon and then draws a backoff.
#[test]
fn a_packet_waits_for_the_beacon() {
    let mut run = Run::new(&ibss(&[0.0, 10.0, 20.0]));
    let delay = [0, 1, 2].into_iter().map(|station| delays(station, 2)[1]).min().expect("three");
    assert!(delay > 1, "the seed was to leave room");
    run.send(at(INTERVAL + 15), 1, 0);
    let (frames, ..) = run.finish();
    let over = INTERVAL + delay * SLOT + BEACON;
    assert_eq!(begins(&frames, 1, "DATA"), [at(over + DIFS + backoffs(1, &[31])[0] * SLOT)]);
}

/// A frame exchange that has begun before TBTT is finished; the random delay of the beacon begins after DIFS.
#[test]
fn an_exchange_at_tbtt_comes_to_its_end() {
    let mut run = Run::new(&ibss(&[0.0, 10.0]));
    run.send(at(INTERVAL - 100), 1, 0);
    let (frames, out, _) = run.finish();
    let delay = [0, 1].into_iter().map(|station| delays(station, 2)[1]).min().expect("two");
    let over = INTERVAL - 100 + DATA + SIFS + ACK;
    assert_eq!(beacons(&frames)[1].1, at(over + DIFS + delay * SLOT));
    assert_eq!(out.delivered.len(), 1);
}

/// In each beacon interval, beacons cost a saturated station the lesser of two delays (20.5 slots on
/// average), the beacon, and DIFS.
#[test]
fn what_beacons_cost() {
    let mut config = crowd(Standard::B, Profile::Ieee, 1, false);
    config.mac.exchange.rts_threshold = BASIC;
    let without = saturate(&config, 10.0, 1).goodput;
    config.mac.bss.beacons = TimeOrNever(Some(Duration::from_us(INTERVAL)));
    let with = saturate(&config, 10.0, 1).goodput;
    let cost = 1.0 - with / without;
    let worked = (20.5 * 20.0 + 640.0 + 50.0) / INTERVAL as f64;
    assert!((cost - worked).abs() < 0.002, "{cost:.4}, {worked:.4} by hand");
}

#[test]
fn a_mesh_has_its_own() {
    let mut config = ibss(&[0.0, 10.0]);
    config.routing = routing::Config::Hwmp(hwmp::Config::default());
    let said = config.check().expect_err("a mesh").to_string();
    assert_eq!(said, "beacons: a mesh has beacons of its own: `routing.beacon_interval`");
}

#[test]
fn none_by_default() {
    let (frames, ..) = Run::new(&line(&[0.0, 10.0], 100.0)).finish();
    assert!(frames.is_empty());
}
