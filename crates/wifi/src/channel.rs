//! Where the stations are, and how strong and how late each hears each other.

use crate::air::LONGEST_WAY;
use crate::config::{Capture, Config, Reception};
use base::{Duration, Instant};
use radio::access::Station;
use radio::mobility::{self, Mobility};
use radio::propagation::{Fading, OnGround, Propagation};
use radio::{Position, power};

/// How a station hears another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    /// Power, dBm. Infinite: enough for everything, and follows from the distance ([`Self::distance`]).
    pub(crate) power: f64,
    /// Metres.
    pub(crate) distance: f64,
    /// The same in mW; not a number where reception goes by dBm alone.
    pub(crate) milliwatts: f64,
    /// Propagation delay.
    pub(crate) delay: Duration,
    /// Until when this holds.
    until: Instant,
}

/// Never computed.
const UNKNOWN: Path = Path {
    power: f64::NAN,
    distance: f64::NAN,
    milliwatts: f64::NAN,
    delay: Duration::ZERO,
    until: Instant::ZERO,
};

/// Paths between all stations, computed when they are first asked for; between stations of which one moves, again when they
/// are older than `position_interval`.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    propagation: Propagation,
    power: f64,
    movements: Vec<Option<Mobility>>,
    positions: Vec<Position>,
    known: Vec<Instant>,
    interval: Duration,
    /// Row: receiver, column: sender.
    paths: Vec<Path>,
    stations: usize,
    fades: bool,
    /// Up to which distance power is certainly enough, so that nothing but a comparison with another asks for it, metres; below zero: nowhere.
    enough: f64,
    /// Whether anything asks for mW, which take a power of ten for each path.
    adds: bool,
}

impl Channel {
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let stations = config.sites.len();
        let movements: Vec<_> = (config.sites.iter().enumerate())
            .map(|(i, site)| {
                (site.mobility != mobility::Config::Constant).then(|| {
                    Mobility::new(
                        &site.mobility,
                        site.position,
                        seed,
                        &format!("{name}.station.{i}.mobility"),
                    )
                })
            })
            .collect();
        let adds = matches!(config.phy.reception, Reception::Sinr(_))
            || (0..stations).any(|at| config.energy_detection(Station(at as u32)).is_some());
        Self {
            propagation: Propagation::new(&config.phy.propagation, config.phy.fading, seed, name),
            power: config.phy.power,
            movements,
            positions: config.sites.iter().map(|site| site.position).collect(),
            known: vec![Instant::ZERO; stations],
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

    /// How `to` hears `from` at `now`: without fading.
    #[inline]
    pub(crate) fn path(&mut self, from: u32, to: u32, now: Instant) -> Path {
        let place = to as usize * self.stations + from as usize;
        if now >= self.paths[place].until {
            self.compute(from, to, now);
        }
        self.paths[place]
    }

    /// Whether frames fade, each by itself.
    #[inline]
    pub(crate) fn fades(&self) -> bool {
        self.fades
    }

    /// One frame fades: a fresh draw each time.
    pub(crate) fn fade(&mut self, from: u32, to: u32, path: Path) -> Path {
        let distance = self.positions[from as usize].distance(self.positions[to as usize]);
        let power = path.power + self.propagation.fading(Station(from), Station(to), distance);
        Path { power, milliwatts: self.milliwatts(power), ..path }
    }

    #[cold]
    fn compute(&mut self, from: u32, to: u32, now: Instant) {
        let (a, b) = (self.position(from, now), self.position(to, now));
        let distance = a.distance(b);
        let (power, delay) = if distance <= self.enough && a.z == 0.0 && b.z == 0.0 {
            (f64::INFINITY, self.propagation.takes(distance))
        } else {
            self.propagation.arrives(self.power, (Station(from), a), (Station(to), b))
        };
        let arrives = delay <= LONGEST_WAY;
        let power = if arrives { power } else { f64::NEG_INFINITY };
        let moves = |station: u32| self.movements[station as usize].is_some();
        // Zero: a new instant needs a new computation.
        let until = match moves(from) || moves(to) {
            false => Instant::MAX,
            true => now.saturating_add(self.interval).max(now + Duration::from_ps(1)),
        };
        let milliwatts = self.milliwatts(power);
        let path = Path { power, distance, milliwatts, delay: delay.min(LONGEST_WAY), until };
        self.paths[to as usize * self.stations + from as usize] = path;
    }

    #[inline]
    fn milliwatts(&self, power: f64) -> f64 {
        if self.adds { power::milliwatts(power) } else { f64::NAN }
    }

    /// Where a station is. Asked for an earlier time than before, it answers for the later: stations read the log late.
    #[inline]
    pub(crate) fn position(&mut self, station: u32, now: Instant) -> Position {
        let i = station as usize;
        if let Some(movement) = self.movements[i].as_mut().filter(|_| now > self.known[i]) {
            self.known[i] = now;
            self.positions[i] = movement.position(now);
        }
        self.positions[i]
    }
}

/// Power by distance alone, if it is that.
pub(crate) fn on_ground(config: &Config) -> Option<OnGround> {
    OnGround::new(&config.phy.propagation, config.phy.power).filter(|_| config.phy.fading == Fading::None)
}
