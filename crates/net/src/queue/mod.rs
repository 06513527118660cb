//! Queue disciplines: which packets a link takes in, drops and marks, and in which order it serves them.
//!
//! A discipline is handed packets and the time, and answers; it reaches no clock, event or link. `enqueue` and `dequeue` may
//! drop packets (the one that arrives, or others) and mark them: both are told through [`Decisions`]. Every packet taken
//! in comes out once: from `dequeue`, or as dropped; the tests of this folder hold all disciplines to it.
//!
//! Room counts the packet in transmission, as everywhere in ackclock; lengths that thresholds look at are of what waits.

pub mod backlog;
pub mod codel;
pub mod drop_tail;
pub mod fq_codel;
mod limit;
pub mod pie;
pub mod priority;
pub mod red;
pub mod token_bucket;
pub mod tx_ring;

#[cfg(test)]
mod tests;

use base::{DataRate, DropCause, Duration, Ecn, Instant, Packet, Rng};
use codel::CoDel;
use drop_tail::DropTail;
use fq_codel::FqCoDel;
use pie::Pie;
use priority::Priority;
use red::Red;
use settings::Kinds;
use std::ops::RangeInclusive;
use token_bucket::TokenBucket;
use tx_ring::TxRing;

pub(crate) use backlog::Fifo;
pub use backlog::{Backlog, Held};
pub use limit::Limit;

/// Bounds of a time that a queue has as a setting: more than nothing, an hour at most.
const TIMES: RangeInclusive<Duration> = Duration::from_ps(1)..=Duration::from_secs(3600);
/// Bounds of a packet's size, bytes: the largest is IPv4's.
const PACKETS: RangeInclusive<u32> = 1..=65_535;

/// What a discipline did to packets beside taking them in and handing them out.
#[derive(Clone, Debug, Default)]
pub struct Decisions {
    /// Dropped, and why.
    pub dropped: Vec<(Held, DropCause)>,
    /// Marked now: congestion experienced.
    pub marked: Vec<Packet>,
}

impl Decisions {
    /// Drops a packet.
    pub fn drop(&mut self, held: Held, cause: DropCause) {
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
pub(crate) trait Discipline {
    /// `packet` arrives.
    fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions);

    /// The transmitter is free: the packet to transmit next, where one waits and may go.
    fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Held>;

    /// What was handed out last has left the transmitter.
    fn sent(&mut self);

    /// Packets waiting, the one in transmission not counted.
    fn packets(&self) -> usize;

    /// Their bytes.
    fn bytes(&self) -> u64;

    /// After a `dequeue` without a packet: when a packet that waits may go. `None` where none waits.
    fn ready(&self) -> Option<Instant> {
        None
    }

    /// The link's rate is, or from now on will be, `rate`.
    fn set_rate(&mut self, _rate: DataRate) {}

    /// Gives up every packet that waits.
    fn drain(&mut self) -> Vec<Held>;

    /// Takes over a packet from the discipline before this one, whatever the room.
    fn adopt(&mut self, held: Held);
}

/// Declares the disciplines: what one is built from, and one at work.
macro_rules! disciplines {
    ($($(#[$doc:meta])* $kind:literal => $name:ident($config:ty, $state:ty),)+) => {
        /// A queue discipline and its settings.
        #[derive(Clone, PartialEq, Debug, Kinds)]
        #[settings(what = "queue")]
        pub enum Config {
            $($(#[$doc])* #[setting(name = $kind)] $name($config),)+
        }

        /// A queue discipline at work.
        #[derive(Clone, Debug)]
        pub enum Queue {
            $($(#[$doc])* $name(Box<$state>),)+
        }

        impl Queue {
            /// The discipline of `config`, empty, before a link of `rate`; random draws come from streams named after `name`.
            pub fn new(config: &Config, rate: DataRate, seed: u64, name: &str) -> Self {
                match config {
                    $(Config::$name(config) => {
                        Self::$name(Box::new(<$state>::new(config, &Site { rate, seed, name })))
                    })+
                }
            }

            /// `packet` arrives; what is dropped or marked is added to `out`.
            pub fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
                match self { $(Self::$name(queue) => queue.enqueue(now, packet, out),)+ }
            }

            /// The transmitter is free: the packet to transmit next, where one waits and may go.
            pub fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Held> {
                match self { $(Self::$name(queue) => queue.dequeue(now, out),)+ }
            }

            /// What was handed out last has left the transmitter.
            pub fn sent(&mut self) {
                match self { $(Self::$name(queue) => queue.sent(),)+ }
            }

            /// Packets waiting, the one in transmission not counted.
            pub fn packets(&self) -> usize {
                match self { $(Self::$name(queue) => queue.packets(),)+ }
            }

            /// Their bytes.
            pub fn bytes(&self) -> u64 {
                match self { $(Self::$name(queue) => queue.bytes(),)+ }
            }

            /// After a `dequeue` without a packet: when a packet that waits may go. `None` where none waits.
            pub fn ready(&self) -> Option<Instant> {
                match self { $(Self::$name(queue) => queue.ready(),)+ }
            }

            /// The link's rate changes.
            pub fn set_rate(&mut self, rate: DataRate) {
                match self { $(Self::$name(queue) => queue.set_rate(rate),)+ }
            }

            /// Gives up every packet that waits, in order of arrival.
            pub fn drain(&mut self) -> Vec<Held> {
                let mut held = match self { $(Self::$name(queue) => queue.drain(),)+ };
                held.sort_by_key(|held| held.arrived);
                held
            }

            /// Takes over a packet from the discipline before this one, whatever the room.
            pub fn adopt(&mut self, held: Held) {
                match self { $(Self::$name(queue) => queue.adopt(held),)+ }
            }
        }
    };
}

disciplines! {
    /// First in, first out; arrivals that find no room are dropped.
    "droptail" => DropTail(drop_tail::Config, DropTail),
    /// Random early detection (Floyd and Jacobson 1993): arrivals are dropped at random as the average length grows.
    "red" => Red(red::Config, Red),
    /// Controlled delay (RFC 8289): packets are dropped on their way out while all have waited too long.
    "codel" => CoDel(codel::Config, CoDel),
    /// A queue for each flow by turns, controlled delay in each (RFC 8290). An arrival beyond the room costs the longest queue its oldest packet.
    "fq-codel" => FqCoDel(fq_codel::Config, FqCoDel),
    /// Proportional integral controller, enhanced (RFC 8033): arrivals are dropped at random to hold a delay.
    "pie" => Pie(pie::Config, Pie),
    /// Another queue, served at no more than a rate with bursts.
    "token-bucket" => TokenBucket(token_bucket::Config, TokenBucket),
    /// A network device's own queue, first in, first out, below another queue that it takes packets from while it has room.
    "tx-ring" => TxRing(tx_ring::Config, TxRing),
    /// Bands by the class of flows, the first that has a packet served first.
    "priority" => Priority(priority::Config, Priority),
}

impl Default for Config {
    fn default() -> Self {
        Self::DropTail(drop_tail::Config::default())
    }
}

impl Queue {
    /// Where both are drop-tail queues: takes over the room of `config`. Whether it did.
    pub fn set_limit(&mut self, config: &Config) -> bool {
        match (self, config) {
            (Self::DropTail(queue), Config::DropTail(config)) => {
                queue.set_limit(config.limit);
                true
            }
            _ => false,
        }
    }
}

/// Where a queue stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
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
