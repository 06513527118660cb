//! Counters of links.

use crate::ps_sum::{PsSum, mean_s};
use crate::stats::LostStats;
use base::{DropCause, Instant};

/// Counters of one direction of a link, until the end of the run. 56 bytes; a test checks the size, because
/// every packet updates these counters on each link.
///
/// A FIFO link computes beginning and end of a transmission when the packet arrives; the part after the end
/// of the run is not counted.
///
/// Fields that each packet changes lie apart: the compiler would add to two neighbours with vector instructions, which
/// are more.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[repr(C)]
pub struct LinkStats {
    /// Packets whose transmission ended.
    pub sent_packets: u64,
    /// Largest number of packets in the queue at one time, including the packet in transmission. A packet that found a
    /// plain link idle does not raise it to 1; see [`LinkStats::queue_max_packets`].
    longest: u32,
    /// Size of `sent_packets`, bytes on the wire.
    pub sent_bytes: u64,
    rare: Option<Box<RareLinkStats>>,
    busy_ps: u64,
    waited: PsSum,
}

/// Counters of a link that few packets update.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct RareLinkStats {
    drops: LostStats,
    marked_packets: u64,
    duplicated_packets: u64,
    /// Packets whose transmission had begun but not ended at the end of the run.
    unfinished_packets: u64,
    /// Sum of the queueing times of packets whose transmission did not begin.
    unbegun: PsSum,
}

impl LinkStats {
    /// Counts a packet of `wire` bytes that joins the queue at `arrival` and is transmitted from `start` to
    /// `departure`. `length` is the number of packets in the queue, including this one and the one in
    /// transmission. The run ends at `end`.
    pub fn on_queued(
        &mut self,
        arrival: Instant,
        [start, departure]: [Instant; 2],
        wire: u32,
        length: u32,
        end: Instant,
    ) {
        self.on_length(length);
        self.on_admitted(arrival, [start, departure], wire, end);
    }

    /// Counts as [`LinkStats::on_queued`] does a packet on a link that computes departures in advance, but leaves the
    /// length of the queue out: the link itself knows its largest ([`LinkStats::on_length`]).
    #[inline(always)]
    pub fn on_admitted(
        &mut self,
        arrival: Instant,
        [start, departure]: [Instant; 2],
        wire: u32,
        end: Instant,
    ) {
        if departure > end {
            return self.on_cut(arrival, start, end);
        }
        self.sent_packets += 1;
        self.sent_bytes += u64::from(wire);
        self.busy_ps += (departure - start).ps();
        self.waited.add((start - arrival).ps());
    }

    /// Counts a packet whose transmission, which begins at `start`, does not end before the end of the run at
    /// `end`.
    #[cold]
    fn on_cut(&mut self, arrival: Instant, start: Instant, end: Instant) {
        let rare = self.rare.get_or_insert_default();
        if start <= end {
            rare.unfinished_packets += 1;
            self.busy_ps += end.since(start).ps();
            self.waited.add(start.since(arrival).ps());
        } else {
            rare.unbegun.add(end.since(arrival).ps());
        }
    }

    /// Counts the queueing time of a packet that joined the queue at `arrival` and was not transmitted by `end`,
    /// when the queue dropped it or the run ended.
    pub fn on_held(&mut self, arrival: Instant, end: Instant) {
        self.rare.get_or_insert_default().unbegun.add(end.since(arrival).ps());
    }

    /// Updates the largest queue length; `length` includes the packet in transmission.
    #[inline]
    pub fn on_length(&mut self, length: u32) {
        self.longest = self.longest.max(length);
    }

    /// Returns the largest number of packets in the queue at one time, including the packet in transmission.
    pub fn queue_max_packets(&self) -> u32 {
        // A packet that was sent was in the queue at least while it was transmitted.
        self.longest.max(u32::from(self.sent_packets > 0))
    }

    /// Counts a packet lost on this link.
    #[cold]
    pub fn on_drop(&mut self, cause: DropCause) {
        self.rare.get_or_insert_default().drops.add(cause);
    }

    /// Counts a packet that the queue marked (ECN).
    pub fn on_marked(&mut self) {
        self.rare.get_or_insert_default().marked_packets += 1;
    }

    /// Counts a copy that the wire made (duplication).
    pub fn on_duplicated(&mut self) {
        self.rare.get_or_insert_default().duplicated_packets += 1;
    }

    /// Returns the packets lost on this link.
    pub fn drops(&self) -> LostStats {
        self.rare.as_ref().map_or_else(LostStats::default, |rare| rare.drops.clone())
    }

    /// Returns the number of packets that the queue marked (ECN).
    pub fn marked_packets(&self) -> u64 {
        self.rare.as_ref().map_or(0, |rare| rare.marked_packets)
    }

    /// Returns the number of copies that the wire made (duplication).
    pub fn duplicated_packets(&self) -> u64 {
        self.rare.as_ref().map_or(0, |rare| rare.duplicated_packets)
    }

    /// Returns the share of the run, 0 to 1, during which the link transmitted; the run ended at `end`.
    pub fn utilisation(&self, end: Instant) -> f64 {
        if end == Instant::ZERO { 0.0 } else { self.busy_ps as f64 / end.ps() as f64 }
    }

    /// Returns the time average of the number of packets in the queue, including the packet in transmission;
    /// the run ended at `end`.
    pub fn queue_mean_packets(&self, end: Instant) -> f64 {
        // A packet is in the queue while it waits and while it is transmitted.
        let held_ps = self.waited.get()
            + u128::from(self.busy_ps)
            + self.rare.as_ref().map_or(0, |rare| rare.unbegun.get());
        if end == Instant::ZERO { 0.0 } else { held_ps as f64 / end.ps() as f64 }
    }

    /// Returns the mean time from joining the queue to the beginning of transmission, seconds; `None` if no
    /// transmission began.
    pub fn queue_delay_mean_s(&self) -> Option<f64> {
        mean_s(self.waited, self.sent_packets + self.rare.as_ref().map_or(0, |rare| rare.unfinished_packets))
    }
}
