//! Routing of ad hoc networks, with the names of stations.

use routing::{aodv, dsdv, hwmp, olsr};
use settings::{Kinds, Overlay, Settings};

/// Routing in an ad hoc network.
#[derive(Clone, PartialEq, Debug, Kinds)]
#[settings(what = "routing")]
pub(crate) enum Routing {
    /// None: packets go straight to their destination, and all stations are in reach of each other.
    Direct,
    /// On paths of the fewest hops between stations that receive each other at the start.
    FewestHops,
    /// By a given table.
    Table(RouteTable),
    /// On demand: AODV (RFC 3561; names of its section 10 in small letters); profile `"ns2"` has ns-2's values.
    Aodv(Overlay<aodv::Config>),
    /// By distance vectors from neighbours: DSDV (Perkins and Bhagwat 1994); profile `"ns2"` has ns-2's values.
    Dsdv(Overlay<dsdv::Config>),
    /// OLSR, link-state routing: every node learns the topology from its neighbours' TC messages (RFC 3626).
    Olsr(olsr::Config),
    /// On demand, by airtime: HWMP, which makes the network a mesh (IEEE Std 802.11-2016, clause 14). Its keys are the
    /// names of the dot11Mesh variables in small letters; `routing_first` is true.
    Hwmp(Hwmp),
}

/// A given table of routes.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct RouteTable {
    /// Next hops: at one station, packets for another go to a neighbour; a packet without one has no route.
    #[setting(needed = "a list: routes = [{ at = \"a\", to = \"c\", via = \"b\" }]")]
    pub routes: Vec<Route>,
}

/// A line of a table of routes.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { at = \"a\", to = \"c\", via = \"b\" }")]
pub(crate) struct Route {
    /// At this station
    #[setting(needed = "the name of a station")]
    pub at: String,
    /// packets for this one
    #[setting(needed = "the name of a station")]
    pub to: String,
    /// go to this neighbour.
    #[setting(needed = "the name of a station")]
    pub via: String,
}

/// HWMP, and the mesh around it.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Hwmp {
    /// The protocol.
    #[setting(flatten)]
    pub protocol: hwmp::Config,
    /// The station that keeps paths between itself and all others.
    #[setting(absent = "none")]
    pub root: Option<String>,
    /// Mesh gates: packets that enter or leave the mesh at one carry six addresses.
    #[setting(absent = "every station that is on a link or in another 802.11 network too")]
    pub gates: Option<Vec<String>>,
}
