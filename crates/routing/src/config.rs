//! How packets find their way: which protocol, with its parameters.

use super::aodv::config as aodv;
use super::dsdv::config as dsdv;
use super::hwmp::config as hwmp;
use super::olsr::config as olsr;
use radio::access::Station;
use settings::Error;
use settings::table::holds;

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
    /// Link-state routing: every node learns the topology from its neighbours' TC messages (RFC 3626).
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
    /// Whether a document could say it of a network of so many stations.
    pub fn check(&self, stations: usize) -> Result<(), Error> {
        let there = |station: &Station| station.index() < stations;
        match self {
            Self::Direct | Self::FewestHops => Ok(()),
            Self::Aodv(config) => holds(config),
            Self::Dsdv(config) => holds(config),
            Self::Olsr(config) => holds(config),
            Self::Hwmp(config) => {
                holds(config)?;
                if !config.root.as_ref().is_none_or(there) {
                    return Err(Error::new("root", "a station of the network"));
                }
                let all = config.gates.iter().all(there);
                if all { Ok(()) } else { Err(Error::new("gates", "stations of the network")) }
            }
            Self::Table(entries) => entries.iter().try_for_each(|entry| entry.check(there)),
        }
    }
}

impl Entry {
    fn check(&self, there: impl Fn(&Station) -> bool) -> Result<(), Error> {
        if let Some(bad) = [self.at, self.to, self.via].iter().find(|station| !there(station)) {
            return Err(Error::new("", format!("there is no station {}", bad.0)));
        }
        if self.at == self.via {
            return Err(Error::new("", format!("station {} cannot pass packets on to itself", self.at.0)));
        }
        Ok(())
    }
}

impl Config {
    /// What a packet from one station to another has on the air beyond the header of other data frames, bytes; `qos`: whether that
    /// header has QoS Control.
    pub fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        match self {
            Self::Hwmp(config) => config.overhead(from, to, qos),
            _ => 0,
        }
    }
}
