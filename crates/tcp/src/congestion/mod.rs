//! Congestion control: one file per algorithm, one line here to register it.

pub mod bbr;
pub mod bbr3;
pub mod bic;
mod bic_linux;
pub mod compound;
pub mod copa;
pub mod cubic;
mod cubic_linux;
pub mod dctcp;
pub mod highspeed;
pub mod htcp;
mod htcp_linux;
pub mod hybla;
pub mod illinois;
mod least_round;
pub mod ledbat;
pub mod lp;
pub mod reno;
mod round_trips;
#[cfg(test)]
mod samples;
pub mod scalable;
mod steps;
pub mod tcpw_i;
pub mod vegas;
pub mod veno;
pub mod westwood;
pub mod westwood_plus;
pub mod yeah;

use crate::rate::RateSample;
use base::{Duration, Instant, Rng};

/// The two variables that every algorithm keeps, in segments.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Window {
    /// Congestion window.
    pub cwnd: f64,
    /// Slow-start threshold.
    pub ssthresh: f64,
}

/// An acknowledgment of new data, as an algorithm sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AckSample {
    /// The time.
    pub now: Instant,
    /// What it counts for when the window grows: 1, or the segments it acknowledges.
    pub count: f64,
    /// First unacknowledged segment before it.
    pub una_before: u64,
    /// First unacknowledged segment after it.
    pub una: u64,
    /// Next segment to send.
    pub next: u64,
    /// The receiver delays acknowledgments: one covers several segments as a rule, not only where a hole is filled.
    pub delayed: bool,
    /// Round-trip time of the newest segment it acknowledges, where that segment was sent just once. For an algorithm that
    /// times segments there is one with nearly every acknowledgment, for others as often as the endpoint measures.
    pub rtt: Option<Duration>,
    /// The endpoint's smoothed round-trip time, this acknowledgment's measurement included.
    pub srtt: Option<Duration>,
    /// From the sending of the segment that it echoes the stamp of to its own sending by the receiver; only with timestamps.
    pub one_way: Option<Duration>,
    /// Segments outstanding before it: sent, and not cumulatively acknowledged.
    pub outstanding: u64,
    /// Whether the window may grow: not where the acknowledgment only keeps or ends fast recovery.
    pub grow: bool,
}

impl AckSample {
    /// Whether the window held the sender back before this acknowledgment: as much was outstanding as `cwnd` let go. A
    /// window that is not used says nothing of the path (RFC 7661).
    pub fn window_limited(&self, cwnd: f64) -> bool {
        self.outstanding as f64 + 1.0 > cwnd
    }
}

/// Any acknowledgment, as an algorithm that counts arrivals sees it: before loss recovery, and during it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Arrival {
    /// The time.
    pub now: Instant,
    /// Segments it newly acknowledges cumulatively; 0: a duplicate, which shows that one segment has arrived.
    pub acked: u64,
    /// Segments outstanding before it.
    pub outstanding: u64,
    /// It echoes a mark (ECE).
    pub marked: bool,
}

/// What an algorithm took a loss for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A queue overflowed. What an algorithm that does not tell losses apart takes every loss for.
    Congestion,
    /// The path corrupted a packet: no reason to slow down.
    Random,
}

/// What an algorithm did about a loss.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reaction {
    /// Whether this loss opened a reaction of its own, rather than belonging to one already answered.
    pub answered: bool,
    /// What it took the loss for.
    pub verdict: Verdict,
}

impl Reaction {
    /// The window was cut: the loss was taken for congestion.
    pub const CUT: Self = Self { answered: true, verdict: Verdict::Congestion };

    /// The loss was taken for `verdict`, and answered accordingly.
    pub fn to(verdict: Verdict) -> Self {
        Self { answered: true, verdict }
    }
}

/// The oldest outstanding segment: what a loss signal points at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Oldest {
    /// When it was last sent.
    pub sent: Instant,
    /// How often it was sent.
    pub transmissions: u32,
}

/// Why the window is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Congestion {
    /// A loss seen from acknowledgments; recovery keeps sending at the reduced window.
    FastLoss,
    /// A loss seen from acknowledgments; recovery begins again with a window of one segment (`tahoe`, `fack`).
    Restart,
    /// The retransmission timer expired.
    Timeout,
    /// A mark was echoed: nothing is lost, the window is cut once in a round trip (RFC 3168 section 6.1.2).
    Mark,
}

impl Congestion {
    /// Whether the connection goes on with the reduced window, rather than begin again with one segment.
    pub fn goes_on(self) -> bool {
        matches!(self, Self::FastLoss | Self::Mark)
    }
}

/// A loss, as an algorithm sees it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LossSample {
    /// The time.
    pub now: Instant,
    /// Why the window is cut.
    pub why: Congestion,
    /// What is reduced: the data in flight or the window in use, segments ([`crate::config::Reduction`]).
    pub base: f64,
    /// Whole segments only, before and after the reduction.
    pub whole: bool,
    /// ssthresh in whole segments.
    pub whole_ssthresh: bool,
    /// A cut milder than half is none where slow start met the loss, or the timer found it.
    pub halve_in_slow_start: bool,
    /// Control reno takes half: the cut is the connection's first, or met slow start, or begins it
    /// ([`crate::config::Config::early_halving`]).
    pub early: bool,
    /// The window a fast loss leaves is at least this many segments.
    pub floor: f64,
    /// The threshold stays as it is: this segment has timed out before (RFC 5681 section 3.1).
    pub keep_ssthresh: bool,
    /// The segment that was lost; its times are known to algorithms that time segments.
    pub oldest: Oldest,
    /// What multiplies the window on a mark in place of the algorithm's own factor (ABE, RFC 8511); its own where `None`.
    pub abe: Option<f64>,
    /// First unacknowledged segment: the one that was lost.
    pub una: u64,
    /// Segments outstanding.
    pub outstanding: u64,
}

impl LossSample {
    /// With no more than `cwnd` to reduce: segments that SACK shows to have arrived are outstanding, but not in flight, and
    /// a loss opens no window.
    pub fn within(self, cwnd: f64) -> Self {
        Self { base: self.base.min(cwnd), ..self }
    }

    /// `factor` of what is reduced, in whole segments where asked for.
    pub fn reduced(&self, factor: f64) -> f64 {
        if self.whole { libm::floor(libm::floor(self.base) * factor) } else { self.base * factor }
    }

    /// What is left where `share` of what is reduced is taken, in whole segments.
    pub fn less(&self, share: f64) -> f64 {
        let base = libm::floor(self.base);
        base - libm::floor(base * share)
    }

    /// The slow-start threshold that goes with a window of `window`: at least two segments (RFC 5681 equation 4).
    pub fn threshold(&self, window: f64) -> f64 {
        let window = if self.whole_ssthresh { libm::floor(window) } else { window };
        window.max(2.0)
    }
}

/// What every congestion control answers; its window is the field `window`. It owns its state and sees the time,
/// acknowledgments and losses; it cannot reach a clock, a queue or ambient entropy.
pub(crate) trait CongestionControl {
    /// The SYN was acknowledged `rtt` after it was sent, the first time that it was.
    fn on_handshake(&mut self, _rtt: Duration) {}
    /// New data is acknowledged.
    fn on_ack(&mut self, ack: &AckSample);
    /// A loss is to be answered: cut the window, or not.
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction;
    /// Any acknowledgment arrives, before loss recovery sees it; only where [`CongestionControl::counts_arrivals`].
    fn on_arrival(&mut self, _arrival: &Arrival) {}
    /// Whether it wants [`CongestionControl::on_arrival`].
    fn counts_arrivals(&self) -> bool {
        false
    }
    /// An acknowledgment has been dealt with; only where [`CongestionControl::wants_rates`].
    fn on_rate(&mut self, _sample: &RateSample) {}
    /// Whether it wants [`CongestionControl::on_rate`].
    fn wants_rates(&self) -> bool {
        false
    }
    /// Segments per second to send at, where it sends by a rate; `None`: as the window opens.
    fn pacing_rate(&self) -> Option<f64> {
        None
    }
    /// A stream of its own is handed in, where the connection has one: for algorithms that draw.
    fn give_stream(&mut self, _rng: Rng) {}
    /// What it calls the state it is in; empty where its states have no names.
    fn state(&self) -> &'static str {
        ""
    }
    /// Fast recovery is over: all that was outstanding at the loss is acknowledged.
    fn on_recovered(&mut self, _now: Instant) {}
    /// Whether it wants a round trip of each segment ([`AckSample::rtt`]), not only those that the endpoint measures.
    fn times_segments(&self) -> bool {
        false
    }
    /// Whether it judges losses by the age of segments ([`CongestionControl::expired`]); such an algorithm times segments.
    fn judges_age(&self) -> bool {
        false
    }
    /// A duplicate acknowledgment arrived: whether the oldest segment is to be taken as lost already now.
    fn expired(&self, _now: Instant, _oldest: Oldest) -> bool {
        false
    }
    /// New data is acknowledged: whether the now oldest segment is to be sent again at once.
    fn expired_after_loss(&mut self, _now: Instant, _oldest: Oldest) -> bool {
        false
    }
    /// A segment is sent again on a loss signal with so many segments outstanding.
    fn on_retransmit(&mut self, _oldest: Oldest, _outstanding: u64) {}
    /// Recovery took back the inflation of the window.
    fn on_deflated(&mut self) {}
    /// The window opens once the SYN is acknowledged: whether only with the acknowledgment after that one.
    fn opens_late(&self) -> bool {
        false
    }
}

/// A parameter that an algorithm takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in scenario files.
    pub name: &'static str,
    /// Its unit, empty where it has none.
    pub unit: &'static str,
    /// Its value where none is given.
    pub default: f64,
    /// The least allowed.
    pub min: f64,
    /// The most allowed.
    pub max: f64,
    /// The words it chooses among, where it is not a number: its value is then the index of one, from `min` 0 to `max`, the
    /// last; empty for a number.
    pub choices: &'static [&'static str],
    /// What it does, one line.
    pub summary: &'static str,
}

impl Parameter {
    /// Which of two forms of an algorithm it is: as published, the default, or as in TCP-Linux.
    const fn form(choices: &'static [&'static str], summary: &'static str) -> Self {
        Self { name: "form", unit: "", default: 0.0, min: 0.0, max: 1.0, choices, summary }
    }
}

/// What an algorithm says of itself to lists, schemas and docs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Algorithm {
    /// The one spelling.
    pub name: &'static str,
    /// What it does, one line.
    pub summary: &'static str,
    /// The RFC or paper it follows.
    pub source: &'static str,
    /// What users of ns-2, ns-3 and Linux type; matched without regard to case.
    pub aliases: &'static [&'static str],
    /// Whether ns-2's TCP-Linux has it too, or its paper ran it there: then there is a preset `linux-NAME`.
    pub linux: bool,
    /// Its parameters.
    pub parameters: &'static [Parameter],
}

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
                match self { $(Self::$variant(config) => config.values().to_vec()),+ }
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
            pub fn window(&self) -> &Window {
                match self { $(Self::$variant(s) => &s.window),+ }
            }

            /// Its window, for the endpoint's own rules (opening, clamping, NewReno's deflation).
            #[inline]
            pub fn window_mut(&mut self) -> &mut Window {
                match self { $(Self::$variant(s) => &mut s.window),+ }
            }
        }

        impl CongestionControl for State {
            fn on_handshake(&mut self, rtt: Duration) {
                match self { $(Self::$variant(s) => s.on_handshake(rtt)),+ }
            }
            #[inline]
            fn on_ack(&mut self, ack: &AckSample) {
                match self { $(Self::$variant(s) => s.on_ack(ack)),+ }
            }
            fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
                match self { $(Self::$variant(s) => s.on_congestion(loss)),+ }
            }
            fn on_arrival(&mut self, arrival: &Arrival) {
                match self { $(Self::$variant(s) => s.on_arrival(arrival)),+ }
            }
            fn counts_arrivals(&self) -> bool {
                match self { $(Self::$variant(s) => s.counts_arrivals()),+ }
            }
            fn on_rate(&mut self, sample: &RateSample) {
                match self { $(Self::$variant(s) => s.on_rate(sample)),+ }
            }
            fn wants_rates(&self) -> bool {
                match self { $(Self::$variant(s) => s.wants_rates()),+ }
            }
            fn pacing_rate(&self) -> Option<f64> {
                match self { $(Self::$variant(s) => s.pacing_rate()),+ }
            }
            fn give_stream(&mut self, rng: Rng) {
                match self { $(Self::$variant(s) => s.give_stream(rng)),+ }
            }
            fn state(&self) -> &'static str {
                match self { $(Self::$variant(s) => s.state()),+ }
            }
            fn on_recovered(&mut self, now: Instant) {
                match self { $(Self::$variant(s) => s.on_recovered(now)),+ }
            }
            #[inline]
            fn judges_age(&self) -> bool {
                match self { $(Self::$variant(s) => s.judges_age()),+ }
            }
            fn times_segments(&self) -> bool {
                match self { $(Self::$variant(s) => s.times_segments()),+ }
            }
            fn expired(&self, now: Instant, oldest: Oldest) -> bool {
                match self { $(Self::$variant(s) => s.expired(now, oldest)),+ }
            }
            #[inline]
            fn expired_after_loss(&mut self, now: Instant, oldest: Oldest) -> bool {
                match self { $(Self::$variant(s) => s.expired_after_loss(now, oldest)),+ }
            }
            fn on_retransmit(&mut self, oldest: Oldest, outstanding: u64) {
                match self { $(Self::$variant(s) => s.on_retransmit(oldest, outstanding)),+ }
            }
            fn on_deflated(&mut self) {
                match self { $(Self::$variant(s) => s.on_deflated()),+ }
            }
            fn opens_late(&self) -> bool {
                match self { $(Self::$variant(s) => s.opens_late()),+ }
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

impl Algorithm {
    /// The default of one of its parameters.
    ///
    /// # Panics
    /// Where the algorithm has no such parameter: a bug of the algorithm.
    pub fn default_of(&self, parameter: &str) -> f64 {
        let found = self.parameters.iter().find(|p| p.name == parameter);
        found.unwrap_or_else(|| panic!("{} has no parameter {parameter}", self.name)).default
    }
}
