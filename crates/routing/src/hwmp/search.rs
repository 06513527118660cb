//! State of the search for one path.

use base::Instant;

/// Search for a path to one target.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// PREQs sent after the first one.
    pub(super) retries: u32,
    /// Time at which the next PREQ may be sent or, once it is sent, at which the wait for the PREP ends.
    pub due: Instant,
    /// True if a PREQ is still to be sent.
    pub(super) held: bool,
    /// True if a path exists and the search only looks for a better one.
    pub(super) refreshes: bool,
}
