//! Scenario model, world and run: the only room that knows every other.
pub mod model;
