//! Former names of settings, which are read for one version: `#[setting(was = "...")]` declares each.

use super::ScenarioError;
use serde::Deserialize;
use settings::Node;
use settings::node::Data;
use std::sync::LazyLock;

/// A setting whose key has changed.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub(super) struct Former {
    /// Its key in the version before.
    pub was: String,
    /// Its key.
    pub name: String,
}

/// The former names: written down by a test, so that a process which runs a scenario does not carry what makes them.
pub(super) static SETTINGS: LazyLock<Vec<Former>> =
    LazyLock::new(|| serde_json::from_str(include_str!("former.json")).unwrap_or_default());

/// The table of a congestion control's own parameters, whose names others choose.
const CONTROL: &str = "control";

/// Returns the key that is called `key` now.
pub(super) fn current(key: &str) -> Option<&'static str> {
    SETTINGS.iter().find(|former| former.was == key).map(|former| former.name.as_str())
}

/// Returns true if the text of a document may have a former name.
pub fn mentions_former_name(text: &str) -> bool {
    SETTINGS.iter().any(|former| text.contains(&former.was))
}

/// Gives the keys of `node`, which lies at `path`, their names of now; adds each path with its new key to `found`.
///
/// # Errors
/// If a table gives a setting under both names.
pub(super) fn rename(
    node: &mut Node,
    path: &str,
    found: &mut Vec<(String, &'static str)>,
) -> Result<(), ScenarioError> {
    let under = |part: &str| settings::table::path(path, part);
    match &mut node.data {
        Data::List(items) => {
            for (i, item) in items.iter_mut().enumerate() {
                rename(item, &under(&i.to_string()), found)?;
            }
        }
        Data::Table(fields) => {
            for at in 0..fields.len() {
                let given = under(&fields[at].0);
                if let Some(now) = current(&fields[at].0) {
                    if fields.iter().any(|(key, _)| &**key == now) {
                        let message = format!("`{}` is called `{now}` now, which is given too", fields[at].0);
                        return Err(ScenarioError::new(given, message).allowed(format!("`{now}` alone")));
                    }
                    fields[at].0 = now.into();
                    found.push((given, now));
                } else if &*fields[at].0 != CONTROL || path.is_empty() {
                    rename(&mut fields[at].1, &given, found)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}
