//! The physical layer: how long frames last, how strong they arrive, what stations sense and receive.

pub(crate) mod air;
pub(crate) mod arrival;
pub(crate) mod carrier_sense;
pub(crate) mod channel;
pub(crate) mod durations;
pub(crate) mod medium;
pub(crate) mod receiver;
pub(crate) mod reception;
pub(crate) mod sensing;
pub mod timing;
