//! Routing of a network: routes that do not change, or a router at each station.

use crate::fixed::Fixed;
use crate::protocols::{Config, Protocol};
use crate::router::Site;
use base::Duration;
use radio::access::Station;

/// Routing of a network.
#[derive(Clone, Debug)]
pub enum Routing {
    /// Routes that do not change.
    Fixed(Fixed),
    /// A router for each station.
    Adaptive(Vec<Protocol>),
}

impl Routing {
    /// Creates the routing that `config` asks for. `receives(a, b)` returns true if station `b` receives station `a`.
    /// `network` names the random streams. `frame` is the airtime of a frame of 8192 bits at the fastest rate, with
    /// interframe spaces, preamble, headers and ACK.
    pub fn new(
        config: &Config,
        access_point: Option<Station>,
        stations: u32,
        frame: Duration,
        (seed, name): (u64, &str),
        receives: impl FnMut(u32, u32) -> bool,
    ) -> Self {
        let router = |k: u32| {
            let name = format!("{name}.station.{k}.routing");
            Protocol::new(config, &Site { me: Station(k), frame, seed, name: &name })
        };
        if access_point.is_none()
            && let Some(routers) = (0..stations).map(router).collect()
        {
            return Self::Adaptive(routers);
        }
        Self::Fixed(match (access_point, config) {
            (Some(ap), _) => Fixed::Star(ap.0),
            (None, Config::FewestHops) => Fixed::fewest_hops(stations, receives),
            (None, Config::Table(table)) => Fixed::table(stations, table),
            (None, _) => Fixed::Direct,
        })
    }
}
