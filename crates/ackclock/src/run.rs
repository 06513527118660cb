//! Results of a run.

use metrics::{FlowSummary, LinkSummary, Table};
use sim::Results;
use std::borrow::Cow;

/// Results of a run. They depend on scenario, seed and version alone, unless a program has changed values
/// during the run.
#[derive(Debug)]
pub struct Run(pub(crate) Results);

impl Run {
    /// Returns a row for each flow, in the order of the scenario.
    pub fn flows(&self) -> &[FlowSummary] {
        self.0.flows()
    }

    /// Returns a row for each direction of each link.
    pub fn links(&self) -> &[LinkSummary] {
        self.0.links()
    }

    /// Returns the names of the tables: those that every run has, then the requested traces.
    pub fn tables(&self) -> impl Iterator<Item = &'static str> {
        self.0.tables()
    }

    /// Returns a table of [`Run::tables`] by name; it can be written as CSV or Arrow.
    pub fn table(&self, name: &str) -> Option<Cow<'_, Table>> {
        self.0.table(name)
    }

    /// Returns flows, links, fairness and manifest as JSON: the output of `ackclock run --json`.
    pub fn json(&self) -> String {
        self.0.summary()
    }
}
