//! Rules of endpoints that no other test of this crate covered when mutation testing was run.

use base::{DataHeader, Duration, Instant};
use std::sync::Arc;
use tcp::config::{SackPipe, Syn};
use tcp::recovery::Recovery;
use tcp::{Receiver, Sender};

use crate::common::bench::{Bench, ack, at};
use crate::common::endpoint::endpoint;

fn segment(seq: u64) -> DataHeader {
    DataHeader { seq, offset: 1000 * seq, payload: 1000, ..DataHeader::default() }
}

/// RFC 7323 section 3.2: the answer to a SYN echoes the SYN's timestamp.
#[test]
fn the_answer_to_a_syn_echoes_its_timestamp() {
    for (timestamps, echo) in [(true, 77), (false, 0)] {
        let config = {
            let mut changed = endpoint(Recovery::Sack);
            changed.connection.syn = Syn::Handshake;
            changed.options.timestamps = timestamps;
            changed
        };
        let mut receiver = Receiver::new(&config);
        receiver.on_segment(at(1), &DataHeader { syn: true, ts_val: 77, ..DataHeader::default() });
        let (answer, _) = receiver.poll(at(1)).expect("an answer");
        assert!(answer.syn);
        assert_eq!(answer.ts_ecr, echo);
    }
}

/// ns-2's SYN_immediate_ack_: the receiver acknowledges the first segment of a connection at once, in spite of delayed ACKs.
#[test]
fn a_delaying_receiver_acknowledges_the_opening_segment_at_once() {
    let mut receiver = Receiver::new(&{
        let mut changed = endpoint(Recovery::NewReno);
        changed.connection.syn = Syn::Packet;
        changed.acks.delayed_ack = Duration::from_ms(100);
        changed
    });
    receiver.on_segment(at(1), &DataHeader { syn: true, payload: 0, ..segment(0) });
    assert_eq!(receiver.poll(at(1)).map(|(ack, _)| ack.ack), Some(1));
    receiver.on_segment(at(2), &segment(1));
    assert_eq!(receiver.poll(at(2)), None);
}

/// A SYN carries data only if it is as large as a full segment, as in ns-2's Vegas, regardless of the header's size.
#[test]
fn a_syn_larger_than_the_header_is_no_data() {
    for (header, syn_size, first) in [(40, 40, 1), (20, 40, 1), (0, 40, 1), (0, 1000, 0), (40, 1040, 0)] {
        let config = {
            let mut changed = endpoint(Recovery::NewReno);
            changed.connection.syn = Syn::Packet;
            (changed.sizes.header, changed.sizes.syn_size) = (header, syn_size);
            changed
        };
        assert_eq!(config.first_payload(), first, "header {header}, SYN {syn_size}");
    }
}

/// A receiver with a SACK memory of one block reports only the block of the last arrival; with unlimited memory it reports all.
#[test]
fn a_receiver_reports_as_many_runs_as_it_remembers() {
    for (sack_memory, blocks) in [(1, 1), (0, 3)] {
        let mut receiver = Receiver::new(&{
            let mut changed = endpoint(Recovery::Sack);
            changed.acks.sack_memory = sack_memory;
            changed
        });
        let last = [0, 2, 4, 6].map(|seq| {
            receiver.on_segment(at(seq), &segment(seq));
            receiver.poll(at(seq)).expect("at once").0
        })[3];
        assert_eq!((last.ack, last.sacked().len()), (1, blocks));
        assert_eq!((last.sacked()[0].from, last.sacked()[0].to), (5, 6));
    }
}

#[test]
fn the_end_of_a_stream_is_said_again_until_it_is_acknowledged() {
    let mut receiver = Receiver::new(&endpoint(Recovery::Sack));
    receiver.on_segment(at(0), &DataHeader { fin: true, ..segment(0) });
    assert!(receiver.poll(at(0)).expect("at once").0.fin);
    let again = receiver.timer().expect("it may be lost").at;
    receiver.on_timer(again);
    assert!(receiver.poll(again).expect("again").0.fin);
    receiver.on_segment(again, &DataHeader { acks_fin: true, bare_ack: true, ..DataHeader::default() });
    assert!(receiver.timer().is_none());
}

/// If the source stops after ten segments were sent, these are delivered and no further segment is sent.
#[test]
fn what_was_sent_is_delivered_when_the_source_stops() {
    let mut sender = Sender::new(&Arc::new(endpoint(Recovery::Sack)), Duration::ZERO);
    sender.open(Instant::ZERO, None);
    let count = std::iter::from_fn(|| sender.poll(at(0))).count();
    sender.stop();
    sender.on_ack(at(100), &ack(count as u64 - 1, &[]));
    assert!(sender.poll(at(100)).is_none() && sender.finished().is_none());
    sender.on_ack(at(110), &ack(count as u64, &[]));
    assert_eq!(sender.finished(), Some(at(110)));
    assert_eq!(sender.stats().acked_bytes, 1000 * count as u64);
}

/// When cwnd equals ssthresh, RFC 5681 section 3.1 permits slow start or congestion avoidance.
#[test]
fn slow_start_may_go_on_at_the_threshold() {
    for (slow_start_at_threshold, window) in [(true, 11.0), (false, 10.1)] {
        let config = {
            let mut changed = endpoint(Recovery::Sack);
            changed.windows.initial_ssthresh = 10.0;
            changed.growth.slow_start_at_threshold = slow_start_at_threshold;
            changed
        };
        let mut bench = Bench::new(config, 1000);
        bench.sent(0);
        bench.ack(100, 1, &[]);
        assert_eq!((bench.0.cwnd(), bench.0.ssthresh()), (window, 10.0));
    }
}

/// The pipe of Fall and Floyd 1996, section 3.4. Segments 1 to 11 are outstanding, of which 1 and 5 are lost.
/// At the third duplicate ACK the pipe is 11 - 3 and the window 5. Each further duplicate subtracts one, each
/// segment sent adds one, and a partial ACK subtracts two.
#[test]
fn the_counter_of_the_network_goes_down_with_each_acknowledgment_and_up_with_each_sending() {
    let config = {
        let mut changed = endpoint(Recovery::Sack);
        changed.detection.sack_pipe = SackPipe::Counter;
        changed.detection.limited_transmit = false;
        changed
    };
    let mut bench = Bench::new(config, 1000);
    bench.sent(0);
    bench.ack(90, 1, &[]);
    assert!(bench.ack(100, 1, &[(2, 3)]).is_empty() && bench.ack(101, 1, &[(2, 4)]).is_empty());
    assert_eq!(bench.ack(102, 1, &[(2, 5)]), [1]);
    assert_eq!(bench.0.in_flight(), 8, "11 were outstanding");
    let mut sent = Vec::new();
    for top in 7..=12 {
        sent.push(bench.ack(96 + top, 1, &[(6, top), (2, 5)]));
    }
    assert_eq!(sent, [vec![], vec![], vec![], vec![5], vec![12], vec![13]]);
    assert_eq!(bench.0.in_flight(), 5);
    assert_eq!(bench.ack(200, 5, &[(6, 12)]), [14, 15]);
    // All data outstanding at the start of recovery is acknowledged: recovery ends with the window unchanged.
    bench.ack(210, 12, &[]);
    assert_eq!((bench.0.cwnd(), bench.0.stats().fast_retransmits), (5.5, 1));
}
