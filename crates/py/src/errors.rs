//! Conversion of the core's errors to Python exceptions.

use metrics::ObserveError;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use sim::{ControlFault, RunError};
use std::io;
use std::path::Path;

mod exceptions {
    #![allow(missing_docs, reason = "the macro takes no documentation; `_core.pyi` has it")]
    pyo3::create_exception!(
        ackclock._core,
        ScenarioError,
        pyo3::exceptions::PyValueError,
        "What is wrong with a scenario: where, what was given, what is allowed. `str(error)` says it all."
    );
    pyo3::create_exception!(
        ackclock._core,
        ControlError,
        pyo3::exceptions::PyValueError,
        "A congestion control of your own broke the contract, or raised: when, what it was told, and its traceback."
    );
}
use exceptions::{ControlError, ScenarioError};

/// Adds the exceptions to the module.
pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let class = m.py().get_type::<ScenarioError>();
    // The class attributes are the values of errors that lack their own attributes, such as an error that Python
    // code raises.
    for name in ["path", "given", "allowed"] {
        class.setattr(name, "")?;
    }
    for name in ["nearest", "line"] {
        class.setattr(name, m.py().None())?;
    }
    class.setattr("more", PyTuple::empty(m.py()))?;
    m.add("ControlError", m.py().get_type::<ControlError>())?;
    m.add("ScenarioError", class)
}

/// Attributes of a `ScenarioError`.
struct Parts {
    message: String,
    path: String,
    given: String,
    allowed: String,
    nearest: Option<String>,
    line: Option<usize>,
    more: Vec<PyErr>,
}

impl From<Parts> for PyErr {
    fn from(parts: Parts) -> Self {
        Python::attach(|py| {
            let error = ScenarioError::new_err(parts.message);
            let value = error.value(py);
            let set = (|| {
                value.setattr("path", parts.path)?;
                value.setattr("given", parts.given)?;
                value.setattr("allowed", parts.allowed)?;
                value.setattr("nearest", parts.nearest)?;
                value.setattr("line", parts.line)?;
                let more = parts.more.into_iter().map(|one| one.into_value(py));
                value.setattr("more", PyTuple::new(py, more.collect::<Vec<_>>())?)
            })();
            // Setting an attribute of a new exception fails only if no memory is left; that error is then returned.
            set.err().unwrap_or(error)
        })
    }
}

/// Converts the error about an invalid scenario.
pub(crate) fn scenario_error(error: sim::scenario::ScenarioError) -> PyErr {
    prefixed("", error)
}

/// Converts the error about the invalid scenario of job number `index` of `run_many`; the message begins with
/// the number.
pub(crate) fn job_error(index: usize, error: sim::scenario::ScenarioError) -> PyErr {
    prefixed(&format!("job {index}: "), error)
}

fn prefixed(prefix: &str, error: sim::scenario::ScenarioError) -> PyErr {
    let message = format!("{prefix}{error}");
    let sim::scenario::ScenarioError { path, given, allowed, nearest, line, more, .. } = error;
    let more = more.into_iter().map(scenario_error).collect();
    Parts { message, path, given, allowed, nearest, line, more }.into()
}

/// Returns the error for an argument with a value that is not allowed.
pub(crate) fn argument(name: &str, given: &str, allowed: &str) -> PyErr {
    Parts {
        message: format!("{name}: not allowed\n  given:   {given}\n  allowed: {allowed}"),
        path: name.to_owned(),
        given: given.to_owned(),
        allowed: allowed.to_owned(),
        nearest: None,
        line: None,
        more: Vec::new(),
    }
    .into()
}

/// Converts the error about a trace that does not exist, or about bins with width zero.
pub(crate) fn observe_error(error: ObserveError) -> PyErr {
    let message = error.to_string();
    match error {
        ObserveError::Unknown { given, nearest } => Parts {
            message,
            path: "traces".to_owned(),
            given,
            allowed: ObserveError::allowed(),
            nearest: nearest.map(str::to_owned),
            line: None,
            more: Vec::new(),
        }
        .into(),
        _ => PyValueError::new_err(message),
    }
}

/// Converts the error of a run that has no results.
pub(crate) fn run_error(py: Python<'_>, error: RunError) -> PyErr {
    match error {
        RunError::Scenario(error) => scenario_error(*error),
        RunError::Control(fault) => control_error(py, &fault),
        RunError::Fault(said) => fault_error(&said),
        // A run is interrupted only after an exception in `supervise` or `attend`, which is raised in place of this
        // one.
        _ => PyKeyboardInterrupt::new_err(()),
    }
}

/// Beginning of the message for a fault of this program.
const FAULT: &str = "a fault of ackclock, not of your scenario";

/// Returns the error for a fault of this program; `said` is the message of the panic.
pub(crate) fn fault_error(said: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{FAULT}: {said}"))
}

/// Converts the error of one of many runs; `document` is the scenario of that run.
pub(crate) fn job_run_error(py: Python<'_>, index: usize, error: RunError, document: &str) -> PyErr {
    match error {
        RunError::Fault(said) => {
            let error = fault_error(&format!("{said} (job {index})"));
            note_scenario(py, &error, document);
            error
        }
        RunError::Scenario(error) => job_error(index, *error),
        other => run_error(py, other),
    }
}

/// Converts the failure of a congestion control in Python, which violated its contract or raised an exception. That
/// exception (`SystemExit` included) becomes the cause, and its traceback is in the message. A `KeyboardInterrupt`
/// is raised unchanged.
fn control_error(py: Python<'_>, fault: &ControlFault) -> PyErr {
    let cause = fault.fault.cause.as_ref().and_then(|cause| cause.downcast_ref::<PyErr>());
    let Some(cause) = cause else { return ControlError::new_err(fault.to_string()) };
    if cause.is_instance_of::<PyKeyboardInterrupt>(py) {
        return cause.clone_ref(py);
    }
    let traceback = cause.traceback(py).and_then(|traceback| traceback.format().ok()).unwrap_or_default();
    let error = ControlError::new_err(format!("{fault}\n{}", traceback.trim_end()));
    error.set_cause(py, Some(cause.clone_ref(py)));
    error
}

/// Adds the scenario as a note to an error that stands for a fault of this program, so that a user can report it;
/// returns true if it is such an error.
pub(crate) fn note_scenario(py: Python<'_>, error: &PyErr, document: &str) -> bool {
    // An exception raised by a callback is not a fault of the program.
    let fault = error.is_instance_of::<PyRuntimeError>(py) && error.value(py).to_string().starts_with(FAULT);
    if fault {
        let note = format!("please report it with this scenario:\n{document}");
        // If adding the note fails, the error is raised without the note.
        let _ = error.value(py).call_method1("add_note", (note,));
    }
    fault
}

/// Returns the error for a file that cannot be written: the subclass of `OSError` for its error number, with the
/// path.
pub(crate) fn file_error(error: io::Error, path: &Path) -> PyErr {
    match error.raw_os_error() {
        Some(code) => {
            let said = error.to_string();
            let reason = said.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((code, reason, path.to_path_buf()))
        }
        None => PyOSError::new_err(format!("{}: {error}", path.display())),
    }
}
