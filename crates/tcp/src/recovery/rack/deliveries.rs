//! Deliveries that acknowledgments show: times, order, and the factor of the reordering window (RFC 8985
//! section 6.2, steps 1 to 4).

use crate::congestion::Transmission;
use crate::stamps::timestamp;
use base::{Duration, Instant};

/// Recoveries without a D-SACK after which the reordering window shrinks again (section 6.2, step 4: RACK.reo_wnd_persist).
const PERSIST: u32 = 16;

/// State that RACK derives from deliveries (section 6.2, steps 1 to 4).
#[derive(Clone, Debug)]
pub(super) struct Deliveries {
    /// RACK.xmit_ts and RACK.end_seq: sending time and number of the last sent of the segments that have
    /// arrived.
    pub(super) newest: Option<(Instant, u64)>,
    /// RACK.rtt: round-trip time of the last sent of the segments that the last acknowledgment delivered.
    pub(super) rtt: Duration,
    /// RACK.min_RTT: least round-trip time of the connection.
    pub(super) min_rtt: Duration,
    /// RACK.fack: one more than the highest segment that has arrived.
    pub(super) fack: u64,
    /// RACK.reordering_seen: true once a segment that was sent only once has arrived after a higher one.
    pub(super) reordering_seen: bool,
    /// RACK.reo_wnd_mult: factor of the parameter `reordering_window`.
    pub(super) multiplier: u32,
    /// RACK.reo_wnd_persist: recoveries without a D-SACK until the multiplier is 1 again.
    persist: u32,
    /// RACK.dsack_round: the next D-SACK counts once this segment is the oldest unacknowledged one; `None`
    /// before the first D-SACK.
    dsack_round: Option<u64>,
    /// Sending time and number of the last sent of the segments that the current acknowledgment delivers.
    pub(super) latest: Option<(Instant, u64)>,
    /// Sending time of the first of the segments that the current acknowledgment delivers and that were sent
    /// only once.
    pub(super) earliest: Option<Instant>,
    /// True if there has been a sample of the round-trip time since the last probe.
    pub(super) measured: bool,
}

impl Default for Deliveries {
    fn default() -> Self {
        Self {
            newest: None,
            rtt: Duration::ZERO,
            min_rtt: Duration::from_ps(u64::MAX),
            fack: 0,
            reordering_seen: false,
            multiplier: 1,
            persist: 0,
            dsack_round: None,
            latest: None,
            earliest: None,
            measured: false,
        }
    }
}

impl Deliveries {
    /// Handles a D-SACK in an acknowledgment of all segments below `una`; `next` is the next new segment to send.
    pub(super) fn duplicated(&mut self, una: u64, next: u64) {
        if self.dsack_round.is_none_or(|round| una >= round) {
            self.dsack_round = Some(next);
            self.multiplier += 1;
            self.persist = PERSIST;
        }
    }

    /// Handles the end of a recovery: the last of `PERSIST` recoveries without a D-SACK resets the
    /// multiplier.
    pub(super) fn recovered(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.multiplier = 1;
        }
    }

    /// Records that segment `seq`, with the transmissions `sending`, has arrived; `echo` is the TSecr of its
    /// acknowledgment.
    #[inline]
    pub(super) fn deliver(&mut self, now: Instant, seq: u64, sending: Transmission, echo: Option<u32>) {
        let once = sending.transmissions == 1;
        if seq + 1 > self.fack {
            self.fack = seq + 1;
        } else if seq + 1 < self.fack && once {
            self.reordering_seen = true;
        }
        let rtt = now.since(sending.sent);
        if once {
            self.min_rtt = self.min_rtt.min(rtt);
            self.earliest.get_or_insert(sending.sent);
        } else if rtt < self.min_rtt
            || echo.is_some_and(|echo| (echo.wrapping_sub(timestamp(sending.sent)) as i32) < 0)
        {
            // Probably an earlier transmission has arrived, so the round-trip time is unknown.
            return;
        }
        self.measured = true;
        let this = (sending.sent, seq);
        if self.latest.is_none_or(|latest| this > latest) {
            self.latest = Some(this);
            self.rtt = rtt;
        }
        if self.newest.is_none_or(|newest| this > newest) {
            self.newest = Some(this);
        }
    }

    /// Records that all outstanding segments up to `last` have arrived, each of which was sent once; `last` was sent
    /// at `sent`.
    #[inline]
    pub(super) fn deliver_in_order(&mut self, now: Instant, last: u64, sent: Instant) {
        self.fack = last + 1;
        self.rtt = now.since(sent);
        self.min_rtt = self.min_rtt.min(self.rtt);
        self.measured = true;
        if self.newest.is_none_or(|newest| (sent, last) > newest) {
            self.newest = Some((sent, last));
        }
    }
}
