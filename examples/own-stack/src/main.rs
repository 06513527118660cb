//! Runs a scenario, in which the stacks of this crate are more variants, and prints the summary as JSON: `own-stack FILE.toml
//! [PATH=VALUE...]`. `own-stack check` holds the stacks to their contract.

use engine::Control;
use sim::scenario::Document;
use sim::{RunOptions, run};
use std::process::ExitCode;

/// Bytes that the check transfers.
const CHECKED: u64 = 1_000_000;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: own-stack FILE.toml [PATH=VALUE...]\n       own-stack check");
        return ExitCode::from(2);
    };
    if file == "check" {
        return check();
    }
    match summary(&file, arguments) {
        Ok(summary) => {
            println!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn check() -> ExitCode {
    let stacks = own_stack::stacks();
    let held = stacks.names().filter_map(|name| stacks.get(name)).map(|custom| stack::hold(custom, CHECKED));
    let mut sound = true;
    for held in held {
        println!("{held}\n");
        sound &= held.violations.is_empty();
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::from(2) }
}

fn summary(file: &str, settings: impl Iterator<Item = String>) -> Result<String, Box<dyn std::error::Error>> {
    let document = Document::from_toml(&std::fs::read_to_string(file)?)?;
    let mut document = document.with_stacks(&own_stack::stacks());
    for setting in settings {
        let (path, value) = setting.split_once('=').ok_or("settings are PATH=VALUE")?;
        document.set(path, value)?;
    }
    Ok(run(&document, &RunOptions::default(), &Control::default())?.summary())
}
