//! Where nodes are and how they move.

use super::kinds::kinds;
use super::scalar::{Time, Wire, number};
use crate::scenario::decode::{Refusal, decode_inside, read_raw};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};
use std::borrow::Cow;

/// A list of numbers of fixed meaning, as a document has it.
trait Numbers: Sized {
    /// What may be written, after "allowed:".
    const EXPECTED: &'static str;
    /// How many numbers, at least and at most.
    const COUNT: [usize; 2];

    /// From so many numbers as there may be; `None` where their order is wrong.
    fn read(numbers: &[f64]) -> Option<Self>;

    /// The numbers.
    fn write(&self) -> Vec<f64>;
}

/// A place, metres east, north, up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place(pub radio::Position);

impl Numbers for Place {
    const EXPECTED: &'static str = "metres: [x, y] or [x, y, z]";
    const COUNT: [usize; 2] = [2, 3];

    fn read(numbers: &[f64]) -> Option<Self> {
        let z = numbers.get(2).copied().unwrap_or(0.0);
        Some(Self(radio::Position::new(numbers[0], numbers[1], z)))
    }

    fn write(&self) -> Vec<f64> {
        vec![self.0.x, self.0.y, self.0.z]
    }
}

/// A rectangle, metres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rectangle(pub radio::mobility::Bounds);

impl Numbers for Rectangle {
    const EXPECTED: &'static str = "metres, least before greatest: [x, x, y, y]";
    const COUNT: [usize; 2] = [4, 4];

    fn read(numbers: &[f64]) -> Option<Self> {
        let (x, y) = ([numbers[0], numbers[1]], [numbers[2], numbers[3]]);
        (x[0] <= x[1] && y[0] <= y[1]).then_some(Self(radio::mobility::Bounds::new(x, y)))
    }

    fn write(&self) -> Vec<f64> {
        [self.0.x, self.0.y].concat()
    }
}

/// Speeds to draw from, m/s.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Speed(pub [f64; 2]);

impl Numbers for Speed {
    const EXPECTED: &'static str = "metres a second: 3, or from a least to a greatest: [1, 10]";
    const COUNT: [usize; 2] = [1, 2];

    fn read(numbers: &[f64]) -> Option<Self> {
        let [low, high] = [numbers[0], numbers[numbers.len() - 1]];
        (0.0 <= low && low <= high).then_some(Self([low, high]))
    }

    fn write(&self) -> Vec<f64> {
        self.0.to_vec()
    }
}

/// Distances along x and y, metres.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spacing(pub [f64; 2]);

impl Numbers for Spacing {
    const EXPECTED: &'static str = "metres: 10, or along x and along y: [10, 20]";
    const COUNT: [usize; 2] = [1, 2];

    fn read(numbers: &[f64]) -> Option<Self> {
        Some(Self([numbers[0], numbers[numbers.len() - 1]]))
    }

    fn write(&self) -> Vec<f64> {
        self.0.to_vec()
    }
}

/// The farthest place, metres; the greatest speed, m/s: lengths and times stay far from the ends of what numbers hold.
const LARGEST: f64 = 1e7;

fn read_numbers<T: Numbers>(value: &Value) -> Result<T, Refusal> {
    let refusal = |message: String| Refusal::new(message, T::EXPECTED);
    let single = std::slice::from_ref(value);
    let items = match value {
        Value::Array(items) => items.as_slice(),
        Value::Number(_) if T::COUNT[0] == 1 => single,
        _ => return Err(refusal("a list of numbers belongs here".to_owned())),
    };
    let numbers: Vec<f64> = items.iter().filter_map(Value::as_f64).collect();
    if numbers.len() != items.len() {
        return Err(refusal("bare numbers belong here, without quotes".to_owned()));
    }
    if !(T::COUNT[0]..=T::COUNT[1]).contains(&numbers.len()) {
        return Err(refusal(format!("{} numbers do not belong here", numbers.len())));
    }
    if let Some(large) = numbers.iter().find(|n| n.abs() > LARGEST) {
        return Err(refusal(format!("{large} is out of range: at most {LARGEST}")));
    }
    T::read(&numbers).ok_or_else(|| refusal("these numbers are in the wrong order".to_owned()))
}

macro_rules! numbers {
    ($($name:ty as $label:literal),+ $(,)?) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read_raw(deserializer, |value| read_numbers(&value))
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                Numbers::write(self).into_iter().map(number).collect::<Value>().serialize(serializer)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                $label.into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let [least, most] = <$name as Numbers>::COUNT;
                let item = json!({ "type": "number" });
                let list = json!({ "type": "array", "items": item, "minItems": least, "maxItems": most });
                let either = if least == 1 { json!({ "anyOf": [item, list] }) } else { list };
                either.try_into().unwrap_or_default()
            }
        }
    )+};
}
numbers!(Place as "Place", Rectangle as "Rectangle", Speed as "Speed", Spacing as "Spacing");

/// Times to draw from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pause(pub [Time; 2]);

impl<'de> Deserialize<'de> for Pause {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        const EXPECTED: &str = "a time (\"2s\"), or a least and a greatest ([\"0s\", \"5s\"])";
        read_raw(deserializer, |value| {
            if !value.is_array() {
                return decode_inside(&value).map(|time| Self([time, time]));
            }
            match decode_inside::<Vec<Time>>(&value)?.as_slice() {
                [least, greatest] if least.0 <= greatest.0 => Ok(Self([*least, *greatest])),
                [_, _] => Err(Refusal::new("the least comes first", EXPECTED)),
                other => Err(Refusal::new(format!("{} times do not belong here", other.len()), EXPECTED)),
            }
        })
    }
}

impl Serialize for Pause {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.map(|time| time.write()).serialize(serializer)
    }
}

impl JsonSchema for Pause {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        "Pause".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let time = generator.subschema_for::<Time>();
        let list = json!({ "type": "array", "items": time, "minItems": 2, "maxItems": 2 });
        json!({ "anyOf": [time, list] }).try_into().unwrap_or_default()
    }
}

kinds! {
    /// Where a node is at the beginning, in place of a `position`.
    Placement, "placement" {
        /// On a grid.
        "grid" => Grid(Grid),
        /// Drawn uniformly from a disc.
        "disc" => Disc(Disc),
        /// Drawn uniformly from a rectangle.
        "uniform" => Uniform(Uniform),
    }
}

/// A place on a grid: row by row, `columns` in each.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// Places in a row.
    #[schemars(range(min = 1))]
    pub columns: u32,
    /// Between neighbours, metres: one number, or along x and along y.
    pub spacing: Spacing,
    /// Which place, from 0; default the number of grid nodes that stand before it in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Place 0, metres; default [0, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Place>,
}

/// A place drawn uniformly from a disc.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disc {
    /// Radius, metres.
    pub radius: f64,
    /// Its centre, metres; default [0, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub center: Option<Place>,
}

/// A place drawn uniformly from a rectangle.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Uniform {
    /// The rectangle, metres.
    pub bounds: Rectangle,
    /// Height, metres; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
}

kinds! {
    /// How a node moves.
    Mobility, "mobility" {
        /// It stays where it is.
        "constant" => Constant(Constant),
        /// A new direction and speed after each time or distance; bounces off the bounds.
        "random-walk" => RandomWalk(RandomWalk),
        /// A new destination and speed at fixed intervals, arrived or not (ns-2's random-motion).
        "random-destination" => RandomDestination(RandomDestination),
        /// To a destination, a pause, to the next.
        "random-waypoint" => RandomWaypoint(RandomWaypoint),
        /// Speed and direction remember those of the last step.
        "gauss-markov" => GaussMarkov(GaussMarkov),
        /// As a movement file of ns-2 says (setdest), which says where it starts, too.
        "setdest" => Setdest(Setdest),
        /// As a movement file of BonnMotion says, which says where it starts, too.
        "bonnmotion" => BonnMotion(BonnMotion),
    }
}

/// No movement.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Constant {}

/// Random walk in two dimensions: turns after each `time` or `distance`, one of which is given.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomWalk {
    /// Where it stays, metres.
    pub bounds: Rectangle,
    /// Speed, m/s; default [2, 4], as in ns-3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    /// Turns after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time: Option<Time>,
    /// Turns after so many metres; default 1, as in ns-3, where there is no `time`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
}

/// Random destinations at fixed intervals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomDestination {
    /// Where destinations are drawn, metres.
    pub bounds: Rectangle,
    /// Speed, m/s; default [0, 5], as in ns-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<Speed>,
    /// Time between two destinations; default "30s", as in ns-2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Time>,
}

/// Random waypoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RandomWaypoint {
    /// Where destinations are drawn, metres.
    pub bounds: Rectangle,
    /// Speed, m/s. A least speed at or near 0 slows the whole down for ever.
    pub speed: Speed,
    /// Pause at each destination, or a least and a greatest; default "0s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pause: Option<Pause>,
    /// Whether the first thing is a pause; default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub starts_paused: Option<bool>,
}

/// Gauss-Markov in two dimensions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GaussMarkov {
    /// Where it stays, metres.
    pub bounds: Rectangle,
    /// Mean speed, m/s.
    pub mean_speed: f64,
    /// How much of a step goes into the next, 0 (nothing) to 1 (all); default 0.85.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<f64>,
    /// Mean direction, degrees from east to north; default drawn uniformly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_direction: Option<f64>,
    /// Standard deviation of the speed, m/s; default a tenth of `mean_speed`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed_deviation: Option<f64>,
    /// Standard deviation of the direction, degrees; default 30.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction_deviation: Option<f64>,
    /// Time of a step; default "1s".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Time>,
}

/// A node of a movement file in ns-2's language: a file, or what it says of the node as `orders`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Setdest {
    /// A file of `$node_(N) set X_ ...` and `$ns_ at T "$node_(N) setdest X Y SPEED"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Which node of the file, N; needed with `trace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The file's lines about the node. Written when the file is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub orders: Option<String>,
}

/// A node of a movement file of BonnMotion: a file, or what it says of the node as `waypoints`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BonnMotion {
    /// A file with a line for each node: `time x y` again and again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<String>,
    /// Which node of the file, from 0; needed with `trace`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// Coordinates that the file gives: 2 or 3; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 3))]
    pub dimensions: Option<u8>,
    /// The file's line about the node. Written when the file is read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waypoints: Option<String>,
}
