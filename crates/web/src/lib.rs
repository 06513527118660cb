//! The core for browsers: one run of a scenario behind a few functions of WebAssembly.
//!
//! A [`Lab`] takes commands as JSON and answers with bytes: JSON, the summary of a run, or a table. The page's worker
//! calls it through a plain C interface (`abi`) on the module's memory. The module imports nothing, so no generated
//! glue is needed, and a run cannot reach anything of the page.
//!
//! A run advances in steps that handle a bounded number of events. Between two steps the worker reads its messages,
//! which is how a run is stopped.
//!
//! ```
//! let mut lab = web::Lab::default();
//! let scenario = r#"
//!     duration = "1s"
//!     link = [{ between = ["a", "b"], rate = "10Mbps", delay = "20ms" }]
//!     flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
//! "#;
//! let mut call = |command: serde_json::Value| lab.call(command.to_string().as_bytes());
//! call(serde_json::json!({ "do": "start", "scenario": scenario, "traces": ["cwnd"] }))?;
//! while !call(serde_json::json!({ "do": "step", "looks": 1 }))?.starts_with(br#"{"done":true"#) {}
//! assert!(call(serde_json::json!({ "do": "summary" }))?.starts_with(b"{"));
//! # Ok::<(), web::Problem>(())
//! ```

#![deny(missing_docs)]
#![warn(unreachable_pub)]

#[cfg(target_family = "wasm")]
mod abi;
mod command;
mod lab;
mod own;
mod pack;
mod problem;

pub use lab::Lab;
pub use problem::Problem;
