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
//! Parameters, and a control of one's own, come as a [`Control`]:
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
//! - A segment is a datagram of quinn's current maximum size (`max_datagram_size` of RFC 9002). When path MTU discovery
//!   raises it, the window keeps its bytes.
//! - An acknowledgment frame is one acknowledgment. Its round trip is that of the newest packet that it newly acknowledges.
//! - A loss is answered once per round trip (RFC 9002 section 7.3.2): losses of packets that were sent before the last
//!   answer belong to that. What a cut reduces is the window, as there. The window does not fall below two datagrams
//!   (section 7.2).
//! - Persistent congestion (section 7.6) is the contract's timeout.
//!
//! # Left out
//!
//! quinn asks a controller for its window and for nothing else. [`dropped`] says what that leaves out of a control.
//! No clock is read, and random draws come from [`Factory::seed`].
//!
//! # Stability
//!
//! [`Factory`], [`Unknown`] and [`dropped`] are stable within 0.1. The contract of controls has a version of its own,
//! [`tcp::congestion::CONTRACT_VERSION`].

#![deny(missing_docs)]
#![warn(unreachable_pub)]

mod controller;
mod delivery;

/// The how-to guide, whose examples are compiled with the tests.
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

/// The initial window, segments (RFC 9002 section 7.2).
const INITIAL_WINDOW: f64 = 10.0;

/// A maker of congestion controllers, one for each connection.
#[derive(Debug)]
pub struct Factory {
    control: Control,
    initial_window: f64,
    seed: u64,
    /// Connections so far: each draws from a stream of its own.
    connections: AtomicU64,
}

impl Factory {
    /// Creates a factory of `control`, with an initial window of ten segments and seed 1.
    pub fn new(control: Control) -> Self {
        Self { control, initial_window: INITIAL_WINDOW, seed: 1, connections: AtomicU64::new(0) }
    }

    /// Creates a factory of the control that `ackclock list controls` calls `name`, with its parameters at their defaults.
    /// Takes the aliases that users of ns-2, ns-3 and Linux type, too.
    ///
    /// # Errors
    /// If there is no such control; the error names the nearest one.
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

    /// Sets the initial window in segments, two or more.
    #[must_use]
    pub fn initial_window(mut self, segments: f64) -> Self {
        self.initial_window = segments.max(controller::MINIMUM_WINDOW);
        self
    }

    /// Sets the seed of what a control draws. Connections draw from streams of their own.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns the control that connections get.
    pub fn control(&self) -> &Control {
        &self.control
    }

    fn make(&self) -> Box<dyn CustomControl> {
        start(&self.control, self.initial_window)
    }
}

/// Error of a name that no control has.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Unknown {
    /// The name.
    pub given: String,
    /// The nearest name, if one is near.
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

/// Part of a control that quinn does not carry out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dropped {
    /// The rate at which it sends: quinn's pacer sends 1.25 windows per round trip.
    PacingRate,
    /// Its timer: it is called with the first packet or acknowledgment after that time, late by up to an idle time.
    Timer,
    /// Its timeout, by which it finds losses itself: quinn's loss detection (RFC 9002 section 6) finds them.
    FineTimeout,
    /// Its way down to the window after a loss (rate halving): quinn takes the window that the cut leaves at once.
    Halving,
}

impl Dropped {
    /// Returns its name in lists and on the page.
    pub fn name(self) -> &'static str {
        match self {
            Self::PacingRate => "pacing rate",
            Self::Timer => "timer",
            Self::FineTimeout => "own timeout",
            Self::Halving => "rate halving",
        }
    }
}

/// Returns the parts of `control` that quinn does not carry out. Empty if its window describes it in full.
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
