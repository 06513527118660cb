//! One function for each fuzz target: for each parser, and for each state machine. It must return for every input; a
//! panic is a fault.
//!
//! `fuzz_targets/NAME.rs` hands a fuzzer's input to the function NAME. `crates/sim/tests/it/parsers.rs` includes this
//! file and replays `corpus/NAME` and `found/NAME` in every `cargo test`.

mod draw;
mod endpoint;
mod gateways;
mod radios;
mod steering;
pub mod transfer;

pub use endpoint::{tcp_receiver, tcp_sender};
pub use gateways::gateways;
pub use radios::{lte_network, wifi_network};
pub use steering::{hostile_control, steering};

use sim::scenario::{Document, ScenarioError, describe};
use sim::{RunError, RunOptions};

/// Target: its name, which is also the name of its folders, and its function.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("scenario_toml", scenario_toml),
    ("scenario_json", scenario_json),
    ("scenario_run", scenario_run),
    ("setting", setting),
    ("rate_trace", rate_trace),
    ("loss_trace", loss_trace),
    ("video_trace", video_trace),
    ("setdest", setdest),
    ("bonnmotion", bonnmotion),
    ("tcp_sender", tcp_sender),
    ("tcp_receiver", tcp_receiver),
    ("tcp_transfer", tcp_transfer),
    ("gateways", gateways),
    ("wifi_network", wifi_network),
    ("lte_network", lte_network),
    ("steering", steering),
    ("hostile_control", hostile_control),
];

/// Carries out the transfer that the input describes.
pub fn tcp_transfer(data: &[u8]) {
    transfer::transfer(data);
}

/// Parses the bytes as a scenario file.
pub fn scenario_toml(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        judge(Document::from_toml(text));
    }
}

/// Parses the bytes as a scenario in JSON.
pub fn scenario_json(data: &[u8]) {
    if let Ok(text) = str::from_utf8(data) {
        judge(Document::from_json(text));
    }
}

/// Parses the bytes as a scenario file and runs it for the scenario's duration, but for at most 20 s of simulated time
/// and about 65 000 events.
pub fn scenario_run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let Ok(mut document) = Document::from_toml(text) else { return };
    let Ok(scenario) = document.check() else { return };
    if scenario.duration > LONGEST && document.set("duration", "20s").is_err() {
        return;
    }
    match sim::run(&document, &RunOptions::default(), &steering::limited(8)) {
        Ok(results) => assert!(results.summary().starts_with('{')),
        Err(RunError::Interrupted | RunError::Control(_)) => {}
        Err(RunError::Scenario(error)) => assert!(!error.message.is_empty()),
        Err(error) => panic!("{error}"),
    }
}

/// Applies each line of the bytes as a setting, as `--set` does.
pub fn setting(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let mut document = Document::from_toml(LINK).expect("the scenario is TOML");
    for (path, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let before = document.canonical_json();
        if document.set(path, value).is_err() {
            assert_eq!(document.canonical_json(), before, "a refused setting changes nothing");
        }
    }
    judge(Ok(document));
}

/// Reads the bytes as a rate trace in mahimahi's format.
pub fn rate_trace(data: &[u8]) {
    file(data, &[("link.0.rate", r#"{ trace = "FILE" }"#)]);
}

/// Reads the bytes as a loss trace.
pub fn loss_trace(data: &[u8]) {
    file(data, &[("link.0.loss", r#"{ kind = "trace", trace = "FILE" }"#)]);
}

/// Reads the bytes as a video's frames in EvalVid's format.
pub fn video_trace(data: &[u8]) {
    file(data, &[("flow.0.traffic", r#"{ kind = "video", trace = "FILE" }"#)]);
}

/// Reads the bytes as movements in ns-2's setdest format.
pub fn setdest(data: &[u8]) {
    file(data, &[("node.0.mobility", r#"{ kind = "setdest", trace = "FILE", node = 0 }"#)]);
}

/// Reads the bytes as movements in BonnMotion's format, in two dimensions and in three.
pub fn bonnmotion(data: &[u8]) {
    for mobility in [
        r#"{ kind = "bonnmotion", trace = "FILE", node = 0 }"#,
        r#"{ kind = "bonnmotion", trace = "FILE", node = 0, dimensions = 3 }"#,
    ] {
        file(data, &[("node.0.mobility", mobility)]);
    }
}

/// Longest simulated time of [`scenario_run`].
const LONGEST: base::Duration = base::Duration::from_secs(20);

/// Two nodes, of which one may move, a link and a flow.
const LINK: &str = r#"
duration = "1s"
seed = 1
[[node]]
name = "a"
[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "1ms"
[[flow]]
from = "a"
to = "b"
"#;

/// Writes the bytes to a file and checks a scenario whose settings name that file.
fn file(content: &[u8], settings: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder for a while");
    std::fs::write(folder.path().join("FILE"), content).expect("the file can be written");
    let mut document = Document::from_toml(LINK).expect("the scenario is TOML");
    document.set_all(settings.iter().copied()).expect("the scenario has these places");
    judge(document.read_files(folder.path()).map(|()| document));
}

/// Asserts that a document is refused with a short error, or that the description of its scenario describes the same
/// scenario.
fn judge(document: Result<Document, ScenarioError>) {
    let checked = document.and_then(|document| document.check().map(|scenario| (document, scenario)));
    match checked {
        Ok((document, scenario)) => {
            let again = Document::from_json(&describe(&scenario)).and_then(|again| again.check());
            let again = again.unwrap_or_else(|e| panic!("{e}\nof\n{}", document.canonical_json()));
            assert_eq!(format!("{again:?}"), format!("{scenario:?}"));
        }
        Err(error) => {
            assert!(
                !error.message.is_empty()
                    && error.to_string().lines().count() <= 12 * (error.more.len() + 1) + 1,
                "{error}"
            );
        }
    }
}
