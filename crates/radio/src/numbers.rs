//! Forms of settings that are numbers or lists of numbers: positions, rectangles, speeds, distances and
//! durations.

use crate::Position;
use crate::mobility::Bounds;
use base::Duration;
use settings::schema::{Json, any};
use settings::setting::number;
use settings::{Data, Error, Form, Node, Schemas, Setting};

/// Largest coordinate, metres, and largest speed, m/s; keeps lengths and times within range.
pub const LARGEST: f64 = 1e7;

/// Form of a position, metres: `[x, y]` or `[x, y, z]`.
pub struct Place;

/// Form of a rectangle, metres: `[least x, greatest x, least y, greatest y]`.
pub struct Rectangle;

/// Form of a range of speeds, m/s: one number, or the least and the greatest.
pub struct Speeds;

/// Form of distances along x and y, metres: one number for both directions, or one for each direction.
pub struct Spacing;

/// Form of a range of durations: one duration, or the least and the greatest.
pub struct Pauses;

/// Description of a list of numbers whose position gives their meaning.
struct List {
    /// Allowed form, shown in error messages.
    expected: &'static str,
    /// Least and greatest length of the list. If the least is one, a number may be given instead of a list.
    count: [usize; 2],
}

impl List {
    /// Reads the numbers, and checks how many there are and their range.
    fn read(&self, node: &Node) -> Result<Vec<f64>, Error> {
        let refusal = |message: String| Error::new("", message).allowed(self.expected);
        let [least, most] = self.count;
        let items = match &node.data {
            Data::List(items) => items.as_slice(),
            Data::Number(_) if least == 1 => std::slice::from_ref(node),
            _ => return Err(refusal("a list of numbers belongs here".to_owned())),
        };
        let numbers: Vec<f64> = items.iter().filter_map(Node::as_f64).collect();
        if numbers.len() != items.len() {
            return Err(refusal("bare numbers belong here, without quotes".to_owned()));
        }
        if !(least..=most).contains(&numbers.len()) {
            return Err(refusal(format!("{} numbers do not belong here", numbers.len())));
        }
        match numbers.iter().find(|n| n.abs() > LARGEST) {
            Some(large) => Err(refusal(format!("{large} is out of range: at most {LARGEST}"))),
            None => Ok(numbers),
        }
    }

    /// Returns the error for a least value above the greatest.
    fn disordered(&self) -> Error {
        Error::new("", "these numbers are in the wrong order").allowed(self.expected)
    }

    fn schema(&self) -> Json {
        let number = <f64 as Setting>::schema(&mut Schemas::default());
        let list = list(&number, self.count);
        if self.count[0] == 1 { any([number, list]) } else { list }
    }
}

/// Returns the schema of a list of `item`; `least` and `most` bound the length of the list.
fn list(item: &Json, [least, most]: [usize; 2]) -> Json {
    Json::from_iter([
        ("type".to_owned(), Json::from("array")),
        ("items".to_owned(), item.clone()),
        ("minItems".to_owned(), least.into()),
        ("maxItems".to_owned(), most.into()),
    ])
}

fn write(numbers: &[f64]) -> Node {
    numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().into()
}

/// Declares a form of a list of numbers: type of the value, form shown on pages, form shown in errors,
/// length, and conversions in both directions.
macro_rules! lists {
    ($($form:ident of $of:ty, $value:literal, $expected:literal, $count:expr, $make:expr, $numbers:expr;)+) => {$(
        impl $form {
            const LIST: List = List { expected: $expected, count: $count };
        }

        impl Form<$of> for $form {
            fn expected() -> String {
                Self::LIST.expected.to_owned()
            }
            fn value() -> String {
                $value.to_owned()
            }
            fn read(node: &Node) -> Result<$of, Error> {
                let make: fn(&[f64]) -> Option<$of> = $make;
                make(&Self::LIST.read(node)?).ok_or_else(|| Self::LIST.disordered())
            }
            fn write(value: &$of) -> Node {
                let numbers: fn(&$of) -> Vec<f64> = $numbers;
                write(&numbers(value))
            }
            fn schema(_: &mut Schemas) -> Json {
                Self::LIST.schema()
            }
        }
    )+};
}

lists! {
    Place of Position, "metres, `[x, y]` or `[x, y, z]`", "metres: [x, y] or [x, y, z]", [2, 3],
        |n| Some(Position::new(n[0], n[1], n.get(2).copied().unwrap_or(0.0))),
        |at| vec![at.x, at.y, at.z];
    Rectangle of Bounds, "metres, `[x, x, y, y]`", "metres, least before greatest: [x, x, y, y]", [4, 4],
        |n| (n[0] <= n[1] && n[2] <= n[3]).then(|| Bounds::new([n[0], n[1]], [n[2], n[3]])),
        |bounds| [bounds.x, bounds.y].concat();
    Speeds of [f64; 2], "m/s, or `[least, greatest]`",
        "metres a second: 3, or from a least to a greatest: [1, 10]", [1, 2],
        |n| Some([n[0], n[n.len() - 1]]).filter(|[low, high]| 0.0 <= *low && low <= high),
        |speeds| speeds.to_vec();
    Spacing of [f64; 2], "metres, or `[x, y]`", "metres: 10, or along x and along y: [10, 20]", [1, 2],
        |n| Some([n[0], n[n.len() - 1]]),
        |spacing| spacing.to_vec();
}

impl Form<[Duration; 2]> for Pauses {
    fn expected() -> String {
        "a time (\"2s\"), or a least and a greatest ([\"0s\", \"5s\"])".to_owned()
    }
    fn value() -> String {
        "time, or `[least, greatest]`".to_owned()
    }
    fn read(node: &Node) -> Result<[Duration; 2], Error> {
        if node.as_list().is_none() {
            return Duration::read(node).map(|time| [time, time]);
        }
        let refusal = |message: String| Error::new("", message).allowed(Self::expected());
        match Vec::<Duration>::read(node)?.as_slice() {
            [least, greatest] if least <= greatest => Ok([*least, *greatest]),
            [_, _] => Err(refusal("the least comes first".to_owned())),
            other => Err(refusal(format!("{} times do not belong here", other.len()))),
        }
    }
    fn write(value: &[Duration; 2]) -> Node {
        value.iter().map(Duration::write).collect::<Vec<_>>().into()
    }
    fn schema(schemas: &mut Schemas) -> Json {
        let time = Duration::schema(schemas);
        let list = list(&time, [2, 2]);
        any([time, list])
    }
}
