//! What turns probe events into counters, series, tables and files.
//!
//! - [`stats`]: counters that every run keeps ([`FlowStats`], [`LinkStats`]) and [`jain`]
//! - [`video`]: packets, frames and quality of videos, and EvalVid's traces
//! - [`writes`]: what becomes of an application's writes to TCP ([`WriteStats`])
//! - [`summary`]: one row per flow and link, as structs and tables
//! - [`observe`]: which traces a run records ([`Observe`]), and the names in them ([`Subjects`])
//! - [`recorder`]: [`Recorder`], the probe that records traces; its [`Recording`] holds tables and captures
//! - [`table`]: [`Table`], to Arrow and to CSV
//! - [`pcap`], [`ns2`], [`flowmonitor`]: files for Wireshark, for scripts that read ns-2's traces or ns-3's FlowMonitor
//! - [`radio`]: stations of radio networks, transmissions on the air, places
//! - [`ledger`]: [`Ledger`], a probe that checks that no packet appears or vanishes
//! - [`glossary`]: every metric and trace column in one line; `docs/metrics.md` is written from it

mod headers;
mod hops;
mod series;

pub mod flowmonitor;
mod gateways;
pub mod glossary;
pub mod ledger;
pub mod ns2;
pub mod observe;
pub mod output;
pub mod pcap;
pub mod radio;
pub mod reactions;
pub mod recorder;
pub mod stats;
pub mod summary;
pub mod table;
pub mod video;
pub mod writes;

pub use flowmonitor::FlowMonitor;
pub use gateways::{GatewaySummary, gateways_table};
pub use ledger::Ledger;
pub use ns2::Ns2Trace;
pub use observe::{CrossingSubject, FlowSubject, LinkSubject, Observe, ObserveError, Subjects, Trace};
pub use pcap::Capture;
pub use reactions::{LossReaction, Reactions, loss_reactions_table};
pub use recorder::{Recorder, Recording};
pub use stats::{DelayStats, FlowStats, LinkStats, LostStats, jain, rate_bps};
pub use summary::{FlowIdentity, FlowSummary, LinkSummary, flows_table, links_table};
pub use table::{Column, Table, Tables};
pub use video::{EvalVid, Judging, VideoLog, VideoSummary, video_table};
pub use writes::{WriteStats, WriteSummary};
