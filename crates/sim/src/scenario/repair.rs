//! Search for all errors of a document.
//!
//! Reading and checking stop at the first error. The document is then repaired at that place: by the nearest name, by
//! the example in the message, or by removing the value. It is checked again, and its next error is reported, too,
//! unless the repair may have caused it.

use super::ScenarioError;
use settings::Node;
use settings::node::Data;

/// Most errors that are reported.
const MOST: usize = 20;

/// Keys whose values name nodes or items that other parts of a scenario refer to. After a repair of such a key,
/// errors about references are no longer reliable.
const NAMED: [&str; 10] =
    ["between", "from", "to", "stations", "name", "ue", "enb", "gateway", "node", "access_point"];

/// Error of a document, and the stage at which it was found.
pub(super) struct Failure {
    pub error: ScenarioError,
    /// True if all values could be read, so that the error concerns names, paths or combinations of values.
    pub read: bool,
}

/// Returns the errors of `root` after the `first`. `look` checks a document.
pub(super) fn others(
    root: &Node,
    first: &ScenarioError,
    look: impl Fn(&Node) -> Result<(), Failure>,
) -> Vec<ScenarioError> {
    let mut mended = Mended { root: root.clone(), paths: Vec::new(), renamed: false };
    let (mut found, mut error) = (Vec::new(), first.clone());
    for _ in 0..3 * MOST {
        if !mended.mend(&error) || found.len() + 1 >= MOST {
            break;
        }
        let Err(Failure { error: next, read }) = look(&mended.root) else { break };
        if read && mended.renamed {
            break;
        }
        let follows = mended.is_known(&next.path) || read && mended.is_beside(&next.path);
        if !follows {
            found.push(next.clone());
        }
        error = next;
    }
    found
}

/// Document under repair.
struct Mended {
    root: Node,
    /// Paths at which repairs were made, with their numbers of repairs.
    paths: Vec<(String, usize)>,
    /// True if names to which others refer may have changed.
    renamed: bool,
}

impl Mended {
    /// Returns true if a repair was made at `path`, above it, or below it.
    fn is_known(&self, path: &str) -> bool {
        let within = |a: &str, b: &str| a == b || a.strip_prefix(b).is_some_and(|rest| rest.starts_with('.'));
        self.paths.iter().any(|(known, _)| within(path, known) || within(known, path))
    }

    /// Returns true if a repair was made in the same item (such as `flow.0`): a conflict between its values may be
    /// due to that repair.
    fn is_beside(&self, path: &str) -> bool {
        self.paths.iter().any(|(known, _)| item(known) == item(path))
    }

    /// Repairs the cause of `error`. Each further call for the same path tries another repair; returns false if none is
    /// left.
    fn mend(&mut self, error: &ScenarioError) -> bool {
        let (parent, key) = error.path.rsplit_once('.').unwrap_or(("", error.path.as_str()));
        if key.is_empty() {
            return false;
        }
        let times = match self.paths.iter_mut().find(|(path, _)| *path == error.path) {
            Some((_, times)) => {
                *times += 1;
                *times
            }
            None => {
                self.paths.push((error.path.clone(), 1));
                1
            }
        };
        self.renamed |= error.path.split('.').any(|part| NAMED.contains(&part));
        match times {
            1 => self.better(error, parent, key),
            2 => self.example(error, parent, key) || self.away(parent, key) || self.without(parent),
            3 => self.without(parent),
            _ => false,
        }
    }

    /// Replaces a value, or an unknown key, by the nearest name; if there is no near name, removes the value. Returns
    /// false if there is nothing to repair.
    fn better(&mut self, error: &ScenarioError, parent: &str, key: &str) -> bool {
        let Some(table) = place(&mut self.root, parent) else { return false };
        let unknown = error.message.contains("there is no key");
        let nearest = error.nearest.as_deref();
        let value = match &table.data {
            Data::Table(fields) => {
                fields.iter().find(|(name, _)| &**name == key).map(|(_, value)| value.clone())
            }
            _ => return self.without(parent),
        };
        let Some(value) = value else { return self.example(error, parent, key) || self.without(parent) };
        match nearest {
            Some(name) if unknown => {
                let free = table.get(name).is_none();
                table.remove(key);
                if free {
                    table.insert(name, value);
                    let path = settings::error::join(parent, name);
                    self.paths.push((path, 1));
                }
            }
            Some(name) => table.insert(key, name),
            None => {
                table.remove(key);
            }
        }
        true
    }

    /// Inserts the example from the message, such as `rate = "10Mbps"`; returns false if there is none.
    fn example(&mut self, error: &ScenarioError, parent: &str, key: &str) -> bool {
        let Some(table) = place(&mut self.root, parent).filter(|node| node.is_table()) else { return false };
        let texts = error.allowed.match_indices(key).map(|(at, _)| &error.allowed[at..]);
        let value =
            texts.filter_map(|text| Node::from_toml(text).ok()).find_map(|node| node.get(key).cloned());
        let Some(value) = value else { return false };
        table.insert(key, value);
        true
    }

    /// Removes a value from its table; returns false if it is not there.
    fn away(&mut self, parent: &str, key: &str) -> bool {
        place(&mut self.root, parent).is_some_and(|table| table.remove(key).is_some())
    }

    /// Removes the value at `path` from its table; returns false for an item of a list.
    fn without(&mut self, path: &str) -> bool {
        let (parent, key) = path.rsplit_once('.').unwrap_or(("", path));
        let Some(within) = place(&mut self.root, parent) else { return false };
        self.paths.push((path.to_owned(), 1));
        match &mut within.data {
            Data::Table(_) => within.remove(key).is_some(),
            // If an item were removed, the numbers of later items would change.
            _ => false,
        }
    }
}

/// Returns the item of a list, or the first key, with which a path begins: `flow.0` for `flow.0.tcp.ecn`.
fn item(path: &str) -> &str {
    let mut dots = path.match_indices('.').map(|(at, _)| at);
    let number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
    match (dots.next(), dots.next()) {
        (Some(first), second) if number(&path[first + 1..]) => &path[..second.unwrap_or(path.len())],
        (Some(first), _) => &path[..first],
        _ => path,
    }
}

/// Returns the value at `path`.
fn place<'a>(root: &'a mut Node, path: &str) -> Option<&'a mut Node> {
    let mut here = root;
    for part in path.split('.').filter(|part| !part.is_empty()) {
        here = match &mut here.data {
            Data::List(items) => items.get_mut(part.parse::<usize>().ok()?)?,
            Data::Table(fields) => {
                fields.iter_mut().find(|(name, _)| &**name == part).map(|(_, node)| node)?
            }
            _ => return None,
        };
    }
    Some(here)
}
