//! Tests of what a node on the path does for connections.

mod behaviour;
#[path = "../../../tcp/tests/it/common/config.rs"]
mod common;
mod conservation;
