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
    /// Growth as in RFC 5681: one segment for each counted acknowledgment below ssthresh, `increase` segments per round
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

    /// A cut as in RFC 5681, to `factor` of what is reduced (a mark's own factor where RFC 8511 gives one): ssthresh takes
    /// what is left, the window too where recovery goes on with it, else one segment.
    pub fn cut(&mut self, loss: &LossSample, factor: f64) {
        self.leave(loss, loss.reduced(loss.abe.unwrap_or(factor)));
    }

    /// A cut that leaves `left` segments.
    pub fn leave(&mut self, loss: &LossSample, left: f64) {
        if !loss.keep_ssthresh {
            self.ssthresh = loss.threshold(left);
        }
        self.cwnd = match loss.why {
            Congestion::FastLoss | Congestion::Mark => left.max(loss.floor).max(LEAST),
            Congestion::Restart | Congestion::Timeout => 1.0,
        };
    }

    /// A cut to `factor` of what is reduced where congestion avoidance met the loss. Where the timer expired or slow start
    /// met it, to no more than half: slow start had doubled the window in the last round trip, and with a milder cut much
    /// of what recovery sends is lost again. What is reduced is the window at most: as recovery ends, more may be
    /// outstanding, and a mild factor of that would be no cut. A mark never takes more than a loss.
    pub fn cut_in_avoidance(&mut self, loss: &LossSample, factor: f64) {
        let avoiding = loss.why.goes_on() && self.cwnd >= self.ssthresh;
        let factor = if avoiding || !loss.halve_in_slow_start { factor } else { factor.min(0.5) };
        let abe = loss.abe.map(|marked| marked.max(factor));
        self.cut(&LossSample { base: loss.base.min(self.cwnd), abe, ..*loss }, factor);
    }
}
