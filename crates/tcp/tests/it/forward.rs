//! Rules of TCP-Linux's endpoint: begin of recovery by the forward acknowledgment (FACK), retransmissions in recovery, and
//! growth of the window in whole segments.

use tcp::config::{Reduction, SackLoss, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

use crate::common::bench::Bench;

fn bench(sack_loss: SackLoss, overtaken: u32) -> Bench {
    let control = Control::by_name("reno", &[]).expect("registered");
    let config = {
        let mut changed = crate::common::config(Recovery::Sack, control, false, false);
        changed.connection.syn = Syn::None;
        changed.windows.initial_window = 20.0;
        changed.windows.max_window = f64::INFINITY;
        changed.decrease.reduction = Reduction::Window;
        changed.decrease.backoff_keeps_ssthresh = false;
        changed.detection.sack_loss = sack_loss;
        changed.detection.lost_retransmission = 1;
        changed.detection.overtaken_retransmission = overtaken;
        changed.detection.limited_transmit = false;
        changed.growth.pacing = false;
        changed.connection.fin = false;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    assert_eq!(bench.sent(0).len(), 20);
    bench
}

/// The first acknowledgment with SACK blocks also acknowledges new data, and shows that segments 10 and 13 are missing.
#[test]
fn an_acknowledgment_of_new_data_begins_recovery_by_the_forward_most() {
    let mut forward = bench(SackLoss::Forward, 0);
    let sent = forward.ack(100, 10, &[(14, 20), (11, 13)]);
    assert_eq!(sent[..2], [10, 13], "both lie more than three below 19");
    assert_eq!((forward.0.stats().fast_retransmits, forward.0.ssthresh()), (1, 10.5));
    // RFC 6675 section 5 requires duplicate ACKs.
    let mut counted = bench(SackLoss::Count, 0);
    let sent = counted.ack(100, 10, &[(14, 20), (11, 13)]);
    assert!(sent.iter().all(|&seq| seq >= 20), "{sent:?}");
    assert_eq!(counted.0.stats().fast_retransmits, 0);
}

/// Segments 0 to 6 are retransmitted, and the retransmission of 0 is lost. The retransmission of 5 is the
/// fifth after it. The acknowledgment that follows the arrival of 5 reveals the loss.
#[test]
fn a_retransmission_that_the_fifth_after_it_has_overtaken_goes_again() {
    for (overtaken, again) in [(5, true), (0, false)] {
        let mut bench = bench(SackLoss::Forward, overtaken);
        assert_eq!(bench.ack(100, 0, &[(7, 20)])[..7], [0, 1, 2, 3, 4, 5, 6]);
        for to in 2..=5 {
            assert!(!bench.ack(200, 0, &[(1, to), (7, 20)]).contains(&0));
        }
        assert!(!bench.ack(200, 0, &[(1, 6), (7, 20)]).contains(&0));
        assert_eq!(bench.ack(200, 0, &[(1, 20)]).contains(&0), again);
        if !again {
            // The retransmission timer repairs the loss, an initial RTO of 1 s after recovery began.
            assert_eq!(bench.expire(1100), [0]);
        }
    }
}

/// In congestion avoidance at a window of four, ACKs of three segments and of one segment complete a round trip.
#[test]
fn whole_windows_grow_by_segments_in_congestion_avoidance() {
    let control = Control::by_name("reno", &[]).expect("registered");
    let config = |by_segments: bool| {
        let control = control.clone();
        let mut changed = crate::common::config(Recovery::Sack, control, false, false);
        changed.connection.syn = Syn::None;
        changed.windows.initial_window = 4.0;
        changed.windows.initial_ssthresh = 2.0;
        changed.windows.max_window = f64::INFINITY;
        changed.growth.whole_growth = true;
        changed.growth.avoidance_by_segments = by_segments;
        changed.connection.fin = false;
        changed
    };
    // Counted in segments, growth of 3/4 and 1/4 adds up to a segment; counted in ACKs, growth of 1/4 and 1/4
    // does not.
    for (by_segments, last) in [(true, &[7, 8][..]), (false, &[7])] {
        let mut bench = Bench::new(config(by_segments), 1000);
        assert_eq!(bench.sent(0), [0, 1, 2, 3]);
        assert_eq!(bench.ack(100, 3, &[]), [4, 5, 6]);
        assert_eq!(bench.ack(101, 4, &[]), last);
    }
}
