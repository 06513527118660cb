//! A laboratory for TCP congestion control: packet-level experiments from Rust.
//!
//! A scenario is the text that `ackclock run` takes. A run returns its results:
//!
//! ```
//! let run = ackclock::run(r#"
//!     duration = "10s"
//!     link = [{ between = ["a", "b"], rate = "10Mbps", delay = "20ms", queue = { kind = "droptail", packets = 50 } }]
//!     flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
//! "#)?;
//! let flow = &run.flows()[0];
//! println!("{}: {:.2} Mb/s, {} timeouts", flow.variant, flow.goodput_bps / 1e6, flow.timeouts);
//! # assert!((9e6..10e6).contains(&flow.goodput_bps) && flow.variant == "cubic");
//! # Ok::<(), ackclock::Error>(())
//! ```
//!
//! # Values, traces, controls
//!
//! Before it runs, the values of a [`Scenario`] can be changed and traces requested. A trace is a table of columns:
//!
//! ```
//! # let text = r#"
//! #     duration = "10s"
//! #     link = [{ between = ["a", "b"], rate = "10Mbps", delay = "20ms", queue = { kind = "droptail", packets = 50 } }]
//! #     flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
//! # "#;
//! let run = ackclock::Scenario::from_toml(text)?
//!     .set("link.0.rate", "1Mbps")?
//!     .set("flow.0.tcp.variant", "vegas")?
//!     .seed(7)
//!     .trace("cwnd")?
//!     .run()?;
//! let mut csv = Vec::new();
//! run.table("cwnd").expect("it was asked for").write_csv(&mut csv)?;
//! # assert!(csv.starts_with(b"time_s,flow,variable,value\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Scenario::control`] adds a congestion control of your own; `examples/own-control` in the sources is a template.
//!
//! # A run that a program drives
//!
//! ```
//! # let text = r#"
//! #     duration = "10s"
//! #     link = [{ between = ["a", "b"], rate = "10Mbps", delay = "20ms", queue = { kind = "droptail", packets = 50 } }]
//! #     flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
//! # "#;
//! use ackclock::Duration;
//!
//! let mut simulation = ackclock::Scenario::from_toml(text)?.start()?;
//! while !simulation.is_over() {
//!     simulation.advance(Duration::from_ms(500))?;
//!     println!("{:.1} s: {:.1} segments", simulation.now().secs(), simulation.flow(0).cwnd);
//! }
//! println!("{}", simulation.finish()?.json());
//! # Ok::<(), ackclock::Error>(())
//! ```
//!
//! # Stability
//!
//! In all versions 0.1.x the items of this page, the grammar of scenarios, the columns of results and the JSON of a
//! run stay the same (see `docs/reference/stability.md` in the sources). The packages below, such as `ackclock-base`
//! and `ackclock-sim`, may change with any release. The documentation of [`tcp`] says which of its items are stable.

#![deny(missing_docs)]
#![warn(unreachable_pub)]

/// The how-to guide, whose examples are compiled with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/howto/use-rust.md")]
struct HowTo;

mod run;
mod scenario;
mod simulation;

pub use base::{DataRate, Duration, Instant};
pub use metrics::{Column, FlowSummary, LinkSummary, Table};
pub use run::Run;
pub use scenario::{Error, Scenario};
pub use sim::{FlowState, LinkState, Wait};
pub use simulation::Simulation;
/// TCP endpoints and congestion controls.
pub use tcp;

/// Runs a scenario, given as the text of a scenario file.
///
/// # Errors
/// If the scenario is not valid; the error has the path of the value, the value that was given, the allowed values,
/// and the nearest name.
pub fn run(toml: &str) -> Result<Run, Error> {
    Scenario::from_toml(toml)?.run()
}
