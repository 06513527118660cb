//! What a congestion control sees: acknowledgments, arrivals, losses; and what it answers to a loss.

use super::sample::{Shown, sample};
use base::{Duration, Instant};
use std::fmt;

sample! {
    /// An acknowledgment of new data, as an algorithm sees it.
    AckSample {
        /// The time.
        ["s"] now: Instant,
        /// What it counts for when the window grows: 1, or the segments it acknowledges.
        ["segments"] count: f64,
        /// First unacknowledged segment before it.
        [""] una_before: u64,
        /// First unacknowledged segment after it.
        [""] una: u64,
        /// Next segment to send.
        [""] next: u64,
        /// The receiver delays acknowledgments: one covers several segments as a rule, not only where a hole is filled.
        [""] delayed: bool,
        /// Round-trip time of the newest segment it acknowledges, where that segment was sent just once. For an algorithm that
        /// times segments there is one with nearly every acknowledgment, for others as often as the endpoint measures.
        ["s"] rtt: Option<Duration>,
        /// The endpoint's smoothed round-trip time, this acknowledgment's measurement included.
        ["s"] srtt: Option<Duration>,
        /// From the sending of the segment that it echoes the stamp of to its own sending by the receiver; only with timestamps.
        ["s"] one_way: Option<Duration>,
        /// Segments outstanding before it: sent, and not cumulatively acknowledged.
        ["segments"] outstanding: u64,
        /// Whether the window may grow: not where the acknowledgment only keeps or ends fast recovery.
        [""] grow: bool,
    }
}

impl AckSample {
    /// Whether the window held the sender back before this acknowledgment: as much was outstanding as `cwnd` let go. A
    /// window that is not used says nothing of the path (RFC 7661).
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

/// What an algorithm took a loss for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossClassification {
    /// A queue overflowed. What an algorithm that does not tell losses apart takes every loss for.
    Congestion,
    /// The path corrupted a packet: no reason to slow down.
    Random,
}

/// What an algorithm did about a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reaction {
    /// Whether this loss opened a reaction of its own, rather than belonging to one already answered.
    pub answered: bool,
    /// What it took the loss for.
    pub classification: LossClassification,
}

impl Reaction {
    /// The window was cut: the loss was taken for congestion.
    pub const CUT: Self = Self { answered: true, classification: LossClassification::Congestion };

    /// The loss was taken for `classification`, and answered accordingly.
    pub fn to(classification: LossClassification) -> Self {
        Self { answered: true, classification }
    }
}

/// When an outstanding segment was last sent, and how often.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transmission {
    /// When it was last sent.
    pub sent: Instant,
    /// How often it was sent.
    pub transmissions: u32,
}

/// Why the window is cut.
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
    /// Its name where words stand for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FastLoss => "fast_loss",
            Self::Restart => "restart",
            Self::Timeout => "timeout",
            Self::Mark => "mark",
        }
    }

    /// Whether the connection goes on with the reduced window, rather than begin again with one segment.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::FastLoss | Self::Mark)
    }
}

sample! {
    /// A loss, as an algorithm sees it.
    LossSample {
        /// The time.
        ["s"] now: Instant,
        /// Why the window is cut.
        [""] why: Congestion,
        /// What is reduced: the data in flight or the window in use, segments (parameter `reduction`).
        ["segments"] base: f64,
        /// Whole segments only, before and after the reduction.
        [""] whole: bool,
        /// ssthresh in whole segments.
        [""] whole_ssthresh: bool,
        /// A cut milder than half is none where slow start met the loss, or the timer found it.
        [""] halve_in_slow_start: bool,
        /// Control reno takes half: the cut is the connection's first, or met slow start, or begins it
        /// (parameter `early_halving`).
        [""] early: bool,
        /// The window a fast loss leaves is at least this many segments.
        ["segments"] floor: f64,
        /// The threshold stays as it is: this segment has timed out before (RFC 5681 section 3.1).
        [""] keep_ssthresh: bool,
        /// The segment that was lost; its times are known to algorithms that time segments.
        [""] oldest: Transmission,
        /// What multiplies the window on a mark in place of the algorithm's own factor (ABE, RFC 8511); its own where `None`.
        [""] abe: Option<f64>,
        /// First unacknowledged segment: the one that was lost.
        [""] una: u64,
        /// Segments outstanding.
        ["segments"] outstanding: u64,
    }
}

impl LossSample {
    /// Whether the retransmission timer found it.
    pub fn timeout(&self) -> bool {
        self.why == Congestion::Timeout
    }

    /// With no more than `cwnd` to reduce: segments that SACK shows to have arrived are outstanding, but not in flight, and
    /// a loss opens no window.
    pub fn within(self, cwnd: f64) -> Self {
        Self { base: self.base.min(cwnd), ..self }
    }

    /// `factor` of what is reduced, in whole segments where asked for.
    pub fn reduced(&self, factor: f64) -> f64 {
        if self.whole { libm::floor(libm::floor(self.base) * factor) } else { self.base * factor }
    }

    /// What is left where `share` of what is reduced is taken, in whole segments.
    pub fn less(&self, share: f64) -> f64 {
        let base = libm::floor(self.base);
        base - libm::floor(base * share)
    }

    /// The slow-start threshold that goes with a window of `window`: at least two segments (RFC 5681 equation 4).
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
