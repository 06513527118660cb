//! How packets find their way: which protocol, with its parameters.

use super::aodv::config as aodv;
use super::dsdv::config as dsdv;
use super::hwmp::config as hwmp;
use super::olsr::config as olsr;
use crate::error::{ConfigError, need};
use radio::access::Station;

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
            Self::Hwmp(hwmp::Config { root, gates, .. }) => {
                let there = |station: &Station| station.index() < stations;
                need("routing.root", root.as_ref().is_none_or(there), "a station of the network")?;
                return need("routing.gates", gates.iter().all(there), "stations of the network");
            }
            Self::Table(entries) => entries,
            _ => return Ok(()),
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
