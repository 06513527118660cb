//! Rate control: the choice of the mode in which a station sends data to a neighbour.
//!
//! The modes are those of the format of `phy.data` (rates of b, or of OFDM; MCS of its width and guard interval), from
//! the slowest up to `phy.data` itself; with several streams those of fewer too. RTS, broadcast and management frames
//! keep their mode, responses follow the frame that they answer. A rate is chosen for each attempt, and kept through a
//! TXOP; attempts at an RTS are not counted.
//!
//! Left out: a guard interval or width that is chosen frame by frame.

mod arf;
pub(crate) mod control;
mod ideal;
pub(crate) mod link_modes;
mod minstrel;
pub(crate) mod modes;
mod rates;
pub(crate) mod settings;

pub use arf::Config as ArfConfig;
pub use ideal::Config as IdealConfig;
pub use minstrel::Config as MinstrelConfig;
pub use settings::RateControl;
