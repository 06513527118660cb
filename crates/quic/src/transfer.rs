//! A transfer: a connection with both ends, and one stream from client to server.

use crate::Table;
use crate::clock::Clock;
use crate::datagram::Datagram;
use crate::end::{End, address};
use crate::state::{Log, Side, State};
use crate::tls;
use base::{Instant, Rng};
use bytes::Bytes;
use quinn_proto::congestion::ControllerFactory;
use quinn_proto::{
    ClientConfig, ConnectionId, ConnectionIdGenerator, Dir, Endpoint, EndpointConfig, Event, QlogConfig,
    ServerConfig, StreamEvent, StreamId, TimeSource, TransportConfig, VarInt,
};
use std::sync::Arc;
use std::time::SystemTime;

/// Period of the bytes sent: byte `i` of the stream is `i % PERIOD`.
const PERIOD: u64 = 251;
/// Largest size of one write, bytes.
const BLOCK: usize = 64 * PERIOD as usize;

/// State of the client's application, which writes the stream.
struct Source {
    /// The periodic content: one block and one period more, so that a write of a block may begin at any
    /// offset within the first period.
    bytes: Vec<u8>,
    stream: Option<StreamId>,
    written: u64,
    /// Bytes to write in total; `None`: unlimited.
    size: Option<u64>,
    ended: bool,
    finished: Option<Instant>,
}

/// State of the server's application, which reads the stream.
#[derive(Default)]
struct Sink {
    stream: Option<StreamId>,
    delivered: u64,
    damaged: bool,
    ended: bool,
}

/// Creates the congestion controllers of both ends.
type Factory = Arc<dyn ControllerFactory + Send + Sync>;

/// A transfer of a stream of bytes from a client to a server.
pub struct Transfer {
    table: Table,
    factory: Factory,
    clock: Clock,
    client: End,
    server: End,
    config: ClientConfig,
    accepting: ServerConfig,
    source: Source,
    sink: Sink,
    failed: Option<String>,
}

#[derive(Debug)]
struct Fixed;

impl TimeSource for Fixed {
    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + tls::DATE
    }
}

/// Generator of connection ids that draws from the run's stream; quinn's own generators draw from the
/// operating system.
struct Ids(Rng);

/// Length of a connection id, bytes.
const ID: usize = 8;

impl ConnectionIdGenerator for Ids {
    fn generate_cid(&mut self) -> ConnectionId {
        ConnectionId::new(&bytes::<ID>(&mut self.0))
    }

    fn cid_len(&self) -> usize {
        ID
    }

    fn cid_lifetime(&self) -> Option<std::time::Duration> {
        None
    }
}

fn bytes<const N: usize>(rng: &mut Rng) -> [u8; N] {
    std::array::from_fn(|_| rng.bits() as u8)
}

fn endpoint(server: Option<Arc<ServerConfig>>, rng: &mut Rng) -> Endpoint {
    let key = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, &bytes::<64>(rng));
    let mut config = EndpointConfig::new(Arc::new(key));
    let ids = Rng::stream(rng.bits(), "connection ids");
    config.cid_generator(move || Box::new(Ids(ids.clone())));
    config.rng_seed(Some(bytes(rng)));
    Endpoint::new(Arc::new(config), server, true, None)
}

fn transport(table: &Table, factory: &Factory) -> TransportConfig {
    let mut transport = TransportConfig::default();
    transport.congestion_controller_factory(Arc::clone(factory));
    transport.stream_receive_window(VarInt::from_u32(table.receive_window));
    // The sender's buffer is so large that only the receiver's window limits the flow.
    transport.send_window(8 * u64::from(table.receive_window));
    // A path that is down for a long time does not end a connection, as with TCP.
    transport.max_idle_timeout(None);
    transport
}

impl Transfer {
    /// Creates a transfer of `size` bytes (unlimited if `None`) with the stack and congestion control of
    /// `table`. The connection is not open yet. Random draws of both ends come from `rng`.
    ///
    /// # Panics
    /// If rustls rejects the fixed certificate, which is a bug.
    pub fn new(table: &Table, size: Option<u64>, rng: Rng) -> Self {
        Self::controlled(table, table.variant.factory(), size, rng)
    }

    /// Creates a transfer as [`Transfer::new`] does, but with congestion controllers from `factory`.
    ///
    /// # Panics
    /// If rustls rejects the fixed certificate, which is a bug.
    pub fn controlled(
        table: &Table,
        factory: Arc<dyn ControllerFactory + Send + Sync>,
        size: Option<u64>,
        mut rng: Rng,
    ) -> Self {
        let (client, server) = tls::configs().expect("the fixed certificate is one");
        let transport = Arc::new(transport(table, &factory));
        let mut config = ClientConfig::new(client);
        let id = ConnectionId::new(&bytes::<20>(&mut rng));
        config.initial_dst_cid_provider(Arc::new(move || id));
        config.transport_config(Arc::clone(&transport));
        let key = ring::hkdf::Salt::new(ring::hkdf::HKDF_SHA256, &[]).extract(&bytes::<64>(&mut rng));
        let mut server = ServerConfig::new(server, Arc::new(key));
        server.transport_config(transport).time_source(Arc::new(Fixed));
        Self {
            table: *table,
            factory,
            clock: Clock::new(),
            client: End::new(endpoint(None, &mut rng), address(2)),
            server: End::new(endpoint(Some(Arc::new(server.clone())), &mut rng), address(1)),
            config,
            accepting: server,
            source: Source {
                bytes: (0..PERIOD as u8).cycle().take(BLOCK + PERIOD as usize).collect(),
                stream: None,
                written: 0,
                size,
                ended: false,
                finished: None,
            },
            sink: Sink::default(),
            failed: None,
        }
    }

    /// Makes each end write a qlog (draft-ietf-quic-qlog-main-schema 0.3, JSON sequence) from now on.
    /// Must be called before [`Transfer::open`].
    pub fn log(&mut self, title: &str, client: Log, server: Log) {
        let logged = |side: &str, writer: Log| {
            let mut config = QlogConfig::default();
            config.writer(writer).title(Some(format!("{title}, {side}")));
            config.start_time(self.clock.there(Instant::ZERO));
            let mut transport = transport(&self.table, &self.factory);
            transport.qlog_stream(config.into_stream());
            Arc::new(transport)
        };
        let (client, server) = (logged("client", client), logged("server", server));
        self.config.transport_config(client);
        self.accepting.transport_config(server);
        self.server.endpoint.set_server_config(Some(Arc::new(self.accepting.clone())));
    }

    /// Opens the connection from the client.
    pub fn open(&mut self, now: Instant) {
        let config = self.config.clone();
        match self.client.endpoint.connect(self.clock.there(now), config, address(2), tls::SERVER) {
            Ok(connection) => self.client.connection = Some(connection),
            Err(error) => self.failed = Some(error.to_string()),
        }
    }

    /// Passes a datagram to the end `side`.
    pub fn receive(&mut self, now: Instant, side: Side, datagram: Datagram) {
        let clock = self.clock;
        self.end(side).receive(clock, now, datagram);
        self.work(now, side);
    }

    /// Handles the expiry of the timer of `side`.
    pub fn on_timer(&mut self, now: Instant, side: Side) {
        let clock = self.clock;
        self.end(side).on_timer(clock, now);
        self.work(now, side);
    }

    /// Returns the time at which [`Transfer::on_timer`] must be called for `side`, which may be in the past;
    /// `None` if no timer is set.
    pub fn timer(&mut self, side: Side) -> Option<Instant> {
        let clock = self.clock;
        self.end(side).timer(clock)
    }

    /// Returns a datagram that `side` sends at `now`; `None` if there is none.
    pub fn poll(&mut self, now: Instant, side: Side) -> Option<Datagram> {
        let clock = self.clock;
        self.end(side).poll(clock, now)
    }

    /// Ends the stream after the data that the client has written so far.
    pub fn stop(&mut self, now: Instant) {
        self.source.size = Some(self.source.size.unwrap_or(u64::MAX).min(self.source.written));
        self.work(now, Side::Client);
    }

    /// Returns the bytes that the server's application has read, in order.
    pub fn delivered_bytes(&self) -> u64 {
        self.sink.delivered
    }

    /// Returns true if all bytes that the server's application has read have the values that the client
    /// wrote.
    pub fn intact(&self) -> bool {
        !self.sink.damaged
    }

    /// Returns true if the server's application has read the end of the stream.
    pub fn received_all(&self) -> bool {
        self.sink.ended
    }

    /// Returns the time at which the client learned that all data had been acknowledged; `None` before that.
    pub fn finished(&self) -> Option<Instant> {
        self.source.finished
    }

    /// Returns the reason for which the connection ended before the stream was complete; `None` if it has not
    /// ended so.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// Returns the state of the client's path; `None` before [`Transfer::open`].
    pub fn state(&self) -> Option<State> {
        let (_, connection) = self.client.connection.as_ref()?;
        let path = connection.stats().path;
        let control = connection.congestion_state();
        let segment = f64::from(path.current_mtu);
        Some(State {
            cwnd: control.window() as f64 / segment,
            ssthresh: control
                .metrics()
                .ssthresh
                .filter(|bytes| *bytes < u64::MAX)
                .map(|s| s as f64 / segment),
            srtt_s: path.rtt.as_secs_f64(),
            lost_packets: path.lost_packets,
            congestion_events: path.congestion_events,
        })
    }

    fn end(&mut self, side: Side) -> &mut End {
        match side {
            Side::Client => &mut self.client,
            Side::Server => &mut self.server,
        }
    }

    /// Handles the connection's events at `side`, and lets the application there read and write.
    fn work(&mut self, now: Instant, side: Side) {
        let Some((_, connection)) = &mut self.end(side).connection else { return };
        let mut connected = false;
        let mut finished = false;
        let mut lost = None;
        while let Some(event) = connection.poll() {
            match event {
                Event::Connected => connected = true,
                Event::Stream(StreamEvent::Finished { .. }) => finished = true,
                Event::ConnectionLost { reason } => lost = Some(reason.to_string()),
                _ => {}
            }
        }
        if let Some(reason) = lost {
            // Once all data has been acknowledged, the client closes the connection; the server then sees a
            // lost connection, which is not a failure.
            if self.source.finished.is_none() {
                self.failed.get_or_insert(reason);
            }
            return;
        }
        match side {
            Side::Client => self.write(now, connected, finished),
            Side::Server => self.read(),
        }
    }

    fn write(&mut self, now: Instant, connected: bool, finished: bool) {
        let Some((_, connection)) = &mut self.client.connection else { return };
        let source = &mut self.source;
        if finished && source.finished.is_none() {
            source.finished = Some(now);
            return connection.close(self.clock.there(now), VarInt::from_u32(0), Bytes::new());
        }
        if connected {
            source.stream = connection.streams().open(Dir::Uni);
        }
        let Some(stream) = source.stream else { return };
        let mut stream = connection.send_stream(stream);
        while !source.ended {
            let left = source.size.map_or(u64::MAX, |size| size - source.written);
            if left == 0 {
                source.ended = stream.finish().is_ok();
                break;
            }
            let from = (source.written % PERIOD) as usize;
            let count = left.min(BLOCK as u64) as usize;
            match stream.write(&source.bytes[from..from + count]) {
                Ok(taken) => source.written += taken as u64,
                // Flow control blocks the write; an event follows once there is credit.
                Err(_) => break,
            }
        }
    }

    fn read(&mut self) {
        let Some((_, connection)) = &mut self.server.connection else { return };
        let sink = &mut self.sink;
        if sink.stream.is_none() {
            sink.stream = connection.streams().accept(Dir::Uni);
        }
        let Some(stream) = sink.stream else { return };
        let mut stream = connection.recv_stream(stream);
        let Ok(mut chunks) = stream.read(true) else { return };
        while let Ok(next) = chunks.next(usize::MAX) {
            let Some(chunk) = next else {
                sink.ended = true;
                break;
            };
            sink.damaged |= chunk.offset != sink.delivered
                || (sink.delivered..).zip(&chunk.bytes).any(|(at, byte)| (at % PERIOD) as u8 != *byte);
            sink.delivered += chunk.bytes.len() as u64;
        }
        // The result says if there are frames to send; the caller polls the connection anyway.
        let _ = chunks.finalize();
    }
}
