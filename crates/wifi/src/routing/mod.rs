//! Which station a packet goes to next.

mod adaptive;
pub mod aodv;
pub mod dsdv;
mod fixed;
#[cfg(test)]
mod harness;
pub mod hwmp;
mod message;
pub mod olsr;
mod port;
mod table;
mod waiting;

use crate::config::ConfigError;
use adaptive::Adaptive;
use base::Duration;
use fixed::Fixed;
use radio::access::Station;

pub(crate) use message::Message;
pub(crate) use port::{Datagram, Order};

/// How packets find their way.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Config {
    /// Straight to where they are for: all stations in reach of each other.
    #[default]
    Direct,
    /// On paths with the fewest hops over pairs of stations that receive each other at the start.
    FewestHops,
    /// As given.
    Table(Vec<Entry>),
    /// Looked for when they are needed (RFC 3561).
    Aodv(aodv::Config),
    /// Told from neighbour to neighbour (Perkins and Bhagwat 1994).
    Dsdv(dsdv::Config),
    /// Worked out from the links that all tell (RFC 3626).
    Olsr(olsr::Config),
    /// Looked for when they are needed, by airtime: a mesh network (IEEE Std 802.11-2016, clause 14).
    Hwmp(hwmp::Config),
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
        let entries = match self {
            Self::Direct | Self::FewestHops => return Ok(()),
            Self::Aodv(config) => return config.check(),
            Self::Dsdv(config) => return config.check(),
            Self::Olsr(config) => return config.check(),
            Self::Hwmp(config) => return config.check(stations),
            Self::Table(entries) => entries,
        };
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

impl Config {
    /// What a packet from one station to another has on the air beyond the header of other data frames, bytes; `qos`: whether that
    /// header has QoS Control.
    pub(crate) fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        match self {
            Self::Hwmp(config) => config.overhead(from, to, qos),
            _ => 0,
        }
    }
}

/// An error about `field`, where `right` is false.
fn need(field: &'static str, right: bool, message: &str) -> Result<(), ConfigError> {
    if right { Ok(()) } else { Err(ConfigError { field, message: message.to_owned() }) }
}

/// An error about `field`, where a time is zero.
fn need_time(field: &'static str, time: Duration) -> Result<(), ConfigError> {
    need(field, !time.is_zero(), "longer than zero")
}

/// The routing of a network.
#[derive(Clone, Debug)]
pub(crate) enum Router {
    Fixed(Fixed),
    /// One for each station.
    Adaptive(Vec<Adaptive>),
}

impl Router {
    /// The routing that `config` says; `receives` tells whether the second station receives the first. Random streams are
    /// named after the network. `frame` is how long a frame of 8192 bits takes, with everything around it.
    pub(crate) fn new(
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
