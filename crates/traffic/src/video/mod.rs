//! Video traffic: frames at given times, each split into packets that are sent together.

mod config;
mod evalvid;
mod frames;
mod playing;

pub use config::Config;
pub use evalvid::{TRACE, TraceError, read_trace};
pub use frames::Frames;
pub use playing::Playing;
