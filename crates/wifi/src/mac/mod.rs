//! The MAC sublayer: queues of stations, contention for the medium, and frame exchanges.

pub(crate) mod aggregation;
pub(crate) mod backoff;
pub(crate) mod contention;
pub(crate) mod counters;
pub(crate) mod discipline;
pub mod edca;
pub(crate) mod edcaf;
pub(crate) mod edcaf_index;
pub(crate) mod exchange;
mod lifetime;
pub(crate) mod messages;
pub(crate) mod payload;
pub(crate) mod schedule;
mod sending;
pub(crate) mod state;
mod txop;
