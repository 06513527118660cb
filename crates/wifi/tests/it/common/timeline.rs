//! Runs whose frames tests check one by one.

use super::packet;
use base::{Duration, Instant, Rng};
use radio::Position;
use radio::access::{Frame, Outbox, Station};
use radio::propagation::PathLoss;
use radio::propagation::Range;
use wifi::config::Capture;
use wifi::config::Reception;
use wifi::edca::AccessCategory;
use wifi::timing::Standard;
use wifi::{Config, Network, Profile, Site};

/// Returns a duration of `n` microseconds.
pub fn us(n: u64) -> Duration {
    Duration::from_us(n)
}

/// Returns the instant `n` microseconds after the start.
pub fn at(n: u64) -> Instant {
    Instant::ZERO + us(n)
}

/// Returns stations on a line at these positions, m, with a range of `range` m and no propagation delay.
pub fn line(places: &[f64], range: f64) -> Config {
    let sites = places.iter().map(|x| Site::fixed(Position::new(*x, 0.0, 0.0))).collect();
    let mut config = Config::new(Standard::B, Profile::Ieee, sites, None);
    config.phy.propagation.loss = PathLoss::Range(Range { range });
    config.phy.propagation.light_speed = 1e18;
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    config.phy.cca_time = Duration::ZERO;
    config
}

/// Returns the backoffs that a station draws, in slots, one per contention window in `windows`.
pub fn backoffs(station: u32, windows: &[u64]) -> Vec<u64> {
    drawn(&format!("wlan.station.{station}.backoff"), windows)
}

/// Returns the backoffs that one access category of a station draws, in slots, one per contention window in `windows`.
pub fn backoffs_of(station: u32, category: AccessCategory, windows: &[u64]) -> Vec<u64> {
    drawn(&format!("wlan.station.{station}.backoff.{}", category.name()), windows)
}

fn drawn(stream: &str, windows: &[u64]) -> Vec<u64> {
    let mut rng = Rng::stream(SEED, stream);
    windows.iter().map(|window| ((u128::from(rng.bits()) * u128::from(window + 1)) >> 64) as u64).collect()
}

pub const SEED: u64 = 7;

pub struct Run {
    pub network: Network,
    pub out: Outbox,
}

impl Run {
    pub fn new(config: &Config) -> Self {
        assert_eq!(config.check(), Ok(()));
        let out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
        Self { network: Network::new(config, SEED, "wlan"), out }
    }

    pub fn until(&mut self, end: Instant) {
        while let Some(now) = self.network.next().filter(|now| *now <= end) {
            self.network.run(now, &mut self.out);
        }
    }

    pub fn send(&mut self, now: Instant, from: u32, to: u32) {
        self.send_as(AccessCategory::default(), now, from, to);
    }

    pub fn send_as(&mut self, category: AccessCategory, now: Instant, from: u32, to: u32) {
        self.until(now);
        let ends = (Station(from), Station(to));
        self.network.send_as(category, now, ends, packet(from, 0), &mut self.out);
    }

    pub fn finish(mut self) -> (Vec<Frame>, Outbox, wifi::Stats) {
        self.until(at(1_000_000));
        self.network.finish(at(1_000_000));
        let mut frames = self.out.frames.take().unwrap_or_default();
        frames.sort_by_key(|frame| frame.begins);
        (frames, self.out, self.network.stats())
    }
}

/// Returns the times at which all frames of one kind sent by a station begin.
pub fn begins(frames: &[Frame], from: u32, kind: &str) -> Vec<Instant> {
    let sent = frames.iter().filter(|frame| frame.from == Station(from) && frame.kind == kind);
    sent.map(|frame| frame.begins).collect()
}
