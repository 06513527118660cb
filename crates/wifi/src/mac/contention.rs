//! Contention for the medium: the next EDCAF to transmit, and its time.
//!
//! If two categories of a station end their backoff at once the higher one transmits; the other treats it as a
//! collision (9.19.2.3). While a station is in an exchange its other EDCAFs wait.

use crate::config::{Config, IdleAccess};
use crate::mac::backoff::Backoff;
use crate::mac::edca::AccessCategory;
use crate::mac::edcaf_index::EdcafIndex;
use crate::phy::carrier_sense::CarrierSense;
use crate::phy::channel::Channel;
use crate::phy::durations::Durations;
use crate::phy::medium::Medium;
use crate::phy::receiver::Receiver;
use crate::phy::sensing::SensingRules;
use base::{Instant, Rng};
use radio::access::Station;

/// The next transmitter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Contender {
    /// A channel access function, which sends a frame of its queue.
    Edcaf(u32),
    /// A station of an ad hoc network, which sends its beacon.
    Beacon(u32),
}

/// An EDCAF that contends for the medium.
#[derive(Clone, Copy, Debug)]
struct Contending {
    f: u32,
    /// A lower bound of its transmission time, and that time by all that its station has read.
    outlook: (Instant, Instant),
}

/// A station's use of the medium.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turn {
    /// The EDCAF that has the medium, or had it last.
    pub(crate) active: u8,
    /// True while it waits for the response to a frame of its own.
    pub(crate) exchanging: bool,
    /// Time at which its last answer to a frame has begun or will begin, unless that was an aggregate, whose packets
    /// came while it lasted.
    pub(crate) answers: Instant,
}

/// The contention of all EDCAFs of a network.
#[derive(Clone, Debug)]
pub(crate) struct Contention {
    pub(crate) medium: Medium,
    pub(crate) edcaf_index: EdcafIndex,
    /// By station.
    pub(crate) turns: Vec<Turn>,
    idle_access: IdleAccess,
    contenders: Vec<Contending>,
    /// Index of each EDCAF in `contenders`.
    slots: Vec<Option<u32>>,
    /// The next contender to transmit, and its time.
    pub(crate) first: Option<(Instant, Contender)>,
}

impl Contention {
    /// Creates the contention on an idle medium. Random streams are named after `name`.
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
        Self {
            medium: Medium::new(SensingRules::new(config, durations), channel, stations),
            edcaf_index: EdcafIndex::new(edcafs),
            turns: vec![Turn::default(); everyone],
            idle_access: config.mac.exchange.idle_access,
            contenders: Vec::new(),
            slots: vec![None; edcafs * everyone],
            first: None,
        }
    }

    /// Returns the EDCAF of a station that has the medium, or had it last.
    #[inline]
    pub(crate) fn active(&self, at: u32) -> u32 {
        self.edcaf_index.edcaf(at, self.turns[at as usize].active)
    }

    /// Returns the backoff of an EDCAF.
    #[inline]
    pub(crate) fn backoff(&mut self, f: u32) -> &mut Backoff {
        self.medium.backoff(self.edcaf_index.station_of(f), self.edcaf_index.rank(f))
    }

    /// Draws a backoff for an EDCAF, from its least window if `reset`.
    pub(crate) fn draw(&mut self, f: u32, reset: bool) {
        let rules = self.medium.rules.backoff;
        let backoff = self.backoff(f);
        if reset {
            backoff.reset();
        }
        backoff.draw(&rules);
    }

    /// Lets an EDCAF's station read the rest of the log.
    #[inline]
    pub(crate) fn listen(&mut self, f: u32, now: Instant) {
        self.medium.listen(self.edcaf_index.station_of(f), now);
    }

    /// Returns the end of an EDCAF's backoff, by all that its station has read.
    #[inline]
    pub(crate) fn backoff_ends(&self, f: u32) -> Instant {
        self.medium.backoff_ends(self.edcaf_index.station_of(f), self.edcaf_index.rank(f))
    }

    /// Returns the same as [`Contention::backoff_ends`], and before it a lower bound whatever is sent from `now` on.
    #[inline]
    fn outlook(&self, f: u32, now: Instant) -> (Instant, Instant) {
        self.medium.outlook(self.edcaf_index.station_of(f), self.edcaf_index.rank(f), now)
    }

    /// Makes an EDCAF with something to send contend for the medium. A backoff that has been drawn or still runs goes
    /// on; without one the EDCAF may transmit at once if the medium is idle. While its station is in an exchange it
    /// waits.
    pub(crate) fn contend(&mut self, now: Instant, f: u32, drawn: bool) {
        let (at, rank) = (self.edcaf_index.station_of(f), self.edcaf_index.rank(f));
        self.medium.listen(at, now);
        let Turn { exchanging, answers, .. } = self.turns[at as usize];
        let rules = &self.medium.rules;
        let station = &mut self.medium.stations[at as usize];
        let silent = self.idle_access == IdleAccess::BetweenFrames && answers > now;
        let busy = (station.is_busy(now) && !silent) || exchanging;
        station.backoffs[rank].contends = true;
        if !drawn && !busy && station.backoff_ends(rank, rules) <= now {
            station.backoffs[rank].clear();
        }
        let backoff = &mut station.backoffs[rank];
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
        self.contenders.push(Contending { f, outlook: station.outlook(rank, rules, now) });
    }

    /// Ends the contention of an EDCAF, which transmits.
    pub(crate) fn withdraw(&mut self, f: u32) {
        let backoff = self.backoff(f);
        backoff.contends = false;
        backoff.clear();
        self.leave(f);
    }

    /// Removes an EDCAF from those that may transmit.
    fn leave(&mut self, f: u32) {
        let Some(slot) = self.slots[f as usize].take() else { return };
        self.contenders.swap_remove(slot as usize);
        if let Some(moved) = self.contenders.get(slot as usize) {
            self.slots[moved.f as usize] = Some(slot);
        }
    }

    /// Lowers the bounds of contenders to `from`, since a frame is on its way that may end their wait earlier than they
    /// could know.
    pub(crate) fn may_end_earlier(&mut self, from: Instant) {
        for Contending { outlook: (least, _), .. } in &mut self.contenders {
            *least = from.min(*least);
        }
    }

    /// Finds the next EDCAF to transmit. Only stations that may be the next read the log.
    pub(crate) fn find_first(&mut self, now: Instant) {
        let end = self.medium.air.end();
        let mut first = Instant::MAX;
        let mut who = 0;
        for Contending { f, outlook } in &mut self.contenders {
            if outlook.0 >= first {
                continue;
            }
            let (at, rank) = (self.edcaf_index.station_of(*f), self.edcaf_index.rank(*f));
            if self.medium.stations[at as usize].cursor < end || self.edcaf_index.has_categories() {
                self.medium.listen(at, now);
            }
            // It may have read more since, for another EDCAF or as a receiver: a frame without errors ends EIFS.
            debug_assert!(self.medium.backoff_ends(at, rank) >= outlook.0, "edcaf {f} at {now}");
            *outlook = self.medium.outlook(at, rank, now);
            if outlook.1 < first {
                (first, who) = (outlook.1, *f);
            }
        }
        self.first = (first < Instant::MAX).then_some((first.max(now), Contender::Edcaf(who)));
    }

    /// Computes the transmission time of an EDCAF anew, if it contends.
    pub(crate) fn update(&mut self, now: Instant, f: u32) {
        let Some(slot) = self.slots[f as usize] else { return };
        self.listen(f, now);
        self.contenders[slot as usize].outlook = self.outlook(f, now);
    }

    /// Returns true if the backoff of an EDCAF has ended now that its station has read everything.
    pub(crate) fn is_due(&mut self, now: Instant, f: u32) -> bool {
        self.listen(f, now);
        let ends = self.backoff_ends(f);
        debug_assert!(ends >= now, "edcaf {f} was to transmit at {ends}, and it is {now}");
        if ends <= now {
            return true;
        }
        if let Some(slot) = self.slots[f as usize] {
            self.contenders[slot as usize].outlook = self.outlook(f, now);
        }
        false
    }

    /// Returns the highest EDCAF of a station whose backoff has ended now; and the others.
    pub(crate) fn winner(&self, now: Instant, f: u32) -> (u32, Vec<u32>) {
        let mut due: Vec<u32> = self.edcaf_index.edcafs_of(self.edcaf_index.station_of(f)).collect();
        due.retain(|g| self.slots[*g as usize].is_some() && self.backoff_ends(*g) <= now);
        let winner = due.pop().unwrap_or(f);
        (winner, due)
    }

    /// Suspends a station's other EDCAFs until the exchange of this one has ended.
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

    /// Keeps their backoffs from counting before `hold`.
    pub(crate) fn hold_others(&mut self, at: u32, hold: Instant) {
        if !self.edcaf_index.has_categories() {
            return;
        }
        let active = usize::from(self.turns[at as usize].active);
        for (rank, backoff) in self.medium.stations[at as usize].backoffs.iter_mut().enumerate() {
            if rank != active {
                backoff.hold = hold;
            }
        }
    }
}

/// Returns the backoffs of a station's EDCAFs, and of its beacons in an ad hoc network.
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
