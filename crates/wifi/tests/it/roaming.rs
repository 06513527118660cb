//! Several access points on one channel, worked by hand. Durations are those of `association.rs`; REASSOC-REQ has 6 bytes more than
//! ASSOC-REQ and takes 568 us at 1 Mb/s.

use crate::common::timeline::{Run, SEED, at, backoffs, begins, line, us};
use base::{DropCause, Instant, Rng};
use radio::Position;
use radio::access::{Association as Belongs, Frame, Station};
use radio::mobility::{self, Track};
use settings::TimeOrNever;
use wifi::config::{Association, Roaming};
use wifi::timing::Standard;
use wifi::{Config, Profile, Site};

const BEACON: u64 = 608;
const REREQUEST: u64 = 568;
const RESPONSE: u64 = 512;
const SIFS: u64 = 10;
const DIFS: u64 = 50;
const SLOT: u64 = 20;
const INTERVAL: u64 = 102_400;
const SCAN: u64 = 120_000;

/// Returns a network of two access points (stations 0 and 1) and a station at these positions, m, with a range of 100
/// m.
fn cell(aps: [f64; 2], station: f64) -> Config {
    let like = line(&[aps[0], aps[1], station], 100.0);
    let mut config = Config::new(Standard::B, Profile::Ieee, like.sites, Some(Station(0)));
    config.phy.propagation = like.phy.propagation;
    config.phy.reception = like.phy.reception;
    config.phy.cca_time = like.phy.cca_time;
    config.set_other_access_points(vec![Station(1)], Profile::Ieee);
    config
}

/// Returns the first TBTT of an access point, us, for a beacon interval of `interval` us.
fn tbtt(ap: u32, interval: u64) -> u64 {
    (Rng::stream(SEED, &format!("wlan.station.{ap}.beacons")).uniform() * interval as f64) as u64
}

fn watched(config: &Config) -> Run {
    let mut run = Run::new(config);
    run.out.associations = Some(Vec::new());
    run
}

fn moved(config: &mut Config, track: &[(u64, f64)]) {
    let track: Vec<_> = track.iter().map(|(time, x)| (at(*time), Position::new(*x, 0.0, 0.0))).collect();
    config.sites[2].mobility = mobility::Config::Track(Track::new(&track));
    config.phy.position_interval = us(0);
}

#[test]
fn association_is_by_frames() {
    let config = cell([0.0, 50.0], 10.0);
    assert_eq!(config.mac.bss.association, Association::Exchange);
    assert_eq!(config.access_points().collect::<Vec<_>>(), [Station(0), Station(1)]);
}

/// Returns a network with beacons every 20 ms, in which the station moves from the first access point to the second
/// at 110 ms.
fn carried(when: Roaming) -> Config {
    let mut config = cell([0.0, 150.0], 10.0);
    config.mac.bss.roaming = when;
    config.mac.bss.beacons = TimeOrNever(Some(us(20_000)));
    config.mac.bss.scan_time = us(25_000);
    moved(&mut config, &[(0, 10.0), (110_000, 10.0), (110_001, 140.0), (900_000, 140.0)]);
    config
}

/// Returns kind, sender and length in bytes of all frames from an instant on, without beacons and ACKs.
fn kinds(frames: &[Frame], from: Instant) -> Vec<(&'static str, u32, u32)> {
    let frames =
        frames.iter().filter(|frame| frame.begins >= from && !["BEACON", "ACK"].contains(&frame.kind));
    frames.map(|frame| (frame.kind, frame.from.0, frame.bytes)).collect()
}

fn belongs(associations: Option<Vec<Belongs>>) -> Vec<(Instant, Option<u32>)> {
    let each = associations.expect("watched").into_iter();
    each.map(|change| (change.at, change.access_point.map(|ap| ap.0))).collect()
}

/// From 110 ms on ten beacons are missed. A scan begins at the end of the tenth missed beacon; when the scan ends,
/// the station requests association.
#[test]
fn one_that_has_lost_its_access_point() {
    let config = carried(Roaming::Lost);
    let mut run = watched(&config);
    // The station has not noticed yet that it is out of range: this packet is lost.
    run.send(at(230_000), 2, 0);
    run.send(at(310_000), 2, 0);
    run.send(at(310_000), 0, 2);
    run.send(at(350_000), 0, 2);
    run.send(at(360_000), 2, 0);
    run.send(at(370_000), 1, 2);
    let (frames, mut out, stats) = run.finish();
    let own = (0..).map(|k| tbtt(0, 20_000) + k * 20_000).filter(|time| *time > 110_001);
    let lost = at(own.take(10).last().expect("ten") + BEACON);
    let slots = backoffs(2, &[31])[0];
    assert_eq!(begins(&frames, 2, "AUTH")[0], at(25_000 + slots * SLOT));
    let again = begins(&frames, 2, "AUTH")[1];
    let waited = again.since(lost + us(25_000)).ps() / 1_000_000;
    assert!(waited.is_multiple_of(SLOT) && waited / SLOT <= 31, "{again:?}");
    let asked = [("AUTH", 2, 34), ("AUTH", 1, 34), ("ASSOC-REQ", 2, 41), ("ASSOC-RESP", 1, 40)];
    assert_eq!(kinds(&frames, again)[..4], asked);
    let response = begins(&frames, 1, "ASSOC-RESP")[0] + us(RESPONSE);
    let changes = belongs(out.associations.take());
    assert_eq!(changes[1..], [(lost, None), (response, Some(1))]);
    let [first, second, station] = &stats.stations[..] else { panic!("three stations") };
    assert_eq!((station.handovers, station.disassociations, station.access_point), (1, 1, Some(Station(1))));
    // At 310 ms the first access point still counted the station as associated; it tried to deliver until the
    // second informed it.
    let unknown = DropCause::NotAssociated as usize;
    assert_eq!((first.lost[unknown], first.lost_total()), (1, 1));
    assert_eq!((station.lost[unknown], station.lost_total()), (1, 2));
    // The second access point sends both downlink packets, whichever access point they enter at; uplink packets leave
    // at the first.
    assert_eq!(begins(&frames, 1, "DATA").len(), 2);
    assert_eq!((second.lost_total(), station.delivered, first.delivered), (0, 2, 1));
}

/// After three missed beacons of its own access point and three beacons of the other, the station requests
/// reassociation. It stays associated with the old access point until the new one answers.
#[test]
fn one_that_does_not_hear_its_own() {
    let mut run = watched(&carried(Roaming::Stronger));
    // Downlink packets that enter before the answer are queued at the old access point and lost with its queue. The station keeps
    // its uplink packets for the new access point.
    (0..3).for_each(|_| run.send(at(205_600), 0, 2));
    (0..2).for_each(|_| run.send(at(205_600), 2, 0));
    run.send(at(300_000), 0, 2);
    let (frames, mut out, stats) = run.finish();
    // The second access point sends beacons at 4156 us and then every 20 ms. The reassociation follows its third beacon after the third
    // missed beacon of the first access point (160 ms).
    let interval = tbtt(1, 20_000);
    let third = 200_000 + interval + BEACON;
    let asks = begins(&frames, 2, "AUTH")[1];
    let waited = asks.since(at(third) + us(DIFS)).ps() / 1_000_000;
    assert!(waited.is_multiple_of(SLOT) && waited / SLOT <= 31, "{asks:?}, not {third}");
    let asked = [("AUTH", 2, 34), ("AUTH", 1, 34), ("REASSOC-REQ", 2, 47), ("REASSOC-RESP", 1, 40)];
    let managed: Vec<_> = kinds(&frames, asks).into_iter().filter(|(kind, ..)| *kind != "DATA").collect();
    assert_eq!(managed, asked);
    let request = begins(&frames, 2, "REASSOC-REQ")[0];
    let acknowledged = frames.iter().find(|f| f.kind == "ACK" && f.begins > request).expect("an ACK");
    assert_eq!(acknowledged.begins, request + us(REREQUEST + SIFS));
    let response = begins(&frames, 1, "REASSOC-RESP")[0] + us(RESPONSE);
    assert_eq!(belongs(out.associations.take())[1..], [(response, Some(1))]);
    let [first, second, station] = &stats.stations[..] else { panic!("three stations") };
    assert_eq!((station.handovers, station.disassociations), (1, 0));
    // The old access point has given up the first packet and does not retransmit the second; its queued packets are lost.
    let [unknown, distant] = [DropCause::NotAssociated, DropCause::OutOfRange].map(|cause| cause as usize);
    assert_eq!((first.lost[distant], first.lost[unknown], first.lost_total()), (1, 2, 3));
    // The station gives up its first packet, too, and sends its queued packet to the new access point, which forwards it to the old.
    assert_eq!((station.lost[distant], station.lost_total(), first.delivered), (1, 1, 1));
    assert_eq!((second.forwarded, second.data_sent, station.delivered), (1, 1, 1));
    let to: Vec<_> =
        frames.iter().filter(|f| f.kind == "DATA" && f.from == Station(2)).map(|f| f.to).collect();
    assert_eq!((to.len(), to[6], to[7]), (8, Some(Station(0)), Some(Station(1))));
}

/// At a path loss of 30 dB per decade a margin of 8 dB is a ratio of distances of 1.85. Between access points 50 m apart the handover
/// is therefore at 32.4 m, not in the middle, and a station that stays in the middle does not change its access point.
#[test]
fn a_walk_by_the_margin() {
    let place = |margin: f64, beacons: u32| {
        let sites = [0.0, 50.0, 5.0].map(|x| Site::fixed(Position::new(x, 0.0, 0.0)));
        let mut config = Config::new(Standard::A, Profile::Ieee, sites.to_vec(), Some(Station(0)));
        config.set_other_access_points(vec![Station(1)], Profile::Ieee);
        (config.mac.bss.roaming_margin, config.mac.bss.roaming_beacons) = (margin, beacons);
        moved(&mut config, &[(0, 5.0), (40_000_000, 45.0), (80_000_000, 5.0)]);
        let mut run = watched(&config);
        run.until(at(80_000_000));
        assert_eq!(run.network.stats().stations[2].disassociations, 0);
        let changes = belongs(run.out.associations.take());
        changes.iter().map(|(time, ap)| (time.since(at(0)).secs(), *ap)).collect::<Vec<_>>()
    };
    let changes = place(8.0, 3);
    assert_eq!(changes.len(), 3, "{changes:?}");
    assert_eq!(changes.iter().map(|change| change.1).collect::<Vec<_>>(), [Some(0), Some(1), Some(0)]);
    // At 1 m/s the first beacon that is strong enough comes within 102.4 ms of the exact place, the third two
    // intervals later. The last beacon of the station's own access point was received up to 102.4 ms earlier, at a
    // shorter distance, which adds 36 ms.
    let there = 50.0 * 1.848 / 2.848;
    for (time, from) in [(changes[1].0, there - 5.0), (changes[2].0, 40.0 + there - 5.0)] {
        assert!((from + 0.204..from + 0.350).contains(&time), "{time}, not {from} and so");
    }
    let at_once = place(8.0, 1);
    assert!((there - 5.0..there - 5.0 + 0.145).contains(&at_once[1].0), "{at_once:?}");
    // Without a margin the handover is in the middle.
    assert!((20.0..20.32).contains(&place(0.0, 3)[1].0));
    // With the maximum margin there is no handover, since beacons at 6 Mb/s reach the whole distance.
    assert_eq!(place(100.0, 3).len(), 1);
}

/// A scan receives beacons of both access points and selects the strongest, regardless of their order.
#[test]
fn a_scan_takes_the_strongest() {
    for (place, nearest) in [(10.0, 0), (40.0, 1)] {
        let sites = [0.0, 50.0, place].map(|x| Site::fixed(Position::new(x, 0.0, 0.0)));
        let mut config = Config::new(Standard::A, Profile::Ieee, sites.to_vec(), Some(Station(0)));
        config.set_other_access_points(vec![Station(1)], Profile::Ieee);
        let run = watched(&config);
        let (frames, mut out, _) = run.finish();
        let [(time, ap)] = belongs(out.associations.take())[..] else { panic!("one change") };
        assert_eq!(ap, Some(nearest));
        assert!((at(SCAN)..at(SCAN + 2000)).contains(&time), "{time:?}");
        let beacons = frames.iter().filter(|f| f.kind == "BEACON" && f.from == Station(1));
        assert_eq!(beacons.map(|f| f.begins).next(), Some(at(tbtt(1, INTERVAL))));
    }
}

/// Packets between stations of two access points go through both access points and the distribution system; packets between access
/// points use only the distribution system.
#[test]
fn from_station_to_station() {
    let sites = [0.0, 60.0, 5.0, 55.0].map(|x| Site::fixed(Position::new(x, 0.0, 0.0)));
    let mut config = Config::new(Standard::A, Profile::Ieee, sites.to_vec(), Some(Station(0)));
    config.set_other_access_points(vec![Station(1)], Profile::Ieee);
    let mut run = Run::new(&config);
    run.send(at(200_000), 2, 3);
    run.send(at(300_000), 0, 1);
    let (frames, out, stats) = run.finish();
    let data: Vec<_> = frames.iter().filter(|f| f.kind == "DATA").map(|f| (f.from.0, f.to)).collect();
    assert_eq!(data, [(2, Some(Station(0))), (1, Some(Station(3)))]);
    assert_eq!(out.delivered.iter().map(|(at, _)| at.0).collect::<Vec<_>>(), [3, 1]);
    assert_eq!((stats.stations[0].forwarded, stats.stations[1].forwarded), (1, 0));
}

#[test]
fn what_cannot_be() {
    let wrong = |spoil: fn(&mut Config)| {
        let mut config = cell([0.0, 50.0], 10.0);
        spoil(&mut config);
        let error = config.check().expect_err("wrong");
        (error.path.clone(), error.to_string())
    };
    let far = wrong(|config| config.other_access_points = vec![Station(3)]);
    assert_eq!(far.0, "access_point");
    let twice = wrong(|config| config.other_access_points = vec![Station(0)]);
    assert!(twice.1.contains("station 0 is an access point already"), "{}", twice.1);
    let all = wrong(|config| config.other_access_points = vec![Station(1), Station(2)]);
    assert!(all.1.contains("at least one station is none"), "{}", all.1);
    let reach = wrong(|config| config.mac.bss.association = Association::InReach);
    assert_eq!(reach.0, "association");
    assert_eq!(wrong(|config| config.mac.bss.beacons = TimeOrNever(None)).0, "beacons");
    assert_eq!(wrong(|config| config.mac.bss.roaming_margin = f64::NAN).0, "roaming_margin");
}
