//! The Python interface of ackclock: functions and classes of the module `ackclock._core`. It converts arguments and
//! results, releases the GIL and maps errors; it has no logic of its own.
//!
//! The module itself is built by another crate: `extension`, or the crate of a user who adds controls in Rust.
//! `python/ackclock/_core.pyi` declares its types. Users see the package `ackclock`, not this module.

mod arguments;
mod control;
mod emulation;
mod errors;
mod footprint;
mod memory;
mod objects;
mod own;
mod result;
mod samples;
mod simulation;
mod stacks;
mod supervise;

use arguments::{observe, seconds_argument, seed_argument, threads_argument};
use engine::Control;
use errors::{argument, scenario_error};
use metrics::Trace;
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use result::{ArrowTable, RunResult};
use sim::model::Scenario;
use sim::scenario::Document;
use sim::{Job, RunOptions};
use stack::Stacks;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use supervise::{attend, supervise, wait_for};
use tcp::congestion::Controls;

/// Reads the text of a scenario, in format "toml" or "json".
fn document(text: &str, format: &str) -> PyResult<Document> {
    match format {
        "toml" => own::from_toml(text),
        "json" => own::from_json(text),
        other => return Err(argument("format", other, "\"toml\" or \"json\"")),
    }
    .map_err(scenario_error)
}

#[pyfunction]
#[pyo3(signature = (text, format, sets, folder=PathBuf::from(".")))]
fn check(py: Python<'_>, text: &str, format: &str, sets: Vec<String>, folder: PathBuf) -> PyResult<String> {
    let large = is_large(text, &sets);
    let (text, format, within) = (text.to_owned(), format.to_owned(), folder.clone());
    let read = move || -> PyResult<Document> {
        let mut document = document(&text, &format)?;
        let mut settings = Vec::with_capacity(sets.len());
        for set in &sets {
            let setting = set
                .split_once('=')
                .ok_or_else(|| argument("set", set, "PATH=VALUE, for example flow.0.tcp.variant=vegas"))?;
            settings.push(setting);
        }
        document.set_all(settings).and_then(|()| document.read_files(&within)).map_err(scenario_error)?;
        Ok(document)
    };
    let document = if large { wait_for(py, read)? } else { read() }?;
    own::warn_of_former_names(py, &document)?;
    let document = own::bring(py, document, &folder)?;
    let check = move || document.check().map(|_| document.canonical_json());
    let checked = if large { wait_for(py, check)? } else { py.detach(check) };
    checked.map_err(scenario_error)
}

/// Returns true if reading a scenario may take long, so that signals must be handled meanwhile.
fn is_large(text: &str, sets: &[String]) -> bool {
    const LARGE: usize = 1 << 16;
    text.len() > LARGE || text.contains("count") || sets.iter().any(|set| set.contains("count"))
}

#[pyfunction]
fn read_files(py: Python<'_>, document: &str, folder: PathBuf) -> PyResult<String> {
    let large = is_large(document, &[]);
    let (text, within) = (document.to_owned(), folder.clone());
    let read = move || {
        let mut document = own::from_json(&text)?;
        document.write_out().and_then(|()| document.read_files(&within)).map(|()| document)
    };
    let document = if large { wait_for(py, read)? } else { read() }.map_err(scenario_error)?;
    Ok(own::bring(py, document, &folder)?.to_json())
}

#[pyfunction]
fn scenario_hash(document: &str) -> PyResult<String> {
    Ok(sim::scenario_hash(&own::from_json(document).map_err(scenario_error)?))
}

#[pyfunction]
fn describe(py: Python<'_>, text: &str, format: &str) -> PyResult<String> {
    described(py, text, format, sim::scenario::describe)
}

#[pyfunction]
fn describe_shared(py: Python<'_>, text: &str) -> PyResult<String> {
    described(py, text, "json", sim::scenario::describe_shared)
}

/// Reads and checks a scenario, and returns its description by `write`.
fn described(py: Python<'_>, text: &str, format: &str, write: fn(&Scenario) -> String) -> PyResult<String> {
    let large = is_large(text, &[]);
    let (text, format) = (text.to_owned(), format.to_owned());
    let read = move || document(&text, &format);
    let document = own::bring(py, if large { wait_for(py, read)? } else { read() }?, Path::new("."))?;
    let describe = move || document.check().map(|scenario| write(&scenario));
    let described = if large { wait_for(py, describe)? } else { py.detach(describe) };
    described.map_err(scenario_error)
}

#[pyfunction]
#[pyo3(signature = (document, *, seed=None, jitter_s=0.0, traces=vec![], bin_s=1.0, progress=None))]
fn run(
    py: Python<'_>,
    document: &str,
    seed: Option<Bound<'_, PyAny>>,
    jitter_s: f64,
    traces: Vec<String>,
    bin_s: f64,
    progress: Option<Py<PyAny>>,
) -> PyResult<RunResult> {
    let options = RunOptions {
        seed: seed.as_ref().map(seed_argument).transpose()?,
        jitter: seconds_argument("jitter_s", jitter_s)?,
        observe: observe(&traces, bin_s)?,
    };
    let told = move |py: Python<'_>, control: &Control| {
        let Some(progress) = &progress else { return Ok(()) };
        progress.call1(py, (control.fraction(), control.events.load(Ordering::Relaxed))).map(drop)
    };
    if sim::scenario::mentions_former_name(document) {
        own::warn_of_former_names(py, &own::from_json(document).map_err(scenario_error)?)?;
    }
    let named = own::names_controls(document);
    let outcome = if named {
        let read = own::from_json(document).map_err(scenario_error)?;
        let read = own::bring(py, read, Path::new("."))?;
        attend(py, told, |control| sim::run(&read, &options, control))
    } else {
        // The scenario is read on the thread of the run, so that memory freed by reading can be used by the run at
        // once.
        supervise(py, told, |control| sim::run(&own::from_json(document)?, &options, control))
    }
    .inspect_err(|error| {
        errors::note_scenario(py, error, document);
    })?;
    RunResult::new(outcome.map_err(|error| errors::run_error(py, error))?).warned(py)
}

/// Reads and checks the scenario of job number `index`.
fn checked(py: Python<'_>, text: &str, index: usize) -> PyResult<(Document, Arc<Scenario>)> {
    let document = own::from_json(text).map_err(|e| errors::job_error(index, e))?;
    let document = own::bring(py, document, Path::new("."))?;
    let scenario = py.detach(|| document.check()).map_err(|e| errors::job_error(index, e))?;
    Ok((document, Arc::new(scenario)))
}

#[pyfunction]
#[pyo3(signature = (jobs, *, threads=None, traces=vec![], bin_s=1.0, progress=None))]
fn run_many(
    py: Python<'_>,
    jobs: Vec<(String, Bound<'_, PyAny>, f64)>,
    threads: Option<Bound<'_, PyAny>>,
    traces: Vec<String>,
    bin_s: f64,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vec<RunResult>> {
    let observe = observe(&traces, bin_s)?;
    let threads = threads.as_ref().map(threads_argument).transpose()?.unwrap_or_default();
    let total = jobs.len();
    let mut known = BTreeMap::new();
    let jobs = jobs
        .into_iter()
        .enumerate()
        .map(|(index, (text, seed, jitter_s))| {
            // All jobs are checked before the first run begins, so that an error in the last job is reported at once.
            let (document, scenario) = match known.get(&text) {
                Some(checked) => Clone::clone(checked),
                None => {
                    let checked = checked(py, &text, index)?;
                    known.insert(text, checked.clone());
                    checked
                }
            };
            let jitter = seconds_argument("jitter_s", jitter_s)?;
            let seed = Some(seed_argument(&seed)?);
            let options = RunOptions { seed, jitter, observe: observe.clone() };
            Ok(Job { document, scenario: Some(scenario), options })
        })
        .collect::<PyResult<Vec<_>>>()?;
    drop(known);
    let done = Arc::new(AtomicUsize::new(0));
    let ended = Arc::clone(&done);
    let told = move |py: Python<'_>, _: &Control| {
        let Some(progress) = &progress else { return Ok(()) };
        progress.call1(py, (ended.load(Ordering::Relaxed), total)).map(drop)
    };
    let count = |count| done.store(count, Ordering::Relaxed);
    let outcome = if jobs.iter().any(|job| job.document.has_records()) {
        // One run at a time, as controls in Python need the GIL anyway.
        attend(py, told, |control| sim::run_many(&jobs, 1, control, &count))?
    } else {
        supervise(py, told, |control| sim::run_many(&jobs, threads, control, &count))?
    };
    match outcome {
        Ok(results) => results.into_iter().map(|result| RunResult::new(result).warned(py)).collect(),
        Err((index, error)) => {
            let job = &jobs[index];
            let seed = job.options.seed.unwrap_or_default();
            let document = format!("{}\n(seed {seed})", job.document.to_json());
            Err(errors::job_run_error(py, index, error, &document))
        }
    }
}

#[pyfunction]
fn catalogue(what: &str) -> PyResult<String> {
    sim::scenario::catalogue(what, own::built_in(), own::built_in_stacks()).map_err(scenario_error)
}

#[pyfunction]
fn catalogue_kinds() -> Vec<String> {
    sim::scenario::catalogue_kinds()
}

#[pyfunction]
fn result_tables() -> Vec<&'static str> {
    metrics::glossary::RESULTS.map(|table| table.name).to_vec()
}

/// Returns a table of results or of a trace without rows, which shows the columns and their types.
#[pyfunction]
fn empty_table(name: &str) -> PyResult<ArrowTable> {
    let declared = metrics::glossary::tables().find(|table| table.name == name);
    let declared = declared.ok_or_else(|| PyKeyError::new_err(format!("there is no table {name:?}")))?;
    Ok(ArrowTable::new(&declared.empty()))
}

#[pyfunction]
fn file_traces() -> Vec<&'static str> {
    Trace::ALL.into_iter().filter(|trace| trace.table().is_none()).map(Trace::name).collect()
}

#[pyfunction]
fn seconds(text: &str) -> PyResult<f64> {
    let parsed = base::units::parse_duration(text);
    parsed.map(base::Duration::secs).map_err(|e| PyValueError::new_err(e.message))
}

#[pyfunction]
fn bits_per_second(text: &str) -> PyResult<u64> {
    let parsed = base::units::parse_rate(text);
    parsed.map(base::DataRate::bps).map_err(|e| PyValueError::new_err(e.message))
}

#[pyfunction]
fn size_bytes(text: &str) -> PyResult<u64> {
    let parsed = base::units::parse_bytes(text);
    parsed.map(|size| size.0).map_err(|e| PyValueError::new_err(e.message))
}

#[pyfunction]
fn cbrt(x: f64) -> f64 {
    libm::cbrt(x)
}

#[pyfunction]
fn exp(x: f64) -> f64 {
    libm::exp(x)
}

#[pyfunction]
fn log(x: f64) -> f64 {
    libm::log(x)
}

#[pyfunction]
fn power(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// Fills the extension module `ackclock._core`. `controls` become variants besides the built-in ones. The version
/// gets the suffix `label`, as in `0.1.0+label`; as results name the version, use a new label for each state of your
/// controls.
///
/// # Errors
/// If a control has the name of a built-in variant, or if the module has been filled before in this process.
pub fn fill(m: &Bound<'_, PyModule>, controls: Controls, label: &str) -> PyResult<()> {
    fill_with_stacks(m, controls, Stacks::default(), label)
}

/// Fills the extension module as [`fill`] does; `stacks` become variants, too.
///
/// # Errors
/// Those of [`fill`], also for stacks, and if the name of a stack has capital letters.
pub fn fill_with_stacks(
    m: &Bound<'_, PyModule>,
    controls: Controls,
    stacks: Stacks,
    label: &str,
) -> PyResult<()> {
    own::build_in(controls, stacks)?;
    let version =
        if label.is_empty() { sim::VERSION.to_owned() } else { format!("{}+{label}", sim::VERSION) };
    m.add("__version__", version)?;
    errors::register(m)?;
    m.add_class::<RunResult>()?;
    m.add_class::<ArrowTable>()?;
    m.add_class::<control::Control>()?;
    m.add_class::<control::Stream>()?;
    m.add_class::<simulation::FlowState>()?;
    m.add_class::<simulation::LinkState>()?;
    m.add_class::<simulation::Simulation>()?;
    m.add_class::<own::Brought>()?;
    m.add_class::<emulation::EmulationReport>()?;
    m.add_class::<samples::Ack>()?;
    m.add_class::<samples::Arrived>()?;
    m.add_class::<samples::Loss>()?;
    m.add_class::<samples::Rated>()?;
    m.add("QUIC_PACKET_BYTES", sim::QUIC_PACKET_BYTES)?;
    m.add("CONTRACT_VERSION", tcp::congestion::CONTRACT_VERSION)?;
    m.add("STACK_CONTRACT_VERSION", stack::CONTRACT_VERSION)?;
    m.add_function(wrap_pyfunction!(own::own_control, m)?)?;
    m.add_function(wrap_pyfunction!(stacks::check_stack, m)?)?;
    m.add_function(wrap_pyfunction!(cbrt, m)?)?;
    m.add_function(wrap_pyfunction!(exp, m)?)?;
    m.add_function(wrap_pyfunction!(log, m)?)?;
    m.add_function(wrap_pyfunction!(power, m)?)?;
    m.add_function(wrap_pyfunction!(check, m)?)?;
    m.add_function(wrap_pyfunction!(read_files, m)?)?;
    m.add_function(wrap_pyfunction!(scenario_hash, m)?)?;
    m.add_function(wrap_pyfunction!(describe, m)?)?;
    m.add_function(wrap_pyfunction!(describe_shared, m)?)?;
    m.add_function(wrap_pyfunction!(footprint::most_kept, m)?)?;
    m.add_function(wrap_pyfunction!(footprint::estimate_footprint, m)?)?;
    m.add_function(wrap_pyfunction!(footprint::free_memory, m)?)?;
    m.add_function(wrap_pyfunction!(run, m)?)?;
    m.add_function(wrap_pyfunction!(emulation::emulate, m)?)?;
    m.add_function(wrap_pyfunction!(run_many, m)?)?;
    m.add_function(wrap_pyfunction!(catalogue, m)?)?;
    m.add_function(wrap_pyfunction!(catalogue_kinds, m)?)?;
    m.add_function(wrap_pyfunction!(result_tables, m)?)?;
    m.add_function(wrap_pyfunction!(empty_table, m)?)?;
    m.add_function(wrap_pyfunction!(file_traces, m)?)?;
    m.add_function(wrap_pyfunction!(bits_per_second, m)?)?;
    m.add_function(wrap_pyfunction!(size_bytes, m)?)?;
    m.add_function(wrap_pyfunction!(seconds, m)?)
}
