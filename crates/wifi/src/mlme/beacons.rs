//! Beacons of an access point, and of an ad hoc network: an IBSS, whose stations make them in turn (10.1.3.3).
//!
//! In an ad hoc network every station at each TBTT suspends the backoffs of what it has to send, draws a delay of 0 to 2 aCWmin slots and
//! counts it down as a backoff, after DIFS. Whose delay is over sends a beacon; who receives one before gives its own up. Then backoffs go
//! on; a packet that had none draws one.
//!
//! Several access points have a TBTT each, drawn within a beacon interval; that of a single one is zero.
//!
//! Left out: that stations begin apart and find each other by these beacons; the timing synchronization function, so that all have one
//! clock (its errors are below 4 us a beacon interval at 0.01 %); ATIM windows. A mesh has beacons of its own
//! ([`routing::hwmp`]). ns-2 and ns-3 have none in ad hoc networks, which is the default here.
//!
//! Validated (`tests/it/ibss.rs`): whose beacon goes when, what waits for it, and hidden stations, by hand to the microsecond.

use crate::mac::contention::{Contender, Contention};
use crate::mac::schedule::Event;
use crate::mac::state::Link;
use crate::phy::air::Transmission;
use base::{Duration, Instant, Rng};
use radio::access::Station;

/// The beacons of a network.
#[derive(Clone, Debug, Default)]
pub(crate) struct Beacons {
    /// When the next of each access point is due; in an ad hoc network there is one time.
    tbtts: Vec<Instant>,
    /// In an ad hoc network the stations that are about to send theirs.
    waiting: Vec<u32>,
}

impl Beacons {
    /// The first are due. Random streams are named after `name`.
    pub(crate) fn new(link: &mut Link, seed: u64, name: &str) -> Self {
        let mut beacons = Self::default();
        let Some(interval) = link.config.mac.bss.beacons.0 else { return beacons };
        let drawn = |Station(ap): Station| {
            let drawn = Rng::stream(seed, &format!("{name}.station.{ap}.beacons")).uniform();
            Instant::ZERO + Duration::from_us((drawn * interval.secs() * 1e6) as u64)
        };
        beacons.tbtts = match link.config.other_access_points.is_empty() {
            true => vec![Instant::ZERO],
            false => link.config.access_points().map(drawn).collect(),
        };
        for (which, tbtt) in (0..).zip(&beacons.tbtts) {
            link.schedule.add(*tbtt, Event::Beacon(which));
        }
        beacons
    }

    /// A beacon is due, of the access point of this number.
    pub(crate) fn due(&mut self, now: Instant, which: u32, link: &mut Link) {
        let Some(interval) = link.config.mac.bss.beacons.0 else { return };
        let ap = link.config.access_points().nth(which as usize);
        match ap {
            Some(ap) => self.send_from_access_point(now, (which, ap.0), interval, link),
            None => self.begin_contention(now, interval, link),
        }
    }

    /// An access point sends its beacon when the medium has been idle for PIFS; its backoff, if it has one, waits.
    fn send_from_access_point(
        &mut self,
        now: Instant,
        (which, ap): (u32, u32),
        interval: Duration,
        link: &mut Link,
    ) {
        let pifs = link.durations.pifs;
        let contention = &mut link.contention;
        contention.medium.listen(ap, now);
        let free = contention.medium.stations[ap as usize].idle() + pifs;
        if free > now || contention.turns[ap as usize].exchanging {
            return link.schedule.add(free.max(now + pifs), Event::Beacon(which));
        }
        let ends = link.send_beacon(now, ap);
        let tbtt = &mut self.tbtts[which as usize];
        *tbtt += interval;
        link.schedule.add(ends.max(*tbtt), Event::Beacon(which));
    }

    /// TBTT of an ad hoc network: every station has a beacon to send.
    fn begin_contention(&mut self, now: Instant, interval: Duration, link: &mut Link) {
        self.waiting.clear();
        let contention = &mut link.contention;
        let rank = contention.layout.functions();
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
            link.schedule.add(*tbtt, Event::Beacon(0));
        }
    }

    /// Whether a beacon goes before what [`Contention::find_first`] has found.
    pub(crate) fn find_first(&self, now: Instant, contention: &mut Contention) {
        let rank = contention.layout.functions();
        let mut first = contention.first.map_or(Instant::MAX, |(at, _)| at);
        for at in &self.waiting {
            let medium = &mut contention.medium;
            // Whatever the station has not read makes it later.
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

    /// A station's delay has ended: it sends its beacon.
    pub(crate) fn send(&mut self, now: Instant, at: u32, link: &mut Link) {
        link.send_beacon(now, at);
        // Its own frame ends whatever it was receiving.
        link.contention.medium.listen(at, now);
        self.finish(now, at, &mut link.contention);
    }

    /// A beacon of an ad hoc network has ended everywhere: who has received it sends none.
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

    /// A station has no beacon to send any more.
    fn finish(&mut self, now: Instant, at: u32, contention: &mut Contention) {
        self.waiting.retain(|other| *other != at);
        let rank = contention.layout.functions();
        let delay = contention.medium.backoff(at, rank);
        delay.contends = false;
        delay.clear();
        for f in contention.layout.functions_of(at) {
            let rules = contention.medium.rules.backoff;
            contention.backoff(f).resume(&rules, now);
            contention.update(now, f);
        }
    }
}

/// The backoffs of what a station has to send stand still.
fn suspend(contention: &mut Contention, now: Instant, at: u32) {
    let Contention { medium, layout, .. } = contention;
    let count = layout.functions();
    let station = &medium.stations[at as usize];
    if station.backoffs[..count].iter().any(|backoff| backoff.runs() || backoff.contends) {
        medium.listen(at, now);
    }
    medium.stations[at as usize].suspend(count, now, &medium.rules);
    for f in layout.functions_of(at) {
        contention.update(now, f);
    }
}
