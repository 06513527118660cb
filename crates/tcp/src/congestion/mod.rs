//! Congestion control: one file or folder per algorithm, registered by one line below.

mod algorithm;
pub mod bbr;
pub mod bbr3;
pub mod bic;
pub mod cdg;
pub mod compound;
mod control;
pub mod copa;
pub mod cubic;
mod custom;
pub mod dctcp;
#[cfg(test)]
pub(crate) mod fixtures;
pub mod highspeed;
pub mod htcp;
pub mod hybla;
pub mod illinois;
pub mod ledbat;
pub mod lp;
pub mod nv;
pub mod reno;
mod round_trips;
pub(crate) mod sample;
pub mod scalable;
mod signals;
mod steered;
mod steps;
pub mod tcpw_i;
pub mod vegas;
pub mod veno;
pub mod westwood;
pub mod westwood_plus;
mod window;
mod windowed_max;
mod written;
pub mod yeah;

pub use algorithm::{Algorithm, Form, Parameter};
pub use control::{CONTRACT_VERSION, CongestionControl, Fault, FineTimeout, Halving, Needs, RecoveryStep};
pub(crate) use custom::LARGEST_ANSWER;
pub use custom::{Controls, Custom, CustomControl};
pub use round_trips::Rounds;
pub use sample::Field;
pub use signals::{AckSample, Arrival, Congestion, LossClassification, LossSample, Reaction, Transmission};
pub(crate) use window::LEAST;
pub use window::Window;
pub(crate) use written::schema;

use crate::rate::{LostSegment, RateSample};
use base::{Duration, Instant, Rng};
use custom::Guard;
use steered::Steered;

/// Gives the type in which a connection stores an algorithm's state. States larger than Reno's are boxed, so that
/// connections with Reno stay small.
macro_rules! held {
    ($state:ty) => { $state };
    ($state:ty, boxed) => { Box<$state> };
}

macro_rules! hold {
    ($state:expr) => {
        $state
    };
    ($state:expr, boxed) => {
        Box::new($state)
    };
}

macro_rules! algorithms {
    ($($variant:ident => $module:ident $($boxed:ident)?),+ $(,)?) => {
        /// A congestion control and its parameters, as a scenario chooses them.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Control {
            $(#[doc = concat!("See [`", stringify!($module), "`].")] $variant($module::Config),)+
            /// A user-defined control.
            Custom(Custom),
        }

        impl Control {
            /// Every algorithm, in order of registration.
            pub const ALL: &'static [&'static Algorithm] = &[$(&$module::ALGORITHM),+];

            /// Returns the algorithm called `name`; `None` if there is none. Parameters in `values` (name,
            /// value) have that value, others their default. The caller must have checked `values` against
            /// [`Algorithm::parameters`].
            pub fn by_name(name: &str, values: &[(String, f64)]) -> Option<Self> {
                $(if name == $module::ALGORITHM.name {
                    return Some(Self::$variant($module::Config::new(&|parameter| {
                        let given = values.iter().rev().find(|(n, _)| n == parameter).map(|(_, v)| *v);
                        given.unwrap_or_else(|| $module::ALGORITHM.default_of(parameter))
                    })));
                })+
                None
            }

            /// Creates the state at the start of a connection.
            pub(crate) fn build(&self, window: Window) -> State {
                match self {
                    $(Self::$variant(config) => State::$variant(hold!($module::$variant::new(config, window) $(, $boxed)?)),)+
                    Self::Custom(custom) => State::Custom(Box::new(custom.build(window))),
                }
            }

/// Returns the algorithm's entry in the list of congestion controls.
            pub fn algorithm(&self) -> &'static Algorithm {
                match self { $(Self::$variant(_) => &$module::ALGORITHM,)+ Self::Custom(custom) => custom.algorithm() }
            }

            /// Returns the user-defined control; `None` for others.
            pub fn custom(&self) -> Option<&Custom> {
                match self {
                    Self::Custom(custom) => Some(custom),
                    _ => None,
                }
            }

            /// Returns the values of the parameters, in the order of [`Algorithm::parameters`].
            pub fn values(&self) -> Vec<f64> {
                match self { $(Self::$variant(config) => config.values(),)+ Self::Custom(custom) => custom.values().to_vec() }
            }
        }

        /// State of a connection's congestion control.
        #[derive(Clone, Debug)]
        pub(crate) enum State {
            $($variant(held!($module::$variant $(, $boxed)?)),)+
            Custom(Box<Guard>),
            Steered(Box<Steered<State>>),
        }

        impl State {
            /// Returns the fault that ended a user-defined control, if there was one.
            #[inline]
            pub(crate) fn fault(&self) -> Option<&Fault> {
                match self {
                    Self::Custom(guard) => guard.fault(),
                    Self::Steered(steered) => steered.control.fault(),
                    _ => None,
                }
            }

            /// Returns true if the pacing rate is that of whole packets, with the timestamps option.
            pub(crate) fn paces_options(&self) -> bool {
                match self {
                    Self::Bbr(bbr) => bbr.paces_options(),
                    Self::Steered(steered) => steered.control.paces_options(),
                    _ => false,
                }
            }

            /// Tells BBR the time until the pacer lets the next segment depart.
            pub(crate) fn departs_in(&mut self, wait: Duration) {
                match self {
                    Self::Bbr(bbr) => bbr.departs_in(wait),
                    Self::Steered(steered) => steered.control.departs_in(wait),
                    _ => {}
                }
            }
        }

        impl State {
            /// Lets a program steer the control from now on; returns the state that the program changes.
            pub(crate) fn steered(&mut self) -> &mut Steered<Self> {
                if !matches!(self, Self::Steered(_)) {
                    let config = reno::Config::new(&|name| reno::ALGORITHM.default_of(name));
                    let idle = Self::Reno(reno::Reno::new(&config, *self.window()));
                    let control = std::mem::replace(self, idle);
                    *self = Self::Steered(Box::new(Steered::new(control)));
                }
                match self {
                    Self::Steered(steered) => steered,
                    _ => unreachable!("made so above"),
                }
            }
        }

        impl CongestionControl for State {
            #[inline]
            fn window(&self) -> &Window {
                match self { $(Self::$variant(s) => &s.window,)+ Self::Custom(s) => s.window(), Self::Steered(s) => s.window() }
            }
            #[inline]
            fn window_mut(&mut self) -> &mut Window {
                match self { $(Self::$variant(s) => &mut s.window,)+ Self::Custom(s) => s.window_mut(), Self::Steered(s) => s.window_mut() }
            }
            fn needs(&self) -> Needs {
                match self { $(Self::$variant(s) => s.needs(),)+ Self::Custom(s) => s.needs(), Self::Steered(s) => s.needs() }
            }
            fn set_rng(&mut self, rng: Rng) {
                match self { $(Self::$variant(s) => s.set_rng(rng),)+ Self::Custom(s) => s.set_rng(rng), Self::Steered(s) => s.set_rng(rng) }
            }
            fn on_handshake(&mut self, now: Instant, rtt: Duration) {
                match self { $(Self::$variant(s) => s.on_handshake(now, rtt),)+ Self::Custom(s) => s.on_handshake(now, rtt), Self::Steered(s) => s.on_handshake(now, rtt) }
            }
            fn on_arrival(&mut self, arrival: &Arrival) {
                match self { $(Self::$variant(s) => s.on_arrival(arrival),)+ Self::Custom(s) => s.on_arrival(arrival), Self::Steered(s) => s.on_arrival(arrival) }
            }
            #[inline]
            fn on_ack(&mut self, ack: &AckSample) {
                match self { $(Self::$variant(s) => s.on_ack(ack),)+ Self::Custom(s) => s.on_ack(ack), Self::Steered(s) => s.on_ack(ack) }
            }
            fn on_rate(&mut self, sample: &RateSample) {
                match self { $(Self::$variant(s) => s.on_rate(sample),)+ Self::Custom(s) => s.on_rate(sample), Self::Steered(s) => s.on_rate(sample) }
            }
            fn on_lost(&mut self, lost: &LostSegment) {
                match self { $(Self::$variant(s) => s.on_lost(lost),)+ Self::Custom(s) => s.on_lost(lost), Self::Steered(s) => s.on_lost(lost) }
            }
            fn on_restart(&mut self, now: Instant) {
                match self { $(Self::$variant(s) => s.on_restart(now),)+ Self::Custom(s) => s.on_restart(now), Self::Steered(s) => s.on_restart(now) }
            }
            fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
                match self { $(Self::$variant(s) => s.on_congestion(loss),)+ Self::Custom(s) => s.on_congestion(loss), Self::Steered(s) => s.on_congestion(loss) }
            }
            fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
                match self { $(Self::$variant(s) => s.on_recovery(now, step),)+ Self::Custom(s) => s.on_recovery(now, step), Self::Steered(s) => s.on_recovery(now, step) }
            }
            fn on_undo(&mut self, now: Instant, before: &Window) {
                match self { $(Self::$variant(s) => s.on_undo(now, before),)+ Self::Custom(s) => s.on_undo(now, before), Self::Steered(s) => s.on_undo(now, before) }
            }
            fn wake(&self) -> Option<Instant> {
                match self { $(Self::$variant(s) => s.wake(),)+ Self::Custom(s) => s.wake(), Self::Steered(s) => s.wake() }
            }
            fn on_timer(&mut self, now: Instant) {
                match self { $(Self::$variant(s) => s.on_timer(now),)+ Self::Custom(s) => s.on_timer(now), Self::Steered(s) => s.on_timer(now) }
            }
            fn timed_out(&mut self, now: Instant, oldest: Transmission, new_data: bool) -> bool {
                match self { $(Self::$variant(s) => s.timed_out(now, oldest, new_data),)+ Self::Custom(s) => s.timed_out(now, oldest, new_data), Self::Steered(s) => s.timed_out(now, oldest, new_data) }
            }
            fn halving(&self) -> Option<Halving> {
                match self { $(Self::$variant(s) => s.halving(),)+ Self::Custom(s) => s.halving(), Self::Steered(s) => s.halving() }
            }
            fn pacing_rate(&self) -> Option<f64> {
                match self { $(Self::$variant(s) => s.pacing_rate(),)+ Self::Custom(s) => s.pacing_rate(), Self::Steered(s) => s.pacing_rate() }
            }
            fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
                match self { $(Self::$variant(s) => s.traced(show),)+ Self::Custom(s) => s.traced(show), Self::Steered(s) => s.traced(show) }
            }
            fn take_fault(&mut self) -> Option<Fault> {
                match self { $(Self::$variant(s) => s.take_fault(),)+ Self::Custom(s) => s.take_fault(), Self::Steered(s) => s.take_fault() }
            }
            fn state(&self) -> &'static str {
                match self { $(Self::$variant(s) => s.state(),)+ Self::Custom(s) => s.state(), Self::Steered(s) => s.state() }
            }
        }
    };
}

// Registration of the algorithms, one line each.
algorithms! {
    Reno => reno,
    Vegas => vegas boxed,
    Bbr => bbr boxed,
    Bbr3 => bbr3 boxed,
    Westwood => westwood boxed,
    WestwoodPlus => westwood_plus boxed,
    TcpwI => tcpw_i boxed,
    Veno => veno boxed,
    Cubic => cubic boxed,
    Dctcp => dctcp boxed,
    Bic => bic boxed,
    Htcp => htcp boxed,
    Hybla => hybla boxed,
    Illinois => illinois boxed,
    Scalable => scalable boxed,
    HighSpeed => highspeed boxed,
    Yeah => yeah boxed,
    Lp => lp boxed,
    Compound => compound boxed,
    Ledbat => ledbat boxed,
    Copa => copa boxed,
    Nv => nv boxed,
    Cdg => cdg boxed,
}

impl Control {
    /// Creates the control's state for another transport; `window` is the initial window. The transport must
    /// make the calls that [`CongestionControl`] describes.
    pub fn start(&self, window: Window) -> Box<dyn CustomControl> {
        Box::new(self.build(window))
    }
}
