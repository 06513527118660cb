//! CUBIC: the window is a cubic function of the time since the last loss (RFC 9438).
//!
//! In congestion avoidance, for each segment acknowledged, with `t` the time since it began (sections 4.2 to 4.5):
//!
//! ```text
//! W_cubic(t) = C (t - K)^3 + W_max                  K = cbrt((W_max - cwnd_epoch) / C)
//! target     = W_cubic(t + RTT), at least cwnd, at most 1.5 cwnd
//! cwnd      += (target - cwnd) / cwnd
//!
//! W_est     += alpha / cwnd                         from cwnd_epoch; what Reno would have
//! alpha      = 3 (1 - beta) / (1 + beta), and 1 once W_est >= cwnd_prior
//! W_cubic(t) < W_est: cwnd = W_est                  Reno-friendly region
//! ```
//!
//! A loss or mark (4.6, 4.7): `cwnd_prior = cwnd`; `ssthresh = beta flight`, at least 2, and `cwnd = ssthresh` or, after a timeout, 1.
//! `W_max = cwnd`, or `cwnd (1 + beta) / 2` where it did not reach the last one (fast convergence). Congestion avoidance
//! without a loss before it, or after a timeout, begins with `K = 0` and `W_max = cwnd` (4.8, 4.10).
//!
//! A window that does not hold the sender back does not grow, and `t` stands still meanwhile (4.2, 5.8). `RTT` is the smoothed
//! round-trip time.
//!
//! Left out: undoing a spurious reduction (4.9). Validated: the window formula is followed within half a
//! segment of up to 177 over 10 s (below). The form `tcp-linux` has rules of its own (`linux.rs`): beside ns-2's TCP-Linux,
//! what is sent is equal, retransmissions too (docs/reference/controls/cubic.md).

mod config;
mod control;
mod linux;

pub use config::{ALGORITHM, Config};
pub use control::Cubic;
