//! Figures for the comparison with TCP: `cargo test --release -p quic --test figures -- --ignored --nocapture`.

mod path;

use base::{Duration, Instant};
use path::{Path, run};
use quic::Control;

#[test]
#[ignore = "prints figures"]
#[expect(clippy::print_stdout, reason = "what it is for")]
fn goodput_losses_and_windows_on_three_paths() {
    for (name, places, loss) in [("clean", 50, 0.0), ("1 % loss", 50, 0.01), ("bufferbloat", 1000, 0.0)] {
        for control in Control::ALL {
            let path = Path {
                control,
                size: None,
                bits_per_second: 10_000_000,
                delay: Duration::from_ms(20),
                places,
                loss,
                until: Instant::ZERO + Duration::from_secs(60),
                seed: 1,
            };
            let outcome = run(&path);
            let goodput = outcome.delivered_bytes as f64 * 8.0 / 60.0 / 1e6;
            let mean = outcome.cwnd.iter().sum::<u64>() / outcome.cwnd.len() as u64;
            let (full, lost) = (outcome.dropped_full, outcome.dropped_lost);
            println!(
                "{name:12} {:14} {goodput:.3} Mb/s; {full} drops of the queue, {lost} by chance; {} packets sent; window {mean} bytes",
                control.name(),
                outcome.sent.iter().filter(|sent| sent.1).count(),
            );
        }
    }
}
