//! Errors as the page shows them.

use serde::Serialize;
use sim::RunError;
use sim::scenario::ScenarioError;

/// A failed command: one item for each problem that was found.
#[derive(Clone, Debug, Serialize)]
pub struct Problem {
    /// The problems, in the order of the scenario's lines.
    pub problems: Vec<Item>,
}

/// Error in a scenario, with the setting and line where it occurs.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Item {
    /// Path of the setting; empty for the scenario as a whole.
    pub path: String,
    /// Line of the value in the text, from 1; `None` if it was not found in the text.
    pub line: Option<usize>,
    /// Description of the problem, with the given value, the allowed values and the nearest name, as the command line
    /// prints it.
    pub text: String,
}

impl Problem {
    /// Returns the answer to a command that failed, as the page reads it: JSON with the list `problems`.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(crate) fn said(text: impl Into<String>) -> Self {
        Self { problems: vec![Item { text: text.into(), ..Item::default() }] }
    }
}

impl From<ScenarioError> for Problem {
    fn from(mut error: ScenarioError) -> Self {
        let more = std::mem::take(&mut error.more);
        let item = |error: ScenarioError| Item {
            text: error.to_string(),
            line: error.line.or_else(|| line_in(&error.message)),
            path: error.path,
        };
        Self { problems: std::iter::once(error).chain(more).map(item).collect() }
    }
}

impl From<RunError> for Problem {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scenario(error) => (*error).into(),
            other => Self::said(other.to_string()),
        }
    }
}

/// Returns the line number in the message of a syntax error, `line 3, column 7: ...`; `None` if there is none.
fn line_in(message: &str) -> Option<usize> {
    let rest = message.split_once("line ")?.1;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
