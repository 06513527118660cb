//! The receiver's advertised window at the sender, and probes of a zero window (RFC 9293 sections 3.8.6 and
//! 3.8.6.1).
//!
//! A window is in bytes. The sender sends whole segments, so it keeps the right edge in segments, rounded
//! down. Windows of this simulator never shrink (RFC 9293 section 3.8.6 discourages it). Therefore, of two
//! acknowledgments of the same data the one with the larger window is newer, in whatever order they arrive. A
//! zero window is probed without payload, because the stream is divided into segments once. A probe does not
//! count as data and gives no round-trip time.

mod window;

/// Largest number of doublings of the interval between probes.
const BACKOFF_LIMIT: u32 = 20;

/// Persist state: number of successive probes of a zero window.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Persist {
    probes: u32,
}
