//! Execution of long work that Python can observe and stop.

use crate::errors::fault_error;
use crate::memory;
use engine::{Attend, Control};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of signals, memory and progress.
const WAKE: Duration = Duration::from_millis(100);

/// Converts a panic to the Python exception for a fault of this program.
fn fault(panic: &(dyn Any + Send)) -> PyErr {
    fault_error(&sim::said(panic))
}

/// Lets Python handle signals, and raises exceptions that another thread has set for this one
/// (`PyThreadState_SetAsyncExc`). Returns an error if an exception was raised, or if memory runs out.
fn look(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    // An exception set by another thread is raised only when bytecode runs, and a run executes no bytecode of its own.
    py.run(c"(lambda: None)()", None, None)?;
    memory::check()
}

/// Does `work` on a separate thread, without the GIL. Ten times a second this thread lets Python handle signals
/// (Ctrl-C), checks the memory and calls `report`; it calls `report` once more when the work has ended.
///
/// If one of these raises an exception, the [`Control`] of `work` is set to stop, and the exception is passed on when
/// the work has ended.
pub(crate) fn supervise<T: Send>(
    py: Python<'_>,
    report: impl Fn(Python<'_>, &Control) -> PyResult<()>,
    work: impl FnOnce(&Control) -> T + Send,
) -> PyResult<T> {
    let control = Control::default();
    let (done, wait) = channel::<()>();
    // The mutex makes the receiver usable in closures that wait without the GIL; it is never contended.
    let wait = Mutex::new(wait);
    thread::scope(|scope| {
        let watched = &control;
        let worker = scope.spawn(move || {
            // Dropped when the work ends, also by a panic.
            let _done = done;
            work(watched)
        });
        let mut raised = None;
        loop {
            let woken = py.detach(|| wait.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAKE));
            if woken != Err(RecvTimeoutError::Timeout) {
                break;
            }
            if raised.is_none()
                && let Err(error) = look(py).and_then(|()| report(py, &control))
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
                report(py, &control)?;
                Ok(result)
            }
        }
    })
}

/// Does `work` on a separate thread, without the GIL, and lets Python handle signals ten times a second. If a signal
/// handler raises an exception, the exception is passed on at once and the work goes on unobserved.
pub(crate) fn wait_for<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, wait) = channel();
    // The mutex makes the receiver usable in closures that wait without the GIL; it is never contended.
    let wait = Mutex::new(wait);
    thread::spawn(move || done.send(catch_unwind(AssertUnwindSafe(work))).unwrap_or_default());
    loop {
        match py.detach(|| wait.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(WAKE)) {
            Ok(result) => return result.map_err(|panic| fault(panic.as_ref())),
            Err(RecvTimeoutError::Timeout) => look(py)?,
            Err(RecvTimeoutError::Disconnected) => return Err(fault_error("a thread has ended")),
        }
    }
}

/// Does `work` on this thread and keeps the GIL, since controls in Python need the GIL at each event, and releasing it
/// each time would cost more than the controls themselves. Ten times a second it lets other Python threads run, lets
/// Python handle signals, checks the memory and calls `report`.
///
/// If one of these raises an exception, the [`Control`] of `work` is set to stop, and the exception is passed on when
/// the work has ended.
pub(crate) fn attend<T>(
    py: Python<'_>,
    report: impl Fn(Python<'_>, &Control) -> PyResult<()> + Send + Sync + 'static,
    work: impl FnOnce(&Control) -> T,
) -> PyResult<T> {
    let raised = Arc::new(Mutex::new(None));
    let report = Arc::new(report);
    let mut control = Control::default();
    let (shared, told, last) = (Arc::clone(&raised), Arc::clone(&report), Mutex::new(now()));
    control.attend = Some(Attend(Arc::new(move |control| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < WAKE {
            return;
        }
        *last = now();
        Python::attach(|py| {
            py.detach(thread::yield_now);
            if let Err(error) = look(py).and_then(|()| told(py, control)) {
                control.stop.store(true, Ordering::Relaxed);
                shared.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        });
    })));
    let result = catch_unwind(AssertUnwindSafe(|| work(&control))).map_err(|panic| fault(panic.as_ref()))?;
    if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    report(py, &control)?;
    Ok(result)
}

#[allow(clippy::disallowed_methods, reason = "for people who wait, never for results")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
