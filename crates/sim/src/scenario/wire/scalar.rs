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

wire! { Time as "Time", Rate as "Rate", Size as "Size" }

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
