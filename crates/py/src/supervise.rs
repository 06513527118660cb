//! Long work off the GIL that Python can watch and stop.

use engine::Control;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Between two looks at signals and progress.
const WAKE: Duration = Duration::from_millis(100);

/// A panic as Python sees it: a fault of this program, with what is known of it.
fn fault(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("unknown");
    PyRuntimeError::new_err(format!("a fault of ackclock, not of your scenario: {text}"))
}

/// Does `work` on a thread of its own, without the GIL; ten times a second lets Python handle signals (Ctrl-C) and calls
/// `report`, and once more when the work is done.
///
/// Where either raises, `control` is told to stop and the exception is passed on once the work has ended.
pub(crate) fn supervise<T: Send>(
    py: Python<'_>,
    control: &Control,
    work: impl FnOnce() -> T + Send,
    mut report: impl FnMut(Python<'_>) -> PyResult<()>,
) -> PyResult<T> {
    let (done, wait) = channel::<()>();
    // Only to hand the receiver to the closures that wait without the GIL.
    let wait = Mutex::new(wait);
    thread::scope(|scope| {
        let worker = scope.spawn(move || {
            // Dropped when the work ends, by a panic too.
            let _done = done;
            work()
        });
        let mut raised = None;
        loop {
            let woken = py.detach(|| wait.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAKE));
            if woken != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if raised.is_none()
                && let Err(error) = py.check_signals().and_then(|()| report(py))
            {
                control.stop.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
        }
        let result = py.detach(|| worker.join());
        let result = result.map_err(|panic| fault(panic.as_ref()))?;
        match raised {
            Some(error) => Err(error),
            None => {
                report(py)?;
                Ok(result)
            }
        }
    })
}
