//! RFC 9438: requirements of CUBIC at the sender. The window formula is tested beside its code.

use super::{Bench, endpoint};
use tcp::config::Config;
use tcp::congestion::Control;
use tcp::recovery::Recovery;

fn cubic() -> Config {
    let mut changed = endpoint(Recovery::Sack);
    changed.control = Control::by_name("cubic", &[]).expect("registered");
    changed
}

#[test]
fn a_loss_leaves_seven_tenths_and_a_timeout_one_segment() {
    let mut bench = Bench::new(cubic(), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.ack(110, 1, &[(2, 5)]);
    assert!((bench.0.ssthresh() - 7.7).abs() < 1e-9 && (bench.0.cwnd() - 7.7).abs() < 1e-9);
    let mut bench = Bench::new(cubic(), 1000);
    bench.sent(0);
    bench.ack(100, 1, &[]);
    bench.expire(400);
    assert!((bench.0.ssthresh() - 7.7).abs() < 1e-9);
    assert_eq!(bench.0.cwnd(), 1.0);
}

#[test]
fn below_the_threshold_it_is_slow_start() {
    let mut bench = Bench::new(cubic(), 1000);
    bench.sent(0);
    (1..=10).for_each(|acked| drop(bench.ack(100, acked, &[])));
    assert_eq!(bench.0.cwnd(), 20.0);
}
