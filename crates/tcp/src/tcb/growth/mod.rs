//! Growth of the window: slow start with and without HyStart++, whole steps, the clamp.

mod increase;

use crate::hystart::HyStart;

/// Bounds of the window, and the state of its growth beside congestion control's.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    /// Largest number of outstanding segments; 0 while a mark holds everything back.
    limit: f64,
    /// Window once the connection is open, segments.
    initial_window: f64,
    /// Part of a segment by which the window has grown, if it grows by whole segments (`whole_growth`).
    fraction: f64,
    /// HyStart++ during the first slow start.
    hystart: Option<Box<HyStart>>,
}

impl Growth {
    /// Creates the state of a connection at rest.
    pub(super) fn new(limit: f64, initial_window: f64, hystart: Option<Box<HyStart>>) -> Self {
        Self { limit, initial_window, fraction: 0.0, hystart }
    }

    /// Returns the largest number of outstanding segments.
    #[inline(always)]
    pub(crate) fn limit(&self) -> f64 {
        self.limit
    }

    /// Sets the largest number of outstanding segments.
    pub(super) fn set_limit(&mut self, limit: f64) {
        self.limit = limit;
    }

    /// Sets the window once the connection is open to `segments`: the SYN was lost.
    pub(crate) fn open_with(&mut self, segments: f64) {
        self.initial_window = segments;
    }

    /// Ends HyStart++: the first slow start is over.
    pub(crate) fn end_hystart(&mut self) {
        self.hystart = None;
    }

    /// Forgets growth that does not make a whole segment, and ends HyStart++: the window is cut.
    pub(super) fn on_cut(&mut self) {
        self.fraction = 0.0;
        self.hystart = None;
    }
}
