//! Beacons of an ad hoc network: an IBSS, whose stations make them in turn (10.1.3.3).
//!
//! At each TBTT every station suspends the backoffs of what it has to send, draws a delay of 0 to 2 aCWmin slots and counts it down as a
//! backoff, after DIFS. Whose delay is over sends a beacon; who receives one before gives its own up. Then backoffs go on; a packet that
//! had none draws one.
//!
//! Left out: that stations begin apart and find each other by these beacons; the timing synchronization function, so that all have one
//! clock (its errors are below 4 us a beacon interval at 0.01 %); ATIM windows. A mesh has beacons of its own
//! ([`crate::routing::hwmp`]). ns-2 and ns-3 have none in ad hoc networks, which is the default here.
//!
//! Validated (`tests/ibss.rs`): whose beacon goes when, what waits for it, and hidden stations, by hand to the microsecond.

use crate::air::Transmission;
use crate::backoff::Backoff;
use crate::config::Mac;
use crate::edca::Access;
use crate::exchange::Event;
use crate::network::Network;
use base::{Duration, Instant, Rng};

/// Says of a contender that it is a station with a beacon, not a function.
pub(crate) const BEACON: u32 = 1 << 31;

/// The delay of a station's beacons, whose aCWmin is `cw_min`.
pub(crate) fn delay(mac: &Mac, cw_min: u32, rng: Rng) -> Backoff {
    let window = 2 * cw_min;
    let access = Access { aifsn: 2, cw_min: window, cw_max: window, txop: Duration::ZERO };
    let mut backoff = Backoff::new(&access, mac, rng);
    backoff.redraws = false;
    backoff
}

impl Network {
    /// The rank of a station's beacon among its backoffs: behind those of its functions.
    fn beacon_rank(&self) -> usize {
        self.ranks as usize + 1
    }

    /// TBTT: every station has a beacon to send.
    pub(crate) fn begin_beacons(&mut self, now: Instant) {
        let Some(interval) = self.config.mac.beacons else { return };
        self.with_beacon.clear();
        let rank = self.beacon_rank();
        for at in 0..self.stations.len() as u32 {
            self.suspend(now, at);
            let delay = &mut self.stations[at as usize].ear.backoffs[rank];
            delay.draw(&self.hearing.backoff);
            (delay.contends, delay.hold) = (true, now);
            self.with_beacon.push(at);
        }
        self.tbtt += interval;
        self.schedule(self.tbtt, Event::Beacon);
    }

    /// Whether a beacon goes before what [`Network::elect`] has found.
    pub(crate) fn elect_beacon(&mut self, now: Instant) {
        let rank = self.beacon_rank();
        let mut first = self.first.map_or(Instant::MAX, |(at, _)| at);
        for k in 0..self.with_beacon.len() {
            let at = self.with_beacon[k];
            let station = &self.stations[at as usize];
            // Whatever the station has not read makes it later.
            let least = station.ear.backoffs[rank].ends(&self.hearing.backoff, Instant::ZERO);
            if station.exchanging || least >= first {
                continue;
            }
            self.listen(at, now);
            let fires = self.stations[at as usize].ear.fires(rank, &self.hearing).max(now);
            if fires < first {
                (first, self.first) = (fires, Some((fires, BEACON | at)));
            }
        }
    }

    /// A station's delay has ended: it sends its beacon.
    pub(crate) fn send_beacon(&mut self, now: Instant, at: u32) {
        self.put_beacon(now, at);
        // Its own frame ends whatever it was receiving.
        self.listen(at, now);
        self.finish_beacon(now, at);
    }

    /// A beacon has ended everywhere: who has received it sends none.
    pub(crate) fn give_beacons_up(&mut self, now: Instant, frame: &Transmission, number: u64, alone: bool) {
        for at in std::mem::take(&mut self.with_beacon) {
            if at != frame.from && self.hears_beacon(now, at, frame, number, alone) {
                self.finish_beacon(now, at);
            } else {
                self.with_beacon.push(at);
            }
        }
    }

    /// A station has no beacon to send any more.
    fn finish_beacon(&mut self, now: Instant, at: u32) {
        let rank = self.beacon_rank();
        self.with_beacon.retain(|other| *other != at);
        let delay = &mut self.stations[at as usize].ear.backoffs[rank];
        delay.contends = false;
        delay.clear();
        for f in self.functions_of(at) {
            let rank = self.rank(f);
            self.stations[at as usize].ear.backoffs[rank].resume(&self.hearing.backoff, now);
            self.reckon(now, f);
        }
    }

    /// The backoffs of what a station has to send stand still.
    fn suspend(&mut self, now: Instant, at: u32) {
        let count = self.ranks as usize + 1;
        if self.stations[at as usize].ear.backoffs[..count].iter().any(|b| b.runs() || b.contends) {
            self.listen(at, now);
        }
        self.stations[at as usize].ear.suspend(count, now, &self.hearing);
        for f in self.functions_of(at) {
            self.reckon(now, f);
        }
    }
}
