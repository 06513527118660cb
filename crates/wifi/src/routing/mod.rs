//! Which station a packet goes to next.

mod fixed;

use crate::config::ConfigError;
use base::DropCause;
use fixed::Fixed;
use radio::access::Station;

/// How packets find their way.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Config {
    /// Straight to where they are for: all stations in reach of each other.
    #[default]
    Direct,
    /// On paths with the fewest hops over pairs of stations that receive each other at the start.
    FewestHops,
    /// As given.
    Table(Vec<Entry>),
}

/// A line of a table of routes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// At this station
    pub at: Station,
    /// packets for this one
    pub to: Station,
    /// go to this neighbour.
    pub via: Station,
}

impl Config {
    pub(crate) fn check(&self, stations: usize) -> Result<(), ConfigError> {
        let Self::Table(entries) = self else { return Ok(()) };
        for entry in entries {
            let all = [entry.at, entry.to, entry.via];
            if let Some(bad) = all.iter().find(|station| station.index() >= stations) {
                return Err(ConfigError {
                    field: "routing",
                    message: format!("there is no station {}", bad.0),
                });
            }
            if entry.at == entry.via {
                return Err(ConfigError {
                    field: "routing",
                    message: format!("station {} cannot pass packets on to itself", entry.at.0),
                });
            }
        }
        Ok(())
    }
}

/// What becomes of a packet that has to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Hop {
    /// Send it to this neighbour.
    Via(u32),
    /// It is lost.
    Lost(DropCause),
}

/// The routing of a network.
#[derive(Clone, Debug)]
pub(crate) enum Router {
    Fixed(Fixed),
}

impl Router {
    /// The routing that `config` says; `receives` tells whether the second station receives the first.
    pub(crate) fn new(
        config: &Config,
        access_point: Option<Station>,
        stations: u32,
        receives: impl FnMut(u32, u32) -> bool,
    ) -> Self {
        Self::Fixed(Fixed::new(config, access_point, stations, receives))
    }

    /// A packet is at `at` and wants to get to `to`.
    pub(crate) fn next_hop(&mut self, at: u32, to: u32) -> Hop {
        match self {
            Self::Fixed(routes) => routes.next_hop(at, to),
        }
    }
}
