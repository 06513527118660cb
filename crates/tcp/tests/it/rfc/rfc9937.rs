//! RFC 9937 (before: RFC 6937): proportional rate reduction.

use super::{Bench, endpoint};
use tcp::config::WindowReduction;
use tcp::recovery::Recovery;

/// One segment of a window of 20 is lost. Limited Transmit sends two more, so 21 of 22 segments arrive. While
/// they arrive, half of the flight is sent, and recovery ends at ssthresh.
#[test]
fn a_recovery_sends_in_proportion_and_ends_at_the_threshold() {
    let config = {
        let mut changed = endpoint(Recovery::Sack);
        changed.windows.initial_window = 20.0;
        changed.decrease.window_reduction = WindowReduction::Prr;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    assert_eq!(bench.sent(0).len(), 20);
    let sent: Vec<usize> = (2..=22).map(|top| bench.ack(99 + top, 0, &[(1, top)]).len()).collect();
    assert_eq!(bench.0.ssthresh(), 10.0);
    assert_eq!(sent[..3], [1, 1, 1], "two of Limited Transmit, and the retransmission");
    assert!(sent.iter().all(|n| *n <= 1), "no burst: {sent:?}");
    let proportion: usize = sent[2..].iter().sum();
    assert!((9..=10).contains(&proportion), "{sent:?}");
    bench.ack(230, 22, &[]);
    assert_eq!(bench.0.cwnd(), 10.0);
}
