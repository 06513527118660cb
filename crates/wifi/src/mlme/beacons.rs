//! Beacons of an access point, and of an ad hoc network: an IBSS, whose stations make them in turn (10.1.3.3).
//!
//! In an ad hoc network every station at each TBTT suspends the backoffs of what it has to send, draws a delay of 0 to 2 aCWmin slots and
//! counts it down as a backoff, after DIFS. Whose delay is over sends a beacon; who receives one before gives its own up. Then backoffs go
//! on; a packet that had none draws one.
//!
//! Several access points have a TBTT each, drawn within a beacon interval; that of a single one is zero.
//!
//! Left out: that stations begin apart and find each other by these beacons; the timing synchronization EDCAF, so that all have one
//! clock (its errors are below 4 us a beacon interval at 0.01 %); ATIM windows. A mesh has beacons of its own
//! ([`routing::hwmp`]). ns-2 and ns-3 have none in ad hoc networks, which is the default here.
//!
//! Validated (`tests/it/ibss.rs`): whose beacon goes when, what waits for it, and hidden stations, by hand to the microsecond.

use crate::mac::contention::{Contender, Contention};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::phy::air::Transmission;
use base::{Duration, Instant, Rng};
use radio::access::Station;

/// The beacons of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beacons {
    /// Time of the next beacon of each access point; in an ad hoc network there is one time.
    tbtts: Vec<Instant>,
    /// In an ad hoc network, the stations that are about to send theirs.
    waiting: Vec<u32>,
}

impl Beacons {
    /// Creates the beacons; the first are due. Random streams are named after `name`.
    pub(crate) fn new(mac: &mut Mac, seed: u64, name: &str) -> Self {
        let mut beacons = Self::default();
        let Some(interval) = mac.config.mac.bss.beacons.0 else { return beacons };
        let drawn = |Station(ap): Station| {
            let drawn = Rng::stream(seed, &format!("{name}.station.{ap}.beacons")).uniform();
            Instant::ZERO + Duration::from_us((drawn * interval.secs() * 1e6) as u64)
        };
        beacons.tbtts = match mac.config.other_access_points.is_empty() {
            true => vec![Instant::ZERO],
            false => mac.config.access_points().map(drawn).collect(),
        };
        for (which, tbtt) in (0..).zip(&beacons.tbtts) {
            mac.schedule.add(*tbtt, Event::Beacon(which));
        }
        beacons
    }

    /// Handles a TBTT, of the access point of this number.
    pub(crate) fn due(&mut self, now: Instant, which: u32, mac: &mut Mac) {
        let Some(interval) = mac.config.mac.bss.beacons.0 else { return };
        let ap = mac.config.access_points().nth(which as usize);
        match ap {
            Some(ap) => self.send_from_access_point(now, (which, ap.0), interval, mac),
            None => self.begin_contention(now, interval, mac),
        }
    }

    /// Sends the beacon of an access point when the medium has been idle for PIFS; its backoff, if it has one, waits.
    fn send_from_access_point(
        &mut self,
        now: Instant,
        (which, ap): (u32, u32),
        interval: Duration,
        mac: &mut Mac,
    ) {
        let pifs = mac.durations.pifs;
        let contention = &mut mac.contention;
        contention.medium.listen(ap, now);
        let free = contention.medium.stations[ap as usize].idle() + pifs;
        if free > now || contention.turns[ap as usize].exchanging {
            return mac.schedule.add(free.max(now + pifs), Event::Beacon(which));
        }
        let ends = mac.send_beacon(now, ap);
        let tbtt = &mut self.tbtts[which as usize];
        *tbtt += interval;
        mac.schedule.add(ends.max(*tbtt), Event::Beacon(which));
    }

    /// Begins a TBTT of an ad hoc network: every station has a beacon to send.
    fn begin_contention(&mut self, now: Instant, interval: Duration, mac: &mut Mac) {
        self.waiting.clear();
        let contention = &mut mac.contention;
        let rank = contention.edcaf_index.edcafs();
        for at in 0..contention.turns.len() as u32 {
            suspend(contention, now, at);
            let rules = contention.medium.rules.backoff;
            let delay = contention.medium.backoff(at, rank);
            delay.draw(&rules);
            (delay.contends, delay.hold) = (true, now);
            self.waiting.push(at);
        }
        for tbtt in &mut self.tbtts {
            *tbtt += interval;
            mac.schedule.add(*tbtt, Event::Beacon(0));
        }
    }

    /// Replaces the result of [`Contention::find_first`] by a beacon if that comes earlier.
    pub(crate) fn find_first(&self, now: Instant, contention: &mut Contention) {
        let rank = contention.edcaf_index.edcafs();
        let mut first = contention.first.map_or(Instant::MAX, |(at, _)| at);
        for at in &self.waiting {
            let medium = &mut contention.medium;
            // Signals that the station has not read can only make it later.
            let backoff = &medium.stations[*at as usize].backoffs[rank];
            let least = backoff.ends(&medium.rules.backoff, Instant::ZERO);
            if contention.turns[*at as usize].exchanging || least >= first {
                continue;
            }
            medium.listen(*at, now);
            let ends = medium.backoff_ends(*at, rank).max(now);
            if ends < first {
                (first, contention.first) = (ends, Some((ends, Contender::Beacon(*at))));
            }
        }
    }

    /// Sends the beacon of a station whose delay has ended.
    pub(crate) fn send(&mut self, now: Instant, at: u32, mac: &mut Mac) {
        mac.send_beacon(now, at);
        // Its own frame ends the reception of any other.
        mac.contention.medium.listen(at, now);
        self.finish(now, at, &mut mac.contention);
    }

    /// Handles the end of a beacon of an ad hoc network at all stations: those that have received it send none.
    pub(crate) fn received(
        &mut self,
        now: Instant,
        frame: &Transmission,
        number: u64,
        contention: &mut Contention,
    ) {
        let alone = contention.medium.is_alone(frame, number);
        for at in std::mem::take(&mut self.waiting) {
            if at != frame.from && contention.medium.receives_beacon(now, at, frame, number, alone) {
                self.finish(now, at, contention);
            } else {
                self.waiting.push(at);
            }
        }
    }

    /// Removes the beacon that a station has to send.
    fn finish(&mut self, now: Instant, at: u32, contention: &mut Contention) {
        self.waiting.retain(|other| *other != at);
        let rank = contention.edcaf_index.edcafs();
        let delay = contention.medium.backoff(at, rank);
        delay.contends = false;
        delay.clear();
        for f in contention.edcaf_index.edcafs_of(at) {
            let rules = contention.medium.rules.backoff;
            contention.backoff(f).resume(&rules, now);
            contention.update(now, f);
        }
    }
}

/// Suspends the backoffs of a station's frames.
fn suspend(contention: &mut Contention, now: Instant, at: u32) {
    let Contention { medium, edcaf_index, .. } = contention;
    let count = edcaf_index.edcafs();
    let station = &medium.stations[at as usize];
    if station.backoffs[..count].iter().any(|backoff| backoff.runs() || backoff.contends) {
        medium.listen(at, now);
    }
    medium.stations[at as usize].suspend(count, now, &medium.rules);
    for f in edcaf_index.edcafs_of(at) {
        contention.update(now, f);
    }
}
