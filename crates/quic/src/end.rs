//! One end of a connection: an endpoint of quinn-proto with one connection.

use crate::clock::Clock;
use crate::datagram::Datagram;
use base::{Ecn, Instant};
use bytes::BytesMut;
use quinn_proto::{Connection, ConnectionHandle, DatagramEvent, EcnCodepoint, Endpoint, Transmit};
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};

/// One end of a connection.
pub(crate) struct End {
    pub endpoint: Endpoint,
    pub connection: Option<(ConnectionHandle, Connection)>,
    /// Datagrams that the endpoint itself, not the connection, sends in answer.
    answers: VecDeque<Datagram>,
    peer: SocketAddr,
}

/// Returns the address of an end. The simulation does not depend on the value of the address.
pub(crate) fn address(last: u8) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::new(192, 0, 2, last), 443))
}

impl End {
    pub(crate) fn new(endpoint: Endpoint, peer: SocketAddr) -> Self {
        Self { endpoint, connection: None, answers: VecDeque::new(), peer }
    }

    /// Receives a datagram from the other end.
    pub(crate) fn receive(&mut self, clock: Clock, now: Instant, datagram: Datagram) {
        let now = clock.there(now);
        let ecn = match datagram.ecn {
            Ecn::NotEct => None,
            Ecn::Ect0 => Some(EcnCodepoint::Ect0),
            Ecn::Ect1 => Some(EcnCodepoint::Ect1),
            Ecn::Ce => Some(EcnCodepoint::Ce),
        };
        let mut buffer = Vec::new();
        let data = BytesMut::from(&datagram.bytes[..]);
        match self.endpoint.handle(now, self.peer, None, ecn, data, &mut buffer) {
            Some(DatagramEvent::ConnectionEvent(_, event)) => {
                if let Some((_, connection)) = &mut self.connection {
                    connection.handle_event(event);
                }
            }
            // A duplicate of a client's first packet must not open a second connection.
            Some(DatagramEvent::NewConnection(incoming)) if self.connection.is_some() => {
                self.endpoint.ignore(incoming);
            }
            Some(DatagramEvent::NewConnection(incoming)) => {
                match self.endpoint.accept(incoming, now, &mut buffer, None) {
                    Ok(connection) => self.connection = Some(connection),
                    Err(error) => {
                        if let Some(answer) = error.response {
                            self.answers.push_back(taken(&answer, buffer));
                        }
                    }
                }
            }
            Some(DatagramEvent::Response(answer)) => self.answers.push_back(taken(&answer, buffer)),
            None => {}
        }
        self.settle();
    }

    /// Handles the expiry of the timer.
    pub(crate) fn on_timer(&mut self, clock: Clock, now: Instant) {
        if let Some((_, connection)) = &mut self.connection {
            connection.handle_timeout(clock.there(now));
        }
        self.settle();
    }

    /// Passes events between the connection and the endpoint until neither has any left.
    fn settle(&mut self) {
        let Some((handle, connection)) = &mut self.connection else { return };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
    }

    /// Returns the datagram to send at `now`; `None` if there is none.
    pub(crate) fn poll(&mut self, clock: Clock, now: Instant) -> Option<Datagram> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        let (_, connection) = self.connection.as_mut()?;
        let mut buffer = Vec::new();
        let transmit = connection.poll_transmit(clock.there(now), 1, &mut buffer)?;
        self.settle();
        Some(taken(&transmit, buffer))
    }

    /// Returns the time at which [`End::on_timer`] must be called; `None` if no timer is set.
    pub(crate) fn timer(&mut self, clock: Clock) -> Option<Instant> {
        let (_, connection) = self.connection.as_mut()?;
        connection.poll_timeout().map(|at| clock.back(at))
    }
}

fn taken(transmit: &Transmit, mut bytes: Vec<u8>) -> Datagram {
    bytes.truncate(transmit.size);
    let ecn = match transmit.ecn {
        None => Ecn::NotEct,
        Some(EcnCodepoint::Ect0) => Ecn::Ect0,
        Some(EcnCodepoint::Ect1) => Ecn::Ect1,
        Some(EcnCodepoint::Ce) => Ecn::Ce,
    };
    Datagram { bytes, ecn }
}
