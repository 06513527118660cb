//! Free memory: a run that would take all of it ends with an exception, and not with the process.
//!
//! Rust ends the process when it gets no memory, and the system may end it before. So memory is checked here ten times
//! a second during a run. Where the system reports none (it is not Linux) nothing is checked.

use pyo3::PyErr;
use pyo3::exceptions::PyMemoryError;
use std::fs;

/// Bytes that must be left for everything else; also the bytes that a run may always take.
const RESERVE: u64 = 1 << 28;

/// Returns an error if less than the reserve is left, and this process has taken more than that.
pub(crate) fn check() -> Result<(), PyErr> {
    let Some(own) = status("VmRSS:").filter(|own| *own > RESERVE) else { return Ok(()) };
    let scarce = |left: Option<u64>, reserve: u64| left.filter(|left| *left < reserve);
    let short = scarce(available(), RESERVE)
        .or_else(|| scarce(unshared(), RESERVE))
        // A vector that doubles takes addresses at once, which can be most of the process's memory.
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

/// Returns the bytes that a run may still take.
pub(crate) fn free() -> Option<u64> {
    let left = [available(), unshared(), unmapped()].into_iter().flatten().min()?;
    Some(left.saturating_sub(RESERVE))
}

/// Returns the bytes that the machine has left.
fn available() -> Option<u64> {
    field(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable:")
}

/// Returns the bytes that the container has left. Pages of files that can be dropped count as free.
fn unshared() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    let limit: u64 = read("max")?.trim().parse().ok()?;
    let used: u64 = read("current")?.trim().parse().ok()?;
    let files = word(&read("stat")?, "inactive_file").unwrap_or_default();
    Some(limit.saturating_sub(used.saturating_sub(files)))
}

/// Returns the bytes of addresses that the process has left (`ulimit -v`).
fn unmapped() -> Option<u64> {
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    let limit: u64 = line.split_whitespace().nth(3)?.parse().ok()?;
    Some(limit.saturating_sub(status("VmSize:")?))
}

/// Returns a size of this process, bytes.
fn status(name: &str) -> Option<u64> {
    field(&fs::read_to_string("/proc/self/status").ok()?, name)
}

/// Returns a size in kB, as bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    word(text, name).map(|kilobytes| kilobytes << 10)
}

/// Returns the number that follows `name` in the line that begins with it.
fn word(text: &str, name: &str) -> Option<u64> {
    let mut words = text.lines().map(str::split_whitespace);
    words.find_map(|mut line| (line.next() == Some(name)).then(|| line.next())?)?.parse().ok()
}
