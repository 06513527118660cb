//! Rate control: the choice of the mode in which a station sends data to a neighbour.
//!
//! The modes have the format of `phy.data`: the rates of DSSS and CCK, the rates of OFDM, or the MCS with the same
//! width and guard interval. They reach from the slowest up to `phy.data` itself; modes with fewer spatial streams
//! are included. RTS, broadcast and management frames keep their mode, and responses follow the frame that they
//! answer. A rate is chosen for each attempt, and kept during a TXOP; attempts at an RTS are not counted.
//!
//! Left out: the choice of the guard interval or width for each frame.

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
