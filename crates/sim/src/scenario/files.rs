//! Files that a scenario names. Each is read once, and its content becomes part of the document.
//!
//! `rate = { trace = "FILE" }` becomes `{ trace = "FILE", gaps = "..." }`, a loss `{ kind = "trace", trace = "FILE"
//! }` gets `lost` and `length`, a movement the file's lines about its node, a video its `frames`, and
//! a size distribution its `points`. So the scenario
//! that is stored with results is complete: it can be run again without the files, and its hash covers their content.
//! A document that already has the content is not changed.

use crate::scenario::ScenarioError;
use radio::mobility::trace::{self, Dimensions};
use settings::node::Data;
use settings::{Node, Setting};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use traffic::sessions::{CDF, read_cdf};
use traffic::video::{TRACE, read_trace};

/// Largest file that is read, bytes.
const LARGEST: u64 = 64 << 20;
/// Longest rate trace, milliseconds: 100 days, the length of the longest run.
const LONGEST_MS: u64 = 100 * 86_400_000;
/// Most opportunities in a rate trace.
const MOST_TIMES: usize = 20_000_000;

/// Reads the files that `document` names from `folder` and adds their content; returns true if it read any.
pub(super) fn read(document: &mut Node, folder: &dyn Folder) -> Result<bool, ScenarioError> {
    let mut any = false;
    let mut movements = Movements { folder, setdest: BTreeMap::new(), bonnmotion: BTreeMap::new() };
    for (i, node) in items(document.get_mut("node")) {
        if let Some(table) = node.get_mut("mobility") {
            any |= movements.read(table, &format!("node.{i}.mobility"))?;
        }
    }
    for (i, link) in items(document.get_mut("link")) {
        let path = format!("link.{i}");
        if let Some(value) = link.get_mut("rate") {
            any |= rate(value, &format!("{path}.rate"), folder)?;
        }
        if let Some(value) = link.get_mut("reverse").and_then(|reverse| reverse.get_mut("rate")) {
            any |= rate(value, &format!("{path}.reverse.rate"), folder)?;
        }
        if let Some(value) = link.get_mut("loss") {
            any |= losses(value, &format!("{path}.loss"), folder)?;
        }
    }
    for (i, flow) in items(document.get_mut("flow")) {
        if let Some(table) = flow.get_mut("traffic") {
            any |= video(table, &format!("flow.{i}.traffic"), folder)?;
            any |= sizes(table, &format!("flow.{i}.traffic"), folder)?;
        }
    }
    for (i, event) in items(document.get_mut("event")) {
        let property = event.get("set").and_then(Node::as_text).and_then(|set| set.rsplit('.').next());
        let read = match property {
            Some("rate") => rate,
            Some("loss") => losses,
            _ => continue,
        };
        if let Some(value) = event.get_mut("to") {
            any |= read(value, &format!("event.{i}.to"), folder)?;
        }
    }
    Ok(any)
}

/// Keys that hold the content of a file; the key `trace` holds its name.
const CONTENTS: [&str; 6] = ["gaps", "lost", "orders", "waypoints", "frames", "points"];

/// Removes the names of files whose content the document has, since such a name has no effect.
pub(super) fn forget_names(node: &mut Node) {
    match &mut node.data {
        Data::List(items) => items.iter_mut().for_each(forget_names),
        Data::Table(fields) => fields.iter_mut().for_each(|(_, value)| forget_names(value)),
        _ => return,
    }
    if is_content(node) {
        node.remove("trace");
    }
}

/// Returns true if the document has the content of a file.
pub(super) fn has_content(node: &Node) -> bool {
    match &node.data {
        Data::List(items) => items.iter().any(has_content),
        Data::Table(fields) => is_content(node) || fields.iter().any(|(_, value)| has_content(value)),
        _ => false,
    }
}

/// Returns true if the table `node` holds the content of a file.
fn is_content(node: &Node) -> bool {
    CONTENTS.iter().any(|key| node.get(key).is_some())
}

fn items(node: Option<&mut Node>) -> impl Iterator<Item = (usize, &mut Node)> {
    node.map(Node::items_mut).into_iter().flatten().enumerate()
}

fn rate(table: &mut Node, path: &str, folder: &dyn Folder) -> Result<bool, ScenarioError> {
    let Some(name) = unread(table, "gaps") else { return Ok(false) };
    let text = content(&name, folder, &format!("{path}.trace"))?;
    table.insert("gaps", gaps(&rate_trace(&text, &name, path)?));
    Ok(true)
}

fn losses(table: &mut Node, path: &str, folder: &dyn Folder) -> Result<bool, ScenarioError> {
    if table.as_list().is_some() {
        let mut any = false;
        for (i, loss) in items(Some(table)) {
            any |= losses(loss, &format!("{path}.{i}"), folder)?;
        }
        return Ok(any);
    }
    let traced = table.get("kind").and_then(Node::as_text) == Some("trace");
    let Some(name) = unread(table, "lost").filter(|_| traced) else { return Ok(false) };
    let text = content(&name, folder, &format!("{path}.trace"))?;
    let (lost, length) = loss_trace(&text, &name, path)?;
    table.insert("lost", lost.write());
    table.insert("length", length);
    Ok(true)
}

/// Movement files, each read once: the lines about each node.
struct Movements<'a> {
    folder: &'a dyn Folder,
    setdest: BTreeMap<String, BTreeMap<u32, String>>,
    bonnmotion: BTreeMap<String, BTreeMap<u32, String>>,
}

impl Movements<'_> {
    fn read(&mut self, table: &mut Node, path: &str) -> Result<bool, ScenarioError> {
        let (key, files) = match table.get("kind").and_then(Node::as_text) {
            Some("setdest") => ("orders", &mut self.setdest),
            Some("bonnmotion") => ("waypoints", &mut self.bonnmotion),
            _ => return Ok(false),
        };
        let Some(name) = unread(table, key) else { return Ok(false) };
        if !files.contains_key(&name) {
            let text = content(&name, self.folder, &format!("{path}.trace"))?;
            let each = match key {
                "orders" => setdest_orders(&text, &name, path)?,
                _ => bonnmotion_lines(&text, &name, path, table.get("dimensions"))?,
            };
            files.insert(name.clone(), each);
        }
        let each = &files[&name];
        let said = match (each.first_key_value(), each.last_key_value()) {
            (Some((first, _)), Some((last, _))) => format!("node = {first} to {last}"),
            _ => "a file that says where nodes go".to_owned(),
        };
        let number = table.get("node").and_then(Node::as_u64);
        let Some(number) = number else {
            let message = format!("which node of {name}?");
            return Err(ScenarioError::new(format!("{path}.node"), message).allowed(said));
        };
        let own = u32::try_from(number).ok().and_then(|number| each.get(&number));
        let own = own.ok_or_else(|| {
            ScenarioError::new(format!("{path}.node"), format!("{name} has no node {number}")).allowed(said)
        })?;
        table.insert(key, own.as_str());
        Ok(true)
    }
}

/// Returns the lines of an ns-2 movement file (`setdest`), by node number.
fn setdest_orders(text: &str, name: &str, path: &str) -> Result<BTreeMap<u32, String>, ScenarioError> {
    let allowed = "`$node_(N) set X_ METRES`, `$ns_ at SECONDS \"$node_(N) setdest X Y SPEED\"`";
    let mut orders: BTreeMap<u32, String> = BTreeMap::new();
    for (line, given) in text.lines().enumerate() {
        let tracks =
            trace::setdest(given).map_err(|e| malformed(path, name, line + 1, &e.problem, allowed))?;
        if let Some(node) = tracks.into_keys().next() {
            let own = orders.entry(node).or_default();
            if !own.is_empty() {
                own.push('\n');
            }
            own.push_str(given.trim());
        }
    }
    Ok(orders)
}

/// Returns the lines of a BonnMotion movement file, by node number.
fn bonnmotion_lines(
    text: &str,
    name: &str,
    path: &str,
    dimensions: Option<&Node>,
) -> Result<BTreeMap<u32, String>, ScenarioError> {
    let dimensions = dimensions.map_or(Ok(Dimensions::default()), Dimensions::read);
    let dimensions = dimensions.map_err(|e| e.under(&format!("{path}.dimensions")))?;
    let allowed = "on each line `time x y` again and again, `time x y z` with dimensions = 3";
    let mut waypoints = BTreeMap::new();
    for (line, given) in text.lines().enumerate() {
        let tracks = trace::bonnmotion(given, dimensions)
            .map_err(|e| malformed(path, name, line + 1, &e.problem, allowed))?;
        if !tracks.is_empty() {
            waypoints.insert(waypoints.len() as u32, given.trim().to_owned());
        }
    }
    Ok(waypoints)
}

fn video(table: &mut Node, path: &str, folder: &dyn Folder) -> Result<bool, ScenarioError> {
    let is_video = table.get("kind").and_then(Node::as_text) == Some("video");
    let Some(name) = unread(table, "frames").filter(|_| is_video) else { return Ok(false) };
    let text = content(&name, folder, &format!("{path}.trace"))?;
    let frames = read_trace(&text).map_err(|e| malformed(path, &name, e.line, &e.problem, TRACE))?;
    table.insert("frames", frames.write());
    Ok(true)
}

/// Reads the files of the size distributions of sessions.
fn sizes(traffic: &mut Node, path: &str, folder: &dyn Folder) -> Result<bool, ScenarioError> {
    let mut any = false;
    for key in ["request", "response"] {
        let Some(table) = traffic.get_mut(key) else { continue };
        let is_empirical = table.get("kind").and_then(Node::as_text) == Some("empirical");
        let Some(name) = unread(table, "points").filter(|_| is_empirical) else { continue };
        let path = format!("{path}.{key}");
        let text = content(&name, folder, &format!("{path}.trace"))?;
        let points = read_cdf(&text).map_err(|e| malformed(&path, &name, e.line, &e.problem, CDF))?;
        table.insert("points", points.write());
        any = true;
    }
    Ok(any)
}

/// Returns the name of the file that a table gives in `trace`; `None` if the table already has the content (`key`).
fn unread(table: &Node, key: &str) -> Option<String> {
    let name = table.get("trace")?.as_text()?;
    table.get(key).is_none().then(|| name.to_owned())
}

/// Source of the files that a document names.
pub(super) trait Folder {
    /// Returns the text of the file called `name`.
    fn text(&self, name: &str) -> std::io::Result<String>;
}

/// A folder on disk. Files must lie in it or below: a scenario from somebody else cannot read other files.
impl Folder for &Path {
    fn text(&self, name: &str) -> std::io::Result<String> {
        let file = within(self, name)?;
        let about = std::fs::metadata(&file)?;
        if !about.is_file() {
            return Err(std::io::Error::other("it is no ordinary file"));
        }
        if about.len() > LARGEST {
            return Err(std::io::Error::other(format!("it is larger than {} MiB", LARGEST >> 20)));
        }
        std::fs::read_to_string(&file)
    }
}

/// Files in memory, by name.
impl Folder for BTreeMap<String, String> {
    fn text(&self, name: &str) -> std::io::Result<String> {
        self.get(name).cloned().ok_or_else(|| std::io::Error::other("it is not among the files given"))
    }
}

/// Returns the path of the file called `name` in or below `folder`.
fn within(folder: &Path, name: &str) -> std::io::Result<PathBuf> {
    let folder = folder.canonicalize()?;
    let file = folder.join(name).canonicalize()?;
    if file.starts_with(&folder) {
        return Ok(file);
    }
    Err(std::io::Error::other("it is outside the scenario's folder"))
}

fn content(name: &str, folder: &dyn Folder, path: &str) -> Result<String, ScenarioError> {
    folder.text(name).map_err(|why| {
        ScenarioError::new(path, format!("cannot read {}: {why}", Node::from(name)))
            .allowed("a text file in the scenario's folder, named relative to it")
    })
}

/// Returns an error about line number `line` (from 1) of a file.
fn malformed(path: &str, name: &str, line: usize, what: &str, allowed: &str) -> ScenarioError {
    ScenarioError::new(format!("{path}.trace"), format!("{name}, line {line}: {what}")).allowed(allowed)
}

/// Reads the times of a rate trace in mahimahi's format, milliseconds.
fn rate_trace(text: &str, name: &str, path: &str) -> Result<Vec<u64>, ScenarioError> {
    let allowed = "a time in whole milliseconds on each line, none before the one above it, the last above 0";
    let wrong = |line: usize, what: String| Err(malformed(path, name, line + 1, &what, allowed));
    let mut times: Vec<u64> = Vec::new();
    let mut last_line = 0;
    for (line, given) in text.lines().enumerate().filter(|(_, given)| !given.trim().is_empty()) {
        let given = given.trim();
        let time = match given.parse::<u64>() {
            Ok(time) if time <= LONGEST_MS => time,
            Ok(_) => return wrong(line, format!("{given} ms is more than 100 days")),
            Err(_) => return wrong(line, format!("{} is no time", Node::from(given))),
        };
        match times.last() {
            Some(before) if time < *before => {
                return wrong(line, format!("{time} comes before {before}, which stands above it"));
            }
            _ => times.push(time),
        }
        last_line = line;
    }
    match times.last() {
        Some(0) => wrong(last_line, "the trace ends at 0 and takes no time".to_owned()),
        None => wrong(0, "the file has no line with a time".to_owned()),
        Some(_) if times.len() > MOST_TIMES => {
            wrong(MOST_TIMES, format!("more than {MOST_TIMES} opportunities"))
        }
        Some(_) => Ok(times),
    }
}

/// Returns the numbers of the packets that a loss trace loses, and the length of the trace.
fn loss_trace(text: &str, name: &str, path: &str) -> Result<(Vec<u64>, u64), ScenarioError> {
    let allowed = "0 for each packet that passes and 1 for each that is lost, white space as you like";
    let (mut lost, mut length) = (Vec::new(), 0);
    for (line, given) in text.lines().enumerate() {
        for mark in given.chars().filter(|c| !c.is_whitespace()) {
            match mark {
                '0' => {}
                '1' => lost.push(length),
                other => {
                    let what = format!("`{other}` is neither 0 nor 1");
                    return Err(malformed(path, name, line + 1, &what, allowed));
                }
            }
            length += 1;
        }
    }
    if length == 0 {
        return Err(malformed(path, name, 1, "the file has neither 0 nor 1", allowed));
    }
    Ok((lost, length))
}

/// Returns times as text: the first time, then the gap to each following time, in milliseconds; `1x5` is five gaps of 1
/// ms.
pub(super) fn gaps(times: &[u64]) -> String {
    let mut text = String::new();
    let mut before = 0;
    let gaps: Vec<u64> = times.iter().map(|time| time - std::mem::replace(&mut before, *time)).collect();
    for run in gaps.chunk_by(|a, b| a == b) {
        let space = if text.is_empty() { "" } else { " " };
        let written = match run.len() {
            1 => write!(text, "{space}{}", run[0]),
            n => write!(text, "{space}{}x{n}", run[0]),
        };
        // Writing to a string cannot fail.
        written.unwrap_or_default();
    }
    text
}

/// Reads text in the form that [`gaps`] writes; `None` for any other text.
pub(super) fn times(gaps: &str) -> Option<Vec<u64>> {
    let mut times = Vec::new();
    let mut at = 0u64;
    for word in gaps.split_ascii_whitespace() {
        let (gap, count) = word.split_once('x').unwrap_or((word, "1"));
        let (gap, count) = (gap.parse::<u64>().ok()?, count.parse::<usize>().ok()?);
        if count > MOST_TIMES - times.len() {
            return None;
        }
        for _ in 0..count {
            at = at.checked_add(gap).filter(|at| *at <= LONGEST_MS)?;
            times.push(at);
        }
    }
    Some(times)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_by_hand() {
        assert_eq!(gaps(&[1, 2, 3, 3, 3, 7]), "1x3 0x2 4");
        assert_eq!(times("1x3 0x2 4"), Some(vec![1, 2, 3, 3, 3, 7]));
        for wrong in ["1x", "x", "-1", "1.5", "1x2x3", "9999999999", "0x99999999999"] {
            assert_eq!(times(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn gaps_come_back(mut given in prop::collection::vec(0u64..10_000, 0..200)) {
            given.sort_unstable();
            prop_assert_eq!(times(&gaps(&given)), Some(given));
        }
    }
}
