//! Samples that a congestion control receives (acknowledgments, arrivals, losses), and its reaction to a
//! loss.

use super::sample::{Shown, sample};
use base::{Duration, Instant};
use std::fmt;

sample! {
    /// An acknowledgment of new data, as a control sees it.
    AckSample {
        /// Time of arrival.
        ["s"] now: Instant,
        /// Increments for the growth of the window: 1, or the number of segments acknowledged.
        ["segments"] count: f64,
        /// First unacknowledged segment before this acknowledgment.
        [""] una_before: u64,
        /// First unacknowledged segment after this acknowledgment.
        [""] una: u64,
        /// Next new segment to send.
        [""] next: u64,
        /// True if the receiver delays acknowledgments, so that an acknowledgment normally covers several
        /// segments.
        [""] delayed: bool,
        /// Round-trip time of the newest acknowledged segment, if that segment was sent only once. Controls
        /// with `segment_times` get a value with nearly every acknowledgment, others whenever the endpoint
        /// takes a sample.
        ["s"] rtt: Option<Duration>,
        /// The endpoint's smoothed round-trip time, including this acknowledgment's sample.
        ["s"] srtt: Option<Duration>,
        /// One-way delay from sending the segment whose timestamp is echoed to sending this acknowledgment;
        /// only with timestamps. If acknowledgments are delayed, the smaller of this delay and that of the
        /// newest acknowledged segment.
        ["s"] one_way: Option<Duration>,
        /// Segments outstanding before this acknowledgment: sent, and not cumulatively acknowledged.
        ["segments"] outstanding: u64,
        /// True if the window may grow; false if the acknowledgment only continues or ends fast recovery.
        [""] grow: bool,
    }
}

impl AckSample {
    /// Returns true if the window limited the sender before this acknowledgment: as many segments were
    /// outstanding as `cwnd` allows. A window that is not used gives no information about the path (RFC
    /// 7661).
    pub fn window_limited(&self, cwnd: f64) -> bool {
        self.outstanding as f64 + 1.0 > cwnd
    }
}

sample! {
    /// An acknowledgment of any kind, reported before loss recovery handles it, to controls that ask for arrivals.
    Arrival {
        /// Time of arrival.
        ["s"] now: Instant,
        /// Segments newly acknowledged cumulatively; 0: a duplicate, which shows that one segment has
        /// arrived.
        ["segments"] acked: u64,
        /// Segments outstanding before this acknowledgment.
        ["segments"] outstanding: u64,
        /// Payload of a full segment.
        ["B"] segment: u64,
        /// The endpoint's smoothed round-trip time before this acknowledgment.
        ["s"] srtt: Option<Duration>,
        /// True if the acknowledgment has ECE set (echo of a mark).
        [""] marked: bool,
    }
}

/// A control's classification of a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LossClassification {
    /// A queue overflowed. Controls that do not classify losses use this for every loss.
    Congestion,
    /// The path corrupted a packet, which is no reason to send less.
    Random,
}

/// A control's reaction to a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reaction {
    /// True if the control treats the loss as a new one, false if it belongs to a loss to which the control
    /// has already reacted.
    pub answered: bool,
    /// Cause of the loss that the control infers.
    pub classification: LossClassification,
}

impl Reaction {
    /// The usual reaction: the window was reduced, and the loss counts as congestion.
    pub const CUT: Self = Self { answered: true, classification: LossClassification::Congestion };

    /// Returns the reaction to a new loss with this classification.
    pub fn to(classification: LossClassification) -> Self {
        Self { answered: true, classification }
    }
}

/// Transmissions of an outstanding segment.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Transmission {
    /// Time of the last transmission.
    pub sent: Instant,
    /// Number of transmissions.
    pub transmissions: u32,
}

/// Reason for a reduction of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Congestion {
    /// A loss detected by acknowledgments; the sender continues with the reduced window.
    FastLoss,
    /// A loss detected by acknowledgments; the sender restarts with a window of one segment (`tahoe`,
    /// `fack`).
    Restart,
    /// The retransmission timer expired.
    Timeout,
    /// ECE was received: no segment is lost, and the window is reduced at most once per round trip (RFC 3168
    /// section 6.1.2).
    Mark,
}

impl Congestion {
    /// Returns the name of the reason, as Python controls see it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FastLoss => "fast_loss",
            Self::Restart => "restart",
            Self::Timeout => "timeout",
            Self::Mark => "mark",
        }
    }

    /// Returns true if the sender continues with the reduced window, false if it restarts with one segment.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::FastLoss | Self::Mark)
    }
}

sample! {
    /// A loss or mark, as a control sees it.
    LossSample {
        /// Time of detection.
        ["s"] now: Instant,
        /// Reason for the reduction.
        [""] why: Congestion,
        /// Quantity to be reduced: FlightSize, the window in use, or pipe (parameter `reduction`).
        ["segments"] base: f64,
        /// True if the quantity is rounded down to whole segments, before and after the reduction.
        [""] whole: bool,
        /// True if ssthresh is rounded down to whole segments.
        [""] whole_ssthresh: bool,
        /// True if the window must be at least halved after a loss in slow start or a timeout.
        [""] halve_in_slow_start: bool,
        /// True if control reno must halve the window: at the connection's first reduction, in slow start,
        /// and at a timeout (parameter `early_halving`).
        [""] early: bool,
        /// Least window after a loss detected by acknowledgments, or after a mark.
        ["segments"] floor: f64,
        /// True if ssthresh must not change, because this segment has timed out before (RFC 5681 section
        /// 3.1).
        [""] keep_ssthresh: bool,
        /// Transmissions of the lost segment; valid only for controls with `segment_times`.
        [""] oldest: Transmission,
        /// Factor of the window on a mark (ABE, RFC 8511); `None`: the control's own factor.
        [""] abe: Option<f64>,
        /// First unacknowledged segment, which is the lost one.
        [""] una: u64,
        /// Segments outstanding.
        ["segments"] outstanding: u64,
    }
}

impl LossSample {
    /// Returns true if the retransmission timer detected the loss.
    pub fn timeout(&self) -> bool {
        self.why == Congestion::Timeout
    }

    /// Returns the loss with `base` limited to `cwnd`. Segments that SACK shows to have arrived are
    /// outstanding but not in flight, and a loss must not increase the window.
    pub fn within(self, cwnd: f64) -> Self {
        Self { base: self.base.min(cwnd), ..self }
    }

    /// Returns `factor` times `base`, in whole segments if `whole` is set.
    pub fn reduced(&self, factor: f64) -> f64 {
        if self.whole { libm::floor(libm::floor(self.base) * factor) } else { self.base * factor }
    }

    /// Returns `base` minus `share` times `base`, in whole segments.
    pub fn less(&self, share: f64) -> f64 {
        let base = libm::floor(self.base);
        base - libm::floor(base * share)
    }

    /// Returns ssthresh for `window`, the window already reduced, segments: rounded down if `whole_ssthresh` is
    /// set, and at least two segments (the lower bound in RFC 5681 equation 4).
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
