//! Westwood: after a loss the window is what the acknowledgments show the path to carry (Mascolo, Casetti, Gerla, Sanadidi
//! and Wang 2001).
//!
//! Acknowledgment `k`, `d` segments after a time `gap` since the one before, is a sample of the bandwidth; a low-pass
//! filter, discretised by Tustin's rule, smooths them (sections 2.1 and 2.2 of the paper):
//!
//! ```text
//! b[k]   = d / gap
//! BWE[k] = a BWE[k-1] + (1 - a) (b[k] + b[k-1]) / 2        a = (2 tau - gap) / (2 tau + gap)
//! ```
//!
//! A silence of `tau / m` is a sample of zero. A duplicate acknowledgment counts one segment, which is taken off the
//! cumulative acknowledgment that follows (section 2.3, `AckedCount`). `RTTmin` is the least round-trip time seen.
//!
//! ```text
//! acknowledgments   as Reno
//! fast loss, mark   ssthresh = BWE RTTmin    cwnd = min(cwnd, ssthresh)
//! timeout           ssthresh = BWE RTTmin    cwnd = 1
//! ```
//!
//! ssthresh is at least 2. The paper leaves open where the filter begins. Here nothing counts that was not seen: it begins at
//! zero with the second acknowledgment, and its value is divided by the weight that its samples have so far, which nears 1
//! within a few `tau`. (Otherwise the loss that ends slow start, often within the first `tau`, would find half of the bandwidth or
//! less.) Until there are a round trip and a sample, a loss is answered as by Reno. A fast loss that leaves the window as
//! it is counts as taken for random.
//!
//! The form `tcp-linux`, ns-2's TCP-Linux module of this name, is another algorithm (`linux.rs`): ssthresh never comes from its estimate.
//! Left out: nothing of the paper. Validated: hand-worked samples; a steady stream's rate within
//! 0.01 % (below); 20.00 segments found on a path of 20 (docs/reference/controls/westwood.md).

mod config;
mod control;
mod estimate;
mod linux;

pub(super) use config::PARAMETERS;
pub use config::{ALGORITHM, Config};
pub use control::Westwood;
pub(super) use estimate::{AckedCount, Estimate};
