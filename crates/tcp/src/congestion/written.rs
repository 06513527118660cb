//! Reading and writing of the parameters of controls, which are numbers or words.

use super::{Algorithm, Control, Custom, Parameter};
use settings::setting::{float, misplaced, not_a_choice};
use settings::{
    Data, Error, Node,
    schema::{Json, json},
};
use std::collections::BTreeMap;

impl Default for Control {
    /// Returns Reno with default parameters.
    fn default() -> Self {
        Self::Reno(super::reno::Config::new(&|name| super::reno::ALGORITHM.default_of(name)))
    }
}

impl Control {
    /// Reads a control: `custom`, or if `None` the registered control called `name`. Its parameters are given
    /// by `tables`; a later table overrides an earlier one.
    ///
    /// # Errors
    /// If the control does not have a parameter of a table, or a value is not allowed.
    ///
    /// # Panics
    /// If no control called `name` is registered, which is a bug of the caller.
    pub(crate) fn read(name: &str, custom: Option<&Custom>, tables: &[&Node]) -> Result<Self, Error> {
        if let Some(custom) = custom {
            let values = given(custom.algorithm(), tables)?;
            return Ok(Self::Custom(custom.with(&values)));
        }
        let algorithm = Self::ALL.iter().find(|a| a.name == name).expect("the control is registered");
        let values = given(algorithm, tables)?;
        Ok(Self::by_name(name, &values).expect("the control is registered"))
    }

    /// Returns a table of all parameters with their values.
    pub(crate) fn write(&self) -> Node {
        let mut table = Node::table();
        for (parameter, value) in self.algorithm().parameters.iter().zip(self.values()) {
            table.insert(parameter.name, parameter.write(value));
        }
        table
    }
}

/// Returns the parameters in `tables` with their values; the value of a word is its index among the
/// parameter's words.
fn given(algorithm: &Algorithm, tables: &[&Node]) -> Result<Vec<(String, f64)>, Error> {
    let name = algorithm.name;
    let mut values = Vec::new();
    for table in tables {
        let Data::Table(fields) = &table.data else { continue };
        for (key, value) in fields {
            let Some(parameter) = algorithm.parameters.iter().find(|p| *p.name == **key) else {
                let names = algorithm.parameters.iter().map(|p| p.name);
                let message = format!("congestion control {name} has no parameter `{key}`");
                return Err(Error::new(&**key, message).names(key, names));
            };
            values.push((key.to_string(), parameter.read(value).map_err(|e| e.under(key))?));
        }
    }
    Ok(values)
}

/// Words for the control's form in Linux 6.12, and for its form in ns-2's TCP-Linux, which the previous
/// version called `linux`.
const LINUX: &str = "linux";
const TCP_LINUX: &str = "tcp-linux";

/// Returns the error for `form = "linux"` if the control has the form of TCP-Linux but not that of Linux
/// 6.12.
fn reserved(node: &Node, parameter: &Parameter) -> Option<Error> {
    let words = parameter.choices;
    if node.as_text() != Some(LINUX) || words.contains(&LINUX) || !words.contains(&TCP_LINUX) {
        return None;
    }
    let message = "\"linux\" is kept for Linux 6.12, whose form this control does not have; \
                   ns-2's TCP-Linux, which it once meant, is \"tcp-linux\"";
    Some(Error::new("", message).names(TCP_LINUX, words.iter().copied()).near(Some(TCP_LINUX.to_owned())))
}

impl Parameter {
    /// Reads the parameter's value, which is a number or a word; returns a word's index.
    fn read(&self, node: &Node) -> Result<f64, Error> {
        let words = self.choices.iter().copied();
        if !self.choices.is_empty() {
            let index = words.clone().position(|word| node.as_text() == Some(word));
            return index
                .map(|i| i as f64)
                .ok_or_else(|| reserved(node, self).unwrap_or_else(|| not_a_choice(node, words)));
        }
        let number = node.as_f64().ok_or_else(|| misplaced(node, "a number"))?;
        if (self.min..=self.max).contains(&number) {
            return Ok(number);
        }
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Err(Error::new("", format!("{number} is out of range"))
            .allowed(format!("{} to {}{unit}", self.min, self.max)))
    }

    fn write(&self, value: f64) -> Node {
        self.choices.get(value as usize).map_or_else(|| float(value), |word| (*word).into())
    }

    /// Returns the parameter's JSON schema, and a description that begins with `algorithm`.
    fn describe(&self, algorithm: &str) -> (Json, String) {
        let default =
            self.choices.get(self.default as usize).map_or(self.default.to_string(), |w| format!("{w:?}"));
        let unit = if self.unit.is_empty() { String::new() } else { format!(" ({})", self.unit) };
        let about = format!("{algorithm}: {}{unit}, default {default}", self.summary);
        if self.choices.is_empty() {
            return (json!({ "type": "number", "minimum": self.min, "maximum": self.max }), about);
        }
        (json!({ "enum": self.choices }), about)
    }
}

/// Returns the JSON schema of the parameters of all controls.
pub(crate) fn schema() -> Json {
    let mut properties: BTreeMap<&str, (Vec<Json>, String)> = BTreeMap::new();
    for algorithm in Control::ALL {
        for parameter in algorithm.parameters {
            let (one, about) = parameter.describe(algorithm.name);
            // If several controls have a parameter of the same name, the schema allows the values of all.
            let (allowed, text) = properties.entry(parameter.name).or_default();
            if !allowed.contains(&one) {
                allowed.push(one);
            }
            *text = if text.is_empty() { about } else { format!("{text}; {about}") };
        }
    }
    let mut schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    for (name, (allowed, text)) in properties {
        schema["properties"][name] = json!({ "anyOf": allowed, "description": text });
    }
    schema
}
