//! Advertised window of the receiver at the sender, and the probes of a closed window (RFC 9293 sections 3.8.6 and 3.8.6.1).
//!
//! A window is in bytes. The sender sends whole segments, so it keeps the edge in segments, rounded down. Windows of this
//! simulator never shrink (RFC 9293 section 3.8.6: they should not). So of two acknowledgments of the same data the larger
//! window is the younger, whatever their order of arrival. A closed window is probed without payload, since a stream is
//! divided into segments once. The probe does not count as data, and nothing is measured by it.

mod window;

/// Largest number of doublings of the interval between probes.
const BACKOFF_LIMIT: u32 = 20;

/// Persist state: probes of a closed window in a row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Persist {
    probes: u32,
}
