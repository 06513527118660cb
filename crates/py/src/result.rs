//! Results of a run as a Python class.

use crate::errors::file_error;
use crate::objects::objects;
use arrow_array::RecordBatchIterator;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use metrics::output::Length;
use metrics::{Batches, Table};
use pyo3::exceptions::{PyKeyError, PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use sim::{GivenUp, Results};
use std::borrow::Cow;
use std::ffi::CString;
use std::path::PathBuf;

/// Results of one run.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct RunResult(Results);

impl RunResult {
    pub(crate) fn new(results: Results) -> Self {
        Self(results)
    }

    /// Warns of stalled flows, which have data to send but will never send them, and of connections that a stack ended.
    pub(crate) fn warned(self, py: Python<'_>) -> PyResult<Self> {
        for GivenUp { flow, stack, at_s, reason } in self.0.given_up() {
            warn(
                py,
                &format!(
                    "{stack} ended the connection of flow {flow:?} after {at_s} s, with data left to send: {reason}. Its numbers \
                     after that time mean nothing"
                ),
            )?;
        }
        for (flow, since) in self.0.stalled() {
            let message = format!(
                "flow {flow:?} is stalled: since {since} s it has had data to send, but nothing outstanding and no timer. \
                 This is a fault of ackclock, not of your scenario: its numbers after that time mean nothing. Please report it"
            );
            warn(py, &message)?;
        }
        Ok(self)
    }

    fn find(&self, name: &str) -> PyResult<Cow<'_, Table>> {
        self.0.table(name).ok_or_else(|| {
            let tables = self.tables().join(", ");
            PyKeyError::new_err(format!("this run has no table {name:?}: it has {tables}"))
        })
    }
}

/// Gives Python a `RuntimeWarning`.
fn warn(py: Python<'_>, message: &str) -> PyResult<()> {
    let message = CString::new(message.replace('\0', " "))?;
    PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &message, 1)
}

#[pymethods]
impl RunResult {
    #[getter]
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        // The length is computed first, so that the string can be written in place: with a thousand flows it takes
        // megabytes.
        let mut length = Length::default();
        py.detach(|| self.0.write_summary(&mut length))?;
        PyBytes::new_with(py, length.0, |bytes| Ok(self.0.write_summary(bytes)?))
    }

    /// Returns the summary as Python objects.
    fn summary_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        objects(py, &self.0)
    }

    /// Returns the names of the tables that every run has, then those of the requested traces.
    #[getter]
    fn tables(&self) -> Vec<&'static str> {
        self.0.tables().collect()
    }

    #[getter]
    fn events(&self) -> u64 {
        self.0.events
    }

    #[getter]
    fn wall_s(&self) -> f64 {
        self.0.timing.wall_s
    }

    #[getter]
    fn cpu_s(&self) -> f64 {
        self.0.timing.cpu_s
    }

    fn table(&self, py: Python<'_>, name: &str) -> PyResult<ArrowTable> {
        let table = self.find(name)?;
        Ok(ArrowTable(py.detach(|| table.to_arrow())))
    }

    fn write_csv(&self, py: Python<'_>, name: &str, path: PathBuf) -> PyResult<()> {
        let table = self.find(name)?;
        let written = py.detach(|| metrics::output::write_file(&path, |out| table.write_csv(out)));
        written.map_err(|e| file_error(e, &path))
    }

    /// Writes the files of a trace that is no table to `folder`. File names begin with `stem`, or with the trace's own
    /// name if no stem is given.
    #[pyo3(signature = (name, folder, *, stem=None))]
    fn write_files(
        &self,
        py: Python<'_>,
        name: &str,
        folder: PathBuf,
        stem: Option<&str>,
    ) -> PyResult<Vec<String>> {
        let recorded = self.0.files.iter().find(|(trace, _)| trace.name() == name);
        let (_, files) = recorded.ok_or_else(|| not_recorded(name))?;
        let paths = py.detach(|| files.write(&folder, stem)).map_err(|e| file_error(e, &folder))?;
        Ok(paths.iter().map(|path| path.display().to_string()).collect())
    }
}

fn not_recorded(trace: &str) -> PyErr {
    PyValueError::new_err(format!("this run did not record {trace:?}: name it in `traces`"))
}

/// A table that other libraries can read without copying it.
#[pyclass(frozen, module = "ackclock._core")]
pub(crate) struct ArrowTable(Batches);

impl ArrowTable {
    pub(crate) fn new(table: &Table) -> Self {
        Self(table.to_arrow())
    }
}

#[pymethods]
impl ArrowTable {
    /// Implements the Arrow PyCapsule interface. A requested schema is ignored, as the interface allows.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let batches = self.0.clone();
        let schema = batches.schema();
        let reader = RecordBatchIterator::new(batches, schema);
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(reader)), c"arrow_array_stream")
    }

    /// Returns the record batches, each as a table whose columns are made when they are read.
    fn batches(&self) -> Vec<Self> {
        self.0.each().into_iter().map(Self).collect()
    }
}
