//! Commands that the page sends.

use crate::own::Formulas;
use serde::Deserialize;
use sim::scenario::{Document, ScenarioError};
use std::collections::BTreeMap;

/// A command.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub(crate) enum Command {
    /// Checks a scenario and describes it.
    Check(Given),
    /// Begins a run.
    Start {
        #[serde(flatten)]
        given: Given,
        /// Names of the traces to record.
        #[serde(default)]
        traces: Vec<String>,
        /// Width of a time bin in traces that have bins, seconds.
        #[serde(default)]
        bin_s: f64,
        /// Maximum of the random delay that is added to each flow's start, seconds, as in replications.
        #[serde(default)]
        jitter_s: f64,
    },
    /// Continues the run.
    Step {
        /// Number of times that the run loop checks for a stop before the step ends; it checks after every few thousand
        /// events.
        looks: u32,
    },
    /// Returns the summary of the finished run.
    Summary,
    /// Returns a table of the finished run.
    Table {
        /// Name of the table.
        name: String,
    },
    /// Discards the run and frees its memory.
    Forget,
}

/// A scenario with changes.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Given {
    /// Text of the scenario file.
    scenario: String,
    /// Contents of the files that the scenario names, by file name.
    #[serde(default)]
    files: BTreeMap<String, String>,
    /// Settings that replace the scenario's, as `--set PATH=VALUE` does.
    #[serde(default)]
    set: Vec<(String, String)>,
    /// Seed that replaces the scenario's.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Formulas of the control `own`.
    #[serde(default)]
    own: Option<Formulas>,
}

impl Given {
    /// Returns the document with the changes. The order is that of `ackclock run --set`: settings come before files
    /// are read.
    pub(crate) fn document(&self) -> Result<Document, ScenarioError> {
        let mut document = Document::from_toml(&self.scenario)?;
        document.set_all(self.set.iter().map(|(path, value)| (path.as_str(), value.as_str())))?;
        document.read_given(&self.files)?;
        Ok(match &self.own {
            None => document,
            Some(formulas) => document.with_controls(&formulas.controls()?),
        })
    }
}
