//! Pacing: times at which a sender's segments leave.

mod pace;

use base::{Duration, Instant, Rng, Stamp};

/// Windows per round trip at which a paced sender without a rate of its own sends in slow start.
const SLOW_START_PACE: f64 = 2.0;
/// The same after slow start.
const PACE: f64 = 1.2;

/// Release times of one sender's segments: by its pacing rate, and by the work of its host.
#[derive(Clone, Debug)]
pub(crate) struct Pacing {
    pacer: Option<Box<Pacer>>,
    overhead: Option<Box<Overhead>>,
    /// The endpoint paces by window and round trip if congestion control has no rate.
    by_window: bool,
}

impl Pacing {
    /// Creates pacing by window (`by_window`), or only by the rate of congestion control (`may_pace`).
    pub(super) fn new(by_window: bool, may_pace: bool) -> Self {
        Self { pacer: (by_window || may_pace).then(Box::default), overhead: None, by_window }
    }

    /// Begins to pace at the rate of congestion control.
    pub(crate) fn enable(&mut self) {
        self.pacer.get_or_insert_default();
    }

    /// Delays segments by the host's work: a random time up to `most`, or none if that is zero.
    pub(crate) fn set_overhead(&mut self, most: Duration, rng: Rng) {
        self.overhead = (!most.is_zero()).then(|| Box::new(Overhead::new(most, rng)));
    }

    /// Returns true if the pacing rate makes the next segment wait, which it does from now on.
    #[inline(always)]
    pub(crate) fn holds(&mut self, now: Instant) -> bool {
        self.pacer.as_mut().is_some_and(|pacer| pacer.holds(now))
    }

    /// Returns true if the host takes time for its work.
    #[inline(always)]
    pub(crate) fn has_overhead(&self) -> bool {
        self.overhead.is_some()
    }

    /// Returns true if the host's work makes the next segment wait, which it does from now on if there is one.
    pub(crate) fn works(&mut self, now: Instant, something: bool) -> bool {
        self.overhead.as_mut().is_some_and(|overhead| overhead.holds(now, something))
    }

    /// Returns true if a segment waits for its time.
    #[inline(always)]
    pub(crate) fn is_waiting(&self) -> bool {
        self.pacer.as_ref().is_some_and(|pacer| pacer.held.is_some())
            || self.overhead.as_ref().is_some_and(|overhead| overhead.wait.is_some())
    }

    /// Returns the time at which a segment that waits may leave, with the time since which it waits.
    #[inline(always)]
    pub(crate) fn release(&self) -> Option<Stamp> {
        let paced = self.pacer.as_ref().and_then(|pacer| pacer.held);
        paced.or_else(|| self.overhead.as_ref().and_then(|overhead| overhead.wait))
    }
}

/// Pacing rate at work.
#[derive(Clone, Copy, Debug, Default)]
struct Pacer {
    /// Time at which the next segment may leave.
    release: Instant,
    /// That time and the time since which a segment waits for it, if one does.
    held: Option<Stamp>,
}

impl Pacer {
    /// Returns true if the next segment has to wait, which it does from now on.
    fn holds(&mut self, now: Instant) -> bool {
        self.held = (self.release > now).then(|| self.held.unwrap_or(Stamp::new(self.release, now)));
        self.held.is_some()
    }

    /// Records that a segment leaves at `now`; the next one does `gap` later.
    fn sent(&mut self, now: Instant, gap: Duration) {
        self.release = self.release.max(now) + gap;
    }
}

/// Work of a host on the segments that its window allows: a random time (ns-2's overhead).
#[derive(Clone, Debug)]
struct Overhead {
    most: Duration,
    rng: Rng,
    /// Time at which the work is done, with the time at which it began.
    wait: Option<Stamp>,
    /// Time at which the segments that waited leave, with the time since which they waited.
    leaves: Option<Stamp>,
}

impl Overhead {
    /// Creates work of up to `most`.
    fn new(most: Duration, rng: Rng) -> Self {
        Self { most, rng, wait: None, leaves: None }
    }

    /// Returns true if segments have to wait, which they do from now on if there is `something` to send.
    fn holds(&mut self, now: Instant, something: bool) -> bool {
        match self.wait {
            _ if self.leaves.is_some_and(|leaves| leaves.at == now) => false,
            Some(wait) if wait.at > now => true,
            Some(wait) => {
                self.wait = None;
                self.leaves = Some(Stamp::new(now, wait.since));
                false
            }
            None if something => {
                self.wait = Some(Stamp::new(now + self.rng.duration_below(self.most), now));
                true
            }
            None => false,
        }
    }

    /// Returns the time at which a segment that leaves at `now` was ready. The pace goes by that, so that the host's work
    /// does not add up.
    fn ready(&self, now: Instant) -> Instant {
        self.leaves.filter(|leaves| leaves.at == now).map_or(now, |leaves| leaves.since)
    }
}
