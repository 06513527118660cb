//! The interface of queue disciplines: packets go in, packets and decisions (drops, marks) come out.

use base::{DataRate, DropCause, Duration, Ecn, Instant, Packet, QueueVariable, Rng};
use settings::Setting;
use std::ops::RangeInclusive;

/// Bounds of the settings of queues that are times: from 1 us to one hour.
pub(super) const TIMES: RangeInclusive<Duration> = Duration::from_us(1)..=Duration::from_secs(3600);
/// Bounds of a packet's size, bytes; the largest size is that of IPv4.
pub(super) const PACKETS: RangeInclusive<u32> = 1..=65_535;

/// A waiting packet with its arrival.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queued {
    /// Time at which the packet joined the queue.
    pub arrived: Instant,
    /// The packet.
    pub packet: Packet,
}

/// Packets that a discipline has dropped or marked, since the owner last emptied the lists.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Dropped packets, each with the cause.
    pub dropped: Vec<(Queued, DropCause)>,
    /// Packets that were marked Congestion Experienced (CE).
    pub marked: Vec<Packet>,
}

impl Decisions {
    /// Records that the packet was dropped for `cause`.
    pub fn drop(&mut self, held: Queued, cause: DropCause) {
        self.dropped.push((held, cause));
    }

    /// Marks `packet` CE instead of dropping it, if `ecn` is set and the packet is ECN-capable; otherwise
    /// returns false.
    pub fn mark(&mut self, ecn: bool, packet: &mut Packet) -> bool {
        let can = ecn && packet.ecn.is_capable();
        // A packet that an earlier queue has marked stays marked and is not reported again.
        if can && packet.ecn != Ecn::Ce {
            packet.ecn = Ecn::Ce;
            self.marked.push(*packet);
        }
        can
    }
}

/// Interface of a queue discipline.
pub trait Discipline {
    /// Takes in or drops `packet`, which arrives at `now`.
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions);

    /// Returns the packet to transmit at `now`. `None` if no packet waits, or none may be sent yet. The
    /// caller's transmitter is idle.
    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued>;

    /// Ends the transmission of the packet that was dequeued last.
    fn sent(&mut self);

    /// Returns the number of packets waiting, without the one in transmission.
    fn packets(&self) -> usize;

    /// Returns the bytes of the waiting packets.
    fn bytes(&self) -> u64;

    /// Returns true if a packet of `wire` bytes would exceed the limit now. Disciplines with several queues,
    /// or with an inner queue, always return false.
    fn is_full(&self, _wire: u32) -> bool {
        false
    }

    /// Returns the time at which a waiting packet may be sent, after `dequeue` has returned `None`; `None` if
    /// no packet waits.
    fn ready(&self) -> Option<Instant> {
        None
    }

    /// Sets the rate of the link, on which the decisions of some disciplines depend.
    fn set_rate(&mut self, _rate: DataRate) {}

    /// Calls `_see` with each observable variable of the discipline; an outer discipline includes those of
    /// its inner queue.
    fn variables(&self, _see: &mut dyn FnMut(QueueVariable, f64)) {}

    /// Removes and returns every waiting packet; `Queue` sorts them by arrival.
    fn drain(&mut self) -> Vec<Queued>;

    /// Takes over a waiting packet from the discipline that this one replaces, even above the limit.
    fn adopt(&mut self, held: Queued);
}

/// A discipline that can be the inner queue of another discipline.
pub trait Inner: Discipline + Sized {
    /// Settings of the discipline.
    type Config: Clone + PartialEq + std::fmt::Debug + Default + Setting;

    /// Creates the empty discipline of `config` at `site`.
    fn build(config: &Self::Config, site: &Site<'_>) -> Self;
}

/// Position of a queue in the network: the rate of its link, and the origin of its random stream.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// Rate of the link that the queue feeds.
    pub rate: DataRate,
    /// Seed of the run.
    pub seed: u64,
    /// Name of the queue, unique in the run; its random streams are named after it.
    pub name: &'a str,
}

impl Site<'_> {
    /// Returns the random stream of the queue.
    pub fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.name)
    }
}
