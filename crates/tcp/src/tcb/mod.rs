//! Shared by every loss recovery. Recovery decides what an acknowledgment means; the control block keeps the state and
//! acts.

mod advertised;
mod block;
mod decrease;
mod growth;
mod pacing;

pub(crate) use block::{DUP_THRESH, LastCut, Tcb};
pub(crate) use pacing::Overhead;
