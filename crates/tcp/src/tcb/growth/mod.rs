//! Growth of the window: slow start with and without HyStart, growth by whole segments, limits.

mod increase;

use crate::hystart::HyStart;

/// Limits of the window, and state of its growth outside of congestion control.
#[derive(Clone, Debug)]
pub(crate) struct Growth {
    /// Largest number of outstanding segments; 0 while a mark prevents sending.
    limit: f64,
    /// Window when the connection has been opened, segments.
    initial_window: f64,
    /// Growth that does not make a whole segment yet, segments (`whole_growth`).
    fraction: f64,
    /// State of HyStart; `None` if HyStart is off, and after the first slow start.
    hystart: Option<Box<HyStart>>,
}

impl Growth {
    /// Creates the state of a connection that is not open.
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

    /// Sets the window with which the connection opens to `segments`, because the SYN was lost.
    pub(crate) fn open_with(&mut self, segments: f64) {
        self.initial_window = segments;
    }

    /// Returns true if congestion control alone increases the window.
    pub(super) fn is_calm(&self) -> bool {
        let Self { limit: _, initial_window: _, fraction: _, hystart } = self;
        hystart.is_none()
    }

    pub(crate) fn end_hystart(&mut self) {
        self.hystart = None;
    }

    /// Discards growth that does not make a whole segment, and ends HyStart, at a reduction of the window.
    pub(super) fn on_cut(&mut self) {
        self.fraction = 0.0;
        self.hystart = None;
    }
}
