//! BBR, version 3: a model of delivery rate and round-trip time, with bounds set by losses
//! (draft-ietf-ccwg-bbr-06).
//!
//! `max_bw` is the largest delivery rate in this and the last probing cycle, `min_rtt` the least round-trip
//! time of the last 10 s. Losses set two kinds of bounds. Long-term: `inflight_longterm` is the largest amount
//! in flight of which at most 2 % were lost. Short-term, until the next probe: `bw_shortterm` and
//! `inflight_shortterm` are the delivery rate and the amount delivered in a round trip with losses, or 0.7 of
//! their former values if these are larger.
//!
//! ```text
//! bw = min(max_bw, bw_shortterm)      pacing rate = 0.99 * pacing_gain * bw
//! cwnd = max(cwnd_gain * bw * min_rtt + extra_acked, 3 quanta, 4 segments), within the bounds
//!
//!               pacing  cwnd  lasts
//! startup       2.77    2     until the rate has grown by less than a quarter in each of three round trips, or too much is lost
//! drain         0.5     2     until at most bw * min_rtt is in flight, or for three round trips
//! probe down    0.9     2     until at most bw * min_rtt is in flight, and 15 % less than inflight_longterm
//! probe cruise  1       2     until 2 to 3 s (drawn), or as many round trips as Reno would take, after the last probe
//! probe refill  1       2     a round trip
//! probe up      1.25    2.25  until the rate has not grown for three round trips, or more than 2 % is lost
//! probe-rtt     1       0.5   200 ms and a round trip, when the least round-trip time was not seen for 5 s
//! ```
//!
//! A probe that follows one with too many losses is precautionary: it ends as soon as `inflight_longterm` is in
//! flight. If it loses nothing, the next probe begins a round trip later. A loss recovery that proves spurious
//! is undone: the bounds are at least what they were before, and an interrupted startup or probe is resumed.
//!
//! Left out: ECN, which the draft leaves open; pacing in batches; the rule for connections without SACK, which
//! end startup with any loss. The draft saves the state for undo again in each round trip with losses; here it is
//! saved once, when the loss episode begins. Validated: the test cases of the draft's appendix
//! (`ackclock conform bbr3`), and losses with a short buffer, in `tests/it/bbr.rs`.

mod config;
mod control;
mod losses;
mod model;
mod phases;
mod probing;
mod state;
mod window;

pub use config::{ALGORITHM, Config};
pub use state::Bbr3;
