//! FACK worked by hand (Mathis and Mahdavi 1996, section 3), with the losses that ns-2's implementation leaves to the timer.

use tcp::recovery::Recovery;

use crate::common::bench::{Bench, at};
use crate::common::endpoint::endpoint;

/// Returns a sender with a window of 11 segments, of which 1 to 11 are outstanding.
fn opened(size: u64) -> Bench {
    let mut bench = Bench::new(endpoint(Recovery::Fack), size);
    assert_eq!(bench.sent(0).len(), 10);
    assert_eq!(bench.ack(100, 1, &[]), [10, 11]);
    bench
}

/// Recovery begins with an acknowledgment that shows more than three segments beyond the hole, or with the third duplicate ACK. A
/// duplicate ACK without new SACK information is counted, but does not begin recovery.
#[test]
fn recovery_begins_by_distance_or_by_number() {
    let begins = |steps: &[(u64, u64)]| {
        let mut bench = opened(1000);
        let mut begun = Vec::new();
        for (n, block) in (1..).zip(steps) {
            begun.push(bench.ack(100 + n, 1, &[*block]) == [1]);
            assert_eq!(bench.0.stats().fast_retransmits, u64::from(begun.contains(&true)));
        }
        begun
    };
    assert_eq!(begins(&[(5, 6)]), [true], "four beyond 1");
    assert_eq!(begins(&[(3, 4), (4, 5)]), [false, true]);
    assert_eq!(begins(&[(2, 3), (2, 3), (2, 4)]), [false, false, true]);
    assert_eq!(begins(&[(2, 3), (2, 3), (2, 3)]), [false, false, false]);
}

/// Segments beyond snd.fack count as outstanding: awnd = 12 - fack + 1 retransmission.
///
/// The window starts from one segment and grows by one with each acknowledgment. As fack goes from 5 to 9,
/// awnd falls from 8 to 4 and the window rises from 1 to 5, so that segment 12 is sent.
#[test]
fn what_is_beyond_the_forward_most_counts_as_in_the_network() {
    let mut bench = opened(1000);
    assert_eq!(bench.ack(101, 1, &[(2, 5)]), [1]);
    assert_eq!((bench.0.cwnd(), bench.0.ssthresh(), bench.0.in_flight()), (1.0, 5.5, 8));
    assert!(bench.ack(102, 1, &[(2, 6)]).is_empty());
    assert_eq!((bench.0.cwnd(), bench.0.in_flight()), (2.0, 7));
    assert!(bench.ack(103, 1, &[(2, 7)]).is_empty());
    assert!(bench.ack(104, 1, &[(2, 8)]).is_empty());
    assert_eq!((bench.0.cwnd(), bench.0.in_flight()), (4.0, 5));
    assert_eq!(bench.ack(105, 1, &[(2, 9)]), [12]);
    assert_eq!((bench.0.cwnd(), bench.0.in_flight()), (5.0, 5));
    // All data outstanding at the loss, and one more segment, has arrived: recovery is over.
    bench.ack(200, 13, &[]);
    assert_eq!(bench.0.variables()[5].1, 0.0);
    assert_eq!(bench.0.stats().fast_retransmits, 1);
}

/// The arrival of segment 12 shows that the retransmission of 1, which was sent before it, is lost, too. No
/// segment is sent until the timer expires; then the holes are retransmitted before new data.
#[test]
fn a_lost_retransmission_waits_for_the_timer() {
    let mut bench = opened(1000);
    assert_eq!(bench.ack(101, 1, &[(2, 5)]), [1]);
    (6..=9).for_each(|top| drop(bench.ack(96 + top, 1, &[(2, top)])));
    assert_eq!(bench.0.sequence().1, 13, "12 has left");
    for top in 10..=12 {
        bench.ack(96 + top, 1, &[(2, top)]);
    }
    let (_, next, _) = bench.0.sequence();
    assert!(bench.ack(210, 1, &[(2, 13)]).is_empty());
    assert!(bench.ack(211, 1, &[(2, next)]).is_empty());
    let due = bench.due();
    assert!(due > at(400));
    bench.0.on_timer(due);
    let ms = due.since(at(0)).ps() / 1_000_000_000;
    assert_eq!(bench.sent(ms), [1]);
    // Duplicate ACKs caused by needless retransmissions start no recovery.
    for n in 1..=5 {
        assert!(bench.ack(ms + n, 1, &[(2, 5 + n)]).is_empty());
    }
    assert_eq!((bench.0.stats().timeouts, bench.0.stats().fast_retransmits), (1, 1));
    assert_eq!(bench.ack(ms + 100, next, &[]), [next, next + 1]);
    // A loss among these segments is a new loss event.
    bench.ack(ms + 200, next + 1, &[]);
    bench.0.set_cwnd(10.0);
    assert!(!bench.sent(ms + 200).is_empty());
    assert_eq!(bench.ack(ms + 300, next + 1, &[(next + 2, next + 6)])[0], next + 1);
    assert_eq!(bench.0.stats().fast_retransmits, 2);
}

/// Segments 1 and 5 are lost. After a timeout holes are retransmitted before new data until all outstanding data has arrived.
#[test]
fn holes_go_before_new_data_after_a_timeout() {
    let mut bench = opened(1000);
    assert!(bench.ack(101, 1, &[(2, 3)]).is_empty());
    let due = bench.due();
    bench.0.on_timer(due);
    let ms = due.since(at(0)).ps() / 1_000_000_000;
    assert_eq!((bench.sent(ms), bench.0.ssthresh()), (vec![1], 5.5));
    assert_eq!(bench.ack(ms + 100, 5, &[(6, 12)]), [5, 12], "6 to 11 have arrived");
    assert_eq!(bench.0.in_flight(), 2);
    bench.ack(ms + 200, 12, &[]);
    assert_eq!(bench.0.variables()[5].1, 0.0);
    assert_eq!((bench.0.stats().timeouts, bench.0.stats().fast_retransmits), (1, 0));
}
