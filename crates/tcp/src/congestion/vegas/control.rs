//! State of Vegas, and its reaction to acknowledgments and losses.

use super::config::{Config, MIN_WINDOW, Rounds};
use super::least_round::{self, LeastRound};
use crate::congestion::control::{CongestionControl, FineTimeout, Needs, RecoveryStep, own_window};
use crate::congestion::signals::{
    AckSample, Congestion, LossClassification, LossSample, Reaction, Transmission,
};
use crate::congestion::window::Window;
use base::{Duration, Instant};

/// Number of acknowledgments after a retransmission that check the age of the oldest segment.
const CHECKED_AFTER_LOSS: u32 = 2;
/// Growth per acknowledgment in slow start, segments.
const SLOW_START: f64 = 1.0;
/// The window grows only while at most this number of segments of it are unused.
const UNUSED: f64 = 2.0;

/// State of Vegas.
#[derive(Clone, Debug)]
pub struct Vegas {
    pub(crate) window: Window,
    config: Config,
    /// Least round-trip time, seconds.
    base: f64,
    /// Round-trip times of the current round: sum (seconds) and number.
    sum: f64,
    samples: u32,
    /// The round ends when this segment is acknowledged.
    round_end: u64,
    round_began: Instant,
    /// Time at which the first segment was sent.
    opened: Instant,
    /// With slots: time of the retransmission of the first segment, if it was lost. Its round-trip time is
    /// measured from then.
    first_sent: Option<Instant>,
    /// Growth per acknowledgment, segments.
    step: f64,
    /// True if the window grows in this round of slow start.
    growing: bool,
    /// Fine-grained estimator: smoothed round-trip time and its deviation, seconds.
    fine: Option<(f64, f64)>,
    /// Fine-grained timeout, seconds.
    timeout: f64,
    /// Number of further acknowledgments that check the age of the oldest segment.
    checks: u32,
    /// Time of the last reduction because of a loss, and the window that it left: infinite before any loss, 0
    /// after a timeout.
    cut_at: Option<Instant>,
    cut_to: f64,
    /// State for `rounds` "least", "smoothed" and "linux"; `None` for "mean".
    least: Option<LeastRound>,
}

impl Vegas {
    /// Creates the state at the start of a connection.
    pub fn new(config: &Config, window: Window) -> Self {
        Self {
            window,
            config: *config,
            base: f64::INFINITY,
            sum: 0.0,
            samples: 0,
            round_end: 0,
            round_began: Instant::ZERO,
            opened: Instant::ZERO,
            first_sent: None,
            step: 0.0,
            growing: true,
            fine: None,
            timeout: f64::INFINITY,
            checks: 0,
            cut_at: None,
            cut_to: f64::INFINITY,
            least: (config.rounds != Rounds::Mean).then(LeastRound::new),
        }
    }

    fn begin(&mut self, now: Instant, rtt: Duration) {
        self.round_began = Instant::from_ps(now.ps() - rtt.ps());
        self.opened = self.round_began;
        let rtt = rtt.secs();
        self.base = rtt;
        self.fine = Some((rtt, rtt / 4.0));
        self.timeout = 1.5 * rtt;
    }

    fn measured(&mut self, rtt: f64) {
        self.sum += rtt;
        self.samples += 1;
        self.base = self.base.min(rtt);
        if let Some((mean, deviation)) = &mut self.fine {
            let error = rtt - *mean;
            *mean += error / 8.0;
            *deviation += (error.abs() - *deviation) / 4.0;
            self.timeout = (*mean + 2.0 * *deviation) * (17.0 / 16.0);
        }
    }

    /// Ends a round: compares the expected rate with the actual rate, and sets the growth of the window.
    fn end_round(&mut self, ack: &AckSample) {
        let rtt = if self.samples > 0 {
            self.sum / f64::from(self.samples)
        } else {
            ack.now.since(self.round_began).secs()
        };
        self.sum = 0.0;
        self.samples = 0;
        if rtt > 0.0 {
            let sent = ack.next.saturating_sub(self.round_end);
            if rtt < self.base || sent <= 1 {
                self.base = rtt;
            }
            let actual = sent as f64 / rtt;
            let expected = (ack.next - ack.una + 1) as f64 / self.base;
            let queued = libm::floor((expected - actual) * self.base + 0.5);
            let window = &mut self.window;
            if window.cwnd < window.ssthresh {
                // The window grows in every other round. The queue is compared with gamma only at the
                // beginning of these rounds.
                self.growing = !self.growing;
                self.step = 0.0;
                if self.growing && queued > self.config.gamma {
                    window.ssthresh = 2.0;
                    window.cwnd = (window.cwnd - window.cwnd / 8.0).max(MIN_WINDOW);
                } else if self.growing {
                    self.step = SLOW_START;
                }
            } else if queued > self.config.beta {
                window.cwnd = (window.cwnd - 1.0).max(MIN_WINDOW);
                self.step = 0.0;
            } else if queued < self.config.alpha {
                self.step = 1.0 / window.cwnd;
            } else {
                self.step = 0.0;
            }
        }
        self.round_end = ack.next;
        self.round_began = ack.now;
    }
}

impl CongestionControl for Vegas {
    own_window!();

    fn needs(&self) -> Needs {
        // The form of ns-3 uses the endpoint's samples of the round-trip time.
        let segment_times = self.config.rounds != Rounds::Smoothed;
        let Config { slots, unsent_expired, keeps_inflation, .. } = self.config;
        let fine = FineTimeout { slots, unsent_expired, keeps_inflation };
        let fine_timeout = self.least.is_none().then_some(fine);
        Needs { segment_times, fine_timeout, opens_late: self.least.is_none(), ..Needs::default() }
    }

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(least) = &mut self.least {
            least.on_ack(&mut self.window, &self.config, ack);
            return;
        }
        // The first round-trip time initializes the estimators, and is no sample of the round.
        let first = self.fine.is_none();
        if first && let Some(rtt) = ack.rtt.or(self.first_sent.map(|sent| ack.now.since(sent))) {
            self.begin(ack.now, rtt);
        }
        if ack.una > self.round_end {
            self.end_round(ack);
        }
        // Slow start ends at ssthresh, also within a round.
        if self.step == SLOW_START && self.window.cwnd >= self.window.ssthresh {
            self.step = 0.0;
        }
        // Segments newly acknowledged. If the receiver does not delay acknowledgments, an acknowledgment of
        // several segments has filled a hole, and counts as one segment.
        let acked = if ack.delayed { ack.una - ack.una_before } else { 1 };
        if self.window.cwnd - (ack.next - ack.una + acked) as f64 <= UNUSED {
            self.window.cwnd += self.step;
        }
        // With slots, a segment that was sent at time zero, together with the first one, counts as having no
        // sending time.
        let timed = |rtt: &Duration| !self.config.slots || ack.now.since(self.opened) != *rtt;
        if let Some(rtt) = ack.rtt.filter(|_| !first).filter(timed) {
            self.measured(rtt.secs());
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        if let Some(least) = &mut self.least {
            match self.config.rounds {
                Rounds::Smoothed => {
                    let base = least_round::lower(&self.window);
                    self.window.cut(&LossSample { base, abe: None, ..*loss }, 1.0);
                }
                Rounds::Mean | Rounds::Least | Rounds::Linux => self.window.cut(loss, 0.5),
            }
            least.lost(loss.una + loss.outstanding);
            return Reaction::CUT;
        }
        match loss.why {
            Congestion::FastLoss => {
                self.timeout *= if loss.oldest.transmissions > 1 { 2.0 } else { 1.125 };
                let known = loss.oldest.transmissions > 0;
                let cuts = known && self.cut_at.is_none_or(|cut| cut < loss.oldest.sent);
                if cuts {
                    let window = libm::floor(loss.base);
                    self.window.cwnd = if window <= 3.0 {
                        MIN_WINDOW
                    } else if loss.oldest.transmissions > 1 {
                        libm::floor(window / 2.0)
                    } else {
                        window - libm::floor(window / 4.0)
                    };
                    self.cut_to = self.window.cwnd;
                    self.cut_at = Some(loss.now);
                }
                Reaction { answered: cuts, classification: LossClassification::Congestion }
            }
            Congestion::Mark => {
                self.window.cwnd = (libm::floor(loss.base) * 0.75).max(MIN_WINDOW);
                self.window.ssthresh = self.window.ssthresh.min(self.window.cwnd).max(MIN_WINDOW);
                self.step = 0.0;
                Reaction::CUT
            }
            Congestion::Restart | Congestion::Timeout => {
                if !loss.keep_ssthresh {
                    self.window.ssthresh = loss.threshold(loss.reduced(0.5));
                }
                self.window.cwnd = MIN_WINDOW;
                self.cut_to = 0.0;
                self.cut_at = Some(loss.now);
                if self.config.slots && self.fine.is_none() {
                    // A retransmitted SYN restarts the clock of ns-2's Vegas, but the time of the reduction
                    // keeps its value on the former clock.
                    self.first_sent = Some(loss.now);
                    self.cut_at = Some(loss.now + loss.now.since(loss.oldest.sent));
                }
                Reaction::CUT
            }
        }
    }

    fn on_handshake(&mut self, _: Instant, rtt: Duration) {
        if let Some(least) = &mut self.least {
            least.on_handshake(&self.config, rtt);
        }
    }

    fn on_recovery(&mut self, _now: Instant, step: RecoveryStep) {
        if self.least.is_some() {
            return;
        }
        match step {
            RecoveryStep::Retransmission { outstanding } => {
                self.checks = CHECKED_AFTER_LOSS.min(outstanding as u32);
            }
            RecoveryStep::Deflation { inflation } => {
                // Restores the window that the last reduction left, and ends slow start with the least
                // ssthresh. A retransmission that did not reduce the window may have inflated it up to that
                // value; ns-2 keeps this inflation.
                let kept = if self.config.keeps_inflation { inflation as f64 } else { 0.0 };
                // ns-2 also restores the window of 0 that a timeout leaves: no segment is sent until the
                // timer expires again.
                if self.cut_to > 0.0 || self.config.keeps_inflation {
                    self.window.cwnd = (self.window.cwnd + kept).min(self.cut_to);
                }
                self.window.ssthresh = MIN_WINDOW;
            }
            RecoveryStep::End => {}
        }
    }

    fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
        if new_data && self.checks == 0 {
            return false;
        }
        // A segment without sending time counts as sent one second before the first segment.
        let known = oldest.transmissions > 0;
        let age =
            if known { now.since(oldest.sent) } else { now.since(self.opened) + Duration::from_secs(1) };
        let expired = age.secs() >= self.timeout;
        if new_data {
            self.checks = if expired { self.checks - 1 } else { 0 };
        }
        expired
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::congestion::fixtures::loss;

    /// In ns-3's traces a loss reduces the window from 13 to 12 if ssthresh was never reached, and from 9 or
    /// 7 to 6 if ssthresh was 6 before.
    #[test]
    fn a_loss_costs_ns3s_vegas_one_segment() {
        let defaults = Config::new(&|name| super::super::config::ALGORITHM.default_of(name));
        let config = Config { alpha: 2.0, beta: 4.0, rounds: Rounds::Smoothed, ..defaults };
        for (cwnd, ssthresh, left) in
            [(13.0, f64::INFINITY, 12.0), (9.0, 6.0, 6.0), (7.0, 6.0, 6.0), (2.0, 9.0, 2.0)]
        {
            let mut vegas = Vegas::new(&config, Window { cwnd, ssthresh });
            vegas.on_congestion(&loss(5.0, 20, 29));
            assert_eq!(vegas.window, Window { cwnd: left, ssthresh: left });
        }
    }
}
