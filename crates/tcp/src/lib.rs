//! TCP endpoints, sans-IO: no clock, no queue, no network.
//!
//! Time is an argument, segments come out of [`Sender::poll`] and [`Receiver::poll`], timers are read with `timer()`. A
//! variant is a pair of loss recovery ([`recovery`]) and congestion control ([`congestion`]); everything else an endpoint
//! does is a parameter in [`Config`], declared once in [`config`]. A [`Table`] is what a scenario gives of these, over a profile.

#![warn(unreachable_pub)]

pub mod config;
pub mod congestion;
mod hystart;
mod profiles;
pub mod rate;
mod receiver;
pub mod recovery;
pub mod rtt;
mod runs;
pub mod scoreboard;
mod sender;
mod stamps;
mod stats;
mod stream;
mod table;
mod tcb;
mod times;
mod variants;

pub use config::Config;
pub use profiles::{Profile, profiles};
pub use receiver::{Receiver, ReceiverStats};
pub use sender::{Phase, Sender};
pub use stats::{ClassifiedLoss, SenderStats};
pub use table::Table;
pub use variants::{CUSTOM_RECOVERY, Variant, custom_name, variants};
