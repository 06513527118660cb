//! Times: the length of a run, and times within it.

use crate::scenario::ScenarioError;
use base::{Duration, Instant};
use settings::Setting;

/// The longest run: the clock spans 213 days, and the work under way at the end must still fit.
const LONGEST: Duration = Duration::from_secs(100 * 86_400);

/// Checks the length of a run.
pub(super) fn duration(duration: Duration) -> Result<Duration, ScenarioError> {
    if !duration.is_zero() && duration <= LONGEST {
        return Ok(duration);
    }
    let message = "a run is longer than no time and at most 100 days";
    Err(ScenarioError::new("duration", message).allowed("a time, like \"60s\""))
}

/// Returns instant `t` of the run, which must lie before its end.
pub(super) fn before_end(path: String, t: Duration, duration: Duration) -> Result<Instant, ScenarioError> {
    if t < duration {
        return Ok(Instant::ZERO + t);
    }
    let end = duration.write();
    Err(ScenarioError::new(path, format!("nothing happens at or after the end of the run, duration = {end}"))
        .allowed("a time before the end"))
}
