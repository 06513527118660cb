//! Tests of scenario files: what is accepted, what is refused with which message, and what the simulator gets.

mod bounds;
mod cells;
mod choices;
mod errors;
mod examples;
mod former;
mod generated;
mod he;
mod links;
mod movements;
mod radios;
mod random;
mod roaming;
mod settings;
mod short;
mod tcp;

use super::{Document, ScenarioError};
use crate::model::{FlowKind, Scenario};
use ::tcp::Config;
use std::sync::Arc;

/// A small valid scenario with one link and one flow.
const SMALL: &str = r#"duration = "10s"

[[link]]
between = ["a", "b"]
rate = "10Mbps"
delay = "20ms"

[[flow]]
from = "a"
to = "b"
tcp = { variant = "newreno" }
"#;

/// Checks `SMALL` with these settings.
fn small(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut document = Document::from_toml(SMALL).unwrap();
    for (path, value) in settings {
        document.set(path, value)?;
    }
    document.check()
}

/// Returns variant and TCP configuration of flow 0 of `SMALL` with these settings.
fn endpoints(settings: &[(&str, &str)]) -> (String, Config) {
    let scenario = small(settings).unwrap_or_else(|e| panic!("{e}"));
    match scenario.flows[0].kind.clone() {
        FlowKind::Tcp { variant, tcp, .. } => (variant, Arc::unwrap_or_clone(tcp)),
        _ => panic!("no TCP"),
    }
}
