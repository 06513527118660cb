//! The samples that a congestion control sees: acknowledgments, arrivals, losses; and its answers to a loss.

use super::sample::{Shown, sample};
use base::{Duration, Instant};
use std::fmt;

sample! {
    /// An acknowledgment of new data, as an algorithm sees it.
    AckSample {
        /// The time.
        ["s"] now: Instant,
        /// Count for the growth of the window: 1, or the segments that it acknowledges.
        ["segments"] count: f64,
        /// First unacknowledged segment before it.
        [""] una_before: u64,
        /// First unacknowledged segment after it.
        [""] una: u64,
        /// Next segment to send.
        [""] next: u64,
        /// The receiver delays acknowledgments: one covers several segments as a rule, not only when a hole is filled.
        [""] delayed: bool,
        /// Round-trip time of the newest segment that it acknowledges, if that segment was sent just once. An algorithm
        /// that times segments gets one with nearly every acknowledgment, others as often as the endpoint measures.
        ["s"] rtt: Option<Duration>,
        /// The endpoint's smoothed round-trip time, this acknowledgment's measurement included.
        ["s"] srtt: Option<Duration>,
        /// Time from the sending of the segment whose stamp it echoes to its own sending by the receiver; only with
        /// timestamps.
        ["s"] one_way: Option<Duration>,
        /// Segments outstanding before it: sent, and not cumulatively acknowledged.
        ["segments"] outstanding: u64,
        /// True if the window may grow: not if the acknowledgment only continues or ends fast recovery.
        [""] grow: bool,
    }
}

impl AckSample {
    /// Returns true if the window limited the sender before this acknowledgment: as much was outstanding as `cwnd`
    /// allows. A window that is not used says nothing of the path (RFC 7661).
    pub fn window_limited(&self, cwnd: f64) -> bool {
        self.outstanding as f64 + 1.0 > cwnd
    }
}

sample! {
    /// Any acknowledgment, as an algorithm that counts arrivals sees it: before loss recovery, and during it.
    Arrival {
        /// The time.
        ["s"] now: Instant,
        /// Segments it newly acknowledges cumulatively; 0: a duplicate, which shows that one segment has arrived.
        ["segments"] acked: u64,
        /// Segments outstanding before it.
        ["segments"] outstanding: u64,
        /// Payload of a full segment.
        ["B"] segment: u64,
        /// The endpoint's smoothed round-trip time before it.
        ["s"] srtt: Option<Duration>,
        /// It echoes a mark (ECE).
        [""] marked: bool,
    }
}

/// An algorithm's classification of a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossClassification {
    /// A queue overflowed. Algorithms that do not classify losses take every loss for this.
    Congestion,
    /// The path corrupted a packet: no reason to slow down.
    Random,
}

/// An algorithm's answer to a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reaction {
    /// True if this loss was answered by itself, false if it belongs to one already answered.
    pub answered: bool,
    /// The classification of the loss.
    pub classification: LossClassification,
}

impl Reaction {
    /// The window was cut: the loss was taken for congestion.
    pub const CUT: Self = Self { answered: true, classification: LossClassification::Congestion };

    /// Returns an answer to a loss classified as `classification`.
    pub fn to(classification: LossClassification) -> Self {
        Self { answered: true, classification }
    }
}

/// Time of the last transmission of an outstanding segment, and the number of transmissions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transmission {
    /// When it was last sent.
    pub sent: Instant,
    /// Number of transmissions.
    pub transmissions: u32,
}

/// The reason for a cut of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Congestion {
    /// A loss seen from acknowledgments; recovery keeps sending at the reduced window.
    FastLoss,
    /// A loss seen from acknowledgments; recovery begins again with a window of one segment (`tahoe`, `fack`).
    Restart,
    /// The retransmission timer expired.
    Timeout,
    /// A mark was echoed: nothing is lost, the window is cut once in a round trip (RFC 3168 section 6.1.2).
    Mark,
}

impl Congestion {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::FastLoss => "fast_loss",
            Self::Restart => "restart",
            Self::Timeout => "timeout",
            Self::Mark => "mark",
        }
    }

    /// Returns true if the connection goes on with the reduced window, false if it begins again with one segment.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::FastLoss | Self::Mark)
    }
}

sample! {
    /// A loss, as an algorithm sees it.
    LossSample {
        /// The time.
        ["s"] now: Instant,
        /// The reason for the cut.
        [""] why: Congestion,
        /// Amount to be reduced: the data in flight or the window in use, segments (parameter `reduction`).
        ["segments"] base: f64,
        /// Whole segments only, before and after the reduction.
        [""] whole: bool,
        /// ssthresh in whole segments.
        [""] whole_ssthresh: bool,
        /// True if a cut milder than half applies neither to a loss in slow start nor to a timeout.
        [""] halve_in_slow_start: bool,
        /// True if control reno takes half: the cut is the connection's first, or met slow start, or begins it
        /// (parameter `early_halving`).
        [""] early: bool,
        /// The window a fast loss leaves is at least this many segments.
        ["segments"] floor: f64,
        /// The threshold stays as it is: this segment has timed out before (RFC 5681 section 3.1).
        [""] keep_ssthresh: bool,
        /// The segment that was lost; its times are known to algorithms that time segments.
        [""] oldest: Transmission,
        /// Factor of the window on a mark instead of the algorithm's own (ABE, RFC 8511); `None`: its own.
        [""] abe: Option<f64>,
        /// First unacknowledged segment: the one that was lost.
        [""] una: u64,
        /// Segments outstanding.
        ["segments"] outstanding: u64,
    }
}

impl LossSample {
    /// Returns true if the retransmission timer found it.
    pub fn timeout(&self) -> bool {
        self.why == Congestion::Timeout
    }

    /// Returns the loss with at most `cwnd` to reduce: segments that SACK shows to have arrived are outstanding, but
    /// not in flight, and a loss opens no window.
    pub fn within(self, cwnd: f64) -> Self {
        Self { base: self.base.min(cwnd), ..self }
    }

    /// Returns `factor` of the amount to be reduced, in whole segments if asked for.
    pub fn reduced(&self, factor: f64) -> f64 {
        if self.whole { libm::floor(libm::floor(self.base) * factor) } else { self.base * factor }
    }

    /// Returns the amount to be reduced minus `share` of it, in whole segments.
    pub fn less(&self, share: f64) -> f64 {
        let base = libm::floor(self.base);
        base - libm::floor(base * share)
    }

    /// Returns the slow-start threshold for a window of `window`: at least two segments (RFC 5681 equation 4).
    pub fn threshold(&self, window: f64) -> f64 {
        let window = if self.whole_ssthresh { libm::floor(window) } else { window };
        window.max(2.0)
    }
}

impl Shown for Congestion {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name())
    }
}

impl Shown for Transmission {
    fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transmission(sent={}, transmissions={})", self.sent.secs(), self.transmissions)
    }
}
