//! The airtime metric of links (IEEE Std 802.11-2016, 14.9).
//!
//! c = (O + Bt / r) / (1 - e_f), in units of 0.01 TU. Bt is 8192 bits, the size of the test frame. O is the frame's
//! overhead (interframe spaces, preamble, headers, ACK), r the data rate, e_f the frame error rate. The standard
//! leaves the estimate of e_f open. Here it is failed / (sent + 2), and both counts are halved every `loss_memory`.
//! So e_f is 0 for an untried link, and a bad link is tried again after a while.
//!
//! The counts include frames in both directions. The receiver of a PREQ adds the metric of the link, often before
//! it has sent a frame over that link. If it counted only its own frames, a link that loses every packet in the
//! other direction would be chosen again and again. In the standard, peers exchange link metric reports (14.8.3).
//! In this model each peer knows the other's counts without such reports.

use base::{Duration, Instant};
use radio::access::Station;
use std::collections::BTreeMap;

/// 0.01 TU, in ps: the unit of the metric.
const UNIT_PS: f64 = 10_240_000.0;

/// Frames without failure that are credited to each link in the estimate of e_f.
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
    /// Packets on which the MAC has given up since the last successful frame.
    given_up: u32,
    /// Time up to which the counts have been halved.
    since: Instant,
}

impl LinkMetrics {
    /// Creates the measurements. `frame` is O + Bt / r at the fastest rate; `memory` is the half-life of the counts.
    pub(super) fn new(frame: Duration, memory: Duration) -> Self {
        Self { frame, memory, each: BTreeMap::new() }
    }

    /// Adds frames sent to a neighbour, as (sent, failed). `frame`, if given, is the new O + Bt / r of the link.
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

    /// Adds frames on the link to a neighbour, as (sent, failed).
    pub(super) fn reported(&mut self, now: Instant, from: Station, (sent, failed): (u32, u32)) {
        let link = self.each.entry(from).or_insert(LinkEstimate::new(now, self.frame));
        link.forget(now, self.memory);
        link.sent += f64::from(sent);
        link.failed += f64::from(failed);
    }

    /// Counts a packet on which the MAC has given up; returns the number of such packets in a row.
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
        // 5 of 8 frames failed: with two frames counted in advance e_f = 5 / 10.
        links.attempted(ms(0), to, (8, 5), None);
        assert_eq!(links.metric(ms(4999), to), 200);
        // After one interval the counts are halved: e_f = 2.5 / (4 + 2), and the metric is 100 / 0.5833 = 171.4.
        assert_eq!(links.metric(ms(5000), to), 171);
        // Two intervals later the counts are a quarter of these: e_f = 0.625 / (1 + 2), and the metric is
        // 126.3.
        assert_eq!(links.metric(ms(15_000), to), 126);
        assert_eq!(links.metric(ms(1_000_000), to), 100);
        // Rate control has chosen a slower rate, at which the test frame takes 2 TU.
        links.attempted(ms(1_000_000), to, (1, 0), Some(Duration::from_us(2048)));
        assert_eq!(links.metric(ms(1_000_000), to), 200);
    }
}
