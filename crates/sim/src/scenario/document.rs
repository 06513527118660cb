//! Scenario document: the content of a file before any check. Single values can be set by path.

use super::former::Renamed;
use super::repair::{self, Failure};
use super::wire::OwnControl;
use super::{ScenarioError, check, files, foreign, former, products, shorthand, wire};
use crate::model;
use settings::json::Sorted;
use settings::node::Data;
use settings::{Node, Setting, nearest};
use stack::Stacks;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tcp::congestion::Controls;

/// Most keys in a path, far more than any table needs.
const DEEPEST: usize = 32;

/// Scenario document: the content of a file before any check. Copies share their memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    root: Arc<Node>,
    /// User-defined congestion controls that variants in the document may name.
    controls: Controls,
    /// Stacks that variants in the document may name.
    stacks: Stacks,
    /// Former names of settings and variants that were given.
    renamed: Vec<Renamed>,
}

impl Document {
    /// Reads a document in TOML.
    ///
    /// # Errors
    /// If the text is not valid TOML; the error has line and column.
    pub fn from_toml(text: &str) -> Result<Self, ScenarioError> {
        Node::from_toml(text).and_then(Self::of)
    }

    /// Reads a document in JSON.
    ///
    /// # Errors
    /// If the text is not valid JSON; the error has line and column.
    pub fn from_json(text: &str) -> Result<Self, ScenarioError> {
        let root = Node::from_json(text)?;
        if root.is_table() {
            return Self::of(root);
        }
        Err(ScenarioError::new("", "a scenario is a table").given(root.to_string()))
    }

    fn of(mut root: Node) -> Result<Self, ScenarioError> {
        let mut renamed = Vec::new();
        let done = former::rename(&mut root, &mut renamed);
        done.map_err(|e| locate(&root, e))?;
        Ok(Self { root: root.into(), controls: Controls::default(), stacks: Stacks::default(), renamed })
    }

    /// Returns the former names that were given for settings and variants.
    pub fn renamed(&self) -> &[Renamed] {
        &self.renamed
    }

    /// Returns the document as JSON, keys in the order of the file.
    pub fn to_json(&self) -> String {
        self.root.to_json()
    }

    /// Returns the document as canonical JSON: keys sorted, no white space, no defaults filled in.
    pub fn canonical_json(&self) -> String {
        let mut text = Vec::new();
        // Writing to a vector cannot fail, and JSON is valid UTF-8.
        Sorted(&self.root).write(&mut text).unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    }

    /// Returns the document, serialized as [`Document::canonical_json`].
    pub(crate) fn canonical(&self) -> Sorted<'_> {
        Sorted(&self.root)
    }

    /// Writes the text that identifies the experiment: [`Document::canonical_json`] without the names of files whose
    /// content the document has.
    pub(crate) fn write_identity(&self, out: impl io::Write) -> io::Result<()> {
        if !files::has_content(&self.root) {
            return Sorted(&self.root).write(out);
        }
        let mut root = Node::clone(&self.root);
        files::forget_names(&mut root);
        Sorted(&root).write(out)
    }

    /// Sets one value, as `--set PATH=VALUE` does. Missing tables on the path are created, but no items of lists. The
    /// text is read as a TOML value, or else taken as a string: `vegas`, `20ms`, `3`, `true`, `[1, 2]`.
    ///
    /// # Errors
    /// If the path leads through an item of a list that does not exist, or through a value that is no table.
    pub fn set(&mut self, path: &str, text: &str) -> Result<(), ScenarioError> {
        self.set_all([(path, text)])
    }

    /// Sets several values one after another, each as [`Document::set`] does.
    ///
    /// # Errors
    /// Those of [`Document::set`]; then no value is set.
    pub fn set_all<'a>(
        &mut self,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), ScenarioError> {
        let mut root = Node::clone(&self.root);
        let renamed = &mut self.renamed;
        let settings: Vec<(String, String)> =
            settings.into_iter().map(|(path, text)| former::setting(path, text, renamed)).collect();
        let settings = settings.iter().map(|(path, text)| (path.as_str(), text.as_str()));
        // `count` and `step` are set first, so that other paths can address the copies.
        let (counts, others): (Vec<_>, Vec<_>) =
            settings.partition(|(path, _)| shorthand::is_of_copies(path));
        set_each(&mut root, counts)?;
        root = shorthand::written_out(&root, &self.stacks).map_err(|e| locate(&root, e))?;
        set_each(&mut root, others)?;
        self.root = root.into();
        Ok(())
    }

    /// Writes out short forms (`queue = 8`, `loss = 0.001`, `count = 4`), except queues in bandwidth-delay products.
    ///
    /// # Errors
    /// If a `count`, or a step from copy to copy such as `"0s + 0.5s"`, is not valid.
    pub fn write_out(&mut self) -> Result<(), ScenarioError> {
        self.root =
            shorthand::written_out(&self.root, &self.stacks).map_err(|e| locate(&self.root, e))?.into();
        Ok(())
    }

    /// Reads the files that the document names (rate and loss traces, movements, videos), relative to `folder`. Their
    /// content becomes part of the document, which then no longer needs the files.
    ///
    /// # Errors
    /// If a file cannot be read, or is not valid; the error has the file's name and the line.
    pub fn read_files(&mut self, folder: &Path) -> Result<(), ScenarioError> {
        self.read_from(&folder)
    }

    /// Reads the files that the document names, as [`Document::read_files`] does, from texts in memory, by name.
    ///
    /// # Errors
    /// If a file is missing or not valid.
    pub fn read_given(&mut self, files: &BTreeMap<String, String>) -> Result<(), ScenarioError> {
        self.read_from(files)
    }

    fn read_from(&mut self, folder: &dyn files::Folder) -> Result<(), ScenarioError> {
        let mut root = Node::clone(&self.root);
        if files::read(&mut root, folder).map_err(|e| locate(&self.root, e))? {
            self.root = root.into();
        }
        Ok(())
    }

    /// Checks the document and returns the checked scenario.
    ///
    /// # Errors
    /// All problems that were found: the first, with the others in `more`.
    pub fn check(&self) -> Result<model::Scenario, ScenarioError> {
        let root = shorthand::expand(&self.root, &self.stacks).map_err(|e| locate(&self.root, e))?;
        check_root(&root, self).map_err(|Failure { error, .. }| {
            let others = repair::others(&root, &error, |root| check_root(root, self).map(|_| ()));
            let mut all: Vec<_> = std::iter::once(error).chain(others).map(|e| locate(&root, e)).collect();
            all.sort_by_key(|e| e.line.unwrap_or(usize::MAX));
            let first = all.remove(0);
            ScenarioError { more: all, ..first }
        })
    }

    /// Returns the variants in the document that are neither built in nor among its controls, each with its path.
    /// Such a name is a control that must still be loaded, or a mistake.
    pub fn other_controls(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let Ok(root) = shorthand::expand(&self.root, &self.stacks) else { return found };
        let mut look = |path: String, node: Option<&Node>| {
            let name = node.and_then(Node::as_text).and_then(tcp::custom_name);
            let name = name.filter(|name| self.controls.get(name).is_none());
            found.extend(name.map(|name| (path, name.to_owned())));
        };
        for (i, flow) in root.get("flow").map_or(&[][..], items).iter().enumerate() {
            look(format!("flow.{i}.tcp.variant"), flow.get("tcp").and_then(|tcp| tcp.get("variant")));
        }
        for (i, node) in root.get("node").map_or(&[][..], items).iter().enumerate() {
            let Some(gateway) = node.get("gateway") else { continue };
            let path = format!("node.{i}.gateway");
            look(format!("{path}.variant"), gateway.get("variant"));
            look(format!("{path}.tcp.variant"), gateway.get("tcp").and_then(|tcp| tcp.get("variant")));
        }
        found
    }

    /// Returns the parameters that the document gives to the control called `name`: each with its key and the text
    /// values that occur for it (none for numbers).
    pub fn control_values(&self, name: &str) -> Vec<(String, Vec<String>)> {
        let mut found: Vec<(String, Vec<String>)> = Vec::new();
        let Ok(root) = shorthand::expand(&self.root, &self.stacks) else { return found };
        let flows = root.get("flow").map_or(&[][..], items).iter();
        let gateways = root.get("node").map_or(&[][..], items).iter().filter_map(|node| node.get("gateway"));
        for tcp in flows.chain(gateways).filter_map(|one| one.get("tcp")) {
            let variant = tcp.get("variant").and_then(Node::as_text).and_then(tcp::custom_name);
            let Some(Data::Table(fields)) = tcp.get("control").map(|table| &table.data) else { continue };
            if variant != Some(name) {
                continue;
            }
            for (key, value) in fields {
                let at = found.iter().position(|(known, _)| **known == **key).unwrap_or_else(|| {
                    found.push((key.to_string(), Vec::new()));
                    found.len() - 1
                });
                let word = value.as_text().filter(|word| !found[at].1.iter().any(|known| known == word));
                found[at].1.extend(word.map(str::to_owned));
            }
        }
        found
    }

    /// Returns the hash of the source of the user-defined control called `name`, if the document records it.
    pub fn recorded_control(&self, name: &str) -> Option<&str> {
        let recorded = self.root.get("control").map_or(&[][..], items);
        let entry = recorded.iter().find(|entry| entry.get("name").and_then(Node::as_text) == Some(name))?;
        entry.get("sha256").and_then(Node::as_text)
    }

    /// Adds user-defined controls to those of the document.
    #[must_use]
    pub fn with_controls(mut self, controls: &Controls) -> Self {
        self.controls.extend(controls);
        self
    }

    /// Adds stacks to those of the document.
    #[must_use]
    pub fn with_stacks(mut self, stacks: &Stacks) -> Self {
        self.stacks.extend(stacks);
        self
    }

    /// Adds user-defined controls to those of the document, and replaces its records of their sources by `records`.
    #[must_use]
    pub fn with_recorded(mut self, controls: &Controls, records: &[OwnControl]) -> Self {
        if !records.is_empty() || self.root.get("control").is_some() {
            let mut root = Node::clone(&self.root);
            root.remove("control");
            if !records.is_empty() {
                root.insert("control", records.to_vec().write());
            }
            self.root = root.into();
        }
        self.with_controls(controls)
    }

    /// Returns true if the document records sources of controls.
    pub fn has_records(&self) -> bool {
        self.root.get("control").is_some()
    }
}

/// Checks `root`, a document whose short forms are written out, except queues in bandwidth-delay products. Variants may
/// name the controls and stacks of `own`.
fn check_root(root: &Node, own: &Document) -> Result<model::Scenario, Failure> {
    if !products::any(root) {
        return checked(root, own);
    }
    let mut root = root.clone();
    let products = products::take(&mut root);
    let scenario = checked(&root, own)?;
    products::put(&mut root, &products, &scenario).map_err(|error| Failure { error, read: true })?;
    checked(&root, own)
}

fn checked(root: &Node, own: &Document) -> Result<model::Scenario, Failure> {
    let failure =
        |read| move |error| Failure { error: foreign::explained(top_level(root, error), root), read };
    let mut file = wire::File::read(root).map_err(failure(false))?;
    for table in file.flow.iter_mut().filter_map(|flow| flow.tcp.as_mut()) {
        table.controls = own.controls.clone();
    }
    for table in file.flow.iter_mut().filter_map(|flow| flow.stack.as_mut()) {
        table.stacks = own.stacks.clone();
    }
    file.controls = own.controls.clone();
    check::scenario(file).map_err(failure(true))
}

/// Completes an error with the value at its path, unless it has one, with the line of that value, and with names in
/// place of numbers in the path.
fn locate(root: &Node, mut error: ScenarioError) -> ScenarioError {
    let (found, rest) = root.descend(&error.path);
    if error.given.is_empty() && rest.is_empty() && !error.path.is_empty() {
        error.given = found.to_string();
    }
    error.line = error.line.or(found.line.map(|line| line.get() as usize));
    error.path = by_name(root, &error.path);
    error
}

/// Returns a path in which items of lists are named instead of numbered, if the name can be part of a path and is
/// unique.
fn by_name(root: &Node, path: &str) -> String {
    let (mut here, mut parts) = (Some(root), Vec::new());
    for part in path.split('.') {
        let list = here.and_then(Node::as_list);
        here = here.and_then(|node| node.at(part));
        let called = |node: &Node| node.get("name").and_then(Node::as_text).map(str::to_owned);
        let name = here.filter(|_| list.is_some()).and_then(called);
        let alone = |name: &String| {
            list.is_some_and(|all| all.iter().filter_map(called).filter(|n| n == name).count() == 1)
        };
        let name = name.filter(|name| check::addressable(name).is_ok()).filter(alone);
        parts.push(name.unwrap_or_else(|| part.to_owned()));
    }
    parts.join(".")
}

/// Replaces the error by one that explains the form of a list of tables, if the file has `[link]` instead of
/// `[[link]]`.
fn top_level(root: &Node, error: ScenarioError) -> ScenarioError {
    let lists = ["node", "link", "wifi", "lte", "flow", "event"];
    let given = root.get(&error.path).filter(|_| lists.contains(&error.path.as_str()));
    if given.is_none_or(|node| node.as_list().is_some()) {
        return error;
    }
    let path = error.path;
    let message = format!("`{path}` is a list of tables");
    let allowed = format!("[[{path}]] before each, in double brackets");
    ScenarioError::new(path, message).allowed(allowed)
}

/// Sets values one after another.
fn set_each(root: &mut Node, settings: Vec<(&str, &str)>) -> Result<(), ScenarioError> {
    for (path, text) in settings {
        let parts: Vec<&str> = path.split('.').map(str::trim).collect();
        if parts.len() > DEEPEST || parts.iter().any(|p| p.is_empty()) {
            // Only the beginning of an overlong path is shown.
            let shown: String = path.chars().take(80).collect();
            return Err(
                ScenarioError::new(shown, "not a path").allowed("names and numbers: flow.0.tcp.variant")
            );
        }
        let place = reach(root, &parts).map_err(|e| e.given(format!("{path}={text}")))?;
        *place = Node::from_setting(text);
        if let [.., _, "queue", limit] = parts[..]
            && shorthand::LIMITS.contains(&limit)
        {
            let queue = reach(root, &parts[..parts.len() - 1])?;
            // A queue has one limit: the last that was set.
            shorthand::LIMITS
                .iter()
                .filter(|other| **other != limit)
                .for_each(|other| drop(queue.remove(other)));
        }
    }
    Ok(())
}

/// Returns the value at a setting's path. The path leads through tables, which are created if missing, and through
/// existing items of lists, by number or name.
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
        if *part == "queue"
            && depth + 1 < parts.len()
            && let Some(table) = shorthand::queue_table(here)
        {
            *here = table;
        }
    }
    Ok(here)
}

/// Returns the items of a list; empty if the node is no list.
fn items(node: &Node) -> &[Node] {
    node.as_list().unwrap_or_default()
}

/// Returns the index in the list `within` of the item that a part of a path names, by number or by name.
fn item(items: &[Node], within: &str, part: &str) -> Result<usize, ScenarioError> {
    let number = part.parse::<usize>().ok();
    // A flow without a name is called `flow` with its number.
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
