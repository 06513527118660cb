//! Tables of settings, and tables with a `kind`.

use crate::error::{Error, join, nearest};
use crate::node::{Data, Node};
use crate::schema::Schemas;
use crate::setting::{Form, misplaced};
use serde_json::{Map, Value, json};
use std::ops::RangeInclusive;

/// Value of a setting that a document does not give.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// The setting must be given; the text is an example for the error message.
    Needed(&'static str),
    /// The default value.
    Value(Node),
    /// The setting has no value; the text describes what applies then, or is empty.
    Absent(&'static str),
}

/// Keyword in a JSON Schema for the key of a setting in the previous version.
pub const WAS: &str = "x-was";

/// Declaration of a setting.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Key of the setting.
    pub name: &'static str,
    /// Doc comment of the setting, for reference pages and schemas.
    pub about: &'static str,
    /// Source of the setting or its default; empty if none is named.
    pub source: &'static str,
    /// Key in the previous version; empty if unchanged.
    pub was: &'static str,
    /// Description of the allowed values in a word or two.
    pub value: String,
    /// Least and greatest allowed value, as written in documents.
    pub range: Option<(Node, Node)>,
    /// Value if the setting is not given.
    pub default: Default,
    /// JSON Schema of the value.
    pub schema: Value,
}

/// A struct whose fields are settings; the derive `Settings` implements it.
pub trait Settings: Sized {
    /// Calls `test` with the key of each setting, in order, until it returns true; returns true if it did.
    fn any_key(test: &mut dyn FnMut(&'static str) -> bool) -> bool;

    /// Returns true if `key` is a setting of the struct.
    fn knows(key: &str) -> bool {
        Self::any_key(&mut |own| own == key)
    }

    /// Returns the declarations of the settings, in order, for schemas and pages. Runs do with their keys: the code
    /// of the declarations is then not in a program that only reads scenarios.
    fn fields(schemas: &mut Schemas) -> Vec<Field>;

    /// Reads the settings from `table`. A setting that `table` does not have is taken from `base`, or has its
    /// default if there is no `base`.
    ///
    /// # Errors
    /// If a value is not allowed or a needed one is missing. Unknown keys are ignored; [`read`] checks them.
    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error>;

    /// Writes each setting into `table`.
    fn write_fields(&self, table: &mut Node);
}

/// Settings of a kind that has no settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nothing;

impl Settings for Nothing {
    fn any_key(_: &mut dyn FnMut(&'static str) -> bool) -> bool {
        false
    }
    fn fields(_: &mut Schemas) -> Vec<Field> {
        Vec::new()
    }
    fn read_fields(_: &Node, _: Option<&Self>) -> Result<Self, Error> {
        Ok(Self)
    }
    fn write_fields(&self, _: &mut Node) {}
}

/// Returns `fields` with their defaults replaced by the values in `value`; used for a struct that is
/// flattened into another.
pub fn with_defaults<T: Settings>(mut fields: Vec<Field>, value: &T) -> Vec<Field> {
    let mut table = Node::table();
    value.write_fields(&mut table);
    for field in &mut fields {
        if let Some(value) = table.get(field.name) {
            field.default = Default::Value(value.clone());
        }
    }
    fields
}

/// Returns the keys of the settings of `T`.
pub fn names<T: Settings>() -> Vec<&'static str> {
    names_of(T::any_key)
}

/// [`Settings::any_key`] of a struct.
type AnyKey = fn(&mut dyn FnMut(&'static str) -> bool) -> bool;

fn names_of(any_key: AnyKey) -> Vec<&'static str> {
    let mut names = Vec::new();
    any_key(&mut |name| {
        names.push(name);
        false
    });
    names
}

/// Returns an error if `node` is a table with a key that is neither a setting nor `other`.
fn refuse_unknown(node: &Node, other: Option<&str>, any_key: AnyKey) -> Result<(), Error> {
    let Data::Table(fields) = &node.data else { return Ok(()) };
    match fields.iter().find(|(key, _)| Some(&**key) != other && !any_key(&mut |own| *own == **key)) {
        Some((key, _)) => Err(unknown(key, names_of(any_key))),
        None => Ok(()),
    }
}

/// Reads a table of settings, as [`Settings::read_fields`] does; `expected` describes the table in the error
/// for another type of value. The derive implements `Setting::read` and `read_over` with it.
///
/// # Errors
/// If `node` is not a table, has an unknown key, or a value is not allowed.
pub fn read<T: Settings>(node: &Node, expected: &str, base: Option<&T>) -> Result<T, Error> {
    if !node.is_table() {
        return Err(misplaced(node, expected));
    }
    refuse_unknown(node, None, T::any_key)?;
    T::read_fields(node, base)
}

pub(crate) fn unknown(key: &str, known: Vec<&str>) -> Error {
    Error::new(key, format!("there is no key `{key}` here")).names(key, known)
}

/// Returns the field for the setting `key` of `table`, a value of type `T` in form `F`; the field is a `T` or an
/// `Option<T>`. A setting that `table` does not have is taken from `base`, or is `absent()` if there is no `base`.
/// `inner` returns the value of the base's field, and `check` refuses values out of bounds.
///
/// # Errors
/// If the value is not allowed; the error has its path.
// Not inlined, and its last arguments are functions, so that a program has one copy for each type, not for each setting.
#[inline(never)]
pub fn field<T, V: From<T> + Clone, F: Form<T>>(
    table: &Node,
    key: &str,
    base: Option<&V>,
    inner: fn(&V) -> Option<&T>,
    check: fn(T) -> Result<T, Error>,
    absent: fn() -> Result<V, Error>,
) -> Result<V, Error> {
    let Some(node) = table.get(key) else { return base.map_or_else(absent, |base| Ok(base.clone())) };
    let value = base.and_then(inner).map_or_else(|| F::read(node), |base| F::read_over(node, base));
    value.and_then(check).map(V::from).map_err(|error| error.under(key))
}

/// Returns `value` if it is within `range`. `allowed` replaces the description of the bounds in the error if it is not
/// empty.
///
/// # Errors
/// If the value is out of range.
#[inline(never)]
pub fn within<T: PartialOrd, F: Form<T>>(
    value: T,
    range: RangeInclusive<T>,
    allowed: &str,
) -> Result<T, Error> {
    let (low, high) = range.into_inner();
    if value >= low && value <= high {
        return Ok(value);
    }
    let (message, bounds) = F::out_of_range(&value, &low, &high);
    let allowed = if allowed.is_empty() { bounds } else { allowed.to_owned() };
    Err(Error::new("", message).allowed(allowed))
}

/// Checks that `value` could be read from a document. A value created in code must be within the same bounds.
///
/// # Errors
/// The error of reading the value.
pub fn holds<T: crate::setting::Setting>(value: &T) -> Result<(), Error> {
    T::read(&value.write()).map(drop)
}

/// Reads the setting `key`, which has no bounds, in form `F` and over `base`.
///
/// # Errors
/// If the value is not allowed; the error has its path.
pub fn plain<T, F: Form<T>>(node: &Node, key: &str, base: Option<&T>) -> Result<T, Error> {
    base.map_or_else(|| F::read(node), |base| F::read_over(node, base)).map_err(|e| e.under(key))
}

/// Returns the error for a missing setting; `example` is shown as an allowed value.
pub fn missing(key: &str, example: &str) -> Error {
    Error::new(key, format!("`{key}` is missing")).allowed(example)
}

/// Adds bounds to a schema; returns the bounds as written in documents.
pub fn bounds<T, F: Form<T>>(schema: &mut Value, low: &T, high: &T) -> (Node, Node) {
    F::bounded(schema, low, high);
    (F::write(low), F::write(high))
}

/// Returns the schema of a table with these settings; `about` is its description.
pub fn schema(fields: &[Field], about: &str) -> Value {
    let properties: Map<_, _> = fields.iter().map(|f| (f.name.to_owned(), described(f))).collect();
    let needed = fields.iter().filter(|f| matches!(f.default, Default::Needed(_))).map(|f| f.name);
    json!({
        "type": "object", "description": about, "properties": properties,
        "required": needed.collect::<Vec<_>>(), "additionalProperties": false,
    })
}

impl Field {
    /// Returns a description of the bounds; `None` if there are none.
    pub fn span(&self) -> Option<String> {
        let (low, high) = self.range.as_ref()?;
        // If the upper bound is the largest number of the type, there is no upper bound.
        let unbounded = |n| [u64::from(u32::MAX), u64::MAX].contains(&n);
        if high.as_u64().is_some_and(unbounded) {
            return Some(format!("{low} or more"));
        }
        if *high == crate::setting::Setting::write(&base::Duration::MAX) {
            return Some(format!("{low} or more"));
        }
        // If the lower bound is the smallest positive number, values are above 0.
        if low.as_f64() == Some(f64::MIN_POSITIVE) {
            return Some(format!("above 0, to {}", plain_text(high)));
        }
        Some(format!("{} to {}", plain_text(low), plain_text(high)))
    }

    /// Returns description, bounds and default on one line.
    pub fn summary(&self) -> String {
        let range = self.span().map(|span| format!(", {span}")).unwrap_or_default();
        let default = match &self.default {
            Default::Value(value) => format!("; default {}", plain_text(value)),
            Default::Absent(said) if !said.is_empty() => format!("; default {said}"),
            _ => String::new(),
        };
        format!("{}{range}{default}.", self.about.trim_end_matches('.'))
    }
}

/// Returns a value as text; a whole number has no decimal point.
pub fn plain_text(node: &Node) -> String {
    node.as_f64().map_or_else(|| node.to_string(), |x| crate::setting::number(x).to_string())
}

/// Returns the kinds of `T` as a JSON list: each with `name`, `summary`, and its settings as `parameters`.
pub fn listed<T: Kinds>() -> Value {
    let parameter = |field: &Field| {
        let needed = matches!(field.default, Default::Needed(_));
        json!({ "name": field.name, "summary": field.summary(), "required": needed })
    };
    let one = |kind: &Kind| {
        let parameters: Vec<_> = kind.fields.iter().map(parameter).collect();
        json!({ "name": kind.name, "summary": kind.about, "parameters": parameters })
    };
    T::kinds(&mut Schemas::default()).iter().map(one).collect()
}

/// Returns the words of `T` as a JSON list: each with `name` and `summary`.
pub fn listed_words<T: Choice>() -> Value {
    T::WORDS.iter().map(|word| json!({ "name": word.name, "summary": word.about })).collect()
}

fn described(field: &Field) -> Value {
    let mut schema = field.schema.clone();
    schema["description"] = field.summary().into();
    if !field.was.is_empty() {
        schema[WAS] = field.was.into();
    }
    if let Default::Value(value) = &field.default {
        schema["default"] = value.clone().into();
    }
    schema
}

/// Declaration of a kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// Value of the key `kind`.
    pub name: &'static str,
    /// Doc comment of the kind's variant, for reference pages and schemas.
    pub about: &'static str,
    /// Settings of the kind.
    pub fields: Vec<Field>,
}

/// An enum for a table with a `kind`, one variant per kind; the derive `Kinds` implements it.
pub trait Kinds: Sized {
    /// Noun for error messages, such as "queue".
    const WHAT: &'static str;
    /// Names of all kinds, in order.
    const NAMES: &'static [&'static str];
    /// Returns the keys of the settings of the kind called `name`; none if there is no such kind.
    fn keys(name: &str) -> Vec<&'static str>;
    /// Returns the declarations of the kinds, in order.
    fn kinds(schemas: &mut Schemas) -> Vec<Kind>;
}

/// Returns the value of the table's key `kind`, which is one of the names of `T`.
///
/// # Errors
/// If `node` is not a table, or its `kind` is missing or unknown.
pub fn kind<T: Kinds>(node: &Node) -> Result<&str, Error> {
    let list = || T::NAMES.iter().map(|k| format!("\"{k}\"")).collect::<Vec<_>>().join(", ");
    if !node.is_table() {
        let said = match node.as_text() {
            Some(text) if T::NAMES.contains(&text) => format!("write {{ kind = \"{text}\" }}"),
            _ => format!("a table with a kind: {{ kind = \"{}\", ... }}", T::NAMES[0]),
        };
        return Err(Error::new("", "a table belongs here").allowed(said));
    }
    let Some(kind) = node.get("kind") else { return Err(missing("kind", &list())) };
    let Some(kind) = kind.as_text() else {
        return Err(Error::new("kind", "a kind is a text in quotes").allowed(list()));
    };
    if T::NAMES.contains(&kind) {
        return Ok(kind);
    }
    Err(Error::new("kind", format!("there is no {} \"{kind}\"", T::WHAT))
        .allowed(list())
        .near(nearest(kind, T::NAMES.iter().copied())))
}

/// Reads the settings of a table's kind, over `base`; the key `kind` is skipped.
///
/// # Errors
/// If there is an unknown key, or a value is not allowed.
pub fn of_kind<T: Settings>(node: &Node, base: Option<&T>) -> Result<T, Error> {
    refuse_unknown(node, Some("kind"), T::any_key)?;
    T::read_fields(node, base)
}

/// Returns the schema of a table with one of these kinds.
pub fn kinds_schema(kinds: &[Kind]) -> Value {
    let one = |kind: &Kind| {
        let mut schema = schema(&kind.fields, kind.about);
        schema["properties"]["kind"] = json!({ "const": kind.name });
        if let Some(required) = schema["required"].as_array_mut() {
            required.push("kind".into());
        }
        schema
    };
    json!({ "oneOf": kinds.iter().map(one).collect::<Vec<_>>() })
}

/// Declaration of a word that a setting can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word as written in documents.
    pub name: &'static str,
    /// Doc comment of the word's variant, for reference pages and schemas.
    pub about: &'static str,
}

/// An enum of the words that a setting can have; the derive `Choice` implements it.
pub trait Choice: Sized + Copy + 'static {
    /// Declarations of all words, in order.
    const WORDS: &'static [Word];
    /// All values, in the order of `WORDS`.
    const VALUES: &'static [Self];
    /// Returns the value's word.
    fn word(self) -> &'static str;
}

/// Reads a word of `T`.
///
/// # Errors
/// If `node` is not a word of `T`.
pub fn choose<T: Choice>(node: &Node) -> Result<T, Error> {
    let names = T::WORDS.iter().map(|word| word.name);
    let index = node.as_text().and_then(|text| names.clone().position(|name| name == text));
    index.map_or_else(|| Err(crate::setting::not_a_choice(node, names)), |index| Ok(T::VALUES[index]))
}

/// Returns the schema that accepts one of these words.
pub fn choice_schema(words: &[Word]) -> Value {
    let each = words.iter().map(|word| json!({ "const": word.name, "description": word.about }));
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

/// Returns the words in quotes, joined by `separator`.
pub fn quoted(words: &[Word], separator: &str) -> String {
    words.iter().map(|word| format!("\"{}\"", word.name)).collect::<Vec<_>>().join(separator)
}

/// Returns the path of `key` in the table at `path`.
pub fn path(path: &str, key: &str) -> String {
    join(path, key)
}
