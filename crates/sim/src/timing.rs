//! Wall-clock and processor time of a run.

#[cfg(not(target_family = "wasm"))]
use cpu_time::ThreadTime;

/// Clock for the wall-clock and processor time of a run. They are shown to users and never enter results.
#[cfg(not(target_family = "wasm"))]
pub(crate) struct Clock {
    wall: std::time::Instant,
    /// Processor time of the thread; a run never changes its thread.
    cpu: ThreadTime,
}

/// Wall-clock and processor time of a run. Both are zero in WebAssembly, which has no clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// Wall-clock time, seconds.
    pub wall_s: f64,
    /// Processor time of the run's thread, seconds.
    pub cpu_s: f64,
}

#[cfg(not(target_family = "wasm"))]
impl Clock {
    #[allow(clippy::disallowed_methods, reason = "timing is told to people, never to results")]
    pub(crate) fn start() -> Self {
        Self { wall: std::time::Instant::now(), cpu: ThreadTime::now() }
    }

    pub(crate) fn stop(&self) -> Timing {
        Timing { wall_s: self.wall.elapsed().as_secs_f64(), cpu_s: self.cpu.elapsed().as_secs_f64() }
    }
}

/// Clock that stands still, as WebAssembly has none.
#[cfg(target_family = "wasm")]
pub(crate) struct Clock;

#[cfg(target_family = "wasm")]
impl Clock {
    pub(crate) fn start() -> Self {
        Self
    }

    pub(crate) fn stop(&self) -> Timing {
        Timing::default()
    }
}
