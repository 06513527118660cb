//! Command that runs a scenario file and prints its summary, or one of its traces as CSV, without Python.
//!
//! ```text
//! cargo run --release -p ackclock-sim --example run -- python/ackclock/scenarios/dumbbell.toml [--set PATH=VALUE]... [TRACE]
//! ```

use base::Duration;
use engine::Control;
use sim::{RunOptions, scenario::Document};
use std::error::Error;
use std::io::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let path = args.next().ok_or("usage: run FILE.toml [--set PATH=VALUE]... [TRACE]")?;
    let mut document = Document::from_toml(&std::fs::read_to_string(&path)?)?;
    let mut trace = None;
    while let Some(arg) = args.next() {
        if arg == "--set" {
            let setting = args.next().ok_or("--set needs PATH=VALUE")?;
            let (path, value) = setting.split_once('=').ok_or("--set needs PATH=VALUE")?;
            document.set(path, value)?;
        } else {
            trace = Some(arg);
        }
    }
    document.read_files(Path::new(&path).parent().unwrap_or(Path::new(".")))?;
    let names: Vec<String> = trace.iter().cloned().collect();
    let observe = metrics::Observe::parse(&names, Duration::from_secs(1))?;
    let options = RunOptions { observe, ..RunOptions::default() };
    let results = sim::run(&document, &options, &Control::default())?;
    let mut out = std::io::stdout().lock();
    match trace {
        Some(name) => results.traces[name.as_str()].write_csv(&mut out)?,
        None => writeln!(out, "{}", results.summary())?,
    }
    eprintln!("{} events in {:.3} s", results.events, results.timing.wall_s);
    Ok(())
}
