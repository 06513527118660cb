//! The positions of stations, and power and delay between each two.

use crate::config::{Capture, Config, Reception};
use crate::phy::air::LONGEST_WAY;
use base::{Duration, Instant};
use radio::access::Station;
use radio::mobility::{self, Mobility};
use radio::propagation::{Fading, OnGround, Propagation};
use radio::{Position, power};

/// The path from one station to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Power, dBm. Infinite: enough for everything, and computed when it is compared with another.
    pub(crate) power: f64,
    /// The same in mW. NaN if reception goes by dBm alone; if the power is infinite, the distance in metres from which
    /// it follows.
    pub(crate) beside: f64,
    /// Propagation delay.
    pub(crate) delay: Duration,
    /// End of its validity.
    until: Instant,
}

/// A path that has not been computed.
const UNKNOWN: Path = Path { power: f64::NAN, beside: f64::NAN, delay: Duration::ZERO, until: Instant::ZERO };

/// The position of a station.
#[derive(Clone, Debug)]
struct Place {
    position: Position,
    /// Time at which it was there.
    at: Instant,
    movement: Option<Mobility>,
}

impl Place {
    /// Returns the position at `now`; asked for an earlier time than before, that at the later: stations read the log
    /// late.
    #[inline]
    fn position(&mut self, now: Instant) -> Position {
        if now > self.at
            && let Some(movement) = &mut self.movement
        {
            self.at = now;
            self.position = movement.position(now);
        }
        self.position
    }
}

/// Paths between all stations, computed when first asked for. If one of the two stations moves, they are computed again
/// once older than `position_interval`.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    propagation: Propagation,
    power: f64,
    places: Vec<Place>,
    interval: Duration,
    /// Row: receiver, column: sender.
    paths: Vec<Path>,
    stations: usize,
    fades: bool,
    /// Distance up to which power is certainly enough, so that it is computed only for comparisons, metres; below zero:
    /// none.
    enough: f64,
    /// True if mW are needed, which take a power of ten for each path.
    adds: bool,
}

impl Channel {
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let stations = config.sites.len();
        let places = config.sites.iter().enumerate().map(|(i, site)| {
            let moves = site.mobility != mobility::Config::Constant;
            let stream = format!("{name}.station.{i}.mobility");
            let movement = moves.then(|| Mobility::new(&site.mobility, site.position, seed, &stream));
            Place { position: site.position, at: Instant::ZERO, movement }
        });
        let adds = matches!(config.phy.reception, Reception::Sinr(_))
            || (0..stations).any(|at| config.energy_detection(Station(at as u32)).is_some());
        Self {
            propagation: Propagation::new(&config.phy.propagation, config.phy.fading, seed, name),
            power: config.phy.power,
            places: places.collect(),
            interval: config.phy.position_interval,
            paths: vec![UNKNOWN; stations * stations],
            stations,
            fades: config.phy.fading != Fading::None,
            enough: match (config.phy.reception, on_ground(config)) {
                (Reception::Capture(Capture { receive, sense, .. }), Some(ground)) if !adds => {
                    ground.enough(receive.max(sense))
                }
                _ => -1.0,
            },
            adds,
        }
    }

    /// Returns the path from `from` to `to` at `now`, without fading.
    #[inline]
    pub(crate) fn path(&mut self, from: u32, to: u32, now: Instant) -> Path {
        let place = to as usize * self.stations + from as usize;
        if now >= self.paths[place].until {
            self.compute(from, to, now);
        }
        self.paths[place]
    }

    /// Returns true if each frame fades by itself.
    #[inline]
    pub(crate) fn fades(&self) -> bool {
        self.fades
    }

    /// Returns the path with the fading of one frame: a fresh draw each time.
    pub(crate) fn fade(&mut self, from: u32, to: u32, path: Path) -> Path {
        let distance = self.places[from as usize].position.distance(self.places[to as usize].position);
        let power = path.power + self.propagation.fading(Station(from), Station(to), distance);
        Path { power, beside: self.milliwatts(power), ..path }
    }

    #[inline(never)]
    fn compute(&mut self, from: u32, to: u32, now: Instant) {
        let (a, b) = (self.position(from, now), self.position(to, now));
        let distance = a.distance(b);
        let enough = distance <= self.enough && a.z == 0.0 && b.z == 0.0;
        let (power, delay) = match enough {
            true => (f64::INFINITY, self.propagation.takes(distance)),
            false => self.propagation.arrives(self.power, (Station(from), a), (Station(to), b)),
        };
        let arrives = delay <= LONGEST_WAY;
        let power = if arrives { power } else { f64::NEG_INFINITY };
        let moves = |station: u32| self.places[station as usize].movement.is_some();
        // Zero: each new instant needs a new computation.
        let until = match moves(from) || moves(to) {
            false => Instant::MAX,
            true => now.saturating_add(self.interval).max(now + Duration::from_ps(1)),
        };
        let beside = if enough { distance } else { self.milliwatts(power) };
        let path = Path { power, beside, delay: delay.min(LONGEST_WAY), until };
        self.paths[to as usize * self.stations + from as usize] = path;
    }

    #[inline]
    fn milliwatts(&self, power: f64) -> f64 {
        if self.adds { power::milliwatts(power) } else { f64::NAN }
    }

    fn position(&mut self, station: u32, now: Instant) -> Position {
        self.places[station as usize].position(now)
    }
}

/// Returns the path loss by distance alone, if there is nothing else.
pub(crate) fn on_ground(config: &Config) -> Option<OnGround> {
    OnGround::new(&config.phy.propagation, config.phy.power).filter(|_| config.phy.fading == Fading::None)
}
