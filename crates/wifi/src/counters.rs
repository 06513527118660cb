//! What becomes of packets, counted by station and told to whoever runs the network.

use crate::config::Config;
use crate::routing::port::Datagram;
use crate::stats::{CategoryStats, StationStats};
use base::DropCause;
use radio::access::{Outbox, Station};

/// Counters of all stations.
#[derive(Clone, Debug)]
pub(crate) struct Counters {
    pub(crate) stations: Vec<StationStats>,
}

impl Counters {
    /// Those of a network in which nothing has happened.
    pub(crate) fn new(config: &Config) -> Self {
        let categories = config.mac.access.edca.map_or(0, |edca| edca.each().len());
        let categories = vec![CategoryStats::default(); categories];
        let station = StationStats { categories, ..StationStats::default() };
        Self { stations: vec![station; config.sites.len()] }
    }

    /// Those of a station.
    #[inline]
    pub(crate) fn of(&mut self, at: u32) -> &mut StationStats {
        &mut self.stations[at as usize]
    }

    /// Those of an access category of a station, if it has any.
    #[inline]
    pub(crate) fn category(&mut self, at: u32, rank: usize) -> Option<&mut CategoryStats> {
        self.of(at).categories.get_mut(rank)
    }

    /// A packet has arrived where it leaves the network.
    pub(crate) fn deliver(&mut self, at: u32, datagram: Datagram, out: &mut Outbox) {
        let stats = self.of(at);
        stats.delivered += 1;
        stats.delivered_bytes.0 += u64::from(datagram.packet.wire);
        out.delivered.push((Station(at), datagram.packet));
    }

    /// A packet is lost at a station.
    pub(crate) fn lose(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        self.of(at).lost[cause as usize] += 1;
        out.lost.push((Station(at), datagram.packet, cause));
    }

    /// A packet finds no room in a queue, has waited too long, or is dropped by the queue discipline.
    pub(crate) fn lose_queued(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        if let Some(stats) = self.category(at, datagram.category as usize) {
            stats.lost_queue += 1;
        }
        self.lose(at, datagram, cause, out);
    }
}
