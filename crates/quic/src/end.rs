//! One end of a connection: an endpoint of quinn-proto with one connection.

use crate::clock::Clock;
use crate::transport::{Factory, transport};
use crate::{Table, tls};
use base::{Ecn, Instant};
use bytes::{Bytes, BytesMut};
use quinn_proto::{
    ClientConfig, Connection, ConnectionHandle, DatagramEvent, Dir, EcnCodepoint, Endpoint, Event,
    QlogConfig, ServerConfig, StreamEvent, StreamId, Transmit, TransportConfig, VarInt,
};
use stack::{Datagram, Log, Stack, State};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;

/// Configuration of an end before the connection is open.
enum Config {
    Client(Box<ClientConfig>),
    Server(Box<ServerConfig>),
}

/// One end of a connection.
pub(crate) struct End {
    endpoint: Endpoint,
    connection: Option<(ConnectionHandle, Connection)>,
    /// Datagrams that the endpoint itself, not the connection, sends in answer.
    answers: VecDeque<Datagram>,
    peer: SocketAddr,
    clock: Clock,
    given: (Table, Factory),
    config: Config,
    stream: Option<StreamId>,
    finished: bool,
    failed: Option<String>,
}

impl End {
    pub(crate) fn client(
        endpoint: Endpoint,
        peer: SocketAddr,
        clock: Clock,
        given: (Table, Factory),
        config: ClientConfig,
    ) -> Self {
        Self::new(endpoint, peer, clock, given, Config::Client(Box::new(config)))
    }

    pub(crate) fn server(
        endpoint: Endpoint,
        peer: SocketAddr,
        clock: Clock,
        given: (Table, Factory),
        config: ServerConfig,
    ) -> Self {
        Self::new(endpoint, peer, clock, given, Config::Server(Box::new(config)))
    }

    fn new(
        endpoint: Endpoint,
        peer: SocketAddr,
        clock: Clock,
        given: (Table, Factory),
        config: Config,
    ) -> Self {
        Self {
            endpoint,
            connection: None,
            answers: VecDeque::new(),
            peer,
            clock,
            given,
            config,
            stream: None,
            finished: false,
            failed: None,
        }
    }

    /// Passes events between the connection and the endpoint until neither has any left, and handles those for the
    /// application.
    fn settle(&mut self) {
        let Some((handle, connection)) = &mut self.connection else { return };
        while let Some(event) = connection.poll_endpoint_events() {
            if let Some(event) = self.endpoint.handle_event(*handle, event) {
                connection.handle_event(event);
            }
        }
    }

    /// Handles the connection's events for the application.
    fn heed(&mut self) {
        let Some((_, connection)) = &mut self.connection else { return };
        while let Some(event) = connection.poll() {
            match event {
                Event::Connected if matches!(self.config, Config::Client(_)) => {
                    self.stream = connection.streams().open(Dir::Uni);
                }
                Event::Stream(StreamEvent::Finished { .. }) => self.finished = true,
                Event::ConnectionLost { reason } => self.failed = Some(reason.to_string()),
                _ => {}
            }
        }
    }
}

impl Stack for End {
    fn open(&mut self, now: Instant) {
        let Config::Client(config) = &self.config else { return };
        let config = ClientConfig::clone(config);
        match self.endpoint.connect(self.clock.there(now), config, self.peer, tls::SERVER) {
            Ok(connection) => self.connection = Some(connection),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }

    fn receive(&mut self, now: Instant, datagram: Datagram) {
        let now = self.clock.there(now);
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
        self.heed();
    }

    fn on_timeout(&mut self, now: Instant) {
        if let Some((_, connection)) = &mut self.connection {
            connection.handle_timeout(self.clock.there(now));
        }
        self.settle();
        self.heed();
    }

    fn next_timeout(&mut self) -> Option<Instant> {
        let (_, connection) = self.connection.as_mut()?;
        connection.poll_timeout().map(|at| self.clock.back(at))
    }

    fn transmit(&mut self, now: Instant) -> Option<Datagram> {
        if let Some(answer) = self.answers.pop_front() {
            return Some(answer);
        }
        let (_, connection) = self.connection.as_mut()?;
        let mut buffer = Vec::new();
        let transmit = connection.poll_transmit(self.clock.there(now), 1, &mut buffer)?;
        self.settle();
        Some(taken(&transmit, buffer))
    }

    fn write(&mut self, _: Instant, bytes: &[u8]) -> usize {
        let (Some((_, connection)), Some(stream)) = (&mut self.connection, self.stream) else { return 0 };
        // Flow control blocks the write with an error; an event follows once there is credit.
        connection.send_stream(stream).write(bytes).unwrap_or(0)
    }

    fn end(&mut self, _: Instant) -> bool {
        let (Some((_, connection)), Some(stream)) = (&mut self.connection, self.stream) else { return false };
        connection.send_stream(stream).finish().is_ok()
    }

    fn read(&mut self, _: Instant, into: &mut Vec<u8>) -> bool {
        let Some((_, connection)) = &mut self.connection else { return false };
        if self.stream.is_none() {
            self.stream = connection.streams().accept(Dir::Uni);
        }
        let Some(stream) = self.stream else { return false };
        let mut stream = connection.recv_stream(stream);
        let Ok(mut chunks) = stream.read(true) else { return false };
        let mut ended = false;
        while let Ok(next) = chunks.next(usize::MAX) {
            let Some(chunk) = next else {
                ended = true;
                break;
            };
            into.extend_from_slice(&chunk.bytes);
        }
        // The result says if there are frames to send; the caller polls the connection anyway.
        let _ = chunks.finalize();
        ended
    }

    fn finished(&self) -> bool {
        self.finished
    }

    fn close(&mut self, now: Instant) {
        if let Some((_, connection)) = &mut self.connection {
            connection.close(self.clock.there(now), VarInt::from_u32(0), Bytes::new());
        }
    }

    fn failed(&self) -> Option<String> {
        self.failed.clone()
    }

    fn state(&self) -> Option<State> {
        let (_, connection) = self.connection.as_ref()?;
        let path = connection.stats().path;
        let control = connection.congestion_state();
        // quinn sends 1200 bytes at first, and 1452 once path MTU discovery has found that such datagrams arrive
        // (RFC 8899).
        let segment = f64::from(path.current_mtu);
        let threshold = control.metrics().ssthresh.filter(|bytes| *bytes < u64::MAX);
        Some(State {
            cwnd: control.window() as f64 / segment,
            ssthresh: threshold.map(|bytes| bytes as f64 / segment),
            srtt_s: path.rtt.as_secs_f64(),
            lost_packets: path.lost_packets,
            congestion_events: path.congestion_events,
        })
    }

    /// Makes the end write a qlog (draft-ietf-quic-qlog-main-schema 0.3, JSON sequence).
    fn log(&mut self, title: &str, into: Log) {
        let logged = |side: &str| -> Arc<TransportConfig> {
            let mut config = QlogConfig::default();
            config.writer(into).title(Some(format!("{title}, {side}")));
            config.start_time(self.clock.there(Instant::ZERO));
            let mut transport = transport(&self.given.0, &self.given.1);
            transport.qlog_stream(config.into_stream());
            Arc::new(transport)
        };
        match &mut self.config {
            Config::Client(config) => {
                config.transport_config(logged("client"));
            }
            Config::Server(config) => {
                config.transport_config(logged("server"));
                self.endpoint.set_server_config(Some(Arc::new(ServerConfig::clone(config))));
            }
        }
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
