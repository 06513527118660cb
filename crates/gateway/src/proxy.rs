//! Proxies of a gateway: one for each connection.

use crate::intelligent::Intelligent;
use crate::outbox::{Outbox, Outgoing, Toward};
use crate::pre_ack::PreAck;
use crate::setup::{Kind, Setup};
use crate::snoop::Snoop;
use crate::split::Split;
use crate::split_connection::SplitConnection;
use crate::stats::Stats;
use base::{Body, Instant, Packet, Stamp};
use tcp::congestion::Fault;

/// State of a proxy's connection.
#[derive(Clone, Debug)]
enum State {
    /// The connection has not been opened.
    Waiting,
    Intelligent(Box<Intelligent>),
    PreAck(Box<PreAck>),
    Snoop(Box<Snoop>),
    Split(Box<Split>),
    /// The gateway can no longer proxy the connection: it crashed during the connection, or data passed
    /// before it saw the connection open.
    Lost,
}

/// Proxy of one connection.
///
/// A proxy handles a connection from the packet that opens it. If the gateway is down then, or goes down
/// later, the packets of the connection pass through until the connection ends; with `split` they are
/// dropped. Snoop, which acknowledges nothing itself, handles a connection from any packet on.
#[derive(Clone, Debug)]
pub struct Proxy {
    setup: Setup,
    up: bool,
    state: State,
    stats: Stats,
    /// Packets towards the destination that the proxy sent, minus those that it received.
    balance: i64,
    /// Bytes acknowledged in place of the destination before a crash.
    acknowledged: u64,
}

impl Proxy {
    /// Creates a proxy of a connection that has not been opened.
    pub fn new(setup: Setup) -> Self {
        let (stats, balance) = (Stats::default(), 0);
        Self { setup, up: true, state: State::Waiting, stats, balance, acknowledged: 0 }
    }

    /// Handles a packet of the connection in either direction; packets to send are appended to `out`.
    pub fn on_packet(&mut self, now: Instant, packet: &Packet, out: &mut Outbox) {
        let before = out.len();
        self.take_up(packet);
        if let Some(connection) = self.proxy_mut() {
            connection.near.mark(packet);
            self.pump(now, out);
        }
        let Self { setup, state, stats, .. } = self;
        match (state, &packet.body) {
            (State::Intelligent(it), Body::Data(segment)) => it.on_data(now, packet, segment, out, stats),
            (State::Intelligent(it), Body::Ack(ack)) => it.on_ack(now, packet, ack, out, stats),
            (State::PreAck(it), Body::Data(segment)) => it.on_data(now, packet, segment, out, stats),
            (State::PreAck(it), Body::Ack(ack)) => it.on_ack(now, packet, ack, out, stats),
            (State::Snoop(it), Body::Data(segment)) => it.on_data(now, packet, segment, out, stats),
            (State::Snoop(it), Body::Ack(ack)) => it.on_ack(now, packet, ack, out, stats),
            (State::Split(it), Body::Data(segment)) => it.on_data(now, packet, segment, stats),
            (State::Split(it), Body::Ack(ack)) => it.on_ack(now, ack, stats),
            (State::Waiting | State::Lost, _) if setup.kind == Kind::Split => stats.dropped_packets += 1,
            _ if packet.is_forward() => out.push(Outgoing::pass(Toward::Destination, *packet)),
            _ => out.push(Outgoing::pass(Toward::Source, *packet)),
        }
        self.pump(now, out);
        self.balance += forward(&out[before..]) - i64::from(packet.is_forward());
    }

    /// Begins to handle the connection at the packet that opens it, with Snoop at any packet. If data pass
    /// through an intelligent or Pre ACK gateway before that packet, the state becomes `Lost`.
    fn take_up(&mut self, packet: &Packet) {
        if !matches!(self.state, State::Waiting) {
            return;
        }
        let opens = self.setup.opens(packet);
        self.state = match self.setup.kind {
            Kind::Snoop if self.up => State::Snoop(Box::new(Snoop::new(&self.setup))),
            Kind::Intelligent if self.up && opens => {
                State::Intelligent(Box::new(Intelligent::new(&self.setup)))
            }
            Kind::PreAck if self.up && opens => State::PreAck(Box::new(PreAck::new(&self.setup))),
            Kind::Split if self.up && opens => State::Split(Box::new(Split::new(&self.setup))),
            Kind::Intelligent | Kind::PreAck if packet.payload() > 0 && !opens => State::Lost,
            _ => State::Waiting,
        };
    }

    fn connection(&self) -> Option<&SplitConnection> {
        match &self.state {
            State::Intelligent(it) => Some(&it.connection),
            State::Split(it) => Some(&it.connection),
            State::Waiting | State::PreAck(_) | State::Snoop(_) | State::Lost => None,
        }
    }

    /// Returns the fault that ended a user-defined congestion control on the far side, if there was one.
    pub fn fault(&self) -> Option<&Fault> {
        self.connection()?.far.fault()
    }

    fn proxy_mut(&mut self) -> Option<&mut SplitConnection> {
        match &mut self.state {
            State::Intelligent(it) => Some(&mut it.connection),
            State::Split(it) => Some(&mut it.connection),
            State::Waiting | State::PreAck(_) | State::Snoop(_) | State::Lost => None,
        }
    }

    fn pump(&mut self, now: Instant, out: &mut Outbox) {
        let Self { setup, state, stats, .. } = self;
        match state {
            State::Intelligent(it) => it.connection.pump(now, setup, out, stats),
            State::Split(it) => it.connection.pump(now, setup, out, stats),
            State::PreAck(it) => it.pump(now, setup, out, stats),
            State::Waiting | State::Snoop(_) | State::Lost => {}
        }
    }

    /// Returns the time at which the first of the proxy's timers expires, and the time at which that timer
    /// was set.
    pub fn timer(&self) -> Option<Stamp> {
        match &self.state {
            State::PreAck(it) => it.timer(),
            State::Snoop(it) => it.repair.timer(),
            _ => self.connection()?.timer(),
        }
    }

    /// Handles the expiry of the timer that [`Proxy::timer`] returned; packets to send are appended to `out`.
    pub fn on_timer(&mut self, now: Instant, out: &mut Outbox) {
        let before = out.len();
        let Self { state, stats, .. } = self;
        match state {
            State::Intelligent(it) => it.connection.on_timer(now),
            State::PreAck(it) => it.on_timer(now, out, stats),
            State::Snoop(it) => it.repair.on_timer(now, out, stats),
            State::Split(it) => it.connection.on_timer(now),
            State::Waiting | State::Lost => {}
        }
        self.pump(now, out);
        self.balance += forward(&out[before..]);
    }

    /// Handles the drop of segment `seq` by the gateway's own queue towards the destination. Only Snoop
    /// reacts.
    pub fn on_own_drop(&mut self, seq: u64) {
        if let State::Snoop(it) = &mut self.state {
            it.on_own_drop(seq, &mut self.stats);
        }
    }

    /// Handles a crash of the gateway: the proxy loses all state but its counters.
    pub fn crash(&mut self) {
        self.stats = self.stats();
        self.acknowledged = self.acknowledged();
        self.stats.crash_unconfirmed_bytes += self.unconfirmed();
        self.up = false;
        self.state = match self.state {
            State::Waiting | State::Snoop(_) => State::Waiting,
            _ => State::Lost,
        };
    }

    /// Handles the restart of the gateway.
    pub fn restart(&mut self) {
        self.up = true;
    }

    /// Returns the payload in the proxy's buffer, bytes.
    pub fn held(&self) -> u64 {
        match &self.state {
            State::PreAck(it) => it.repair.held(),
            State::Snoop(it) => it.repair.held(),
            _ => self.connection().map_or(0, |connection| connection.buffer.held()),
        }
    }

    /// Returns the bytes of the stream that the gateway has acknowledged in place of the destination.
    pub fn acknowledged(&self) -> u64 {
        match &self.state {
            State::PreAck(it) => it.near.acknowledged(),
            _ => self.connection().map_or(self.acknowledged, |connection| connection.near.acknowledged()),
        }
    }

    /// Returns the bytes acknowledged to the source that the destination has not acknowledged.
    pub fn unconfirmed(&self) -> u64 {
        match &self.state {
            State::PreAck(it) => it.unconfirmed(),
            _ => self.connection().map_or(0, SplitConnection::unconfirmed),
        }
    }

    /// Returns the counters so far, including those of the far side's TCP sender.
    pub fn stats(&self) -> Stats {
        let mut sum = self.stats;
        if let Some(connection) = self.connection() {
            let far = connection.far.stats();
            sum.timeouts += far.timeouts;
            sum.fast_retransmits += far.fast_retransmits;
        }
        sum
    }

    /// Returns the packets towards the destination that the proxy sent, minus those that it received.
    pub fn balance(&self) -> i64 {
        self.balance
    }
}

/// Returns the number of `packets` that go towards the destination.
fn forward(packets: &[Outgoing]) -> i64 {
    packets.iter().filter(|out| out.toward == Toward::Destination).count() as i64
}

/// Gateway at one node: a proxy for each connection.
#[derive(Clone, Debug)]
pub struct Gateway {
    proxies: Vec<Proxy>,
    up: bool,
    crashes: u64,
    held: u64,
    held_max: u64,
}

impl Gateway {
    /// Creates a gateway with these proxies, one for each connection.
    pub fn new(proxies: Vec<Proxy>) -> Self {
        Self { proxies, up: true, crashes: 0, held: 0, held_max: 0 }
    }

    /// Calls `act` on proxy number `at`, and updates the gateway's count of buffered bytes.
    pub fn with<T>(&mut self, at: usize, act: impl FnOnce(&mut Proxy) -> T) -> T {
        let proxy = &mut self.proxies[at];
        let before = proxy.held();
        let result = act(proxy);
        self.held = self.held + proxy.held() - before;
        self.held_max = self.held_max.max(self.held);
        result
    }

    /// Returns the proxies, in the order in which they were given.
    pub fn proxies(&self) -> &[Proxy] {
        &self.proxies
    }

    /// Brings the gateway up (`true`) or crashes it (`false`); has no effect if the gateway is in that state
    /// already.
    pub fn set_up(&mut self, up: bool) {
        if up == self.up {
            return;
        }
        self.up = up;
        for proxy in &mut self.proxies {
            if up { proxy.restart() } else { proxy.crash() }
        }
        if !up {
            self.crashes += 1;
            self.held = 0;
        }
    }

    /// Returns the largest payload buffered at one time, bytes, all connections together.
    pub fn held_max(&self) -> u64 {
        self.held_max
    }

    /// Returns the number of crashes.
    pub fn crashes(&self) -> u64 {
        self.crashes
    }

    /// Returns the counters, summed over all connections.
    pub fn stats(&self) -> Stats {
        let mut sum = Stats::default();
        for proxy in &self.proxies {
            sum += proxy.stats();
        }
        sum
    }
}
