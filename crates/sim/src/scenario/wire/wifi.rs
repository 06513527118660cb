//! 802.11 networks, with the names of their stations.

use super::names::Names;
use ::wifi::Profile;
use ::wifi::config::{OwnRate, Queue, Table};
use ::wifi::timing::Standard;
use routing::Given;
use settings::{Overlay, Settings};

/// An 802.11 network: stations on one channel. Settings that are not given come from the profile, by standard.
#[derive(Clone, PartialEq, Debug, Settings)]
pub(crate) struct Wifi {
    /// Its name in results.
    #[setting(absent = "\"wifi0\", \"wifi1\", ... by position")]
    pub name: Option<String>,
    /// The standard that its stations follow.
    #[setting(needed = "a standard: standard = \"g\"")]
    pub standard: Standard,
    /// Nodes on it, two or more, each of which has a place.
    #[setting(needed = "nodes: stations = [\"a\", \"b\"]")]
    pub stations: Vec<String>,
    /// The node that is the access point, through which all others send; or a list of access points, joined by a wire
    /// without delay, between which stations roam.
    #[setting(absent = "none: ad hoc", form = Names)]
    pub access_point: Option<Vec<String>>,
    /// Stations of 802.11b in a network of g, which send in DSSS and to which OFDM is mere energy.
    #[setting(absent = "none")]
    pub b_stations: Option<Vec<String>>,
    /// Stations with a rate of their own for data frames from and to them; with `rate_control` it is their fastest.
    /// Between two of them the slower rate holds.
    #[setting(absent = "none: all have `rate` or `mcs`")]
    pub station_rates: Option<Vec<StationRates>>,
    /// The profile that gives the values of settings that are not given.
    #[setting(absent = "\"ieee\"")]
    pub profile: Option<Profile>,
    /// Modes, signals, and medium access.
    #[setting(flatten)]
    pub table: Table,
    /// Routing to stations that are out of range, in an ad hoc network. With an access point all packets go through it.
    #[setting(absent = "{ kind = \"direct\" }")]
    pub routing: Option<Given>,
    /// Each station's queue.
    #[setting(flatten)]
    pub queue: Overlay<Queue>,
}

/// Some stations' own rate.
#[derive(Clone, PartialEq, Debug, Settings)]
#[settings(expecting = "a table: { stations = [\"a\"], rate = \"1Mbps\" }")]
pub(crate) struct StationRates {
    /// Names of the stations.
    #[setting(needed = "names of stations: stations = [\"a\"]")]
    pub stations: Vec<String>,
    /// The rate.
    #[setting(flatten)]
    pub own: OwnRate,
}
