//! Stepped links serve one packet at a time, an event each. They are needed for a queue discipline that decides when it
//! serves, a rate that follows a trace, an impaired wire, or changes while the scenario runs.

use crate::impairment::{self, Impairments};
use crate::queue::{self, Decisions, Discipline, Queue, Queued};
use crate::rate_trace::{Opportunities, RateTrace};
use base::{DataRate, DropCause, Duration, FlowId, Instant, Packet, QueueVariable, Stamp};

/// The next action of a link.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing, beyond events that are pending already.
    Nothing,
    /// A packet may go at this time: the link is to be asked again then.
    Wake(Instant),
    /// The transmission of a packet begins.
    Transmit {
        /// The packet with its arrival at the link.
        held: Queued,
        /// End and beginning of its transmission.
        departs: Stamp,
    },
}

/// A packet that has been transmitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// The packet.
    pub packet: Packet,
    /// Its arrival.
    pub arrives: Stamp,
    /// True if it arrives twice.
    pub twice: bool,
}

/// The capacity of a link that has followed a trace: for such a link, utilisation is counted in bytes, not in time.
#[derive(Clone, Debug)]
struct Capacity {
    trace: Option<Opportunities>,
    /// The rate in use, if there is no trace.
    rate: DataRate,
    since: Instant,
    /// Bytes that could have left before that.
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

/// The transmitter of a link with its queue and its wire.
#[derive(Clone, Debug)]
pub struct Stepped {
    queue: Queue,
    /// The rate that the queue sees: the link's, or its trace's mean.
    rate: DataRate,
    /// The packet in transmission, and the end of its transmission.
    serving: Option<(Stamp, Packet)>,
    down: bool,
    /// Last arrival; no later packet arrives before it, unless the wire reorders.
    last_arrival: Instant,
    capacity: Option<Box<Capacity>>,
    impairments: Option<Box<Impairments>>,
    /// Time of the pending wake-up.
    wake: Option<Instant>,
    /// End of the last transmission, and its bytes.
    ended: (Instant, u32),
    /// Arrival and flow of the last packet that was not refused.
    joined: (Instant, FlowId),
    ties: u64,
    /// Drops and marks of the queue since they were last read.
    pub decisions: Decisions,
}

impl Stepped {
    /// Creates an idle link of `rate` with an empty queue.
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

    /// Sets the impairments of its wire.
    pub fn impair(&mut self, config: impairment::Config, seed: u64, name: &str) {
        self.impairments = Some(Box::new(Impairments::new(config, seed, name)));
    }

    /// Follows `trace` from `now` on; without a trace, transmits at `rate`. The queue sees `rate`.
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

    /// Returns the bytes that could have left until `now`, if the link follows or has followed a trace.
    pub fn capacity(&self, now: Instant) -> Option<u64> {
        self.capacity.as_ref().map(|capacity| capacity.bytes(now))
    }

    /// Replaces its queue by one of `config`: waiting packets move to it, even beyond its room.
    pub fn set_queue(&mut self, config: &queue::Config, seed: u64, name: &str) {
        if self.queue.set_limit(config) {
            return;
        }
        let mut queue = Queue::new(config, self.rate, seed, name);
        self.queue.drain().into_iter().for_each(|held| queue.adopt(held));
        self.queue = queue;
    }

    /// Admits a packet; returns true if the link is up. Drops of the queue are among the decisions.
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

    /// Returns the ties so far, as [`Link::ties`](crate::link::Link::ties).
    pub fn ties(&self) -> u64 {
        self.ties
    }

    /// Begins a transmission, if it is idle and up and a packet may go. A transmission of n bytes, `framing` included,
    /// takes `transmission(n)`, unless a trace says otherwise.
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

    /// Notes that the wake-up for `now` has come.
    pub fn woken(&mut self, now: Instant) {
        if self.wake == Some(now) {
            self.wake = None;
        }
    }

    /// Ends the transmission that ends at `stamp`; `None` if it was cut off. The packet travels for `delay`.
    pub fn end(&mut self, stamp: Stamp, delay: Duration) -> Option<Delivery> {
        let (_, packet) = self.serving.take_if(|(departs, _)| *departs == stamp)?;
        self.queue.sent();
        self.ended = (stamp.at, packet.wire);
        let due = (stamp.at + delay).max(self.last_arrival);
        self.last_arrival = due;
        let (at, twice) = self.impairments.as_mut().map_or((due, false), |wire| wire.deliver(due));
        Some(Delivery { packet, arrives: Stamp::new(at, stamp.since), twice })
    }

    /// Tells the variables of the queue discipline to `see`.
    pub fn variables(&self, see: &mut dyn FnMut(QueueVariable, f64)) {
        self.queue.variables(see);
    }

    /// Returns the packets in the queue, the one in transmission included.
    pub fn queued(&self) -> u32 {
        (self.queue.packets() + usize::from(self.serving.is_some())) as u32
    }

    /// Returns the same as [`Stepped::queued`], and the bytes of these packets on the wire.
    pub fn backlog(&self) -> (u64, u64) {
        let serving = self.serving.map_or(0, |(_, packet)| u64::from(packet.wire));
        (u64::from(self.queued()), self.queue.bytes() + serving)
    }

    /// Takes the link down; returns the packet in transmission, which is lost.
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

    /// Removes the waiting packets and returns the arrival of each, for the statistics at the end of a run.
    pub fn left_behind(&mut self) -> impl Iterator<Item = Instant> {
        self.queue.drain().into_iter().map(|held| held.arrived)
    }
}
