//! Contention for the medium: which EDCAF transmits next, and when.
//!
//! If the backoffs of two EDCAFs of a station end at once, the EDCAF of the higher category transmits. The other treats
//! this as a collision (9.19.2.3). While a station is in a frame exchange, its other EDCAFs wait.

use crate::config::{Config, IdleAccess};
use crate::mac::backoff::Backoff;
use crate::mac::edca::AccessCategory;
use crate::mac::edcaf_index::EdcafIndex;
use crate::phy::carrier_sense::{CarrierSense, Outlook};
use crate::phy::channel::Channel;
use crate::phy::durations::Durations;
use crate::phy::medium::Medium;
use crate::phy::receiver::Receiver;
use crate::phy::sensing::SensingRules;
use crate::phy::shared_view::SharedView;
use base::{Duration, Instant, Rng};
use radio::access::Station;

/// Next transmitter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contender {
    /// An EDCAF, which sends a frame from its queue.
    Edcaf(u32),
    /// A station of an ad hoc network, which sends its beacon.
    Beacon(u32),
}

/// EDCAF that contends for the medium.
#[derive(Clone, Copy, Debug)]
struct Contending {
    f: u32,
    /// Outlook of its backoff, whose end is the time of transmission.
    outlook: Outlook,
    /// Number of the first transmission in the log that the station had not read when the outlook was computed.
    read: u64,
    /// Mark of the backoff's countdown in the shared view; zero if there is none.
    mark: Duration,
}

impl Contending {
    /// Returns a lower bound on the time of transmission; `end` is the number of the next transmission in the log.
    #[inline(always)]
    fn least(&self, view: &SharedView, end: u64) -> Instant {
        // If the station has read all, frames that end can only delay the transmission.
        let Outlook { least, ends, .. } = self.outlook;
        if self.read == end { ends } else { view.ends(self.mark).map_or(least, |bound| bound.max(least)) }
    }
}

/// Lower bounds on the transmission times of all contenders.
struct Bounds {
    /// Least bound.
    least: Instant,
    /// Least bound of the other contenders, at most the time of the network's next event.
    others: Instant,
    /// Index in `contenders` of the one with the least bound.
    slot: usize,
}

/// State of a station's frame exchanges.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// EDCAF that transmits, or transmitted last: its index at the station, 0 for the lowest access category.
    pub(crate) active: u8,
    /// True while the station is in a frame exchange that it has begun.
    pub(crate) exchanging: bool,
    /// Time at which the station's last response began or will begin. Responses to A-MPDUs do not count, since a
    /// receiver passes on the packets of an A-MPDU while the A-MPDU lasts.
    pub(crate) answers: Instant,
}

/// Contention of all EDCAFs of a network.
#[derive(Clone, Debug)]
pub(crate) struct Contention {
    pub(crate) medium: Medium,
    pub(crate) edcaf_index: EdcafIndex,
    /// State of each station.
    pub(crate) turns: Vec<Turn>,
    idle_access: IdleAccess,
    contenders: Vec<Contending>,
    /// Index of each EDCAF in `contenders`; `None` if it does not contend.
    slots: Vec<Option<u32>>,
    /// With a shared view: no contender has a mark below this one.
    least_mark: Duration,
    /// Next transmitter, and the time of its transmission.
    pub(crate) first: Option<(Instant, Contender)>,
}

impl Contention {
    /// Creates the state with an idle medium. Random streams are named after `name`.
    pub(crate) fn new(config: &Config, durations: &Durations, seed: u64, name: &str) -> Self {
        let edcafs = config.mac.access.accesses(config.mac.access.cw_min).len();
        let everyone = config.sites.len();
        let station = |at| {
            let noise = Rng::stream(seed, &format!("{name}.station.{at}.reception"));
            let receiver = Receiver::new(at, noise, config.energy_detection(Station(at)));
            CarrierSense::new(receiver, backoffs(config, at, seed, name))
        };
        let stations = (0..everyone as u32).map(station).collect();
        let channel = Channel::new(config, seed, name);
        let view = SharedView::new(config, &channel, durations.ifs);
        Self {
            medium: Medium::new(SensingRules::new(config, durations), channel, stations, view),
            edcaf_index: EdcafIndex::new(edcafs),
            turns: vec![Turn::default(); everyone],
            idle_access: config.mac.exchange.idle_access,
            contenders: Vec::new(),
            slots: vec![None; edcafs * everyone],
            least_mark: Duration::ZERO,
            first: None,
        }
    }

    /// Returns the EDCAF of a station that has the medium, or had it last.
    #[inline]
    pub(crate) fn active(&self, at: u32) -> u32 {
        self.edcaf_index.edcaf(at, self.turns[at as usize].active)
    }

    #[inline]
    pub(crate) fn backoff(&mut self, f: u32) -> &mut Backoff {
        self.medium.backoff(self.edcaf_index.station_of(f), self.edcaf_index.rank(f))
    }

    /// Draws a backoff for an EDCAF; with `reset`, its contention window is first set to CWmin.
    pub(crate) fn draw(&mut self, f: u32, reset: bool) {
        let rules = self.medium.rules.backoff;
        let backoff = self.backoff(f);
        if reset {
            backoff.reset();
        }
        backoff.draw(&rules);
    }

    /// Makes an EDCAF's station read the transmissions in the log that it has not read.
    #[inline]
    pub(crate) fn listen(&mut self, f: u32, now: Instant) {
        self.medium.listen(self.edcaf_index.station_of(f), now);
    }

    /// Returns the end of an EDCAF's backoff, as it follows from the transmissions that its station has read.
    #[inline]
    pub(crate) fn backoff_ends(&self, f: u32) -> Instant {
        self.medium.backoff_ends(self.edcaf_index.station_of(f), self.edcaf_index.rank(f))
    }

    /// Returns an EDCAF's state as a contender, as it follows from the transmissions that its station has read.
    #[inline]
    fn contending(&self, f: u32, now: Instant) -> Contending {
        let (at, rank) = (self.edcaf_index.station_of(f), self.edcaf_index.rank(f));
        let Medium { stations, rules, view, .. } = &self.medium;
        let station = &stations[at as usize];
        let left = station.backoffs()[rank].left(&rules.backoff);
        let mark = view.as_ref().and_then(|view| left.map(|left| view.mark(left)));
        Contending {
            f,
            outlook: station.outlook(rank, rules, now),
            read: station.cursor,
            mark: mark.unwrap_or(Duration::ZERO),
        }
    }

    /// Makes an EDCAF with a frame to send contend for the medium. A backoff that was just `drawn` or is running goes
    /// on. Without a backoff, the EDCAF transmits as `idle_access` says if the medium is idle, and draws a backoff if
    /// it is busy. While its station is in an exchange, the EDCAF waits.
    pub(crate) fn contend(&mut self, now: Instant, f: u32, drawn: bool) {
        let (at, rank) = (self.edcaf_index.station_of(f), self.edcaf_index.rank(f));
        self.medium.listen(at, now);
        let Turn { exchanging, answers, .. } = self.turns[at as usize];
        let rules = &self.medium.rules;
        let station = &mut self.medium.stations[at as usize];
        let silent = self.idle_access == IdleAccess::BetweenFrames && answers > now;
        let busy = (station.is_busy(now) && !silent) || exchanging;
        let over = !drawn && !busy && station.backoff_ends(rank, rules) <= now;
        let backoff = station.change_backoff(rank);
        backoff.contends = true;
        if over {
            backoff.clear();
        }
        if !drawn && !backoff.runs() {
            let always = self.idle_access == IdleAccess::Backoff;
            if busy || always {
                backoff.draw(&rules.backoff);
            }
            if !busy {
                backoff.hold = if always { now + backoff.aifs } else { now };
            }
        }
        if exchanging {
            return;
        }
        self.slots[f as usize] = Some(self.contenders.len() as u32);
        let contending = self.contending(f, now);
        self.least_mark = self.least_mark.min(contending.mark);
        self.contenders.push(contending);
    }

    /// Ends the contention of an EDCAF, which transmits now.
    pub(crate) fn withdraw(&mut self, f: u32) {
        let backoff = self.backoff(f);
        backoff.contends = false;
        backoff.clear();
        self.leave(f);
    }

    /// Removes an EDCAF from `contenders`.
    fn leave(&mut self, f: u32) {
        let Some(slot) = self.slots[f as usize].take() else { return };
        self.contenders.swap_remove(slot as usize);
        if let Some(moved) = self.contenders.get(slot as usize) {
            self.slots[moved.f as usize] = Some(slot);
        }
    }

    /// Lowers the lower bounds on the transmission times of all contenders to `from`, because a CF-End may end a
    /// NAV earlier than the bounds assume.
    pub(crate) fn may_end_earlier(&mut self, from: Instant) {
        self.contenders.iter_mut().for_each(|contending| contending.outlook.lower(from));
    }

    /// Finds the EDCAF that transmits next, if it does so before the network's next event at `event`.
    #[inline]
    pub(crate) fn find_first(&mut self, now: Instant, event: Instant) {
        match &self.medium.view {
            None => self.find_first_by_reading(now),
            Some(view) if view.ends(self.least_mark).is_some_and(|least| least >= event) => self.first = None,
            Some(_) => self.find_first_by_view(now, event),
        }
    }

    /// Does the work of [`Contention::find_first`] with the shared view: the station with the least lower bound reads
    /// the log, until its bound is the end of its backoff.
    fn find_first_by_view(&mut self, now: Instant, event: Instant) {
        self.first = None;
        while let Some(Bounds { least, others, slot }) = self.bounds(event) {
            let Contending { f, outlook, read, .. } = self.contenders[slot];
            let at = self.edcaf_index.station_of(f) as usize;
            let knows_all = read == self.medium.air.end() && self.medium.stations[at].keeps(&outlook, now);
            if !knows_all {
                self.medium.read(at, now);
                self.look_anew(now, slot);
            }
            let ends = self.contenders[slot].outlook.ends;
            debug_assert!(ends >= least, "edcaf {f} at {now}");
            if knows_all || ends < others {
                self.first = Some((ends.max(now), Contender::Edcaf(f)));
                return;
            }
        }
    }

    /// Returns the bounds of the contenders if one of them is before `event`. Updates `least_mark`.
    fn bounds(&mut self, event: Instant) -> Option<Bounds> {
        let (view, end) = (self.medium.view.as_ref()?, self.medium.air.end());
        let mut found = Bounds { least: event, others: event, slot: usize::MAX };
        let mut least_mark = Duration::MAX;
        for (slot, contending) in self.contenders.iter().enumerate() {
            let least = contending.least(view, end);
            least_mark = least_mark.min(contending.mark);
            if least < found.least {
                found = Bounds { least, others: found.least, slot };
            } else {
                found.others = found.others.min(least);
            }
        }
        self.least_mark = least_mark;
        (found.least < event).then_some(found)
    }

    /// Does the work of [`Contention::find_first`] without a shared view. To save time, skips an EDCAF, and does not
    /// update its station's view of the medium, if the lower bound on the end of its backoff is not before the earliest
    /// transmission found so far.
    fn find_first_by_reading(&mut self, now: Instant) {
        let end = self.medium.air.end();
        let mut first = Instant::MAX;
        let mut who = 0;
        let settles = self.edcaf_index.has_categories();
        for Contending { f, outlook, .. } in &mut self.contenders {
            if outlook.least >= first {
                continue;
            }
            let (at, rank) = (self.edcaf_index.station_of(*f), self.edcaf_index.rank(*f));
            let station = &self.medium.stations[at as usize];
            if station.cursor < end || settles && station.is_unsettled(now) {
                self.medium.listen(at, now);
            }
            // The station may have read more of the log since `outlook` was computed, for another EDCAF or as a
            // receiver. A frame without errors ends EIFS, so that the backoff may end earlier than `outlook.ends`.
            debug_assert!(self.medium.backoff_ends(at, rank) >= outlook.least, "edcaf {f} at {now}");
            let station = &self.medium.stations[at as usize];
            if !station.keeps(outlook, now) {
                *outlook = station.outlook(rank, &self.medium.rules, now);
            }
            debug_assert_eq!(station.outlook(rank, &self.medium.rules, now), *outlook, "edcaf {f} at {now}");
            if outlook.ends < first {
                (first, who) = (outlook.ends, *f);
            }
        }
        self.first = (first < Instant::MAX).then_some((first.max(now), Contender::Edcaf(who)));
    }

    /// Updates the transmission time of an EDCAF, if it contends.
    pub(crate) fn update(&mut self, now: Instant, f: u32) {
        if let Some(slot) = self.slots[f as usize] {
            self.listen(f, now);
            self.look_anew(now, slot as usize);
        }
    }

    /// Updates the contender with index `slot`, whose station has read the log.
    #[inline]
    fn look_anew(&mut self, now: Instant, slot: usize) {
        let contending = self.contending(self.contenders[slot].f, now);
        self.least_mark = self.least_mark.min(contending.mark);
        self.contenders[slot] = contending;
    }

    /// Lets an EDCAF's station read the log up to `now`, then returns true if the EDCAF's backoff has ended. If it has
    /// not, updates the EDCAF's transmission time.
    pub(crate) fn is_due(&mut self, now: Instant, f: u32) -> bool {
        self.listen(f, now);
        let ends = self.backoff_ends(f);
        debug_assert!(ends >= now, "edcaf {f} was to transmit at {ends}, and it is {now}");
        if ends <= now {
            return true;
        }
        if let Some(slot) = self.slots[f as usize] {
            self.look_anew(now, slot as usize);
        }
        false
    }

    /// Returns the EDCAF of the highest category among a station's EDCAFs whose backoffs have ended at `now`, and
    /// the others among them. `f` is any EDCAF of the station.
    pub(crate) fn winner(&self, now: Instant, f: u32) -> (u32, Vec<u32>) {
        let mut due: Vec<u32> = self.edcaf_index.edcafs_of(self.edcaf_index.station_of(f)).collect();
        due.retain(|g| self.slots[*g as usize].is_some() && self.backoff_ends(*g) <= now);
        let winner = due.pop().unwrap_or(f);
        (winner, due)
    }

    /// Freezes the backoffs of a station's other EDCAFs and removes them from the contention, until the exchange of
    /// this EDCAF has ended.
    pub(crate) fn suspend_others(&mut self, now: Instant, f: u32) {
        if !self.edcaf_index.has_categories() {
            return;
        }
        let at = self.edcaf_index.station_of(f);
        for other in self.edcaf_index.edcafs_of(at).filter(|other| *other != f) {
            let rank = self.edcaf_index.rank(other);
            self.medium.stations[at as usize].freeze(rank, now, &self.medium.rules);
            self.leave(other);
        }
    }

    /// Sets the earliest time at which the countdowns of a station's other EDCAFs may go on: `hold` or, with `defers`,
    /// AIFS after it.
    pub(crate) fn hold_others(&mut self, at: u32, hold: Instant, defers: bool) {
        if !self.edcaf_index.has_categories() {
            return;
        }
        let active = usize::from(self.turns[at as usize].active);
        let station = &mut self.medium.stations[at as usize];
        for rank in (0..station.backoffs().len()).filter(|rank| *rank != active) {
            let backoff = station.change_backoff(rank);
            backoff.hold = if defers { hold + backoff.aifs } else { hold };
        }
    }
}

/// Returns the backoffs of a station's EDCAFs and, in an ad hoc network with beacons, of its beacon.
fn backoffs(config: &Config, at: u32, seed: u64, name: &str) -> Vec<Backoff> {
    let window = config.cw_min(Station(at));
    let accesses = config.mac.access.accesses(window);
    let edcafs = accesses.iter().zip(AccessCategory::ALL).map(|(access, category)| {
        let of = config.mac.access.edca.map_or_else(String::new, |_| format!(".{}", category.name()));
        let rng = Rng::stream(seed, &format!("{name}.station.{at}.backoff{of}"));
        Backoff::new(access, &config.mac, rng)
    });
    let mut backoffs: Vec<Backoff> = edcafs.collect();
    if config.access_point.is_none() && config.mac.bss.beacons.0.is_some() {
        let rng = Rng::stream(seed, &format!("{name}.station.{at}.beacon"));
        backoffs.push(Backoff::of_beacon(&config.mac, window, rng));
    }
    backoffs
}
