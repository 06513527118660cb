//! Congestion controls of ackclock as congestion controllers of [quinn](https://docs.rs/quinn).
//!
//! A [`Factory`] goes into quinn's transport configuration. Each connection then gets a control of its own:
//!
//! ```
//! use ackclock_quinn::Factory;
//! use std::sync::Arc;
//!
//! let mut transport = quinn_proto::TransportConfig::default();
//! transport.congestion_controller_factory(Arc::new(Factory::named("westwood+")?));
//! # Ok::<(), ackclock_quinn::Unknown>(())
//! ```
//!
//! Parameters of a control, or a user-defined control, are given as a [`Control`]:
//!
//! ```
//! use ackclock_quinn::{Control, Factory};
//!
//! let cubic = Control::by_name("cubic", &[("beta".to_owned(), 0.5)]).expect("a registered name");
//! let factory = Factory::new(cubic).initial_window(20.0).seed(7);
//! # let _ = factory;
//! ```
//!
//! # The mapping
//!
//! - A segment is a datagram of quinn's current maximum size (`max_datagram_size` of RFC 9002). When path MTU
//!   discovery raises that size, the window in bytes stays the same.
//! - An acknowledgment frame counts as one acknowledgment. Its round-trip time is that of the newest packet
//!   that it newly acknowledges.
//! - The control reacts to losses once per round trip (RFC 9002 section 7.3.2): losses of packets that were
//!   sent before the last reaction cause no further one. A reduction starts from the congestion window. The
//!   window does not fall below two datagrams (section 7.2).
//! - Persistent congestion (section 7.6) is reported to the control as a timeout.
//!
//! # Left out
//!
//! quinn reads only the window from a controller. [`dropped`] lists the parts of a control that therefore
//! have no effect. The control gets its time from quinn, and its random draws come from [`Factory::seed`].
//!
//! # Stability
//!
//! [`Factory`], [`Unknown`] and [`dropped`] are stable within 0.1. The interface of controls has a version of its own,
//! [`tcp::congestion::CONTRACT_VERSION`].

#![deny(missing_docs)]
#![warn(unreachable_pub)]

mod controller;
mod delivery;

/// The how-to guide; its examples are compiled as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/howto/use-quinn.md")]
struct HowTo;

pub use tcp::congestion::{Control, Custom};

use base::Rng;
use controller::Controller;
use quinn_proto::congestion::{Controller as QuinnController, ControllerFactory};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tcp::congestion::{CustomControl, Window};

/// Default initial window, segments (RFC 9002 section 7.2).
const INITIAL_WINDOW: f64 = 10.0;

/// Creates congestion controllers, one for each connection.
#[derive(Debug)]
pub struct Factory {
    control: Control,
    initial_window: f64,
    seed: u64,
    /// Number of connections so far, from which each connection's random stream follows.
    connections: AtomicU64,
}

impl Factory {
    /// Creates a factory of `control`, with an initial window of ten segments and seed 1.
    pub fn new(control: Control) -> Self {
        Self { control, initial_window: INITIAL_WINDOW, seed: 1, connections: AtomicU64::new(0) }
    }

    /// Creates a factory of the control called `name` in `ackclock list controls`, with default parameters.
    /// The aliases known from ns-2, ns-3 and Linux are accepted too.
    ///
    /// # Errors
    /// If there is no such control; the error has the most similar name.
    pub fn named(name: &str) -> Result<Self, Unknown> {
        let is = |alias: &&str| alias.eq_ignore_ascii_case(name);
        let found = Control::ALL.iter().find(|one| is(&one.name) || one.aliases.iter().any(is));
        match found.and_then(|one| Control::by_name(one.name, &[])) {
            Some(control) => Ok(Self::new(control)),
            None => Err(Unknown {
                given: name.to_owned(),
                nearest: settings::nearest(name, Control::ALL.iter().map(|one| one.name)),
            }),
        }
    }

    /// Sets the initial window, segments; values below 2 become 2.
    #[must_use]
    pub fn initial_window(mut self, segments: f64) -> Self {
        self.initial_window = segments.max(controller::MINIMUM_WINDOW);
        self
    }

    /// Sets the seed of a control's random draws. Each connection has a random stream of its own.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns the control that each connection gets a copy of.
    pub fn control(&self) -> &Control {
        &self.control
    }

    fn make(&self) -> Box<dyn CustomControl> {
        start(&self.control, self.initial_window)
    }
}

/// Error: no control has this name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unknown {
    /// The name that was given.
    pub given: String,
    /// The most similar name, if one is similar.
    pub nearest: Option<String>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no congestion control {:?}", self.given)?;
        self.nearest.as_ref().map_or(Ok(()), |nearest| write!(f, "; did you mean {nearest:?}?"))
    }
}

impl std::error::Error for Unknown {}

fn start(control: &Control, cwnd: f64) -> Box<dyn CustomControl> {
    control.start(Window { cwnd, ssthresh: f64::INFINITY })
}

impl ControllerFactory for Factory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn QuinnController> {
        let mut control = self.make();
        let number = self.connections.fetch_add(1, Ordering::Relaxed);
        control.set_rng(Rng::stream(self.seed, &format!("connection.{number}")));
        Box::new(Controller::new(control, self.initial_window, now, current_mtu))
    }
}

/// Part of a control that has no effect under quinn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// The control's pacing rate: quinn paces at 1.25 windows per round-trip time.
    PacingRate,
    /// The control's timer: it is called only with the next packet or acknowledgment after the timer's time.
    Timer,
    /// The control's own timeout for losses: only quinn's loss detection (RFC 9002 section 6) finds losses.
    FineTimeout,
    /// Rate halving after a loss: quinn applies the reduced window at once.
    Halving,
}

impl Dropped {
    /// Returns the part's name in lists and on the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::PacingRate => "pacing rate",
            Self::Timer => "timer",
            Self::FineTimeout => "own timeout",
            Self::Halving => "rate halving",
        }
    }
}

/// Returns the parts of `control` that have no effect under quinn; empty if the window describes the control
/// completely.
pub fn dropped(control: &Control) -> Vec<Dropped> {
    let started = start(control, INITIAL_WINDOW);
    let needs = started.needs();
    let parts = [
        (needs.may_pace || started.pacing_rate().is_some(), Dropped::PacingRate),
        (needs.timer, Dropped::Timer),
        (needs.fine_timeout.is_some(), Dropped::FineTimeout),
        (started.halving().is_some(), Dropped::Halving),
    ];
    parts.into_iter().filter(|(has, _)| *has).map(|(_, part)| part).collect()
}
