//! Parts shared by the tests of endpoints.

pub mod bench;
mod config;
pub mod endpoint;
pub mod path;

pub use config::{config, least_window};
