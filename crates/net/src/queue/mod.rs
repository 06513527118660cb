//! Queue disciplines: they decide which packets a link queues, drops and marks, and in which order it sends
//! them.
//!
//! A discipline is given packets and the time; it has no access to clock, events or link. `enqueue` and
//! `dequeue` may drop packets (the arriving packet or others) and mark packets; both are reported through
//! [`Decisions`]. Every packet that was taken in comes out exactly once, from `dequeue` or as a drop. The
//! tests of this folder check this for all disciplines.
//!
//! The capacity of a queue includes the packet in transmission, as everywhere in ackclock. Queue lengths that
//! are compared with thresholds (RED, PIE) do not include it.

pub mod backlog;
pub mod codel;
mod discipline;
pub mod drop_tail;
pub mod fq_codel;
pub mod head_drop;
mod limit;
pub mod pie;
pub mod priority;
pub mod red;
pub mod token_bucket;
pub mod tx_ring;

#[cfg(test)]
mod tests;

use base::{DataRate, Instant, Packet, QueueVariable};
use codel::CoDel;
use drop_tail::DropTail;
use fq_codel::FqCoDel;
use head_drop::HeadDrop;
use pie::Pie;
use priority::Priority;
use red::Red;
use settings::Kinds;
use token_bucket::TokenBucket;
use tx_ring::TxRing;

pub use backlog::Backlog;
pub use discipline::{Decisions, Discipline, Queued};
use discipline::{Inner, Site};
pub use limit::{Limit, PRODUCTS};

/// Declares each discipline: its name in files, the type of its settings and the type of its state.
macro_rules! disciplines {
    ($($(#[$doc:meta])* $kind:literal => $name:ident($config:ty, $state:ty),)+) => {
        /// A queue discipline and its settings.
        #[derive(Clone, PartialEq, Debug, Kinds)]
        #[settings(what = "queue")]
        pub enum Config {
            $($(#[$doc])* #[setting(name = $kind)] $name($config),)+
        }

        /// A queue discipline with its state.
        #[derive(Clone, Debug)]
        pub enum Queue {
            $($(#[$doc])* $name(Box<$state>),)+
        }

        impl Queue {
            /// Creates the empty discipline of `config` for a link of `rate`. Its random streams are named
            /// after `name`.
            pub fn new(config: &Config, rate: DataRate, seed: u64, name: &str) -> Self {
                Self::build(config, &Site { rate, seed, name })
            }
        }

        impl Inner for Queue {
            type Config = Config;

            fn build(config: &Config, site: &Site<'_>) -> Self {
                match config {
                    $(Config::$name(config) => Self::$name(Box::new(<$state>::new(config, site))),)+
                }
            }
        }

        impl Discipline for Queue {
            fn enqueue(&mut self, now: Instant, packet: Packet, out: &mut Decisions) {
                match self { $(Self::$name(queue) => queue.enqueue(now, packet, out),)+ }
            }

            fn dequeue(&mut self, now: Instant, out: &mut Decisions) -> Option<Queued> {
                match self { $(Self::$name(queue) => queue.dequeue(now, out),)+ }
            }

            fn sent(&mut self) {
                match self { $(Self::$name(queue) => queue.sent(),)+ }
            }

            fn packets(&self) -> usize {
                match self { $(Self::$name(queue) => queue.packets(),)+ }
            }

            fn bytes(&self) -> u64 {
                match self { $(Self::$name(queue) => queue.bytes(),)+ }
            }

            fn is_full(&self, wire: u32) -> bool {
                match self { $(Self::$name(queue) => queue.is_full(wire),)+ }
            }

            fn ready(&self) -> Option<Instant> {
                match self { $(Self::$name(queue) => queue.ready(),)+ }
            }

            fn set_rate(&mut self, rate: DataRate) {
                match self { $(Self::$name(queue) => queue.set_rate(rate),)+ }
            }

            fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
                match self { $(Self::$name(queue) => queue.variables(see),)+ }
            }

            fn drain(&mut self) -> Vec<Queued> {
                let mut held = match self { $(Self::$name(queue) => queue.drain(),)+ };
                held.sort_by_key(|held| held.arrived);
                held
            }

            fn adopt(&mut self, held: Queued) {
                match self { $(Self::$name(queue) => queue.adopt(held),)+ }
            }
        }
    };
}

disciplines! {
    /// First in, first out; a packet that arrives at a full queue is dropped.
    "droptail" => DropTail(drop_tail::Config, DropTail),
    /// First in, first out; an arrival at a full queue pushes out the packet that has waited longest
    /// (Lakshman, Neidhardt and Ott 1996).
    "head-drop" => HeadDrop(head_drop::Config, HeadDrop),
    /// Random early detection (Floyd and Jacobson 1993): arrivals are dropped with a probability that grows
    /// with the average queue length.
    "red" => Red(red::Config, Red),
    /// Controlled delay (RFC 8289): packets are dropped on dequeue while the least sojourn time is above a
    /// target.
    "codel" => CoDel(codel::Config, CoDel),
    /// Flows hashed to queues, served by deficit round robin, with CoDel in each queue (RFC 8290). If all queues
    /// together exceed the limit, packets are dropped from the head of the queue with the most bytes.
    "fq-codel" => FqCoDel(fq_codel::Config, FqCoDel),
    /// Proportional integral controller, enhanced (RFC 8033): arrivals are dropped at random so that the
    /// queueing delay stays near a target.
    "pie" => Pie(pie::Config, Pie),
    /// Shaper: sends the packets of another queue at a rate of at most `rate`, with bursts of at most `burst`
    /// bytes.
    "token-bucket" => TokenBucket(token_bucket::Config<Config>, TokenBucket<Queue>),
    /// A network device's own FIFO queue below another queue, from which it takes packets while it is not
    /// full.
    "tx-ring" => TxRing(tx_ring::Config<Config>, TxRing<Queue>),
    /// Strict priority: a band for each class of flows; the first band that has a packet is served.
    "priority" => Priority(priority::Config<Config>, Priority<Queue>),
}

impl Default for Config {
    fn default() -> Self {
        Self::DropTail(drop_tail::Config::default())
    }
}

impl Queue {
    /// Takes over the limit of `config` if both are drop-tail queues; otherwise returns false.
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
