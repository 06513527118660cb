//! Stepped links transmit one packet per event. [`crate::link`] lists the links that must be stepped.

use crate::impairment::{self, Impairments};
use crate::queue::{self, Decisions, Discipline, Queue, Queued};
use crate::rate_trace::{Opportunities, RateTrace};
use base::{DataRate, DropCause, Duration, FlowId, Instant, Packet, QueueVariable, Stamp};

/// Result of an attempt to begin a transmission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// No transmission begins: the link is busy or down, no packet waits, or a pending event will try again.
    Nothing,
    /// No packet may be sent before this time; the caller tries again then.
    Wake(Instant),
    /// The transmission of a packet begins.
    Transmit {
        /// The packet, and the time at which the packet arrived at the link.
        held: Queued,
        /// End and beginning of the packet's transmission.
        departs: Stamp,
    },
}

/// A packet that has been transmitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The packet.
    pub packet: Packet,
    /// Arrival at the far end.
    pub arrives: Stamp,
    /// True if the packet arrives twice.
    pub twice: bool,
}

/// Capacity of a link that has followed a rate trace, in bytes. The utilization of such a link is computed
/// from bytes, not from busy time.
#[derive(Clone, Debug)]
struct Capacity {
    trace: Option<Opportunities>,
    /// Rate in use if there is no trace.
    rate: DataRate,
    since: Instant,
    /// Capacity before `since`, bytes.
    past: u64,
}

impl Capacity {
    fn bytes(&self, now: Instant) -> u64 {
        let bytes = match &self.trace {
            Some(trace) => trace.capacity(now),
            None => (now.since(self.since).secs() * self.rate.bps() as f64 / 8.0) as u64,
        };
        self.past + bytes
    }
}

/// State of a stepped link: queue, transmitter and wire.
#[derive(Clone, Debug)]
pub struct Stepped {
    queue: Queue,
    /// Rate on which the queue discipline relies: that of the link, or the mean of its trace.
    rate: DataRate,
    /// The packet in transmission, and the end of its transmission.
    serving: Option<(Stamp, Packet)>,
    down: bool,
    /// Latest arrival at the far end so far, without the effect of impairments, before which no later packet
    /// arrives.
    last_arrival: Instant,
    capacity: Option<Box<Capacity>>,
    impairments: Option<Box<Impairments>>,
    /// Time at which the caller will try again.
    wake: Option<Instant>,
    /// End of the last transmission, and the bytes of its packet.
    ended: (Instant, u32),
    /// Arrival and flow of the last packet that was queued.
    joined: (Instant, FlowId),
    ties: u64,
    /// Drops and marks of the queue, until the caller removes them.
    pub decisions: Decisions,
}

impl Stepped {
    /// Creates an idle stepped link of `rate` that serves `queue`.
    pub fn new(queue: Queue, rate: DataRate) -> Self {
        Self {
            queue,
            rate,
            serving: None,
            down: false,
            last_arrival: Instant::ZERO,
            capacity: None,
            impairments: None,
            wake: None,
            ended: (Instant::MAX, 0),
            joined: (Instant::MAX, FlowId(0)),
            ties: 0,
            decisions: Decisions::default(),
        }
    }

    /// Sets the impairments of the wire; their random streams are named after `name`.
    pub fn impair(&mut self, config: impairment::Config, seed: u64, name: &str) {
        self.impairments = Some(Box::new(Impairments::new(config, seed, name)));
    }

    /// Makes the link follow `trace` from `now` on; without a trace, the link transmits at `rate`. With a trace,
    /// the queue discipline assumes that the link has `rate`.
    pub fn set_rate(&mut self, now: Instant, trace: Option<RateTrace>, rate: DataRate) {
        self.rate = rate;
        self.queue.set_rate(rate);
        if trace.is_none() && self.capacity.is_none() {
            return;
        }
        let past = self.capacity.as_ref().map_or(0, |capacity| capacity.bytes(now));
        let trace = trace.map(|trace| Opportunities::new(trace, now));
        self.capacity = Some(Box::new(Capacity { trace, rate, since: now, past }));
    }

    /// Returns the bytes that could have been sent until `now`; `None` if the link has never followed a
    /// trace.
    pub fn capacity(&self, now: Instant) -> Option<u64> {
        self.capacity.as_ref().map(|capacity| capacity.bytes(now))
    }

    /// Replaces the queue by one of `config`; waiting packets move to the new queue, even above its limit.
    pub fn set_queue(&mut self, config: &queue::Config, seed: u64, name: &str) {
        if self.queue.set_limit(config) {
            return;
        }
        let mut queue = Queue::new(config, self.rate, seed, name);
        self.queue.drain().into_iter().for_each(|held| queue.adopt(held));
        self.queue = queue;
    }

    /// Hands the packet to the queue if the link is up, and returns true; if the queue drops it, `decisions`
    /// has the drop. Returns false if the link is down.
    pub fn admit(&mut self, now: Instant, packet: &Packet) -> bool {
        if !self.down {
            let before = self.decisions.dropped.len();
            self.queue.enqueue(now, *packet, &mut self.decisions);
            let full = |(_, cause): &(Queued, DropCause)| *cause == DropCause::Queue;
            if self.decisions.dropped[before..].iter().any(full) {
                let leaves = self.serving.is_some_and(|(departs, _)| departs.at == now);
                let (joined, other) = self.joined;
                self.ties += u64::from(leaves || (joined == now && other != packet.flow));
            } else {
                let (ended, wire) = self.ended;
                self.ties += u64::from(ended == now && self.queue.is_full(wire));
                self.joined = (now, packet.flow);
            }
        }
        !self.down
    }

    /// Returns the number of ties so far, as defined by [`Link::ties`](crate::link::Link::ties).
    pub fn ties(&self) -> u64 {
        self.ties
    }

    /// Begins a transmission if the link is idle and up and a packet may be sent. `framing` is the number of
    /// bytes added per packet. `transmission` gives the time for a number of bytes; it is not used while the
    /// link follows a trace.
    pub fn begin(&mut self, now: Instant, framing: u32, transmission: impl FnOnce(u32) -> Duration) -> Next {
        if self.down || self.serving.is_some() {
            return Next::Nothing;
        }
        let mut trace = self.capacity.as_mut().and_then(|capacity| capacity.trace.as_mut());
        if let Some(trace) = &mut trace {
            if self.queue.packets() == 0 {
                trace.close();
            } else if let Err(at) = trace.open(now) {
                return self.wake_at(at);
            }
        }
        let Some(held) = self.queue.dequeue(now, &mut self.decisions) else {
            return self.queue.ready().map_or(Next::Nothing, |at| self.wake_at(at));
        };
        let wire = held.packet.wire + framing;
        let end = match trace {
            Some(trace) => trace.transmit(wire),
            None => now + transmission(wire),
        };
        let departs = Stamp::new(end, now);
        self.serving = Some((departs, held.packet));
        Next::Transmit { held, departs }
    }

    fn wake_at(&mut self, at: Instant) -> Next {
        if self.wake.is_some_and(|pending| pending <= at) {
            return Next::Nothing;
        }
        self.wake = Some(at);
        Next::Wake(at)
    }

    /// Clears the pending wake-up if it was for `now`.
    pub fn woken(&mut self, now: Instant) {
        if self.wake == Some(now) {
            self.wake = None;
        }
    }

    /// Ends the transmission that ends at `stamp` and starts the packet's propagation, which takes `delay`.
    /// Returns `None` if the link went down during the transmission.
    pub fn end(&mut self, stamp: Stamp, delay: Duration) -> Option<Delivery> {
        let (_, packet) = self.serving.take_if(|(departs, _)| *departs == stamp)?;
        self.queue.sent();
        self.ended = (stamp.at, packet.wire);
        let due = (stamp.at + delay).max(self.last_arrival);
        self.last_arrival = due;
        let (at, twice) = self.impairments.as_mut().map_or((due, false), |wire| wire.deliver(due));
        Some(Delivery { packet, arrives: Stamp::new(at, stamp.since), twice })
    }

    /// Calls `see` with each observable variable of the queue discipline.
    pub fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.queue.variables(see);
    }

    /// Returns the number of packets in the queue, including the packet in transmission.
    pub fn queued(&self) -> u32 {
        (self.queue.packets() + usize::from(self.serving.is_some())) as u32
    }

    /// Returns the number of packets in the queue and their bytes on the wire, including the packet in
    /// transmission.
    pub fn backlog(&self) -> (u64, u64) {
        let serving = self.serving.map_or(0, |(_, packet)| u64::from(packet.wire));
        (u64::from(self.queued()), self.queue.bytes() + serving)
    }

    /// Takes the link down; returns the packet that was in transmission, which is lost.
    pub fn take_down(&mut self) -> Option<Packet> {
        self.down = true;
        let (_, packet) = self.serving.take()?;
        self.queue.sent();
        Some(packet)
    }

    /// Brings the link up again.
    pub fn bring_up(&mut self) {
        self.down = false;
    }

    /// Removes the waiting packets and returns the arrival time of each, for the statistics at the end of a
    /// run.
    pub fn left_behind(&mut self) -> impl Iterator<Item = Instant> {
        self.queue.drain().into_iter().map(|held| held.arrived)
    }
}
