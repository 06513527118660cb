//! Congestion control: one file or folder per algorithm, one line here to register it.

mod algorithm;
pub mod bbr;
pub mod bbr3;
pub mod bic;
pub mod compound;
mod control;
pub mod copa;
pub mod cubic;
pub mod dctcp;
#[cfg(test)]
mod fixtures;
pub mod highspeed;
pub mod htcp;
pub mod hybla;
pub mod illinois;
pub mod ledbat;
pub mod lp;
pub mod reno;
mod round_trips;
pub mod scalable;
mod signals;
mod steps;
pub mod tcpw_i;
pub mod vegas;
pub mod veno;
pub mod westwood;
pub mod westwood_plus;
mod window;
mod written;
pub mod yeah;

pub use algorithm::{Algorithm, Parameter};
pub(crate) use control::{CongestionControl, Needs, RecoveryStep};
pub use signals::{AckSample, Arrival, Congestion, LossSample, Reaction, Transmission, Verdict};
pub use window::Window;
pub(crate) use written::schema;

use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

macro_rules! algorithms {
    ($($variant:ident => $module:ident),+ $(,)?) => {
        /// A congestion control and its parameters: what a scenario chooses and a connection builds.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Control {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $variant($module::Config)),+
        }

        impl Control {
            /// Every algorithm there is, in order of registration.
            pub const ALL: &'static [&'static Algorithm] = &[$(&$module::ALGORITHM),+];

            /// The algorithm called `name`, its parameters at their defaults but for `values` (name, value), which the
            /// caller has checked against [`Algorithm::parameters`]; `None` where there is no such algorithm.
            pub fn by_name(name: &str, values: &[(String, f64)]) -> Option<Self> {
                $(if name == $module::ALGORITHM.name {
                    return Some(Self::$variant($module::Config::new(&|parameter| {
                        let given = values.iter().rev().find(|(n, _)| n == parameter).map(|(_, v)| *v);
                        given.unwrap_or_else(|| $module::ALGORITHM.default_of(parameter))
                    })));
                })+
                None
            }

            /// Its state at the start of a connection.
            pub(crate) fn build(&self, window: Window) -> State {
                match self { $(Self::$variant(config) => State::$variant($module::$variant::new(config, window))),+ }
            }

            /// What the algorithm says of itself.
            pub fn algorithm(&self) -> &'static Algorithm {
                match self { $(Self::$variant(_) => &$module::ALGORITHM),+ }
            }

            /// The values of its parameters, in the order of [`Algorithm::parameters`].
            pub fn values(&self) -> Vec<f64> {
                match self { $(Self::$variant(config) => config.values()),+ }
            }
        }

        /// The state of whichever algorithm a connection runs.
        #[derive(Clone, Debug)]
        pub(crate) enum State {
            $($variant($module::$variant)),+
        }

        impl State {
            /// The window of the algorithm.
            #[inline]
            pub(crate) fn window(&self) -> &Window {
                match self { $(Self::$variant(s) => &s.window),+ }
            }

            /// Its window, for the endpoint's own rules (opening, clamping, NewReno's deflation).
            #[inline]
            pub(crate) fn window_mut(&mut self) -> &mut Window {
                match self { $(Self::$variant(s) => &mut s.window),+ }
            }
        }

        impl CongestionControl for State {
            fn needs(&self) -> Needs {
                match self { $(Self::$variant(s) => s.needs()),+ }
            }
            fn give_stream(&mut self, rng: Rng) {
                match self { $(Self::$variant(s) => s.give_stream(rng)),+ }
            }
            fn on_handshake(&mut self, rtt: Duration) {
                match self { $(Self::$variant(s) => s.on_handshake(rtt)),+ }
            }
            fn on_arrival(&mut self, arrival: &Arrival) {
                match self { $(Self::$variant(s) => s.on_arrival(arrival)),+ }
            }
            #[inline]
            fn on_ack(&mut self, ack: &AckSample) {
                match self { $(Self::$variant(s) => s.on_ack(ack)),+ }
            }
            fn on_rate(&mut self, sample: &RateSample) {
                match self { $(Self::$variant(s) => s.on_rate(sample)),+ }
            }
            fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
                match self { $(Self::$variant(s) => s.on_congestion(loss)),+ }
            }
            fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
                match self { $(Self::$variant(s) => s.on_recovery(now, step)),+ }
            }
            fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
                match self { $(Self::$variant(s) => s.timed_out(now, oldest, new_data)),+ }
            }
            fn pacing_rate(&self) -> Option<f64> {
                match self { $(Self::$variant(s) => s.pacing_rate()),+ }
            }
            fn state(&self) -> &'static str {
                match self { $(Self::$variant(s) => s.state()),+ }
            }
        }
    };
}

// The only registration: one line per algorithm.
algorithms! {
    Reno => reno,
    Vegas => vegas,
    Bbr => bbr,
    Bbr3 => bbr3,
    Westwood => westwood,
    WestwoodPlus => westwood_plus,
    TcpwI => tcpw_i,
    Veno => veno,
    Cubic => cubic,
    Dctcp => dctcp,
    Bic => bic,
    Htcp => htcp,
    Hybla => hybla,
    Illinois => illinois,
    Scalable => scalable,
    HighSpeed => highspeed,
    Yeah => yeah,
    Lp => lp,
    Compound => compound,
    Ledbat => ledbat,
    Copa => copa,
}
