//! State of flows: the two ends of a connection over TCP or a stack, or a source of datagrams.

use crate::arrived::Arrived;
use crate::outside::state::Outside;
use crate::round_trips::RoundTrips;
use crate::sessions::state::{Member, Sessions};
use base::{DataHeader, FlowId, Instant, NodeId, Stamp};
use metrics::{FlowLog, FlowStats, StackLog, VideoLog, WriteStats, WriteSummary};
use stack::{About, Ends, Transfer};
use traffic::Source;

/// Time of the pending event of an endpoint's timer. Events that an earlier one has replaced may still be in the queue
/// and are ignored. If the event comes before the timer is due, it is scheduled again.
#[derive(Clone, Copy)]
pub(crate) struct Pending(Instant);

impl Pending {
    pub(crate) const NONE: Self = Self(Instant::MAX);

    /// Records `timer` and returns the stamp of an event to schedule for it; `None` if an event at or before that
    /// time is pending.
    #[inline]
    pub(crate) fn arm(&mut self, timer: Option<Stamp>) -> Option<Stamp> {
        let timer = timer?;
        (timer.at < self.0).then(|| {
            self.0 = timer.at;
            timer
        })
    }

    /// Returns the time of the pending event; [`Instant::MAX`] if there is none.
    #[inline]
    pub(crate) fn due(self) -> Instant {
        self.0
    }

    /// Forgets the pending event, because the caller has done its work already; returns the stamp of an event to
    /// schedule for `timer`, if there is one.
    #[inline]
    pub(crate) fn pass(&mut self, timer: Option<Stamp>) -> Option<Stamp> {
        *self = Self::NONE;
        self.arm(timer)
    }

    /// Returns true if the event at `stamp` is the pending one, and forgets it; false if an earlier event has replaced
    /// the one at `stamp`.
    pub(crate) fn take(&mut self, stamp: Stamp) -> bool {
        let current = self.0 == stamp.at;
        if current {
            self.0 = Instant::MAX;
        }
        current
    }
}

/// A flow. Fields are laid out in the declared order, from the beginning of a cache line, so that the first line holds
/// the fields that every packet needs.
#[repr(C, align(64))]
pub(crate) struct Flow {
    pub kind: Kind,
    pub stop: Instant,
    pub id: FlowId,
    pub from: NodeId,
    pub to: NodeId,
    /// Indices in the table of routes at which the flow's routes begin: to the destination (`there`) and back.
    pub there: u32,
    pub back: u32,
    /// Priority class of the flow's packets, 0 to 7: queues that distinguish classes serve 0 first.
    pub class: u8,
    pub start: Instant,
    pub stats: FlowStats,
}

/// Transport of a flow.
pub(crate) enum Kind {
    Tcp(Box<Connection>),
    Udp(Box<Datagrams>),
    Stack(Box<Stacked>),
    Kernel(Box<Kernel>),
    Outside(Box<Outside>),
    /// Sessions, whose connections are flows of their own.
    Sessions(Box<Sessions>),
}

/// Early delivery ([`crate::early_delivery`]) at one end of a connection.
#[derive(Clone, Copy, Default)]
pub(crate) struct EarlyDelivery {
    /// True if the network allows early delivery at this end.
    pub allowed: bool,
    /// Packets on the last link whose arrivals are events.
    pub waiting: u32,
}

/// Both ends of a TCP connection. It begins with a cache line, so that the fields of one end lie in the same lines
/// wherever the allocator puts it. The order in memory is the declared one: between sender and receiver lie a line that
/// segments need at the receiver, and one that acknowledgments need at the sender.
#[derive(Clone)]
#[repr(C, align(64))]
pub(crate) struct Connection {
    pub sender: tcp::Sender,
    pub receiver_timer: Pending,
    /// Early delivery of segments to the receiver.
    pub receives: EarlyDelivery,
    /// True round-trip times of the connection's packets.
    pub round_trips: RoundTrips,
    pub sender_timer: Pending,
    pub release: Pending,
    /// Early delivery of acknowledgments to the sender.
    pub returns: EarlyDelivery,
    /// Application that writes data over time; `None` for a transfer.
    pub writing: Option<Box<Writing>>,
    /// Bytes to send; `None` for an endless transfer.
    pub size: Option<u64>,
    /// Part in a session; `None` for a connection that is a flow of the scenario.
    pub member: Option<Box<Member>>,
    pub receiver: tcp::Receiver,
}

/// Application that writes data over time, and statistics of its writes.
#[derive(Clone)]
pub(crate) struct Writing {
    pub source: Source,
    pub stats: WriteStats,
}

/// Both ends of a connection over a transport stack.
pub(crate) struct Stacked {
    pub transfer: Transfer,
    /// Events of the timers of the client, then of the server.
    pub timers: [Pending; 2],
    pub round_trips: RoundTrips,
    /// True if the server has received a packet and sent nothing since.
    pub unanswered: bool,
    /// Time at which the client last sent a packet.
    pub last_sent: Instant,
    /// Logs of both ends, if they were requested.
    pub log: Option<FlowLog>,
}

impl Stacked {
    /// Creates a connection that has sent nothing, for a transfer of `size` bytes; unlimited if `None`.
    pub(crate) fn boxed(about: &'static About, ends: Ends, size: Option<u64>) -> Box<Self> {
        Box::new(Self {
            transfer: Transfer::new(about, ends, size),
            timers: [Pending::NONE; 2],
            round_trips: RoundTrips::default(),
            unanswered: false,
            last_sent: Instant::ZERO,
            log: None,
        })
    }

    /// Starts the logs of both ends; `flow` is the name of the flow. Must be called before anything is sent.
    pub(crate) fn watch(&mut self, flow: &str) {
        let log = FlowLog { flow: flow.to_owned(), client: StackLog::default(), server: StackLog::default() };
        self.transfer.log(flow, Box::new(log.client.clone()), Box::new(log.server.clone()));
        self.log = Some(log);
    }

    /// Copies the stack's counters to `stats` at the end of the run.
    pub(crate) fn finish(&mut self, stats: &mut FlowStats) {
        stats.fast_retransmits = self.transfer.state().map_or(0, |state| state.congestion_events);
        stats.completed = self.transfer.finished();
        // The flow counts as stalled since its last packet if the stack has given up its connection, or nothing wakes it.
        let stalled = self.transfer.failed().is_some() || self.transfer.asleep();
        stats.stalled = stalled.then_some(self.last_sent);
    }
}

/// Both ends of a connection in a kernel.
pub(crate) struct Kernel {
    pub transfer: uml::Transfer,
    /// The guest's timer.
    pub timer: Pending,
    pub round_trips: RoundTrips,
}

impl Kernel {
    /// Creates the connection of `transfer`, of which no packet has been sent yet.
    pub(crate) fn new(transfer: uml::Transfer) -> Self {
        Self { transfer, timer: Pending::NONE, round_trips: RoundTrips::default() }
    }
}

/// Source of datagrams.
#[derive(Clone)]
pub(crate) struct Datagrams {
    pub source: Source,
    /// Bytes that headers add to the payload of a datagram on the wire.
    pub header: u32,
    pub next: u64,
    /// Log of each datagram, if the datagrams are the packets of a video.
    pub video: Option<VideoLog>,
    /// Datagrams that have arrived since a link first duplicated a datagram of the flow.
    pub arrived: Arrived,
    /// ECN codepoint of the datagrams.
    pub ecn: base::Ecn,
}

impl Flow {
    /// Returns a copy of the flow; `None` for a stack and for a kernel's TCP, whose state cannot be copied.
    pub(crate) fn copy(&self) -> Option<Self> {
        let kind = match &self.kind {
            Kind::Tcp(connection) => Kind::Tcp(connection.clone()),
            Kind::Udp(datagrams) => Kind::Udp(datagrams.clone()),
            Kind::Outside(outside) => Kind::Outside(outside.clone()),
            Kind::Sessions(sessions) => Kind::Sessions(sessions.clone()),
            Kind::Stack(_) | Kind::Kernel(_) => return None,
        };
        Some(Self { kind, stats: self.stats.clone(), ..*self })
    }

    /// Completes the counters of the endpoints at `end`, the end of the run.
    pub(crate) fn finish(&mut self, end: Instant) {
        self.finish_kernel();
        self.finish_outside();
        if let Kind::Stack(connection) = &mut self.kind {
            connection.finish(&mut self.stats);
        }
        if let Kind::Tcp(connection) = &mut self.kind {
            if let Some(writing) = &mut connection.writing {
                writing.stats.finish(end);
            }
            let sent = connection.sender.stats();
            self.stats.on_acked(sent.acked_packets, sent.acked_bytes);
            self.stats.timeouts = sent.timeouts as u32;
            self.stats.fast_retransmits = sent.fast_retransmits;
            self.stats.delivered_bytes = connection.receiver.delivered_bytes();
            self.stats.conceals_losses = connection.receiver.conceals_losses();
            self.stats.stalled = connection.sender.stalled();
            // Acknowledgments of a receiver that conceals losses do not say that all data have arrived.
            let whole = !self.stats.conceals_losses || connection.size == Some(self.stats.delivered_bytes);
            self.stats.completed = connection.size.and(connection.sender.finished()).filter(|_| whole);
        }
    }

    /// Removes and returns the log of a video's packets, with the bytes that headers add to each packet; `None` if the
    /// flow keeps no such log.
    pub(crate) fn video(&mut self) -> Option<(VideoLog, u32)> {
        match &mut self.kind {
            Kind::Tcp(connection) => {
                let log = connection.writing.as_mut()?.stats.video.take()?;
                Some((log, connection.sender.header()))
            }
            Kind::Udp(datagrams) => Some((datagrams.video.take()?, datagrams.header)),
            Kind::Stack(_) | Kind::Kernel(_) | Kind::Outside(_) | Kind::Sessions(_) => None,
        }
    }

    /// Returns a summary of the application's writes; empty if no application writes.
    pub(crate) fn written(&self) -> WriteSummary {
        match &self.kind {
            Kind::Tcp(connection) => connection.writing.as_ref().map(|w| w.stats.summary()),
            Kind::Udp(_) | Kind::Stack(_) | Kind::Kernel(_) | Kind::Outside(_) | Kind::Sessions(_) => None,
        }
        .unwrap_or_default()
    }
}

impl Connection {
    /// Returns the state of early delivery at the receiver, if `forward` is true, else at the sender.
    #[inline]
    pub(crate) fn early_delivery(&mut self, forward: bool) -> &mut EarlyDelivery {
        if forward { &mut self.receives } else { &mut self.returns }
    }

    /// Creates a connection that has sent nothing.
    pub(crate) fn new(sender: tcp::Sender, receiver: tcp::Receiver) -> Self {
        Self {
            sender,
            receiver,
            sender_timer: Pending::NONE,
            release: Pending::NONE,
            receiver_timer: Pending::NONE,
            receives: EarlyDelivery::default(),
            returns: EarlyDelivery::default(),
            round_trips: RoundTrips::default(),
            size: None,
            writing: None,
            member: None,
        }
    }

    /// Records the arrival of `segment` in the statistics of the application's writes.
    pub(crate) fn arrived(&mut self, now: Instant, segment: &DataHeader) {
        let Some(writing) = &mut self.writing else { return };
        if segment.payload > 0 {
            writing.stats.on_received(now, segment.seq);
        }
        writing.stats.on_delivered(now, self.receiver.expected(), self.receiver.delivered_bytes());
    }
}
