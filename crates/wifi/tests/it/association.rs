//! Association with the access point, worked by hand.
//!
//! 802.11b with control frames at 1 Mb/s. Slot 20 us, SIFS 10, PIFS 30, DIFS 50. Frames last, with 192 us of preamble:
//!
//! | frame | bytes | us |
//! |---|---|---|
//! | beacon | 52 | 608 |
//! | AUTH | 24 + 6 + 4 = 34 | 464 |
//! | ASSOC-REQ | 24 + 2 + 2 + SSID 3 + rates 6 + 4 = 41 | 520 |
//! | ASSOC-RESP | 24 + 2 + 2 + 2 + 6 + 4 = 40 | 512 |
//! | DISASSOC | 30 | 432 |
//! | ACK | 14 | 304 |
//!
//! Received power limits the range to 100 m; propagation takes no time. Station 0 is the access point.

use crate::common::timeline::{Run, at, backoffs, backoffs_of, begins, line, us};
use base::{DropCause, Instant};
use radio::Position;
use radio::access::{Frame, Station};
use radio::mobility::{self, Track};
use settings::TimeOrNever;
use wifi::config::Association;
use wifi::edca::{AccessCategory, Edca};
use wifi::timing::Standard;
use wifi::{Config, Fault, Profile, StationStats};

const BEACON: u64 = 608;
const AUTH: u64 = 464;
const REQUEST: u64 = 520;
const RESPONSE: u64 = 512;
const ACK: u64 = 304;
const SIFS: u64 = 10;
const PIFS: u64 = 30;
const DIFS: u64 = 50;
const SLOT: u64 = 20;
const DATA: u64 = 1310;
/// ACK timeout, us: SIFS, a slot and the preamble of an ACK at 1 Mb/s.
const TIMEOUT: u64 = 222;

/// Returns a network of an access point at 0 m and stations at these positions on a line, m.
fn cell(places: &[f64]) -> Config {
    let places: Vec<f64> = [0.0].iter().chain(places).copied().collect();
    let like = line(&places, 100.0);
    let mut config = Config::new(Standard::B, Profile::Ieee, like.sites, Some(Station(0)));
    config.phy.propagation = like.phy.propagation;
    config.phy.reception = like.phy.reception;
    config.phy.cca_time = like.phy.cca_time;
    config.mac.bss.association = Association::Exchange;
    config
}

fn seen(frames: &[Frame]) -> Vec<(&'static str, u32, Instant, Instant)> {
    frames.iter().map(|f| (f.kind, f.from.0, f.begins, f.ends)).collect()
}

fn lost(stats: &StationStats, cause: DropCause) -> u64 {
    stats.lost[cause as usize]
}

#[test]
fn a_beacon_two_requests_and_two_responses() {
    let mut run = Run::new(&cell(&[10.0]));
    run.until(at(50_000));
    let (frames, _, stats) = run.finish();
    let (a, s) = (backoffs(0, &[31; 3]), backoffs(1, &[31; 3]));
    // A backoff continues while the other station waits for its response; if the backoff has ended, a new one is
    // drawn.
    let left = |drawn: &[u64], waited: u64| if drawn[0] > waited { drawn[0] - waited } else { drawn[1] };
    let auth = PIFS + BEACON + DIFS + s[0] * SLOT;
    let answer = auth + AUTH + SIFS + ACK + DIFS + a[0] * SLOT;
    let wait = left(&s[1..], a[0]);
    let request = answer + AUTH + SIFS + ACK + DIFS + wait * SLOT;
    let response = request + REQUEST + SIFS + ACK + DIFS + left(&a[1..], wait) * SLOT;
    let acked = |from: u32, kind, begin: u64, takes: u64| {
        let ack = begin + takes + SIFS;
        [(kind, from, at(begin), at(begin + takes)), ("ACK", 1 - from, at(ack), at(ack + ACK))]
    };
    let mut expected = vec![("BEACON", 0, at(PIFS), at(PIFS + BEACON))];
    expected.extend(acked(1, "AUTH", auth, AUTH));
    expected.extend(acked(0, "AUTH", answer, AUTH));
    expected.extend(acked(1, "ASSOC-REQ", request, REQUEST));
    expected.extend(acked(0, "ASSOC-RESP", response, RESPONSE));
    // Only beacons follow.
    assert_eq!(seen(&frames)[..9], expected);
    assert!(frames[9..].iter().all(|frame| frame.kind == "BEACON"));
    assert_eq!(begins(&frames, 0, "BEACON")[1], at(102_400));
    assert_eq!(stats.stations[1].associated, Some(at(response + RESPONSE)));
    assert_eq!(stats.stations[0].associated, None);
    let bytes: Vec<u32> = frames[1..9].iter().map(|frame| frame.bytes).collect();
    assert_eq!(bytes, [34, 14, 34, 14, 41, 14, 40, 14]);
}

/// With EDCA association frames have the access category voice, whose window is 7. The QoS elements add 3 bytes to the request and
/// 20 to the response.
#[test]
fn with_edca_as_voice() {
    let mut config = cell(&[10.0]);
    config.set_edca(Edca::standard(Standard::B, config.mac.access.cw_min, config.mac.access.cw_max));
    let (frames, _, stats) = Run::new(&config).finish();
    let slots = backoffs_of(1, AccessCategory::Voice, &[7])[0];
    assert_eq!(begins(&frames, 1, "AUTH"), [at(PIFS + BEACON + DIFS + slots * SLOT)]);
    let bytes: Vec<u32> = frames.iter().filter(|f| f.kind.starts_with("ASSOC")).map(|f| f.bytes).collect();
    assert_eq!(bytes, [41 + 3, 40 + 20]);
    assert_eq!(stats.stations[0].categories[AccessCategory::Voice as usize].txops, 2);
}

/// Packets that arrive before the association are lost at their sender, on both sides; later packets are delivered.
#[test]
fn packets_before_and_after() {
    let mut run = Run::new(&cell(&[10.0]));
    run.send(at(0), 1, 0);
    run.send(at(0), 0, 1);
    run.send(at(50_000), 1, 0);
    run.send(at(60_000), 0, 1);
    let (frames, out, stats) = run.finish();
    assert_eq!(begins(&frames, 1, "DATA"), [at(50_000)]);
    assert_eq!(begins(&frames, 0, "DATA"), [at(60_000)]);
    assert_eq!(out.delivered.len(), 2);
    for station in &stats.stations {
        assert_eq!((lost(station, DropCause::NotAssociated), station.lost_total()), (1, 1));
    }
}

/// The first frames of two hidden stations collide at the access point. After the ACK timeout both stations
/// retransmit with a contention window of 63; all later attempts succeed.
#[test]
fn a_frame_that_is_lost_is_sent_again() {
    let run = Run::new(&cell(&[-80.0, 80.0]));
    let (frames, _, stats) = run.finish();
    let draws = [1, 2].map(|station| backoffs(station, &[31, 63]));
    assert!(draws[0][0].abs_diff(draws[1][0]) * SLOT < AUTH, "the seed was to let them meet");
    let first = |k: usize| PIFS + BEACON + DIFS + draws[k][0] * SLOT;
    let again = |k: usize| first(k) + AUTH + TIMEOUT + draws[k][1] * SLOT;
    for (k, station) in [1, 2].into_iter().enumerate() {
        let asked = begins(&frames, station, "AUTH");
        assert_eq!(asked[0], at(first(k)));
        // Of the two second attempts, the later one may collide with the response to the other station.
        assert!(asked[1] == at(again(k)) || again(k) > again(1 - k), "{station}: {asked:?}");
        let fates = frames.iter().filter(|f| f.from == Station(station) && f.kind == "AUTH");
        assert_eq!(fates.map(|f| f.lost).next(), Some(Some(DropCause::Collision)));
        let stats = &stats.stations[station as usize];
        assert!(stats.associated.is_some() && stats.failed[Fault::Collision as usize] >= 1);
    }
}

#[test]
fn a_station_out_of_reach_never_associates() {
    let mut run = Run::new(&cell(&[150.0]));
    run.send(at(500_000), 1, 0);
    run.send(at(500_000), 0, 1);
    let (frames, out, stats) = run.finish();
    assert!(frames.iter().all(|frame| frame.kind == "BEACON"), "{frames:?}");
    assert!(out.delivered.is_empty());
    for station in &stats.stations {
        assert_eq!((station.associated, lost(station, DropCause::NotAssociated)), (None, 1));
    }
}

/// A station whose request gets no response, because it moves out of range, scans again after seven attempts and the timeout.
#[test]
fn a_request_without_a_response() {
    let mut config = cell(&[10.0]);
    let (near, far) = (Position::new(10.0, 0.0, 0.0), Position::new(500.0, 0.0, 0.0));
    let s = backoffs(1, &[31, 63, 127, 255, 511, 1023, 1023]);
    let auth = PIFS + BEACON + DIFS + s[0] * SLOT;
    let gone = [(at(0), near), (at(650), near), (at(651), far), (at(150_000), far), (at(150_001), near)];
    config.sites[1].mobility = mobility::Config::Track(Track::new(&gone));
    config.phy.position_interval = us(0);
    config.mac.bss.association_timeout = us(300_000);
    let (frames, _, stats) = Run::new(&config).finish();
    let asked = begins(&frames, 1, "AUTH");
    // Every attempt lasts until the ACK timeout; attempts out of range are lost.
    let mut expected = vec![at(auth)];
    for draw in &s[1..] {
        let next = *expected.last().expect("one") + us(AUTH + TIMEOUT + draw * SLOT);
        expected.push(next);
    }
    assert!(expected[6] < at(102_400), "away until after the last attempt: {expected:?}");
    assert_eq!(asked[..7], expected);
    // The station scans again 300 ms after the first beacon: it ignores the beacon at 204.8 ms, but not that at 307.2 ms.
    let again = 307_200 + BEACON + DIFS;
    let slots = asked[7].since(at(again)).ps() / 1_000_000;
    assert!(slots.is_multiple_of(SLOT) && slots / SLOT <= 31, "{asked:?}");
    assert!(stats.stations[1].associated.is_some_and(|time| time > at(again)));
}

/// The association ends with the third beacon missed in a row. When the station is back in range it waits for a
/// beacon. The access point still counts it as associated; data that it sends to the station meanwhile are refused.
#[test]
fn one_that_goes_and_comes_back() {
    let mut config = cell(&[10.0]);
    let (near, far) = (Position::new(10.0, 0.0, 0.0), Position::new(500.0, 0.0, 0.0));
    let track = Track::new(&[
        (at(0), near),
        (at(110_000), near),
        (at(110_001), far),
        (at(280_000), far),
        (at(280_001), near),
    ]);
    config.sites[1].mobility = mobility::Config::Track(track);
    config.phy.position_interval = us(0);
    config.mac.bss.beacons = TimeOrNever(Some(us(20_000)));
    config.mac.bss.missed_beacons = 3;
    let mut run = Run::new(&config);
    // Both packets are lost: the station is out of range, and neither side has noticed this yet.
    run.send(at(130_000), 1, 0);
    run.send(at(145_000), 0, 1);
    // The beacons at 120, 140 and 160 ms have been missed.
    run.until(at(160_000 + BEACON - 1));
    assert_eq!(run.network.stats().stations[1].disassociations, 0);
    run.until(at(160_000 + BEACON));
    assert_eq!(run.network.stats().stations[1].disassociations, 1);
    run.send(at(170_000), 1, 0);
    // The station is in range but not associated: it refuses the first packet by DISASSOC, so that the access point
    // drops the second.
    run.send(at(285_000), 0, 1);
    run.send(at(295_000), 0, 1);
    run.send(at(310_000), 1, 0);
    let (frames, out, stats) = run.finish();
    let [ap, station] = [&stats.stations[0], &stats.stations[1]];
    for side in [ap, station] {
        assert_eq!(lost(side, DropCause::OutOfRange), 1);
    }
    // Lost as not associated: at the station the packet of 170 ms and that of 285 ms, which it receives and refuses;
    // at the access point the packet of 295 ms.
    assert_eq!((lost(station, DropCause::NotAssociated), lost(ap, DropCause::NotAssociated)), (2, 1));
    assert_eq!(out.delivered.len(), 1);
    let disassociation = begins(&frames, 1, "DISASSOC");
    let s = disassociation[0].since(at(285_000 + DATA + SIFS + 248 + DIFS)).ps() / 1_000_000;
    assert!(disassociation.len() == 1 && s.is_multiple_of(SLOT) && s / SLOT <= 31, "{disassociation:?}");
    let asked = begins(&frames, 1, "AUTH");
    assert_eq!(asked.len(), 2);
    let s = asked[1].since(at(300_000 + BEACON + DIFS)).ps() / 1_000_000;
    assert!(s.is_multiple_of(SLOT) && s / SLOT <= 31, "{asked:?}");
    assert!(station.associated.is_some_and(|time| time < at(20_000)));
    assert_eq!(station.disassociations, 1);
}

/// The station receives the association response and moves out of range before it can send the ACK. So it counts
/// itself as associated, and the access point does not. When the station is back, the access point refuses its data;
/// then the station associates again.
#[test]
fn a_station_that_the_access_point_does_not_know() {
    let usual = Run::new(&cell(&[10.0])).finish().2.stations[1].associated.expect("in reach");
    let mut config = cell(&[10.0]);
    let (near, far) = (Position::new(10.0, 0.0, 0.0), Position::new(500.0, 0.0, 0.0));
    let gone =
        [(at(0), near), (usual + us(2), near), (usual + us(3), far), (at(80_000), far), (at(80_001), near)];
    config.sites[1].mobility = mobility::Config::Track(Track::new(&gone));
    config.phy.position_interval = us(0);
    let mut run = Run::new(&config);
    // By 70 ms the access point has made all seven attempts at the response.
    run.send(at(70_000), 0, 1);
    run.send(at(90_000), 1, 0);
    run.send(at(150_000), 1, 0);
    run.send(at(150_000), 0, 1);
    let (frames, out, stats) = run.finish();
    let [ap, station] = [&stats.stations[0], &stats.stations[1]];
    let answers = begins(&frames, 0, "ASSOC-RESP");
    assert_eq!(answers.iter().filter(|begin| **begin < at(70_000)).count(), 7);
    assert_eq!(station.associated, Some(usual));
    // The packet to the station at 70 ms has no associated receiver; the station's packet at 90 ms is refused.
    assert_eq!((lost(ap, DropCause::NotAssociated), station.lost_total()), (2, 0));
    let refusal = begins(&frames, 0, "DISASSOC");
    let slots = refusal[0].since(at(90_000 + DATA + SIFS + 248 + DIFS)).ps() / 1_000_000;
    assert!(refusal.len() == 1 && slots.is_multiple_of(SLOT) && slots / SLOT <= 1023, "{refusal:?}");
    assert_eq!(station.disassociations, 1);
    assert!(begins(&frames, 1, "AUTH")[1] > at(102_400 + BEACON));
    assert_eq!(out.delivered.len(), 2);
}

#[test]
fn what_cannot_be() {
    let mut config = cell(&[10.0]);
    config.mac.bss.beacons = TimeOrNever(None);
    let said = config.check().expect_err("no beacons").to_string();
    assert_eq!(said, "association: stations find an access point by its beacons: without them \"in-reach\"");
    config.mac.bss.association = Association::InReach;
    assert_eq!(config.check(), Ok(()));
    config.mac.bss.missed_beacons = 0;
    assert_eq!(
        config.check().expect_err("none").to_string(),
        "missed_beacons: 0 is out of range\n  allowed: at least 1"
    );
}

/// All stations are in range of each other and receive one beacon. Each associates with four frames, and collisions
/// cost further attempts. `docs/explanation/wifi.md` shows these times.
#[test]
fn a_crowd_associates_after_one_beacon() {
    for (n, expected) in [(1, 862), (5, 4581), (20, 18_414), (50, 51_597)] {
        let mut config = crate::common::crowd(Standard::A, Profile::Ieee, n, true);
        config.mac.bss.association = Association::Exchange;
        let mut run = Run::new(&config);
        run.until(at(102_000));
        let stats = run.network.stats();
        let times: Vec<_> = stats.stations[1..].iter().filter_map(|station| station.associated).collect();
        assert_eq!(times.len(), n);
        // The beacon: PIFS and 96 us.
        let last = times.into_iter().max().expect("one").since(at(25 + 96)).ps() / 1_000_000;
        // AUTH takes 72 us, ASSOC-REQ and ASSOC-RESP 84 us, each with DIFS, SIFS and ACK. The last ACK is left out,
        // since the association is complete before it.
        let alone = n as u64 * (2 * (72 + 84) + 4 * (34 + 16 + 44)) - 60;
        assert!(last >= alone && last < 2 * alone, "{n}: {last} us, {alone} without backoff");
        assert_eq!(last, expected, "{n} stations");
    }
}
