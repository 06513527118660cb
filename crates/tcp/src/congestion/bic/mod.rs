//! BIC: binary search for the window at which the path loses packets (Xu, Harfoush and Rhee 2004).
//!
//! With max the window at the last loss:
//!
//! ```text
//! cwnd < max: target = cwnd + (max - cwnd) / search
//!             cwnd += min(target - cwnd, max_increment) / cwnd          binary search, or additive increase
//! cwnd >= max: cwnd += s / cwnd; s is 1, and doubles each time that cwnd has grown by s, up to max_increment    max probing
//! growth is at least min_increment per round trip, and equal to it within `near` segments of max
//! ACK-detected loss: max = cwnd; if the last loss was at a larger window, max = cwnd * (1 - decrease / 2) (fast convergence)
//!                    cwnd *= 1 - decrease
//! cwnd < low_window: growth and decrease as in Reno
//! ```
//!
//! The paper's target is half way to max (`search` 2). A loss in slow start and a timeout halve the window as
//! in Reno, because the paper describes congestion avoidance only; after a timeout max is at most the window
//! before the reduction. The window does not grow while it does not limit the sender (RFC 7661). The form
//! `tcp-linux` has rules of its own (`linux.rs`). Left out: the paper's limit on the first slow start. Max
//! probing replaces it only if ssthresh is set at the start.

mod config;
mod control;
mod linux;

pub use config::{ALGORITHM, Config};
pub use control::Bic;
