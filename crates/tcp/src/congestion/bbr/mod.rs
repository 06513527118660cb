//! BBR, version 1: sends at the delivery rate of the path, with about two bandwidth-delay products in flight
//! (Cardwell, Cheng, Gunn, Yeganeh and Jacobson 2016; draft-cardwell-iccrg-bbr-congestion-control-00).
//!
//! `BtlBw` is the largest delivery rate of the last 10 round trips, `RTprop` the least round-trip time of the
//! last 10 s, and `BDP = BtlBw * RTprop`:
//!
//! ```text
//! pacing rate = pacing_gain * BtlBw          cwnd = cwnd_gain * BDP + 3 quanta, at least 4 segments
//! startup    gains 2/ln 2, 2/ln 2   until BtlBw has grown by less than a quarter in each of three round trips
//! drain      gains ln 2/2, 2/ln 2   until at most BDP is in flight
//! probe-bw   pacing gains 5/4, 3/4, 1, 1, 1, 1, 1, 1, one RTprop each, repeated; cwnd gain 2
//! probe-rtt  when RTprop is 10 s old: at most 4 segments in flight for 200 ms and a round trip
//! ```
//!
//! A quantum is the number of segments sent in 1 ms, at least 2, but 1 below 1.2 Mb/s. The handshake gives the
//! first RTprop and the first pacing rate. Rates measured in probe-rtt do not count, and idle time replaces
//! probe-rtt.
//!
//! A loss detected by acknowledgments changes no estimate. In the first round trip of recovery at most as
//! many segments are sent as are delivered. The end of recovery restores the window. A timeout sets the
//! window to one segment. The phase in which probe-bw begins is drawn from the connection's random stream
//! (any phase but 3/4).
//!
//! The form `linux` is that of Linux 6.12, derived from experiments and from its authors' descriptions. A
//! quantum is a whole number of segments. `extra` counts aggregated acknowledgments: the
//! largest number of segments acknowledged beyond `BtlBw` times the elapsed time, in the last 5 to 10 round
//! trips; at most the segments that `BtlBw` delivers in 100 ms:
//!
//! ```text
//! pacing rate = 0.99 * pacing_gain * BtlBw
//! cwnd        = ceil(cwnd_gain * BDP) + 3 quanta + extra after startup,
//!               rounded up to even, 2 more in phase 5/4
//! quantum     = max(floor(pacing rate / 1024), 2), 1 below 1.2 Mb/s
//! ```
//!
//! BtlBw is a multiple of 2^-24 segments per microsecond. The first acknowledgment of a recovery begins a round trip. The
//! data in flight that end drain and the phases 5/4 and 3/4 are those at the time of the next departure, with the
//! departing quantum in phase 5/4.
//!
//! Left out: detection of token-bucket policers, which later code has but not the draft; pacing in batches. Validated:
//! states, gains and their durations on an unloaded path (`tests/it/bbr.rs`).

mod aggregation;
mod config;
mod control;
mod limited;
mod model;
mod phases;
mod state;
#[cfg(test)]
mod tests;
mod window;

pub use config::{ALGORITHM, Config};
pub(in crate::congestion) use limited::LimitedSpan;
pub use state::Bbr;
