//! Values of keys, and forms: ways to write a value in a document.

use crate::error::{Error, nearest};
use crate::node::{Data, Node};
use crate::schema::Schemas;
use serde_json::{Value, json};
use std::fmt::Display;
use std::sync::Arc;

/// A form in which a value of type `T` is written in a document. [`Own`] is the form of the type itself;
/// `#[setting(form = ...)]` selects another.
pub trait Form<T> {
    /// Returns a description of the allowed values, for error messages after "allowed:".
    fn expected() -> String;

    /// Returns a description of the allowed values in a word or two, for the tables of reference pages.
    fn value() -> String;

    /// Reads a value from a document.
    ///
    /// # Errors
    /// If the value is not allowed; the error names the allowed values, and its path is relative to the
    /// value.
    fn read(node: &Node) -> Result<T, Error>;

    /// Reads a value as [`Form::read`] does; in a table, settings that the document does not give are taken
    /// from `_base`.
    ///
    /// # Errors
    /// If the value is not allowed, as [`Form::read`].
    fn read_over(node: &Node, _base: &T) -> Result<T, Error> {
        Self::read(node)
    }

    /// Writes the value so that [`Form::read`] returns an equal value.
    fn write(value: &T) -> Node;

    /// Returns the JSON Schema of the allowed values.
    fn schema(schemas: &mut Schemas) -> Value;

    /// Returns two texts for a value outside `low` to `high`: the error message and the allowed values.
    fn out_of_range(value: &T, low: &T, high: &T) -> (String, String) {
        let (low, high) = (Self::write(low), Self::write(high));
        (format!("{} is out of range", Self::write(value)), format!("{low} to {high}"))
    }

    /// Adds the bounds `low` and `high` to a schema.
    fn bounded(schema: &mut Value, low: &T, high: &T) {
        let (low, high) = (Self::write(low), Self::write(high));
        if let (Data::Number(low), Data::Number(high)) = (low.data, high.data) {
            schema["minimum"] = Value::Number(low);
            schema["maximum"] = Value::Number(high);
        }
    }
}

/// A type with a form of its own. [`Own`] makes this form a [`Form`].
pub trait Setting: Sized {
    /// Implements [`Form::expected`].
    fn expected() -> String;
    /// Implements [`Form::value`].
    fn value() -> String;
    /// Implements [`Form::read`].
    ///
    /// # Errors
    /// If the value is not allowed, as [`Form::read`].
    fn read(node: &Node) -> Result<Self, Error>;
    /// Implements [`Form::read_over`].
    ///
    /// # Errors
    /// If the value is not allowed, as [`Form::read`].
    fn read_over(node: &Node, _base: &Self) -> Result<Self, Error> {
        Self::read(node)
    }
    /// Implements [`Form::write`].
    fn write(&self) -> Node;
    /// Implements [`Form::schema`].
    fn schema(schemas: &mut Schemas) -> Value;
    /// Implements [`Form::out_of_range`].
    fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
        (format!("{} is out of range", self.write()), format!("{} to {}", low.write(), high.write()))
    }
}

/// The form that the type itself has, by [`Setting`].
pub struct Own;

impl<T: Setting> Form<T> for Own {
    fn expected() -> String {
        T::expected()
    }
    fn value() -> String {
        T::value()
    }
    fn read(node: &Node) -> Result<T, Error> {
        T::read(node)
    }
    fn read_over(node: &Node, base: &T) -> Result<T, Error> {
        T::read_over(node, base)
    }
    fn write(value: &T) -> Node {
        value.write()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        T::schema(schemas)
    }
    fn out_of_range(value: &T, low: &T, high: &T) -> (String, String) {
        value.out_of_range(low, high)
    }
}

/// Returns the error for a value of the wrong type, such as `string "5" does not belong here`.
pub fn misplaced(node: &Node, expected: impl Into<String>) -> Error {
    let mut expected = expected.into();
    if let Some(text) = node.as_text()
        && expected.contains("number")
        && let Ok(number) = text.parse::<f64>()
        && (!number.is_finite() || number.abs() >= 1e18)
    {
        // A node holds a number that JSON cannot represent as text; no setting can have such a value.
        let message = format!("{text} is out of range");
        return Error::new("", message)
            .allowed(format!("{expected}; finite, at most 64 bits if it is whole"));
    }
    let given = match &node.data {
        Data::Null => "nothing (null)".to_owned(),
        Data::Bool(b) => format!("boolean `{b}`"),
        Data::Number(number) => format!("number `{number}`"),
        Data::Text(text) => {
            if expected.contains("number") {
                expected.push_str(", without quotes");
            }
            format!("string {text:?}")
        }
        Data::List(_) => "a list".to_owned(),
        Data::Table(_) => "a table".to_owned(),
    };
    Error::new("", format!("{given} does not belong here")).allowed(expected)
}

/// Returns the error for a value of the right type that is not allowed, such as `"x" does not belong here`.
pub fn unfit(node: &Node, expected: impl Into<String>) -> Error {
    match node.data {
        Data::List(_) | Data::Table(_) | Data::Null => misplaced(node, expected),
        _ => Error::new("", format!("{node} does not belong here")).allowed(expected),
    }
}

/// Returns the error for a word that is not among `names`.
pub fn not_a_choice<'a>(node: &Node, names: impl Iterator<Item = &'a str> + Clone) -> Error {
    let allowed = names.clone().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    if matches!(node.data, Data::List(_) | Data::Table(_) | Data::Null) {
        return misplaced(node, allowed);
    }
    let near = node.as_text().and_then(|text| nearest(text, names));
    Error::new("", format!("{node} is not a choice here")).allowed(allowed).near(near)
}

/// Converts a number to a node; a whole number is written without a decimal point.
pub fn number(x: f64) -> Node {
    // Below 2^53, the conversion of a whole `f64` to `i64` is exact.
    if x.fract() == 0.0 && x.abs() < 9e15 {
        return (x as i64).into();
    }
    float(x)
}

/// Returns a number as messages show it: very large and very small numbers with an exponent.
pub fn shown(x: f64) -> String {
    if x == 0.0 || (1e-6..1e16).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

/// Converts a number to a node that is written with a decimal point.
pub fn float(x: f64) -> Node {
    serde_json::Number::from_f64(x).map_or_else(|| x.to_string().into(), |x| Data::Number(x).into())
}

impl Setting for bool {
    fn expected() -> String {
        "true or false".to_owned()
    }
    fn value() -> String {
        "true, false".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match node.data {
            Data::Bool(b) => Ok(b),
            _ => Err(misplaced(node, <Self as Setting>::expected())),
        }
    }
    fn write(&self) -> Node {
        (*self).into()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "boolean" })
    }
}

macro_rules! whole {
    ($($whole:ty),+) => {$(
        impl Setting for $whole {
            fn expected() -> String {
                "a whole number, 0 or more".to_owned()
            }
            fn value() -> String {
                "whole number".to_owned()
            }
            fn read(node: &Node) -> Result<Self, Error> {
                let Some(number) = node.as_u64() else {
                    return Err(misplaced(node, <Self as Setting>::expected()));
                };
                Self::try_from(number).map_err(|_| {
                    let allowed = format!("a whole number from 0 to {}", Self::MAX);
                    Error::new("", format!("{number} is out of range")).allowed(allowed)
                })
            }
            fn write(&self) -> Node {
                // All these types have at most 64 bits, so the conversion is lossless.
                (*self as u64).into()
            }
            fn schema(_: &mut Schemas) -> Value {
                json!({ "type": "integer", "minimum": 0 })
            }
            fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
                // If the upper bound is the largest number of the type, there is no upper bound.
                let unbounded = Self::BITS >= 32 && *high == Self::MAX;
                let allowed = if unbounded { format!("at least {low}") } else { format!("{low} to {high}") };
                (format!("{self} is out of range"), allowed)
            }
        }
    )+};
}

whole!(u8, u16, u32, u64, usize);

impl Setting for f64 {
    fn expected() -> String {
        "a number".to_owned()
    }
    fn value() -> String {
        "number".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        node.as_f64().ok_or_else(|| misplaced(node, <Self as Setting>::expected()))
    }
    fn write(&self) -> Node {
        float(*self)
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "number" })
    }
    fn out_of_range(&self, low: &Self, high: &Self) -> (String, String) {
        // If the lower bound is the smallest positive number, values must be above 0.
        let allowed = if *low == Self::MIN_POSITIVE {
            format!("above 0, to {}", shown(*high))
        } else {
            format!("{} to {}", shown(*low), shown(*high))
        };
        (format!("{} is out of range", shown(*self)), allowed)
    }
}

impl Setting for String {
    fn expected() -> String {
        "a text in quotes".to_owned()
    }
    fn value() -> String {
        "text".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        node.as_text().map(str::to_owned).ok_or_else(|| misplaced(node, <Self as Setting>::expected()))
    }
    fn write(&self) -> Node {
        self.as_str().into()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({ "type": "string" })
    }
}

impl<T: Setting> Setting for Vec<T> {
    fn expected() -> String {
        "a list".to_owned()
    }
    fn value() -> String {
        format!("list of {}s", T::value())
    }
    fn read(node: &Node) -> Result<Self, Error> {
        let items = node.as_list().ok_or_else(|| misplaced(node, <Self as Setting>::expected()))?;
        let each = items.iter().enumerate();
        each.map(|(i, item)| T::read(item).map_err(|e| e.under(&i.to_string()))).collect()
    }
    fn write(&self) -> Node {
        self.iter().map(T::write).collect::<Vec<_>>().into()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        json!({ "type": "array", "items": T::schema(schemas) })
    }
}

/// An array is written as a list of exactly N values.
impl<T: Setting, const N: usize> Setting for [T; N] {
    fn expected() -> String {
        format!("a list of {N}")
    }
    fn value() -> String {
        format!("list of {N} {}s", T::value())
    }
    fn read(node: &Node) -> Result<Self, Error> {
        let each = Vec::<T>::read(node)?;
        let said = format!("{} values do not belong here", each.len());
        each.try_into().map_err(|_| Error::new("", said).allowed(<Self as Setting>::expected()))
    }
    fn write(&self) -> Node {
        self.iter().map(T::write).collect::<Vec<_>>().into()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        json!({ "type": "array", "items": T::schema(schemas), "minItems": N, "maxItems": N })
    }
}

impl<T: Setting> Setting for Box<T> {
    fn expected() -> String {
        T::expected()
    }
    fn value() -> String {
        T::value()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        T::read(node).map(Self::new)
    }
    fn write(&self) -> Node {
        T::write(self)
    }
    fn schema(schemas: &mut Schemas) -> Value {
        T::schema(schemas)
    }
}

/// A shared slice is written as a list, like a [`Vec`].
impl<T: Setting> Setting for Arc<[T]> {
    fn expected() -> String {
        Vec::<T>::expected()
    }
    fn value() -> String {
        Vec::<T>::value()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        Vec::read(node).map(Self::from)
    }
    fn write(&self) -> Node {
        self.iter().map(T::write).collect::<Vec<_>>().into()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        Vec::<T>::schema(schemas)
    }
}

/// A node stands for any value, which is kept as it is.
impl Setting for Node {
    fn expected() -> String {
        "a value".to_owned()
    }
    fn value() -> String {
        "value".to_owned()
    }
    fn read(node: &Node) -> Result<Self, Error> {
        Ok(node.clone())
    }
    fn write(&self) -> Node {
        self.clone()
    }
    fn schema(_: &mut Schemas) -> Value {
        json!({})
    }
}

/// One or more values, written as a single value or as a list.
#[derive(Clone, PartialEq, Debug)]
pub struct OneOrMore<T> {
    /// The values in order.
    pub each: Vec<T>,
    /// True if the values were written as a list, so that their paths have an index.
    pub listed: bool,
}

impl<T> Default for OneOrMore<T> {
    fn default() -> Self {
        Self { each: Vec::new(), listed: true }
    }
}

impl<T> From<Vec<T>> for OneOrMore<T> {
    fn from(each: Vec<T>) -> Self {
        Self { each, listed: true }
    }
}

impl<T> OneOrMore<T> {
    /// Returns each value with its path, which begins with `path`.
    pub fn at<'a>(&'a self, path: &'a (impl Display + ?Sized)) -> impl Iterator<Item = (String, &'a T)> {
        let place = move |i| if self.listed { format!("{path}.{i}") } else { path.to_string() };
        self.each.iter().enumerate().map(move |(i, one)| (place(i), one))
    }
}

impl<T: Setting> Setting for OneOrMore<T> {
    fn expected() -> String {
        T::expected()
    }
    fn value() -> String {
        format!("{}, or a list", T::value())
    }
    fn read(node: &Node) -> Result<Self, Error> {
        match node.data {
            Data::List(_) => Ok(Vec::read(node)?.into()),
            _ => Ok(Self { each: vec![T::read(node)?], listed: false }),
        }
    }
    fn write(&self) -> Node {
        self.each.write()
    }
    fn schema(schemas: &mut Schemas) -> Value {
        let one = T::schema(schemas);
        json!({ "anyOf": [one, { "type": "array", "items": one }] })
    }
}
