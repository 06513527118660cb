//! OLSR: optimized link state routing (Clausen and Jacquet, RFC 3626).
//!
//! A station's HELLO lists its neighbours. From HELLOs each station learns which of its links are symmetric
//! and which stations are two hops away. It picks a few neighbours that together reach all stations two hops
//! away: its multipoint relays (MPR). A relay advertises the stations that picked it to the whole network, in
//! a TC (topology control) message. Of the neighbours that receive a TC from a station, only that station's
//! relays forward it. From the TCs every station computes shortest routes.
//!
//! | parameter | RFC (section 18) | meaning |
//! |---|---|---|
//! | `hello_interval` | 2 s | time between two HELLOs; a HELLO is valid for three intervals |
//! | `tc_interval` | 5 s | time between two TCs; a TC is valid for three intervals |
//! | `jitter` | a quarter of the hello interval | a message is sent up to this much early; a TC waits up to this long before it is forwarded |
//! | `link_layer` | optional (section 13) | a link is lost when the MAC gives up |
//! | `buffer`, `buffer_time` | 64 packets, 30 s: ours | most packets that wait for a route, and the longest wait |
//!
//! Routes can loop for a moment while stations have different views of the topology; the TTL ends the packets on such
//! a loop. Left out: several interfaces (MID), outside networks (HNA), link hysteresis, redundant topology and
//! relays, willingness other than the default. Validated: HELLOs and the choice of relays were worked out by hand. In
//! random networks, routes are as short as those of a breadth-first search, and all packets are accounted for
//! (`tests.rs`).

mod config;
mod message;
mod neighbourhood;
mod node;
#[cfg(test)]
mod tests;

pub use config::{Config, Jittered};
pub use node::Olsr;
