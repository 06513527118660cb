//! Prints the goodput of a saturated pair of stations against distance, for the best constant rate and for each rate control:
//! `cargo run --release -p ackclock-wifi --example rates`.

#[path = "../tests/it/common/mod.rs"]
mod common;

use common::{BASIC, crowd, saturate};
use radio::Position;
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};
use wifi::timing::{GuardInterval, Mode, Standard, Width};
use wifi::{Config, Profile, Site};

fn modes(standard: Standard) -> Vec<Mode> {
    match standard {
        Standard::N => {
            let mcs = |mcs| standard.mcs(mcs, Width::Mhz20, GuardInterval::Long);
            (0..16).filter_map(|k| mcs(k).ok()).collect()
        }
        _ => standard.rates(),
    }
}

fn goodput(config: &Config, mode: Mode, control: RateControl) -> f64 {
    let mut config = config.clone();
    config.set_mode(mode);
    config.phy.rate_control = control;
    saturate(&config, 5.0, 1).goodput
}

#[expect(clippy::print_stdout, reason = "an example prints")]
fn main() {
    println!("{:4}{:>6}{:>10}{:>24}{:>18}{:>18}{:>18}", "", "m", "best", "", "ideal", "minstrel-ht", "arf");
    for (standard, distances) in [
        (Standard::A, [5.0, 20.0, 25.0, 30.0, 40.0, 45.0].as_slice()),
        (Standard::N, [5.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0, 45.0].as_slice()),
    ] {
        let modes = modes(standard);
        for &distance in distances {
            let mut config = crowd(standard, Profile::Ieee, 1, false);
            config.sites[1] = Site::fixed(Position::new(distance, 0.0, 0.0));
            config.mac.exchange.rts_threshold = BASIC;
            let each = modes.iter().map(|mode| (goodput(&config, *mode, RateControl::Constant), *mode));
            let Some((best, which)) = each.max_by(|a, b| a.0.total_cmp(&b.0)) else { continue };
            let rate = which.bps() as f64 / 1e6;
            let mut line = format!("{:4}{distance:6}{best:10.2} at{rate:7.1} Mb/s{:8}", standard.name(), "");
            let Some(fastest) = modes.iter().copied().max_by_key(|mode| mode.bps()) else { continue };
            for control in [
                RateControl::Ideal(IdealConfig::default()),
                RateControl::MinstrelHt(MinstrelConfig::default()),
                RateControl::Arf(ArfConfig::default()),
            ] {
                let got = goodput(&config, fastest, control);
                line += &format!("{got:9.2} ({:4.0} %)", 100.0 * got / best);
            }
            println!("{line}");
        }
    }
}
