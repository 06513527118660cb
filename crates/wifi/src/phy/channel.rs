//! Positions of the stations, and power and delay between any two.

use crate::config::{Capture, Config, Reception};
use crate::phy::air::LONGEST_WAY;
use base::{Duration, Instant};
use radio::access::Station;
use radio::mobility::{self, Mobility};
use radio::propagation::{Fading, OnGround, Propagation};
use radio::{Position, power};

/// Path from one station to another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Received power, dBm. Infinity means that the power exceeds all thresholds; the exact power is then computed
    /// only for comparisons with another signal.
    pub(crate) power: f64,
    /// Received power, mW; NaN if the rule of reception uses dBm only. If `power` is infinite, the distance in
    /// metres.
    pub(crate) beside: f64,
    pub(crate) delay: Duration,
    /// Time until which the path is valid, when a station moves.
    until: Instant,
}

/// A path that has not been computed.
const UNKNOWN: Path = Path { power: f64::NAN, beside: f64::NAN, delay: Duration::ZERO, until: Instant::ZERO };

/// Position of a station.
#[derive(Clone, Debug)]
struct Place {
    position: Position,
    /// Time for which the position was computed.
    at: Instant,
    movement: Option<Mobility>,
}

impl Place {
    /// Returns the position at `now`. If the position at a later time has been computed, returns that later position,
    /// since stations read the log late.
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

/// Paths between all pairs of stations, computed when they are first needed. If one of the two stations moves, a path
/// is computed again when it is older than `position_interval`.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    propagation: Propagation,
    power: f64,
    places: Vec<Place>,
    interval: Duration,
    /// Paths; a row for each receiver, a column for each sender.
    paths: Vec<Path>,
    stations: usize,
    fades: bool,
    /// Distance in metres up to which the received power exceeds all thresholds, so that the exact power is computed only
    /// for comparisons. Negative if there is no such distance, or if no station moves: the power of each path is then
    /// computed once.
    enough: f64,
    /// True if powers in mW are needed, each of which takes an exponential function.
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
        let places: Vec<Place> = places.collect();
        let moves = places.iter().any(|place| place.movement.is_some());
        let adds = matches!(config.phy.reception, Reception::Sinr(_))
            || (0..stations).any(|at| config.energy_detection(Station(at as u32)).is_some());
        Self {
            propagation: Propagation::new(&config.phy.propagation, config.phy.fading, seed, name),
            power: config.phy.power,
            places,
            interval: config.phy.position_interval,
            paths: vec![UNKNOWN; stations * stations],
            stations,
            fades: config.phy.fading != Fading::None,
            enough: match (config.phy.reception, on_ground(config)) {
                (Reception::Capture(Capture { receive, sense, .. }), Some(ground)) if moves && !adds => {
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

    /// Returns the path of one frame from `from` to `to` at `now`, with fading, which is a new draw at each call.
    #[inline]
    pub(crate) fn path_of_frame(&mut self, from: u32, to: u32, now: Instant) -> Path {
        if self.fades { self.fade(from, to, now) } else { self.path(from, to, now) }
    }

    /// Returns the paths from all stations to station `to` as they were last computed; the power of a path is NaN if
    /// that has not happened yet.
    #[inline]
    pub(crate) fn paths_to(&self, to: usize) -> &[Path] {
        &self.paths[to * self.stations..][..self.stations]
    }

    /// Returns true if no path ever changes: no station moves, and nothing fades.
    pub(crate) fn is_constant(&self) -> bool {
        !self.fades && self.places.iter().all(|place| place.movement.is_none())
    }

    /// Returns true if fading is drawn for each frame.
    #[inline]
    pub(crate) fn fades(&self) -> bool {
        self.fades
    }

    #[inline(never)]
    fn fade(&mut self, from: u32, to: u32, now: Instant) -> Path {
        let path = self.path(from, to, now);
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
        // With an interval of zero, each new time needs a new computation.
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

/// Returns the received power as a function of distance; `None` if the power depends on anything else.
pub(crate) fn on_ground(config: &Config) -> Option<OnGround> {
    OnGround::new(&config.phy.propagation, config.phy.power).filter(|_| config.phy.fading == Fading::None)
}
