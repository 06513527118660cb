//! Tests of cellular networks from outside.

mod common;
mod conservation;
mod handover;
mod peak;
mod shares;
mod uplink;
