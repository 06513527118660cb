//! Tests of whole scenarios, and of the arrows between crates and their modules.

mod architecture;
mod chains;
mod control;
mod gateways;
mod lte;
mod modules;
mod parsers;
mod radio;
mod roaming;
