//! Former names of settings and variants, which are still read for one version. `#[setting(was = "...")]` declares the
//! former name of a setting, `tcp::former_variants` declares the former names of variants.

use super::ScenarioError;
use serde::Deserialize;
use settings::Node;
use settings::node::{Data, Str};
use std::fmt::{self, Display, Formatter};
use std::sync::LazyLock;

/// Setting whose key was renamed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Former {
    /// Key in the previous version.
    pub was: String,
    /// Present key.
    pub name: String,
}

/// A former name that a document uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Renamed {
    /// Path as it was given.
    pub path: String,
    /// Former value; `None` if the key was renamed instead.
    pub value: Option<String>,
    /// Present name of the key or value.
    pub now: &'static str,
}

/// Writes the sentence for a warning.
impl Display for Renamed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { path, value, now } = self;
        match value {
            None => write!(f, "setting {path} is called {now} now"),
            Some(was) => write!(f, "{path}: \"{was}\" is called \"{now}\" now"),
        }
    }
}

/// Renamed settings, written to this file by a test, so that a process that runs a scenario need not contain the code
/// that collects them.
pub(super) static SETTINGS: LazyLock<Vec<Former>> =
    LazyLock::new(|| serde_json::from_str(include_str!("former.json")).unwrap_or_default());

/// Table of a congestion control's own parameters, which are not renamed: their authors choose the names.
const CONTROL: &str = "control";

/// Key whose value names a TCP variant.
const VARIANT: &str = "variant";

/// Parameter of a congestion control: the form of its algorithm.
const FORM: &str = "form";
/// Former value of [`FORM`] for ns-2's TCP-Linux.
const WAS_TCP_LINUX: &str = "linux";
/// Present value of [`FORM`] for ns-2's TCP-Linux.
const TCP_LINUX: &str = "tcp-linux";

/// Returns the present key for the former key `key`; `None` if it was not renamed.
pub(super) fn current(key: &str) -> Option<&'static str> {
    SETTINGS.iter().find(|former| former.was == key).map(|former| former.name.as_str())
}

/// Returns true if the text of a document contains a former name, if only as part of another word.
pub fn mentions_former_name(text: &str) -> bool {
    text.contains("\"linux-") || SETTINGS.iter().any(|former| text.contains(&former.was))
}

/// Replaces the value of `node` at `path` if it is a former name of a variant; adds the change to `found` and returns
/// true.
fn rename_value(node: &mut Node, path: String, found: &mut Vec<Renamed>) -> bool {
    let was = node.as_text().unwrap_or_default().to_owned();
    let Some(now) = tcp::renamed_variant(&was) else { return false };
    *node = Node { data: Data::Text(now.into()), ..node.clone() };
    found.push(Renamed { path, value: Some(was), now });
    true
}

/// Replaces a control's `form` at `path` if it has its former value, and adds the change to `found`.
fn rename_form(form: &mut Node, path: String, found: &mut Vec<Renamed>) {
    if form.as_text() == Some(WAS_TCP_LINUX) {
        *form = Node { data: Data::Text(TCP_LINUX.into()), ..form.clone() };
        found.push(Renamed { path, value: Some(WAS_TCP_LINUX.to_owned()), now: TCP_LINUX });
    }
}

/// Replaces the variant in the table `fields` at `path` if it has its former name. In that case also replaces the
/// `form` of its control: beside a former variant name, `form = "linux"` means ns-2's TCP-Linux. Adds the changes to
/// `found`.
fn rename_variant(fields: &mut [(Str, Node)], path: &str, found: &mut Vec<Renamed>) {
    let under = |part: &str| settings::table::path(path, part);
    let Some((_, variant)) = fields.iter_mut().find(|(key, _)| &**key == VARIANT) else { return };
    if !rename_value(variant, under(VARIANT), found) {
        return;
    }
    let Some((_, control)) = fields.iter_mut().find(|(key, _)| &**key == CONTROL) else { return };
    let Data::Table(parameters) = &mut control.data else { return };
    if let Some((_, form)) = parameters.iter_mut().find(|(key, _)| &**key == FORM) {
        rename_form(form, settings::table::path(&under(CONTROL), FORM), found);
    }
}

/// Replaces former keys and variants in a document; adds each change to `found`.
///
/// # Errors
/// If a table gives a setting under both names.
pub(super) fn rename(root: &mut Node, found: &mut Vec<Renamed>) -> Result<(), ScenarioError> {
    rename_below(root, &mut String::new(), found)
}

/// Does the work of [`rename`] for `node`, whose path is `path`. The parts of the path are appended and removed again,
/// since most of the many paths are not needed.
fn rename_below(node: &mut Node, path: &mut String, found: &mut Vec<Renamed>) -> Result<(), ScenarioError> {
    let above = path.len();
    match &mut node.data {
        Data::List(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                descend(item, path, &i.to_string(), found)?;
                path.truncate(above);
            }
        }
        Data::Table(fields) => {
            for at in 0..fields.len() {
                if let Some(now) = current(&fields[at].0) {
                    let given = settings::table::path(path, &fields[at].0);
                    if fields.iter().any(|(key, _)| &**key == now) {
                        let message = format!("`{}` is called `{now}` now, which is given too", fields[at].0);
                        return Err(ScenarioError::new(given, message).allowed(format!("`{now}` alone")));
                    }
                    fields[at].0 = now.into();
                    found.push(Renamed { path: given, value: None, now });
                } else if &*fields[at].0 != CONTROL || path.is_empty() {
                    let (key, value) = &mut fields[at];
                    descend(value, path, key, found)?;
                    path.truncate(above);
                }
            }
            rename_variant(fields, path, found);
        }
        _ => {}
    }
    Ok(())
}

/// Does the work of [`rename_below`] for a value of the node at `path`, at its key or index `part`.
fn descend(
    value: &mut Node,
    path: &mut String,
    part: &str,
    found: &mut Vec<Renamed>,
) -> Result<(), ScenarioError> {
    if !matches!(value.data, Data::List(_) | Data::Table(_)) {
        return Ok(());
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(part);
    rename_below(value, path, found)
}

/// Returns a setting `path = text`, as `--set` gives it, with former names replaced; adds these to `found`.
pub(super) fn setting(path: &str, text: &str, found: &mut Vec<Renamed>) -> (String, String) {
    let (table, key) = path.rsplit_once('.').unwrap_or(("", path));
    let value = text.trim().trim_matches('"');
    if key.trim() == VARIANT
        && let Some(now) = tcp::renamed_variant(value)
    {
        found.push(Renamed { path: path.to_owned(), value: Some(value.to_owned()), now });
        return (path.to_owned(), now.to_owned());
    }
    let Some(now) = current(key.trim()) else { return (path.to_owned(), text.to_owned()) };
    found.push(Renamed { path: path.to_owned(), value: None, now });
    (settings::table::path(table, now), text.to_owned())
}
