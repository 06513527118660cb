//! A search for a path.

use base::Instant;

/// A search for a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Requests sent after the first.
    pub(super) retries: u32,
    /// Time to ask, to ask again, or to give up.
    pub due: Instant,
    /// True if the request is still to be sent.
    pub(super) held: bool,
    /// True if it refreshes an existing path.
    pub(super) refreshes: bool,
}
