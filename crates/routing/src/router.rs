//! Contract of a routing protocol.

use crate::port::{Action, Datagram, Message};
use crate::station_ref::StationRef;
use base::{DropCause, Duration, Instant, Rng};
use radio::access::Station;
use settings::Settings;
use std::fmt::Debug;

/// A router's station, and the values on which its random draws and its metric depend.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site<'a> {
    pub(crate) me: Station,
    /// Airtime of a frame of 8192 bits at the fastest rate, with interframe spaces, preamble, headers and ACK.
    pub(crate) frame: Duration,
    pub(crate) seed: u64,
    /// Name of the router's random stream.
    pub(crate) name: &'a str,
}

impl Site<'_> {
    pub(crate) fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.name)
    }
}

/// A routing protocol: the router of one station.
pub(crate) trait Router: Clone + Debug + Sized {
    /// Settings, as scenario files have them.
    type Config: Settings + Clone + Default;
    /// Messages to neighbours.
    type Message: Message + Clone + PartialEq + Debug;

    /// True if the protocol makes a mesh (IEEE Std 802.11-2016, clause 14): it sends its own beacons, and its
    /// messages are sent before data.
    const MESH: bool = false;

    /// Creates the router of a station.
    fn new(config: &Self::Config, site: &Site<'_>) -> Self;

    /// Handles a datagram from a neighbour or (`None`) from the station itself.
    fn forward(
        &mut self,
        now: Instant,
        datagram: Datagram,
        previous: Option<Station>,
        out: &mut Vec<Action<Self::Message>>,
    );

    /// Handles a message from a neighbour.
    fn receive(
        &mut self,
        now: Instant,
        message: &Self::Message,
        previous: Station,
        out: &mut Vec<Action<Self::Message>>,
    );

    /// Returns the time at which [`Router::run`] must be called next.
    fn next(&self) -> Option<Instant>;

    /// Carries out everything that is due at or before `now`.
    fn run(&mut self, now: Instant, out: &mut Vec<Action<Self::Message>>);

    /// Counts the datagrams that wait for a route.
    fn waiting(&self) -> usize;

    /// Returns true if the link to a neighbour counts as broken after the MAC has given up on a packet to it.
    fn breaks(&mut self, _now: Instant, _neighbour: Station) -> bool {
        true
    }

    /// Handles a broken link. `stranded` are the undelivered datagrams for that neighbour, beginning with the one on
    /// which the MAC gave up. Datagrams that the router does not keep are dropped with `cause`.
    fn link_failed(
        &mut self,
        _now: Instant,
        _neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Action<Self::Message>>,
    ) {
        out.extend(stranded.iter().map(|datagram| Action::Drop(*datagram, cause)));
    }

    /// Handles a message to a neighbour on which the MAC has given up.
    fn message_failed(&mut self, _now: Instant, _neighbour: Station, _message: &Self::Message) {}

    /// Handles a beacon that arrived too weak for data frames of its sender to arrive.
    fn receive_distant_beacon(
        &mut self,
        _now: Instant,
        _neighbour: Station,
        _out: &mut Vec<Action<Self::Message>>,
    ) {
    }

    /// Records `frames` to a neighbour, as (sent, failed). `frame` is the airtime of a frame of 8192 bits at the rate
    /// in use; `None` if rate control was probing another rate.
    fn attempted(
        &mut self,
        _now: Instant,
        _neighbour: Station,
        _frames: (u32, u32),
        _frame: Option<Duration>,
    ) {
    }

    /// Records frames that a neighbour has sent to this station, as (sent, failed).
    fn reported(&mut self, _now: Instant, _neighbour: Station, _frames: (u32, u32)) {}

    /// Returns the next hop of a datagram to `to`.
    #[cfg(test)]
    fn next_hop(&self, _to: Station, _now: Instant) -> Option<Station> {
        None
    }

    /// Returns the settings of profile `"ns2"`.
    fn ns2() -> Self::Config {
        Self::Config::default()
    }

    /// Returns the settings of profile `"ns3"`.
    fn ns3() -> Self::Config {
        Self::Config::default()
    }

    /// Lists the stations that the settings name, each with the key of its setting.
    fn stations(_config: &mut Self::Config) -> Vec<(String, &mut StationRef)> {
        Vec::new()
    }

    /// Sets a setting such as `gates`, if it is not given, to the stations that are also on a link or in
    /// another network.
    fn set_gateways(_config: &mut Self::Config, _gateways: Vec<StationRef>) {}

    /// Returns the number of bytes by which a data frame is longer than with the usual MAC header; `qos` is
    /// true if the usual header has QoS Control.
    fn overhead(_config: &Self::Config, _from: Station, _to: Station, _qos: bool) -> u8 {
        0
    }
}
