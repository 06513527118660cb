//! Discrete-event engine: an [`EventQueue`] with a total order, and a run loop for any [`Model`].
//!
//! Events are ordered by [`Stamp`], that is by time, then by the time of scheduling; events with equal stamps
//! by their own order. The order is therefore total and independent of how the queue stores events. The
//! engine knows nothing of networks.
//!
//! ```
//! use base::{Duration, Instant, Stamp};
//! use engine::{Control, EventQueue, Model, Outcome};
//!
//! /// Counts down, one second at a time.
//! struct Countdown(u32);
//!
//! impl Model for Countdown {
//!     type Event = ();
//!
//!     fn handle(&mut self, stamp: Stamp, _: (), queue: &mut EventQueue<()>) {
//!         self.0 -= 1;
//!         if self.0 > 0 {
//!             queue.push(Stamp::new(stamp.at + Duration::from_secs(1), stamp.at), ());
//!         }
//!     }
//! }
//!
//! let (mut model, mut queue) = (Countdown(10), EventQueue::default());
//! queue.push(Stamp::default(), ());
//! let end = Instant::ZERO + Duration::from_secs(3);
//! assert_eq!(engine::run(&mut model, &mut queue, end, &Control::default()), (Outcome::Done, 4));
//! assert_eq!(model.0, 6);
//! ```

#![warn(unreachable_pub)]

mod queue;

pub use queue::EventQueue;

use base::{Instant, Stamp};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A model that the engine runs.
pub trait Model {
    /// Type of the model's events. It should be small; its order breaks ties between equal stamps.
    type Event: Copy + Ord;

    /// Handles one event at `stamp.at`; may schedule further events at that time or later.
    fn handle(&mut self, stamp: Stamp, event: Self::Event, queue: &mut EventQueue<Self::Event>);

    /// Returns true if the engine should call [`Model::foresee`]; read once at the start of a run.
    fn foresees(&self) -> bool {
        false
    }

    /// Receives events that will be handled soon, so that the model can prefetch their data into the cache.
    /// Other events may come before or between them. Not called while few events are pending.
    #[inline(always)]
    fn foresee(&self, _events: impl Iterator<Item = Self::Event>) {}

    /// Returns true if the model cannot continue; checked every few thousand events.
    fn halted(&self) -> bool {
        false
    }

    /// Receives the run's control at the start of the run, for models in which handling one event may take
    /// long.
    fn watched_by(&mut self, _control: &Control) {}
}

/// Reason for which a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The end time was reached, or no event was left before it.
    Done,
    /// The stop flag of the control was set, or the model could not continue.
    Interrupted,
}

/// Handle with which another thread can observe and stop a run. Clones are handles of the same run.
#[derive(Clone, Debug, Default)]
pub struct Control {
    /// Set to stop the run at the next check, within a few thousand events.
    pub stop: Arc<AtomicBool>,
    /// Simulated time reached at the last check, picoseconds.
    pub now_ps: Arc<AtomicU64>,
    /// Simulated time at which the run ends, picoseconds; 0 before the run begins.
    pub end_ps: Arc<AtomicU64>,
    /// Number of events handled up to the last check.
    pub events: Arc<AtomicU64>,
    /// Function that the run's thread calls every few thousand events.
    pub attend: Option<Attend>,
}

/// Function that is called during a run, with the run's [`Control`].
#[derive(Clone)]
pub struct Attend(pub Arc<dyn Fn(&Control) + Send + Sync>);

impl fmt::Debug for Attend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Attend")
    }
}

impl Control {
    /// Calls the `attend` function; returns true if the run must stop.
    pub fn look(&self) -> bool {
        if let Some(Attend(attend)) = &self.attend {
            attend(self);
        }
        self.stop.load(Ordering::Relaxed)
    }

    /// Returns the share of the run's simulated time that has passed, 0 to 1.
    pub fn fraction(&self) -> f64 {
        let end = self.end_ps.load(Ordering::Relaxed);
        if end == 0 { 0.0 } else { self.now_ps.load(Ordering::Relaxed) as f64 / end as f64 }
    }
}

/// Number of events between two checks of the [`Control`].
const CHECK_EVERY: u64 = 8192;

/// Point at which a call of [`run_while`] ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// At the end time, or because no event was left before it.
    End,
    /// After the event at this time, because `goes_on` returned false.
    Stop(Instant),
    /// After the event at this time, because the stop flag was set or the model could not continue.
    Interrupted(Instant),
}

/// Runs `model` until `end`, including events at `end`, or until `control` stops the run; returns the outcome
/// and the number of events handled.
#[inline]
pub fn run<M: Model>(
    model: &mut M,
    queue: &mut EventQueue<M::Event>,
    end: Instant,
    control: &Control,
) -> (Outcome, u64) {
    let (reached, events) = run_while(model, queue, end, control, |_| true);
    let outcome = if reached == Reached::End { Outcome::Done } else { Outcome::Interrupted };
    (outcome, events)
}

/// Runs as [`run`] does, but also stops after the first event after which `goes_on` returns false.
#[inline]
pub fn run_while<M: Model>(
    model: &mut M,
    queue: &mut EventQueue<M::Event>,
    end: Instant,
    control: &Control,
    mut goes_on: impl FnMut(&M) -> bool,
) -> (Reached, u64) {
    let mut events = 0u64;
    control.end_ps.store(end.ps(), Ordering::Relaxed);
    let foresees = model.foresees();
    model.watched_by(control);
    loop {
        let mut now = Instant::ZERO;
        for _ in 0..CHECK_EVERY {
            let Some((stamp, event)) = queue.pop_until(end) else {
                control.events.fetch_add(events % CHECK_EVERY, Ordering::Relaxed);
                control.now_ps.store(end.ps(), Ordering::Relaxed);
                return (Reached::End, events);
            };
            events += 1;
            now = stamp.at;
            if foresees && queue.has_regrouped() {
                model.foresee(std::iter::once(event).chain(queue.upcoming()));
            }
            model.handle(stamp, event, queue);
            if !goes_on(model) {
                return (Reached::Stop(now), events);
            }
        }
        control.events.fetch_add(CHECK_EVERY, Ordering::Relaxed);
        control.now_ps.store(now.ps(), Ordering::Relaxed);
        if control.look() || model.halted() {
            return (Reached::Interrupted(now), events);
        }
    }
}
