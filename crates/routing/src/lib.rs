//! Routing: the choice of the station that gets a datagram next.
//!
//! A protocol is a folder and a line of `protocols!`. Its router knows datagrams, stations and actions ([`port`]) and
//! nothing of the medium below; trait `Router` is its contract. [`Routing`] is the routing of a network: a router at
//! each station, or routes that do not change.

#![warn(unreachable_pub)]

pub mod aodv;
pub mod dsdv;
mod fixed;
#[cfg(test)]
mod harness;
pub mod hwmp;
pub mod olsr;
pub mod port;
mod protocols;
mod router;
mod routing;
mod station_ref;
mod table;
mod times;
mod waiting;

pub use fixed::{Fixed, Route, RouteTable};
pub use port::{Action, Datagram};
pub use protocols::{Config, Defaults, Given, Message, Protocol};
pub use routing::Routing;
pub use station_ref::StationRef;
