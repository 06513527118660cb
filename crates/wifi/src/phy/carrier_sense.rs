//! Carrier sense of one station, physical and virtual: the effect of arriving frames on its NAV and its backoffs.
//!
//! A station reads the log of transmissions ([`crate::phy::air`]) when its state matters. Each transmission is
//! applied at the time of its arrival at this station, with the power of the path and a delay at the speed of light.
//! Arrivals may come out of order by the difference of two delays, or by SIFS if a response was entered into the log
//! in advance. The rules below therefore compare times of arrival, not the order in which frames are read.

mod overhear;

use crate::mac::backoff::Backoff;
use crate::phy::air::{Air, EVERYBODY, Kind, Transmission};
use crate::phy::arrival::Arrival;
use crate::phy::channel::{Channel, Path};
use crate::phy::receiver::Receiver;
use crate::phy::reception::Rule;
use crate::phy::sensing::SensingRules;
use base::{Duration, Instant};

/// Expected end of a backoff. It is kept until the state changes from which it was computed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Outlook {
    /// Lower bound on the end, valid for any transmissions from the time of the computation on.
    pub(crate) least: Instant,
    /// End if the station senses nothing after the transmissions that it has read.
    pub(crate) ends: Instant,
    /// Revision of the station's state from which the outlook was computed.
    revision: u64,
    /// Time from which `least` is greater, because the preamble that the station is receiving is over.
    until: Instant,
}

impl Outlook {
    /// Lowers the lower bound to `from`, and ends the validity of the outlook.
    pub(crate) fn lower(&mut self, from: Instant) {
        self.least = from.min(self.least);
        self.until = Instant::ZERO;
    }
}

/// Value of `nav_check` and `nav_before` if the NAV stays in any case.
const NEVER: Instant = Instant::MAX;

/// State of the medium as one station knows it.
#[derive(Clone, Debug)]
pub(crate) struct CarrierSense {
    pub(crate) receiver: Receiver,
    /// Number of the next transmission in the log that the station has not read.
    pub(crate) cursor: u64,
    nav: Instant,
    /// Station whose frame set the NAV: the TXOP holder, as far as known.
    holder: u32,
    /// If an RTS has set the NAV: the latest time at which the next frame must begin for the NAV to stay, and the end
    /// of the NAV if none begins. Otherwise both are [`NEVER`].
    nav_check: Instant,
    nav_before: Instant,
    /// End of EIFS, without its DIFS, after a frame with errors; zero: no EIFS.
    eifs: Instant,
    /// Backoffs of the station's EDCAFs, lowest first, then that of its beacon.
    backoffs: Vec<Backoff>,
    /// Number of changes of this state. Methods that change what an [`Outlook`] is computed from count one.
    revision: u64,
}

impl CarrierSense {
    /// Creates the state of a station on an idle medium.
    pub(crate) fn new(receiver: Receiver, backoffs: Vec<Backoff>) -> Self {
        Self {
            cursor: 0,
            nav: Instant::ZERO,
            holder: receiver.me,
            nav_check: NEVER,
            nav_before: NEVER,
            eifs: Instant::ZERO,
            backoffs,
            receiver,
            revision: 0,
        }
    }

    /// Returns a lower bound on the time at which the medium becomes idle, from the transmissions read so far.
    #[inline]
    pub(crate) fn idle(&self) -> Instant {
        self.idle_after(self.receiver.lock.as_ref().map_or(Instant::ZERO, |lock| lock.ends))
    }

    /// Returns the time at which the medium becomes idle if the frame being received ends at `ends`.
    #[inline]
    fn idle_after(&self, ends: Instant) -> Instant {
        let nav = match self.receiver.lock {
            // A CF-End that is received without errors ends the NAV.
            Some(Arrival { kind: Kind::CfEnd, .. }) => Instant::ZERO,
            _ => self.nav.min(self.nav_before),
        };
        ends.max(self.receiver.energy).max(nav)
    }

    /// Returns a lower bound on the time at which DIFS or AIFS begins, from the transmissions read so far.
    #[inline]
    fn ifs_begins(&self) -> Instant {
        let from = self.idle();
        // The frame that is being received, and not an earlier one, decides whether EIFS follows.
        match &self.receiver.lock {
            Some(lock) => from.max(lock.ends + lock.wait),
            None => from.max(self.eifs),
        }
    }

    /// Returns a lower bound on the end of the station's backoff with index `rank`, from the transmissions read so
    /// far.
    #[inline]
    pub(crate) fn backoff_ends(&self, rank: usize, rules: &SensingRules) -> Instant {
        self.backoffs[rank].ends(&rules.backoff, self.ifs_begins())
    }

    /// Returns the outlook of the station's backoff with index `rank`: its end as [`CarrierSense::backoff_ends`]
    /// returns it, and a lower bound. The lower bound leaves out EIFS, since a later frame without errors would end
    /// EIFS. It leaves out a frame whose preamble is still being received, unless the frame's energy alone keeps the
    /// medium busy, since a later signal can still make the receiver lose this frame.
    #[inline]
    pub(crate) fn outlook(&self, rank: usize, rules: &SensingRules, now: Instant) -> Outlook {
        let backoff = &self.backoffs[rank];
        let revision = self.revision;
        let Some(lock) = &self.receiver.lock else {
            let idle = self.idle_after(Instant::ZERO);
            let ends = backoff.ends(&rules.backoff, idle.max(self.eifs));
            return Outlook {
                least: backoff.ends(&rules.backoff, idle),
                ends,
                revision,
                until: Instant::MAX,
            };
        };
        let idle = self.idle_after(lock.ends);
        let ends = backoff.ends(&rules.backoff, idle.max(lock.ends + lock.wait));
        let may_be_lost = rules.rule.is_open(lock.begins, now) && !self.receiver.senses(lock.power, rules);
        let (idle, until) = match may_be_lost {
            true => (self.idle_after(lock.begins), rules.rule.closes(lock.begins)),
            false => (idle, Instant::MAX),
        };
        Outlook { least: backoff.ends(&rules.backoff, idle), ends, revision, until }
    }

    /// Returns true if `outlook`, computed for a backoff of this station, equals one computed at `now`.
    #[inline]
    pub(crate) fn keeps(&self, outlook: &Outlook, now: Instant) -> bool {
        outlook.revision == self.revision && now < outlook.until
    }

    /// Returns the backoffs, by rank.
    #[inline]
    pub(crate) fn backoffs(&self) -> &[Backoff] {
        &self.backoffs
    }

    /// Returns the backoff with index `rank`, for a change.
    #[inline]
    pub(crate) fn change_backoff(&mut self, rank: usize) -> &mut Backoff {
        self.revision += 1;
        &mut self.backoffs[rank]
    }

    /// Returns true if a signal or the NAV keeps the medium busy at `now`.
    pub(crate) fn is_busy(&self, now: Instant) -> bool {
        self.idle() > now
    }

    /// Returns true if the NAV is set at `now`, so that the station does not answer an RTS.
    pub(crate) fn is_reserved(&self, now: Instant) -> bool {
        self.nav > now
    }

    /// Returns true if a frame of `station` set the NAV. An RTS of the TXOP holder is answered in spite of the NAV
    /// (9.19.2.4).
    pub(crate) fn is_held_by(&self, station: u32) -> bool {
        self.holder == station
    }

    /// Returns true if frames have ended, at or before `now`, whose effects have not been applied.
    #[inline]
    pub(crate) fn is_unsettled(&self, now: Instant) -> bool {
        self.receiver.lock.as_ref().is_some_and(|lock| lock.ends <= now) || self.nav_check <= now
    }

    /// Applies the effects of frames that ended at or before `now`.
    #[inline(always)]
    pub(crate) fn settle(&mut self, now: Instant, rules: &SensingRules, air: &Air) {
        if self.receiver.lock.as_ref().is_some_and(|lock| lock.ends <= now) {
            self.end(rules, air);
        }
        if self.nav_check <= now {
            self.nav = self.nav.min(self.nav_before);
            self.keep_nav();
            self.revision += 1;
        }
    }

    /// Lets the NAV stay as it is, whether or not a frame follows.
    #[inline]
    const fn keep_nav(&mut self) {
        (self.nav_check, self.nav_before) = (NEVER, NEVER);
    }

    /// Ends the reception of the frame to which the receiver is locked. The frame sets the NAV or causes EIFS.
    #[inline(always)]
    fn end(&mut self, rules: &SensingRules, air: &Air) {
        self.revision += 1;
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

    /// Applies the effects of a frame that was received without errors: it ends EIFS and sets the NAV.
    #[inline(always)]
    fn heed(&mut self, rules: &SensingRules) {
        let Some(frame) = &self.receiver.lock else { return };
        self.eifs = Instant::ZERO;
        if frame.kind == Kind::CfEnd {
            self.nav = self.nav.min(frame.ends);
            return self.keep_nav();
        }
        if !frame.mine {
            self.set_nav(frame.ends, frame.reserves, (frame.from, frame.kind), rules);
        }
    }

    /// Sets the NAV after a frame of this sender and kind, unless it is longer already.
    #[inline(always)]
    fn set_nav(
        &mut self,
        ends: Instant,
        reserves: Duration,
        (from, kind): (u32, Kind),
        rules: &SensingRules,
    ) {
        let (before, nav) = (self.nav, ends + reserves);
        if nav <= before {
            return;
        }
        (self.nav, self.holder) = (nav, from);
        self.keep_nav();
        if let Some(silence) = rules.nav_reset.filter(|_| rules.resets_nav(kind)) {
            self.nav_check = ends + silence;
            self.nav_before = self.nav_check.max(before);
        }
    }

    /// Applies a transmission of the station itself: it ends a reception and freezes the backoffs.
    #[inline(never)]
    fn transmit(&mut self, frame: &Transmission, air: &Air, rules: &SensingRules) {
        self.settle(frame.begins, rules, air);
        self.revision += 1;
        self.receiver.interrupt(frame, rules);
        let idle = self.ifs_begins();
        self.pause(frame.begins, idle, rules);
        self.begin(frame);
        self.receiver.energy = self.receiver.energy.max(frame.ends);
        self.eifs = Instant::ZERO;
    }

    /// Begins a transmission of the station itself, whose backoffs are frozen.
    #[inline]
    fn begin(&mut self, frame: &Transmission) {
        self.backoffs.iter_mut().for_each(Backoff::give_way);
        self.receiver.own = (frame.begins, frame.ends);
    }

    /// Suspends the first `count` backoffs at `now`.
    pub(crate) fn suspend(&mut self, count: usize, now: Instant, rules: &SensingRules) {
        self.revision += 1;
        let idle = self.ifs_begins();
        for backoff in &mut self.backoffs[..count] {
            backoff.suspend(&rules.backoff, now, idle);
        }
    }

    /// Freezes the station's backoff with index `rank` at `now`, since another EDCAF of the station takes the
    /// medium.
    pub(crate) fn freeze(&mut self, rank: usize, now: Instant, rules: &SensingRules) {
        let idle = self.ifs_begins();
        self.change_backoff(rank).freeze(&rules.backoff, now, idle);
    }

    /// Reads a transmission from the log and applies its effects on this station.
    #[inline(always)]
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
            return self.transmit(frame, air, rules);
        }
        let mine = frame.to == me || (frame.to == EVERYBODY && is_read_by_all(frame.kind, rules));
        let path = channel.path_of_frame(frame.from, me, frame.begins);
        if path.power < rules.least {
            if mine {
                self.receiver.misses(number);
            }
            return;
        }
        let begins = frame.begins + path.delay;
        self.settle(begins, rules, air);
        self.revision += 1;
        let idle = self.ifs_begins();
        let sensed = if !self.receiver.is_free(begins) {
            self.arrive(number, frame, &path, mine, (idle, rules))
        } else if self.receiver.locks(number, frame, &path, rules) {
            // The arrival is constructed in place, which is faster than a copy.
            self.receiver.lock = Some(Arrival::new(number, frame, &path, mine, rules));
            true
        } else {
            self.receiver.detect_when_free(Arrival::new(number, frame, &path, mine, rules), rules)
        };
        if sensed {
            self.pause(begins, idle, rules);
            // A frame has arrived, so the exchange announced by an RTS has begun, as far as this station can tell.
            self.keep_nav();
        }
    }

    /// Handles the arrival of a frame at a receiver that is locked, transmits or cannot demodulate all frames; without
    /// this frame the medium would be idle from `idle` on. Returns true if the station senses a frame, not mere energy.
    #[inline(never)]
    fn arrive(
        &mut self,
        number: u64,
        frame: &Transmission,
        path: &Path,
        mine: bool,
        (idle, rules): (Instant, &SensingRules),
    ) -> bool {
        let arrival = Arrival::new(number, frame, path, mine, rules);
        if let Some(least) = self.receiver.energy_detection.filter(|_| !rules.dsss[usize::from(frame.mode)]) {
            if self.receiver.disturb(arrival.signal(), path.power, least, rules) {
                self.pause(arrival.begins, idle, rules);
            }
            return false;
        }
        let Rule::Capture { ratio, reserves, .. } = rules.rule else {
            self.receiver.remember(arrival.signal());
            return self.receiver.detect(arrival, rules);
        };
        let survived = self.receiver.capture(arrival, ratio, rules).filter(|_| reserves);
        if let Some(newcomer) = survived {
            let difs = if rules.eifs_reserves { Duration::ZERO } else { rules.ifs };
            self.nav = self.nav.max(newcomer.ends + newcomer.eifs + difs);
        }
        true
    }

    /// Freezes all backoffs, since the medium becomes busy at `now`; without this signal it would be idle from `idle`
    /// on.
    #[inline]
    fn pause(&mut self, now: Instant, idle: Instant, rules: &SensingRules) {
        match &mut self.backoffs[..] {
            // The usual case, without EDCA.
            [only] => only.freeze(&rules.backoff, now, idle),
            many => many.iter_mut().for_each(|backoff| backoff.freeze(&rules.backoff, now, idle)),
        }
    }
}

/// Returns true if all stations must evaluate broadcast frames of this type.
fn is_read_by_all(kind: Kind, rules: &SensingRules) -> bool {
    kind == Kind::Data || (kind == Kind::Beacon && rules.beacons)
}
