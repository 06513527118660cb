//! A simulated path: a bottleneck with a rate, a delay, a queue and listed losses. The reverse path has a delay only.

use ackclock_quinn::Factory;
use base::{Duration, Instant, Rng};
use quic::{Control, Table};
use stack::{Datagram, Side, Transfer};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits per second of the bottleneck.
pub const RATE: u64 = 10_000_000;
/// One-way delay.
pub const DELAY: Duration = Duration::from_ms(20);

/// A transfer and its path.
#[derive(Clone, Debug)]
pub struct Path {
    pub size: u64,
    /// Queue limit in packets, the packet in transmission included.
    pub places: usize,
    /// Numbers, from 0, of the lost packets towards the server.
    pub lost: Vec<usize>,
}

/// Outcome of a transfer.
#[derive(Debug, Default)]
pub struct Outcome {
    pub finished: Option<Instant>,
    pub delivered_bytes: u64,
    pub fault: Option<String>,
    pub failed: Option<String>,
    pub dropped: usize,
    /// Window in segments and number of congestion events, after each event at the client.
    pub windows: Vec<(f64, u64)>,
}

enum Event {
    Arrive(Side, Datagram),
    Timer(Side),
}

/// Runs a transfer until its end, or for a minute of simulated time, and returns its outcome.
pub fn run(path: &Path, factory: Factory) -> Outcome {
    let table = Table::new(Control::NewReno);
    let rng = Rng::stream(1, "transfer");
    let ends = quic::controlled(&table, Arc::new(factory), rng);
    let mut transfer = Transfer::new(Control::NewReno.about(), ends, Some(path.size));
    let mut events: BTreeMap<(Instant, u64), Event> = BTreeMap::new();
    let (mut count, mut sent) = (0, 0);
    let mut departures: Vec<Instant> = Vec::new();
    let mut outcome = Outcome::default();
    transfer.open(Instant::ZERO);
    events.insert((Instant::ZERO, 0), Event::Timer(Side::Client));
    while let Some(((now, _), event)) = events.pop_first() {
        if now > Instant::ZERO + Duration::from_secs(60) {
            break;
        }
        let side = match event {
            Event::Arrive(side, datagram) => {
                transfer.receive(now, side, datagram);
                side
            }
            Event::Timer(side) => {
                if transfer.timer(side).is_some_and(|at| at <= now) {
                    transfer.on_timer(now, side);
                }
                side
            }
        };
        while let Some(datagram) = transfer.poll(now, side) {
            count += 1;
            if side == Side::Server {
                events.insert((now + DELAY, count), Event::Arrive(Side::Client, datagram));
                continue;
            }
            departures.retain(|departure| *departure > now);
            sent += 1;
            if path.lost.contains(&(sent - 1)) || departures.len() >= path.places {
                outcome.dropped += 1;
                continue;
            }
            let took = Duration::from_ps(
                (datagram.bytes.len() as u64 + u64::from(transfer.about().headers)) * 8 * 1_000_000_000_000
                    / RATE,
            );
            let departure = departures.last().copied().unwrap_or(now) + took;
            departures.push(departure);
            events.insert((departure + DELAY, count), Event::Arrive(Side::Server, datagram));
        }
        if let Some(at) = transfer.timer(side) {
            count += 1;
            events.insert((at.max(now), count), Event::Timer(side));
        }
        outcome.windows.extend(transfer.state().map(|state| (state.cwnd, state.congestion_events)));
    }
    outcome.finished = transfer.finished();
    outcome.delivered_bytes = transfer.delivered_bytes();
    outcome.fault = transfer.fault().map(ToString::to_string);
    outcome.failed = transfer.failed().map(str::to_owned);
    outcome
}
