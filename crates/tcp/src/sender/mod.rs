//! The sender of a connection.

mod connection;
mod output;
mod steering;
mod view;

pub use connection::{Phase, Sender};
