//! What every loss recovery shares. Recovery decides what an acknowledgment means; the tcb keeps the books and acts.

mod advertised;
mod block;
mod decrease;
mod growth;
mod pacing;

pub(crate) use block::{DUP_THRESH, LastCut, Tcb};
pub(crate) use pacing::Overhead;
