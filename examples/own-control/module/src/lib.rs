//! The module `own_control._core`.

use pyo3::prelude::*;

/// Version that results name: `0.1.0+gentle.0.1.0`.
const LABEL: &str = concat!("gentle.", env!("CARGO_PKG_VERSION"));

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    py::fill(module, own_control::controls(), LABEL)
}
