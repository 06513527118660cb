//! Settings of mobility.

use super::bounds::Bounds;
use super::trace::{self, Dimensions, Track};
use crate::numbers::{LARGEST, Pauses, Rectangle, Speeds};
use base::Duration;
use settings::{Error, Kinds, Setting, Settings};
use std::ops::RangeInclusive;

/// Mobility model of a node.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "mobility")]
pub enum Config {
    /// The node does not move.
    Constant,
    /// Random walk: a new direction and speed after each time or distance; reflected at the bounds.
    RandomWalk(RandomWalk),
    /// A new destination and speed at fixed intervals, whether or not the last destination was reached
    /// (ns-2's random-motion).
    RandomDestination(RandomDestination),
    /// Random waypoint: the node moves to a random destination, pauses, and moves to the next.
    RandomWaypoint(RandomWaypoint),
    /// Gauss-Markov: speed and direction of each step are correlated with those of the last step.
    GaussMarkov(GaussMarkov),
    /// Movement from a file in ns-2's format (setdest), which also has the starting position.
    Setdest(Setdest),
    /// Movement from a BonnMotion file, which also has the starting position.
    #[setting(name = "bonnmotion")]
    BonnMotion(BonnMotion),
    /// Movement along a track. The track has the positions; the start given to [`super::Mobility::new`] is
    /// ignored.
    #[setting(skip)]
    Track(Track),
}

impl Config {
    /// Checks that the settings could be read from a document: each value is within its bounds, and the
    /// movement does not need infinitely many legs.
    pub fn check(&self) -> Result<(), Error> {
        match self {
            Self::Track(_) => Ok(()),
            said => Self::read(&said.write()).map(drop),
        }
    }

    /// Returns the track of a movement from a file or of `Track`; `None` for other models.
    pub fn track(&self) -> Option<Track> {
        match self {
            Self::Track(track) => Some(track.clone()),
            Self::Setdest(file) => file.track().ok(),
            Self::BonnMotion(file) => file.track().ok(),
            _ => None,
        }
    }
}

/// Bounds of the durations of steps and intervals.
const STEPS: RangeInclusive<Duration> = Duration::from_ms(1)..=Duration::MAX;
/// Allowed durations of a step, shown on pages and in error messages.
const A_STEP: &str = "time, \"1ms\" or more";
const AT_LEAST: &str = "at least \"1ms\"";
/// Bounds of speeds, m/s.
const SPEEDS: RangeInclusive<f64> = 0.0..=1e5;
/// Least distance between two turns of a random walk, metres.
const SHORTEST: f64 = 0.001;
/// Form of the setting `bounds`, shown in error messages.
const BOUNDS: &str = "a rectangle in metres: bounds = [0, 100, 0, 50]";

/// Default length of a step of a random walk, metres, from ns-3's `RandomWalk2dMobilityModel`.
const STEP: f64 = 1.0;

/// Settings of a random walk in two dimensions. A step ends after `time` or after `distance`; only one of
/// them is given.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct RandomWalk {
    /// Rectangle within which the node moves, metres; the node is reflected at its edges.
    #[setting(needed = BOUNDS, form = Rectangle)]
    pub bounds: Bounds,
    /// Range of speeds, m/s. Speed and direction are drawn uniformly for each step.
    #[setting(default = [2.0, 4.0], form = Speeds, source = "ns-3")]
    pub speed: [f64; 2],
    /// Duration of a step.
    #[setting(range = STEPS, value = A_STEP, allowed = AT_LEAST)]
    pub time: Option<Duration>,
    /// Length of a step, metres.
    #[setting(range = SHORTEST..=LARGEST, absent = "1, as in ns-3, if there is no `time`")]
    pub distance: Option<f64>,
}

/// Duration or length of a step of a random walk.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Step {
    /// Duration of a step.
    Time(Duration),
    /// Length of a step, metres.
    Distance(f64),
}

impl RandomWalk {
    /// Returns the duration or length of a step.
    pub fn step(&self) -> Step {
        self.time.map_or_else(|| Step::Distance(self.distance.unwrap_or(STEP)), Step::Time)
    }

    fn complete(&mut self) -> Result<(), Error> {
        if self.time.is_none() {
            self.distance.get_or_insert(STEP);
        } else if self.distance.is_some() {
            let message = "a walk turns after a time or after a distance: here are both";
            return Err(Error::new("distance", message).allowed("one of them"));
        }
        Ok(())
    }
}

/// Settings of random destinations at fixed intervals.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct RandomDestination {
    /// Rectangle from which destinations are drawn, metres.
    #[setting(needed = BOUNDS, form = Rectangle)]
    pub bounds: Bounds,
    /// Range of speeds, m/s, from which a speed is drawn uniformly for each destination.
    #[setting(default = [0.0, 5.0], form = Speeds, source = "ns-2")]
    pub speed: [f64; 2],
    /// Time from one destination to the next.
    #[setting(default = Duration::from_secs(30), range = STEPS, value = A_STEP, allowed = AT_LEAST, source = "ns-2")]
    pub interval: Duration,
}

/// Settings of random waypoints.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct RandomWaypoint {
    /// Rectangle from which destinations are drawn, metres.
    #[setting(needed = BOUNDS, form = Rectangle)]
    pub bounds: Bounds,
    /// Range of speeds, m/s. If the least speed is 0 or near 0, the mean speed decays during the run.
    #[setting(needed = "metres a second: speed = [1, 10]", form = Speeds)]
    pub speed: [f64; 2],
    /// Duration of the pause at each destination, or range from which it is drawn.
    #[setting(default = [Duration::ZERO; 2], form = Pauses)]
    pub pause: [Duration; 2],
    /// The movement begins with a pause.
    #[setting(default = false)]
    pub starts_paused: bool,
}

impl RandomWaypoint {
    fn check(&self) -> Result<(), Error> {
        if self.speed[1] == 0.0 {
            return Err(Error::new("speed", "at this speed no destination is reached")
                .allowed("a greatest speed above 0"));
        }
        let Bounds { x, y } = self.bounds;
        if x[0] == x[1] && y[0] == y[1] && self.pause[1].is_zero() {
            return Err(Error::new("bounds", "the only destination is where the node is")
                .allowed("a larger rectangle, or a `pause`"));
        }
        Ok(())
    }
}

/// Settings of the Gauss-Markov model in two dimensions; speed and direction are two separate processes. At
/// the bounds the direction and the mean direction are reflected. Speeds below zero count as zero.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct GaussMarkov {
    /// Rectangle within which the node moves, metres; the node is reflected at its edges.
    #[setting(needed = BOUNDS, form = Rectangle)]
    pub bounds: Bounds,
    /// Mean speed, m/s; also the first speed.
    #[setting(needed = "metres a second: mean_speed = 5", range = SPEEDS)]
    pub mean_speed: f64,
    /// Correlation of speed and direction with those of the last step (alpha): 0 none, 1 no change.
    #[setting(default = 0.85, range = 0.0..=1.0)]
    pub memory: f64,
    /// Mean direction, degrees counterclockwise from east; also the first direction.
    #[setting(range = -360.0..=360.0, absent = "drawn uniformly")]
    pub mean_direction: Option<f64>,
    /// Standard deviation of the speed, m/s.
    #[setting(range = SPEEDS, absent = "a tenth of `mean_speed`")]
    pub speed_deviation: Option<f64>,
    /// Standard deviation of the direction, degrees.
    #[setting(default = 30.0, range = 0.0..=360.0)]
    pub direction_deviation: f64,
    /// Duration of a step.
    #[setting(default = Duration::from_secs(1), range = STEPS, value = A_STEP, allowed = AT_LEAST)]
    pub step: Duration,
}

impl GaussMarkov {
    /// Returns the standard deviations of the speed (m/s) and of the direction (radians).
    pub(super) fn deviations(&self) -> [f64; 2] {
        let speed = self.speed_deviation.unwrap_or(self.mean_speed / 10.0);
        [speed, self.direction_deviation.to_radians()]
    }

    fn complete(&mut self) -> Result<(), Error> {
        self.speed_deviation = Some(self.deviations()[0]);
        Ok(())
    }
}

/// Settings of a movement from an ns-2 file: the file, or its lines about the node as `orders`.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct Setdest {
    /// File with lines such as `$node_(N) set X_ ...` and `$ns_ at T "$node_(N) setdest X Y SPEED"`.
    pub trace: Option<String>,
    /// Number of the node in the file, N; needed with `trace`.
    pub node: Option<u32>,
    /// Lines of the file about the node. Filled in when the file is read.
    pub orders: Option<String>,
}

impl Setdest {
    fn track(&self) -> Result<Track, Error> {
        let orders = content(self.orders.as_deref(), self.trace.as_deref(), "orders")?;
        let tracks = trace::setdest(orders).map_err(|e| Error::new("orders", e.to_string()))?;
        let mut tracks = tracks.into_values();
        match (tracks.next(), tracks.next()) {
            (Some(track), None) => Ok(track),
            _ => Err(Error::new("orders", "these are not the orders of one node")
                .allowed("lines about one `$node_(N)`")),
        }
    }

    fn complete(&mut self) -> Result<(), Error> {
        self.track()?;
        (self.trace, self.node) = (None, None);
        Ok(())
    }
}

/// Settings of a movement from a BonnMotion file: the file, or its line about the node as `waypoints`.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete)]
pub struct BonnMotion {
    /// File with a line for each node, which repeats `time x y`.
    pub trace: Option<String>,
    /// Number of the node in the file, from 0; needed with `trace`.
    pub node: Option<u32>,
    /// Number of coordinates of each position in the file.
    #[setting(default = Dimensions::Two)]
    pub dimensions: Dimensions,
    /// Line of the file about the node. Filled in when the file is read.
    pub waypoints: Option<String>,
}

impl BonnMotion {
    fn track(&self) -> Result<Track, Error> {
        let waypoints = content(self.waypoints.as_deref(), self.trace.as_deref(), "waypoints")?;
        let tracks = trace::bonnmotion(waypoints, self.dimensions)
            .map_err(|e| Error::new("waypoints", e.to_string()))?;
        let [track]: [Track; 1] = tracks.try_into().map_err(|_| {
            Error::new("waypoints", "these are not the waypoints of one node")
                .allowed("one line: \"0 10 20 5.5 30 40\"")
        })?;
        Ok(track)
    }

    fn complete(&mut self) -> Result<(), Error> {
        self.track()?;
        (self.trace, self.node) = (None, None);
        Ok(())
    }
}

/// Returns the content of a movement file, or an error if the file has not been read.
fn content<'a>(content: Option<&'a str>, trace: Option<&str>, key: &str) -> Result<&'a str, Error> {
    content.ok_or_else(|| {
        let message = if trace.is_some() { "the file has not been read" } else { "`trace` is missing" };
        Error::new("trace", message).allowed(format!(
            "a movement file and the node's number in it, trace = \"FILE\", node = 0; or `{key}`"
        ))
    })
}
