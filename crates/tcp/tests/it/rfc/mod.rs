//! Requirements of RFCs, with results worked by hand. `docs/reference/rfc.md` lists the code and the test of each requirement.

mod page;
mod rfc5681;
mod rfc6298;
mod rfc6582;
mod rfc6675;
mod rfc8985;
mod rfc9293;
mod rfc9438;
mod rfc9937;

use crate::common::bench::Bench;
use crate::common::endpoint::endpoint;
use tcp::recovery::Recovery;

/// Returns a sender of 1000 segments that has sent the first ten at time 0.
fn bench(recovery: Recovery) -> Bench {
    let mut bench = Bench::new(endpoint(recovery), 1000);
    assert_eq!(bench.sent(0), (0..10).collect::<Vec<_>>());
    bench
}

/// Returns the sender of [`bench`] after the ACK of segment 0 at 100 ms: its window is 11, and segments 1 to 11 are outstanding.
fn opened(recovery: Recovery) -> Bench {
    let mut bench = bench(recovery);
    assert_eq!(bench.ack(100, 1, &[]), [10, 11]);
    bench
}
