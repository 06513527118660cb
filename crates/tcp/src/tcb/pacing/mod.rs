//! Pacing: the times at which a sender's segments are sent.

mod pace;
mod trains;

use base::{Duration, Instant, Rng, Stamp};
use trains::Trains;

/// Windows per round trip at which segments are paced in slow start, if congestion control sets no rate.
const SLOW_START_PACE: f64 = 2.0;
/// Windows per round trip at which segments are paced after slow start, if congestion control sets no rate.
const PACE: f64 = 1.2;

/// Delays of one sender's segments, by a pacing rate and by the processing time of the host.
#[derive(Clone, Debug)]
pub(crate) struct Pacing {
    pacer: Option<Box<Pacer>>,
    host: Option<Box<Host>>,
}

impl Pacing {
    /// Creates the state of pacing, which is by window and round-trip time (`by_window`), only by congestion
    /// control's rate (`may_pace`), or absent. Trains have up to `gso` segments.
    pub(super) fn new(by_window: bool, may_pace: bool, gso: u32) -> Self {
        let host = Trains::new(gso).map(|trains| Box::new(Host { overhead: None, trains: Some(trains) }));
        let pacer = Pacer { by_window, ..Pacer::default() };
        Self { pacer: (by_window || may_pace).then(|| Box::new(pacer)), host }
    }

    /// Enables pacing at a rate that congestion control sets.
    pub(crate) fn enable(&mut self) {
        self.pacer.get_or_insert_default();
    }

    /// Sets the largest processing time of the host, `most`; if it is zero, segments are not delayed by
    /// processing.
    pub(crate) fn set_overhead(&mut self, most: Duration, rng: Rng) {
        if !most.is_zero() {
            self.host.get_or_insert_default().overhead = Some(Overhead::new(most, rng));
        }
    }

    /// Returns true if the next segment must wait for the pacing rate, and records that it waits.
    #[inline(always)]
    pub(crate) fn holds(&mut self, now: Instant) -> bool {
        self.pacer.as_mut().is_some_and(|pacer| pacer.holds(now))
    }

    /// Returns the time from `now` until the pacing rate allows a segment to depart.
    pub(crate) fn departs_in(&self, now: Instant) -> Duration {
        self.pacer.as_ref().map_or(Duration::ZERO, |pacer| pacer.release.max(now).since(now))
    }

    /// Returns true if the host has a processing time.
    #[inline(always)]
    pub(crate) fn has_overhead(&self) -> bool {
        self.overhead().is_some()
    }

    /// Returns true if segments must wait for the host's processing time. Processing begins now if it is not
    /// in progress and there is `something` to send.
    pub(crate) fn works(&mut self, now: Instant, something: bool) -> bool {
        let overhead = self.host.as_mut().and_then(|host| host.overhead.as_mut());
        overhead.is_some_and(|overhead| overhead.holds(now, something))
    }

    /// Returns true if a segment waits for its time.
    #[inline(always)]
    pub(crate) fn is_waiting(&self) -> bool {
        self.pacer.as_ref().is_some_and(|pacer| pacer.held.is_some())
            || self.overhead().is_some_and(|overhead| overhead.wait.is_some())
    }

    /// Returns the time at which a waiting segment may be sent, and since when it waits.
    #[inline(always)]
    pub(crate) fn release(&self) -> Option<Stamp> {
        let paced = self.pacer.as_ref().and_then(|pacer| pacer.held);
        paced.or_else(|| self.overhead().and_then(|overhead| overhead.wait))
    }

    #[inline(always)]
    fn overhead(&self) -> Option<&Overhead> {
        self.host.as_ref().and_then(|host| host.overhead.as_ref())
    }

    #[inline(always)]
    fn trains(&self) -> Option<&Trains> {
        self.host.as_ref().and_then(|host| host.trains.as_ref())
    }

    /// Returns true if segments are sent in trains.
    #[inline(always)]
    pub(crate) fn has_trains(&self) -> bool {
        self.trains().is_some()
    }

    /// Returns true if the segment that is being sent is the last of a train of several.
    #[inline]
    pub(crate) fn ends_train(&self) -> bool {
        self.trains().is_some_and(Trains::ends)
    }
}

/// Rules of the sending host for the times of segments.
#[derive(Clone, Debug, Default)]
struct Host {
    /// Processing time; `None` if there is none.
    overhead: Option<Overhead>,
    /// Trains of segments; `None` if each segment is sent by itself.
    trains: Option<Trains>,
}

/// State of the pacing rate.
#[derive(Clone, Copy, Debug, Default)]
struct Pacer {
    /// Earliest time at which the next segment may be sent.
    release: Instant,
    /// `release`, and the time since which a segment waits for it; `None` if no segment waits.
    held: Option<Stamp>,
    /// True if the endpoint paces by window and round-trip time when congestion control sets no rate.
    by_window: bool,
}

impl Pacer {
    /// Returns true if the next segment must wait, and records that it waits.
    fn holds(&mut self, now: Instant) -> bool {
        self.held = (self.release > now).then(|| self.held.unwrap_or(Stamp::new(self.release, now)));
        self.held.is_some()
    }

    /// Records that a segment is sent at `now`; the next may follow `gap` later.
    fn sent(&mut self, now: Instant, gap: Duration) {
        self.release = self.release.max(now) + gap;
    }
}

/// Random processing time of a host between the moment when the window allows segments and their sending
/// (ns-2's overhead).
#[derive(Clone, Debug)]
struct Overhead {
    most: Duration,
    rng: Rng,
    /// Time at which the current processing ends, and when it began; `None` if there is none.
    wait: Option<Stamp>,
    /// Time at which the last processing ended, and when it began; segments leave at that time.
    leaves: Option<Stamp>,
}

impl Overhead {
    /// Creates a processing time of up to `most`.
    fn new(most: Duration, rng: Rng) -> Self {
        Self { most, rng, wait: None, leaves: None }
    }

    /// Returns true if segments must wait. Processing begins now if it is not in progress and there is
    /// `something` to send.
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

    /// Returns the time at which a segment that is sent at `now` was ready. Pacing counts from that time, so
    /// that processing times do not accumulate.
    fn ready(&self, now: Instant) -> Instant {
        self.leaves.filter(|leaves| leaves.at == now).map_or(now, |leaves| leaves.since)
    }
}
