//! Which station a packet goes to next.

mod adaptive;
pub mod aodv;
pub mod dsdv;
mod fixed;
#[cfg(test)]
mod harness;
pub mod hwmp;
pub(crate) mod message;
pub mod olsr;
pub(crate) mod port;
pub(crate) mod router;
pub(crate) mod settings;
mod table;
mod times;
mod waiting;

pub use settings::{Config, Entry};
