//! Parts that the tests of endpoints share.

pub mod bench;
mod config;
pub mod endpoint;

pub use config::{config, least_window};
