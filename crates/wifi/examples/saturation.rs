//! Saturation throughput of n stations that send to one: `cargo run --release -p wifi --example saturation`.

use base::{Body, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use radio::Position;
use radio::access::{Outbox, Station};
use wifi::timing::Standard;
use wifi::{Config, Network, Profile, Site};

fn packet(flow: u32, seq: u64) -> Packet {
    Packet {
        sent: Instant::ZERO,
        flow: FlowId(flow),
        route: 0,
        wire: 1500,
        body: Body::Datagram { seq, payload: 1472 },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

/// Goodput, Mb/s.
fn saturate(config: &Config, seconds: u64, seed: u64) -> (f64, f64) {
    let n = config.sites.len() as u32 - 1;
    let mut network = Network::new(config, seed, "wlan");
    let mut out = Outbox::default();
    for station in 1..=n {
        for seq in 0..2 {
            network.send(Instant::ZERO, Station(station), Station(0), packet(station, seq), &mut out);
        }
    }
    let end = Instant::ZERO + base::Duration::from_secs(seconds);
    let mut delivered = 0u64;
    let mut steps = 0u64;
    while let Some(now) = network.next().filter(|now| *now <= end) {
        network.run(now, &mut out);
        steps += 1;
        delivered += out.delivered.len() as u64;
        let gone = out.delivered.drain(..).map(|(_, packet)| packet.flow.0);
        let lost = out.lost.drain(..).map(|(_, packet, _)| packet.flow.0);
        let again: Vec<_> = gone.chain(lost).collect();
        for flow in again {
            network.send(now, Station(flow), Station(0), packet(flow, 0), &mut out);
        }
    }
    (delivered as f64 * 1472.0 * 8.0 / seconds as f64 / 1e6, steps as f64 / delivered as f64)
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    for (standard, profile) in [
        (Standard::B, Profile::Ieee),
        (Standard::B, Profile::Ns2),
        (Standard::G, Profile::Ieee),
        (Standard::A, Profile::Ieee),
    ] {
        for n in [1, 2, 5, 10, 20, 50] {
            let sites = vec![Site::fixed(Position::default()); n + 1];
            let mut config = Config::new(standard, profile, sites, None);
            config.mac.rts_threshold = 65_535;
            let (basic, steps) = saturate(&config, 20, 1);
            config.mac.rts_threshold = 0;
            let (rts, _) = saturate(&config, 20, 1);
            println!("{} {:5} {n:3} {basic:7.3} {rts:7.3} {steps:.2}", standard.name(), profile.name());
        }
    }
}
