//! The sending end of a connection.

mod calm;
mod connection;
mod event;
mod output;
mod reports;
mod steering;
mod view;

pub use connection::{Phase, Sender};
pub use event::Event;
