//! Compares the saturation throughput of n stations that send to one receiver with Bianchi's model for the same durations:
//! `cargo run --release -p ackclock-wifi --example saturation`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{
    BASIC, Bianchi, RTS, as_modelled, crowd, high_efficiency, high_throughput, saturate, very_high_throughput,
};
use wifi::timing::{GuardInterval, Standard};
use wifi::{Config, Profile};

/// A cell: name, standard, aggregation, durations of success and collision in us with the interframe space, first for basic access,
/// then with RTS, and packets per frame.
type Cell = (&'static str, Standard, bool, [(f64, f64); 2], f64);

const CELLS: [Cell; 9] = [
    ("b", Standard::B, false, [(1618.0, 1618.0), (2294.0, 716.0)], 1.0),
    ("g", Standard::G, false, [(326.0, 326.0), (454.0, 146.0)], 1.0),
    ("a", Standard::A, false, [(326.0, 326.0), (454.0, 146.0)], 1.0),
    ("n", Standard::N, false, [(315.0, 315.0), (455.0, 167.0)], 1.0),
    ("ac", Standard::Ac, false, [(159.0, 159.0), (287.0, 155.0)], 1.0),
    ("ac A-MPDU", Standard::Ac, true, [(2159.0, 2159.0), (2287.0, 155.0)], 64.0),
    ("ax", Standard::Ax, false, [(157.4, 157.4), (285.4, 155.0)], 1.0),
    ("ax A-MPDU", Standard::Ax, true, [(5419.0, 5419.0), (5547.0, 155.0)], 256.0),
    ("n A-MPDU", Standard::N, true, [(5451.0, 5451.0), (5591.0, 167.0)], 28.0),
];

fn model(config: &Config, n: u32, (success, collision): (f64, f64), packets: f64) -> f64 {
    Bianchi {
        n,
        window: [f64::from(config.mac.access.cw_min), f64::from(config.mac.access.cw_max)],
        attempts: config.mac.exchange.short_retry_limit,
        slot: config.mac.access.slot.secs() * 1e6,
        success,
        collision,
        bits: 1472.0 * 8.0 * packets,
    }
    .goodput()
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    println!("{:10}{:>4}{:>24}{:>32}", "", "n", "basic: Mb/s, model, ns3", "RTS: Mb/s, model, ns3");
    for (name, standard, aggregated, times, packets) in CELLS {
        for n in [1, 2, 5, 10, 20, 50] {
            let mut config = crowd(standard, Profile::Ns3, n, true);
            if standard == Standard::N {
                high_throughput(&mut config, GuardInterval::Long, aggregated);
            }
            if standard == Standard::Ac {
                very_high_throughput(&mut config, aggregated);
            }
            if standard == Standard::Ax {
                high_efficiency(&mut config, aggregated);
            }
            let mut line = format!("{name:10}{n:4}");
            for (threshold, times) in [BASIC, RTS].into_iter().zip(times) {
                config.mac.exchange.rts_threshold = threshold;
                let mut modelled = config.clone();
                as_modelled(&mut modelled);
                let got = saturate(&modelled, 10.0, 1).goodput;
                let expected = model(&config, n as u32, times, packets);
                let ns3 = saturate(&config, 10.0, 1);
                let off = 100.0 * (got / expected - 1.0);
                line += &format!("{got:9.3}{expected:9.3}{off:6.1}%{:9.3} ({:.2})", ns3.goodput, ns3.steps);
            }
            println!("{line}");
        }
    }
}
