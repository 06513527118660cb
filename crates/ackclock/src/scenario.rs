//! Scenario with options of its run.

use crate::Run;
use base::Duration;
use engine::Control;
use metrics::Observe;
use sim::scenario::{Document, ScenarioError};
use sim::{RunError, RunOptions};
use std::fmt;
use std::path::Path;
use tcp::congestion::{Controls, Custom};

/// Reason for which a run has no results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Error {
    /// The scenario is not valid: the message has the value's path, the value that was given and the allowed values.
    Scenario(String),
    /// The trace does not exist, or it needs bins wider than 0 s.
    Trace(String),
    /// A file cannot be read.
    File(String),
    /// A user-defined congestion control violated its contract, or failed.
    Control(String),
    /// A fault of this program.
    Fault(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Scenario(said)
        | Self::Trace(said)
        | Self::File(said)
        | Self::Control(said)
        | Self::Fault(said)) = self;
        f.write_str(said)
    }
}

impl std::error::Error for Error {}

impl From<ScenarioError> for Error {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(error.to_string())
    }
}

impl From<RunError> for Error {
    fn from(error: RunError) -> Self {
        let said = error.to_string();
        match error {
            RunError::Scenario(_) => Self::Scenario(said),
            RunError::Control(_) => Self::Control(said),
            _ => Self::Fault(said),
        }
    }
}

/// A scenario, with the seed and the traces of its run.
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) document: Document,
    pub(crate) seed: Option<u64>,
    traces: Vec<String>,
    bin: Duration,
    pub(crate) adjustable: Vec<usize>,
}

impl Scenario {
    /// Reads the text of a scenario file. Values are checked when the run begins.
    ///
    /// # Errors
    /// If the text is not valid TOML; the error has the line.
    pub fn from_toml(text: &str) -> Result<Self, Error> {
        let document = Document::from_toml(text)?;
        Ok(Self {
            document,
            seed: None,
            traces: Vec::new(),
            bin: Duration::from_secs(1),
            adjustable: Vec::new(),
        })
    }

    /// Reads a scenario file, and the files that it names (rate and loss traces, movements, videos).
    ///
    /// # Errors
    /// If a file cannot be read, or is not valid.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::File(format!("cannot read {}: {error}", path.display())))?;
        let mut scenario = Self::from_toml(&text)?;
        scenario.document.read_files(path.parent().unwrap_or(Path::new(".")))?;
        Ok(scenario)
    }

    /// Sets one value, as `ackclock run --set` does: `set("link.bottleneck.rate", "1Mbps")`.
    ///
    /// # Errors
    /// If the path leads through an item of a list that does not exist, or through a value that is no table.
    pub fn set(mut self, path: &str, value: &str) -> Result<Self, Error> {
        self.document.set(path, value)?;
        Ok(self)
    }

    /// Sets the seed, which replaces the scenario's.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Adds a user-defined congestion control, whose name becomes a variant.
    #[must_use]
    pub fn control(mut self, control: Custom) -> Self {
        let mut controls = Controls::default();
        controls.add(control);
        self.document = self.document.with_controls(&controls);
        self
    }

    /// Records a trace, by its name in `ackclock list traces`.
    ///
    /// # Errors
    /// If there is no such trace; the error names the nearest one.
    pub fn trace(mut self, name: &str) -> Result<Self, Error> {
        self.traces.push(name.to_owned());
        self.observe()?;
        Ok(self)
    }

    /// Sets the time bin of traces that have one row per bin; the default is 1 s.
    #[must_use]
    pub fn bin(mut self, bin: Duration) -> Self {
        self.bin = bin;
        self
    }

    /// Allows a program to set the rate of a link, given by its number in the scenario
    /// ([`Simulation::set_link_rate`](crate::Simulation::set_link_rate)).
    #[must_use]
    pub fn adjustable(mut self, link: usize) -> Self {
        self.adjustable.push(link);
        self
    }

    fn observe(&self) -> Result<Observe, Error> {
        Observe::parse(&self.traces, self.bin).map_err(|error| Error::Trace(error.to_string()))
    }

    pub(crate) fn options(&self) -> Result<RunOptions, Error> {
        Ok(RunOptions { seed: self.seed, observe: self.observe()?, ..RunOptions::default() })
    }

    /// Runs the scenario to its end.
    ///
    /// # Errors
    /// If the scenario is not valid, or a user-defined control fails.
    pub fn run(&self) -> Result<Run, Error> {
        Ok(Run(sim::run(&self.document, &self.options()?, &Control::default())?))
    }
}
