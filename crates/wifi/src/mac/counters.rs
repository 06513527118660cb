//! Delivered and lost packets, counted by station and reported to the caller.

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
    /// Time during which at least one station was transmitting, up to `busy_until`.
    pub(crate) busy: Duration,
    busy_until: Instant,
}

impl Counters {
    pub(crate) fn new(config: &Config) -> Self {
        let categories = config.mac.access.edca.map_or(0, |edca| edca.each().len());
        let categories = vec![CategoryStats::default(); categories];
        let station = StationStats { categories, ..StationStats::default() };
        let stations = vec![station; config.sites.len()];
        Self { stations, busy: Duration::ZERO, busy_until: Instant::ZERO }
    }

    #[inline]
    pub(crate) fn of(&mut self, at: u32) -> &mut StationStats {
        &mut self.stations[at as usize]
    }

    /// Counts the airtime of a transmission.
    pub(crate) fn on_transmission(&mut self, frame: &Transmission) {
        self.of(frame.from).airtime += frame.ends - frame.begins;
        if frame.ends > self.busy_until {
            self.busy += frame.ends - frame.begins.max(self.busy_until);
            self.busy_until = frame.ends;
        }
    }

    /// Returns the counters of a station's access category; `None` without EDCA.
    #[inline]
    pub(crate) fn category(&mut self, at: u32, rank: usize) -> Option<&mut CategoryStats> {
        self.of(at).categories.get_mut(rank)
    }

    /// Counts a packet that leaves the network at this station, and delivers it.
    pub(crate) fn deliver(&mut self, at: u32, datagram: Datagram, out: &mut Outbox) {
        let stats = self.of(at);
        stats.delivered += 1;
        stats.delivered_bytes.0 += u64::from(datagram.packet.wire);
        out.delivered.push((Station(at), datagram.packet));
    }

    /// Records the access point with which a station is associated from now on; `None`: it is not associated.
    pub(crate) fn belongs(&mut self, now: Instant, at: u32, ap: Option<Station>, out: &mut Outbox) {
        self.of(at).access_point = ap;
        if let Some(associations) = &mut out.associations {
            associations.push(Association { at: now, station: Station(at), access_point: ap });
        }
    }

    /// Counts a packet that is lost at this station.
    pub(crate) fn lose(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        self.of(at).lost[cause as usize] += 1;
        out.lost.push((Station(at), datagram.packet, cause));
    }

    /// Counts a packet that was dropped from a queue: the queue was full, the packet's lifetime ended, or the queue
    /// discipline dropped it.
    pub(crate) fn lose_queued(&mut self, at: u32, datagram: Datagram, cause: DropCause, out: &mut Outbox) {
        if let Some(stats) = self.category(at, usize::from(datagram.priority)) {
            stats.lost_queue += 1;
        }
        self.lose(at, datagram, cause, out);
    }
}
