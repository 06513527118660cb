//! Headers and byte counts of packets written by hand.

use super::*;
use crate::packet::Ecn;

/// Returns an IPv4 packet with a TCP segment of 4 bytes of payload.
fn packet() -> Vec<u8> {
    let mut bytes = vec![0x45, 0x02, 0, 44, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    bytes.extend([0x10, 0, 0x13, 0x88, 0, 0, 1, 0, 0, 0, 2, 0, 0x50, 0x10, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
    bytes
}

/// Returns an IPv6 packet with the same segment.
fn packet6() -> Vec<u8> {
    let mut bytes = vec![0x60, 0x20, 0, 0, 0, 24, 6, 64];
    for last in [1, 2] {
        bytes.extend([0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last]);
    }
    bytes.extend(&packet()[20..]);
    bytes
}

fn sent(seq: u32, payload: u32) -> Segment {
    Segment { seq, ack: Some(1), payload, syn: false, fin: false }
}

#[test]
fn a_segment_is_read_in_both_versions() {
    for bytes in [packet(), packet6()] {
        let segment = Segment::of(&bytes).unwrap();
        assert_eq!(segment, Segment { seq: 256, ack: Some(512), payload: 4, syn: false, fin: false });
        assert_eq!(ecn(&bytes), Ecn::Ect0);
        let ends = Ends::of(&bytes).unwrap();
        assert_eq!((ends.protocol, ends.source.port(), ends.destination.port()), (protocol::TCP, 4096, 5000));
    }
    assert_eq!(Ends::of(&packet()).unwrap().source.to_string(), "10.0.0.1:4096");
    assert_eq!(Ends::of(&packet6()).unwrap().destination.to_string(), "[fd00::2]:5000");
}

#[test]
fn what_is_no_segment_is_refused() {
    let mut udp = packet();
    udp[9] = 17;
    assert_eq!(Segment::of(&udp), None);
    assert_eq!(Ends::of(&udp).unwrap().source.port(), 4096);
    // A UDP header is 12 bytes shorter than this TCP header.
    assert_eq!((payload(&packet()), payload(&udp), payload(&[])), (4, 16, 0));
    for length in 0..40 {
        assert_eq!(Segment::of(&packet()[..length]), None, "{length}");
    }
    for length in 0..60 {
        assert_eq!(Segment::of(&packet6()[..length]), None, "{length}");
    }
    assert_eq!(Ends::of(&[]), None);
    assert_eq!(Ends::of(&[0x50; 60]), None);
    // A later fragment has the payload where the ports would be.
    let mut fragment = packet();
    fragment[7] = 1;
    assert_eq!((Segment::of(&fragment), Ends::of(&fragment).unwrap().source.port()), (None, 0));
}

#[test]
fn a_mark_keeps_the_checksum_right() {
    let mut bytes = packet();
    mark(&mut bytes);
    assert_eq!(ecn(&bytes), Ecn::Ce);
    // 4503 + 002c + 0000 + 4000 + 4006 + 0a00 + 0001 + 0a00 + 0002 = d938; its complement is 26c7 (RFC 1071).
    assert_eq!(bytes[10..12], [0x26, 0xc7]);
    let mut bytes = packet6();
    mark(&mut bytes);
    assert_eq!((ecn(&bytes), &bytes[2..]), (Ecn::Ce, &packet6()[2..]));
    mark(&mut []);
}

#[test]
fn a_stream_counts_each_byte_once() {
    let mut stream = Stream::default();
    assert_eq!(stream.on_sent(&Segment { syn: true, payload: 0, ..sent(u32::MAX - 500, 0) }), None);
    // Sequence numbers wrap within the second segment.
    assert_eq!(stream.on_sent(&sent(u32::MAX - 499, 400)), None);
    assert_eq!(stream.on_sent(&sent(u32::MAX - 99, 400)), None);
    assert_eq!(stream.on_sent(&sent(u32::MAX - 499, 400)), Some(400));
    assert_eq!(stream.sent(), 800);
    stream.on_answer(u32::MAX - 99);
    stream.on_answer(300);
    stream.on_ack(u32::MAX - 99);
    assert_eq!((stream.delivered(), stream.acked()), (800, 400));
    // An old acknowledgment changes nothing.
    stream.on_ack(u32::MAX - 499);
    assert_eq!(stream.acked(), 400);
    assert_eq!(stream.on_sent(&Segment { fin: true, ..sent(300, 0) }), None);
    stream.on_ack(300);
    assert_eq!((stream.acked(), stream.is_closed()), (800, false));
    stream.on_ack(301);
    assert_eq!((stream.acked(), stream.is_closed()), (800, true));
}

#[test]
fn a_stream_without_its_beginning_starts_at_its_first_data() {
    let mut stream = Stream::default();
    stream.on_ack(77);
    assert_eq!(stream.offset(77), None);
    assert_eq!(stream.on_sent(&sent(5_000, 0)), None);
    assert_eq!(stream.on_sent(&sent(5_000, 10)), None);
    stream.on_ack(5_010);
    assert_eq!((stream.sent(), stream.acked(), stream.offset(5_004)), (10, 10, Some(4)));
}
