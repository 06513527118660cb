//! The routing of a network.

use super::adaptive::Adaptive;
use super::config::Config;
use super::fixed::Fixed;
use base::Duration;
use radio::access::Station;

/// The routing of a network.
#[derive(Clone, Debug)]
pub enum Router {
    /// Routes that do not change.
    Fixed(Fixed),
    /// One for each station.
    Adaptive(Vec<Adaptive>),
}

impl Router {
    /// The routing that `config` says; `receives` tells whether the second station receives the first. Random streams are
    /// named after the network. `frame` is how long a frame of 8192 bits takes, with everything around it.
    pub fn new(
        config: &Config,
        access_point: Option<Station>,
        stations: u32,
        frame: Duration,
        (seed, name): (u64, &str),
        receives: impl FnMut(u32, u32) -> bool,
    ) -> Self {
        let router =
            |k: u32| Adaptive::new(config, Station(k), frame, seed, &format!("{name}.station.{k}.routing"));
        if access_point.is_none()
            && let Some(routers) = (0..stations).map(router).collect()
        {
            return Self::Adaptive(routers);
        }
        Self::Fixed(Fixed::new(config, access_point, stations, receives))
    }
}
