//! Runs a scenario, in which `gentle` is one more variant, and prints the summary as JSON: `own-control FILE.toml
//! [PATH=VALUE...]`.

use engine::Control;
use sim::scenario::Document;
use sim::{RunOptions, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(file) = arguments.next() else {
        eprintln!("usage: own-control FILE.toml [PATH=VALUE...]");
        return ExitCode::from(2);
    };
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

fn summary(file: &str, settings: impl Iterator<Item = String>) -> Result<String, Box<dyn std::error::Error>> {
    let mut document = Document::from_toml(&std::fs::read_to_string(file)?)?;
    for setting in settings {
        let (path, value) = setting.split_once('=').ok_or("settings are PATH=VALUE")?;
        document.set(path, value)?;
    }
    let document = document.with_controls(&own_control::controls());
    Ok(run(&document, &RunOptions::default(), &Control::default())?.summary())
}
