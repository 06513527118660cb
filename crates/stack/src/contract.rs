//! The contract: what a stack is told, and what it answers.

use base::{Ecn, Instant};
use std::io::Write;

/// Version of the contract. It rises when something that a stack may rely on changes or goes; additions keep it.
pub const CONTRACT_VERSION: u32 = 1;

/// End of a connection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// End that opens the connection and sends.
    Client,
    /// End that accepts the connection and receives.
    Server,
}

impl Side {
    /// Returns the word for the end in messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

/// A datagram in flight: the payload of UDP, or an IP packet of the stack's own
/// ([`About::headers`](crate::About::headers) says which).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// Bytes that the stack wrote.
    pub bytes: Vec<u8>,
    /// ECN field of the IP header. A queue may change it to CE on the way.
    pub ecn: Ecn,
}

impl Datagram {
    /// Creates a datagram that is not ECN-capable.
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, ecn: Ecn::NotEct }
    }
}

/// State of a sending end. A segment here is the payload that the stack puts into a full datagram on this path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct State {
    /// Congestion window, segments.
    pub cwnd: f64,
    /// Slow-start threshold, segments; `None` before the first loss, and always for controls without a
    /// threshold.
    pub ssthresh: Option<f64>,
    /// Smoothed round-trip time, seconds; before the first sample, the stack's initial value.
    pub srtt_s: f64,
    /// Packets that the end declared lost, including those that arrived later.
    pub lost_packets: u64,
    /// Congestion events that were reported to congestion control.
    pub congestion_events: u64,
}

/// Writer to which an end's log goes, in qlog or another text format.
pub type Log = Box<dyn Write + Send + Sync>;

/// One end of a connection that carries one stream of bytes from the client to the server.
///
/// The caller keeps the time. `now` never goes back, and is the same for all calls of one event. After each event
/// (open, datagram, timeout, write) the caller asks [`Stack::transmit`] until it returns `None`, and then
/// [`Stack::next_timeout`].
///
/// A stack draws random numbers from the stream that [`Custom::new`](crate::Custom::new) is handed, or from numbers that
/// were drawn from it. It does not read a clock, wait, or keep state outside of itself: a run depends on its scenario and
/// seed alone, and several run at once. While there is data that the other end has not acknowledged, an end that needs
/// to act without a datagram must have a timeout: nothing else wakes it.
pub trait Stack: Send + Sync {
    /// Begins the connection. Called once, at the client, before anything else but [`Stack::log`].
    fn open(&mut self, now: Instant) {
        let _ = now;
    }

    /// Takes a datagram that has arrived from the other end. Datagrams can be lost, duplicated and reordered on the
    /// way.
    fn receive(&mut self, now: Instant, datagram: Datagram);

    /// Handles the expiry of the timer. Called at the time that [`Stack::next_timeout`] returned, or later.
    fn on_timeout(&mut self, now: Instant);

    /// Returns the time at which [`Stack::on_timeout`] must be called; `None` if a datagram or the application must
    /// come first. A time that has passed means at once.
    fn next_timeout(&mut self) -> Option<Instant>;

    /// Returns the next datagram to send at `now`; `None` if there is none.
    fn transmit(&mut self, now: Instant) -> Option<Datagram>;

    /// Takes data of the client's application, and returns the number of bytes taken from the beginning. Fewer than all
    /// means that the stack's buffer is full. The application tries again after each event at the client.
    fn write(&mut self, now: Instant, bytes: &[u8]) -> usize;

    /// Ends the client's stream after all data written so far; returns false if that is not possible yet. The
    /// application then tries again after the next event.
    fn end(&mut self, now: Instant) -> bool;

    /// Appends data that has arrived at the server, in order, to `into`; returns true once the end of the stream has
    /// been reached. Called after each event at the server.
    fn read(&mut self, now: Instant, into: &mut Vec<u8>) -> bool;

    /// Returns true at the client once the other end has acknowledged all data and the end of the stream.
    fn finished(&self) -> bool;

    /// Closes the connection. Called once, at the client, when it has [`finished`](Stack::finished).
    fn close(&mut self, now: Instant) {
        let _ = now;
    }

    /// Returns the reason for which the connection has ended early; `None` if it has not.
    fn failed(&self) -> Option<String> {
        None
    }

    /// Returns the state of the end, for traces; `None` if the stack does not show any.
    fn state(&self) -> Option<State> {
        None
    }

    /// Makes the end write a log from now on, under `title`. Called before [`Stack::open`]. A stack without logs does
    /// nothing.
    fn log(&mut self, title: &str, into: Log) {
        let _ = (title, into);
    }
}
