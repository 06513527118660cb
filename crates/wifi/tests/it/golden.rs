//! Golden file of a walk between two access points, frame by frame: `golden/roaming.txt`. `make pages` writes the file anew: read the
//! difference before you commit it.
//!
//! 802.11a at 24 Mb/s. Access points 0 and 1 are 60 m apart; station 2 walks at 4 m/s from 5 m beside the first to
//! 5 m beside the second. Every 20 ms the station sends a datagram to access point 0, and 10 ms later access point
//! 0 sends one to the station. The distribution system forwards packets between the access points. The file has two
//! handovers: one by a margin of 8 dB, and one after ten missed beacons, as in ns-3.

use crate::common::packet;
use base::{Duration, Instant};
use radio::Position;
use radio::access::{Frame, Outbox, Station};
use radio::mobility::{self, Track};
use std::fmt::Write;
use std::path::PathBuf;
use wifi::config::Roaming;
use wifi::timing::{Mode, Ofdm, Standard};
use wifi::{Config, Network, Profile, Site};

const SEED: u64 = 7;
const LENGTH: Duration = Duration::from_ms(16_000);
const BETWEEN: Duration = Duration::from_ms(20);
/// Times before and after the change of access point for which frames are shown.
const AROUND: [Duration; 2] = [Duration::from_ms(4), Duration::from_ms(25)];

fn config(roaming: Roaming) -> Config {
    let sites = [0.0, 60.0, 5.0].map(|x| Site::fixed(Position::new(x, 0.0, 0.0)));
    let mut config = Config::new(Standard::A, Profile::Ieee, sites.to_vec(), Some(Station(0)));
    config.set_other_access_points(vec![Station(1)], Profile::Ieee);
    config.set_mode(Mode::Ofdm(Ofdm { rate: 24, erp: false }));
    config.mac.bss.roaming = roaming;
    let walk = [(Instant::ZERO, 5.0), (Instant::ZERO + LENGTH, 69.0)];
    let walk = walk.map(|(time, x)| (time, Position::new(x, 0.0, 0.0)));
    config.sites[2].mobility = mobility::Config::Track(Track::new(&walk));
    config
}

fn name(station: Station) -> &'static str {
    ["ap 0", "ap 1", "station"][station.index()]
}

fn line(frame: &Frame) -> String {
    let time = frame.begins.secs();
    let to = frame.to.map_or("all", name);
    let lost = frame.lost.map(|cause| format!("  lost: {cause:?}")).unwrap_or_default();
    let from = name(frame.from);
    format!("{time:12.6} s  {from:7} > {to:7}  {:12} {:4} B{lost}\n", frame.kind, frame.bytes)
}

/// Runs the walk and returns its frames as text.
fn walk(roaming: Roaming) -> String {
    let mut network = Network::new(&config(roaming), SEED, "wlan");
    let mut out = Outbox { frames: Some(Vec::new()), associations: Some(Vec::new()), ..Outbox::default() };
    let end = Instant::ZERO + LENGTH;
    let mut sent = 0;
    let mut next = Instant::ZERO + Duration::from_secs(1);
    while next < end {
        for (flow, from, to) in [(0, 2, 0), (1, 0, 2)] {
            while let Some(now) = network.next().filter(|now| *now <= next) {
                network.run(now, &mut out);
            }
            network.send(next, Station(from), Station(to), packet(flow, sent), &mut out);
            next += BETWEEN / 2;
        }
        sent += 1;
    }
    network.finish(end);
    let mut frames = out.frames.take().expect("watched");
    frames.sort_by_key(|frame| frame.begins);
    let mut text = format!("# Roaming: {roaming:?}\n");
    for change in out.associations.take().expect("watched") {
        let to = change.access_point.map_or("no access point".to_owned(), |ap| name(ap).to_owned());
        let _ = writeln!(text, "\n## {:.6} s: the station belongs to {to}\n", change.at.secs());
        let from = Instant::ZERO + change.at.since(Instant::ZERO).saturating_sub(AROUND[0]);
        let shown = from..change.at + AROUND[1];
        frames.iter().filter(|frame| shown.contains(&frame.begins)).for_each(|frame| text += &line(frame));
    }
    let stats = network.stats();
    let arrived = |at: u32| out.delivered.iter().filter(|(to, _)| to.0 == at).count();
    let _ = writeln!(
        text,
        "\n{sent} datagrams each way: {} came up, {} came down, {} were lost, {} are left.",
        arrived(0),
        arrived(2),
        out.lost.len(),
        stats.total(|station| station.left)
    );
    text
}

fn file() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", "roaming.txt"].iter().collect()
}

fn text() -> String {
    format!("{}\n{}", walk(Roaming::Stronger), walk(Roaming::Lost))
}

#[test]
fn the_walk_is_as_before() {
    let before = std::fs::read_to_string(file()).expect("golden/roaming.txt");
    assert!(text() == before, "not as in golden/roaming.txt: `make pages`, then read the difference");
}

#[test]
#[ignore = "writes the file: `make pages`"]
fn renew_the_page() {
    std::fs::create_dir_all(file().parent().expect("a folder")).expect("a folder");
    std::fs::write(file(), text()).expect("written");
}
