//! BBR, version 3: a model of delivery rate and round-trip time, with bounds set by losses
//! (draft-ietf-ccwg-bbr).
//!
//! `max_bw` is the largest delivery rate in this and the last probing cycle, `min_rtt` the least round-trip
//! time of the last 10 s. Losses set two kinds of bounds. Long-term: `inflight_hi` is the largest amount in
//! flight of which at most 2 % were lost. Short-term, until the next probe: `bw_lo` and `inflight_lo` are the
//! delivery rate and the amount delivered in a round trip with losses, or 0.7 of their former values if these
//! are larger.
//!
//! ```text
//! bw = min(max_bw, bw_lo)      pacing rate = 0.99 * pacing_gain * bw
//! cwnd = cwnd_gain * bw * min_rtt + extra_acked + 3 segments, within the bounds, at least 4
//!
//!               pacing  cwnd  lasts
//! startup       2.77    2     until the rate has grown by less than a quarter in each of three round trips, or too much is lost
//! drain         0.5     2     until at most bw * min_rtt is in flight
//! probe down    0.9     2     until at most bw * min_rtt is in flight, and 15 % less than inflight_hi
//! probe cruise  1       2     until 2 to 3 s (drawn), or as many round trips as Reno would take, after the last probe
//! probe refill  1       2     a round trip
//! probe up      1.25    2.25  until min_rtt has passed with 1.25 bw * min_rtt in flight, or more than 2 % is lost
//! probe-rtt     1       0.5   200 ms and a round trip, when the least round-trip time was not seen for 5 s
//! ```
//!
//! Left out: finding the point of a flight at which losses exceeded 2 %, which the draft does. Here a segment
//! counts as lost when it is retransmitted, and the loss rate is that of the whole flight of the acknowledged
//! segment. Also left out: pacing in batches, and undoing spurious losses. Validated: order and length of the
//! states on an unloaded path, and losses with a short buffer, in `tests/it/bbr.rs`.

mod config;
mod control;
mod probing;

pub use config::{ALGORITHM, Config};
pub use control::Bbr3;
