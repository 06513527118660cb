//! Tests of gateways: nodes on the path that buffer, retransmit or acknowledge for TCP connections.

mod behaviour;
#[path = "../../../tcp/tests/it/common/config.rs"]
mod common;
mod conservation;
