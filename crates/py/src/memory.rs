//! Checks of free memory: a run that would use it up ends with an exception instead of ending the process.
//!
//! Rust ends the process when it gets no memory, and the system may end the process before that. So memory is checked
//! ten times a second during a run. On systems other than Linux nothing is checked.

use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;
use std::fs;

/// Bytes that must be left for other processes, 256 MiB. A process that takes no more than this is never stopped.
const RESERVE: u64 = 1 << 28;

/// Returns an error if less than `RESERVE` is left and this process has taken more than `RESERVE`.
pub(crate) fn check() -> Result<(), PyErr> {
    let Some(own) = status("VmRSS:").filter(|own| *own > RESERVE) else { return Ok(()) };
    let scarce = |left: Option<u64>, reserve: u64| left.filter(|left| *left < reserve);
    let short = scarce(available(), RESERVE)
        .or_else(|| scarce(unshared(), RESERVE))
        // A vector that grows needs address space for its old and its new memory at once, in the worst case for most
        // of the process's memory again.
        .or_else(|| scarce(unmapped(), own.saturating_add(RESERVE)));
    match short {
        Some(left) => Err(PyMemoryError::new_err(format!(
            "stopped before memory ran out: this process holds {} MB, and {} MB are left\n  \
             less takes less: fewer flows, smaller windows and queues, a shorter run, fewer at a time",
            own >> 20,
            left >> 20
        ))),
        None => Ok(()),
    }
}

/// Returns the bytes that a run may still take; `None` if the system does not report it.
pub(crate) fn free() -> Option<u64> {
    let left = [available(), unshared(), unmapped()].into_iter().flatten().min()?;
    Some(left.saturating_sub(RESERVE))
}

/// Returns the bytes of memory that the machine has left.
fn available() -> Option<u64> {
    field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// Returns the bytes of memory that the container (cgroup v2) has left. Cached pages of files count as free.
fn unshared() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let limit: u64 = read("max")?.trim().parse().ok()?;
    let used: u64 = read("current")?.trim().parse().ok()?;
    let files = word(&read("stat")?, "inactive_file").unwrap_or_default();
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

/// Returns the bytes of address space that the process has left (`ulimit -v`).
fn unmapped() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    let limit: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    Some(limit.saturating_sub(status("VmSize:")?))
}

/// Returns a size of this process from `/proc/self/status`, bytes.
fn status(name: &str) -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, name)
}

/// Returns the size that follows `name`, which the text has in kB, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    word(text, name).map(|kilobytes| kilobytes << 10)
}

/// Returns the number that follows `name` at the beginning of a line.
fn word(text: &str, name: &str) -> Option<u64> {
    let mut words = text.lines().map(str::split_whitespace);
    words.find_map(|mut line| (line.next() == Some(name)).then(|| line.next())?)?.parse().ok()
}
