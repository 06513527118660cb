//! Feeds traffic to an LTE network without the simulation engine.
#![allow(dead_code, reason = "each test file uses its part")]

use base::{Body, DropCause, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use lte::config::{Enb, Ue};
use lte::{Config, Network};
use radio::Position;
use radio::access::{Outbox, Station};

/// Returns datagram number `seq` of `wire` bytes.
pub fn datagram(now: Instant, seq: u64, wire: u32) -> Packet {
    Packet {
        sent: now,
        flow: FlowId(0),
        route: 0,
        wire,
        body: Body::Datagram { seq, payload: wire - 28 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

/// Returns a network of one eNodeB at the origin, with UEs at these distances, m.
pub fn one_cell(distances: &[f64]) -> Config {
    let ue = |(i, &x): (usize, &f64)| Ue {
        name: format!("ue{i}"),
        position: Position::new(x, 0.0, 0.0),
        ..Ue::default()
    };
    Config {
        enbs: vec![Enb::default()],
        ues: distances.iter().enumerate().map(ue).collect(),
        ..Config::default()
    }
}

/// A packet that left the network: delivered or lost.
#[derive(Clone, Copy, Debug)]
pub struct Out {
    pub at: Instant,
    pub station: Station,
    pub packet: Packet,
    pub lost: Option<DropCause>,
}

impl Out {
    pub fn delay(&self) -> Duration {
        self.at - self.packet.sent
    }

    pub fn seq(&self) -> u64 {
        match self.packet.body {
            Body::Datagram { seq, .. } => seq,
            _ => panic!("datagrams only"),
        }
    }
}

/// Sends `packets` (time, source, destination, bytes; in order of time), runs the network until `end`, and returns its outputs in order.
pub fn run(network: &mut Network, packets: &[(Instant, u32, u32, u32)], end: Instant) -> Vec<Out> {
    let mut outs = Vec::new();
    let mut outbox = Outbox::default();
    let mut packets = packets.iter().enumerate().peekable();
    loop {
        let entry = packets.peek().map_or(Instant::MAX, |(_, p)| p.0);
        let now = entry.min(network.next().unwrap_or(Instant::MAX));
        if now > end {
            network.finish(end);
            return outs;
        }
        if entry == now
            && let Some((seq, &(_, from, to, wire))) = packets.next()
        {
            network.send(now, Station(from), Station(to), datagram(now, seq as u64, wire), &mut outbox);
        } else {
            network.run(now, &mut outbox);
        }
        let delivered = outbox.delivered.drain(..).map(|(station, packet)| (station, packet, None));
        let lost = outbox.lost.drain(..).map(|(station, packet, cause)| (station, packet, Some(cause)));
        outs.extend(delivered.chain(lost).map(|(station, packet, lost)| Out {
            at: now,
            station,
            packet,
            lost,
        }));
    }
}

/// Returns the instant `ms` milliseconds after the start.
pub fn ms(ms: f64) -> Instant {
    Instant::ZERO + Duration::from_secs_f64(ms / 1e3)
}

/// Returns the packets of a constant-rate stream to station `to`: `wire` bytes every `interval` from `from` until `until`.
pub fn stream(
    to: u32,
    wire: u32,
    from: Instant,
    interval: Duration,
    until: Instant,
) -> Vec<(Instant, u32, u32, u32)> {
    let n = until.since(from).ps() / interval.ps();
    (0..n).map(|i| (from + interval * i, 0, to, wire)).collect()
}

/// Returns the rate at which packets, with their headers, are delivered to station `to` from `from` until
/// `until`, Mb/s.
pub fn rate(outs: &[Out], to: u32, from: Instant, until: Instant) -> f64 {
    let within = |o: &&Out| o.lost.is_none() && o.station == Station(to) && o.at >= from && o.at < until;
    let bytes: u64 = outs.iter().filter(within).map(|o| u64::from(o.packet.wire)).sum();
    bytes as f64 * 8.0 / until.since(from).secs() / 1e6
}
