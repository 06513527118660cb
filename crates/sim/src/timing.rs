//! Wall-clock and processor time of a run.

use cpu_time::ThreadTime;

/// Clock for the wall-clock and processor time of a run. They are shown to users and never enter results.
pub(crate) struct Clock {
    wall: std::time::Instant,
    /// Processor time of the thread; a run never changes its thread.
    cpu: ThreadTime,
}

/// Wall-clock and processor time of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Wall-clock time, seconds.
    pub wall_s: f64,
    /// Processor time, seconds.
    pub cpu_s: f64,
}

impl Clock {
    #[allow(clippy::disallowed_methods, reason = "timing is told to people, never to results")]
    pub(crate) fn start() -> Self {
        Self { wall: std::time::Instant::now(), cpu: ThreadTime::now() }
    }

    pub(crate) fn stop(&self) -> Timing {
        Timing { wall_s: self.wall.elapsed().as_secs_f64(), cpu_s: self.cpu.elapsed().as_secs_f64() }
    }
}
