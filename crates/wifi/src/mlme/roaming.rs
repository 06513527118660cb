//! Roaming between several access points on one channel: when a station changes its access point, and to which (10.1.4,
//! 10.3.5).
//!
//! Every station receives the beacons of all access points in reach, since all are on its channel. A station without an
//! access point scans passively: it listens for `scan_time` at a time and then asks the access point whose last beacon
//! was strongest. A station that has an access point compares each beacon of another one with the last beacon of its
//! own ([`crate::config::Roaming::Stronger`]). After a number of consecutive beacons that are stronger by the margin,
//! the station asks the strongest of the access points whose last beacon was stronger by the margin. It stays
//! associated until the new access point has answered (reassociation). Powers are those of single beacons: with fading,
//! the margin and the number of beacons keep a station from changing back and forth.
//!
//! Left out: scans of other channels, active scanning, neighbour reports (802.11k), fast transition (802.11r), steering
//! by the network (802.11v).

use crate::config::{Bss, Config, Roaming as When};
use base::{Duration, Instant};
use radio::access::Station;

/// A station's measurements of one access point.
#[derive(Clone, Copy, Debug)]
struct Heard {
    /// Received power of the access point's last beacon, dBm.
    power: f64,
    /// Number of the access point's consecutive beacons that were stronger than those of the station's own access
    /// point by the margin.
    better: u32,
}

const NOTHING: Heard = Heard { power: f64::NEG_INFINITY, better: 0 };

/// Scan of a station.
#[derive(Clone, Copy, Debug)]
struct Scan {
    /// Time at which the scan began.
    began: Instant,
    /// Time at which the scan ends; `None` until a beacon has been received.
    ends: Option<Instant>,
    /// Strongest beacon so far: received power in dBm, and access point.
    best: Option<(f64, u32)>,
}

/// Measurements of all access points at all stations.
#[derive(Clone, Debug)]
pub(crate) struct Roaming {
    access_points: Vec<u32>,
    when: When,
    margin: f64,
    beacons: u32,
    scan_time: Duration,
    /// Scan of each station.
    scans: Vec<Scan>,
    /// Measurements, by station and, within a station, by access point.
    heard: Vec<Heard>,
}

impl Roaming {
    /// Creates the measurements of a network; `None` with a single access point.
    pub(crate) fn new(config: &Config) -> Option<Self> {
        if config.other_access_points.is_empty() {
            return None;
        }
        let access_points: Vec<u32> = config.access_points().map(|Station(ap)| ap).collect();
        let Bss { roaming, roaming_margin, roaming_beacons, scan_time, .. } = config.mac.bss;
        let stations = config.sites.len();
        Some(Self {
            when: roaming,
            margin: roaming_margin,
            beacons: roaming_beacons,
            scan_time,
            scans: vec![Scan { began: Instant::ZERO, ends: None, best: None }; stations],
            heard: vec![NOTHING; stations * access_points.len()],
            access_points,
        })
    }

    #[inline]
    pub(crate) fn is_access_point(&self, at: u32) -> bool {
        self.access_points.contains(&at)
    }

    /// Returns a station's measurements of all access points.
    fn heard(&mut self, at: u32) -> &mut [Heard] {
        let each = self.access_points.len();
        &mut self.heard[at as usize * each..][..each]
    }

    /// Begins the scan of a station without an access point, and clears its measurements.
    pub(crate) fn scan(&mut self, now: Instant, at: u32) {
        self.scans[at as usize] = Scan { began: now, ends: None, best: None };
        self.heard(at).fill(NOTHING);
    }

    /// Records a beacon that a scanning station has received with this power (dBm). Returns the end of the scan if this
    /// is the scan's first beacon.
    pub(crate) fn hear(&mut self, now: Instant, at: u32, ap: u32, power: f64) -> Option<Instant> {
        let (time, index) = (self.scan_time, self.index(ap));
        self.heard(at)[index].power = power;
        let scan = &mut self.scans[at as usize];
        if scan.best.is_none_or(|(best, other)| other == ap || power > best) {
            scan.best = Some((power, ap));
        }
        if scan.ends.is_some() {
            return None;
        }
        // Without a beacon one scan of `scan_time` follows another. The current scan ends with the period in which
        // this beacon came.
        let over = now.since(scan.began).ps() / time.ps();
        scan.ends = Some(scan.began + time * (over + 1));
        scan.ends
    }

    /// Returns the access point with the strongest beacon if the station's scan ends at `now`.
    pub(crate) fn choose(&mut self, now: Instant, at: u32) -> Option<u32> {
        let scan = &mut self.scans[at as usize];
        scan.ends.take_if(|ends| *ends == now)?;
        scan.best.take().map(|(_, ap)| ap)
    }

    /// Records a beacon of a station's own access point: its power in dBm, or `None` if it was missed. `missed` is the
    /// number of consecutive beacons missed; when it reaches `roaming_beacons`, any other access point counts as
    /// stronger.
    pub(crate) fn hear_own(&mut self, at: u32, own: u32, power: Option<f64>, missed: u32) {
        let gone = missed >= self.beacons;
        let index = self.index(own);
        let heard = &mut self.heard(at)[index];
        match power {
            Some(power) => heard.power = power,
            None if gone => heard.power = f64::NEG_INFINITY,
            None => {}
        }
    }

    /// Records a beacon of another access point, received with this power (dBm). Returns the access point that the
    /// station should ask, once enough consecutive beacons were stronger by the margin.
    pub(crate) fn hear_other(&mut self, at: u32, (own, other): (u32, u32), power: f64) -> Option<u32> {
        if self.when == When::Lost {
            return None;
        }
        let (own, other, margin, beacons) = (self.index(own), self.index(other), self.margin, self.beacons);
        let heard = self.heard(at);
        let least = heard[own].power + margin;
        let is_better = power >= least;
        heard[other] = Heard { power, better: if is_better { heard[other].better + 1 } else { 0 } };
        if heard[other].better < beacons {
            return None;
        }
        let better = |i: &usize| heard[*i].better > 0;
        let strongest =
            (0..heard.len()).filter(better).max_by(|a, b| heard[*a].power.total_cmp(&heard[*b].power));
        heard.iter_mut().for_each(|heard| heard.better = 0);
        strongest.map(|i| self.access_points[i])
    }

    /// Clears a station's counts of stronger beacons after it has changed its access point.
    pub(crate) fn settle(&mut self, at: u32) {
        self.heard(at).iter_mut().for_each(|heard| heard.better = 0);
    }

    fn index(&self, ap: u32) -> usize {
        self.access_points.iter().position(|own| *own == ap).unwrap_or_default()
    }
}
