//! The receiver, worked by hand: delayed ACKs, timestamp echo, SACK blocks and delivery.

use base::{DataHeader, Duration};
use proptest::prelude::*;
use tcp::config::{Config, Syn};
use tcp::recovery::Recovery;
use tcp::{Receiver, ReceiverStats};

use crate::common::bench::at;
use crate::common::endpoint::endpoint;

fn receiver(change: impl FnOnce(&mut Config)) -> Receiver {
    let mut config = endpoint(Recovery::Sack);
    change(&mut config);
    Receiver::new(&config)
}

fn segment(seq: u64) -> DataHeader {
    DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() }
}

/// An acknowledgment: cumulative number, SACK blocks, bytes on the wire.
type Answer = (u64, Vec<(u64, u64)>, u32);

/// Delivers a segment and returns the receiver's acknowledgment.
fn answer(receiver: &mut Receiver, ms: u64, segment: &DataHeader) -> Option<Answer> {
    receiver.on_segment(at(ms), segment);
    let (ack, wire) = receiver.poll(at(ms))?;
    assert!(receiver.poll(at(ms)).is_none(), "once");
    let blocks = ack.sacked().iter();
    let blocks =
        blocks.map(|block| (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to))).collect();
    Some((ack.ack, blocks, wire))
}

/// RFC 2018 section 3: the SACK option has 2 bytes, padded to 4, and 8 per block. Section 4: the block with the newest segment
/// comes first, and at most three blocks are reported.
#[test]
fn an_acknowledgment_grows_with_its_blocks() {
    let mut receiver = receiver(|_| ());
    let mut told = |seq| answer(&mut receiver, seq, &segment(seq)).expect("at once");
    assert_eq!(told(0), (1, vec![], 40));
    assert_eq!(told(2), (1, vec![(2, 3)], 52));
    assert_eq!(told(5), (1, vec![(5, 6), (2, 3)], 60));
    assert_eq!(told(3), (1, vec![(2, 4), (5, 6)], 60));
    assert_eq!(told(7), (1, vec![(7, 8), (2, 4), (5, 6)], 68));
    assert_eq!(told(9), (1, vec![(9, 10), (7, 8), (2, 4)], 68));
    assert_eq!(told(1), (4, vec![(9, 10), (7, 8), (5, 6)], 68));
    // A duplicate below the cumulative acknowledgment changes no block; a duplicate above moves its block to the front.
    assert_eq!(told(1), (4, vec![(9, 10), (7, 8), (5, 6)], 68));
    assert_eq!(told(7), (4, vec![(7, 8), (9, 10), (5, 6)], 68));
}

#[test]
fn it_counts_what_arrives_and_what_it_answers() {
    let mut receiver = receiver(|config| config.acks.delayed_ack = Duration::from_ms(100));
    for (ms, seq) in [(0, 0), (1, 1), (2, 3), (3, 3), (4, 2), (5, 0), (6, 4)] {
        answer(&mut receiver, ms, &segment(seq));
    }
    let expected =
        ReceiverStats { received_packets: 7, duplicate_packets: 2, acks_sent: 5, marked_packets: 0 };
    assert_eq!((*receiver.stats(), receiver.expected()), (expected, 5));
    assert_eq!(receiver.delivered_bytes(), 5000);
    // The last segment waits for another one, or for 100 ms.
    assert_eq!(receiver.timer().expect("one waits").at, at(106));
    receiver.on_timer(at(106));
    assert_eq!(receiver.poll(at(106)).expect("now").0.ack, 5);
    assert!(receiver.timer().is_none());
    receiver.on_timer(at(106));
    assert!(receiver.poll(at(106)).is_none(), "nothing waits");
}

/// RFC 7323 section 4.3: with delayed ACKs the receiver echoes the timestamp of the earliest unacknowledged segment. A segment
/// beyond a hole does not count, but the segment that fills the hole does.
#[test]
fn the_echo_is_that_of_the_earliest_segment_not_acknowledged() {
    let mut receiver = receiver(|config| {
        config.options.timestamps = true;
        config.acks.delayed_ack = Duration::from_ms(100);
    });
    let mut echo = |ms: u64, seq: u64, stamp: u32| {
        receiver.on_segment(at(ms), &DataHeader { ts_val: stamp, ..segment(seq) });
        receiver.poll(at(ms)).map(|(ack, wire)| {
            assert_eq!((u64::from(ack.ts_val), wire), (1000 * ms + 1, 52 + 12 * u32::from(ack.blocks)));
            ack.ts_ecr
        })
    };
    assert_eq!(echo(0, 0, 10), None);
    assert_eq!(echo(1, 1, 20), Some(10));
    assert_eq!(echo(2, 2, 30), None);
    assert_eq!(echo(3, 3, 40), Some(30));
    assert_eq!(echo(4, 5, 50), Some(30), "4 is missing");
    assert_eq!(echo(5, 4, 60), Some(60));
    assert_eq!(echo(6, 6, 70), None);
}

/// The SYN-ACK has a size of its own. Acknowledgments carry the receiver's FIN until that FIN is acknowledged.
#[test]
fn it_opens_and_closes() {
    let mut receiver = receiver(|config| {
        config.connection.syn = Syn::Handshake;
        config.sizes.syn_size = 60;
        config.acks.delayed_ack = Duration::from_ms(100);
    });
    receiver.on_segment(at(0), &DataHeader { syn: true, ..DataHeader::default() });
    let (ack, wire) = receiver.poll(at(0)).expect("an answer");
    assert_eq!((ack.syn, ack.ack, wire), (true, 0, 60));
    // The third segment of the handshake carries no data.
    receiver.on_segment(at(1), &DataHeader { bare_ack: true, ..DataHeader::default() });
    assert!(receiver.poll(at(1)).is_none());
    // A FIN beyond a hole waits for the missing segments.
    let last = DataHeader { fin: true, payload: 300, ..segment(1) };
    receiver.on_segment(at(2), &last);
    assert!(!receiver.poll(at(2)).expect("at once").0.fin);
    receiver.on_segment(at(3), &segment(0));
    let (ack, wire) = receiver.poll(at(3)).expect("at once");
    assert_eq!((ack.syn, ack.fin, ack.ack, wire), (false, true, 2, 40));
    assert_eq!((receiver.delivered_bytes(), receiver.timer().expect("again").at), (1300, at(1003)));
    // Acknowledgments carry the FIN until it is acknowledged.
    receiver.on_segment(at(4), &last);
    assert!(receiver.poll(at(4)).expect("at once").0.fin);
    receiver.on_segment(at(5), &DataHeader { bare_ack: true, acks_fin: true, ..DataHeader::default() });
    assert!(receiver.timer().is_none() && receiver.poll(at(5)).is_none());
    receiver.on_segment(at(6), &last);
    assert!(!receiver.poll(at(6)).expect("at once").0.fin);
    assert!(receiver.timer().is_none());
}

/// If the SYN carries data (ns-2), a transfer shorter than a segment is delivered with its own length.
#[test]
fn a_short_segment_may_open_the_connection() {
    let mut config = endpoint(Recovery::Sack);
    config.connection.syn = Syn::Packet;
    config.sizes.syn_size = config.sizes.segment + config.sizes.header;
    let mut receiver = Receiver::new(&config);
    let first = DataHeader { payload: 226, syn: true, ..segment(0) };
    for ms in 0..2 {
        assert_eq!(answer(&mut receiver, ms, &first).map(|told| told.0), Some(1));
        assert_eq!(receiver.delivered_bytes(), 226);
    }
    config.sizes.syn_size = 40;
    let mut receiver = Receiver::new(&config);
    answer(&mut receiver, 0, &DataHeader { payload: 0, syn: true, ..segment(0) });
    answer(&mut receiver, 1, &segment(1));
    assert_eq!(receiver.delivered_bytes(), 1000, "a SYN without data has no place in the stream");
}

/// RFC 9293 section 3.10.7.4: a FIN that was not sent cannot be acknowledged, so the segments that wait for an
/// acknowledgment still get it.
#[test]
fn an_acknowledgment_of_no_fin_leaves_the_timer() {
    let mut receiver = receiver(|config| {
        config.connection.syn = Syn::None;
        config.acks.delayed_ack = Duration::from_ms(100);
        config.acks.ack_every = 2;
    });
    assert_eq!(answer(&mut receiver, 0, &segment(0)), None);
    let ack = DataHeader { bare_ack: true, acks_fin: true, ..DataHeader::default() };
    assert_eq!(answer(&mut receiver, 10, &ack), None);
    let timer = receiver.timer().expect("one segment waits");
    assert_eq!(timer.at, at(100));
    receiver.on_timer(timer.at);
    assert_eq!(receiver.poll(timer.at).map(|(ack, _)| ack.ack), Some(1));
}

#[test]
fn a_probe_is_answered_and_is_no_segment() {
    let mut receiver = receiver(|_| ());
    answer(&mut receiver, 0, &segment(0));
    let probe = DataHeader { probe: true, ..segment(1) };
    assert_eq!(answer(&mut receiver, 1, &probe), Some((1, vec![], 40)));
    assert_eq!((receiver.stats().received_packets, receiver.delivered_bytes()), (1, 1000));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    /// Segments of any size arrive in any order and more than once: the receiver delivers the bytes up to the first hole.
    #[test]
    fn it_delivers_what_is_in_order(
        sizes in prop::collection::vec(prop_oneof![3 => Just(1000u32), 2 => 1u32..1000], 1..40),
        order in prop::collection::vec(0usize..40, 1..160),
    ) {
        let mut receiver = receiver(|_| ());
        let mut arrived = vec![false; sizes.len()];
        for at_most in order {
            let seq = at_most % sizes.len();
            let offset = sizes[..seq].iter().map(|size| u64::from(*size)).sum();
            let fin = seq + 1 == sizes.len();
            let header = DataHeader { seq: seq as u64, offset, payload: sizes[seq], fin, ..DataHeader::default() };
            receiver.on_segment(at(0), &header);
            arrived[seq] = true;
            let expected = arrived.iter().position(|there| !there).unwrap_or(sizes.len());
            prop_assert_eq!(receiver.expected(), expected as u64);
            let bytes: u64 = sizes[..expected].iter().map(|size| u64::from(*size)).sum();
            prop_assert_eq!(receiver.delivered_bytes(), bytes);
        }
    }
}

/// Five segments are acknowledged at once each, then every second one.
#[test]
fn the_first_segments_are_acknowledged_at_once() {
    let mut receiver = receiver(|config| {
        config.acks.delayed_ack = Duration::from_ms(40);
        config.acks.quick_acks = 5;
    });
    let told: Vec<u64> =
        (0..9).filter_map(|seq| answer(&mut receiver, seq, &segment(seq))).map(|answer| answer.0).collect();
    assert_eq!(told, [1, 2, 3, 4, 5, 7, 9]);
}

/// Delivers segments with a hole before them at the given times (us); returns time (us) and newest block of each
/// acknowledgment, including those that the timer sends.
fn told(receiver: &mut Receiver, arrivals: &[(u64, u64)]) -> Vec<(u64, (u64, u64))> {
    let us = |us: u64| at(0) + Duration::from_us(us);
    let mut answers = Vec::new();
    let mut poll = |receiver: &mut Receiver, time: u64| {
        if let Some((ack, _)) = receiver.poll(us(time)) {
            let block = ack.sacked()[0];
            answers.push((time, (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to))));
        }
    };
    for (place, (time, seq)) in arrivals.iter().enumerate() {
        receiver.on_segment(us(*time), &segment(*seq));
        poll(receiver, *time);
        let next = arrivals.get(place + 1).map_or(u64::MAX, |next| next.0);
        if let Some(timer) =
            receiver.timer().map(|timer| timer.at.ps() / 1_000_000).filter(|timer| *timer < next)
        {
            receiver.on_timer(us(timer));
            poll(receiver, timer);
        }
    }
    answers
}

/// With `sack_delay` 1 ms the first three acknowledgments of out-of-order segments are sent at once. The fourth
/// leaves 1.1 ms after its segment, with all segments that have arrived by then. Once segment 0 has filled the hole, three
/// are sent at once again.
#[test]
fn further_acknowledgments_of_a_hole_are_compressed() {
    let mut receiver = receiver(|config| config.acks.sack_delay = Duration::from_ms(1));
    let arrivals: Vec<_> = (1..=9).map(|seq| (200 * seq, seq)).collect();
    let expected = [(200, (1, 2)), (400, (1, 3)), (600, (1, 4)), (1900, (1, 10))];
    assert_eq!(told(&mut receiver, &arrivals), expected);
    assert_eq!(answer(&mut receiver, 4, &segment(0)).map(|answer| answer.0), Some(10), "at once");
    let again: Vec<_> = (11..=14).map(|seq| (5000 + 2000 * seq, seq)).collect();
    let times: Vec<u64> = told(&mut receiver, &again).iter().map(|answer| answer.0).collect();
    assert_eq!(times, [27_000, 29_000, 31_000, 34_100]);
}

/// An acknowledgment with a new SACK block waits, but not with two: of segments with holes between them, every second
/// one is acknowledged at once. Quick acknowledgments and duplicates do not wait.
#[test]
fn new_blocks_quick_acknowledgments_and_duplicates_are_not_held_back() {
    let compressing = |config: &mut Config| config.acks.sack_delay = Duration::from_ms(1);
    let holes: Vec<_> = (1..=7).map(|n| (200 * n, 2 * n)).collect();
    let times =
        |receiver: &mut Receiver| told(receiver, &holes).iter().map(|told| told.0).collect::<Vec<_>>();
    assert_eq!(times(&mut receiver(compressing)), [200, 400, 600, 1000, 1400]);
    let quick = |config: &mut Config| {
        compressing(config);
        config.acks.quick_acks = 20;
    };
    assert_eq!(times(&mut receiver(quick)).len(), 7);
    let mut duplicating = receiver(|config| {
        compressing(config);
        config.acks.dsack = true;
    });
    assert_eq!(
        told(&mut duplicating, &[(200, 1), (400, 2), (600, 3), (800, 3)]).last(),
        Some(&(800, (1, 4)))
    );
}
