//! A transfer: both ends of a connection, and the applications that write and read its stream.

use crate::contract::{Datagram, Log, Side, State};
use crate::fault::Fault;
use crate::guard::Guard;
use crate::registry::{About, Ends};
use base::Instant;

/// Period of the bytes sent: byte `i` of the stream is `i % PERIOD`.
const PERIOD: u64 = 251;
/// Largest size of one write, bytes.
const BLOCK: usize = 64 * PERIOD as usize;

/// State of the client's application, which writes the stream.
struct Source {
    /// Two blocks of the periodic content, so that a write may begin at any offset within the first.
    bytes: Vec<u8>,
    written: u64,
    /// Bytes to write in total; `None`: unlimited.
    size: Option<u64>,
    ended: bool,
    finished: Option<Instant>,
}

/// State of the server's application, which reads the stream.
#[derive(Default)]
struct Sink {
    /// Bytes of the latest read.
    read: Vec<u8>,
    delivered: u64,
    ended: bool,
}

/// A transfer of a stream of bytes from a client to a server.
pub struct Transfer {
    about: &'static About,
    client: Guard,
    server: Guard,
    unread: u64,
    open: bool,
    source: Source,
    sink: Sink,
    failed: Option<String>,
}

impl Transfer {
    /// Creates a transfer of `size` bytes (unlimited if `None`) between the ends of a connection that is not open yet.
    pub fn new(about: &'static About, ends: Ends, size: Option<u64>) -> Self {
        let Ends { client, server, unread } = ends;
        Self {
            about,
            client: Guard::new(client, about, Side::Client),
            server: Guard::new(server, about, Side::Server),
            unread,
            open: false,
            source: Source {
                bytes: (0..PERIOD as u8).cycle().take(BLOCK + PERIOD as usize).collect(),
                written: 0,
                size,
                ended: false,
                finished: None,
            },
            sink: Sink::default(),
            failed: None,
        }
    }

    /// Returns the registry entry of the stack.
    pub fn about(&self) -> &'static About {
        self.about
    }

    /// Makes each end write a log from now on, if the stack has logs. Must be called before [`Transfer::open`].
    pub fn log(&mut self, title: &str, client: Log, server: Log) {
        self.client.log(title, client);
        self.server.log(title, server);
    }

    /// Opens the connection from the client.
    pub fn open(&mut self, now: Instant) {
        self.open = true;
        self.client.open(now);
        self.work(now, Side::Client);
    }

    /// Passes a datagram to the end `side`.
    pub fn receive(&mut self, now: Instant, side: Side, datagram: Datagram) {
        self.end(side).receive(now, datagram);
        self.work(now, side);
    }

    /// Handles the expiry of the timer of `side`.
    pub fn on_timer(&mut self, now: Instant, side: Side) {
        self.end(side).on_timeout(now);
        self.work(now, side);
    }

    /// Returns the time at which [`Transfer::on_timer`] must be called for `side`, which may be in the past;
    /// `None` if no timer is set.
    pub fn timer(&mut self, side: Side) -> Option<Instant> {
        self.end(side).next_timeout()
    }

    /// Returns a datagram that `side` sends at `now`; `None` if there is none.
    pub fn poll(&mut self, now: Instant, side: Side) -> Option<Datagram> {
        self.end(side).transmit(now)
    }

    /// Ends the stream after the data that the client has written so far.
    pub fn stop(&mut self, now: Instant) {
        self.source.size = Some(self.source.size.unwrap_or(u64::MAX).min(self.source.written));
        if self.open {
            self.work(now, Side::Client);
        }
    }

    /// Returns the bytes that the server's application has read, in order.
    pub fn delivered_bytes(&self) -> u64 {
        self.sink.delivered
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

    /// Returns the first violation of the contract; `None` without one. After a violation the end does nothing.
    pub fn fault(&self) -> Option<&Fault> {
        [&self.client, &self.server].into_iter().filter_map(Guard::fault).min_by_key(|fault| fault.at)
    }

    /// Returns true if the connection is open and not finished, and no end has a timer. Nothing but a datagram on its
    /// way can then continue the transfer.
    pub fn asleep(&mut self) -> bool {
        let waits = self.open && self.source.finished.is_none();
        waits && self.client.next_timeout().is_none() && self.server.next_timeout().is_none()
    }

    /// Returns the state of the client; `None` before [`Transfer::open`], and if the stack does not show any.
    pub fn state(&self) -> Option<State> {
        self.open.then(|| self.client.state()).flatten()
    }

    fn end(&mut self, side: Side) -> &mut Guard {
        match side {
            Side::Client => &mut self.client,
            Side::Server => &mut self.server,
        }
    }

    /// Lets the application at `side` read and write.
    fn work(&mut self, now: Instant, side: Side) {
        if let Some(reason) = self.end(side).failed() {
            // Once all data has arrived, the client closes the connection; the server then sees a lost
            // connection, which is not a failure.
            if self.source.finished.is_none() {
                self.failed.get_or_insert(reason);
            }
            return;
        }
        match side {
            Side::Client => self.write(now),
            Side::Server => self.read(now),
        }
    }

    fn write(&mut self, now: Instant) {
        let source = &mut self.source;
        if source.finished.is_none() && self.client.finished() {
            source.finished = Some(now);
            return self.client.close(now);
        }
        while !source.ended {
            let left = source.size.map_or(u64::MAX, |size| size - source.written);
            if left == 0 {
                source.ended = self.client.end(now);
                break;
            }
            let from = (source.written % PERIOD) as usize;
            let count = left.min(BLOCK as u64) as usize;
            let taken = self.client.write(now, &source.bytes[from..from + count]);
            source.written += taken as u64;
            // The stack's buffer is full; an event follows once there is room.
            if taken == 0 {
                break;
            }
            if source.written - self.sink.delivered > self.unread {
                let most = self.unread;
                let message = format!(
                    "`write` has taken more than {most} bytes that nobody has read: it never says that its buffer is full"
                );
                self.client.refuse(message);
            }
        }
    }

    fn read(&mut self, now: Instant) {
        let Sink { read, delivered, ended } = &mut self.sink;
        if *ended {
            return;
        }
        read.clear();
        *ended = self.server.read(now, read);
        let more = read.len() as u64;
        let wrong = (*delivered..).zip(read.iter()).find(|(at, byte)| (at % PERIOD) as u8 != **byte);
        *delivered += more;
        let written = self.source.written;
        if *delivered > written {
            let message = format!("`read` has returned {delivered} bytes of the {written} that were written");
            *delivered = written;
            self.server.refuse(message);
        } else if let Some((at, byte)) = wrong {
            self.server.refuse(format!("byte {at} of the stream arrived as {byte}, not as {}", at % PERIOD));
        } else if *ended && (*delivered < written || !self.source.ended) {
            self.server.refuse(format!(
                "`read` has returned the end of the stream after {delivered} bytes: the client has written {written}, and \
                 has {}ended it",
                if self.source.ended { "" } else { "not " }
            ));
        }
    }
}
