//! A station's backoff: slots counted down while the medium is idle, when they end (DCF, 9.3.4.3) or as they begin
//! (EDCA, 9.19.2.3).
//!
//! There is no event per slot. The number of slots left when the medium last became busy is kept; the end of the
//! countdown is computed from the time at which the medium becomes idle again.

use crate::config::{Countdown, Draw, Mac};
use crate::mac::edca::Access;
use base::{Duration, Instant, Rng};

/// The backoff counter of one station, or of one access category of it.
#[derive(Clone, Debug)]
pub(crate) struct Backoff {
    /// True if there is a frame to send at its end; without one it is the backoff after a transmission.
    pub(crate) contends: bool,
    /// DIFS or AIFS: idle time of the medium before it counts.
    pub(crate) aifs: Duration,
    /// The least, the greatest and the current contention window, slots.
    min: u32,
    max: u32,
    window: u32,
    /// Slots left when the medium last became busy.
    slots: u64,
    /// True if it has counted down to zero as a slot began in which another station transmitted: the next slot is its
    /// own.
    due: bool,
    /// Set if the medium became busy when the backoff had already ended: the station transmits at that time, having
    /// sensed nothing.
    committed: Option<Instant>,
    /// The countdown does not begin before this instant: the arrival of the packet, or the end of a timeout.
    pub(crate) hold: Instant,
    /// The last time at which the medium became busy, and slots and begin of the countdown before. Signals that are
    /// processed out of the order of their arrival restore it.
    frozen: Frozen,
    /// True if a backoff that has ended before the medium became idle is drawn again: a packet that found it idle, and
    /// then did not.
    pub(crate) redraws: bool,
    rng: Rng,
}

/// Due when it is resumed.
const SUSPENDED: Option<Instant> = Some(Instant::MAX);

#[derive(Clone, Copy, Debug, Default)]
struct Frozen {
    at: Instant,
    slots: u64,
    due: bool,
    from: Instant,
    /// True if the slots were drawn at that time.
    drawn: bool,
}

/// Values shared by all stations.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rules {
    pub(crate) slot: Duration,
    per_slot: f64,
    pub(crate) cca: Duration,
    draw: Draw,
    /// Slots that count beside those that have ended: the one that has begun.
    begun: u64,
}

impl Rules {
    pub(crate) fn new(mac: &Mac, cca: Duration) -> Self {
        // Delays are rounded to picoseconds: without any tolerance, stations on one line would sense frames that begin
        // together with their own.
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

    /// Returns the whole slots in a time. The floating-point quotient is off by one at most; an integer division takes
    /// longer.
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

    /// Creates the delay of a station's beacons in an ad hoc network, whose aCWmin is `cw_min` (10.1.3.3).
    pub(crate) fn of_beacon(mac: &Mac, cw_min: u32, rng: Rng) -> Self {
        let window = 2 * cw_min;
        let access = Access { aifsn: 2, cw_min: window, cw_max: window, txop: Duration::ZERO };
        Self { redraws: false, ..Self::new(&access, mac, rng) }
    }

    /// Draws a new backoff.
    pub(crate) fn draw(&mut self, rules: &Rules) {
        let values = u64::from(self.window) + u64::from(rules.draw == Draw::Inclusive);
        self.slots = ((u128::from(self.rng.bits()) * u128::from(values)) >> 64) as u64;
        self.due = false;
        self.give_way();
        self.frozen.at = Instant::ZERO;
    }

    /// Doubles the window after a failed attempt.
    pub(crate) fn widen(&mut self) {
        self.window = (2 * self.window + 1).min(self.max);
    }

    /// Resets the window to the least: a frame was delivered, or given up.
    pub(crate) fn reset(&mut self) {
        self.window = self.min;
    }

    /// Returns true if slots are left or a transmission is due.
    pub(crate) fn runs(&self) -> bool {
        self.slots > 0 || self.due || self.committed.is_some()
    }

    /// Returns the end of the countdown, if the medium is idle from `idle` on.
    #[inline]
    pub(crate) fn ends(&self, rules: &Rules, idle: Instant) -> Instant {
        self.committed.unwrap_or((idle + self.aifs).max(self.hold) + rules.slot * self.slots)
    }

    /// Clears the slots and any due transmission.
    pub(crate) fn clear(&mut self) {
        self.slots = 0;
        (self.due, self.committed) = (false, None);
    }

    /// Defers a due transmission until the end of another transmission of the station itself.
    pub(crate) fn give_way(&mut self) {
        if self.committed != SUSPENDED {
            self.committed = None;
        }
    }

    /// Suspends the countdown from `now` on; the medium was idle from `idle` on.
    pub(crate) fn suspend(&mut self, rules: &Rules, now: Instant, idle: Instant) {
        let from = (idle + self.aifs).max(self.hold);
        if self.committed.is_none() && now > from && self.slots > 0 {
            self.slots = self.slots.saturating_sub(rules.slots_in(now - from) + rules.begun);
            self.due = self.slots == 0 && self.contends && rules.begun > 0;
        }
        (self.committed, self.frozen) = (SUSPENDED, Frozen::default());
    }

    /// Resumes the countdown at `now`; if a frame has come in the meantime, or was due, a new backoff is drawn.
    pub(crate) fn resume(&mut self, rules: &Rules, now: Instant) {
        if self.committed != SUSPENDED {
            return;
        }
        (self.committed, self.hold) = (None, now);
        if self.contends && self.slots == 0 && !self.due {
            self.draw(rules);
        }
    }

    /// Freezes the countdown: the medium becomes busy at `at`, or a further signal arrives; it would become idle, or
    /// was, from `idle` on.
    #[inline]
    pub(crate) fn freeze(&mut self, rules: &Rules, at: Instant, idle: Instant) {
        if self.slots == 0 && !self.contends {
            return;
        }
        let from = idle + self.aifs;
        // The medium has been busy before and no countdown was running: the usual case, and nothing changes.
        if at + rules.cca < from && self.slots > 0 && at >= self.frozen.at {
            return;
        }
        self.stop(rules, at, from);
    }

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
            // Its slot has not come yet.
        } else if self.slots == 0 {
            // A packet that found the medium idle, and then did not.
            self.draw(rules);
            self.frozen = Frozen { at, slots: self.slots, due: false, from, drawn: true };
        } else if sensed > from {
            self.slots -= rules.slots_in(sensed - from) + rules.begun;
            self.due = self.slots == 0 && self.contends;
        }
    }
}
