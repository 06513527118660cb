//! What a network is made of: plain values, to be checked with [`Config::check`].

mod aggregation;
mod check;
mod mac;
mod network;
mod non_erp;
mod phy;
mod protection;
mod queue;
mod site;

pub use crate::error::ConfigError;
pub use aggregation::Aggregation;
pub use mac::{Association, Countdown, Draw, Eifs, IdleAccess, Mac, Timeout, TxopProtection};
pub use network::Config;
pub use non_erp::NonErp;
pub use phy::{Phy, Reception};
pub use protection::Protection;
pub use queue::Queue;
pub use site::Site;
