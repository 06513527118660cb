//! A simulated path for tests: a bottleneck with a rate, a delay, a queue and random losses. The reverse path has a delay only.

use base::{Duration, Instant, Rng};
use quic::{Control, Table};
use stack::{Datagram, Side, Transfer};
use std::collections::BTreeMap;

/// A path and the transfer over the path.
#[derive(Clone, Debug)]
pub struct Path {
    pub control: Control,
    pub size: Option<u64>,
    pub bits_per_second: u64,
    pub delay: Duration,
    /// Queue limit in packets, the packet in transmission included.
    pub places: usize,
    pub loss: f64,
    pub until: Instant,
    pub seed: u64,
}

/// Result of one transfer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Outcome {
    /// Each packet sent: its time, true if the client sent it, and its bytes on the wire.
    pub sent: Vec<(u64, bool, u32)>,
    pub arrived: usize,
    pub dropped_full: usize,
    pub dropped_lost: usize,
    pub in_flight: usize,
    pub delivered_bytes: u64,
    pub finished: Option<Instant>,
    pub received_all: bool,
    pub fault: Option<String>,
    pub failed: Option<String>,
    pub largest: u32,
    /// The client's window in segments after each of its events.
    pub cwnd: Vec<f64>,
}

enum Event {
    Arrive(Side, Datagram),
    Timer(Side),
}

/// State of a transfer under way.
struct Run<'a> {
    path: &'a Path,
    transfer: Transfer,
    events: BTreeMap<(Instant, u64), Event>,
    count: u64,
    /// Time at which each packet in the queue will have been transmitted.
    departures: Vec<Instant>,
    rng: Rng,
    outcome: Outcome,
}

impl Run<'_> {
    fn push(&mut self, at: Instant, event: Event) {
        self.events.insert((at, self.count), event);
        self.count += 1;
    }

    fn send(&mut self, now: Instant, side: Side) {
        while let Some(datagram) = self.transfer.poll(now, side) {
            let wire = datagram.bytes.len() as u32 + self.transfer.about().headers;
            self.outcome.sent.push((now.ps(), side == Side::Client, wire));
            self.outcome.largest = self.outcome.largest.max(wire);
            let Side::Client = side else {
                self.push(now + self.path.delay, Event::Arrive(Side::Client, datagram));
                continue;
            };
            self.departures.retain(|departure| *departure > now);
            if self.rng.uniform() < self.path.loss {
                self.outcome.dropped_lost += 1;
            } else if self.departures.len() >= self.path.places {
                self.outcome.dropped_full += 1;
            } else {
                let took = u64::from(wire) * 8 * 1_000_000_000_000 / self.path.bits_per_second;
                let begins = self.departures.last().copied().unwrap_or(now);
                let departure = begins + Duration::from_ps(took);
                self.departures.push(departure);
                self.push(departure + self.path.delay, Event::Arrive(Side::Server, datagram));
            }
        }
        if let Some(at) = self.transfer.timer(side) {
            self.push(at.max(now), Event::Timer(side));
        }
        self.outcome.cwnd.extend(self.transfer.state().map(|state| state.cwnd));
    }

    fn handle(&mut self, now: Instant, event: Event) {
        let side = match event {
            Event::Arrive(side, datagram) => {
                self.outcome.arrived += 1;
                self.transfer.receive(now, side, datagram);
                side
            }
            // Only the timer set last for a side counts.
            Event::Timer(side) if self.transfer.timer(side).is_some_and(|at| at <= now) => {
                self.transfer.on_timer(now, side);
                side
            }
            Event::Timer(_) => return,
        };
        self.send(now, side);
    }
}

/// Runs the transfer over the path to its end, and returns the result.
pub fn run(path: &Path) -> Outcome {
    let rng = Rng::stream(path.seed, "flow.0.quic");
    let mut run = Run {
        path,
        transfer: Transfer::new(path.control.about(), quic::ends(&Table::new(path.control), rng), path.size),
        events: BTreeMap::new(),
        count: 0,
        departures: Vec::new(),
        rng: Rng::stream(path.seed, "link.0.loss"),
        outcome: Outcome::default(),
    };
    run.transfer.open(Instant::ZERO);
    run.send(Instant::ZERO, Side::Client);
    while let Some(((now, _), event)) = run.events.pop_first() {
        if now > path.until {
            run.outcome.in_flight += usize::from(matches!(event, Event::Arrive(..)));
            break;
        }
        run.handle(now, event);
    }
    let flying = run.events.values().filter(|event| matches!(event, Event::Arrive(..))).count();
    let mut outcome = run.outcome;
    outcome.in_flight += flying;
    outcome.delivered_bytes = run.transfer.delivered_bytes();
    outcome.finished = run.transfer.finished();
    outcome.received_all = run.transfer.received_all();
    outcome.fault = run.transfer.fault().map(ToString::to_string);
    outcome.failed = run.transfer.failed().map(str::to_owned);
    outcome
}
