//! CUBIC: the window is a cubic function of the time since the last loss (RFC 9438).
//!
//! In congestion avoidance, for each acknowledgment, with `t` the time since the epoch began (sections 4.2 to
//! 4.5):
//!
//! ```text
//! W_cubic(t) = C (t - K)^3 + W_max                  K = cbrt((W_max - cwnd_epoch) / C)
//! target     = W_cubic(t + RTT), at least cwnd, at most 1.5 cwnd
//! cwnd      += (target - cwnd) / cwnd
//!
//! W_est     += alpha segments_acked / cwnd          starts at cwnd_epoch; Reno's window
//! alpha      = 3 (1 - beta) / (1 + beta), and 1 once W_est >= cwnd_prior
//! W_cubic(t) < W_est: cwnd = W_est                  Reno-friendly region
//! ```
//!
//! On a loss or mark (4.6, 4.7): `cwnd_prior = cwnd`; `ssthresh = beta flight`, at least 2, and `cwnd =
//! ssthresh`, or 1 after a timeout. `W_max = cwnd`, or `cwnd (1 + beta) / 2` if cwnd was below the last W_max
//! (fast convergence). An epoch that follows a timeout, or precedes any loss, begins with `K = 0` and `W_max
//! = cwnd` (4.8, 4.10).
//!
//! While the window does not limit the sender, it does not grow, and `t` does not advance (4.2, 5.8). `RTT`
//! is the smoothed round-trip time.
//!
//! Left out: restoring W_max and the epoch after a spurious reduction (4.9); only the window is restored.
//! Validated: the window formula is followed within half a segment of up to 177 over 10 s (below). The form
//! `tcp-linux` has rules of its own (`linux.rs`); with it, every transmission is as in ns-2's TCP-Linux,
//! retransmissions included (docs/reference/controls/cubic.md).

mod config;
mod control;
mod linux;

pub use config::{ALGORITHM, Config};
pub use control::Cubic;
