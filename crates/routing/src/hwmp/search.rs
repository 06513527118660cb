//! A search for a path.

use base::Instant;

/// A search for a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// Requests sent after the first.
    pub(super) retries: u32,
    /// When to ask, or to ask again, or to give up.
    pub due: Instant,
    /// Whether the request is still to be sent.
    pub(super) held: bool,
    /// Whether it refreshes a path that is there.
    pub(super) refreshes: bool,
}
