//! A scenario as raw text became it: keys in their order, lines remembered, single values settable by path.
//!
//! It is kept as text: a tree of values takes ten times the room, and a run or a batch of jobs keeps its documents.

use super::decode::decode_text;
use super::{check, files, text, wire};
use crate::model;
use crate::scenario::ScenarioError;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A scenario document: what a file says, before any check.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// JSON without white space; copies of the document share it.
    json: Arc<str>,
    /// Line of each key or list item by path; empty where the document came from JSON.
    lines: BTreeMap<String, usize>,
    /// Paths that were set after reading: no line of the file says what they hold.
    settings: Vec<String>,
}

impl Document {
    /// Reads TOML.
    ///
    /// # Errors
    /// Where the text is not TOML, with line and column.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        let table = DeTable::parse(text).map_err(|e| {
            let at = e.span().map_or(0, |span| span.start);
            syntax("TOML", text, at, e.message())
        })?;
        let mut reader = TomlReader { starts: line_starts(text), lines: BTreeMap::new() };
        let value = reader.table(table.get_ref(), "");
        Ok(Self { json: value.to_string().into(), lines: reader.lines, settings: Vec::new() })
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// Where the text is not JSON, with line and column.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        if let Ok(json) = text::compact(text)
            && json.starts_with('{')
        {
            return Ok(Self { json: json.into(), lines: BTreeMap::new(), settings: Vec::new() });
        }
        // What is wrong with it, if anything, the tree of values tells better.
        let value: Value = serde_json::from_str(text).map_err(|e| {
            let said = e.to_string();
            let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
            let message = format!("not JSON at line {}, column {}: {what}", e.line(), e.column());
            ScenarioError { line: Some(e.line()), ..ScenarioError::new("", message) }
        })?;
        if !value.is_object() {
            return Err(ScenarioError::new("", "a scenario is a table").given(show(&value)));
        }
        Ok(Self { json: value.to_string().into(), lines: BTreeMap::new(), settings: Vec::new() })
    }

    /// The raw value.
    pub fn value(&self) -> Value {
        // Written from a value: it parses.
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// Sets one value, as `--set PATH=VALUE` does. Tables on the way that do not exist yet are made; list items are not.
    /// The value is read as a TOML value, and as bare text where it is none: `vegas`, `20ms`, `3`, `true`, `[1, 2]`.
    ///
    /// # Errors
    /// Where the path leads through a list to an item that is not there, or through a single value.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), ScenarioError> {
        self.set_all([(path, text)])
    }

    /// Sets values one after another, as [`Document::set`] does one; the text is read and written just once.
    ///
    /// # Errors
    /// As [`Document::set`]; then none is set.
    pub fn set_all<'a>(
        &mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), ScenarioError> {
        let mut value = self.value();
        let mut paths = Vec::new();
        for (path, text) in settings {
            let parts: Vec<&str> = path.split('.').map(str::trim).collect();
            if parts.iter().any(|p| p.is_empty()) {
                return Err(
                    ScenarioError::new(path, "not a path").allowed("names and numbers: flow.0.tcp.variant")
                );
            }
            if let Err(error) = reachable(&value, &parts) {
                return Err(error.given(format!("{path}={text}")));
            }
            *reach(&mut value, &parts) = setting(text);
            paths.push(parts.join("."));
        }
        self.json = value.to_string().into();
        self.settings.append(&mut paths);
        Ok(())
    }

    /// Reads the files that it names (rate and loss traces), relative to `folder`: their content becomes part of the document,
    /// which needs them no more.
    ///
    /// # Errors
    /// Where one cannot be read, or makes no sense: its name and the line.
    pub fn read_files(&mut self, folder: &Path) -> Result<(), ScenarioError> {
        let mut value = self.value();
        if files::read(&mut value, folder).map_err(|e| self.locate(e))? {
            self.json = value.to_string().into();
        }
        Ok(())
    }

    /// The document as JSON in its one spelling: keys sorted, no white space, no defaults filled in.
    pub fn canonical_json(&self) -> String {
        text::sorted(&self.json)
    }

    /// A copy that knows no lines and no settings: what a run was.
    pub(crate) fn bare(&self) -> Self {
        Self { json: Arc::clone(&self.json), lines: BTreeMap::new(), settings: Vec::new() }
    }

    /// Checks all of it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<model::Scenario, ScenarioError> {
        self.file().and_then(|file| check::scenario(&file)).map_err(|e| self.locate(e))
    }

    /// The typed file.
    fn file(&self) -> Result<wire::File, ScenarioError> {
        decode_text(&self.json).map_err(|e| top_level(e, &self.value()))
    }

    /// Adds what only the document knows: the value at the path, and its line.
    fn locate(&self, mut error: ScenarioError) -> ScenarioError {
        if error.given.is_empty() {
            error.given = at(&self.value(), &error.path).map(show).unwrap_or_default();
        }
        let path = error.path.as_str();
        let inside =
            |set: &String| path == set || path.strip_prefix(set.as_str()).is_some_and(|r| r.starts_with('.'));
        if !self.settings.iter().any(inside) {
            error.line = ancestors(path).find_map(|p| self.lines.get(p)).copied();
        }
        error
    }
}

/// `path`, then each path that it lies under.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |p| p.rsplit_once('.').map(|(parent, _)| parent))
}

/// The value at `path`.
fn at<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    if path.is_empty() {
        return None;
    }
    path.split('.').try_fold(value, |here, part| match here {
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        Value::Object(fields) => fields.get(part),
        _ => None,
    })
}

/// `[link]` for `[[link]]`: says how a list of tables is written.
fn top_level(error: ScenarioError, value: &Value) -> ScenarioError {
    let lists = ["node", "link", "flow", "event"];
    if lists.contains(&error.path.as_str()) && value.get(&error.path).is_some_and(|v| !v.is_array()) {
        let path = error.path;
        let message = format!("`{path}` is a list of tables");
        return ScenarioError::new(path.clone(), message)
            .allowed(format!("[[{path}]] before each, in double brackets"));
    }
    error
}

/// Whether a setting's path leads somewhere: through tables and existing items of lists, and tables yet to be made.
fn reachable(value: &Value, parts: &[&str]) -> Result<(), ScenarioError> {
    let mut here = Some(value).filter(|v| !v.is_null());
    for (depth, part) in parts.iter().enumerate() {
        let so_far = parts[..depth].join(".");
        let within = if so_far.is_empty() { "the scenario" } else { so_far.as_str() };
        let number = part.parse::<usize>();
        here = match (here, number) {
            (Some(Value::Object(fields)), Err(_)) => fields.get(*part),
            (None, Err(_)) => None,
            (Some(Value::Array(items)), Ok(index)) if index < items.len() => items.get(index),
            (Some(Value::Array(items)), number) => {
                let there = match items.len() {
                    0 => "it is empty".to_owned(),
                    1 => "it has 1 item, number 0".to_owned(),
                    n => format!("it has {n} items, numbers 0 to {}", n - 1),
                };
                let message = match number {
                    Ok(index) => format!("`{within}` has no item {index}"),
                    Err(_) => {
                        format!("`{within}` is a list: the next part of the path is a number, not `{part}`")
                    }
                };
                return Err(ScenarioError::new(so_far, message).allowed(there));
            }
            (Some(Value::Object(_)), Ok(index)) => {
                return Err(ScenarioError::new(
                    &so_far,
                    format!("`{within}` is a table: it has no item {index}"),
                ));
            }
            (None, Ok(index)) => {
                return Err(ScenarioError::new(
                    &so_far,
                    format!("`{within}` is not there: it has no item {index}"),
                ));
            }
            (Some(single), _) => {
                let message = format!("`{within}` is a single value ({}): it has no `{part}`", show(single));
                return Err(ScenarioError::new(so_far, message));
            }
        }
        .filter(|v| !v.is_null());
    }
    Ok(())
}

/// The place that a path leads to, which [`reachable`] has found to lead somewhere.
fn reach<'a>(value: &'a mut Value, parts: &[&str]) -> &'a mut Value {
    parts.iter().fold(value, |here, part| {
        if here.is_null() {
            *here = Value::Object(Map::new());
        }
        match here {
            Value::Array(items) => &mut items[part.parse::<usize>().unwrap_or_default()],
            // Indexing a table by a name makes the entry.
            table => &mut table[*part],
        }
    })
}

/// The value of a setting.
fn setting(text: &str) -> Value {
    let trimmed = text.trim();
    match DeValue::parse(trimmed) {
        Ok(value) => TomlReader { starts: Vec::new(), lines: BTreeMap::new() }.value(value.get_ref(), ""),
        Err(_) => Value::String(trimmed.to_owned()),
    }
}

/// A value as TOML would show it on one line.
pub(super) fn show(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let each: Vec<_> = fields.iter().map(|(k, v)| format!("{k} = {}", show(v))).collect();
            format!("{{ {} }}", each.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(", ")),
        scalar => scalar.to_string(),
    }
}

/// Byte offsets at which lines start.
fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(i, _)| i + 1)).collect()
}

fn syntax(what: &str, text: &str, at: usize, message: &str) -> ScenarioError {
    let starts = line_starts(text);
    let line = starts.partition_point(|start| *start <= at);
    let start = starts[line - 1];
    let column = text.get(start..at).map_or(0, |before| before.chars().count()) + 1;
    let given = text[start..].lines().next().unwrap_or_default().trim_end();
    let message = format!("not {what} at line {line}, column {column}: {}", message.replace('\n', ", "));
    ScenarioError { line: Some(line), ..ScenarioError::new("", message).given(given) }
}

/// Makes raw values of TOML, and notes on which line each began.
struct TomlReader {
    starts: Vec<usize>,
    lines: BTreeMap<String, usize>,
}

impl TomlReader {
    fn note(&mut self, path: &str, offset: usize) {
        let line = self.starts.partition_point(|start| *start <= offset);
        self.lines.insert(path.to_owned(), line);
    }

    fn table(&mut self, table: &DeTable<'_>, path: &str) -> Value {
        let mut keys: Vec<_> = table.iter().collect();
        // The parser sorts keys by name; the file's order is that of their places.
        keys.sort_by_key(|(key, _)| key.span().start);
        let mut fields = Map::new();
        for (key, value) in keys {
            let name = key.get_ref().as_ref();
            let inner = settings::error::join(path, name);
            self.note(&inner, key.span().start);
            fields.insert(name.to_owned(), self.value(value.get_ref(), &inner));
        }
        Value::Object(fields)
    }

    fn value(&mut self, value: &DeValue<'_>, path: &str) -> Value {
        match value {
            DeValue::String(text) => Value::String(text.to_string()),
            DeValue::Boolean(b) => Value::Bool(*b),
            // What no number of JSON can hold stays text, and is refused where a number belongs.
            DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix())
                .map(Value::from)
                .or_else(|_| u64::from_str_radix(i.as_str(), i.radix()).map(Value::from))
                .unwrap_or_else(|_| Value::String(i.to_string())),
            DeValue::Float(x) => match x.as_str().parse::<f64>() {
                Ok(number) if number.is_finite() => Value::from(number),
                _ => Value::String(x.to_string()),
            },
            DeValue::Datetime(when) => Value::String(when.to_string()),
            DeValue::Table(table) => self.table(table, path),
            DeValue::Array(items) => {
                let each = items.iter().enumerate().map(|(index, item)| {
                    let inner = settings::error::join(path, &index.to_string());
                    self.note(&inner, item.span().start);
                    self.value(item.get_ref(), &inner)
                });
                Value::Array(each.collect())
            }
        }
    }
}
