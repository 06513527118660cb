//! Vegas: keeps a few segments in the bottleneck's queue (Brakmo and Peterson 1995).
//!
//! Once per round trip, with `base` the least round-trip time seen and `rtt` the mean of the last round:
//!
//! ```text
//! expected = outstanding / base        actual = sent in the round / rtt
//! diff     = (expected - actual) * base, to the nearest integer: segments queued
//! slow start:  every other round: diff > gamma: cwnd -= cwnd / 8, leave slow start; else grow up to ssthresh
//! avoidance:   diff < alpha: +1 per round trip;   diff > beta: -1;   else keep
//! ```
//!
//! A duplicate acknowledgment retransmits at once where the oldest segment is older than a fine-grained timeout; so do
//! the first two acknowledgments after a retransmission. A fast loss leaves 3/4 of the window (1/2 where the segment had
//! been sent again before), and only if the window has not been cut since that segment was sent.
//!
//! As in the implementation given to ns-2: no Limited Transmit, each fine-grained retransmission backs the coarse timer
//! off, a timeout leaves two segments. Three oversights of that implementation are parameters, which profile `ns2` sets:
//! `send_times`, `unsent`, `inflation`.
//!
//! With `rounds` "least" it is Linux's instead, with "smoothed" ns-3's: see `LeastRound`.
//!
//! Left out: the paper's pacing of slow start by spike suppression. Validated against ns-2 (docs/explanation/validation.md): Table 1 of
//! study abadin and random lists of drops packet for packet (but for the rounding of ns-2's clock), a single flow's window at every change.
//! Under random loss throughput is compared with a mean over seeds, as no single run can be.

mod config;
mod control;
mod least_round;

pub use config::{ALGORITHM, Config};
pub use control::Vegas;
