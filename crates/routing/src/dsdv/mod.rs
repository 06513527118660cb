//! DSDV: destination-sequenced distance vector routing (Perkins and Bhagwat, SIGCOMM 1994).
//!
//! Every station periodically advertises to its neighbours the destinations that it reaches, each with the number of
//! hops and with a sequence number from the destination. The route with the newer number is taken; of routes with
//! equal numbers, the shorter. A station that sees a link break advertises an infinite distance with the next odd
//! number; only the destination issues even numbers. This keeps routes from looping.
//!
//! | parameter | default | source |
//! |---|---|---|
//! | `update_interval` | 15 s | ns-2 |
//! | `missed_updates` | 3 intervals without an update, after which a neighbour counts as gone | ns-2 |
//! | `trigger_gap` | 1 s at least between two updates | ours; the paper wants triggered updates to be rare |
//! | `settling` | 6 s: first value of the average time until the best route with a new number has come | ns-2 |
//! | `link_layer` | links break when the MAC gives up; not so in profile `ns2` | section 3; ns-2's `use_mac_` 0 |
//! | `buffer`, `buffer_time` | 64 packets, 30 s | ours |
//!
//! If a route comes with a new number and another distance, it is advertised only after twice the destination's
//! settling time, so that a better route that follows can be advertised instead. The settling time is a running
//! average with weight 1/8 (section 4.2).
//!
//! Left out: settling times per neighbour, and the paper's operation at layer 2 (messages run over UDP). Validated by
//! updates worked out by hand. In random networks with random losses, routes do not loop and all packets are
//! accounted for (`tests.rs`).

mod config;
mod message;
mod node;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use node::Dsdv;
