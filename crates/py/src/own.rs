//! User-defined controls: those in Rust with which the module was built, and those in Python that scenarios name.

use crate::control::{Adapter, Class};
use pyo3::exceptions::{PyFutureWarning, PyImportError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use sim::scenario::{Document, OwnControl, ScenarioError};
use stack::Stacks;
use std::ffi::CString;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use tcp::congestion::{Algorithm, Controls, Custom, Parameter};

/// Controls and stacks in Rust with which the module was built.
static BUILT_IN: OnceLock<(Controls, Stacks)> = OnceLock::new();

/// Sets the controls and stacks in Rust with which the module was built.
pub(crate) fn build_in(controls: Controls, stacks: Stacks) -> PyResult<()> {
    let ours = |name: &&str| tcp::custom_name(name).is_none() || name.starts_with("quinn");
    if let Some(name) = stacks.names().find(ours) {
        return Err(PyImportError::new_err(format!(
            "{name}: a variant of ours has this name already; the stack needs another"
        )));
    }
    if let Some(name) = stacks.names().find(|name| name.chars().any(|c| c.is_ascii_uppercase())) {
        return Err(PyImportError::new_err(format!("{name}: names of stacks have no capital letters")));
    }
    if let Some(name) = controls.names().find(|name| tcp::custom_name(name).is_none()) {
        return Err(PyImportError::new_err(format!(
            "{name}: a variant of ours has this name already; the control needs another"
        )));
    }
    BUILT_IN
        .set((controls, stacks))
        .map_err(|_| PyImportError::new_err("this module has been loaded in this process before"))
}

/// Returns the controls in Rust with which the module was built.
pub(crate) fn built_in() -> &'static Controls {
    &BUILT_IN.get_or_init(Default::default).0
}

/// Returns the stacks with which the module was built.
pub(crate) fn built_in_stacks() -> &'static Stacks {
    &BUILT_IN.get_or_init(Default::default).1
}

/// Adds the controls and stacks with which the module was built to a document.
fn with_own(document: Document) -> Document {
    document.with_controls(built_in()).with_stacks(built_in_stacks())
}

/// Reads a document in TOML, and adds the controls and stacks with which the module was built.
pub(crate) fn from_toml(text: &str) -> Result<Document, ScenarioError> {
    Document::from_toml(text).map(with_own)
}

/// Reads a document in JSON, and adds the controls and stacks with which the module was built.
pub(crate) fn from_json(text: &str) -> Result<Document, ScenarioError> {
    Document::from_json(text).map(with_own)
}

/// Warns of settings and variants that a document gives under former names.
pub(crate) fn warn_of_former_names(py: Python<'_>, document: &Document) -> PyResult<()> {
    for renamed in document.renamed() {
        let message = format!("{renamed}: the next version will not know the old name");
        let message = CString::new(message.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyFutureWarning>(), &message, 1)?;
    }
    Ok(())
}

/// User-defined class of controls that a scenario can name.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct Brought {
    custom: Custom,
    /// True for a stand-in whose code was not loaded: it accepts any parameters that a scenario gives, and never
    /// runs.
    unread: bool,
    #[pyo3(get)]
    sha256: String,
    #[pyo3(get)]
    source: String,
}

/// Declaration of a parameter: name, unit, default, least, greatest, words, meaning.
type Declared = (String, String, f64, f64, f64, Vec<String>, String);

/// Copies a text for the rest of the process. This is called once for each version of a class that a scenario names,
/// so that little memory is kept.
fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn parameter((name, unit, default, min, max, choices, summary): &Declared) -> Parameter {
    let choices: Vec<&'static str> = choices.iter().map(|word| kept(word)).collect();
    Parameter {
        name: kept(name),
        unit: kept(unit),
        default: *default,
        min: *min,
        max: *max,
        choices: Box::leak(choices.into_boxed_slice()),
        summary: kept(summary),
    }
}

#[pyfunction]
#[pyo3(signature = (class_, *, name, summary, methods, segment_times, parameters, traced, sha256, source))]
#[allow(clippy::too_many_arguments, reason = "each is named")]
pub(crate) fn own_control(
    class_: Bound<'_, PyType>,
    name: &str,
    summary: &str,
    methods: Vec<String>,
    segment_times: bool,
    parameters: Option<Vec<Declared>>,
    traced: Vec<String>,
    sha256: String,
    source: String,
) -> Brought {
    let unread = parameters.is_none();
    let parameters = parameters.unwrap_or_default();
    let algorithm = algorithm(name, summary, parameters.iter().map(parameter).collect());
    let class = Arc::new(Class {
        class: class_.unbind(),
        methods,
        segment_times,
        parameters: parameters.into_iter().map(|(name, .., words, _)| (name, words)).collect(),
        traced,
    });
    let custom = Custom::new(algorithm, move |values, window| Adapter::new(&class, values, window));
    Brought { custom, unread, sha256, source }
}

/// Creates a registry entry that lasts for the rest of the process.
fn algorithm(name: &str, summary: &str, parameters: Vec<Parameter>) -> &'static Algorithm {
    Box::leak(Box::new(Algorithm {
        name: kept(name),
        summary: kept(summary),
        source: "a control of your own",
        aliases: &[],
        linux: false,
        parameters: Box::leak(parameters.into_boxed_slice()),
    }))
}

/// Creates a placeholder for the control `name` whose file is not read. It accepts the parameters that
/// `document` sets.
fn stand_in(custom: &Custom, document: &Document, name: &str) -> Custom {
    let parameters = document.control_values(name).into_iter().map(|(key, words)| {
        let (min, max) = if words.is_empty() {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (0.0, words.len() as f64 - 1.0)
        };
        parameter(&(key, String::new(), 0.0, min, max, words, String::new()))
    });
    custom.declared(algorithm(name, custom.algorithm().summary, parameters.collect()))
}

/// Loads the user-defined controls that the document names, by `ackclock.control.loading`; returns the document with
/// these controls and a record of each. A name that is not found is left for the document's check to refuse.
pub(crate) fn bring(py: Python<'_>, document: Document, folder: &Path) -> PyResult<Document> {
    let mut named: Vec<String> = document.other_controls().into_iter().map(|(_, name)| name).collect();
    named.sort();
    named.dedup();
    let (mut controls, mut records) = (Controls::default(), Vec::new());
    if !named.is_empty() {
        let find = py.import("ackclock.control.loading")?.getattr("find")?;
        for name in named {
            let found = find.call1((&name, folder, document.recorded_control(&name)))?;
            if found.is_none() {
                continue;
            }
            let Brought { custom, unread, sha256, source } = found.cast::<Brought>()?.get();
            controls.add(if *unread { stand_in(custom, &document, &name) } else { custom.clone() });
            records.push(OwnControl { name, sha256: sha256.clone(), source: Some(source.clone()) });
        }
    }
    Ok(document.with_recorded(&controls, &records))
}

/// Returns true if the text of a document may name a user-defined control.
pub(crate) fn names_controls(document: &str) -> bool {
    // A stored document with a user-defined control records the hash of its source under this key.
    document.contains("\"sha256\"")
}
