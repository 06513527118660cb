//! A document as written: values in order, each with its line number.

use crate::error::Error;
use serde::de::Deserialize;
use serde_json::Number;
use std::fmt::{self, Write};
use std::num::NonZeroU32;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A key or a text. Copies of a node share it, and so do equal ones in a document that was read from JSON.
pub type Str = Arc<str>;

/// A value of a document, with its line number. The comparison of values ignores lines.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value without its line number.
    pub data: Data,
    /// Line of the key, or of the list item, from 1; `None` if the value does not come from a file.
    pub line: Option<NonZeroU32>,
}

/// A value without its line number.
#[derive(Clone, PartialEq, Debug)]
pub enum Data {
    /// JSON's `null`, treated like an absent value.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(Str),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Vec<(Str, Node)>),
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        self.data == other.data
    }
}

impl Node {
    /// Creates an empty table.
    pub fn table() -> Self {
        Data::Table(Vec::new()).into()
    }

    /// Parses TOML.
    ///
    /// # Errors
    /// If the text is not TOML; the error has line and column.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let starts = line_starts(text);
        let table = DeTable::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start);
            syntax(text, &starts, at, e.message())
        })?;
        Ok(Lines(&starts).table(table.get_ref()).into())
    }

    /// Parses one TOML value such as `3`, `true` or `[1, 2]`; any other text, such as `vegas` or `20ms`,
    /// becomes a string.
    pub fn from_setting(text: &str) -> Self {
        let trimmed = text.trim();
        match DeValue::parse(trimmed) {
            Ok(value) => Lines(&[]).value(value.get_ref()).into(),
            Err(_) => trimmed.into(),
        }
    }

    /// Parses JSON.
    ///
    /// # Errors
    /// If the text is not JSON; the error has line and column.
    pub fn from_json(text: &str) -> Result<Self, Error> {
        serde_json::from_str(text).map_err(|e| {
            let said = e.to_string();
            let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
            let message = format!("not JSON at line {}, column {}: {what}", e.line(), e.column());
            Error { line: Some(e.line()), ..Error::new("", message) }
        })
    }

    /// Returns the document as JSON without white space, keys in their order.
    pub fn to_json(&self) -> String {
        // Every node can be written as JSON, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Returns the value of `key` in a table; `None` also if the value is null.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.data {
            Data::Table(fields) => {
                let found = fields.iter().find(|(name, _)| &**name == key);
                found.map(|(_, node)| node).filter(|node| node.data != Data::Null)
            }
            _ => None,
        }
    }

    /// Returns the value of `key` in a table for modification.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        match &mut self.data {
            Data::Table(fields) => fields.iter_mut().find(|(name, _)| &**name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// Sets `key` of a table to `value`; does nothing if `self` is not a table.
    pub fn insert(&mut self, key: &str, value: impl Into<Self>) {
        if let Data::Table(fields) = &mut self.data {
            let value = value.into();
            match fields.iter_mut().find(|(name, _)| &**name == key) {
                Some((_, node)) => *node = value,
                None => fields.push((key.into(), value)),
            }
        }
    }

    /// Returns the value of a table's key or the item of a list with index `part`. A missing key is added
    /// with the value null; if `self` is null it becomes a table.
    ///
    /// # Panics
    /// If `self` is a list without that item, or a single value.
    pub fn entry(&mut self, part: &str) -> &mut Self {
        if self.data == Data::Null {
            self.data = Data::Table(Vec::new());
        }
        match &mut self.data {
            Data::List(items) => &mut items[part.parse::<usize>().unwrap_or(usize::MAX)],
            Data::Table(fields) => {
                let at = fields.iter().position(|(name, _)| &**name == part).unwrap_or_else(|| {
                    fields.push((part.into(), Data::Null.into()));
                    fields.len() - 1
                });
                &mut fields[at].1
            }
            single => panic!("{single:?} has no entries"),
        }
    }

    /// Removes `key` from a table and returns its value.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        match &mut self.data {
            Data::Table(fields) => {
                let at = fields.iter().position(|(name, _)| &**name == key)?;
                Some(fields.remove(at).1)
            }
            _ => None,
        }
    }

    /// Returns the value at `path`: keys and indices joined by dots.
    pub fn at(&self, path: &str) -> Option<&Self> {
        let (found, rest) = self.descend(path);
        rest.is_empty().then_some(found)
    }

    /// Follows `path` as far as values exist; returns the last value and the rest of the path.
    pub fn descend<'a>(&self, path: &'a str) -> (&Self, &'a str) {
        let (mut here, mut rest) = (self, path);
        while !rest.is_empty() {
            let (part, after) = rest.split_once('.').unwrap_or((rest, ""));
            let next = match &here.data {
                Data::List(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
                Data::Table(fields) => fields.iter().find(|(name, _)| &**name == part).map(|(_, node)| node),
                _ => None,
            };
            let Some(next) = next else { break };
            (here, rest) = (next, after);
        }
        (here, rest)
    }

    /// Returns the string; `None` for other values.
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number; `None` for other values.
    pub fn as_f64(&self) -> Option<f64> {
        match &self.data {
            Data::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// Returns the number if it is an integer, written without a decimal point, and not negative; `None` for
    /// other values.
    pub fn as_u64(&self) -> Option<u64> {
        match &self.data {
            Data::Number(number) => number.as_u64(),
            _ => None,
        }
    }

    /// Returns the items of a list; `None` for other values.
    pub fn as_list(&self) -> Option<&[Self]> {
        match &self.data {
            Data::List(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the items of a list for modification; empty for other values.
    pub fn items_mut(&mut self) -> &mut [Self] {
        match &mut self.data {
            Data::List(items) => items,
            _ => &mut [],
        }
    }

    /// Returns true for an empty list or table.
    pub fn is_empty(&self) -> bool {
        match &self.data {
            Data::List(items) => items.is_empty(),
            Data::Table(fields) => fields.is_empty(),
            _ => false,
        }
    }

    /// Returns true for a table.
    pub fn is_table(&self) -> bool {
        matches!(self.data, Data::Table(_))
    }
}

/// Returns true for characters without a shape of their own, among them those that reverse the order of text and
/// zero-width ones: Unicode's Default_Ignorable_Code_Point, and U+FFF9 to U+FFFB.
pub fn invisible(c: char) -> bool {
    matches!(
        u32::from(c),
        0xad | 0x34f
            | 0x61c
            | 0x115f..=0x1160
            | 0x17b4..=0x17b5
            | 0x180b..=0x180f
            | 0x200b..=0x200f
            | 0x202a..=0x202e
            | 0x2060..=0x206f
            | 0x3164
            | 0xfe00..=0xfe0f
            | 0xfeff
            | 0xffa0
            | 0xfff0..=0xfffb
            | 0x1bca0..=0x1bca3
            | 0x1d173..=0x1d17a
            | 0xe0000..=0xe0fff
    )
}

/// Shows the value in TOML notation on one line; characters that are [`invisible`] are escaped.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.data {
            Data::Null => f.write_str("null"),
            Data::Bool(b) => write!(f, "{b}"),
            Data::Number(number) => write!(f, "{number}"),
            Data::Text(text) => {
                for c in serde_json::to_string(&**text).unwrap_or_default().chars() {
                    match u32::from(c) {
                        code @ ..=0xffff if invisible(c) => write!(f, "\\u{code:04x}")?,
                        code if invisible(c) => write!(f, "\\U{code:08x}")?,
                        _ => f.write_char(c)?,
                    }
                }
                Ok(())
            }
            Data::List(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Data::Table(fields) => {
                f.write_str("{ ")?;
                for (i, (key, value)) in fields.iter().enumerate() {
                    write!(f, "{}{key} = {value}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str(" }")
            }
        }
    }
}

impl From<Data> for Node {
    fn from(data: Data) -> Self {
        Self { data, line: None }
    }
}

macro_rules! from {
    ($($given:ty => |$value:ident| $data:expr),+ $(,)?) => {$(
        impl From<$given> for Node {
            fn from($value: $given) -> Self {
                $data.into()
            }
        }
    )+};
}

from! {
    bool => |value| Data::Bool(value),
    u32 => |value| Data::Number(value.into()),
    u64 => |value| Data::Number(value.into()),
    i64 => |value| Data::Number(value.into()),
    &str => |value| Data::Text(value.into()),
    String => |value| Data::Text(value.into()),
    Vec<Node> => |value| Data::List(value),
}

impl From<Node> for serde_json::Value {
    fn from(node: Node) -> Self {
        serde_json::to_value(node).unwrap_or_default()
    }
}

impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        Self::deserialize(value).unwrap_or_else(|_| Data::Null.into())
    }
}

/// Returns the byte offset at which each line starts.
fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect()
}

fn syntax(text: &str, starts: &[usize], at: usize, message: &str) -> Error {
    let line = starts.partition_point(|start| *start <= at);
    let start = starts[line - 1];
    let column = text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
    let given = text[start..].lines().next().unwrap_or_default().trim_end();
    let message = format!("not TOML at line {line}, column {column}: {}", message.replace('\n', ", "));
    Error { line: Some(line), ..Error::new("", message) }.given(given)
}

/// Converts TOML values to nodes. The list has the byte offset at which each line starts; it is empty if
/// nodes get no line numbers.
struct Lines<'a>(&'a [usize]);

impl Lines<'_> {
    fn at(&self, offset: usize, data: Data) -> Node {
        let line = self.0.partition_point(|start| *start <= offset);
        Node { data, line: u32::try_from(line).ok().and_then(NonZeroU32::new) }
    }

    fn table(&self, table: &DeTable<'_>) -> Data {
        let mut keys: Vec<_> = table.iter().collect();
        // The parser sorts keys by name; this restores the order of the file.
        keys.sort_by_key(|(key, _)| key.span().start);
        let entry = |(key, value): (&toml::Spanned<_>, &toml::Spanned<DeValue<'_>>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            (name.as_ref().into(), self.at(key.span().start, self.value(value.get_ref())))
        };
        Data::Table(keys.into_iter().map(entry).collect())
    }

    fn value(&self, value: &DeValue<'_>) -> Data {
        match value {
            DeValue::String(text) => Data::Text(text.as_ref().into()),
            DeValue::Boolean(b) => Data::Bool(*b),
            // A number that JSON cannot represent stays text, so that a setting of numeric type reports it as
            // an error.
            DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix())
                .map(|i| Data::Number(i.into()))
                .or_else(|_| u64::from_str_radix(i.as_str(), i.radix()).map(|i| Data::Number(i.into())))
                .unwrap_or_else(|_| Data::Text(i.to_string().into())),
            DeValue::Float(x) => match x.as_str().parse::<f64>().ok().and_then(Number::from_f64) {
                Some(number) => Data::Number(number),
                None => Data::Text(x.to_string().into()),
            },
            DeValue::Datetime(when) => Data::Text(when.to_string().into()),
            DeValue::Table(table) => self.table(table),
            DeValue::Array(items) => {
                let item = |item: &toml::Spanned<DeValue<'_>>| {
                    self.at(item.span().start, self.value(item.get_ref()))
                };
                Data::List(items.iter().map(item).collect())
            }
        }
    }
}
