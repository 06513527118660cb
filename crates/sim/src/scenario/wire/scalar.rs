//! Values with a unit, a range or a fixed choice: read from one scalar, written back exactly, described to editors.

use crate::scenario::decode::Refusal;
use base::units::{parse_bytes, parse_duration, parse_rate};
use base::{Bytes, DataRate, Duration, UnitError};
use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use serde_json::{Value, json};
use settings::nearest;
use std::fmt;

/// A scalar as a document has it.
pub enum Scalar<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Integer(i128),
    /// Any other number.
    Number(f64),
    /// Text in quotes.
    Text(&'a str),
}

impl fmt::Display for Scalar<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Integer(i) => write!(f, "{i}"),
            Self::Number(x) => write!(f, "{x}"),
            Self::Text(t) => write!(f, "\"{t}\""),
        }
    }
}

/// A type that one scalar of a document stands for.
pub trait Wire: Sized {
    /// What may be written, after "allowed:".
    const EXPECTED: &'static str;

    /// Reads it.
    ///
    /// # Errors
    /// Where the scalar is not one of these, with what would be.
    fn read(given: &Scalar<'_>) -> Result<Self, Refusal>;

    /// Writes it as [`Wire::read`] reads it, without loss.
    fn write(&self) -> Value;

    /// What editors are told, as JSON Schema.
    fn schema() -> Value;
}

/// The refusal of a scalar of the wrong kind.
fn misplaced<T: Wire>(given: &Scalar<'_>) -> Refusal {
    Refusal::new(format!("{given} does not belong here"), T::EXPECTED)
}

/// Reads a `T` through serde.
pub fn read<'de, T: Wire, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    struct Reader<T>(std::marker::PhantomData<T>);
    impl<T: Wire> Visitor<'_> for Reader<T> {
        type Value = T;
        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(T::EXPECTED)
        }
        fn visit_bool<E: Error>(self, v: bool) -> Result<T, E> {
            T::read(&Scalar::Bool(v)).map_err(Refusal::into_error)
        }
        fn visit_i64<E: Error>(self, v: i64) -> Result<T, E> {
            T::read(&Scalar::Integer(v.into())).map_err(Refusal::into_error)
        }
        fn visit_u64<E: Error>(self, v: u64) -> Result<T, E> {
            T::read(&Scalar::Integer(v.into())).map_err(Refusal::into_error)
        }
        fn visit_f64<E: Error>(self, v: f64) -> Result<T, E> {
            T::read(&Scalar::Number(v)).map_err(Refusal::into_error)
        }
        fn visit_str<E: Error>(self, v: &str) -> Result<T, E> {
            T::read(&Scalar::Text(v)).map_err(Refusal::into_error)
        }
    }
    deserializer.deserialize_any(Reader(std::marker::PhantomData))
}

/// Implements serde and schemars for types that implement [`Wire`].
macro_rules! wire {
    ($($name:ty as $label:literal),+ $(,)?) => {$(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::scenario::wire::scalar::read(deserializer)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::scenario::wire::scalar::write(self, serializer)
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $label.into()
            }
            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let schema = <$name as $crate::scenario::wire::scalar::Wire>::schema();
                schema.try_into().unwrap_or_default()
            }
        }
    )+};
}
pub(super) use wire;

/// Writes a `T` through serde.
pub fn write<T: Wire, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serde::Serialize::serialize(&value.write(), serializer)
}

/// A fixed choice of names, each standing for a variant of a type of another room.
macro_rules! choice {
    ($(#[$doc:meta])* $name:ident as $label:literal for $model:ty { $($variant:ident = $text:literal: $says:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Debug)]
        pub struct $name(pub $model);

        impl $name {
            /// Every name and what it means.
            pub const NAMES: &'static [(&'static str, &'static str)] = &[$(($text, $says)),+];
        }

        impl $crate::scenario::wire::scalar::Wire for $name {
            const EXPECTED: &'static str = concat!("one of", $(" \"", $text, "\""),+);

            fn read(
                given: &$crate::scenario::wire::scalar::Scalar<'_>,
            ) -> Result<Self, $crate::scenario::decode::Refusal> {
                match given {
                    $($crate::scenario::wire::scalar::Scalar::Text($text) => Ok(Self(<$model>::$variant)),)+
                    other => Err($crate::scenario::wire::scalar::not_a_choice(
                        other,
                        Self::NAMES.iter().map(|(name, _)| *name),
                    )),
                }
            }

            fn write(&self) -> serde_json::Value {
                match self.0 {
                    $(<$model>::$variant => $text.into(),)+
                }
            }

            fn schema() -> serde_json::Value {
                $crate::scenario::wire::scalar::choice_schema(Self::NAMES)
            }
        }

        $crate::scenario::wire::scalar::wire!($name as $label);
    };
}
pub(super) use choice;

/// The refusal of a name that is not among `names`.
pub fn not_a_choice<'a>(given: &Scalar<'_>, names: impl Iterator<Item = &'a str> + Clone) -> Refusal {
    let allowed = names.clone().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    let near = match given {
        Scalar::Text(text) => nearest(text, names),
        _ => None,
    };
    Refusal { nearest: near, ..Refusal::new(format!("{given} is not a choice here"), allowed) }
}

/// A choice of names for editors, each with its meaning.
pub fn choice_schema(names: &[(&str, &str)]) -> Value {
    let each = names.iter().map(|(name, says)| json!({ "const": name, "description": says }));
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

/// A unit parser's refusal.
fn unit_refusal(error: &UnitError) -> Refusal {
    let UnitError { message, allowed, nearest } = error.clone();
    Refusal { nearest, ..Refusal::new(message, allowed) }
}

/// Reads a quantity with a unit; a bare number is handed to the parser too, which shows the fix.
fn quantity<T: Wire, Q>(given: &Scalar<'_>, parse: fn(&str) -> Result<Q, UnitError>) -> Result<Q, Refusal> {
    let text = match given {
        Scalar::Bool(_) => return Err(misplaced::<T>(given)),
        Scalar::Text(text) => (*text).to_owned(),
        number => number.to_string(),
    };
    parse(&text).map_err(|e| unit_refusal(&e))
}

/// `value` in the largest of `units` (name, power of ten; largest first) that leaves it at least 1, as an exact decimal.
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

/// A number without a needless decimal point.
pub fn number(x: f64) -> Value {
    // Exact below 2^53: whole f64 numbers are whole i64 numbers there.
    if x.fract() == 0.0 && x.abs() < 9e15 { json!(x as i64) } else { json!(x) }
}

/// A time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Time(pub Duration);

/// A rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate(pub DataRate);

/// A size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size(pub Bytes);

/// A window: so many segments, so many bytes of payload, or no limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Window {
    /// Segments, at least 1.
    Segments(f64),
    /// Whole segments that fit.
    Size(Bytes),
    /// No limit.
    Unlimited,
}

/// Segments, from 0 to 1000.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Floor(pub f64);

/// A share of something, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fraction(pub f64);

/// A slow-start threshold: a window, or the maximum window.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Threshold {
    /// As large as `max_window`.
    MaxWindow,
    /// As given.
    Window(Window),
}

/// The size of a SYN: as given, or that of a full segment with its header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SynSize {
    /// A full segment with its header.
    Segment,
    /// As given.
    Size(Bytes),
}

/// Where in a tick of its clock a connection begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TickPhase(pub tcp::config::TickPhase);

/// Delayed acknowledgments: off, on with the profile's time, or on with this time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DelayedAck {
    /// An acknowledgment for each segment.
    Off,
    /// The profile's time.
    On,
    /// At most so long.
    After(Duration),
}

wire! {
    Time as "Time", Rate as "Rate", Size as "Size", Window as "Window", Floor as "Floor",
    Fraction as "Fraction",
    Threshold as "Threshold", SynSize as "SynSize", TickPhase as "TickPhase", DelayedAck as "DelayedAck",
}

const TIME_PATTERN: &str = r"^\s*(0|[0-9._+]+([eE][-+]?[0-9]+)?\s*(ps|ns|us|µs|ms|s|min|h))\s*$";
const SIZE_PATTERN: &str = r"^\s*[0-9._+]+([eE][-+]?[0-9]+)?\s*([kMGT]?B|[KMGT]iB)\s*$";
const RATE_PATTERN: &str =
    r"^\s*[0-9._+]+([eE][-+]?[0-9]+)?\s*([kMGT]?bps|[kMG]?bit/s|[kMG]b/s|[kMG]?Bps|[kMG]?B/s)\s*$";

impl Wire for Time {
    const EXPECTED: &'static str = "a time with its unit, like \"20ms\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        quantity::<Self, _>(given, parse_duration).map(Self)
    }

    fn write(&self) -> Value {
        let ps = self.0.ps();
        if ps == 0 {
            return "0s".into();
        }
        exact(ps, &[("s", 12), ("ms", 9), ("us", 6), ("ns", 3), ("ps", 0)]).into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": TIME_PATTERN, "examples": ["20ms", "1.5s"] })
    }
}

impl Wire for Rate {
    const EXPECTED: &'static str = "a rate with its unit, like \"10Mbps\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        quantity::<Self, _>(given, parse_rate).map(Self)
    }

    fn write(&self) -> Value {
        exact(self.0.bps(), &[("Gbps", 9), ("Mbps", 6), ("kbps", 3), ("bps", 0)]).into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": RATE_PATTERN, "examples": ["10Mbps", "0.3Mbps"] })
    }
}

impl Wire for Size {
    const EXPECTED: &'static str = "a size with its unit, like \"1500B\" or \"64KiB\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        quantity::<Self, _>(given, parse_bytes).map(Self)
    }

    fn write(&self) -> Value {
        format!("{}B", self.0.0).into()
    }

    fn schema() -> Value {
        json!({ "type": "string", "pattern": SIZE_PATTERN, "examples": ["1500B", "64KiB"] })
    }
}

impl Wire for Window {
    const EXPECTED: &'static str = "segments (20), a size (\"64KiB\"), or \"unlimited\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let segments = match given {
            Scalar::Integer(i) => *i as f64,
            Scalar::Number(x) => *x,
            Scalar::Bool(_) => return Err(misplaced::<Self>(given)),
            Scalar::Text("unlimited") => return Ok(Self::Unlimited),
            Scalar::Text(text) => {
                let near = nearest(text, ["unlimited"]);
                let refusal = || Refusal::new(format!("{given} is not a window"), Self::EXPECTED);
                let size = parse_bytes(text).map_err(|_| Refusal { nearest: near, ..refusal() })?;
                return Ok(Self::Size(size));
            }
        };
        if segments >= 1.0 && segments <= f64::from(u32::MAX) {
            return Ok(Self::Segments(segments));
        }
        Err(Refusal::new("a window is at least 1 segment and at most 2^32 - 1", Self::EXPECTED))
    }

    fn write(&self) -> Value {
        match self {
            Self::Segments(n) => number(*n),
            Self::Size(size) => Size(*size).write(),
            Self::Unlimited => "unlimited".into(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "number", "minimum": 1, "description": "segments" },
            { "const": "unlimited" },
            { "type": "string", "pattern": SIZE_PATTERN, "description": "bytes of payload" },
        ] })
    }
}

impl Wire for Fraction {
    const EXPECTED: &'static str = "a number from 0 to 1, like 0.5";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let value = match given {
            Scalar::Integer(i) => *i as f64,
            Scalar::Number(x) => *x,
            Scalar::Bool(_) | Scalar::Text(_) => return Err(misplaced::<Self>(given)),
        };
        if (0.0..=1.0).contains(&value) {
            return Ok(Self(value));
        }
        Err(Refusal::new(format!("{given} is out of range"), Self::EXPECTED))
    }

    fn write(&self) -> Value {
        number(self.0)
    }

    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

impl Wire for Floor {
    const EXPECTED: &'static str = "segments, 0 to 1000";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        let segments = match given {
            Scalar::Integer(i) => *i as f64,
            Scalar::Number(x) => *x,
            Scalar::Bool(_) | Scalar::Text(_) => return Err(misplaced::<Self>(given)),
        };
        if (0.0..=1000.0).contains(&segments) {
            return Ok(Self(segments));
        }
        Err(Refusal::new(format!("{given} is out of range"), Self::EXPECTED))
    }

    fn write(&self) -> Value {
        number(self.0)
    }

    fn schema() -> Value {
        json!({ "type": "number", "minimum": 0, "maximum": 1000 })
    }
}

impl Wire for Threshold {
    const EXPECTED: &'static str = "segments (20), a size (\"64KiB\"), \"max_window\", or \"unlimited\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        if let Scalar::Text("max_window") = given {
            return Ok(Self::MaxWindow);
        }
        Window::read(given).map(Self::Window).map_err(|refusal| {
            let near = match given {
                Scalar::Text(text) => nearest(text, ["unlimited", "max_window"]),
                _ => None,
            };
            Refusal { allowed: Self::EXPECTED.to_owned(), nearest: near, ..refusal }
        })
    }

    fn write(&self) -> Value {
        match self {
            Self::MaxWindow => "max_window".into(),
            Self::Window(window) => window.write(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "max_window" }, Window::schema()] })
    }
}

impl Wire for SynSize {
    const EXPECTED: &'static str = "a size (\"40B\"), or \"segment\": a full segment with its header";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        match given {
            Scalar::Text("segment") => Ok(Self::Segment),
            _ => quantity::<Self, _>(given, parse_bytes).map(Self::Size),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Segment => "segment".into(),
            Self::Size(size) => Size(*size).write(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "segment" }, Size::schema()] })
    }
}

impl Wire for TickPhase {
    const EXPECTED: &'static str = "\"random\", or a time within the tick, like \"0s\"";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        match given {
            Scalar::Text("random") => Ok(Self(tcp::config::TickPhase::Random)),
            _ => quantity::<Self, _>(given, parse_duration).map(|t| Self(tcp::config::TickPhase::At(t))),
        }
    }

    fn write(&self) -> Value {
        match self.0 {
            tcp::config::TickPhase::Random => "random".into(),
            tcp::config::TickPhase::At(time) => Time(time).write(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "const": "random" }, Time::schema()] })
    }
}

impl Wire for DelayedAck {
    const EXPECTED: &'static str = "a time (\"100ms\"), false, or true: the profile's time";

    fn read(given: &Scalar<'_>) -> Result<Self, Refusal> {
        match given {
            Scalar::Bool(on) => Ok(if *on { Self::On } else { Self::Off }),
            _ => quantity::<Self, _>(given, parse_duration)
                .map(|time| if time.is_zero() { Self::Off } else { Self::After(time) }),
        }
    }

    fn write(&self) -> Value {
        match self {
            Self::Off => false.into(),
            Self::On => true.into(),
            Self::After(time) => Time(*time).write(),
        }
    }

    fn schema() -> Value {
        json!({ "anyOf": [{ "type": "boolean" }, Time::schema()] })
    }
}
