//! Deliveries and losses of packets, counted by station and reported to the caller.

use crate::config::Config;
use crate::phy::air::Transmission;
use crate::stats::{CategoryStats, StationStats};
use base::{DropCause, Duration, Instant};
use radio::access::{Association, Outbox, Station};
use routing::Datagram;

/// Counters of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    pub(crate) stations: Vec<StationStats>,
    /// Time during which at least one station transmitted, up to `busy_until`.
    pub(crate) busy: Duration,
    busy_until: Instant,
}

impl Counters {
    /// Creates the counters of a network.
    pub(crate) fn new(config: &Config) -> Self {
        let categories = config.mac.access.edca.map_or(0, |edca| edca.each().len());
        let categories = vec![CategoryStats::default(); categories];
        let station = StationStats { categories, ..StationStats::default() };
        let stations = vec![station; config.sites.len()];
        Self { stations, busy: Duration::ZERO, busy_until: Instant::ZERO }
    }

    /// Returns the counters of a station.
    #[inline]
    pub(crate) fn of(&mut self, at: u32) -> &mut StationStats {
        &mut self.stations[at as usize]
    }

    /// Counts a transmission.
    pub(crate) fn on_transmission(&mut self, frame: &Transmission) {
        self.of(frame.from).airtime += frame.ends - frame.begins;
        if frame.ends > self.busy_until {
            self.busy += frame.ends - frame.begins.max(self.busy_until);
            self.busy_until = frame.ends;
        }
    }

    /// Returns the counters of an access category of a station, if it has any.
    #[inline]
    pub(crate) fn category(&mut self, at: u32, rank: usize) -> Option<&mut CategoryStats> {
        self.of(at).categories.get_mut(rank)
    }

    /// Counts a packet that has arrived at the station at which it leaves the network.
    pub(crate) fn deliver(&mut self, at: u32, datagram: Datagram, out: &mut Outbox) {
        let stats = self.of(at);
        stats.delivered += 1;
        stats.delivered_bytes.0 += u64::from(datagram.packet.wire);
        out.delivered.push((Station(at), datagram.packet));
    }

    /// Notes the access point that a station belongs to from now on, if any.
    pub(crate) fn belongs(&mut self, now: Instant, at: u32, ap: Option<Station>, out: &mut Outbox) {
        self.of(at).access_point = ap;
        if let Some(associations) = &mut out.associations {
            associations.push(Association { at: now, station: Station(at), access_point: ap });
        }
    }

    /// Counts a packet lost at a station.
    pub(crate) fn lose(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        self.of(at).lost[cause as usize] += 1;
        out.lost.push((Station(at), datagram.packet, cause));
    }

    /// Counts a packet that finds no room in a queue, has waited too long, or is dropped by the queue discipline.
    pub(crate) fn lose_queued(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        if let Some(stats) = self.category(at, usize::from(datagram.priority)) {
            stats.lost_queue += 1;
        }
        self.lose(at, datagram, cause, out);
    }
}
