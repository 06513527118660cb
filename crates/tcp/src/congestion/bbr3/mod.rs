//! BBR, version 3: a model of rate and round trip, bounded by losses (draft-ietf-ccwg-bbr).
//!
//! `max_bw` is the most delivered per second in this and the last probing cycle, `min_rtt` the least round trip of the
//! last 10 s. Losses bound the model. Long term: `inflight_hi` is the most in flight that did not lose more than 2 %.
//! Short term, until the next probe: `bw_lo` and `inflight_lo` are the amounts delivered in a round trip with losses,
//! or 0.7 of their former values.
//!
//! ```text
//! bw = min(max_bw, bw_lo)      pacing rate = 0.99 * pacing_gain * bw
//! cwnd = cwnd_gain * bw * min_rtt + extra_acked + 3 segments, within the bounds, at least 4
//!
//!               pacing  cwnd  lasts
//! startup       2.77    2     until the rate has not grown by a quarter for three round trips, or too much is lost
//! drain         0.5     2     until no more than bw * min_rtt is in flight
//! probe down    0.9     2     until that is so and inflight_hi has 15 % of headroom
//! probe cruise  1       2     until 2 to 3 s, or as many round trips as Reno would take, since the last probe; drawn
//! probe refill  1       2     a round trip
//! probe up      1.25    2.25  until a min_rtt has passed with 1.25 bw * min_rtt in flight, or more than 2 % is lost
//! probe-rtt     1       0.5   200 ms and a round trip, where the least round trip was not seen for 5 s
//! ```
//!
//! Left out: the point of a flight at which losses passed 2 %, which the draft finds. Here a segment counts as lost
//! when it is sent again, and the flight of the segment that an acknowledgment covers is judged as a whole. Also left
//! out: pacing in batches, and the undoing of spurious losses. Validated: order and length of its states on an unloaded
//! path, and losses of a short buffer, in `tests/it/bbr.rs`.

mod config;
mod control;
mod probing;

pub use config::{ALGORITHM, Config};
pub use control::Bbr3;
