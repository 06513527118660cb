//! Arrivals of sessions.

use base::{Duration, Instant, Rng};
use settings::{Error, Kinds, Settings};
use std::sync::Arc;

/// Arrivals of sessions.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "arrivals")]
pub enum Arrivals {
    /// A Poisson process: independent users, at a rate or at a load of a link.
    Poisson(Poisson),
    /// At given times after the flow's start.
    Given(Given),
}

/// Settings of a Poisson process.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Poisson {
    /// Sessions per second. Either this or `load` is given.
    #[setting(range = 1e-6..=1e9, allowed = "0.000001 to 1000000000 sessions per second")]
    pub rate: Option<f64>,
    /// Offered load of `link`: payload of the responses over the link's rate, at most 1. Headers, requests and
    /// retransmissions come on top.
    #[setting(range = 1e-6..=1.0, allowed = LOADS)]
    pub load: Option<f64>,
    /// Link that `load` refers to: its name, or its number from 0. The responses must cross it.
    pub link: Option<String>,
    /// Number of sessions after which no more arrive.
    #[setting(range = 1..=u64::MAX, absent = "no limit")]
    pub most: Option<u64>,
}

/// Allowed loads, shown in error messages.
const LOADS: &str = "above 0, at most 1 (100 % of the link); for an overload give `rate`";

impl Poisson {
    fn complete(&mut self) -> Result<(), Error> {
        let allowed = "rate = 100 (sessions per second), or load = 0.6 with link = \"bottleneck\"";
        match (self.rate, self.load, &self.link) {
            (Some(_), None, None) | (None, Some(_), Some(_)) => Ok(()),
            (Some(_), Some(_), _) => {
                Err(Error::new("load", "the arrivals have a rate already").allowed(allowed))
            }
            (Some(_), None, Some(_)) => {
                Err(Error::new("link", "only a load refers to a link").allowed(allowed))
            }
            (None, Some(_), None) => {
                Err(Error::new("link", "of which link is this the load?").allowed(allowed))
            }
            (None, None, _) => Err(Error::new("rate", "how many sessions arrive?").allowed(allowed)),
        }
    }
}

/// Settings of arrivals at given times.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Given {
    /// Times of the arrivals after the flow's start, none before the one that precedes it.
    #[setting(needed = "the times: times = [\"0s\", \"0.5s\"]")]
    pub times: Arc<[Duration]>,
}

impl Given {
    fn complete(&mut self) -> Result<(), Error> {
        let message = if self.times.is_empty() {
            "no session arrives"
        } else if !self.times.is_sorted() {
            "the times do not ascend"
        } else {
            return Ok(());
        };
        Err(Error::new("times", message).allowed("at least one time, in order: [\"0s\", \"0.5s\"]"))
    }
}

/// Process that gives the times of arrivals, one after the other.
#[derive(Clone, Debug)]
pub struct ArrivalProcess {
    arrivals: Arrivals,
    start: Instant,
    arrived: u64,
    rng: Rng,
}

impl ArrivalProcess {
    /// Creates the process; random draws come from `rng`.
    pub fn new(arrivals: &Arrivals, rng: Rng) -> Self {
        Self { arrivals: arrivals.clone(), start: Instant::ZERO, arrived: 0, rng }
    }

    /// Starts the process at `now`; returns the time of the first arrival, `Instant::MAX` if there is none.
    pub fn begin(&mut self, now: Instant) -> Instant {
        self.start = now;
        self.next(now)
    }

    /// Returns the time of the arrival that follows an arrival at `now`; `Instant::MAX` if none follows.
    pub fn next(&mut self, now: Instant) -> Instant {
        let number = self.arrived;
        self.arrived += 1;
        match &self.arrivals {
            Arrivals::Poisson(Poisson { most: Some(most), .. }) if number >= *most => Instant::MAX,
            Arrivals::Poisson(Poisson { rate: Some(rate), .. }) => {
                now.saturating_add(Duration::from_secs_f64(self.rng.exponential(1.0 / rate)))
            }
            // The scenario's check replaces a load by a rate.
            Arrivals::Poisson(Poisson { rate: None, .. }) => Instant::MAX,
            Arrivals::Given(Given { times }) => {
                let at = usize::try_from(number).ok().and_then(|at| times.get(at));
                at.map_or(Instant::MAX, |after| self.start.saturating_add(*after))
            }
        }
    }
}
