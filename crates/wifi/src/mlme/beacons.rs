//! Beacons of an access point, and of an ad hoc network (IBSS), whose stations take turns (10.1.3.3).
//!
//! In an ad hoc network, at each TBTT every station suspends the backoffs of its frames, draws a delay of 0 to 2
//! aCWmin slots, and counts it down like a backoff, after DIFS. A station whose delay ends sends a beacon; a station
//! that receives a beacon before that cancels its own. Then the suspended backoffs go on. A packet that arrived
//! meanwhile draws a backoff.
//!
//! A single access point, or an ad hoc network, has its first TBTT at time 0. With several access points,
//! each has its own first TBTT, drawn within the first beacon interval.
//!
//! Left out: the search for an IBSS by its beacons (all stations belong to it from the start), the timing
//! synchronization function, and ATIM windows. All stations share one clock; with clocks of 0.01 % accuracy the
//! errors would be below 4 us a beacon interval. A mesh has beacons of its own ([`routing::hwmp`]). In ns-2 and ns-3
//! ad hoc networks have no beacons, which is also the default here.
//!
//! Validated (`tests/it/ibss.rs`) by timelines worked out by hand, to the microsecond: the times of beacons and of
//! the frames that wait for them, also with hidden stations.

use crate::mac::contention::{Contender, Contention};
use crate::mac::schedule::Event;
use crate::mac::state::Mac;
use crate::phy::air::Transmission;
use base::{Duration, Instant, Rng};
use radio::access::Station;

/// Beacons of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beacons {
    /// Next TBTT of each access point; in an ad hoc network a single entry.
    tbtts: Vec<Instant>,
    /// Ad hoc network: the stations that have a beacon to send since the last TBTT.
    waiting: Vec<u32>,
}

impl Beacons {
    /// Creates the state and schedules the first TBTTs. Random streams are named after `name`.
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

    /// Handles a TBTT; `which` is the index of the access point.
    pub(crate) fn due(&mut self, now: Instant, which: u32, mac: &mut Mac) {
        let Some(interval) = mac.config.mac.bss.beacons.0 else { return };
        let ap = mac.config.access_points().nth(which as usize);
        match ap {
            Some(ap) => self.send_from_access_point(now, (which, ap.0), interval, mac),
            None => self.begin_contention(now, interval, mac),
        }
    }

    /// Sends the beacon of an access point once the medium has been idle for PIFS, ahead of its data.
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

    /// Begins a TBTT of an ad hoc network: every station has a beacon to send and draws its delay.
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

    /// Replaces the result of [`Contention::find_first`] by a station's beacon if that comes earlier.
    #[inline]
    pub(crate) fn find_first(&self, now: Instant, contention: &mut Contention) {
        if !self.waiting.is_empty() {
            self.find_first_waiting(now, contention);
        }
    }

    fn find_first_waiting(&self, now: Instant, contention: &mut Contention) {
        let rank = contention.edcaf_index.edcafs();
        let mut first = contention.first.map_or(Instant::MAX, |(at, _)| at);
        for at in &self.waiting {
            let medium = &mut contention.medium;
            // Transmissions that the station has not read can only delay its beacon further.
            let backoff = &medium.stations[*at as usize].backoffs()[rank];
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
        // The station's own transmission ends any reception.
        mac.contention.medium.listen(at, now);
        self.finish(now, at, &mut mac.contention);
    }

    /// Handles the end of an ad hoc network's beacon at all stations: those that have received it cancel their own.
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

    /// Removes the beacon that a station has to send, and resumes the backoffs of its frames.
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

/// Suspends the backoffs of a station's EDCAFs.
fn suspend(contention: &mut Contention, now: Instant, at: u32) {
    let Contention { medium, edcaf_index, .. } = contention;
    let count = edcaf_index.edcafs();
    let station = &medium.stations[at as usize];
    if station.backoffs()[..count].iter().any(|backoff| backoff.runs() || backoff.contends) {
        medium.listen(at, now);
    }
    medium.stations[at as usize].suspend(count, now, &medium.rules);
    for f in edcaf_index.edcafs_of(at) {
        contention.update(now, f);
    }
}
