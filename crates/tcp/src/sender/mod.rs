//! The sender of a connection.

mod connection;
mod output;
mod view;

pub use connection::{Phase, Sender};
