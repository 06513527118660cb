//! A scenario document: what a file says, before any check; single values settable by path.

use super::{ScenarioError, check, files, wire};
use crate::model;
use settings::node::Data;
use settings::{Node, Setting, nearest};
use std::path::Path;
use std::sync::Arc;

/// Names of a path at most: far more than any table has.
const DEEPEST: usize = 32;

/// A scenario document: what a file says, before any check. Copies share it.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    root: Arc<Node>,
}

impl Document {
    /// Reads TOML.
    ///
    /// # Errors
    /// Where the text is not TOML, with line and column.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        Node::from_toml(text).map(|root| Self { root: root.into() })
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// Where the text is not JSON, with line and column.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        let root = Node::from_json(text)?;
        if root.is_table() {
            return Ok(Self { root: root.into() });
        }
        Err(ScenarioError::new("", "a scenario is a table").given(root.to_string()))
    }

    /// The document as JSON, keys in the order of the file.
    pub fn to_json(&self) -> String {
        self.root.to_json()
    }

    /// The document as JSON in its one spelling: keys sorted, no white space, no defaults filled in.
    pub fn canonical_json(&self) -> String {
        self.root.sorted().to_json()
    }

    /// Sets one value, as `--set PATH=VALUE` does. Tables on the way that do not exist yet are made; list items are not.
    /// The value is read as a TOML value, and as bare text where it is none: `vegas`, `20ms`, `3`, `true`, `[1, 2]`.
    ///
    /// # Errors
    /// Where the path leads through a list to an item that is not there, or through a single value.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), ScenarioError> {
        self.set_all([(path, text)])
    }

    /// Sets values one after another, as [`Document::set`] does one.
    ///
    /// # Errors
    /// As [`Document::set`]; then none is set.
    pub fn set_all<'a>(
        &mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), ScenarioError> {
        let mut root = Node::clone(&self.root);
        for (path, text) in settings {
            let parts: Vec<&str> = path.split('.').map(str::trim).collect();
            if parts.len() > DEEPEST || parts.iter().any(|p| p.is_empty()) {
                // Of a path without end, its beginning is enough.
                let shown: String = path.chars().take(80).collect();
                return Err(
                    ScenarioError::new(shown, "not a path").allowed("names and numbers: flow.0.tcp.variant")
                );
            }
            let place = reach(&mut root, &parts).map_err(|e| e.given(format!("{path}={text}")))?;
            *place = Node::from_setting(text);
        }
        self.root = root.into();
        Ok(())
    }

    /// Reads the files that it names (rate and loss traces), relative to `folder`: their content becomes part of the document,
    /// which needs them no more.
    ///
    /// # Errors
    /// Where one cannot be read, or makes no sense: its name and the line.
    pub fn read_files(&mut self, folder: &Path) -> Result<(), ScenarioError> {
        let mut root = Node::clone(&self.root);
        if files::read(&mut root, folder).map_err(|e| self.locate(e))? {
            self.root = root.into();
        }
        Ok(())
    }

    /// Checks all of it.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<model::Scenario, ScenarioError> {
        let file = wire::File::read(&self.root).map_err(|e| self.top_level(e));
        file.and_then(|file| check::scenario(&file)).map_err(|e| self.locate(e))
    }

    /// Adds what only the document knows: the value at the path, and its line.
    fn locate(&self, mut error: ScenarioError) -> ScenarioError {
        let (found, rest) = self.root.descend(&error.path);
        if error.given.is_empty() && rest.is_empty() && !error.path.is_empty() {
            error.given = found.to_string();
        }
        error.line = error.line.or(found.line.map(|line| line.get() as usize));
        error
    }

    /// `[link]` for `[[link]]`: says how a list of tables is written.
    fn top_level(&self, error: ScenarioError) -> ScenarioError {
        let lists = ["node", "link", "flow", "event"];
        let given = self.root.get(&error.path).filter(|_| lists.contains(&error.path.as_str()));
        if given.is_none_or(|node| node.as_list().is_some()) {
            return error;
        }
        let path = error.path;
        let message = format!("`{path}` is a list of tables");
        let allowed = format!("[[{path}]] before each, in double brackets");
        ScenarioError::new(path, message).allowed(allowed)
    }
}

/// The place that a setting's path leads to: through tables and existing items of lists, by number or by name, and tables made on
/// the way.
fn reach<'a>(root: &'a mut Node, parts: &[&str]) -> Result<&'a mut Node, ScenarioError> {
    let mut here = root;
    for (depth, part) in parts.iter().enumerate() {
        let so_far = parts[..depth].join(".");
        let within = if so_far.is_empty() { "the scenario" } else { so_far.as_str() };
        let refuse = |message: String| Err(ScenarioError::new(so_far.clone(), message));
        let number = part.parse::<usize>();
        match (&here.data, &number) {
            (Data::Null, Ok(index)) => {
                return refuse(format!("`{within}` is not there: it has no item {index}"));
            }
            (Data::Table(_), Ok(index)) => {
                return refuse(format!("`{within}` is a table: it has no item {index}"));
            }
            (Data::List(items), _) => {
                let index = item(items, within, part).map_err(|e| e.under(&so_far))?;
                here = &mut here.items_mut()[index];
                continue;
            }
            (Data::Null | Data::Table(_), _) => {}
            _ => return refuse(format!("`{within}` is a single value ({here}): it has no `{part}`")),
        }
        here = here.entry(part);
    }
    Ok(here)
}

/// The item of the list `within` that a part of a path stands for: its number, or the name that the item has.
fn item(items: &[Node], within: &str, part: &str) -> Result<usize, ScenarioError> {
    let number = part.parse::<usize>().ok();
    // A flow without a name of its own is called by its number.
    let flow = part.strip_prefix("flow").filter(|_| within == "flow").and_then(|n| n.parse::<usize>().ok());
    let unnamed = flow.filter(|&i| items.get(i).is_some_and(|item| item.get("name").is_none()));
    let names = items.iter().filter_map(|item| item.get("name").and_then(Node::as_text));
    let named = || items.iter().position(|item| item.get("name").and_then(Node::as_text) == Some(part));
    if let Some(index) = number.filter(|&i| i < items.len()).or_else(named).or(unnamed) {
        return Ok(index);
    }
    let there = match items.len() {
        0 => "it is empty".to_owned(),
        1 => "it has 1 item, number 0".to_owned(),
        n => format!("it has {n} items, numbers 0 to {}", n - 1),
    };
    let list: Vec<&str> = names.clone().collect();
    let names_are =
        if list.is_empty() { String::new() } else { format!(", or by name: {}", list.join(", ")) };
    let message = if number.is_some() {
        format!("`{within}` has no item {part}")
    } else if list.is_empty() {
        format!("`{within}` is a list: the next part of the path is a number, not `{part}`")
    } else {
        format!("`{within}` has no item called `{part}`")
    };
    Err(ScenarioError::new("", message).allowed(there + &names_are).near(nearest(part, names)))
}
