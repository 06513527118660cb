//! Parts shared by the tests of endpoints.

pub mod bench;
mod config;
pub mod endpoint;

pub use config::{config, least_window};
