//! Memory and disk space that a run will take, and memory that is free.

use crate::arguments::{observe, seconds_argument, seed_argument};
use crate::errors::{self, scenario_error};
use crate::memory;
use crate::own;
use crate::supervise::{now, supervise};
use engine::Control;
use pyo3::prelude::*;
use sim::RunOptions;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Returns an upper bound of the bytes that the traces of a run take; `None` if it is unknown because the scenario
/// has controls in Python.
#[pyfunction]
pub(crate) fn most_kept(
    py: Python<'_>,
    document: &str,
    traces: Vec<String>,
    bin_s: f64,
) -> PyResult<Option<f64>> {
    let observe = observe(&traces, bin_s)?;
    if own::names_controls(document) {
        return Ok(None);
    }
    py.detach(|| sim::most_kept(&own::from_json(document)?, &observe)).map(Some).map_err(scenario_error)
}

/// Name of each trace, with its bytes in memory, in the temporary folder, and in the files of the results.
type Rooms = Vec<(&'static str, f64, f64, f64)>;

/// Simulates the first part of a run and extrapolates the sizes of its traces. `limits` bound that part: the largest
/// share of the run (0 to 1), and the longest wall-clock time, s. `None` if no flow offers data in that part.
#[pyfunction(name = "pilot")]
#[pyo3(signature = (document, *, seed, jitter_s, traces, bin_s, limits))]
pub(crate) fn estimate_footprint(
    py: Python<'_>,
    document: &str,
    seed: Option<Bound<'_, PyAny>>,
    jitter_s: f64,
    traces: Vec<String>,
    bin_s: f64,
    limits: (f64, f64),
) -> PyResult<Option<Rooms>> {
    let options = RunOptions {
        seed: seed.as_ref().map(seed_argument).transpose()?,
        jitter: seconds_argument("jitter_s", jitter_s)?,
        observe: observe(&traces, bin_s)?,
    };
    let (part, seconds) = limits;
    let limit = Duration::from_secs_f64(seconds.clamp(0.0, 1e6));
    let began = now();
    let told = move |_: Python<'_>, control: &Control| {
        if began.elapsed() >= limit {
            control.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let found = supervise(py, told, |control| {
        sim::estimate_footprint(&own::from_json(document)?, &options, part, control)
    })?;
    let found = found.map_err(|error| errors::run_error(py, error))?;
    let room = |(name, kept): (_, metrics::Kept)| (name, kept.memory, kept.temporary, kept.written);
    Ok(found.map(|found| found.into_iter().map(room).collect()))
}

/// Returns the bytes of memory that a run may still take; `None` if the system does not report it.
#[pyfunction]
pub(crate) fn free_memory() -> Option<u64> {
    memory::free()
}
