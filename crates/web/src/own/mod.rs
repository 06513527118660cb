//! A congestion control that a user of the page describes by two formulas.

mod formula;

use formula::Formula;
use serde::Deserialize;
use sim::scenario::ScenarioError;
use tcp::congestion::{
    AckSample, Algorithm, CongestionControl, Controls, Custom, LossSample, Reaction, Window,
};

/// Registry entry: `variant = "own"`.
const ALGORITHM: Algorithm = Algorithm {
    name: "own",
    summary: "a control by the formulas of the page's user",
    source: "the page's user",
    aliases: &[],
    linux: false,
    parameters: &[],
};

/// Names in formulas, in the order of [`Own::variables`]. Windows are in segments, times in seconds.
const NAMES: &[&str] = &["cwnd", "ssthresh", "rtt", "min_rtt", "flight", "time"];

/// The formulas as the page gives them.
#[derive(Debug, Deserialize)]
pub(crate) struct Formulas {
    /// Segments by which the window grows in a round trip above ssthresh.
    grow: String,
    /// Window after a loss, segments.
    cut: String,
}

impl Formulas {
    /// Returns the control.
    ///
    /// # Errors
    /// If a text is no formula.
    pub(crate) fn controls(&self) -> Result<Controls, ScenarioError> {
        let grow = Formula::parse("own.grow", &self.grow, NAMES)?;
        let cut = Formula::parse("own.cut", &self.cut, NAMES)?;
        let mut controls = Controls::default();
        controls.add(Custom::new(&ALGORITHM, move |_, window| Own {
            window,
            grow: grow.clone(),
            cut: cut.clone(),
            rtt: 0.0,
            min_rtt: 0.0,
        }));
        Ok(controls)
    }
}

/// State of the control in a connection.
#[derive(Clone, Debug)]
struct Own {
    window: Window,
    grow: Formula,
    cut: Formula,
    /// Latest round-trip time, s; 0 before the first sample.
    rtt: f64,
    /// Shortest round-trip time, s; 0 before the first sample.
    min_rtt: f64,
}

impl Own {
    /// Returns the values of [`NAMES`].
    fn variables(&self, flight: f64, time: f64) -> [f64; 6] {
        [self.window.cwnd, self.window.ssthresh, self.rtt, self.min_rtt, flight, time]
    }
}

impl CongestionControl for Own {
    tcp::own_window!();

    fn on_ack(&mut self, ack: &AckSample) {
        if let Some(rtt) = ack.rtt {
            self.rtt = rtt.secs();
            self.min_rtt = if self.min_rtt > 0.0 { self.min_rtt.min(self.rtt) } else { self.rtt };
        }
        if ack.grow {
            let variables = self.variables(ack.outstanding as f64, ack.now.secs());
            // In slow start the window grows by one segment for each segment acknowledged (RFC 5681); the formula
            // is not used.
            let increase =
                if self.window.cwnd < self.window.ssthresh { 1.0 } else { self.grow.value(&variables) };
            self.window.grow(ack.count, increase);
            // A formula may shrink the window, but a sender needs one segment. NaN stays, and the check of
            // each control's window reports it.
            if self.window.cwnd < 1.0 {
                self.window.cwnd = 1.0;
            }
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let left = self.cut.value(&self.variables(loss.base, loss.now.secs()));
        self.window.leave(loss, left);
        // `leave` takes the larger of the window and a floor, which would hide that the formula has no value.
        if left.is_nan() {
            self.window.cwnd = left;
        }
        Reaction::CUT
    }
}
