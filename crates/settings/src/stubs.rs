//! Typed dictionaries (`TypedDict`) for Python's type checkers and editors, generated from the JSON Schema of
//! settings.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Keys of settings that are reserved words of Python and so cannot be attributes of a class.
const KEYWORDS: [&str; 5] = ["from", "in", "is", "as", "with"];

/// Returns a Python module with a typed dictionary for each table of `schema`; the class of the whole
/// document is called `top`.
pub fn python(schema: &Value, top: &str) -> String {
    let mut stubs = Stubs::default();
    for (name, table) in schema["$defs"].as_object().into_iter().flatten() {
        let named = stubs.value(table, &camel(name));
        if named != camel(name) {
            stubs.aliases += &format!("{}: TypeAlias = {named:?}\n", camel(name));
        }
    }
    stubs.value(schema, top);
    let Stubs { tables, aliases, .. } = stubs;
    format!(
        "\"\"\"The tables of a scenario as typed dictionaries, written from their declarations (`make pages`).\"\"\"\n\n\
         from __future__ import annotations\n\nfrom collections.abc import Sequence\nfrom typing import Any, Literal, Required, TypeAlias, TypedDict\n\
         {tables}\n\n{aliases}"
    )
}

/// Parts of the module written so far.
#[derive(Default)]
struct Stubs {
    tables: String,
    aliases: String,
    named: BTreeSet<String>,
}

impl Stubs {
    /// Returns the Python type of a value of `schema`. Tables in it get names that begin with `name`.
    fn value(&mut self, schema: &Value, name: &str) -> String {
        if let Some(reference) = schema["$ref"].as_str() {
            return camel(reference.rsplit('/').next().unwrap_or_default());
        }
        if let Some(word) = schema["const"].as_str() {
            return format!("Literal[{word:?}]");
        }
        if let Some(words) = schema["enum"].as_array() {
            return format!("Literal[{}]", words.iter().map(Value::to_string).collect::<Vec<_>>().join(", "));
        }
        for key in ["oneOf", "anyOf"] {
            if let Some(each) = schema[key].as_array() {
                return self.union(each, name);
            }
        }
        // In `["string", "null"]` the first type counts; null means an absent value.
        let kind = schema["type"].as_str().or(schema["type"][0].as_str());
        match kind {
            Some("boolean") => "bool".to_owned(),
            Some("integer") => "int".to_owned(),
            Some("number") => "float".to_owned(),
            Some("string") => "str".to_owned(),
            Some("array") => format!("Sequence[{}]", self.value(&schema["items"], name)),
            Some("object") if schema["properties"].is_object() => self.table(schema, name),
            _ => "Any".to_owned(),
        }
    }

    fn union(&mut self, each: &[Value], name: &str) -> String {
        let mut types: Vec<String> = Vec::new();
        for one in each.iter().filter(|one| one["type"] != "null") {
            let kind = one["properties"]["kind"]["const"].as_str().map(camel).unwrap_or_default();
            let one = self.value(one, &format!("{kind}{name}"));
            if !types.contains(&one) {
                types.push(one);
            }
        }
        types.join(" | ")
    }

    /// Writes the class of a table, unless it has been written; returns the name of the class.
    fn table(&mut self, schema: &Value, name: &str) -> String {
        if !self.named.insert(name.to_owned()) {
            return name.to_owned();
        }
        let needed = |key: &str| schema["required"].as_array().is_some_and(|r| r.iter().any(|n| n == key));
        let mut fields = Vec::new();
        for (key, property) in schema["properties"].as_object().into_iter().flatten() {
            let value = self.value(property, &format!("{name}{}", camel(key)));
            let value = if needed(key) { format!("Required[{value}]") } else { value };
            fields.push((key, value));
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        let written = if fields.iter().any(|(key, _)| KEYWORDS.contains(&key.as_str())) {
            let each = fields.iter().map(|(key, value)| format!("        {key:?}: {value:?},\n"));
            let each = each.collect::<String>();
            write!(
                text,
                "\n\n{name} = TypedDict(\n    {name:?},\n    {{\n{each}    }},\n    total=False,\n)\n"
            )
        } else {
            let about = schema["description"].as_str().unwrap_or("A table.").replace('"', "'");
            let each = fields.iter().map(|(key, value)| format!("    {key}: {value}\n")).collect::<String>();
            write!(text, "\n\nclass {name}(TypedDict, total=False):\n    \"\"\"{about}\"\"\"\n\n{each}")
        };
        written.unwrap_or_default();
        self.tables += &text;
        name.to_owned()
    }
}

/// Converts `fq-codel` and `spare_acks` to `FqCodel` and `SpareAcks`.
fn camel(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn tables_kinds_and_words() {
        let schema = json!({
            "type": "object", "description": "All.", "required": ["queue"],
            "properties": { "queue": { "$ref": "#/$defs/queue" }, "from": { "type": "string" } },
            "$defs": { "queue": { "oneOf": [
                { "type": "object", "description": "First.", "properties": { "kind": { "const": "a-b" }, "room": { "type": "integer" } },
                  "required": ["kind"] },
                { "const": "none" },
            ] } },
        });
        let text = python(&schema, "File");
        assert!(text.contains(
            "class ABQueue(TypedDict, total=False):\n    \"\"\"First.\"\"\"\n\n    kind: Required[Literal[\"a-b\"]]\n    room: int\n"
        ), "{text}");
        assert!(text.contains("Queue: TypeAlias = \"ABQueue | Literal[\\\"none\\\"]\"\n"), "{text}");
        assert!(
            text.contains("        \"queue\": \"Required[Queue]\",\n        \"from\": \"str\",\n"),
            "{text}"
        );
    }
}
