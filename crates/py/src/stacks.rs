//! Transport stacks: their check.

use crate::errors::argument;
use crate::own;
use pyo3::prelude::*;
use stack::{Held, Repeats};

/// Result of the check of a stack, for Python.
type Checked = (Vec<String>, &'static str, String, u64, Option<f64>);

/// Checks a stack by a transfer of `size` bytes over a lossy path, twice. Returns the violations of the contract, a
/// word for the comparison of both runs (`bytes`, `shape`, `not`), its sentence, the number of datagrams, and the time at
/// which the transfer had finished.
#[pyfunction]
pub(crate) fn check_stack(py: Python<'_>, name: &str, size: u64) -> PyResult<Checked> {
    let custom = sim::stack_named(name, own::built_in_stacks())
        .ok_or_else(|| argument("stack", name, "a name in `ackclock list stacks`"))?;
    let Held { violations, repeats, datagrams, finished, .. } = py.detach(|| stack::hold(&custom, size));
    let word = match repeats {
        Repeats::Bytes => "bytes",
        Repeats::Shape(_) => "shape",
        Repeats::Not(_) => "not",
    };
    Ok((violations, word, repeats.to_string(), datagrams, finished.map(base::Instant::secs)))
}
