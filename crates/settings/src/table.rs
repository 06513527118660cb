//! Tables of settings, and tables that say their `kind`.

use crate::error::{Error, join, nearest};
use crate::node::{Data, Node};
use crate::schema::Schemas;
use crate::setting::{Form, misplaced};
use serde_json::{Map, Value, json};

/// Value of a setting that the document does not give.
#[derive(Clone, PartialEq, Debug)]
pub enum Default {
    /// It has to be given; the text is an example for the error message.
    Needed(&'static str),
    /// This value.
    Value(Node),
    /// No value; the text describes it, or is empty.
    Absent(&'static str),
}

/// The keyword of a JSON Schema for the key that a setting had in the version before.
pub const WAS: &str = "x-was";

/// A setting, as it was declared.
#[derive(Clone, PartialEq, Debug)]
pub struct Field {
    /// Its key.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Source of its rule or its default; empty if it is given elsewhere.
    pub source: &'static str,
    /// Its key in the version before; empty if that is the same.
    pub was: &'static str,
    /// The values that may be written, in a word or two.
    pub value: String,
    /// The least and the greatest value, in the document's form.
    pub range: Option<(Node, Node)>,
    /// Its value if it is not given.
    pub default: Default,
    /// Its JSON Schema, for editors.
    pub schema: Value,
}

/// A struct whose fields are settings; implemented by the derive `Settings`.
pub trait Settings: Sized {
    /// Returns true if `key` is one of its settings.
    fn knows(key: &str) -> bool;

    /// Returns its settings, in order.
    fn fields(schemas: &mut Schemas) -> Vec<Field>;

    /// Reads them from `table`; a setting that it does not give is as in `base`, or has its default.
    ///
    /// # Errors
    /// If a value is refused or one that is needed is missing. Keys that it does not know are the caller's to refuse.
    fn read_fields(table: &Node, base: Option<&Self>) -> Result<Self, Error>;

    /// Writes each into `table`.
    fn write_fields(&self, table: &mut Node);
}

/// A kind that has no settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nothing;

impl Settings for Nothing {
    fn knows(_: &str) -> bool {
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

/// Returns `fields` with the values of `value` as defaults: for a struct whose settings are in the table of another.
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

/// Returns the names of the settings of `T`.
pub fn names<T: Settings>() -> Vec<&'static str> {
    T::fields(&mut Schemas::default()).iter().map(|field| field.name).collect()
}

/// Reads a table of settings; the derive implements `Setting::read` and `read_over` with it.
///
/// # Errors
/// If it is no table, has a key that `T` does not know, or a value is refused.
pub fn read<T: Settings>(node: &Node, expected: &str, base: Option<&T>) -> Result<T, Error> {
    let Data::Table(fields) = &node.data else { return Err(misplaced(node, expected)) };
    if let Some((key, _)) = fields.iter().find(|(key, _)| !T::knows(key)) {
        return Err(unknown(key, names::<T>()));
    }
    T::read_fields(node, base)
}

pub(crate) fn unknown<'a>(key: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Error {
    Error::new(key, format!("there is no key `{key}` here")).names(key, known)
}

/// Reads one setting.
///
/// # Errors
/// If it is refused, with its path.
pub fn field<T: PartialOrd, F: Form<T>>(
    node: &Node,
    key: &str,
    base: Option<&T>,
    range: Option<(T, T)>,
    allowed: &str,
) -> Result<T, Error> {
    let read = base.map_or_else(|| F::read(node), |base| F::read_over(node, base));
    read.and_then(|value| within::<T, F>(value, range, allowed)).map_err(|e| e.under(key))
}

/// Returns the value if it lies within its bounds.
///
/// # Errors
/// If it does not.
pub fn within<T: PartialOrd, F: Form<T>>(value: T, range: Option<(T, T)>, allowed: &str) -> Result<T, Error> {
    let Some((low, high)) = range else { return Ok(value) };
    if value >= low && value <= high {
        return Ok(value);
    }
    let (message, bounds) = F::out_of_range(&value, &low, &high);
    let allowed = if allowed.is_empty() { bounds } else { allowed.to_owned() };
    Err(Error::new("", message).allowed(allowed))
}

/// Checks that a document could contain the value: a value made in code obeys the bounds of files.
///
/// # Errors
/// As reading it would.
pub fn holds<T: crate::setting::Setting>(value: &T) -> Result<(), Error> {
    T::read(&value.write()).map(drop)
}

/// Reads one setting that has no bounds.
///
/// # Errors
/// If it is refused, with its path.
pub fn plain<T, F: Form<T>>(node: &Node, key: &str, base: Option<&T>) -> Result<T, Error> {
    base.map_or_else(|| F::read(node), |base| F::read_over(node, base)).map_err(|e| e.under(key))
}

/// Returns the error for a missing setting; `example` shows its form.
pub fn missing(key: &str, example: &str) -> Error {
    Error::new(key, format!("`{key}` is missing")).allowed(example)
}

/// Puts bounds into a schema; returns them in the document's form.
pub fn bounds<T, F: Form<T>>(schema: &mut Value, low: &T, high: &T) -> (Node, Node) {
    F::bounded(schema, low, high);
    (F::write(low), F::write(high))
}

/// Returns the schema of a table.
pub fn schema(fields: &[Field], about: &str) -> Value {
    let properties: Map<_, _> = fields.iter().map(|f| (f.name.to_owned(), described(f))).collect();
    let needed = fields.iter().filter(|f| matches!(f.default, Default::Needed(_))).map(|f| f.name);
    json!({
        "type": "object", "description": about, "properties": properties,
        "required": needed.collect::<Vec<_>>(), "additionalProperties": false,
    })
}

impl Field {
    /// Returns its bounds in words.
    pub fn span(&self) -> Option<String> {
        let (low, high) = self.range.as_ref()?;
        // The greatest number of the type means "any more".
        let unbounded = |n| [u64::from(u32::MAX), u64::MAX].contains(&n);
        if high.as_u64().is_some_and(unbounded) {
            return Some(format!("{low} or more"));
        }
        let longest = crate::setting::Setting::write(&base::Duration::MAX);
        // The least time means "more than none".
        if low.as_text() == Some("1ps") {
            let to = if *high == longest { String::new() } else { format!(", to {high}") };
            return Some(format!("above \"0s\"{to}"));
        }
        // So does the least number above zero.
        if low.as_f64() == Some(f64::MIN_POSITIVE) {
            return Some(format!("above 0, to {}", plain_text(high)));
        }
        Some(format!("{} to {}", plain_text(low), plain_text(high)))
    }

    /// Returns its meaning, bounds and default on one line.
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

/// Writes a value without a needless decimal point.
pub fn plain_text(node: &Node) -> String {
    node.as_f64().map_or_else(|| node.to_string(), |x| crate::setting::number(x).to_string())
}

/// Returns the kinds of a table as a list: each with `name`, `summary`, and its settings as `parameters`.
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

/// Returns the words of a choice as a list: each with `name` and `summary`.
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

/// A kind of a table, as it was declared.
#[derive(Clone, PartialEq, Debug)]
pub struct Kind {
    /// The value of `kind`.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
    /// Its settings.
    pub fields: Vec<Field>,
}

/// An enum of tables with a `kind`; implemented by the derive `Kinds`.
pub trait Kinds: Sized {
    /// The noun for messages: "queue".
    const WHAT: &'static str;
    /// Every kind there is, by name.
    const NAMES: &'static [&'static str];
    /// Returns its kinds, in order.
    fn kinds(schemas: &mut Schemas) -> Vec<Kind>;
}

/// Returns the kind of a table, which is one of `T`'s.
///
/// # Errors
/// If it is no table, or says no kind that there is.
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

/// Reads the settings of a table's kind.
///
/// # Errors
/// If there is a key that `T` does not know, or a value is refused.
pub fn of_kind<T: Settings>(node: &Node, base: Option<&T>) -> Result<T, Error> {
    if let Data::Table(fields) = &node.data
        && let Some((key, _)) = fields.iter().find(|(key, _)| &**key != "kind" && !T::knows(key))
    {
        return Err(unknown(key, names::<T>()));
    }
    T::read_fields(node, base)
}

/// Returns the schema of a table with a `kind`.
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

/// A word of a choice, as it was declared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word {
    /// The word in a document.
    pub name: &'static str,
    /// Its meaning.
    pub about: &'static str,
}

/// An enum of words; implemented by the derive `Choice`.
pub trait Choice: Sized + Copy + 'static {
    /// Every word there is, in order.
    const WORDS: &'static [Word];
    /// Every value, in the order of the words.
    const VALUES: &'static [Self];
    /// Returns the value's own word.
    fn word(self) -> &'static str;
}

/// Reads a word.
///
/// # Errors
/// If it is none of `T`'s.
pub fn choose<T: Choice>(node: &Node) -> Result<T, Error> {
    let names = T::WORDS.iter().map(|word| word.name);
    let index = node.as_text().and_then(|text| names.clone().position(|name| name == text));
    index.map_or_else(|| Err(crate::setting::not_a_choice(node, names)), |index| Ok(T::VALUES[index]))
}

/// Returns the schema of a word.
pub fn choice_schema(words: &[Word]) -> Value {
    let each = words.iter().map(|word| json!({ "const": word.name, "description": word.about }));
    json!({ "oneOf": each.collect::<Vec<_>>() })
}

/// Returns the words in quotes, for "allowed" and for pages.
pub fn quoted(words: &[Word], separator: &str) -> String {
    words.iter().map(|word| format!("\"{}\"", word.name)).collect::<Vec<_>>().join(separator)
}

/// Returns the path of `key` under `path`.
pub fn path(path: &str, key: &str) -> String {
    join(path, key)
}
