//! OLSR: optimized link state routing (Clausen and Jacquet, RFC 3626).
//!
//! Stations send HELLOs that list their neighbours, so each learns which links are symmetric and which stations are two hops away.
//! Each picks few neighbours that reach all of those: its multipoint relays. They alone pass its messages on, and they
//! alone tell the whole network (TC) who picked them. From that everybody works out shortest routes.
//!
//! | parameter | RFC (section 18) | meaning |
//! |---|---|---|
//! | `hello_interval` | 2 s | time between two hellos; links are forgotten after three |
//! | `tc_interval` | 5 s | time between two topology messages; they hold for three |
//! | `jitter` | a quarter of the hello interval | messages go up to this much early, or wait up to this long before they are passed on |
//! | `link_layer` | optional (section 13) | a link is lost when the MAC gives up |
//! | `buffer`, `buffer_time` | 64 packets, 30 s: ours | packets that wait for a route |
//!
//! Ways can loop for a moment while stations disagree about the topology; the time to live ends such packets. Left out:
//! several interfaces (MID), outside networks (HNA), link hysteresis, redundant topology and relays, willingness other than the default.
//! Validated: hellos and the choice of relays by hand, routes as long as breadth-first search finds them in random networks, no
//! packet lost from the books (`tests.rs`).

mod config;
mod message;
mod neighbourhood;
mod node;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use node::Olsr;
