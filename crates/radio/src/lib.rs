//! What networks of radio stations share: where stations are and how they move, how power gets from one to the other, and
//! the face that such a network shows to the world.

pub mod access;
pub mod mobility;
mod position;
pub mod propagation;
mod random;

pub use position::Position;
