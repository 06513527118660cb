//! What every loss recovery shares. Recovery decides what an acknowledgment means; the core keeps the books and acts.

mod advertised;
mod books;
mod decrease;
mod growth;
mod pacing;

pub(crate) use books::{Core, DUP_THRESH, LastCut};
pub(crate) use pacing::Overhead;
