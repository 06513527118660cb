//! TCP endpoints, sans-IO.
pub mod config;
pub mod congestion;
pub mod recovery;
pub use config::Config;
