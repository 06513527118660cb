//! DSDV: destination-sequenced distance vector routing (Perkins and Bhagwat, SIGCOMM 1994).
//!
//! Every station tells its neighbours periodically which others it reaches in how many hops. A route carries the number that its
//! destination gave it: a newer number wins, of equal numbers the shorter way. A station that sees a link break says "infinitely
//! far" with the next odd number; only the destination gives even ones. So routes never loop.
//!
//! | parameter | default | source |
//! |---|---|---|
//! | `update_interval` | 15 s | ns-2 |
//! | `missed_updates` | 3: a neighbour silent for so many intervals is gone | ns-2 |
//! | `trigger_gap` | 1 s between updates out of turn | ours; the paper wants them rare |
//! | `settling` | 6 s: the first estimate of the time for which routes with a new number keep improving | ns-2 |
//! | `link_layer` | links break when the MAC gives up; in profile `ns2` not | section 3; ns-2's `use_mac_` 0 |
//! | `buffer`, `buffer_time` | 64 packets, 30 s | ours |
//!
//! A route with a new number but another distance is told to others only after twice the destination's settling time, so that a
//! better route that follows is told instead. The settling time is a running average with weight 1/8 (section 4.2).
//!
//! Left out: fluctuation tables per neighbour, the paper's operation at layer 2 (messages run over UDP). Validated: updates by hand, no
//! loops and no packet lost from the books in random networks with random losses (`tests.rs`).

mod config;
mod message;
mod node;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use node::Dsdv;
