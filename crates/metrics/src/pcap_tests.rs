use super::*;
use crate::observe::Trace;
use crate::recorder::Recorder;
use crate::recorder::tests::{A, AB, B, BA, at, flow, ms, observing, packet, play, subjects};
use crate::subjects::FlowSubject;
use base::{
    AckHeader, Advertised, Body, DataHeader, Duration, Ecn, FlowId, Instant, Packet, Probe, RealSegment,
    SackBlock, Stamp,
};
use std::process::Command;
use tempfile::tempdir;

const HEADER: usize = 24;

#[test]
fn what_goes_to_disk_comes_back_in_order() {
    // Of 65 536 records, at least four fifths are on disk when the recorder is cloned. The clone continues from
    // there.
    let mut recorder = Recorder::new(&observing(&["pcap"]), subjects());
    let send = |recorder: &mut Recorder, n| {
        recorder.packet(at(n), PacketEvent::Dequeue, AB, &packet(0, n + 1, n), None);
    };
    (0..1 << 16).for_each(|n| send(&mut recorder, n));
    let mut fork = recorder.clone();
    (0..5000).for_each(|_| send(&mut fork, 1 << 17));
    send(&mut recorder, 1 << 16);
    for (recorder, more) in [(recorder, 1), (fork, 5000)] {
        let capture = recorder.finish(ms(1 << 17)).files.remove(&Trace::Pcap).unwrap();
        let [there, _] = both_sides(&*capture);
        assert_eq!(there.len(), (1 << 16) + more);
        assert!(there.is_sorted_by_key(|(seconds, ns, ..)| (*seconds, *ns)));
    }
}

/// A captured packet: seconds and nanoseconds of its time, captured bytes, length on the wire.
type Captured = (u32, u32, Vec<u8>, u32);

/// Parses the records of a capture file.
fn records(file: &[u8]) -> Vec<Captured> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let mut at = HEADER;
    let mut records = Vec::new();
    while at < file.len() {
        let length = word(at + 8) as usize;
        records.push((word(at), word(at + 4), file[at + 16..at + 16 + length].to_vec(), word(at + 12)));
        at += 16 + length;
    }
    records
}

/// Returns the packets captured at the two interfaces of a link, in the order of their files.
fn both_sides(capture: &dyn TraceFiles) -> [Vec<Captured>; 2] {
    let scratch = tempdir().unwrap();
    let paths = capture.write(scratch.path(), None).unwrap();
    [0, 1].map(|i| records(&std::fs::read(&paths[i]).unwrap()))
}

/// Returns the one's complement sum of 16-bit words; it is all ones if the checksum in them is right.
fn folded(parts: &[&[u8]]) -> u32 {
    let mut total: u32 = 0;
    for part in parts {
        for pair in part.chunks(2) {
            total += u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0));
        }
    }
    while total > 0xffff {
        total = (total & 0xffff) + (total >> 16);
    }
    total
}

fn assert_checksums(packet: &[u8]) {
    assert_eq!(folded(&[&packet[..20]]), 0xffff, "IPv4 header checksum");
    let length = u16::from_be_bytes([packet[2], packet[3]]) - 20;
    let pseudo = [&[0, packet[9]][..], &length.to_be_bytes()].concat();
    assert_eq!(folded(&[&packet[12..20], &pseudo, &packet[20..]]), 0xffff, "transport checksum");
}

#[test]
fn one_file_per_host_interface() {
    let scratch = tempdir().unwrap();
    let mut recorder = Recorder::new(&observing(&["pcap"]), subjects());
    play(&mut recorder);
    let capture = recorder.finish(ms(150)).files.remove(&Trace::Pcap).unwrap();
    let paths = capture.write(scratch.path(), Some("run")).unwrap();
    let names: Vec<_> = paths.iter().map(|p| p.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["run-a-0.pcap", "run-b-0.pcap"]);

    let at_a = std::fs::read(&paths[0]).unwrap();
    assert_eq!(at_a[..4], [0x4d, 0x3c, 0xb2, 0xa1]);
    assert_eq!(at_a[20], 101);
    let sent = records(&at_a);
    // Host a's file has the segment when its transmission begins and the acknowledgment when it arrives, but not the
    // segment that the full queue dropped.
    assert_eq!(sent.len(), 2);
    assert_eq!((sent[0].0, sent[0].1, sent[0].3), (0, 0, 1040));
    assert_eq!((sent[1].0, sent[1].1, sent[1].3), (0, 51_000_000, 40));
    let received = records(&std::fs::read(&paths[1]).unwrap());
    assert_eq!((received[0].1, received[1].1), (30_000_000, 30_000_000));
    assert_eq!(received[0].2, sent[0].2);

    let data = &sent[0].2;
    assert_eq!(data.len(), 40);
    assert_eq!(data[..4], [0x45, 0, 0x04, 0x10]);
    assert_eq!(data[12..20], [10, 0, 0, 1, 10, 0, 0, 2]);
    assert_eq!(data[20..24], [0x9c, 0x40, 0x13, 0x89]);
    // Segment 1 is the first of the stream and has sequence number 1. Its acknowledgment expects number 1001.
    assert_eq!(data[24..28], [0, 0, 0, 1]);
    assert_eq!(sent[1].2[28..32], [0, 0, 3, 0xe9]);
    for (_, _, bytes, _) in sent.iter().chain(&received) {
        assert_checksums(bytes);
    }
}

#[test]
fn every_node_has_captures_if_all_are_asked_for() {
    let mut subjects = subjects();
    // Router r, which is no end of a flow, takes the place of host b at the link.
    subjects.nodes.push("r".into());
    let r = base::NodeId(2);
    subjects.links[0].to = r;
    subjects.links[1].from = r;
    let names = |trace: &str| -> Vec<String> {
        let mut recorder = Recorder::new(&observing(&[trace]), subjects.clone());
        recorder.packet(at(1), PacketEvent::Receive, AB, &packet(0, 1, 0), None);
        let (_, files) = recorder.finish(ms(150)).files.pop_first().unwrap();
        let scratch = tempdir().unwrap();
        let paths = files.write(scratch.path(), None).unwrap();
        let at_r = paths.iter().find(|path| path.to_string_lossy().contains("-r-"));
        assert!(at_r.is_none_or(|path| records(&std::fs::read(path).unwrap()).len() == 1));
        paths.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
    };
    assert_eq!(names("pcap"), ["capture-a-0.pcap"]);
    assert_eq!(names("pcap-all"), ["capture-a-0.pcap", "capture-r-0.pcap"]);
}

#[test]
fn bytes_of_real_packets_are_captured() {
    let segment = RealSegment { seq: 0, offset: 0, payload: 1000, forward: true, retransmission: false };
    let packet = Packet { body: Body::Real(segment), ..packet(0, 1, 0) };
    let bytes: Vec<u8> = (0..60).collect();
    for trace in ["pcap", "pcap-all"] {
        let mut recorder = Recorder::new(&observing(&[trace]), subjects());
        recorder.content(&packet, &bytes);
        recorder.packet(at(1), PacketEvent::Dequeue, AB, &packet, None);
        let (_, files) = recorder.finish(ms(150)).files.pop_first().unwrap();
        let [there, _] = both_sides(&*files);
        assert!(matches!(&there[..], [(.., captured, 1040)] if *captured == bytes), "{trace}: {there:?}");
    }
}

#[test]
fn datagrams_and_odd_profiles() {
    let mut subjects = subjects();
    subjects.flows[0].datagrams = true;
    subjects.flows.push(FlowSubject { sack: true, ..flow("vegas", 0, 1) });
    let mut recorder = Recorder::new(&observing(&["pcap"]), subjects);
    let datagram = Packet {
        sent: ms(0),
        flow: FlowId(0),
        route: 0,
        wire: 238,
        body: Body::Datagram { seq: 0, payload: 210 },
        ecn: Ecn::NotEct,
        class: 0,
    };
    // A segment whose size does not include its header, as in ns-2's Vegas, and an acknowledgment whose size does not
    // include its SACK blocks.
    let bare = DataHeader { seq: 1, payload: 1000, ..DataHeader::default() };
    let bare = Packet {
        sent: ms(0),
        flow: FlowId(1),
        route: 0,
        wire: 1000,
        body: Body::Data(bare),
        ecn: Ecn::NotEct,
        class: 0,
    };
    let sack = [SackBlock { from: 1, to: 3 }, SackBlock { from: 5, to: 6 }, SackBlock::default()];
    let ack = AckHeader { ack: 2, sack, blocks: 2, ..AckHeader::default() };
    let ack = Packet {
        sent: ms(1),
        flow: FlowId(1),
        route: 0,
        wire: 40,
        body: Body::Ack(ack),
        ecn: Ecn::NotEct,
        class: 0,
    };
    for (at, link, packet) in [(0, AB, datagram), (0, AB, bare), (1, BA, ack)] {
        recorder.packet(Stamp::new(ms(at), ms(at)), PacketEvent::Dequeue, link, &packet, None);
    }
    let capture = recorder.finish(ms(2)).files.remove(&Trace::Pcap).unwrap();
    let [there, back] = both_sides(&*capture);
    assert_eq!((there[0].2.len(), there[0].3), (28, 238));
    assert_eq!((there[1].2.len(), there[1].3), (40, 1040));
    // Two blocks: segments 3 and 4 are bytes 2000 to 4000 (+ 1), segment 7 is 6000 to 7000 (+ 1).
    assert_eq!((back[0].2.len(), back[0].3), (60, 60));
    assert_eq!(back[0].2[40..44], [1, 1, 5, 18]);
    let edges: Vec<u32> =
        back[0].2[44..60].chunks(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
    assert_eq!(edges, [2001, 4001, 6001, 7001]);
    for (_, _, bytes, _) in there.iter().chain(&back) {
        assert_checksums(bytes);
    }
}

#[test]
fn a_closed_window_and_its_probe() {
    let mut recorder = Recorder::new(&observing(&["pcap"]), subjects());
    let closed = AckHeader { ack: 4, window: Advertised::of(0), ..AckHeader::default() };
    let open = AckHeader { window: Advertised::of(5000), ..closed };
    let probe = DataHeader { seq: 4, offset: 3000, probe: true, ..DataHeader::default() };
    for (link, body) in [(BA, Body::Ack(closed)), (AB, Body::Data(probe)), (BA, Body::Ack(open))] {
        let packet = Packet {
            sent: ms(0),
            flow: FlowId(0),
            route: 0,
            wire: 40,
            body,
            ecn: Ecn::NotEct,
            class: base::LOWEST_CLASS,
        };
        recorder.packet(Stamp::new(ms(0), ms(0)), PacketEvent::Dequeue, link, &packet, None);
    }
    let capture = recorder.finish(ms(2)).files.remove(&Trace::Pcap).unwrap();
    let [there, back] = both_sides(&*capture);
    let windows: Vec<_> = back.iter().map(|(_, _, bytes, _)| [bytes[34], bytes[35]]).collect();
    assert_eq!(windows, [[0, 0], [0x13, 0x88]]);
    // The probe's sequence number is 3000, one less than that of the next byte (offset 3000, number 3001), which the
    // closed window does not admit.
    assert_eq!(there[0].2[24..28], [0, 0, 0x0b, 0xb8]);
}

/// Records a whole connection over a link of 10 ms: handshake, six segments (the second is lost and retransmitted), close.
fn connection(recorder: &mut Recorder) {
    let carry = |recorder: &mut Recorder, at: u64, data: DataHeader, lost: bool| {
        let data = DataHeader { ts_val: at as u32 * 1000 + 1, ts_ecr: 1, offset: data.seq * 1000, ..data };
        let wire = 52 + data.payload;
        let packet = Packet {
            sent: ms(at),
            flow: FlowId(0),
            route: 0,
            wire,
            body: Body::Data(data),
            ecn: Ecn::NotEct,
            class: 0,
        };
        let stamp = |at| Stamp::new(ms(at), ms(at));
        recorder.packet(stamp(at), PacketEvent::Send, A, &packet, None);
        recorder.packet(stamp(at), PacketEvent::Dequeue, AB, &packet, None);
        if !lost {
            recorder.packet(stamp(at + 10), PacketEvent::Receive, AB, &packet, None);
        }
    };
    let answer = |recorder: &mut Recorder, at: u64, ack: AckHeader| {
        let ack = AckHeader { ts_val: at as u32 * 1000 + 1, ts_ecr: (at as u32 - 10) * 1000 + 1, ..ack };
        let packet = Packet {
            sent: ms(at),
            flow: FlowId(0),
            route: 0,
            wire: 52,
            body: Body::Ack(ack),
            ecn: Ecn::NotEct,
            class: 0,
        };
        let stamp = |at| Stamp::new(ms(at), ms(at));
        recorder.packet(stamp(at), PacketEvent::AckSent, B, &packet, None);
        recorder.packet(stamp(at), PacketEvent::Dequeue, BA, &packet, None);
        recorder.packet(stamp(at + 10), PacketEvent::Receive, BA, &packet, None);
        recorder.packet(stamp(at + 10), PacketEvent::Ack, A, &packet, None);
    };
    let plain = DataHeader::default();
    let segment = |seq| DataHeader { seq, payload: 1000, ..plain };
    let none = AckHeader::default();
    carry(recorder, 0, DataHeader { syn: true, ..plain }, false);
    answer(recorder, 10, AckHeader { syn: true, ..none });
    carry(recorder, 20, DataHeader { bare_ack: true, ..plain }, false);
    for seq in 0..5 {
        carry(recorder, 21 + seq, segment(seq), seq == 1);
    }
    answer(recorder, 31, AckHeader { ack: 1, ..none });
    for to in 2..5 {
        let sack = [SackBlock { from: 1, to }, SackBlock::default(), SackBlock::default()];
        answer(recorder, 31 + u64::from(to), AckHeader { ack: 1, sack, blocks: 1, ..none });
    }
    carry(recorder, 60, DataHeader { retransmission: true, ..segment(1) }, false);
    answer(recorder, 70, AckHeader { ack: 5, ..none });
    carry(recorder, 80, DataHeader { fin: true, ..segment(5) }, false);
    answer(recorder, 90, AckHeader { ack: 6, fin: true, ..none });
    carry(recorder, 100, DataHeader { seq: 6, bare_ack: true, ..plain }, false);
}

fn tshark(path: &Path, arguments: &[&str]) -> Option<String> {
    let out = Command::new("tshark").arg("-r").arg(path).args(arguments).output().ok()?;
    assert!(out.status.success(), "tshark: {}", String::from_utf8_lossy(&out.stderr));
    Some(String::from_utf8(out.stdout).unwrap())
}

#[test]
fn wireshark_agrees() {
    if Command::new("tshark").arg("--version").output().is_err() {
        eprintln!("skipped: tshark is not installed");
        return;
    }
    let scratch = tempdir().unwrap();
    let mut subjects = subjects();
    subjects.flows[0] = FlowSubject {
        handshake: true,
        timestamps: true,
        sack: true,
        first_data: 0,
        size: Some(6000),
        receive_window: Some(1 << 20),
        ..flow("f", 0, 1)
    };
    let mut recorder = Recorder::new(&observing(&["pcap"]), subjects);
    connection(&mut recorder);
    let end = Instant::ZERO + Duration::from_secs(1);
    let paths =
        recorder.finish(end).files.remove(&Trace::Pcap).unwrap().write(scratch.path(), Some("run")).unwrap();
    let checks = ["-o", "ip.check_checksum:TRUE"];
    for path in &paths {
        let wrong = "_ws.malformed || ip.checksum.status == 0 || tcp.analysis.ack_lost_segment";
        let found = tshark(path, &[&checks[..], &["-Y", wrong]].concat()).unwrap();
        assert_eq!(found, "", "{}", path.display());
    }
    // The sender's file shows one retransmission, of bytes 1001 to 2000, after three duplicate ACKs.
    let fields = ["-T", "fields", "-e", "tcp.seq_raw", "-e", "tcp.len"];
    let sent = |filter: &str| tshark(&paths[0], &[&["-Y", filter][..], &fields].concat()).unwrap();
    assert_eq!(sent("tcp.analysis.retransmission"), "1001\t1000\n");
    assert_eq!(sent("tcp.analysis.duplicate_ack").lines().count(), 3);
    // SYN and FIN take one sequence number each, so the final acknowledgment has number 6002.
    assert_eq!(sent("tcp.srcport == 40000 && tcp.len == 0"), "0\t0\n1\t0\n6002\t0\n");
    let acks =
        tshark(&paths[0], &["-Y", "tcp.dstport == 40000", "-T", "fields", "-e", "tcp.ack_raw"]).unwrap();
    assert_eq!(
        acks.split_whitespace().collect::<Vec<_>>(),
        ["1", "1001", "1001", "1001", "1001", "5001", "6002"]
    );
    let options = tshark(
        &paths[0],
        &[
            "-Y",
            "tcp.flags.syn == 1",
            "-T",
            "fields",
            "-e",
            "tcp.window_size",
            "-e",
            "tcp.options.wscale.shift",
        ],
    );
    assert_eq!(options.unwrap(), "65535\t5\n65535\t5\n");
}
