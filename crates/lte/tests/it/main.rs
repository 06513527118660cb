//! Tests of LTE networks through the crate's public interface.

mod common;
mod conservation;
mod handover;
mod peak;
mod shares;
mod uplink;
