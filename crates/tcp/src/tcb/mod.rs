//! Transmission control block of a sender. Recovery decides the meaning of an acknowledgment; the block keeps the state and acts.

mod advertised;
mod allowance;
mod block;
mod decrease;
mod duplicates;
mod ecn;
mod episode;
mod growth;
mod pacing;
mod round_trips;
mod snd;
mod timers;

pub(crate) use block::{DUP_THRESH, Tcb};
pub(crate) use episode::LastCut;
