//! The interface of queue disciplines: packets go in, decisions and packets come out; and the site of a queue.

use base::{DataRate, DropCause, Duration, Ecn, Instant, Packet, QueueVariable, Rng};
use settings::Setting;
use std::ops::RangeInclusive;

/// Bounds of a time that a queue has as a setting: above 0, at most one hour.
pub(super) const TIMES: RangeInclusive<Duration> = Duration::from_ps(1)..=Duration::from_secs(3600);
/// Bounds of a packet's size, bytes: the largest is IPv4's.
pub(super) const PACKETS: RangeInclusive<u32> = 1..=65_535;

/// A waiting packet with its arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queued {
    /// When it joined the queue.
    pub arrived: Instant,
    /// The packet.
    pub packet: Packet,
}

/// The drops and marks of a discipline.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Dropped packets with the causes.
    pub dropped: Vec<(Queued, DropCause)>,
    /// Packets marked now (congestion experienced).
    pub marked: Vec<Packet>,
}

impl Decisions {
    /// Drops a packet.
    pub fn drop(&mut self, held: Queued, cause: DropCause) {
        self.dropped.push((held, cause));
    }

    /// Marks `packet` instead of dropping it, if its flow can use ECN and the discipline does; returns true if it did.
    pub fn mark(&mut self, ecn: bool, packet: &mut Packet) -> bool {
        let can = ecn && packet.ecn.is_capable();
        // A packet marked by an earlier queue stays marked: there is nothing new to report.
        if can && packet.ecn != Ecn::Ce {
            packet.ecn = Ecn::Ce;
            self.marked.push(*packet);
        }
        can
    }
}

/// The interface of every discipline.
pub trait Discipline {
    /// Takes in `packet`, which arrives now, or drops it.
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions);

    /// Returns the packet to transmit next, since the transmitter is free, if one waits and may go.
    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued>;

    /// Notes that the packet handed out last has left the transmitter.
    fn sent(&mut self);

    /// Returns the number of packets waiting, without the one in transmission.
    fn packets(&self) -> usize;

    /// Returns their bytes.
    fn bytes(&self) -> u64;

    /// Returns true if a packet of `wire` bytes would be dropped for want of room; false if more than the room decides.
    fn is_full(&self, _wire: u32) -> bool {
        false
    }

    /// Returns the time at which a waiting packet may go, after a `dequeue` without a packet. `None` if none waits.
    fn ready(&self) -> Option<Instant> {
        None
    }

    /// Notes the link's rate, now or from now on.
    fn set_rate(&mut self, _rate: DataRate) {}

    /// Tells its variables to `see`; a queue within another tells its own.
    fn variables(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// Removes and returns every waiting packet, in order of arrival.
    fn drain(&mut self) -> Vec<Queued>;

    /// Takes over a packet from the discipline before this one, whatever the room.
    fn adopt(&mut self, held: Queued);
}

/// A discipline that can stand within another.
pub trait Inner: Discipline + Sized {
    /// Its configuration.
    type Config: Clone + PartialEq + std::fmt::Debug + Default + Setting;

    /// Creates the discipline of `config`, empty, at `site`.
    fn build(config: &Self::Config, site: &Site<'_>) -> Self;
}

/// The site of a queue: its link, seed and name.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Rate of the link behind it.
    pub rate: DataRate,
    /// Seed of the run.
    pub seed: u64,
    /// Its name; its random streams are named after it.
    pub name: &'a str,
}

impl Site<'_> {
    /// Returns the random stream of the queue.
    pub fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.name)
    }
}
