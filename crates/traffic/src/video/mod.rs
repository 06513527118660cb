//! A video: frames at given times, each cut into packets that leave together.

mod config;
mod evalvid;
mod frames;
mod playing;

pub use config::Config;
pub use evalvid::{TRACE, TraceError, read_trace};
pub use frames::Frames;
pub use playing::Playing;
