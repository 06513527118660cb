//! Compares the goodput of saturated 802.11g and 802.11b stations around one access point with a model of the medium's slots:
//! `cargo run --release -p ackclock-wifi --example mixed`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::slots::{Kind, shares};
use common::{as_modelled, crowd, saturate};
use radio::access::Station;
use wifi::config::Protection;
use wifi::timing::Standard;
use wifi::{Config, Profile};

/// Returns a cell of `g` stations of 802.11g followed by `b` stations of 802.11b.
fn network(profile: Profile, g: u32, b: u32, protection: Protection) -> Config {
    let mut config = crowd(Standard::G, profile, (g + b) as usize, true);
    config.set_non_erp((g + 1..=g + b).map(Station).collect(), profile);
    config.mac.exchange.protection = protection;
    config
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    println!("goodput of g and of b, Mb/s; as modelled, by the model: share of g's packets, all goodput");
    for protection in [Protection::None, Protection::CtsToSelf, Protection::RtsCts] {
        for (n, window) in [(1, 15), (1, 31), (2, 15), (5, 15)] {
            let each = |config: &Config| {
                let run = saturate(config, 50.0, 1);
                let of = |from: &[u64]| from.iter().sum::<u64>() as f64 * 11_776.0 / 50e6;
                let n = n as usize;
                (of(&run.from[1..=n]), of(&run.from[n + 1..]))
            };
            let mut line = format!("{protection:?} {n} + {n}, windows {window} and 31:");
            for profile in [Profile::Ieee, Profile::Ns3] {
                let mut config = network(profile, n, n, protection);
                config.mac.access.cw_min = window;
                let (g, b) = each(&config);
                line += &format!(" {}: {g:.3} {b:.3};", profile.name());
            }
            let mut config = network(Profile::Ieee, n, n, protection);
            config.mac.access.cw_min = window;
            as_modelled(&mut config);
            let (g, b) = each(&config);
            let before = match protection {
                Protection::None => 0.0,
                Protection::CtsToSelf => 314.0,
                Protection::RtsCts => 352.0 + 304.0 + 20.0,
            };
            let kind = |least| Kind { stations: n as i32, window: [least, 1023] };
            let frames = [before + 348.0, 1618.0];
            let (share, rate) = shares([&kind(window), &kind(31)], 20.0, frames);
            println!("{line} {:.4}, {:.4}; {:.3}, {:.3}", g / (g + b), share, g + b, rate * 11_776.0);
        }
    }
}
