//! The window of every control, and the rules of RFC 5681 that most controls share.

use super::signals::{Congestion, LossSample};

/// Least window at which a segment can be sent, segments.
pub(crate) const LEAST: f64 = 1.0;

/// Congestion window (cwnd) and slow-start threshold (ssthresh), segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// Congestion window.
    pub cwnd: f64,
    /// Slow-start threshold.
    pub ssthresh: f64,
}

impl Window {
    /// Increases the window as in RFC 5681: below ssthresh by one segment for each of `count` increments,
    /// above ssthresh by `increase` segments per round trip.
    #[inline]
    pub fn grow(&mut self, count: f64, increase: f64) {
        if self.cwnd < self.ssthresh {
            let slow = count.min((self.ssthresh - self.cwnd).max(1.0));
            self.cwnd += slow;
            if slow < count {
                self.cwnd += increase * (count - slow) / self.cwnd;
            }
        } else {
            self.cwnd += increase * count / self.cwnd;
        }
    }

    /// Reduces the window as in RFC 5681: ssthresh becomes `factor` times `loss.base`, or on a mark ABE's
    /// factor (RFC 8511). The window becomes ssthresh if the sender continues, and one segment if it
    /// restarts.
    pub fn cut(&mut self, loss: &LossSample, factor: f64) {
        self.leave(loss, loss.reduced(loss.abe.unwrap_or(factor)));
    }

    /// Reduces the window and ssthresh to `left` segments. ssthresh is at least `loss.threshold`'s minimum;
    /// if `loss.keep_ssthresh` is true, it does not change. The window is at least `loss.floor`; after a
    /// restart or timeout it is one segment.
    pub fn leave(&mut self, loss: &LossSample, left: f64) {
        if !loss.keep_ssthresh {
            self.ssthresh = loss.threshold(left);
        }
        self.cwnd = match loss.why {
            // Only a floor below one segment allows a window below one segment. The endpoint then sends
            // nothing until its timer expires, as ns-2's does.
            Congestion::FastLoss => left.max(loss.floor),
            Congestion::Mark => left.max(loss.floor).max(LEAST),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
    }

    /// Reduces the window as [`Window::cut`] does. In slow start, and if the sender restarts with one
    /// segment, `factor` is limited to 1/2 if `loss.halve_in_slow_start` is set. Slow start has doubled the
    /// window in the last round trip, so after a smaller reduction many retransmissions would be lost again.
    /// `base` is limited to the window: at the end of recovery more can be outstanding, and a large factor of
    /// that would not reduce the window. A mark never reduces the window more than a loss.
    pub fn cut_in_avoidance(&mut self, loss: &LossSample, factor: f64) {
        let avoiding = loss.why.goes_on() && self.cwnd >= self.ssthresh;
        let factor = if avoiding || !loss.halve_in_slow_start { factor } else { factor.min(0.5) };
        let abe = loss.abe.map(|marked| marked.max(factor));
        self.cut(&LossSample { base: loss.base.min(self.cwnd), abe, ..*loss }, factor);
    }
}
