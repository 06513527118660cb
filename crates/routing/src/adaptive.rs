//! The protocols that find routes by talking to each other, as one.

use super::aodv::node::Aodv;
use super::config::Config;
use super::dsdv::node::Dsdv;
use super::hwmp::node::Hwmp;
use super::message::Message;
use super::olsr::node::Olsr;
use super::port::{Action, Datagram};
use base::{DropCause, Duration, Instant};
use radio::access::Station;

/// The router of one station.
#[derive(Clone, Debug)]
#[expect(private_interfaces, missing_docs)]
pub enum Adaptive {
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
    pub fn forward(
        &mut self,
        now: Instant,
        datagram: Datagram,
        previous: Option<Station>,
        out: &mut Vec<Action>,
    ) {
        each!(self, router => router.forward(now, datagram, previous, out));
    }

    /// A message has come from a neighbour. Those of another protocol mean nothing.
    pub fn receive(&mut self, now: Instant, message: &Message, previous: Station, out: &mut Vec<Action>) {
        match (self, message) {
            (Self::Aodv(router), Message::Aodv(message)) => router.receive(now, message, previous, out),
            (Self::Dsdv(router), Message::Dsdv(message)) => router.receive(now, message, previous, out),
            (Self::Olsr(router), Message::Olsr(message)) => router.receive(now, message, previous, out),
            (Self::Hwmp(router), Message::Hwmp(message)) => router.receive(now, message, previous, out),
            _ => {}
        }
    }

    /// Whether the packet to a neighbour that the MAC has just given up breaks the link.
    pub fn breaks(&mut self, now: Instant, neighbour: Station) -> bool {
        match self {
            Self::Hwmp(router) => router.breaks(now, neighbour),
            Self::Dsdv(router) => router.breaks(),
            Self::Olsr(router) => router.breaks(),
            Self::Aodv(_) => true,
        }
    }

    /// The beacon of a neighbour has come, from too far for its data.
    pub fn receive_distant_beacon(&mut self, now: Instant, neighbour: Station, out: &mut Vec<Action>) {
        if let Self::Hwmp(router) = self {
            router.receive_distant_beacon(now, neighbour, out);
        }
    }

    /// The MAC has given up on a neighbour: `stranded` are the datagrams that it was to have, that which the MAC gave up
    /// first, if it was one. What is lost of them is lost for `cause`.
    pub fn link_failed(
        &mut self,
        now: Instant,
        neighbour: Station,
        cause: DropCause,
        stranded: &[Datagram],
        out: &mut Vec<Action>,
    ) {
        each!(self, router => router.link_failed(now, neighbour, cause, stranded, out));
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
    pub fn run(&mut self, now: Instant, out: &mut Vec<Action>) {
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
