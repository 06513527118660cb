//! What every queue discipline is: the packets it is handed, what it answers, and where it stands.

use base::{DataRate, DropCause, Duration, Ecn, Instant, Packet, QueueVariable, Rng};
use settings::Setting;
use std::ops::RangeInclusive;

/// Bounds of a time that a queue has as a setting: more than nothing, an hour at most.
pub(super) const TIMES: RangeInclusive<Duration> = Duration::from_ps(1)..=Duration::from_secs(3600);
/// Bounds of a packet's size, bytes: the largest is IPv4's.
pub(super) const PACKETS: RangeInclusive<u32> = 1..=65_535;

/// A packet that waits, and when it arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queued {
    /// When it joined the queue.
    pub arrived: Instant,
    /// The packet.
    pub packet: Packet,
}

/// What a discipline did to packets beside taking them in and handing them out.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Dropped, and why.
    pub dropped: Vec<(Queued, DropCause)>,
    /// Marked now: congestion experienced.
    pub marked: Vec<Packet>,
}

impl Decisions {
    /// Drops a packet.
    pub fn drop(&mut self, held: Queued, cause: DropCause) {
        self.dropped.push((held, cause));
    }

    /// Marks `packet` in place of a drop where its flow can do ECN and the discipline does; whether it did.
    pub fn mark(&mut self, ecn: bool, packet: &mut Packet) -> bool {
        let can = ecn && packet.ecn.is_capable();
        // A packet marked by an earlier queue stays marked: nothing new is said.
        if can && packet.ecn != Ecn::Ce {
            packet.ecn = Ecn::Ce;
            self.marked.push(*packet);
        }
        can
    }
}

/// What every discipline does.
pub trait Discipline {
    /// `packet` arrives.
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions);

    /// The transmitter is free: the packet to transmit next, where one waits and may go.
    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued>;

    /// What was handed out last has left the transmitter.
    fn sent(&mut self);

    /// Packets waiting, the one in transmission not counted.
    fn packets(&self) -> usize;

    /// Their bytes.
    fn bytes(&self) -> u64;

    /// True if a packet of `wire` bytes would be dropped for want of room; false where that depends on more than the room.
    fn is_full(&self, _wire: u32) -> bool {
        false
    }

    /// After a `dequeue` without a packet: when a packet that waits may go. `None` where none waits.
    fn ready(&self) -> Option<Instant> {
        None
    }

    /// The link's rate is, or from now on will be, `rate`.
    fn set_rate(&mut self, _rate: DataRate) {}

    /// Tells its variables to `see`; a queue within another tells its own.
    fn variables(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// Gives up every packet that waits, in order of arrival.
    fn drain(&mut self) -> Vec<Queued>;

    /// Takes over a packet from the discipline before this one, whatever the room.
    fn adopt(&mut self, held: Queued);
}

/// A discipline that can stand within another.
pub trait Inner: Discipline + Sized {
    /// What it is built from.
    type Config: Clone + PartialEq + std::fmt::Debug + Default + Setting;

    /// The discipline of `config`, empty, at `site`.
    fn build(config: &Self::Config, site: &Site<'_>) -> Self;
}

/// Where a queue stands.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Rate of the link behind it.
    pub rate: DataRate,
    /// Seed of the run.
    pub seed: u64,
    /// Its name, which its streams are named after.
    pub name: &'a str,
}

impl Site<'_> {
    /// The stream that the queue draws from.
    pub fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.name)
    }
}
