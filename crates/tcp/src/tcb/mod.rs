//! Transmission control block (TCB) of a sender: the state that all loss recoveries share, and the steps that
//! change it.

mod acknowledge;
mod advertised;
mod allowance;
mod block;
mod calm;
mod decrease;
mod duplicates;
mod ecn;
mod episode;
mod growth;
mod needless;
mod pacing;
mod parts;
mod round_trips;
mod send_buffer;
mod snd;
mod timers;
mod undo;

pub(crate) use block::{DUP_THRESH, Tcb};
pub(crate) use episode::LastCut;
