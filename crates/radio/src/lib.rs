//! What networks of radio stations share: where stations are and how they move, how power gets from one to the other, what noise
//! does to it, and the face that such a network shows to the world.

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
