//! 802.11 networks, with names of stations.

use super::names::Names;
use ::wifi::Profile;
use ::wifi::config::{OwnRate, Queue, Table};
use ::wifi::timing::Standard;
use routing::Given;
use settings::{Overlay, Settings};

/// An 802.11 network: stations on one channel. The defaults of its settings depend on `profile` and `standard`.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Wifi {
    /// Name of the network in results.
    #[setting(absent = "\"wifi0\", \"wifi1\", ... by position")]
    pub name: Option<String>,
    /// Standard that the stations follow.
    #[setting(needed = "a standard: standard = \"g\"")]
    pub standard: Standard,
    /// Nodes that are stations, two or more; each must have a position.
    #[setting(needed = "nodes: stations = [\"a\", \"b\"]")]
    pub stations: Vec<String>,
    /// Node that is the access point, through which all others send; or a list of access points, which a distribution
    /// system without delay connects and between which stations roam.
    #[setting(absent = "none: ad hoc", form = Names)]
    pub access_point: Option<Vec<String>>,
    /// 802.11b stations in an 802.11g network, which send DSSS and sense OFDM only by its energy.
    #[setting(absent = "none")]
    pub b_stations: Option<Vec<String>>,
    /// Stations whose data frames, in both directions, have a rate of their own; with `rate_control` this is the
    /// highest rate. Between two such stations the lower rate is used.
    #[setting(absent = "none: all have `rate` or `mcs`")]
    pub station_rates: Option<Vec<StationRates>>,
    /// Source of the values of settings that are not given.
    #[setting(absent = "\"ieee\"")]
    pub profile: Option<Profile>,
    /// Modes, physical layer and MAC.
    #[setting(flatten)]
    pub table: Table,
    /// Routing to stations that are out of reach, in an ad hoc network. With an access point all packets go through
    /// the access point.
    #[setting(absent = "{ kind = \"direct\" }")]
    pub routing: Option<Given>,
    /// Queue of each station.
    #[setting(flatten)]
    pub queue: Overlay<Queue>,
}

/// Own rate of some stations.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { stations = [\"a\"], rate = \"1Mbps\" }")]
pub(crate) struct StationRates {
    /// Names of the stations.
    #[setting(needed = "names of stations: stations = [\"a\"]")]
    pub stations: Vec<String>,
    /// Rate of data frames from and to these stations.
    #[setting(flatten)]
    pub own: OwnRate,
}
