//! Routing protocols, each declared by one line of [`protocols!`].

use crate::aodv::Aodv;
use crate::dsdv::Dsdv;
use crate::fixed::RouteTable;
use crate::hwmp::Hwmp;
use crate::olsr::Olsr;
use crate::port::{Action, Datagram, Length, Message as _};
use crate::router::{Router, Site};
use crate::station_ref::StationRef;
use base::{DropCause, Duration, Instant};
use radio::access::Station;
use settings::table::holds;
use settings::{Error, Kinds, Overlay};

/// UDP and IP headers, bytes.
const HEADERS: u32 = 28;

/// Source of the values of settings that a scenario file does not give.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defaults {
    /// The defaults of each protocol.
    Own,
    /// The values of ns-2.35.
    Ns2,
    /// The values of ns-3.37.
    Ns3,
}

/// Declares, for each protocol, its settings (as a scenario file gives them, and complete), its router, and its
/// messages.
macro_rules! protocols {
    ($($(#[$doc:meta])* $kind:literal => $name:ident($config:ty),)+) => {
        /// Routing of an ad hoc network, as a scenario file gives it.
        #[derive(Clone, PartialEq, Debug, Kinds)]
        #[settings(what = "routing")]
        pub enum Given {
            /// No routing: packets go straight to their destination, and every station must be within reach of every
            /// other.
            Direct,
            /// Paths of the fewest hops between stations that receive each other at the start; the paths do not
            /// change.
            FewestHops,
            /// A routing table that does not change.
            Table(RouteTable),
            $($(#[$doc])* #[setting(name = $kind)] $name(Overlay<$config>),)+
        }

        /// Routing settings, complete.
        #[derive(Clone, PartialEq, Debug, Default)]
        pub enum Config {
            /// Straight to the destination, in one hop.
            #[default]
            Direct,
            /// Paths of the fewest hops between stations that receive each other at the start.
            FewestHops,
            /// A routing table.
            Table(RouteTable),
            $($(#[$doc])* $name($config),)+
        }

        impl Given {
            /// Completes the settings: those not given take their value from `defaults`.
            ///
            /// # Errors
            /// If a value is out of bounds.
            pub fn over(&self, defaults: Defaults) -> Result<Config, Error> {
                Ok(match self {
                    Self::Direct => Config::Direct,
                    Self::FewestHops => Config::FewestHops,
                    Self::Table(table) => Config::Table(table.clone()),
                    $(Self::$name(given) => Config::$name(match defaults {
                        Defaults::Own => given.over(&<$config>::default())?,
                        Defaults::Ns2 => given.over(&$name::ns2())?,
                        Defaults::Ns3 => given.over(&$name::ns3())?,
                    }),)+
                })
            }

            /// Converts complete settings to the form of a scenario file, in which all of them are given.
            pub fn of(config: &Config) -> Self {
                match config {
                    Config::Direct => Self::Direct,
                    Config::FewestHops => Self::FewestHops,
                    Config::Table(table) => Self::Table(table.clone()),
                    $(Config::$name(config) => Self::$name(Overlay::of(config)),)+
                }
            }

            /// Returns true if the protocol makes a mesh, which has beacons of its own.
            pub const fn is_mesh(&self) -> bool {
                match self {
                    Self::Direct | Self::FewestHops | Self::Table(_) => false,
                    $(Self::$name(_) => $name::MESH,)+
                }
            }
        }

        impl Config {
            /// Returns true if the protocol makes a mesh, which has beacons of its own.
            pub const fn is_mesh(&self) -> bool {
                match self {
                    Self::Direct | Self::FewestHops | Self::Table(_) => false,
                    $(Self::$name(_) => $name::MESH,)+
                }
            }

            /// Lists the stations that the settings name, each with the key of its setting.
            pub fn stations(&mut self) -> Vec<(String, &mut StationRef)> {
                match self {
                    Self::Direct | Self::FewestHops => Vec::new(),
                    Self::Table(table) => table.stations(),
                    $(Self::$name(config) => $name::stations(config),)+
                }
            }

            /// Sets the gates of a mesh, if they are not given, to the stations that are also on a link or in
            /// another network.
            pub fn set_gateways(&mut self, gateways: Vec<StationRef>) {
                match self {
                    Self::Direct | Self::FewestHops | Self::Table(_) => {}
                    $(Self::$name(config) => $name::set_gateways(config, gateways),)+
                }
            }

            /// Returns the number of bytes by which a data frame is longer than with the usual MAC header;
            /// `qos` is true if the usual header has QoS Control.
            pub fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
                match self {
                    Self::Direct | Self::FewestHops | Self::Table(_) => 0,
                    $(Self::$name(config) => $name::overhead(config, from, to, qos),)+
                }
            }

            /// Checks each value against its bounds.
            fn check_values(&self) -> Result<(), Error> {
                match self {
                    Self::Direct | Self::FewestHops => Ok(()),
                    Self::Table(table) => table.check(),
                    $(Self::$name(config) => holds(config),)+
                }
            }
        }

        /// Message of any protocol.
        #[derive(Clone, PartialEq, Debug)]
        enum AnyMessage {
            $($name(<$name as crate::router::Router>::Message),)+
        }

        impl Message {
            /// Returns the length of the message, without the headers of the layers below.
            fn length(&self) -> Length {
                match &self.0 { $(AnyMessage::$name(message) => message.length(),)+ }
            }

            /// Returns true if the message is a beacon, by which neighbours find each other.
            pub fn is_beacon(&self) -> bool {
                match &self.0 { $(AnyMessage::$name(message) => message.is_beacon(),)+ }
            }

            /// Returns the name of the message in the protocol's specification.
            pub fn name(&self) -> &'static str {
                match &self.0 { $(AnyMessage::$name(message) => message.name(),)+ }
            }
        }

        /// Router of any protocol.
        #[derive(Clone, Debug)]
        enum AnyRouter {
            $($name(Box<Worker<$name>>),)+
        }

        impl Protocol {
            /// Creates the router of a station; `None` if the routes of `config` do not change.
            pub(crate) fn new(config: &Config, site: &Site<'_>) -> Option<Self> {
                match config {
                    Config::Direct | Config::FewestHops | Config::Table(_) => None,
                    $(Config::$name(config) => {
                        Some(Self(AnyRouter::$name(Box::new(Worker::new(config, site)))))
                    })+
                }
            }

            /// Handles a datagram from a neighbour or (`None`) from the station itself.
            pub fn forward(
                &mut self,
                now: Instant,
                datagram: Datagram,
                previous: Option<Station>,
                out: &mut Vec<Action<Message>>,
            ) {
                match &mut self.0 { $(AnyRouter::$name(router) => {
                    router.collect(out, AnyMessage::$name, |router, out| router.forward(now, datagram, previous, out));
                })+ }
            }

            /// Handles a message from a neighbour; a message of another protocol is ignored.
            pub fn receive(
                &mut self,
                now: Instant,
                message: &Message,
                previous: Station,
                out: &mut Vec<Action<Message>>,
            ) {
                match (&mut self.0, &message.0) {
                    $((AnyRouter::$name(router), AnyMessage::$name(message)) => {
                        router.collect(out, AnyMessage::$name, |router, out| router.receive(now, message, previous, out));
                    })+
                    #[allow(unreachable_patterns)]
                    _ => {}
                }
            }

            /// Returns true if the link to a neighbour counts as broken after the MAC has given up on a packet to it.
            pub fn breaks(&mut self, now: Instant, neighbour: Station) -> bool {
                match &mut self.0 { $(AnyRouter::$name(router) => router.router.breaks(now, neighbour),)+ }
            }

            /// Handles a broken link. `stranded` are the undelivered datagrams for that neighbour, beginning with the
            /// one on which the MAC gave up. Datagrams that the router does not keep are dropped with `cause`.
            pub fn link_failed(
                &mut self,
                now: Instant,
                neighbour: Station,
                cause: DropCause,
                stranded: &[Datagram],
                out: &mut Vec<Action<Message>>,
            ) {
                match &mut self.0 { $(AnyRouter::$name(router) => {
                    router.collect(out, AnyMessage::$name, |router, out| {
                        router.link_failed(now, neighbour, cause, stranded, out);
                    });
                })+ }
            }

            /// Handles a message to a neighbour on which the MAC has given up.
            pub fn message_failed(&mut self, now: Instant, neighbour: Station, message: &Message) {
                match (&mut self.0, &message.0) {
                    $((AnyRouter::$name(router), AnyMessage::$name(message)) => {
                        router.router.message_failed(now, neighbour, message);
                    })+
                    #[allow(unreachable_patterns)]
                    _ => {}
                }
            }

            /// Handles a beacon whose power is so low that data frames from its sender would not be received.
            pub fn receive_distant_beacon(
                &mut self,
                now: Instant,
                neighbour: Station,
                out: &mut Vec<Action<Message>>,
            ) {
                match &mut self.0 { $(AnyRouter::$name(router) => {
                    router.collect(out, AnyMessage::$name, |router, out| router.receive_distant_beacon(now, neighbour, out));
                })+ }
            }

            /// Records `frames` to a neighbour, as (sent, failed). `frame` is the airtime of a frame of 8192 bits at
            /// the rate in use; `None` if rate control was probing another rate.
            pub fn attempted(
                &mut self,
                now: Instant,
                neighbour: Station,
                frames: (u32, u32),
                frame: Option<Duration>,
            ) {
                match &mut self.0 { $(AnyRouter::$name(router) => {
                    router.router.attempted(now, neighbour, frames, frame);
                })+ }
            }

            /// Records frames that a neighbour has sent to this station, as (sent, failed).
            pub fn reported(&mut self, now: Instant, neighbour: Station, frames: (u32, u32)) {
                match &mut self.0 { $(AnyRouter::$name(router) => router.router.reported(now, neighbour, frames),)+ }
            }

            /// Returns the time at which [`Protocol::run`] must be called next.
            pub fn next(&self) -> Option<Instant> {
                match &self.0 { $(AnyRouter::$name(router) => router.router.next(),)+ }
            }

            /// Carries out everything that is due at or before `now`.
            pub fn run(&mut self, now: Instant, out: &mut Vec<Action<Message>>) {
                match &mut self.0 { $(AnyRouter::$name(router) => {
                    router.collect(out, AnyMessage::$name, |router, out| router.run(now, out));
                })+ }
            }

            /// Counts the datagrams that wait for a route.
            pub fn waiting(&self) -> usize {
                match &self.0 { $(AnyRouter::$name(router) => router.router.waiting(),)+ }
            }
        }
    };
}

protocols! {
    /// On demand, by AODV (RFC 3561). Settings have the names of its section 10 in small letters; profile `"ns2"` has
    /// ns-2's values.
    "aodv" => Aodv(crate::aodv::Config),
    /// By distance vectors from neighbours, as DSDV (Perkins and Bhagwat 1994); profile `"ns2"` has ns-2's values.
    "dsdv" => Dsdv(crate::dsdv::Config),
    /// By link states, as OLSR (RFC 3626): every station learns the topology from the TC messages of the others;
    /// profile `"ns3"` has ns-3's values.
    "olsr" => Olsr(crate::olsr::Config),
    /// On demand, by the airtime of links: HWMP, which makes the network a mesh (IEEE Std 802.11-2016, clause 14).
    /// Settings have the names of the dot11Mesh variables in small letters; `routing_first` is true.
    "hwmp" => Hwmp(crate::hwmp::Config),
}

/// Message of a routing protocol.
#[derive(Clone, PartialEq, Debug)]
pub struct Message(AnyMessage);

/// Router of one station.
#[derive(Clone, Debug)]
pub struct Protocol(AnyRouter);

/// Router, with a buffer for its actions that is kept from call to call.
#[derive(Clone, Debug)]
struct Worker<R: Router> {
    router: R,
    actions: Vec<Action<R::Message>>,
}

impl<R: Router> Worker<R> {
    fn new(config: &R::Config, site: &Site<'_>) -> Self {
        Self { router: R::new(config, site), actions: Vec::new() }
    }

    /// Calls the router and appends its actions to `out`, with its messages converted to [`Message`].
    fn collect(
        &mut self,
        out: &mut Vec<Action<Message>>,
        convert: fn(R::Message) -> AnyMessage,
        call: impl FnOnce(&mut R, &mut Vec<Action<R::Message>>),
    ) {
        call(&mut self.router, &mut self.actions);
        out.extend(self.actions.drain(..).map(|action| action.map(|message| Message(convert(message)))));
    }
}

impl Message {
    /// Returns the bytes that the message fills in a data frame whose MAC header and FCS have `header` bytes.
    /// A UDP message fills an IP packet. A management frame counts as the bytes that make a data frame of the
    /// same length.
    pub fn bytes(&self, header: u32) -> u32 {
        match self.length() {
            Length::Udp(payload) => HEADERS + payload,
            Length::Frame(frame) => frame.saturating_sub(header),
        }
    }
}

impl Config {
    /// Checks the complete settings for a network of `stations` stations.
    ///
    /// # Errors
    /// At the first value that is out of bounds, or at the first name that is no station of the network.
    pub fn check(&self, stations: usize) -> Result<(), Error> {
        self.check_values()?;
        for (key, station) in self.clone().stations() {
            if station.station().is_none_or(|station| station.index() >= stations) {
                return Err(Error::new(key, "a station of the network"));
            }
        }
        Ok(())
    }
}
