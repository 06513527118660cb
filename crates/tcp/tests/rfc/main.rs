//! Requirements of RFCs, each by hand-worked numbers: `docs/reference/rfc.md` says which code does what they ask for, and which test
//! holds it.

mod page;
mod rfc5681;
mod rfc6298;
mod rfc6582;
mod rfc6675;
mod rfc9438;
mod rfc9937;

#[path = "../common/bench.rs"]
mod bench;
#[path = "../common/mod.rs"]
mod common;

use bench::Bench;
use tcp::Config;
use tcp::config::Syn;
use tcp::congestion::Control;
use tcp::recovery::Recovery;

/// An endpoint of the RFCs without options: data goes at once, windows have no limit but cwnd.
fn endpoint(recovery: Recovery) -> Config {
    let control = Control::by_name("reno", &[]).expect("registered");
    let mut changed = common::config(recovery, control, false, false);
    changed.connection.syn = Syn::None;
    changed.windows.max_window = f64::INFINITY;
    changed.growth.pacing = false;
    changed.connection.fin = false;
    changed
}

/// A sender of a thousand segments, the first ten of which have gone at time 0.
fn bench(recovery: Recovery) -> Bench {
    let mut bench = Bench::new(endpoint(recovery), 1000);
    assert_eq!(bench.sent(0), (0..10).collect::<Vec<_>>());
    bench
}

/// As [`bench`]; at 100 ms segment 0 has been acknowledged: the window is 11, segments 1 to 11 are outstanding.
fn opened(recovery: Recovery) -> Bench {
    let mut bench = bench(recovery);
    assert_eq!(bench.ack(100, 1, &[]), [10, 11]);
    bench
}
