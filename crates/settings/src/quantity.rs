//! Settings that are times, rates or sizes, written as numbers with units.

use crate::error::Error;
use crate::node::{Data, Node};
use crate::schema::Schemas;
use crate::setting::{Form, Setting, unfit};
use base::units::{parse_bytes, parse_duration, parse_rate};
use base::{Bytes, DataRate, Duration, UnitError};
use serde_json::{Value, json};

/// Converts an error of a unit parser.
fn unit_error(error: UnitError) -> Error {
    let UnitError { message, allowed, nearest } = error;
    Error::new("", message).allowed(allowed).near(nearest)
}

/// Parses a quantity with a unit. A number without a unit goes to the parser too, because the parser's error
/// shows the number with a unit.
fn quantity<Q>(node: &Node, expected: &str, parse: fn(&str) -> Result<Q, UnitError>) -> Result<Q, Error> {
    let text = match &node.data {
        Data::Text(text) => text.to_string(),
        Data::Number(number) => number.as_i64().map_or_else(
            || number.as_f64().map_or_else(|| number.to_string(), |x| x.to_string()),
            |i| i.to_string(),
        ),
        _ => return Err(unfit(node, expected)),
    };
    parse(&text).map_err(unit_error)
}

/// Writes `value` exactly, as a decimal number in the largest of `units` in which it is at least 1. `units`
/// has names and powers of ten, largest first.
fn exact(value: u64, units: &[(&str, u32)]) -> String {
    let fits = units.iter().find(|(_, power)| value >= 10u64.pow(*power));
    let (name, power) = fits.or(units.last()).copied().unwrap_or(("", 0));
    let scale = 10u64.pow(power);
    let (whole, rest) = (value / scale, value % scale);
    if rest == 0 {
        return format!("{whole}{name}");
    }
    let fraction = format!("{rest:0width$}", width = power as usize);
    format!("{whole}.{}{name}", fraction.trim_end_matches('0'))
}

const TIME_PATTERN: &str = r"^\s*(0|[0-9._+]+([eE][-+]?[0-9]+)?\s*(ps|ns|us|µs|ms|s|min|h))\s*$";
const SIZE_PATTERN: &str = r"^\s*[0-9._+]+([eE][-+]?[0-9]+)?\s*([kMGT]?B|[KMGT]iB)\s*$";
const RATE_PATTERN: &str =
    r"^\s*[0-9._+]+([eE][-+]?[0-9]+)?\s*([kMGT]?bps|[kMG]?bit/s|[kMG]b/s|[kMG]?Bps|[kMG]?B/s)\s*$";

impl Setting for Duration {
    fn expected() -> String {
        "a time with its unit, like \"20ms\"".to_owned()
    }
    fn value() -> String {
        "time".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        quantity(node, &<Self as Setting>::expected(), parse_duration)
    }
    fn write(&self) -> Node {
        if self.is_zero() {
            return "0s".into();
        }
        exact(self.ps(), &[("s", 12), ("ms", 9), ("us", 6), ("ns", 3), ("ps", 0)]).into()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "pattern": TIME_PATTERN, "examples": ["20ms", "1.5s"] })
    }
    fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
        let to = if *high == Self::MAX { " or more".to_owned() } else { format!(" to {}", high.write()) };
        (format!("{} is out of range", self.write()), format!("a time, {}{to}", low.write()))
    }
}

impl Setting for DataRate {
    fn expected() -> String {
        "a rate with its unit, like \"10Mbps\"".to_owned()
    }
    fn value() -> String {
        "rate".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        quantity(node, &<Self as Setting>::expected(), parse_rate)
    }
    fn write(&self) -> Node {
        exact(self.bps(), &[("Gbps", 9), ("Mbps", 6), ("kbps", 3), ("bps", 0)]).into()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "pattern": RATE_PATTERN, "examples": ["10Mbps", "0.3Mbps"] })
    }
    fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
        let bound = |rate: &Self| {
            exact(rate.bps(), &[("Tbps", 12), ("Gbps", 9), ("Mbps", 6), ("kbps", 3), ("bps", 0)])
        };
        ("out of range".to_owned(), format!("a rate from {} to {}", bound(low), bound(high)))
    }
}

impl Setting for Bytes {
    fn expected() -> String {
        "a size with its unit, like \"1500B\" or \"64KiB\"".to_owned()
    }
    fn value() -> String {
        "size".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        quantity(node, &<Self as Setting>::expected(), parse_bytes)
    }
    fn write(&self) -> Node {
        format!("{}B", self.0).into()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string", "pattern": SIZE_PATTERN, "examples": ["1500B", "64KiB"] })
    }
    fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
        (format!("{} B is out of range", self.0), format!("{} to {}", low.write(), high.write()))
    }
}

/// Form of a number of bytes that is written as a size with a unit: `"1500B"`.
pub struct Size;

macro_rules! sizes {
    ($($whole:ty),+) => {$(
        impl Form<$whole> for Size {
            fn expected() -> String {
                <Bytes as Setting>::expected()
            }
            fn value() -> String {
                <Bytes as Setting>::value()
            }
            fn read(node: &Node) -> Result<$whole, Error> {
                let Bytes(bytes) = Bytes::read(node)?;
                // A number too large for the type becomes the type's largest, which every range excludes.
                Ok(<$whole>::try_from(bytes).unwrap_or(<$whole>::MAX))
            }
            fn write(value: &$whole) -> Node {
                Bytes((*value).into()).write()
            }
            fn schema(schemas: &mut Schemas) -> Value {
                Bytes::schema(schemas)
            }
            fn out_of_range(value: &$whole, low: &$whole, high: &$whole) -> (String, String) {
                Bytes((*value).into()).out_of_range(&Bytes((*low).into()), &Bytes((*high).into()))
            }
        }
    )+};
}

sizes!(u16, u32, u64);
