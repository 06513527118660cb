//! Vegas: keeps a few segments in the bottleneck's queue (Brakmo and Peterson 1995).
//!
//! Once per round trip, with `base` the least round-trip time so far and `rtt` the mean of the last round:
//!
//! ```text
//! expected = outstanding / base        actual = sent in the round / rtt
//! diff     = (expected - actual) * base, to the nearest integer: segments queued
//! slow start:  every other round: diff > gamma: cwnd -= cwnd / 8, leave slow start; else grow up to ssthresh
//! avoidance:   diff < alpha: +1 per round trip;   diff > beta: -1;   else no change
//! ```
//!
//! A duplicate acknowledgment triggers a retransmission at once if the oldest segment is older than a
//! fine-grained timeout; so do the first two acknowledgments after a retransmission. A loss detected by
//! acknowledgments multiplies the window by 3/4 (1/2 if the segment had already been retransmitted), but only
//! if the window has not been reduced since that segment was sent.
//!
//! As in the authors' implementation for ns-2, there is no Limited Transmit, each fine-grained retransmission
//! doubles the coarse timeout, and a timeout sets the window to two segments. Three oversights of that
//! implementation are parameters, which profile `ns2` sets: `send_times`, `unsent`, `inflation`.
//!
//! With `rounds` "least" the algorithm is that of TCP-Linux, with "linux" that of Linux 6.12, and with
//! "smoothed" ns-3's (`LeastRound`).
//!
//! Left out: the paper's spike suppression, which paces slow start. Validated against ns-2
//! (docs/explanation/validation.md): Table 1 of study abadin and random lists of drops packet by packet
//! (except for the rounding of ns-2's clock), and a single flow's window at every change. Under random loss,
//! throughput is compared with a mean over seeds, because single runs cannot be compared.

mod config;
mod control;
mod least_round;

pub use config::{ALGORITHM, Config};
pub use control::Vegas;
