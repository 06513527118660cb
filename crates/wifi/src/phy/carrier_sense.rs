//! Carrier sense of one station, physical and virtual: what the frames that arrive mean for the NAV and for its backoffs.
//!
//! A station reads the log of transmissions ([`crate::phy::air`]) when its state matters. Each is worked out as of its arrival at this
//! station: power by the pair of stations, delay at the speed of light. Arrivals may come out of order by the difference of
//! two delays, or by SIFS if a response was entered ahead; the rules below take them by their instants.

use crate::mac::backoff::Backoff;
use crate::phy::air::{Air, EVERYBODY, Kind, Transmission};
use crate::phy::arrival::Arrival;
use crate::phy::channel::{Channel, Path};
use crate::phy::receiver::Receiver;
use crate::phy::reception::{Rule, Signal};
use crate::phy::sensing::SensingRules;
use base::{Duration, Instant};

/// One station's knowledge of the medium.
#[derive(Clone, Debug)]
pub(crate) struct CarrierSense {
    pub(crate) receiver: Receiver,
    /// Number of the next transmission to read.
    pub(crate) cursor: u64,
    nav: Instant,
    /// The station whose frame set the NAV: the TXOP holder, as far as known.
    holder: u32,
    /// Set if an RTS set the NAV: if no frame follows by the first instant, the NAV is the second again.
    nav_check: Option<(Instant, Instant)>,
    /// End of EIFS without DIFS after a frame with errors; zero: none.
    eifs: Instant,
    /// Backoffs of the station's functions, lowest first; then that of its beacons.
    pub(crate) backoffs: Vec<Backoff>,
}

impl CarrierSense {
    /// Creates the state of a station on an idle medium.
    pub(crate) fn new(receiver: Receiver, backoffs: Vec<Backoff>) -> Self {
        Self {
            cursor: 0,
            nav: Instant::ZERO,
            holder: receiver.me,
            nav_check: None,
            eifs: Instant::ZERO,
            backoffs,
            receiver,
        }
    }

    /// Returns the time at which the medium becomes idle, as far as known; never later than the true one.
    #[inline]
    pub(crate) fn idle(&self) -> Instant {
        self.idle_after(self.receiver.lock.as_ref().map_or(Instant::ZERO, |lock| lock.ends))
    }

    /// Returns the same, if the frame that the receiver is locked to ends at `ends`.
    #[inline]
    fn idle_after(&self, ends: Instant) -> Instant {
        let nav = match self.receiver.lock {
            // The frame being received may end the NAV.
            Some(Arrival { kind: Kind::CfEnd, .. }) => Instant::ZERO,
            _ => self.nav_check.map_or(self.nav, |(_, before)| before.min(self.nav)),
        };
        ends.max(self.receiver.energy).max(nav).max(self.receiver.own.1)
    }

    /// Returns the beginning of the DIFS or AIFS before a countdown, as far as known; never later than the true one.
    #[inline]
    fn ifs_begins(&self) -> Instant {
        let from = self.idle();
        // The frame being received decides if EIFS ends or begins anew.
        match &self.receiver.lock {
            Some(lock) => from.max(lock.ends + lock.wait),
            None => from.max(self.eifs),
        }
    }

    /// Returns the end of the backoff of this rank, as far as known; never later than the true one.
    #[inline]
    pub(crate) fn backoff_ends(&self, rank: usize, rules: &SensingRules) -> Instant {
        self.backoffs[rank].ends(&rules.backoff, self.ifs_begins())
    }

    /// Returns the same as [`CarrierSense::backoff_ends`], and before it a lower bound whatever is sent from `now` on:
    /// a frame without errors ends EIFS, and during its preamble the receiver may lose a frame again.
    #[inline]
    pub(crate) fn outlook(&self, rank: usize, rules: &SensingRules, now: Instant) -> (Instant, Instant) {
        let backoff = &self.backoffs[rank];
        let Some(lock) = &self.receiver.lock else {
            let idle = self.idle_after(Instant::ZERO);
            return (backoff.ends(&rules.backoff, idle), backoff.ends(&rules.backoff, idle.max(self.eifs)));
        };
        let idle = self.idle_after(lock.ends);
        let ends = backoff.ends(&rules.backoff, idle.max(lock.ends + lock.wait));
        let least = match rules.rule.is_open(lock.begins, now) {
            true if !self.receiver.senses(lock.power, rules) => self.idle_after(lock.begins),
            _ => idle,
        };
        (backoff.ends(&rules.backoff, least), ends)
    }

    /// Returns true if a signal or the NAV keeps the medium busy at `now`.
    pub(crate) fn is_busy(&self, now: Instant) -> bool {
        self.idle() > now
    }

    /// Returns true if the NAV keeps the station from answering an RTS at `now`.
    pub(crate) fn is_reserved(&self, now: Instant) -> bool {
        self.nav > now
    }

    /// Returns true if a frame of this station set the NAV: RTS of the TXOP holder are answered all the same
    /// (9.19.2.4).
    pub(crate) fn is_held_by(&self, station: u32) -> bool {
        self.holder == station
    }

    /// Applies the effects of frames that ended at or before `now`.
    #[inline]
    pub(crate) fn settle(&mut self, now: Instant, rules: &SensingRules, air: &Air) {
        if self.receiver.lock.as_ref().is_some_and(|lock| lock.ends <= now) {
            self.end(rules, air);
        }
        if let Some((_, before)) = self.nav_check.filter(|(check, _)| *check <= now) {
            self.nav_check = None;
            self.nav = self.nav.min(before);
        }
    }

    /// Ends the frame that the receiver is locked to.
    #[inline]
    fn end(&mut self, rules: &SensingRules, air: &Air) {
        let received = self.receiver.judge(rules, air);
        if let Some(frame) = &self.receiver.lock {
            match received {
                true => self.heed(rules),
                false if rules.eifs_reserves => self.nav = self.nav.max(frame.ends + frame.eifs),
                false => self.eifs = frame.ends + frame.eifs,
            }
        }
        self.receiver.lock = None;
    }

    /// Applies the frame that the receiver is locked to, which has ended without errors.
    #[inline]
    fn heed(&mut self, rules: &SensingRules) {
        let Some(frame) = &self.receiver.lock else { return };
        self.eifs = Instant::ZERO;
        if frame.kind == Kind::CfEnd {
            (self.nav, self.nav_check) = (self.nav.min(frame.ends), None);
            return;
        }
        let nav = frame.ends + frame.reserves;
        if !frame.mine && nav > self.nav {
            let check = rules.nav_reset.filter(|_| frame.kind == Kind::Rts);
            let check = check.map(|silence| frame.ends + silence);
            self.nav_check = check.map(|check| (check, check.max(self.nav)));
            (self.nav, self.holder) = (nav, frame.from);
        }
    }

    /// Applies a transmission of the station itself.
    fn transmit(&mut self, frame: &Transmission, rules: &SensingRules) {
        self.receiver.interrupt(frame, rules);
        let idle = self.ifs_begins();
        for backoff in &mut self.backoffs {
            backoff.freeze(&rules.backoff, frame.begins, idle);
            backoff.give_way();
        }
        self.receiver.own = (frame.begins, frame.ends);
        self.eifs = Instant::ZERO;
    }

    /// Suspends the first `count` backoffs from `now` on.
    pub(crate) fn suspend(&mut self, count: usize, now: Instant, rules: &SensingRules) {
        let idle = self.ifs_begins();
        for backoff in &mut self.backoffs[..count] {
            backoff.suspend(&rules.backoff, now, idle);
        }
    }

    /// Freezes the backoff of this rank at `now`, since the station itself takes the medium.
    pub(crate) fn freeze(&mut self, rank: usize, now: Instant, rules: &SensingRules) {
        let idle = self.ifs_begins();
        self.backoffs[rank].freeze(&rules.backoff, now, idle);
    }

    /// Reads a transmission from the log and applies all its effects on this station.
    #[inline]
    pub(crate) fn read(
        &mut self,
        number: u64,
        frame: &Transmission,
        air: &Air,
        channel: &mut Channel,
        rules: &SensingRules,
    ) {
        let me = self.receiver.me;
        if frame.from == me {
            self.settle(frame.begins, rules, air);
            self.transmit(frame, rules);
            return;
        }
        let mine = frame.to == me || (frame.to == EVERYBODY && is_read_by_all(frame.kind, rules));
        let path = channel.path(frame.from, me, frame.begins);
        let path = if channel.fades() { channel.fade(frame.from, me, path) } else { path };
        if !rules.rule.matters(path.power) {
            if mine {
                self.receiver.misses(number);
            }
            return;
        }
        let begins = frame.begins + path.delay;
        let ends = frame.ends + path.delay;
        self.settle(begins, rules, air);
        let idle = self.ifs_begins();
        if let Some(least) = self.receiver.energy_detection.filter(|_| !rules.dsss[usize::from(frame.mode)]) {
            let signal = Signal { number, begins, ends, power: path.beside };
            if self.receiver.disturb(signal, path.power, least, rules) {
                self.pause(begins, idle, rules);
            }
            return;
        }
        if matches!(rules.rule, Rule::Capture { .. }) && self.receiver.is_free(begins, ends) {
            // Created in place: a copy would wait for its fields to be written.
            self.receiver.lock = Some(Arrival::new(number, frame, &path, mine, rules));
        } else if !self.arrive(number, frame, path, mine, rules) {
            return;
        }
        self.pause(begins, idle, rules);
        // A frame has come: that announced by the RTS, as far as this station can tell.
        self.nav_check = None;
    }

    /// Handles the arrival of a frame at the receiver. Returns true if it is sensed.
    #[inline(never)]
    fn arrive(
        &mut self,
        number: u64,
        frame: &Transmission,
        path: Path,
        mine: bool,
        rules: &SensingRules,
    ) -> bool {
        let arrival = Arrival::new(number, frame, &path, mine, rules);
        match rules.rule {
            Rule::Capture { ratio, reserves, .. } => {
                let survived = self.receiver.capture(arrival, ratio, rules).filter(|_| reserves);
                if let Some(newcomer) = survived {
                    let difs = if rules.eifs_reserves { Duration::ZERO } else { rules.ifs };
                    self.nav = self.nav.max(newcomer.ends + newcomer.eifs + difs);
                }
                true
            }
            Rule::Sinr { .. } => self.receiver.detect(arrival, rules),
        }
    }

    /// Freezes the backoffs, since the medium becomes busy at `now`; it was to be idle from `idle` on.
    #[inline]
    fn pause(&mut self, now: Instant, idle: Instant, rules: &SensingRules) {
        for backoff in &mut self.backoffs {
            backoff.freeze(&rules.backoff, now, idle);
        }
    }
}

/// Returns true if stations read frames of this kind to everybody.
fn is_read_by_all(kind: Kind, rules: &SensingRules) -> bool {
    kind == Kind::Data || (kind == Kind::Beacon && rules.beacons)
}
