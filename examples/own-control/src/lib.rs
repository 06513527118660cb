//! A congestion control outside of ackclock: a loss multiplies its window by `beta`. It traces the number of reductions.

use tcp::congestion::{
    AckSample, Algorithm, CongestionControl, Controls, Custom, LossSample, Parameter, Reaction, Window,
};

/// Registry entry: `variant = "gentle"` names it, `control = { beta = 0.8 }` sets its parameter.
pub const ALGORITHM: Algorithm = Algorithm {
    name: "gentle",
    summary: "additive increase, and a decrease of one's own",
    source: "this crate",
    aliases: &[],
    linux: false,
    parameters: &[Parameter {
        name: "beta",
        unit: "",
        default: 0.7,
        min: 0.1,
        max: 0.99,
        choices: &[],
        summary: "what a loss leaves of the window",
    }],
};

/// State of the control in one connection.
#[derive(Clone, Debug)]
pub struct Gentle {
    window: Window,
    beta: f64,
    cuts: u32,
}

impl CongestionControl for Gentle {
    tcp::own_window!();

    fn on_ack(&mut self, ack: &AckSample) {
        if ack.grow {
            self.window.grow(ack.count, 1.0);
        }
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.cuts += 1;
        self.window.cut(loss, self.beta);
        Reaction::CUT
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        show("cuts", f64::from(self.cuts));
    }
}

/// Returns the congestion controls that this crate adds.
pub fn controls() -> Controls {
    let mut controls = Controls::default();
    controls.add(Custom::new(&ALGORITHM, |values, window| Gentle { window, beta: values[0], cuts: 0 }));
    controls
}
