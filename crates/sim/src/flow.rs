//! Flows at work: the two ends of a TCP connection or of a QUIC stack, or a source of datagrams.

use crate::round_trips::RoundTrips;
use base::{DataHeader, FlowId, Instant, NodeId, Stamp};
use metrics::{FlowLog, FlowStats, StackLog, VideoLog, WriteStats, WriteSummary};
use quic::Transfer;
use traffic::Source;

/// A timer of an endpoint as the event queue knows it: re-armed lazily, one event pending at most.
#[derive(Clone, Copy)]
pub(crate) struct Pending(Instant);

impl Pending {
    pub(crate) const NONE: Self = Self(Instant::MAX);

    /// Returns the stamp to schedule so that `timer` is not missed; `None` if an event at or before it is pending
    /// already.
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

    /// Makes the pending event void, as its work is done now; returns the stamp to schedule for `timer`.
    #[inline]
    pub(crate) fn pass(&mut self, timer: Option<Stamp>) -> Option<Stamp> {
        *self = Self::NONE;
        self.arm(timer)
    }

    /// Takes the event at `stamp`; returns true if it is the pending one, and not replaced by an earlier one.
    pub(crate) fn take(&mut self, stamp: Stamp) -> bool {
        let current = self.0 == stamp.at;
        if current {
            self.0 = Instant::MAX;
        }
        current
    }
}

/// A flow. Laid out as declared, each from the beginning of a cache line: the first line has the data of each packet.
#[repr(C, align(64))]
pub(crate) struct Flow {
    pub kind: Kind,
    pub stop: Instant,
    pub id: FlowId,
    pub from: NodeId,
    pub to: NodeId,
    /// Starts of its routes in the table: there, and back.
    pub there: u32,
    pub back: u32,
    /// Class of its packets: 0 is served first in queues that tell classes apart.
    pub class: u8,
    pub start: Instant,
    pub stats: FlowStats,
}

/// The transport of a flow.
pub(crate) enum Kind {
    /// TCP.
    Tcp(Box<Connection>),
    /// Datagrams over UDP.
    Udp(Box<Datagrams>),
    /// QUIC.
    Quic(Box<Quic>),
}

/// Early delivery at one end of a connection.
#[derive(Clone, Copy, Default)]
pub(crate) struct EarlyDelivery {
    /// True if the network allows it to take packets ahead.
    pub allowed: bool,
    /// Packets on its last link that were left to events.
    pub waiting: u32,
}

/// Both ends of a TCP connection.
#[derive(Clone)]
pub(crate) struct Connection {
    pub sender: tcp::Sender,
    pub receiver: tcp::Receiver,
    pub sender_timer: Pending,
    pub release: Pending,
    pub receiver_timer: Pending,
    /// Early delivery of segments to the receiver.
    pub receives: EarlyDelivery,
    /// Early delivery of acknowledgments to the sender.
    pub returns: EarlyDelivery,
    /// Round trips of its packets.
    pub round_trips: RoundTrips,
    /// Bytes to send; endless if `None`.
    pub size: Option<u64>,
    /// The application that writes over time, if there is one.
    pub writing: Option<Box<Writing>>,
}

/// An application that writes over time, with the fate of its writes.
#[derive(Clone)]
pub(crate) struct Writing {
    pub source: Source,
    pub stats: WriteStats,
}

/// Both ends of a QUIC connection.
pub(crate) struct Quic {
    pub transfer: Transfer,
    /// Timers of the client, then of the server.
    pub timers: [Pending; 2],
    pub round_trips: RoundTrips,
    /// True if the server has sent nothing since a packet last came to it.
    pub unanswered: bool,
    /// Time at which the client last sent.
    pub last_sent: Instant,
    /// Logs of its ends, if they were asked for.
    pub log: Option<FlowLog>,
}

impl Quic {
    /// Creates a connection at rest.
    pub(crate) fn new(transfer: Transfer) -> Self {
        Self {
            transfer,
            timers: [Pending::NONE; 2],
            round_trips: RoundTrips::default(),
            unanswered: false,
            last_sent: Instant::ZERO,
            log: None,
        }
    }

    /// Makes both ends log their actions, under the flow's name. Call it before anything is sent.
    pub(crate) fn watch(&mut self, flow: &str) {
        let log = FlowLog { flow: flow.to_owned(), client: StackLog::default(), server: StackLog::default() };
        self.transfer.log(flow, Box::new(log.client.clone()), Box::new(log.server.clone()));
        self.log = Some(log);
    }

    /// Fills in the stack's counters once the run is over.
    pub(crate) fn finish(&self, stats: &mut FlowStats) {
        stats.fast_retransmits = self.transfer.state().map_or(0, |state| state.congestion_events);
        stats.completed = self.transfer.finished();
        // A stack that gives its connection up has found a fault in its input.
        stats.stalled = self.transfer.failed().map(|_| self.last_sent);
    }
}

/// A source of datagrams.
#[derive(Clone)]
pub(crate) struct Datagrams {
    pub source: Source,
    /// Bytes on the wire on top of each datagram's payload.
    pub header: u32,
    pub next: u64,
    /// Log of each datagram, if they are the packets of a video.
    pub video: Option<VideoLog>,
    /// ECN field of its datagrams.
    pub ecn: base::Ecn,
}

impl Flow {
    /// Returns a copy; `None` if its stack cannot be copied.
    pub(crate) fn copy(&self) -> Option<Self> {
        let kind = match &self.kind {
            Kind::Tcp(connection) => Kind::Tcp(connection.clone()),
            Kind::Udp(datagrams) => Kind::Udp(datagrams.clone()),
            Kind::Quic(_) => return None,
        };
        Some(Self { kind, stats: self.stats.clone(), ..*self })
    }

    /// Fills in the endpoints' counters once the run is over, at `end`.
    pub(crate) fn finish(&mut self, end: Instant) {
        if let Kind::Quic(connection) = &self.kind {
            connection.finish(&mut self.stats);
        }
        if let Kind::Tcp(connection) = &mut self.kind {
            if let Some(writing) = &mut connection.writing {
                writing.stats.finish(end);
            }
            let sent = connection.sender.stats();
            self.stats.on_acked(sent.acked_packets, sent.acked_bytes);
            self.stats.timeouts = sent.timeouts;
            self.stats.fast_retransmits = sent.fast_retransmits;
            self.stats.delivered_bytes = connection.receiver.delivered_bytes();
            self.stats.stalled = connection.sender.stalled();
            self.stats.completed = connection.size.and(connection.sender.finished());
        }
    }

    /// Takes out the log of its video's packets, if it is one, with the bytes that each has on top of its payload.
    pub(crate) fn video(&mut self) -> Option<(VideoLog, u32)> {
        match &mut self.kind {
            Kind::Tcp(connection) => {
                let log = connection.writing.as_mut()?.stats.video.take()?;
                Some((log, connection.sender.header()))
            }
            Kind::Udp(datagrams) => Some((datagrams.video.take()?, datagrams.header)),
            Kind::Quic(_) => None,
        }
    }

    /// Returns a summary of its application's writes; empty if none writes.
    pub(crate) fn written(&self) -> WriteSummary {
        match &self.kind {
            Kind::Tcp(connection) => connection.writing.as_ref().map(|w| w.stats.summary()),
            Kind::Udp(_) | Kind::Quic(_) => None,
        }
        .unwrap_or_default()
    }
}

impl Connection {
    /// Returns the early delivery at the end that `forward` packets, or those on the way back, are for.
    #[inline]
    pub(crate) fn early_delivery(&mut self, forward: bool) -> &mut EarlyDelivery {
        if forward { &mut self.receives } else { &mut self.returns }
    }

    /// Creates a connection at rest.
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
        }
    }

    /// Records `segment`, which the receiver has just taken, for the application that wrote its data.
    pub(crate) fn arrived(&mut self, now: Instant, segment: &DataHeader) {
        let Some(writing) = &mut self.writing else { return };
        if segment.payload > 0 {
            writing.stats.on_received(now, segment.seq);
        }
        writing.stats.on_delivered(now, self.receiver.expected(), self.receiver.delivered_bytes());
    }
}
