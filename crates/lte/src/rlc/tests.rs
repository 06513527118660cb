//! Tests of RLC entities against timelines worked out by hand.

use super::config::{AmConfig, Config, Mode, SequenceNumber, UmConfig};
use super::entity::Entity;
use super::pdu::{Fates, Pdu, SUBHEADER, Sdu, Status};
use crate::subframe::Tti;
use base::{Body, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};

/// Returns packet number `seq` of `wire` bytes.
fn packet(seq: u64, wire: u32) -> Packet {
    Packet {
        sent: Instant::ZERO,
        flow: FlowId(0),
        route: 0,
        wire,
        body: Body::Datagram { seq, payload: wire },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

fn entity(mode: Mode, buffer: u64) -> Entity {
    Entity::new(&Config { mode, buffer, pdcp_header: 2 })
}

fn seqs(sdus: &mut Vec<Sdu>) -> Vec<u64> {
    sdus.drain(..)
        .map(|sdu| match sdu.packet.body {
            Body::Datagram { seq, .. } => seq,
            _ => panic!("datagrams only"),
        })
        .collect()
}

/// Takes one PDU of at most `room` bytes from the entity; returns the PDU and its size.
fn pull(entity: &mut Entity, now: Tti, room: u32) -> (Pdu, u32) {
    let mut pdus = Vec::new();
    let bytes = entity.pull(now, room, &mut pdus);
    assert_eq!(pdus.len(), 1);
    (pdus.remove(0), bytes)
}

fn range(pdu: &Pdu) -> (u64, u64) {
    match *pdu {
        Pdu::Data { from, to, .. } => (from, to),
        Pdu::Status(_) => panic!("data only"),
    }
}

/// Packets of 100 bytes have 102 bytes with PDCP's header. A PDU of 60 bytes holds 58 of the first packet. The next PDU has 2 bytes of header
/// and 2 for a length, which leaves 56: the other 44 bytes of the first packet and 12 of the second.
#[test]
fn segmentation_and_concatenation() {
    let mut um = entity(Mode::default(), 1000);
    for seq in 0..3 {
        assert!(um.push(packet(seq, 100), 1));
    }
    let (first, bytes) = pull(&mut um, 0, 60);
    assert_eq!((range(&first), bytes), ((0, 58), 60));
    let (second, bytes) = pull(&mut um, 1, 60);
    assert_eq!((range(&second), bytes), ((58, 114), 60));
    // 192 bytes are left, 90 of the second packet and 102 of the third; a PDU adds 2 bytes of header and 2 for a length of 12 bits.
    assert!(um.waiting() >= 196);
    let (third, bytes) = pull(&mut um, 2, 500);
    assert_eq!((range(&third), bytes), ((114, 306), 196));
    assert_eq!(um.waiting(), 0);
    // A PDU of three packets has two length fields of 12 bits: 3 bytes.
    let mut um = entity(Mode::default(), 1000);
    for seq in 0..3 {
        assert!(um.push(packet(seq, 100), 1));
    }
    assert_eq!(pull(&mut um, 0, 500).1, 2 + 3 + 306);
    // A short sequence number makes the header one byte shorter.
    let short = UmConfig { sequence_number: SequenceNumber::Short, ..UmConfig::default() };
    let mut um = entity(Mode::Um(short), 1000);
    assert!(um.push(packet(0, 100), 1));
    assert_eq!(pull(&mut um, 0, 500).1, 1 + 102);
}

/// A packet whose length does not fit in the 11-bit length field is the last one in its PDU.
#[test]
fn long_packets_end_their_pdu() {
    let mut um = entity(Mode::default(), 10_000);
    assert!(um.push(packet(0, 3000), 1) && um.push(packet(1, 100), 1));
    assert_eq!(range(&pull(&mut um, 0, 9000).0), (0, 3002));
}

/// The buffer's limit counts unsent bytes only: 250 bytes hold two packets of 102 bytes, and a third once 60 bytes have been sent.
#[test]
fn the_buffer_counts_what_waits() {
    for mode in [Mode::default(), Mode::Am(AmConfig::default())] {
        let mut entity = entity(mode, 250);
        assert!(entity.push(packet(0, 100), 1) && entity.push(packet(1, 100), 1));
        assert!(!entity.push(packet(2, 100), 1));
        assert_eq!(entity.buffered(), 204);
        pull(&mut entity, 0, 62);
        assert_eq!(entity.buffered(), 144);
        assert!(entity.push(packet(2, 100), 1));
    }
}

/// | ms | event |
/// |---|---|
/// | 0 to 3 | four PDUs with one packet each are sent |
/// | 4 | PDU 0 arrives: packet 0 is delivered |
/// | 6, 7 | PDUs 2 and 3 arrive; PDU 1 is missing, so the reordering timer of 35 ms starts at 6 |
/// | 12 | PDU 1 arrives by a HARQ retransmission: all packets are delivered, the timer stops |
#[test]
fn um_waits_for_harq() {
    let mut um = entity(Mode::default(), 10_000);
    let mut fates = Fates::default();
    let pdus: Vec<Pdu> = (0..4)
        .map(|seq| {
            assert!(um.push(packet(seq, 100), 1));
            pull(&mut um, seq, 200).0
        })
        .collect();
    um.arrive(4, &pdus[0], &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [0]);
    assert_eq!(um.deadline(4), None);
    um.arrive(6, &pdus[2], &mut fates);
    um.arrive(7, &pdus[3], &mut fates);
    assert!(fates.delivered.is_empty());
    assert_eq!(um.deadline(7), Some(41));
    um.arrive(12, &pdus[1], &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [1, 2, 3]);
    assert_eq!(um.deadline(12), None);
    assert_eq!(um.inside(), 0);
}

/// A packet spans PDUs 1 and 2 of four; HARQ gives up on PDU 1.
///
/// | ms | event |
/// |---|---|
/// | 4 | PDU 0 arrives |
/// | 6 | PDU 2 arrives, the reordering timer starts |
/// | 20 | PDU 3 arrives |
/// | 28 | HARQ gives up on PDU 1: packets 1 and 2, of which it has segments, are lost |
/// | 41 | the timer expires: packet 3 is delivered, and no timer runs |
#[test]
fn um_goes_on_without_what_is_lost() {
    let mut um = entity(Mode::default(), 10_000);
    let mut fates = Fates::default();
    for seq in 0..4 {
        assert!(um.push(packet(seq, 100), 1));
    }
    // Packet 0; packet 1 and 20 bytes of packet 2; the rest of packet 2; packet 3.
    let pdus = [104, 126, 84, 200].map(|room| pull(&mut um, 0, room).0);
    assert_eq!(pdus.each_ref().map(range), [(0, 102), (102, 224), (224, 306), (306, 408)]);
    um.arrive(4, &pdus[0], &mut fates);
    um.arrive(6, &pdus[2], &mut fates);
    um.arrive(20, &pdus[3], &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [0]);
    um.gave_up(&pdus[1], &mut fates);
    assert_eq!(seqs(&mut fates.lost), [1, 2]);
    assert_eq!(um.deadline(28), Some(41));
    um.expire(41, &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [3]);
    assert!(fates.lost.is_empty());
    assert_eq!((um.deadline(41), um.inside()), (None, 0));
}

fn am_pdus(am: &mut Entity, packets: u64) -> Vec<Pdu> {
    for seq in 0..packets {
        assert!(am.push(packet(seq, 100), 1));
    }
    (0..packets).map(|now| pull(am, now, 104).0).collect()
}

fn polls(pdus: &[Pdu]) -> Vec<bool> {
    pdus.iter().map(|pdu| matches!(pdu, Pdu::Data { poll: true, .. })).collect()
}

/// | ms | event |
/// |---|---|
/// | 0, 1, 2 | three PDUs are sent; the last empties the buffer and has the poll bit; without a report the poll would be repeated at 47 |
/// | 4, 6 | PDUs 0 and 2 arrive; PDU 1 is missing: the reordering timer of 35 ms starts and delays the report |
/// | 41 | the timer expires: status report with ACK_SN 3 and NACK_SN 1, 27 bits in 4 bytes |
/// | 45 | the report arrives; PDU 1 is sent again as the last PDU, with the poll bit |
/// | 49 | PDU 1 arrives: packets 1 and 2 are delivered; the next report may be sent at 51, 10 ms after the last |
/// | 55 | the report with ACK_SN 3 arrives: the buffers are empty |
#[test]
fn am_sends_again_what_the_report_misses() {
    let mut am = entity(Mode::Am(AmConfig::default()), 10_000);
    let mut fates = Fates::default();
    let pdus = am_pdus(&mut am, 3);
    assert_eq!(polls(&pdus), [false, false, true]);
    assert_eq!(am.deadline(2), Some(47));
    am.arrive(4, &pdus[0], &mut fates);
    am.arrive(6, &pdus[2], &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [0]);
    assert_eq!((am.deadline(6), am.reporting(6)), (Some(41), 0));
    am.expire(41, &mut fates);
    assert_eq!(am.reporting(41), 4 + SUBHEADER);
    let (Pdu::Status(report), size) = am.report(41, 100).expect("a report") else { panic!("a report") };
    assert_eq!((report.ack, report.missing.as_slice(), size), (3, [(1, 102..204)].as_slice(), 4));
    am.status(45, &report, &mut fates);
    let (again, bytes) = pull(&mut am, 45, 200);
    assert_eq!(
        (range(&again), bytes, polls(std::slice::from_ref(&again))),
        ((102, 204), 104 + SUBHEADER, vec![true])
    );
    am.arrive(49, &again, &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [1, 2]);
    assert_eq!(am.reporting(49), 0);
    assert_eq!(am.deadline(49), Some(51));
    let (Pdu::Status(report), size) = am.report(51, 100).expect("a report") else { panic!("a report") };
    assert_eq!((report.ack, report.missing.len(), size), (3, 0, 2));
    am.status(55, &report, &mut fates);
    assert_eq!((am.deadline(55), am.waiting(), am.inside()), (None, 0, 0));
}

/// PDU 0 of 102 bytes is sent again in blocks of 50 bytes: with 4 bytes of header each they carry 46, 46 and 10
/// bytes. The middle segment is lost. The next status report lists this segment alone: 15 + 42 bits, 8 bytes.
#[test]
fn am_cuts_again_and_misses_parts() {
    let config = AmConfig { status_prohibit: 0, ..AmConfig::default() };
    let mut am = entity(Mode::Am(config), 10_000);
    let mut fates = Fates::default();
    let pdus = am_pdus(&mut am, 2);
    am.arrive(5, &pdus[1], &mut fates);
    am.expire(40, &mut fates);
    let (Pdu::Status(report), _) = am.report(40, 100).expect("a report") else { panic!("a report") };
    assert_eq!(*report, Status { ack: 2, missing: vec![(0, 0..102)] });
    am.status(44, &report, &mut fates);
    let parts = [50, 50, 50].map(|room| pull(&mut am, 44, room).0);
    assert_eq!(parts.each_ref().map(range), [(0, 46), (46, 92), (92, 102)]);
    assert_eq!(polls(&parts), [false, false, true]);
    am.arrive(48, &parts[0], &mut fates);
    am.arrive(50, &parts[2], &mut fates);
    assert!(fates.delivered.is_empty());
    // PDU 1 is still incomplete: the reordering timer of 35 ms runs again, from the previous report on.
    let (Pdu::Status(report), size) = am.report(75, 100).expect("a report") else { panic!("a report") };
    assert_eq!((report.missing.as_slice(), size), ([(0, 46..92)].as_slice(), 8));
    am.status(79, &report, &mut fates);
    let (part, _) = pull(&mut am, 79, 60);
    am.arrive(83, &part, &mut fates);
    assert_eq!(seqs(&mut fates.delivered), [0, 1]);
}

/// The only PDU and all its retransmissions, which repeat the poll, are lost: after 8 retransmissions, 45 ms apart, RLC gives its packet up.
#[test]
fn am_gives_up_after_the_threshold() {
    let mut am = entity(Mode::Am(AmConfig::default()), 10_000);
    let mut fates = Fates::default();
    am_pdus(&mut am, 1);
    let mut now = 0;
    for _ in 0..8 {
        assert_eq!(am.deadline(now), Some(now + 45));
        now += 45;
        am.expire(now, &mut fates);
        assert!(fates.lost.is_empty());
        pull(&mut am, now, 200);
    }
    am.expire(now + 45, &mut fates);
    assert_eq!(seqs(&mut fates.lost), [0]);
    assert_eq!((am.inside(), am.waiting(), am.deadline(now + 45)), (0, 0, None));
}

/// At most 512 PDUs may be unacknowledged; the 512th carries a poll.
#[test]
fn am_stops_at_its_window() {
    let config = AmConfig { poll_pdus: 511, poll_bytes: u32::MAX, ..AmConfig::default() };
    let mut am = entity(Mode::Am(config), 1_000_000);
    for seq in 0..600 {
        assert!(am.push(packet(seq, 100), 1));
    }
    let pdus: Vec<Pdu> = (0..512).map(|now| pull(&mut am, now, 104).0).collect();
    assert_eq!(polls(&pdus).iter().filter(|&&poll| poll).count(), 2);
    assert!(polls(&pdus)[510] && polls(&pdus)[511]);
    let mut none = Vec::new();
    assert_eq!(am.pull(512, 104, &mut none), 0);
    let mut fates = Fates::default();
    for pdu in &pdus {
        am.arrive(516, pdu, &mut fates);
    }
    let (Pdu::Status(report), _) = am.report(516, 100).expect("a report") else { panic!("a report") };
    am.status(520, &report, &mut fates);
    assert_eq!(seqs(&mut fates.delivered).len(), 512);
    pull(&mut am, 520, 104);
}

/// A handover occurs after half of the second packet has been sent. In the new cell PDCP sends the third packet in
/// unacknowledged mode, and the second and third in acknowledged mode.
#[test]
fn restart() {
    for (mode, again) in
        [(Mode::default(), vec![false, true]), (Mode::Am(AmConfig::default()), vec![true, true])]
    {
        let mut entity = entity(mode, 1000);
        let mut fates = Fates::default();
        for seq in 0..3 {
            assert!(entity.push(packet(seq, 100), 1));
        }
        let (first, _) = pull(&mut entity, 0, 104);
        pull(&mut entity, 1, 60);
        entity.arrive(4, &first, &mut fates);
        assert_eq!(seqs(&mut fates.delivered), [0]);
        let rest = entity.restart(&mut fates);
        assert_eq!(rest.iter().map(|&(_, again)| again).collect::<Vec<_>>(), again);
        assert_eq!((entity.inside(), entity.waiting(), entity.deadline(5)), (0, 0, None));
        assert!(entity.push(packet(3, 100), 1));
        let (pdu, _) = pull(&mut entity, 50, 200);
        entity.arrive(54, &pdu, &mut fates);
        assert_eq!(seqs(&mut fates.delivered), [3]);
    }
}
