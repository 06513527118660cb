//! Tests of whole scenarios, and of the allowed dependencies between crates and between the modules of a crate.

mod architecture;
mod chains;
mod control;
mod gateways;
mod lte;
mod modules;
mod parsers;
mod radio;
mod roaming;
mod stacks;
