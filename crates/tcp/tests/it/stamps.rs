//! The retransmission timer with timestamps: RTT samples and RTO by RFC 6298, worked by hand.

use base::{AckHeader, Duration, Instant};
use std::sync::Arc;
use tcp::Sender;
use tcp::config::{Config, Syn};
use tcp::congestion::Control;
use tcp::recovery::Recovery;

fn at(us: u64) -> Instant {
    Instant::ZERO + Duration::from_us(us)
}

/// Returns a sender with timestamps whose first window left at 0 s and whose first ACK came at 100 ms.
///
/// Its SRTT is 100 ms, RTTVAR 50 ms and RTO 300 ms.
fn sender(change: impl FnOnce(&mut Config)) -> Sender {
    let control = Control::by_name("reno", &[]).expect("registered");
    let mut config = crate::common::config(Recovery::Sack, control, false, true);
    (config.connection.syn, config.growth.pacing) = (Syn::None, false);
    assert!(config.options.timestamps);
    change(&mut config);
    let mut sender = Sender::new(&Arc::new(config), Duration::ZERO);
    sender.open(Instant::ZERO, Some(100_000));
    while sender.poll(Instant::ZERO).is_some() {}
    acknowledge(&mut sender, 100, 1, 0);
    assert_eq!(due(&sender), at(400_000));
    sender
}

/// Acknowledges all segments below `ack` at `ms`, with the timestamp echo of `sent` ms.
fn acknowledge(sender: &mut Sender, ms: u64, ack: u64, sent: u32) {
    let now = at(1000 * ms);
    sender.on_ack(now, &AckHeader { ack, ts_ecr: 1000 * sent + 1, ..AckHeader::default() });
    while sender.poll(now).is_some() {}
}

fn due(sender: &Sender) -> Instant {
    sender.timer().expect("set").at
}

/// A duplicate ACK at 200 ms echoes the timestamp of segment 0, sent at 0 s: rttvar = 3/4 50 + 1/4 100 =
/// 62.5, srtt = 112.5, RTO = 362.5 ms.
#[test]
fn duplicates_measure_and_restart_the_timer_if_asked_to() {
    for (timer, timing, timeout) in
        [(true, true, 562_500), (true, false, 500_000), (false, true, 400_000), (false, false, 400_000)]
    {
        let mut sender = sender(|config| {
            (config.timers.dup_ack_timer, config.timers.dup_ack_timing) = (timer, timing);
        });
        acknowledge(&mut sender, 200, 1, 0);
        assert_eq!(due(&sender), at(timeout), "{timer} {timing}");
        // A sample takes effect when the timer is restarted, by the acknowledgment of segment 1 at 200 ms,
        // which gives a sample of 200 ms.
        acknowledge(&mut sender, 200, 2, 0);
        // With two samples rttvar is 68.75 and srtt 123.4 ms, with one 62.5 and 112.5 ms.
        let twice = Duration::from_ps(123_437_500_000 + 4 * 68_750_000_000);
        let rto = if timing { twice } else { Duration::from_us(362_500) };
        assert_eq!(due(&sender), at(200_000) + rto, "{timer} {timing}");
    }
}

/// Segment 1, retransmitted at 400 ms, is acknowledged at 500 ms: rttvar = 37.5, srtt = 100, RTO = 250 ms. The RTO is twice that if
/// only a timed segment ends the backoff, since retransmissions are not timed.
#[test]
fn backoff_ends_with_a_stamp_or_with_a_timed_segment() {
    for (stamps_end_backoff, timeout) in [(true, 750_000), (false, 1_000_000)] {
        let mut sender = sender(|config| config.timers.stamps_end_backoff = stamps_end_backoff);
        sender.on_timer(at(400_000));
        assert!(sender.poll(at(400_000)).is_some());
        acknowledge(&mut sender, 500, 2, 400);
        assert_eq!(due(&sender), at(timeout));
    }
}
