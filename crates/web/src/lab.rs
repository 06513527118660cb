//! One run, and the commands that begin, continue and read it.

use crate::command::{Command, Given};
use crate::pack;
use crate::problem::Problem;
use base::Duration;
use engine::{Attend, Control};
use metrics::Observe;
use serde::Serialize;
use sha2::{Digest, Sha256};
use sim::scenario::describe;
use sim::{Results, RunError, RunOptions, Simulation, StartOptions, VERSION};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Size of the module's memory above which a run ends with an error, bytes. Browsers give a page up to 4 GiB.
const MOST_MEMORY: usize = 1 << 30;

/// State of the module: at most one run, and its results once it is over.
#[derive(Default)]
pub struct Lab {
    run: Option<Box<Simulation>>,
    results: Option<Results>,
}

/// A checked scenario.
#[derive(Serialize)]
struct Checked {
    version: &'static str,
    scenario_hash: String,
    /// The scenario with every parameter filled in.
    scenario: Box<serde_json::value::RawValue>,
}

/// Progress of a run.
#[derive(Serialize)]
struct Progress {
    done: bool,
    now_s: f64,
    end_s: f64,
    events: u64,
    memory_bytes: usize,
    /// Hash of the summary, once the run is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
}

impl Lab {
    /// Carries out a command, and returns its answer.
    ///
    /// # Errors
    /// If the command cannot be carried out; the error lists the problems that were found.
    pub fn call(&mut self, command: &[u8]) -> Result<Vec<u8>, Problem> {
        let command = serde_json::from_slice(command).map_err(|why| Problem::said(why.to_string()))?;
        match command {
            Command::Check(given) => check(&given),
            Command::Start { given, traces, bin_s, jitter_s } => {
                let bin = Duration::from_secs_f64(bin_s.max(0.0));
                let observe = Observe::parse(&traces, bin).map_err(|why| Problem::said(why.to_string()))?;
                let jitter = Duration::from_secs_f64(jitter_s.max(0.0));
                self.start(&given, RunOptions { seed: given.seed, jitter, observe })
            }
            Command::Step { looks } => self.step(looks),
            Command::Summary => Ok(self.results()?.summary().into_bytes()),
            Command::Table { name } => self.table(&name),
            Command::Forget => {
                *self = Self::default();
                Ok(Vec::new())
            }
        }
    }

    fn start(&mut self, given: &Given, options: RunOptions) -> Result<Vec<u8>, Problem> {
        // The memory of the previous run is freed before the new run takes any.
        *self = Self::default();
        let document = given.document()?;
        let run = Simulation::start(&document, StartOptions { options, ..StartOptions::default() })?;
        self.run = Some(Box::new(run));
        self.progress(None)
    }

    fn step(&mut self, looks: u32) -> Result<Vec<u8>, Problem> {
        let Some(run) = &mut self.run else { return Err(Problem::said("no run has been started")) };
        let outcome = run.advance(run.end(), None, &limited(looks));
        if memory() > MOST_MEMORY {
            let (reached, events) = (run.now().secs(), run.events());
            *self = Self::default();
            return Err(Problem::said(format!(
                "the run takes more than {} MiB of memory: it was stopped at {reached} s, after {events} events. \
                 A shorter run, fewer flows or fewer traces take less; the command line has no such limit",
                MOST_MEMORY >> 20
            )));
        }
        match outcome {
            Err(RunError::Interrupted) => self.progress(None),
            Err(error) => {
                *self = Self::default();
                Err(error.into())
            }
            Ok(_) => self.finish(),
        }
    }

    fn finish(&mut self) -> Result<Vec<u8>, Problem> {
        let Some(run) = self.run.take() else { return Err(Problem::said("no run has been started")) };
        let (end_s, events) = (run.end().secs(), run.events());
        let results = run.finish(&Control::default())?;
        let mut hash = Hash(Sha256::new());
        results.write_summary(&mut hash).map_err(|why| Problem::said(why.to_string()))?;
        let sha256 = hash.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        self.results = Some(results);
        let done = Progress {
            done: true,
            now_s: end_s,
            end_s,
            events,
            memory_bytes: memory(),
            sha256: Some(sha256),
        };
        json(&done)
    }

    fn progress(&self, sha256: Option<String>) -> Result<Vec<u8>, Problem> {
        let Some(run) = &self.run else { return Err(Problem::said("no run has been started")) };
        let (now_s, end_s, events) = (run.now().secs(), run.end().secs(), run.events());
        json(&Progress { done: false, now_s, end_s, events, memory_bytes: memory(), sha256 })
    }

    fn results(&self) -> Result<&Results, Problem> {
        self.results.as_ref().ok_or_else(|| Problem::said("no run has ended"))
    }

    fn table(&self, name: &str) -> Result<Vec<u8>, Problem> {
        let results = self.results()?;
        let Some(table) = results.table(name) else {
            let names: Vec<_> = results.tables().collect();
            return Err(Problem::said(format!("the run has no table `{name}`: it has {}", names.join(", "))));
        };
        pack::table(&table).map_err(|why| Problem::said(why.to_string()))
    }
}

fn check(given: &Given) -> Result<Vec<u8>, Problem> {
    let document = given.document()?;
    let scenario = serde_json::value::RawValue::from_string(describe(&document.check()?));
    let scenario = scenario.map_err(|why| Problem::said(why.to_string()))?;
    json(&Checked { version: VERSION, scenario_hash: sim::scenario_hash(&document), scenario })
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Problem> {
    serde_json::to_vec(value).map_err(|why| Problem::said(why.to_string()))
}

/// Returns a control that stops the run at the run loop's check number `looks`, or at the first check if `looks` is 0.
fn limited(looks: u32) -> Control {
    let left = AtomicU32::new(looks.max(1));
    let attend = move |control: &Control| {
        if left.fetch_sub(1, Ordering::Relaxed) == 1 {
            control.stop.store(true, Ordering::Relaxed);
        }
    };
    Control { attend: Some(Attend(Arc::new(attend))), ..Control::default() }
}

/// Returns the memory that the module has taken, bytes.
#[cfg(target_family = "wasm")]
fn memory() -> usize {
    const PAGE: usize = 1 << 16;
    core::arch::wasm32::memory_size(0) * PAGE
}

/// Returns zero: outside WebAssembly there is no module.
#[cfg(not(target_family = "wasm"))]
fn memory() -> usize {
    0
}

/// Writer that computes the SHA-256 hash of the bytes written to it.
struct Hash(Sha256);

impl std::io::Write for Hash {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
