//! Checks and conversion of arguments from Python.

use crate::errors::{argument, observe_error};
use metrics::Observe;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

/// Reads a duration in seconds, from 0 to below 9e6 s.
pub(crate) fn seconds_argument(name: &str, value: f64) -> PyResult<base::Duration> {
    // 64 bits of picoseconds hold at most 213 days; half of that leaves room for sums.
    if (0.0..9e6).contains(&value) {
        Ok(base::Duration::from_secs_f64(value))
    } else {
        Err(argument(name, &value.to_string(), "seconds, 0 or more and below 9000000"))
    }
}

/// Reads a seed, an integer from 0 to 2^64 - 1.
pub(crate) fn seed_argument(value: &Bound<'_, PyAny>) -> PyResult<u64> {
    in_range(value.extract(), "seed", value, "an integer from 0 to 18446744073709551615")
}

/// Reads a number of threads, zero or more.
pub(crate) fn threads_argument(value: &Bound<'_, PyAny>) -> PyResult<usize> {
    in_range(value.extract(), "threads", value, "a whole number, 0 (one per core) or more")
}

/// Returns the value that was read from `value`. For a number out of range, returns an error with the allowed values.
fn in_range<T>(read: PyResult<T>, name: &str, value: &Bound<'_, PyAny>, allowed: &str) -> PyResult<T> {
    read.map_err(|error| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            argument(name, &value.to_string(), allowed)
        } else {
            error
        }
    })
}

/// Reads the names of the traces to record, and the width of time bins, seconds.
pub(crate) fn observe(traces: &[String], bin_s: f64) -> PyResult<Observe> {
    let bin = seconds_argument("bin_s", bin_s)?;
    Observe::parse(traces, bin).map_err(observe_error)
}
