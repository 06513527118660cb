//! Counters, series, tables and files, computed from probe events.
//!
//! - [`stats`]: counters of flows that every run keeps ([`FlowStats`]) and Jain's fairness index ([`jain`])
//! - [`link_stats`]: counters of links ([`LinkStats`])
//! - [`drops`]: a digest of the sequence of drops ([`DropDigest`])
//! - [`percentiles`]: percentiles of times, from a histogram
//! - [`video`]: packets, frames and quality of videos, and EvalVid's traces
//! - [`writes`]: delays and losses of an application's writes to TCP ([`WriteStats`])
//! - [`sessions`]: requests, completion times and slowdown of sessions
//! - [`summary`], [`gateways`], [`radio`], [`reactions`]: the rows of result tables
//! - [`row`]: declaration of tables; [`table`]: [`Table`], which is written to Arrow and CSV
//! - [`observe`]: choice of the traces that a run records ([`Observe`]); [`subjects`]: names that appear in
//!   traces
//! - [`recorder`]: [`Recorder`], the probe that records traces; its [`Recording`] holds tables and files
//! - `pcap`, `ns2`, `flowmonitor`, `qlog`: files for Wireshark, for scripts that read ns-2's traces or ns-3's
//!   FlowMonitor, for qvis
//! - [`output`]: files that are written completely or not at all
//! - [`ledger`]: [`Ledger`], a probe that checks the conservation of packets
//! - [`glossary`]: one-line definitions of all metrics and columns of traces; the source of
//!   `docs/reference/metrics.md`

#![warn(unreachable_pub)]

mod buffers;
mod flowmonitor;
mod headers;
mod heads;
mod hops;
mod ns2;
mod pcap;
mod qlog;
mod qlog_tcp;
mod series;
mod tracer;
mod variables;

mod column;
pub mod drops;
pub mod gateways;
pub mod glossary;
mod kept;
pub mod ledger;
pub mod link_stats;
pub mod observe;
pub mod output;
pub mod percentiles;
mod ps_sum;
pub mod radio;
pub mod reactions;
pub mod recorder;
pub mod row;
mod scratch;
pub mod sessions;
mod spill;
pub mod stats;
pub mod subjects;
pub mod summary;
pub mod table;
pub mod video;
pub mod writes;

pub use drops::{DropDigest, DropSequences};
pub use gateways::GatewaySummary;
pub use headers::address;
pub use kept::Kept;
pub use ledger::Ledger;
pub use link_stats::LinkStats;
pub use observe::{Observe, ObserveError, Trace};
pub use qlog::{FlowLog, StackLog};
pub use reactions::{LossReaction, Reactions};
pub use recorder::{Recorder, Recording};
pub use row::{Row, Term};
pub use sessions::{Completion, CompletionSummary, RequestRow, SessionStats, SessionsSummary};
pub use stats::{DelayStats, FlowStats, LostStats, jain, rate_bps};
pub use subjects::{CrossingSubject, FlowSubject, LinkSubject, Subjects};
pub use summary::{FlowIdentity, FlowSummary, LinkSummary};
pub use table::{Batches, Column, Table, Tables};
pub use tracer::TraceFiles;
pub use video::{EvalVid, Judging, VideoLog, VideoSummary};
pub use writes::{WriteStats, WriteSummary};
