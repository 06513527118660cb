//! The scenario file: from text to a checked [`Scenario`](crate::model::Scenario), with errors that tell a user what
//! to change.
//!
//! text -> [`Document`] (raw, settable by path) -> `wire` (typed, as written) -> check -> [`crate::model`] (resolved)
//!
//! - `document`: raw values, `--set`, canonical JSON, lines of the file
//! - `shorthand`: short forms written out; `products`: queues in bandwidth-delay products
//! - `repair`: finds all errors; `foreign`: explains errors caused by names of other simulators; `former`: reads
//!   names of settings of the previous version
//! - `files`: reads named files into the document
//! - `wire`: the one declaration of the file's tables, for parsing, the JSON Schema and writing back
//! - `check`: checks beyond types (names that exist, times in order, nodes that reach each other)
//! - `catalogue`: lists of choices; [`describe()`]: a scenario with every parameter filled in

mod catalogue;
mod check;
mod describe;
mod document;
mod files;
mod foreign;
mod former;
mod products;
mod repair;
mod shorthand;
mod wire;

#[cfg(test)]
mod tests;

pub use catalogue::{catalogue, catalogue_kinds, controls_page};
pub use describe::{describe, describe_shared};
pub use document::Document;
pub use former::{Renamed, mentions_former_name};
pub use settings::Error as ScenarioError;
pub use tcp::{Profile, Variant, profiles, variants};
pub use wire::OwnControl;

/// Returns the error for flow number `flow` if no path of links joins its ends.
pub(crate) fn unreachable(flow: usize, from: &str, to: &str) -> ScenarioError {
    let message = format!("no path of links leads from \"{from}\" to \"{to}\"");
    ScenarioError::new(format!("flow.{flow}.to"), message)
        .given(format!("\"{to}\""))
        .allowed("a node that links reach")
}
