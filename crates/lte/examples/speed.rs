//! Workloads for measuring the processor time of the LTE model: `cargo run --release -p ackclock-lte --example speed
//! one`.
//!
//! - `one`: 60 s of one eNodeB with two UEs; one has a full downlink buffer and sends an ACK for every second packet.
//! - `many`: 60 s of seven eNodeBs with 100 UEs, all with a full buffer and ACKs.
//! - `fading`: `many` with EVA fading at 70 Hz Doppler.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use base::{Body, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use lte::bandwidth::Bandwidth;
use lte::config::{Carrier, Enb, Ue};
use lte::fading::{self, Eva};
use lte::{Config, Network};
use radio::Position;
use radio::access::{Outbox, Station};
use radio::propagation::{LogDistance, PathLoss};
use std::f64::consts::FRAC_PI_3;

const SECONDS: u64 = 60;

/// Window of each download, in packets.
const WINDOW: u32 = 40;

fn packet(now: Instant, wire: u32) -> Packet {
    let body = Body::Datagram { seq: 0, payload: wire };
    Packet { sent: now, flow: FlowId(0), route: 0, wire, body, ecn: Ecn::NotEct, class: LOWEST_CLASS }
}

/// Runs `ues` downloads with a fixed window, in which an ACK for every second packet releases two more; returns the number of packets.
fn download(config: &Config, ues: u32) -> u64 {
    let mut network = Network::new(config, 1, "cell");
    let mut outbox = Outbox::default();
    for ue in 1..=ues {
        for _ in 0..WINDOW {
            network.send(Instant::ZERO, Station(0), Station(ue), packet(Instant::ZERO, 1500), &mut outbox);
        }
    }
    let mut got = vec![0_u64; ues as usize + 1];
    let mut acks = Vec::new();
    while let Some(now) = network.next()
        && now.secs() < SECONDS as f64
    {
        network.run(now, &mut outbox);
        acks.extend(outbox.delivered.drain(..).map(|(station, packet)| (station, packet.flow.0)));
        outbox.lost.clear();
        for (station, flow) in acks.drain(..) {
            match station.0 {
                0 => {
                    for _ in 0..2 {
                        let data = Packet { flow: FlowId(flow), ..packet(now, 1500) };
                        network.send(now, Station(0), Station(flow + 1), data, &mut outbox);
                    }
                }
                ue => {
                    got[ue as usize] += 1;
                    if got[ue as usize].is_multiple_of(2) {
                        let ack = Packet { flow: FlowId(ue - 1), ..packet(now, 52) };
                        network.send(now, Station(ue), Station(0), ack, &mut outbox);
                    }
                }
            }
        }
    }
    got.iter().sum()
}

fn main() {
    let mut config = Config {
        carrier: Carrier { bandwidth: Bandwidth::Mhz10, ..Carrier::default() },
        enbs: vec![Enb::default()],
        ues: (0..2).map(|_| Ue { position: Position::new(50.0, 0.0, 0.0), ..Ue::default() }).collect(),
        ..Config::default()
    };
    let what = std::env::args().nth(1).unwrap_or_else(|| String::from("one"));
    let mut ues = 1;
    if what != "one" {
        ues = 100;
        config.propagation.loss =
            PathLoss::LogDistance(LogDistance { exponent: 3.5, ..LogDistance::default() });
        // Seven cells, one in the middle and six at 500 m around it; the UEs are on a spiral.
        let at = |angle: f64, radius: f64| {
            Position::new(radius * libm::cos(angle), radius * libm::sin(angle), 10.0)
        };
        config.enbs = (0..7)
            .map(|i| {
                let radius = if i == 0 { 0.0 } else { 500.0 };
                Enb { position: at(f64::from(i) * FRAC_PI_3, radius), power: 43.0, ..Enb::default() }
            })
            .collect();
        config.ues = (0..100)
            .map(|i| Ue { position: at(f64::from(i) * 2.4, 7.0 * f64::from(i)), ..Ue::default() })
            .collect();
    }
    if what == "fading" {
        config.reception.fading = fading::Config::Eva(Eva { doppler: 70.0 });
    }
    let packets = download(&config, ues);
    println!(
        "{what}: {SECONDS} s, {ues} downloads, {packets} packets, {:.1} Mb/s",
        packets as f64 * 12e3 / SECONDS as f64 / 1e6
    );
}
