//! BIC: binary search for the window at which the path lost (Xu, Harfoush and Rhee 2004).
//!
//! With max the window at the last loss:
//!
//! ```text
//! cwnd < max: target = cwnd + (max - cwnd) / search
//!             cwnd += min(target - cwnd, max_increment) / cwnd          binary search, additive increase at most
//! cwnd >= max: cwnd += s / cwnd, s = 1, doubled each time that cwnd has grown by s, up to max_increment    max probing
//! growth is at least min_increment per round trip, and no more than that within `near` segments of max
//! fast loss: fast convergence, where the loss before came at a larger window: max = cwnd * (1 - decrease / 2), else max = cwnd
//!            cwnd *= 1 - decrease
//! while cwnd < low_window: Reno, in growth and cut
//! ```
//!
//! The paper's target lies half way (`search` 2). A loss in slow start and a timeout halve as in Reno: the paper speaks of
//! congestion avoidance; after a timeout max is not above what was reduced. A window that is not used does not grow
//! (RFC 7661). The form `tcp-linux` has rules of its own (`linux.rs`). Left out: the paper's limit on the very first slow start, which max probing replaces only where ssthresh is
//! set at the start.

mod config;
mod control;
mod linux;

pub use config::{ALGORITHM, Config};
pub use control::Bic;
