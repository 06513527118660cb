//! The access point's beacons.

use crate::air::{EVERYBODY, Kind, Transmission};
use crate::exchange::Event;
use crate::network::Network;
use base::{Duration, Instant};

impl Network {
    /// The access point sends its beacon when the medium has been idle for PIFS; its backoff, if it has one, waits.
    pub(crate) fn beacon(&mut self, now: Instant) {
        let (Some(ap), Some(interval)) = (self.config.access_point, self.config.mac.beacons) else { return };
        self.listen(ap.0, now);
        let station = &self.stations[ap.index()];
        let free = station.ear.idle() + self.frames.pifs;
        if free > now || station.exchanging {
            return self.schedule(free.max(now + self.frames.pifs), Event::Beacon);
        }
        let beacon = self.frames.beacon;
        self.stations[ap.index()].stats.control_sent += 1;
        let number = self.air_frame(Transmission {
            from: ap.0,
            to: EVERYBODY,
            kind: Kind::Beacon,
            begins: now,
            ends: now + beacon.airtime,
            reserves: Duration::ZERO,
            bytes: beacon.bytes,
            mode: beacon.mode,
            rate: 0,
            aggregates: 0,
            flow: None,
        });
        let ends = now + beacon.airtime;
        if self.hearing.beacons {
            let everywhere = ends + self.farthest(ap.0, now);
            self.schedule(everywhere, Event::Arrived(number));
        } else {
            self.schedule(ends, Event::Sent(number));
        }
        self.tbtt += interval;
        self.schedule(self.tbtt.max(ends), Event::Beacon);
    }
}
