//! A station's backoff: a counter that is decremented at the end of each idle slot (DCF, 9.3.4.3) or at the beginning
//! of each slot (EDCA, 9.19.2.3).
//!
//! There is no event per slot. The backoff holds the number of slots left when the medium last became busy; the end
//! of the countdown is computed from the time at which the medium becomes idle again.

use crate::config::{Countdown, Draw, Mac};
use crate::mac::edca::Access;
use base::{Duration, Instant, Rng};

/// Backoff counter of one EDCAF of a station.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    /// True if a frame waits for the end of the backoff; false if the station backs off after a transmission with
    /// its queue empty.
    pub(crate) contends: bool,
    /// DIFS or AIFS: idle time before the countdown begins.
    pub(crate) aifs: Duration,
    /// Contention window, slots: CWmin (`min`), CWmax (`max`) and the current CW (`window`).
    min: u32,
    max: u32,
    window: u32,
    /// Slots left at the time at which the medium last became busy.
    slots: u64,
    /// EDCA: true if the counter reached zero at the beginning of a slot in which another station transmitted. The
    /// station transmits at the beginning of its next slot.
    due: bool,
    /// Time of transmission, set if the backoff ended before the station could sense that the medium had become busy:
    /// it then transmits nevertheless.
    committed: Option<Instant>,
    /// Earliest time at which the countdown, after the medium was idle for `aifs`, may begin: the arrival of the
    /// packet, or the end of a timeout.
    pub(crate) hold: Instant,
    /// State before the medium last became busy. If a signal that arrived earlier is processed later, this state is
    /// restored first.
    frozen: Frozen,
    /// True if a new backoff is drawn for a packet that found the medium idle, but must wait because a signal came
    /// during DIFS or AIFS.
    pub(crate) redraws: bool,
    rng: Rng,
}

/// Value of `committed` while the countdown is suspended.
const SUSPENDED: Option<Instant> = Some(Instant::MAX);

#[derive(Clone, Copy, Debug, Default)]
struct Frozen {
    at: Instant,
    slots: u64,
    due: bool,
    from: Instant,
    /// True if `slots` were drawn because of the signal that arrived at `at`.
    drawn: bool,
}

/// Backoff parameters that all stations share.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) slot: Duration,
    per_slot: f64,
    pub(crate) cca: Duration,
    draw: Draw,
    /// Slots that have begun but not ended and count nevertheless: 1 in EDCA, else 0.
    begun: u64,
}

impl Rules {
    pub(crate) fn new(mac: &Mac, cca: Duration) -> Self {
        // Propagation delays are rounded to picoseconds. Without this tolerance of 1 ns, stations in a straight
        // line would sense frames that begin at the same time as their own.
        let cca = cca.max(Duration::from_ps(1000));
        let per_slot = 1.0 / mac.access.slot.ps() as f64;
        Self {
            slot: mac.access.slot,
            per_slot,
            cca,
            draw: mac.access.draw,
            begun: u64::from(mac.access.countdown == Countdown::Begun),
        }
    }

    /// Returns the number of whole slots in `time`. The floating-point quotient is off by at most one, which is
    /// corrected; an integer division would be slower.
    #[inline]
    fn slots_in(&self, time: Duration) -> u64 {
        let slots = (time.ps() as f64 * self.per_slot) as u64;
        if self.slot * slots > time {
            slots - 1
        } else if self.slot * (slots + 1) <= time {
            slots + 1
        } else {
            slots
        }
    }
}

impl Backoff {
    pub(crate) fn new(access: &Access, mac: &Mac, rng: Rng) -> Self {
        Self {
            contends: false,
            aifs: mac.access.sifs + mac.access.slot * u64::from(access.aifsn),
            min: access.cw_min,
            max: access.cw_max,
            window: access.cw_min,
            slots: 0,
            due: false,
            committed: None,
            hold: Instant::ZERO,
            frozen: Frozen::default(),
            redraws: true,
            rng,
        }
    }

    /// Creates the random delay before a station's beacon in an ad hoc network: 0 to 2 aCWmin slots (10.1.3.3).
    pub(crate) fn of_beacon(mac: &Mac, cw_min: u32, rng: Rng) -> Self {
        let window = 2 * cw_min;
        let access = Access { aifsn: 2, cw_min: window, cw_max: window, txop: Duration::ZERO };
        Self { redraws: false, ..Self::new(&access, mac, rng) }
    }

    /// Draws a new backoff from the current contention window.
    pub(crate) fn draw(&mut self, rules: &Rules) {
        let values = u64::from(self.window) + u64::from(rules.draw == Draw::Inclusive);
        self.slots = ((u128::from(self.rng.bits()) * u128::from(values)) >> 64) as u64;
        self.due = false;
        self.give_way();
        self.frozen.at = Instant::ZERO;
    }

    /// Doubles the contention window after a failed attempt, up to CWmax.
    pub(crate) fn widen(&mut self) {
        self.window = (2 * self.window + 1).min(self.max);
    }

    /// Resets the contention window to CWmin, after a frame was delivered or given up.
    pub(crate) fn reset(&mut self) {
        self.window = self.min;
    }

    /// Returns true if slots are left, or if the station will transmit without further slots.
    pub(crate) fn runs(&self) -> bool {
        self.slots > 0 || self.due || self.committed.is_some()
    }

    /// Returns the longest time from an idle medium to the end of the countdown.
    pub(crate) fn longest(&self, rules: &Rules) -> Duration {
        self.aifs + rules.slot * u64::from(self.max)
    }

    /// Returns the end of the countdown if the medium stays idle from `idle` on.
    #[inline]
    pub(crate) fn ends(&self, rules: &Rules, idle: Instant) -> Instant {
        self.committed.unwrap_or((idle + self.aifs).max(self.hold) + rules.slot * self.slots)
    }

    /// Returns the time of the slots left; `None` if the countdown is over or suspended.
    #[inline]
    pub(crate) fn left(&self, rules: &Rules) -> Option<Duration> {
        self.committed.is_none().then(|| rules.slot * self.slots)
    }

    /// Ends the backoff: clears the slots and any pending transmission time.
    pub(crate) fn clear(&mut self) {
        self.slots = 0;
        (self.due, self.committed) = (false, None);
    }

    /// Cancels the transmission time, since the station itself transmits another frame. A suspended backoff stays
    /// suspended.
    pub(crate) fn give_way(&mut self) {
        if self.committed != SUSPENDED {
            self.committed = None;
        }
    }

    /// Suspends the countdown at `now`, if the medium was idle from `idle` on.
    pub(crate) fn suspend(&mut self, rules: &Rules, now: Instant, idle: Instant) {
        let from = (idle + self.aifs).max(self.hold);
        if self.committed.is_none() && now > from && self.slots > 0 {
            self.slots = self.slots.saturating_sub(rules.slots_in(now - from) + rules.begun);
            self.due = self.slots == 0 && self.contends && rules.begun > 0;
        }
        (self.committed, self.frozen) = (SUSPENDED, Frozen::default());
    }

    /// Resumes a suspended countdown at `now`. If a frame waits and no slot is left, a new backoff is drawn.
    pub(crate) fn resume(&mut self, rules: &Rules, now: Instant) {
        if self.committed != SUSPENDED {
            return;
        }
        (self.committed, self.hold) = (None, now);
        if self.contends && self.slots == 0 && !self.due {
            self.draw(rules);
        }
    }

    /// Freezes the countdown because a signal arrives at `at`. Without this signal the medium would be idle from
    /// `idle` on.
    #[inline]
    pub(crate) fn freeze(&mut self, rules: &Rules, at: Instant, idle: Instant) {
        if self.slots == 0 && !self.contends {
            return;
        }
        let from = idle + self.aifs;
        // The usual case: the medium is busy already and no countdown runs, so nothing changes.
        if at + rules.cca < from && self.slots > 0 && at >= self.frozen.at {
            return;
        }
        self.stop(rules, at, from);
    }

    #[inline(never)]
    fn stop(&mut self, rules: &Rules, at: Instant, from: Instant) {
        if at < self.frozen.at && self.frozen.drawn {
            self.frozen.at = at;
            return;
        }
        if at < self.frozen.at {
            (self.slots, self.due) = (self.frozen.slots, self.frozen.due);
            self.committed = None;
        } else if self.committed.is_some() {
            return;
        } else {
            let from = from.max(self.hold);
            self.frozen = Frozen { at, slots: self.slots, due: self.due, from, drawn: false };
        }
        self.frozen.at = at;
        let (from, sensed) = (self.frozen.from, at + rules.cca);
        let end = from + rules.slot * self.slots;
        if end <= sensed {
            self.slots = 0;
            (self.due, self.committed) = (false, self.contends.then_some(end));
        } else if self.due || (self.slots == 0 && !self.redraws) {
            // With EDCA the slot in which the station transmits has not begun yet; a beacon's delay is not drawn
            // again.
        } else if self.slots == 0 {
            // A packet found the medium idle, and a signal came during DIFS or AIFS.
            self.draw(rules);
            self.frozen = Frozen { at, slots: self.slots, due: false, from, drawn: true };
        } else if sensed > from {
            self.slots -= rules.slots_in(sensed - from) + rules.begun;
            self.due = self.slots == 0 && self.contends;
        }
    }
}
