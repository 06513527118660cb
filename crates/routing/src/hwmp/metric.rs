//! The airtime metric of links (IEEE Std 802.11-2016, 14.9).
//!
//! c = (O + Bt / r) / (1 - e_f), in units of 0.01 TU. O is the overhead of a frame beside its Bt = 8192 bits
//! (interframe spaces, preamble, headers, ACK), r the data rate, e_f the share of frames of this size that fail. The
//! standard leaves the estimate of e_f open: here failed attempts / (attempts + 2), both of which count half after each
//! `loss_memory`. An unknown link is assumed good until it is tried, and a bad one is tried again some time.
//!
//! Attempts of both ends count. The receiver of a request adds the metric of a link, before it has sent anything over
//! it. With its own attempts alone, a link that loses every packet one way would be chosen again and again. In the
//! standard peers exchange link metric reports (14.8.3); here they know, and no frames are sent.

use base::{Duration, Instant};
use radio::access::Station;
use std::collections::BTreeMap;

/// 0.01 TU.
const UNIT_PS: f64 = 10_240_000.0;

/// Prior: successes credited to a link before any measurement.
const CREDIT: f64 = 2.0;

/// A station's measurements of its links.
#[derive(Clone, Debug)]
pub(super) struct LinkMetrics {
    /// O + Bt / r at the fastest rate, assumed for an untried link.
    frame: Duration,
    memory: Duration,
    each: BTreeMap<Station, LinkEstimate>,
}

#[derive(Clone, Copy, Debug)]
struct LinkEstimate {
    sent: f64,
    failed: f64,
    /// O + Bt / r at the rate of the last frame.
    frame: Duration,
    /// Packets given up since one was delivered.
    given_up: u32,
    /// Time up to which old attempts have been forgotten.
    since: Instant,
}

impl LinkMetrics {
    /// Creates the measurements; `frame` is the duration of a frame of 8192 bits at the fastest rate, with its
    /// overhead.
    pub(super) fn new(frame: Duration, memory: Duration) -> Self {
        Self { frame, memory, each: BTreeMap::new() }
    }

    /// Counts frames sent to a neighbour, and those of them that failed; updates the duration of one, if given.
    pub(super) fn attempted(
        &mut self,
        now: Instant,
        to: Station,
        frames: (u32, u32),
        frame: Option<Duration>,
    ) {
        self.reported(now, to, frames);
        let link = self.each.entry(to).or_insert(LinkEstimate::new(now, self.frame));
        link.frame = frame.unwrap_or(link.frame);
        if frames.0 > frames.1 {
            link.given_up = 0;
        }
    }

    /// Counts frames that a neighbour has sent, and those of them that failed.
    pub(super) fn reported(&mut self, now: Instant, from: Station, (sent, failed): (u32, u32)) {
        let link = self.each.entry(from).or_insert(LinkEstimate::new(now, self.frame));
        link.forget(now, self.memory);
        link.sent += f64::from(sent);
        link.failed += f64::from(failed);
    }

    /// Counts a packet to a neighbour that the MAC has given up; returns the number in a row.
    pub(super) fn given_up(&mut self, now: Instant, to: Station) -> u32 {
        let link = self.each.entry(to).or_insert(LinkEstimate::new(now, self.frame));
        link.given_up += 1;
        link.given_up
    }

    /// Returns the metric of the link to a neighbour, in units of 0.01 TU.
    pub(super) fn metric(&mut self, now: Instant, to: Station) -> u32 {
        let (frame, error) = self.each.get_mut(&to).map_or((self.frame, 0.0), |link| {
            link.forget(now, self.memory);
            (link.frame, link.failed / (link.sent + CREDIT))
        });
        libm::round(frame.ps() as f64 / UNIT_PS / (1.0 - error)).max(1.0) as u32
    }
}

impl LinkEstimate {
    const fn new(now: Instant, frame: Duration) -> Self {
        Self { sent: 0.0, failed: 0.0, frame, given_up: 0, since: now }
    }

    fn forget(&mut self, now: Instant, memory: Duration) {
        let mut passed = now.since(self.since);
        while passed >= memory {
            if self.sent < 1e-3 {
                (self.sent, self.failed, self.since) = (0.0, 0.0, now);
                return;
            }
            self.sent /= 2.0;
            self.failed /= 2.0;
            passed = passed - memory;
            self.since += memory;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::ms;

    #[test]
    fn metric_counts_airtime_and_losses() {
        let mut links = LinkMetrics::new(Duration::from_us(1024), Duration::from_secs(5));
        let to = Station(1);
        assert_eq!(links.metric(ms(0), to), 100);
        // 8 sent, 5 failed: e_f = 5 / 10.
        links.attempted(ms(0), to, (8, 5), None);
        assert_eq!(links.metric(ms(4999), to), 200);
        // Halved: 2.5 / (4 + 2), 100 / 0.5833 = 171.4.
        assert_eq!(links.metric(ms(5000), to), 171);
        // Twice more: 0.625 / (1 + 2), 126.3.
        assert_eq!(links.metric(ms(15_000), to), 126);
        assert_eq!(links.metric(ms(1_000_000), to), 100);
        // A slower rate, chosen by rate control: 2 TU a frame.
        links.attempted(ms(1_000_000), to, (1, 0), Some(Duration::from_us(2048)));
        assert_eq!(links.metric(ms(1_000_000), to), 200);
    }
}
