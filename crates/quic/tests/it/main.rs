//! Tests of QUIC endpoints over a simulated path.

mod invariants;
mod path;
