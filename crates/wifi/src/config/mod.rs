//! Configuration of a network: settings, in groups, each declared with its unit, bounds, default and source.
//! [`Config::check`] checks a configuration; a scenario file gives it as a [`Table`].

mod access;
mod aggregation;
mod bss;
mod check;
mod exchange;
mod mac;
mod modulation;
mod network;
mod non_erp;
mod own_rate;
mod phy;
mod preset;
mod profile;
mod protection;
mod queue;
mod site;
mod station_rate;
mod table;
mod times;

pub use access::{Countdown, Draw, MediumAccess, TxopProtection};
pub use aggregation::Aggregation;
pub use bss::{Association, Bss, Roaming};
pub(crate) use exchange::NEVER_RTS;
pub use exchange::{DurationField, Eifs, FrameExchange, IdleAccess, Timeout};
pub use mac::{Mac, RequestRate};
pub use modulation::Modulation;
pub use network::Config;
pub use non_erp::NonErp;
pub use own_rate::OwnRate;
pub use phy::{Capture, Phy, Reception, Sinr, StreamPower};
pub use profile::Profile;
pub use protection::Protection;
pub use queue::{Discipline, Queue};
pub use site::Site;
pub use station_rate::StationRate;
pub use table::Table;
