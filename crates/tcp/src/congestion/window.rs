//! The window of every control, and the rules of RFC 5681 that most of them share.

use super::signals::{Congestion, LossSample};

/// The least window, segments: with less nothing could be sent.
pub(crate) const LEAST: f64 = 1.0;

/// The two variables that every algorithm keeps, in segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// Congestion window.
    pub cwnd: f64,
    /// Slow-start threshold.
    pub ssthresh: f64,
}

impl Window {
    /// Grows as in RFC 5681: one segment for each counted acknowledgment below ssthresh, `increase` segments per round
    /// trip above it.
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

    /// Cuts as in RFC 5681, to `factor` of the amount to be reduced (by a mark's own factor if RFC 8511 gives one). The
    /// result is the new ssthresh. It is also the new window if recovery goes on with it; else the window is one
    /// segment.
    pub fn cut(&mut self, loss: &LossSample, factor: f64) {
        self.leave(loss, loss.reduced(loss.abe.unwrap_or(factor)));
    }

    /// Cuts to `left` segments.
    pub fn leave(&mut self, loss: &LossSample, left: f64) {
        if !loss.keep_ssthresh {
            self.ssthresh = loss.threshold(left);
        }
        self.cwnd = match loss.why {
            // Below a segment only if the floor is: the endpoint then waits for its timer, as in ns-2.
            Congestion::FastLoss => left.max(loss.floor),
            Congestion::Mark => left.max(loss.floor).max(LEAST),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
    }

    /// Cuts to `factor` of the amount to be reduced if the loss came in congestion avoidance; in slow start or at a
    /// timeout, to at most half. Slow start had doubled the window in the last round trip, and after a milder cut much
    /// of the recovery's transmissions is lost again. The amount is the window at most: as recovery ends, more may be
    /// outstanding, and a mild factor of that would be no cut. A mark never takes more than a loss.
    pub fn cut_in_avoidance(&mut self, loss: &LossSample, factor: f64) {
        let avoiding = loss.why.goes_on() && self.cwnd >= self.ssthresh;
        let factor = if avoiding || !loss.halve_in_slow_start { factor } else { factor.min(0.5) };
        let abe = loss.abe.map(|marked| marked.max(factor));
        self.cut(&LossSample { base: loss.base.min(self.cwnd), abe, ..*loss }, factor);
    }
}
