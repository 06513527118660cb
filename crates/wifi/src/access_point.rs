//! The access point's beacons; for those of an ad hoc network see [`crate::ibss`].

use crate::air::{EVERYBODY, Kind, Transmission};
use crate::exchange::Event;
use crate::network::Network;
use base::{Duration, Instant};

impl Network {
    /// The access point sends its beacon when the medium has been idle for PIFS; its backoff, if it has one, waits.
    pub(crate) fn beacon(&mut self, now: Instant) {
        let Some(ap) = self.config.access_point else { return self.begin_beacons(now) };
        let Some(interval) = self.config.mac.beacons else { return };
        self.listen(ap.0, now);
        let station = &self.stations[ap.index()];
        let free = station.ear.idle() + self.frames.pifs;
        if free > now || station.exchanging {
            return self.schedule(free.max(now + self.frames.pifs), Event::Beacon);
        }
        let ends = self.put_beacon(now, ap.0);
        self.tbtt += interval;
        self.schedule(self.tbtt.max(ends), Event::Beacon);
    }

    /// A beacon goes on the air; when it ends.
    pub(crate) fn put_beacon(&mut self, now: Instant, at: u32) -> Instant {
        let beacon = self.frames.beacon;
        let ends = now + beacon.airtime;
        self.stations[at as usize].stats.control_sent += 1;
        let number = self.air_frame(Transmission {
            from: at,
            to: EVERYBODY,
            kind: Kind::Beacon,
            begins: now,
            ends,
            reserves: Duration::ZERO,
            bytes: beacon.bytes,
            mode: beacon.mode,
            rate: 0,
            aggregates: 0,
            flow: None,
        });
        if self.hearing.beacons {
            let everywhere = ends + self.farthest(at, now);
            self.schedule(everywhere, Event::Arrived(number));
        } else {
            self.schedule(ends, Event::Sent(number));
        }
        ends
    }
}
