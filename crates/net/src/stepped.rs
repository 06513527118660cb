//! Links that serve one packet at a time, an event each: those with a queue discipline that decides when it serves, a rate
//! that follows a trace, a wire that impairs, or changes while the scenario runs.

use crate::impairment::{self, Impairments};
use crate::queue::{self, Decisions, Discipline, Queue, Queued};
use crate::rate_trace::{Opportunities, RateTrace};
use base::{DataRate, DropCause, Duration, FlowId, Instant, Packet, QueueVariable, Stamp};

/// What a link does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing that is not pending already.
    Nothing,
    /// A packet may go then: the link wants to be asked again.
    Wake(Instant),
    /// It transmits.
    Transmit {
        /// The packet, and when it arrived.
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
    /// When it arrives.
    pub arrives: Stamp,
    /// Whether it arrives twice.
    pub twice: bool,
}

/// The capacity of a link that has followed a trace: of such a link the share in use is in bytes, not in time.
#[derive(Clone, Debug)]
struct Capacity {
    trace: Option<Opportunities>,
    /// The rate in force, where there is no trace.
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

/// A link's transmitter and what stands before and behind it.
#[derive(Clone, Debug)]
pub struct Stepped {
    queue: Queue,
    /// The rate that the queue sees: the link's, or its trace's mean.
    rate: DataRate,
    /// The packet in transmission, and when that ends.
    serving: Option<(Stamp, Packet)>,
    down: bool,
    /// No packet arrives before the one ahead of it, unless the wire reorders.
    last_arrival: Instant,
    capacity: Option<Box<Capacity>>,
    impairments: Option<Box<Impairments>>,
    /// The wake that is pending.
    wake: Option<Instant>,
    /// The last transmission that ended: when, and the packet's bytes.
    ended: (Instant, u32),
    /// The last packet that was not refused: when it arrived, and its flow.
    joined: (Instant, FlowId),
    ties: u64,
    /// What the queue has dropped and marked since this was last read.
    pub decisions: Decisions,
}

impl Stepped {
    /// An idle link of `rate` with an empty queue.
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

    /// Impairs its wire.
    pub fn impair(&mut self, config: impairment::Config, seed: u64, name: &str) {
        self.impairments = Some(Box::new(Impairments::new(config, seed, name)));
    }

    /// Follows `trace` from `now` on, or no trace any more but transmits at `rate`, as the queue sees it.
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

    /// Bytes that could have left until `now`, where it follows or has followed a trace.
    pub fn capacity(&self, now: Instant) -> Option<u64> {
        self.capacity.as_ref().map(|capacity| capacity.bytes(now))
    }

    /// Puts a queue of `config` in the place of its own: packets that wait move to it, whatever its room.
    pub fn set_queue(&mut self, config: &queue::Config, seed: u64, name: &str) {
        if self.queue.set_limit(config) {
            return;
        }
        let mut queue = Queue::new(config, self.rate, seed, name);
        self.queue.drain().into_iter().for_each(|held| queue.adopt(held));
        self.queue = queue;
    }

    /// A packet arrives; returns whether the link is up. What the queue drops is among the decisions.
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

    /// Arrivals whose fate hung on a tie, as [`Link::ties`](crate::link::Link::ties) says.
    pub fn ties(&self) -> u64 {
        self.ties
    }

    /// Begins to transmit, if it is idle and up and a packet may go. A transmission of n bytes, `framing` among them, takes
    /// `transmission(n)`, unless a trace says otherwise.
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

    /// The wake for `now` has come.
    pub fn woken(&mut self, now: Instant) {
        if self.wake == Some(now) {
            self.wake = None;
        }
    }

    /// The transmission that ends at `stamp` ends; `None` where it was cut off. The packet travels for `delay`.
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

    /// Packets in the queue, the one in transmission included.
    pub fn queued(&self) -> u32 {
        (self.queue.packets() + usize::from(self.serving.is_some())) as u32
    }

    /// As [`Stepped::queued`], and the bytes of these packets on the wire.
    pub fn backlog(&self) -> (u64, u64) {
        let serving = self.serving.map_or(0, |(_, packet)| u64::from(packet.wire));
        (u64::from(self.queued()), self.queue.bytes() + serving)
    }

    /// Takes it down; returns the packet in transmission, which is lost.
    pub fn take_down(&mut self) -> Option<Packet> {
        self.down = true;
        let (_, packet) = self.serving.take()?;
        self.queue.sent();
        Some(packet)
    }

    /// Brings it up again.
    pub fn bring_up(&mut self) {
        self.down = false;
    }

    /// Gives up what waits: when each packet arrived. For the books at the end of a run.
    pub fn left_behind(&mut self) -> impl Iterator<Item = Instant> {
        self.queue.drain().into_iter().map(|held| held.arrived)
    }
}
