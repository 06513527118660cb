//! The module `own_stack._core`.

use pyo3::prelude::*;
use tcp::congestion::Controls;

/// Version that results name: `0.1.0+own-stack.0.1.0`.
const LABEL: &str = concat!("own-stack.", env!("CARGO_PKG_VERSION"));

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    py::fill_with_stacks(module, Controls::default(), own_stack::stacks(), LABEL)
}
