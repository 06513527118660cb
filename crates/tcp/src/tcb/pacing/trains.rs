//! Trains of segments, as a host with segmentation offload (TSO, GSO) sends them.
//!
//! Linux, by the descriptions of `tcp_min_tso_segs`, `tcp_tso_rtt_log`, `tcp_tso_win_divisor`, `tcp_pacing_ss_ratio` and
//! `tcp_pacing_ca_ratio` in ip-sysctl, and by experiments with 6.12:
//!
//! ```text
//! bytes of a train = pacing rate / 1024 + 64 KiB / 2^(RTTmin / 512 us)    at least 2 segments, at most `gso`
//! pacing rate      = the control's, or 2 cwnd / SRTT in slow start, 1.2 cwnd / SRTT after it
//! ```
//!
//! A train waits until cwnd has room for it or for a third of cwnd, but only outside recovery, and only within 1 ms of the
//! last transmission. A train of two segments does not wait. The last segment of a train has PSH, so that the receiver
//! acknowledges it at once. A paced sender sends a train without gaps, and then waits as long as its segments take at
//! the pacing rate. Left out: limits on the data in the host's own queue (`tcp_limit_output_bytes`).
//!
//! The experiments, with a queue of a bandwidth-delay product: at 100 Mb/s and 20 ms trains have 9 segments, as 1.2 cwnd / SRTT
//! is 9.96 segments in 1/1024 s. In slow start they have 18 of 20, because nine acknowledgments take more than 1 ms.
//! At 10 Mb/s, where a train has two segments, the third segment that growth allows leaves at once.

use base::{Duration, Instant};

/// Trains per second if the pacing rate alone decides their size.
const PER_SECOND: f64 = 1024.0;
/// Least number of segments in a train.
pub(super) const LEAST: u64 = 2;
/// Pacing rate, bit/s, below which a control's own rate gives trains of one segment (BBR draft, section 4.2.2).
const SLOW: f64 = 1.2e6;
/// Bytes that a train has in addition at the shortest round-trip times; halved for each `HALVING` of RTTmin.
const NEAR: u64 = 65_536;
const HALVING: Duration = Duration::from_us(512);
/// Share of cwnd that is sent even if it is less than a train.
pub(super) const SHARE: u64 = 3;
/// Time since the last transmission after which nothing waits.
pub(super) const PATIENCE: Duration = Duration::from_ms(1);

/// State of one sender's trains.
#[derive(Clone, Debug)]
pub(super) struct Trains {
    /// Largest number of segments in a train.
    most: u64,
    /// Segments of the current train that have not been sent.
    left: u64,
    /// True if the current train has more than one segment.
    several: bool,
    /// Time at which the current train began.
    began: Instant,
    /// Least smoothed round-trip time so far.
    least: Duration,
    /// True if the window had room for segments that wait for their train.
    pub(super) waits: bool,
    /// Time that the sent segments of the current train take at the pacing rate.
    owed: Duration,
}

impl Trains {
    /// Creates the state of trains of at most `most` segments; returns `None` if each segment is sent by itself.
    pub(super) fn new(most: u32) -> Option<Self> {
        (most > 1).then(|| Self {
            most: most.into(),
            left: 0,
            several: false,
            began: Instant::ZERO,
            least: Duration::from_ps(u64::MAX),
            waits: false,
            owed: Duration::ZERO,
        })
    }

    /// Adds the time `gap` that a segment takes at the pacing rate; returns the time until the next train after
    /// the last segment of a train, and `None` after its other segments.
    pub(super) fn add_gap(&mut self, gap: Duration) -> Option<Duration> {
        self.owed += gap;
        (self.left == 0).then(|| std::mem::take(&mut self.owed))
    }

    /// Returns true if the next segment continues a train that began at `now`, and counts it.
    pub(super) fn continues(&mut self, now: Instant) -> bool {
        let continues = self.began == now && self.left > 0;
        self.left -= u64::from(continues);
        continues
    }

    /// Returns true if the segment that is being sent is the last of a train of several.
    pub(super) fn ends(&self) -> bool {
        self.several && self.left == 0
    }

    /// Begins a train of `segments` at `now` with its first segment.
    pub(super) fn begin(&mut self, now: Instant, segments: u64) {
        self.began = now;
        self.left = segments.saturating_sub(1);
        self.several = self.left > 0;
    }

    /// Returns the number of segments of `payload` bytes in a train that a pacing rate of `rate` segments per second
    /// gives; `own` is true if that rate is congestion control's.
    pub(super) fn size(&mut self, rate: f64, payload: u64, srtt: Option<Duration>, own: bool) -> u64 {
        self.least = srtt.map_or(self.least, |srtt| srtt.min(self.least));
        let halvings = (self.least.ps() / HALVING.ps()).min(63);
        let bytes = (rate * payload as f64 / PER_SECOND) as u64 + (NEAR >> halvings);
        let slow = own && rate * ((8 * payload) as f64) < SLOW;
        (bytes / payload).max(if slow { 1 } else { LEAST }).min(self.most)
    }
}
