//! Movements from files: ns-2's `setdest` language and BonnMotion's waypoint lists.
//!
//! Both parsers report errors with the number of the line. They were written from ns-2's manual (chapter 16,
//! "Mobile Networking in ns") and the BonnMotion manual (section 4.1, native format).

use super::leg::Leg;
use crate::Position;
use base::{Duration, Instant};
use settings::schema::Json;
use settings::{Error, Node, Schemas, Setting};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Movement of one station over the whole run, as a list of legs.
#[derive(Clone, PartialEq, Debug)]
pub struct Track(Arc<[Leg]>);

impl Track {
    /// Creates a track from waypoints in order of time. The station is at the first waypoint until its time,
    /// moves straight from each waypoint to the next, and stays at the last. Of two waypoints at the same
    /// time the later in the list counts. Without waypoints the station is at the origin.
    pub fn new(waypoints: &[(Instant, Position)]) -> Self {
        let mut legs = Vec::new();
        let (mut now, mut here) = (Instant::ZERO, waypoints.first().map_or(Position::default(), |w| w.1));
        for &(at, to) in waypoints {
            if at > now {
                legs.push(Leg { begins: now, ends: at, from: here, to });
            }
            (now, here) = (at, to);
        }
        legs.push(Leg::stay(now, Instant::MAX, here));
        Self(legs.into())
    }

    /// Returns the legs in order of time. There is at least one leg, and the last has no end.
    pub fn legs(&self) -> &[Leg] {
        &self.0
    }

    /// Returns the position at the beginning.
    pub fn start(&self) -> Position {
        self.0[0].from
    }
}

/// Error in a movement file, with the number of the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the error, with the expected form.
    pub problem: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for TraceError {}

/// A command of a `setdest` file to a node.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Sets one coordinate (0: x, 1: y, 2: z) to a value in metres, at once.
    Set(usize, f64),
    /// Moves to x, y (metres) at a speed in m/s.
    Go(f64, f64, f64),
}

/// Parses an ns-2 movement file; returns the tracks by node number.
///
/// Two kinds of lines are read, with any names of the variables: `$node_(3) set X_ 12.5` (also `Y_` and
/// `Z_`), and `$ns_ at 10.0 "$node_(3) setdest 250 300 2.5"`. At that time the node starts to move straight
/// at that speed; at speed 0 it stops. Comments (`#`) and lines about `$god_` are skipped; any other line is
/// an error.
pub fn setdest(text: &str) -> Result<BTreeMap<u32, Track>, TraceError> {
    let mut orders: BTreeMap<u32, Vec<(Instant, Order)>> = BTreeMap::new();
    for (index, line) in text.lines().enumerate() {
        let order = setdest_line(line).map_err(|problem| TraceError { line: index + 1, problem })?;
        if let Some((node, at, order)) = order {
            orders.entry(node).or_default().push((at, order));
        }
    }
    Ok(orders.into_iter().map(|(node, orders)| (node, follow(orders))).collect())
}

/// Parses one line of a `setdest` file; `None` for a line that is skipped.
fn setdest_line(line: &str) -> Result<Option<(u32, Instant, Order)>, String> {
    // Quotes and braces only group the words of a command, so they are treated as white space.
    let words: Vec<&str> =
        line.split(|c: char| c.is_whitespace() || "\"{}".contains(c)).filter(|w| !w.is_empty()).collect();
    let about_god = |w: &&str| w.trim_start_matches('$').starts_with("god");
    match *words.as_slice() {
        [] => Ok(None),
        [first, ..] if first.starts_with('#') => Ok(None),
        ref words if words.iter().any(about_god) => Ok(None),
        [subject, "set", axis, value] => {
            Ok(Some((node(subject)?, Instant::ZERO, Order::Set(coordinate(axis)?, number(value)?))))
        }
        [_, "at", at, subject, "set", axis, value] => {
            Ok(Some((node(subject)?, time(at)?, Order::Set(coordinate(axis)?, number(value)?))))
        }
        [_, "at", at, subject, "setdest", x, y, speed] => {
            let (x, y, speed) = (number(x)?, number(y)?, number(speed)?);
            if speed < 0.0 {
                return Err(format!("a speed of {speed} m/s is below zero"));
            }
            Ok(Some((node(subject)?, time(at)?, Order::Go(x, y, speed))))
        }
        _ => Err(format!(
            "`{}` is neither `$node_(N) set X_|Y_|Z_ METRES` nor `$ns_ at SECONDS \"$node_(N) setdest X Y SPEED\"`",
            line.trim()
        )),
    }
}

/// Parses the number of the node in `$node_(3)`.
fn node(word: &str) -> Result<u32, String> {
    word.split_once('(')
        .and_then(|(_, rest)| rest.strip_suffix(')'))
        .and_then(|inside| inside.parse().ok())
        .ok_or_else(|| format!("`{word}` is not a node: expected `$node_(N)`"))
}

fn coordinate(word: &str) -> Result<usize, String> {
    ["X_", "Y_", "Z_"]
        .iter()
        .position(|axis| *axis == word)
        .ok_or_else(|| format!("`{word}` is not a coordinate: expected X_, Y_ or Z_"))
}

fn number(word: &str) -> Result<f64, String> {
    word.parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(|| format!("`{word}` is not a number"))
}

fn time(word: &str) -> Result<Instant, String> {
    let s = number(word)?;
    // A run lasts at most 213 days.
    let ends = Instant::MAX.secs();
    if !(0.0..ends).contains(&s) {
        return Err(format!("a time of {s} s is not within 0 to {ends} s"));
    }
    Ok(Instant::ZERO + Duration::from_secs_f64(s))
}

/// Returns the track of a node from its commands, which may be in any order; commands at equal times are
/// executed in the order of the list.
fn follow(mut orders: Vec<(Instant, Order)>) -> Track {
    orders.sort_by_key(|order| order.0);
    let mut legs: Vec<Leg> = Vec::new();
    let mut leg = Leg::stay(Instant::ZERO, Instant::MAX, Position::default());
    for (at, order) in orders {
        let mut here = leg.at(at);
        let done = leg.cut(at);
        if done.ends > done.begins {
            legs.push(done);
        }
        if done.ends < at {
            legs.push(Leg::stay(done.ends, at, here));
        }
        leg = match order {
            Order::Set(axis, metres) => {
                *[&mut here.x, &mut here.y, &mut here.z][axis] = metres;
                Leg::stay(at, Instant::MAX, here)
            }
            Order::Go(x, y, speed) => Leg::way(at, here, Position::new(x, y, here.z), speed),
        };
    }
    let (ends, to) = (leg.ends, leg.to);
    if ends > leg.begins {
        legs.push(leg);
    }
    if ends < Instant::MAX {
        legs.push(Leg::stay(ends, Instant::MAX, to));
    }
    Track(legs.into())
}

/// Parses a BonnMotion file; returns the track of each line. A line repeats `time x y`, or `time x y z` in
/// three dimensions. Comments (`#`) and empty lines are skipped.
pub fn bonnmotion(text: &str, dimensions: Dimensions) -> Result<Vec<Track>, TraceError> {
    let mut tracks = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let track =
            bonnmotion_line(line, dimensions).map_err(|problem| TraceError { line: index + 1, problem })?;
        tracks.push(track);
    }
    Ok(tracks)
}

/// Number of coordinates in a BonnMotion file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dimensions {
    /// x and y.
    #[default]
    Two = 2,
    /// x, y and z.
    Three = 3,
}

/// Written in scenarios as the number 2 or 3.
impl Setting for Dimensions {
    fn expected() -> String {
        "2, 3".to_owned()
    }
    fn value() -> String {
        "2, 3".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match u32::read(node)? {
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            _ => Err(Error::new("", "a place has two or three coordinates").allowed(Self::expected())),
        }
    }
    fn write(&self) -> Node {
        (*self as u32).into()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        let mut schema = u32::schema(schemas);
        (schema["minimum"], schema["maximum"]) = (2.into(), 3.into());
        schema
    }
}

fn bonnmotion_line(line: &str, dimensions: Dimensions) -> Result<Track, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (each, names) = match dimensions {
        Dimensions::Two => (3, "time x y"),
        Dimensions::Three => (4, "time x y z"),
    };
    if !words.len().is_multiple_of(each) {
        return Err(format!(
            "{} numbers are not whole waypoints: expected `{names}` again and again",
            words.len()
        ));
    }
    let mut waypoints: Vec<(Instant, Position)> = Vec::new();
    for waypoint in words.chunks(each) {
        let at = time(waypoint[0])?;
        if let Some((last, _)) = waypoints.last().filter(|w| w.0 > at) {
            return Err(format!("time goes back from {} to {} s", last.secs(), at.secs()));
        }
        let z = if each == 4 { number(waypoint[3])? } else { 0.0 };
        waypoints.push((at, Position::new(number(waypoint[1])?, number(waypoint[2])?, z)));
    }
    Ok(Track::new(&waypoints))
}
