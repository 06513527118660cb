//! The protocols that find routes by talking to each other, as one.

use super::Config;
use super::aodv::Aodv;
use super::dsdv::Dsdv;
use super::hwmp::Hwmp;
use super::message::Message;
use super::olsr::Olsr;
use super::port::{Datagram, Order};
use base::{DropCause, Duration, Instant};
use radio::access::Station;

/// The router of one station.
#[derive(Clone, Debug)]
pub(crate) enum Adaptive {
    Aodv(Box<Aodv>),
    Dsdv(Box<Dsdv>),
    Olsr(Box<Olsr>),
    Hwmp(Box<Hwmp>),
}

/// The same call to whichever protocol it is.
macro_rules! each {
    ($self:expr, $router:ident => $call:expr) => {
        match $self {
            Adaptive::Aodv($router) => $call,
            Adaptive::Dsdv($router) => $call,
            Adaptive::Olsr($router) => $call,
            Adaptive::Hwmp($router) => $call,
        }
    };
}

impl Adaptive {
    /// The router of `me`, with the stream `name`; `None`: the protocol does not adapt. `frame` is how long a frame of 8192 bits takes,
    /// with everything around it.
    pub fn new(config: &Config, me: Station, frame: Duration, seed: u64, name: &str) -> Option<Self> {
        match config {
            Config::Aodv(config) => Some(Self::Aodv(Box::new(Aodv::new(me, config, seed, name)))),
            Config::Dsdv(config) => Some(Self::Dsdv(Box::new(Dsdv::new(me, config, seed, name)))),
            Config::Olsr(config) => Some(Self::Olsr(Box::new(Olsr::new(me, config, seed, name)))),
            Config::Hwmp(config) => Some(Self::Hwmp(Box::new(Hwmp::new(me, config, frame, seed, name)))),
            _ => None,
        }
    }

    /// A datagram has come from a neighbour, or (`None`) enters the network here.
    pub fn carry(
        &mut self,
        now: Instant,
        datagram: Datagram,
        previous: Option<Station>,
        out: &mut Vec<Order>,
    ) {
        each!(self, router => router.carry(now, datagram, previous, out));
    }

    /// A message has come from a neighbour. Those of another protocol mean nothing.
    pub fn hear(&mut self, now: Instant, message: &Message, previous: Station, out: &mut Vec<Order>) {
        match (self, message) {
            (Self::Aodv(router), Message::Aodv(message)) => router.hear(now, message, previous, out),
            (Self::Dsdv(router), Message::Dsdv(message)) => router.hear(now, message, previous, out),
            (Self::Olsr(router), Message::Olsr(message)) => router.hear(now, message, previous, out),
            (Self::Hwmp(router), Message::Hwmp(message)) => router.hear(now, message, previous, out),
            _ => {}
        }
    }

    /// Whether the packet to a neighbour that the MAC has just given up breaks the link.
    pub fn breaks(&mut self, now: Instant, neighbour: Station) -> bool {
        match self {
            Self::Hwmp(router) => router.breaks(now, neighbour),
            _ => true,
        }
    }

    /// The beacon of a neighbour has come, from too far for its data.
    pub fn faint(&mut self, now: Instant, neighbour: Station, out: &mut Vec<Order>) {
        if let Self::Hwmp(router) = self {
            router.faint(now, neighbour, out);
        }
    }

    /// The MAC has given up on a neighbour: `stranded` are the datagrams that it was to have, that which the MAC gave up
    /// first, if it was one. What is lost of them is lost for `cause`.
    pub fn failed(
        &mut self,
        now: Instant,
        neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Order>,
    ) {
        each!(self, router => router.failed(now, neighbour, cause, stranded, out));
    }

    /// The MAC has given up on a message to a neighbour.
    pub fn message_failed(&mut self, now: Instant, neighbour: Station, message: &Message) {
        // Those of DSDV and OLSR are for everybody, and HWMP asks again.
        if let (Self::Aodv(router), Message::Aodv(message)) = (self, message) {
            router.message_failed(now, neighbour, message);
        }
    }

    /// The MAC has sent a neighbour so many frames, and so many of them did not get through; how long one of 8192 bits takes at the rate
    /// chosen, with everything around it.
    pub fn attempted(
        &mut self,
        now: Instant,
        neighbour: Station,
        frames: (u32, u32),
        frame: Option<Duration>,
    ) {
        if let Self::Hwmp(router) = self {
            router.attempted(now, neighbour, frames, frame);
        }
    }

    /// A neighbour has sent this station so many frames, and so many of them did not get through.
    pub fn reported(&mut self, now: Instant, neighbour: Station, frames: (u32, u32)) {
        if let Self::Hwmp(router) = self {
            router.reported(now, neighbour, frames);
        }
    }

    /// When [`Adaptive::run`] has something to do.
    pub fn next(&self) -> Option<Instant> {
        each!(self, router => router.next())
    }

    /// Does what is due at or before `now`.
    pub fn run(&mut self, now: Instant, out: &mut Vec<Order>) {
        each!(self, router => router.run(now, out));
    }

    /// Datagrams that wait for a route.
    pub fn waiting(&self) -> usize {
        each!(self, router => router.waiting.len())
    }

    /// The next hop that a datagram would take.
    #[cfg(test)]
    pub fn next_hop(&self, to: Station, now: Instant) -> Option<Station> {
        each!(self, router => router.next_hop(to, now))
    }
}
