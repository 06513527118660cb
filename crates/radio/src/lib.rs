//! What networks of radio stations share: where stations are, and the face that such a network shows to the world.

pub mod access;
mod position;

pub use position::Position;
