//! Parts that radio networks share: positions and mobility of stations, propagation, noise and error rates,
//! and the interface between a network and its caller.

pub mod access;
pub mod error_rate;
pub mod mobility;
pub mod numbers;
pub mod placement;
mod position;
pub mod power;
pub mod propagation;
pub mod quantity;
mod random;

pub use position::Position;
