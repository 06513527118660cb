//! The access point: who belongs to it, and its beacons.
//!
//! A station is associated from when it and the access point first have something for each other and are in reach, and stays so;
//! the frames of authentication and association are left out. Until then what is for it, or from it, is lost as out of range.

use crate::air::{EVERYBODY, Kind, Transmission};
use crate::exchange::Event;
use crate::network::Network;
use base::{Duration, Instant};

impl Network {
    /// Whether two neighbours, one of them the access point where there is one, may send each other packets.
    pub(crate) fn is_associated(&mut self, now: Instant, from: u32, to: u32) -> bool {
        let Some(ap) = self.config.access_point else { return true };
        let member = if from == ap.0 { to } else { from };
        if !self.stations[member as usize].associated {
            self.stations[member as usize].associated =
                self.reaches(now, ap.0, member) && self.reaches(now, member, ap.0);
        }
        self.stations[member as usize].associated
    }

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
        self.schedule(now + beacon.airtime, Event::Sent(number));
        self.tbtt += interval;
        self.schedule(self.tbtt.max(now + beacon.airtime), Event::Beacon);
    }
}
