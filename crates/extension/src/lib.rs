//! The Python module `ackclock._core`, without user-defined controls. `examples/own-control` builds a module with a
//! control of its own.

use pyo3::prelude::*;
use tcp::congestion::Controls;

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    py::fill(module, Controls::default(), "")
}
