//! Physical layer: durations of frames, received power, carrier sense and reception.

pub(crate) mod air;
pub(crate) mod arrival;
pub(crate) mod carrier_sense;
pub(crate) mod channel;
pub(crate) mod durations;
pub(crate) mod medium;
#[cfg(test)]
mod overhear_tests;
pub(crate) mod reach;
pub(crate) mod receiver;
pub(crate) mod reception;
pub(crate) mod sensing;
pub(crate) mod shared_view;
pub mod timing;
