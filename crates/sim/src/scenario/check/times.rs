//! Checks of times: the length of a run, and times within it.

use crate::scenario::ScenarioError;
use base::{Duration, Instant};
use settings::Setting;

/// Longest run. The clock spans 213 days, and events after the end of the run must still fit.
const LONGEST: Duration = Duration::from_secs(100 * 86_400);

/// Checks the length of a run, and returns it.
pub(super) fn duration(duration: Duration) -> Result<Duration, ScenarioError> {
    if !duration.is_zero() && duration <= LONGEST {
        return Ok(duration);
    }
    let message = "duration must be more than 0 s and at most 100 days";
    Err(ScenarioError::new("duration", message).allowed("a time, like \"60s\""))
}

/// Returns time `t` as an instant of the run; refuses a time at or after the end.
pub(super) fn before_end(path: String, t: Duration, duration: Duration) -> Result<Instant, ScenarioError> {
    if t < duration {
        return Ok(Instant::ZERO + t);
    }
    let end = duration.write();
    Err(ScenarioError::new(path, format!("nothing happens at or after the end of the run, duration = {end}"))
        .allowed("a time before the end"))
}
