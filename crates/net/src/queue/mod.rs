//! Queue disciplines: they decide the packets that a link takes in, drops and marks, and the order in which it serves
//! them.
//!
//! A discipline is handed packets and the time, and answers; it reaches no clock, event or link. `enqueue` and `dequeue` may
//! drop packets (the one that arrives, or others) and mark them: both are told through [`Decisions`]. Every packet taken
//! in comes out once: from `dequeue`, or as dropped; the tests of this folder hold all disciplines to it.
//!
//! Room includes the packet in transmission, as everywhere in ackclock; lengths that are compared with thresholds do not.

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

/// Declares the disciplines: the configuration and the queue of each.
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
            /// Creates the discipline of `config`, empty, before a link of `rate`; its random streams are named after
            /// `name`.
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
    /// First in, first out; arrivals that find no room are dropped.
    "droptail" => DropTail(drop_tail::Config, DropTail),
    /// First in, first out; an arrival that finds no room costs the packet that has waited longest its place (Lakshman, Neidhardt and Ott 1996).
    "head-drop" => HeadDrop(head_drop::Config, HeadDrop),
    /// Random early detection (Floyd and Jacobson 1993): arrivals are dropped at random as the average length grows.
    "red" => Red(red::Config, Red),
    /// Controlled delay (RFC 8289): packets are dropped on their way out while all have waited too long.
    "codel" => CoDel(codel::Config, CoDel),
    /// A queue for each flow by turns, controlled delay in each (RFC 8290). An arrival beyond the room costs the longest queue its oldest packet.
    "fq-codel" => FqCoDel(fq_codel::Config, FqCoDel),
    /// Proportional integral controller, enhanced (RFC 8033): arrivals are dropped at random to hold a delay.
    "pie" => Pie(pie::Config, Pie),
    /// Another queue, served at no more than a rate with bursts.
    "token-bucket" => TokenBucket(token_bucket::Config<Config>, TokenBucket<Queue>),
    /// A network device's own queue, first in, first out, below another queue that it takes packets from while it has room.
    "tx-ring" => TxRing(tx_ring::Config<Config>, TxRing<Queue>),
    /// Bands by the class of flows, the first that has a packet served first.
    "priority" => Priority(priority::Config<Config>, Priority<Queue>),
}

impl Default for Config {
    fn default() -> Self {
        Self::DropTail(drop_tail::Config::default())
    }
}

impl Queue {
    /// Takes over the room of `config` if both are drop-tail queues; returns true if it did.
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
