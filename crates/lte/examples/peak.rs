//! Prints the greatest rate of one UE near an eNodeB at each bandwidth, Mb/s: `cargo run -p ackclock-lte --example peak`.

#![allow(clippy::print_stdout, reason = "a program that prints")]

use base::{Body, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use lte::bandwidth::{Bandwidth, Granularity};
use lte::config::{Carrier, Enb, Ue};
use lte::{Config, Network, tbs};
use radio::Position;
use radio::access::{Outbox, Station};

/// Returns the rate of delivered IP packets in the third second, Mb/s. Datagrams of 1428 bytes arrive at
/// `offered` bit/s, which must exceed the cell's capacity.
fn peak(config: &Config, offered: f64) -> f64 {
    let mut network = Network::new(config, 1, "cell");
    let mut outbox = Outbox::default();
    let interval = Duration::from_secs_f64(1428.0 * 8.0 / offered);
    let (mut entry, mut bytes) = (Instant::ZERO, 0);
    let second = |s| Instant::ZERO + Duration::from_secs(s);
    loop {
        let now = entry.min(network.next().unwrap_or(Instant::MAX));
        if now >= second(3) {
            return f64::from(bytes) * 8.0 / 1e6;
        }
        if now == entry {
            let body = Body::Datagram { seq: 0, payload: 1400 };
            let packet = Packet {
                sent: now,
                flow: FlowId(0),
                route: 0,
                wire: 1428,
                body,
                ecn: Ecn::NotEct,
                class: LOWEST_CLASS,
            };
            network.send(now, Station(0), Station(1), packet, &mut outbox);
            entry += interval;
        } else {
            network.run(now, &mut outbox);
        }
        if now >= second(2) {
            bytes += outbox.delivered.iter().map(|(_, packet)| packet.wire).sum::<u32>();
        }
        outbox.delivered.clear();
        outbox.lost.clear();
    }
}

fn main() {
    println!("bandwidth  blocks  table Mb/s  IP Mb/s");
    for &bandwidth in Bandwidth::ALL {
        for granularity in [Granularity::WholeGroups, Granularity::Groups] {
            let config = Config {
                carrier: Carrier { bandwidth, granularity, ..Carrier::default() },
                enbs: vec![Enb::default()],
                ues: vec![Ue { position: Position::new(10.0, 0.0, 0.0), ..Ue::default() }],
                ..Config::default()
            };
            let blocks = config.downlink_blocks();
            let table = f64::from(tbs::bits(26, blocks)) / 1e3;
            let ip = peak(&config, 1.33e6 * table);
            println!("{:9}  {blocks:6}  {table:10.3}  {ip:7.3}", bandwidth.name());
        }
    }
}
