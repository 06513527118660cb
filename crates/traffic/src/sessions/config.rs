//! Settings of sessions, and the random draws of the requests of one session.

use super::arrivals::Arrivals;
use super::sizes::Sizes;
use super::times::Times;
use base::{Bytes, Duration, Rng};
use settings::{Choice, Error, Settings};

/// Distribution of the number of requests in a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Counts {
    /// always the mean
    Constant,
    /// geometric, at least 1
    Geometric,
}

/// Settings of sessions over TCP. A response goes from the flow's source to its destination, a request back. After
/// the flow's stop no session arrives; those that have arrived go on.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(complete, no_default)]
pub struct Config {
    /// Arrivals of sessions.
    #[setting(needed = "arrivals: arrivals = { kind = \"poisson\", rate = 100 }")]
    pub arrivals: Arrivals,
    /// Sizes of responses.
    #[setting(needed = "sizes: response = { kind = \"constant\", size = \"100kB\" }")]
    pub response: Sizes,
    /// Sizes of requests, which the destination sends first.
    #[setting(absent = "none: the source opens the connection and sends")]
    pub request: Option<Sizes>,
    /// Mean number of requests in a session.
    #[setting(default = 1, range = 1..=1_000_000_000)]
    pub requests: u32,
    /// Distribution of the number of requests in a session.
    #[setting(default = Counts::Constant)]
    pub requests_distribution: Counts,
    /// Time to think, from the end of a response to the connection's next request.
    #[setting(absent = "none")]
    pub think: Option<Times>,
    /// Connections of a session. Each takes the session's next request when it is free.
    #[setting(default = 1, range = 1..=1000)]
    pub connections: u32,
    /// Keep a connection for further requests of its session. Otherwise each request opens a connection.
    #[setting(default = true)]
    pub reuse: bool,
    /// Name of a query. Flows with the same name have the same arrivals, so that all answer at once (N to 1, incast).
    /// A query is complete when each of them has answered.
    #[setting(absent = "none: the flow has arrivals of its own")]
    pub query: Option<String>,
    /// Bounds of the classes of response sizes for which results are given.
    #[setting(default = vec![Bytes(10_000), Bytes(100_000), Bytes(1_000_000)], absent = "[\"10kB\", \"100kB\", \"1MB\"]")]
    pub classes: Vec<Bytes>,
}

impl Config {
    fn complete(&mut self) -> Result<(), Error> {
        let bounds = &self.classes;
        let ascend = bounds.windows(2).all(|two| two[0] < two[1]) && bounds.first() != Some(&Bytes(0));
        if ascend && bounds.len() <= 32 {
            return Ok(());
        }
        Err(Error::new("classes", "the bounds of the classes do not ascend")
            .allowed("up to 32 sizes above 0, each larger than the one before: [\"10kB\", \"1MB\"]"))
    }

    /// Returns the mean of the payload of all responses of a session, bytes.
    pub fn mean_response_bytes(&self) -> f64 {
        f64::from(self.requests) * self.response.mean()
    }
}

/// One request with its response.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    /// Number of the request in its session, from 0.
    pub number: u32,
    /// Size of the request, bytes; `None` if the source sends without a request.
    pub request: Option<u64>,
    /// Size of the response, bytes.
    pub response: u64,
    /// Time to think after the response.
    pub think: Duration,
}

/// Generator of the requests of one session, in order.
#[derive(Clone, Debug)]
pub struct Session {
    next: u32,
    requests: u32,
    rng: Rng,
}

impl Session {
    /// Creates a session that draws from `rng`.
    pub fn new(config: &Config, mut rng: Rng) -> Self {
        let requests = match config.requests_distribution {
            Counts::Constant => config.requests,
            Counts::Geometric if config.requests == 1 => 1,
            Counts::Geometric => {
                // Inverse transform: 1 + floor(ln u / ln (1 - p)) with p = 1 / mean.
                let stays = 1.0 - 1.0 / f64::from(config.requests);
                let more = libm::floor(libm::log(1.0 - rng.uniform()) / libm::log(stays));
                1 + more.clamp(0.0, 1e9) as u32
            }
        };
        Self { next: 0, requests, rng }
    }

    /// Returns the next request; `None` if the session has no more.
    pub fn next(&mut self, config: &Config) -> Option<Exchange> {
        if self.is_over() {
            return None;
        }
        let number = self.next;
        self.next += 1;
        let request = config.request.as_ref().map(|sizes| sizes.draw(&mut self.rng));
        let response = config.response.draw(&mut self.rng);
        let think = config.think.as_ref().map_or(Duration::ZERO, |times| times.draw(&mut self.rng));
        Some(Exchange { number, request, response, think })
    }

    /// Returns true if all requests have been taken.
    pub fn is_over(&self) -> bool {
        self.next >= self.requests
    }

    /// Returns the number of requests of the session.
    pub fn requests(&self) -> u32 {
        self.requests
    }
}
