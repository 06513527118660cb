use super::*;
use crate::subjects::{FlowSubject, LinkSubject};
use crate::table::{Column, Table};
use base::{AckHeader, Body, DataHeader, Duration, Ecn, FlowId, LinkId, NodeId, Variable};
use proptest::prelude::*;

/// Returns an endless flow of 1000-byte segments with packet numbers.
pub(crate) fn flow(name: &str, from: u32, to: u32) -> FlowSubject {
    FlowSubject {
        name: name.into(),
        from: NodeId(from),
        to: NodeId(to),
        addresses: [None; 2],
        start: Instant::ZERO,
        stop: Instant::MAX,
        datagrams: false,
        packet_numbers: true,
        segment: 1000,
        first_data: 1,
        size: None,
        handshake: false,
        timestamps: false,
        sack: false,
        receive_window: None,
    }
}

/// Returns segment `seq` of a flow, sent at `sent_ms` milliseconds.
pub(crate) fn packet(flow: u32, seq: u64, sent_ms: u64) -> Packet {
    let data =
        DataHeader { seq, offset: seq.saturating_sub(1) * 1000, payload: 1000, ..DataHeader::default() };
    Packet {
        sent: ms(sent_ms),
        flow: FlowId(flow),
        route: 0,
        wire: 1040,
        body: Body::Data(data),
        ecn: Ecn::NotEct,
        class: 0,
    }
}

pub(crate) fn ack(flow: u32, ack: u64, sent_ms: u64) -> Packet {
    let body = Body::Ack(AckHeader { ack, ..AckHeader::default() });
    Packet { sent: ms(sent_ms), flow: FlowId(flow), route: 0, wire: 40, body, ecn: Ecn::NotEct, class: 0 }
}

pub(crate) fn ms(n: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(n)
}

pub(crate) fn at(n: u64) -> Stamp {
    Stamp::new(ms(n), ms(n))
}

pub(crate) const A: Place = Place::Node(NodeId(0));
pub(crate) const B: Place = Place::Node(NodeId(1));
pub(crate) const AB: Place = Place::Link(LinkId(0));
pub(crate) const BA: Place = Place::Link(LinkId(1));

/// Returns two hosts and a link.
pub(crate) fn subjects() -> Subjects {
    let link = |from, to| LinkSubject { from: NodeId(from), to: NodeId(to) };
    Subjects {
        networks: Vec::new(),
        crossings: Vec::new(),
        nodes: vec!["a".into(), "b".into()],
        links: vec![link(0, 1), link(1, 0)],
        flows: vec![flow("f", 0, 1)],
    }
}

pub(crate) fn observing(names: &[&str]) -> Observe {
    let names: Vec<String> = names.iter().map(|s| (*s).to_owned()).collect();
    Observe::parse(&names, Duration::from_ms(100)).unwrap()
}

fn csv(table: &Table) -> String {
    let mut out = Vec::new();
    table.write_csv(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Reports a segment that crosses the link from 0 to 30 ms, its acknowledgment, and a segment that finds the queue full.
///
/// The reports come ahead of time and out of order, as from links.
pub(crate) fn play(probe: &mut impl Probe) {
    use PacketEvent::{Ack, AckSent, Departed, Dequeue, Drop, Enqueue, Receive, Send};
    let (first, second) = (packet(0, 1, 0), packet(0, 2, 5));
    probe.packet(at(0), Send, A, &first, None);
    probe.packet(at(0), Enqueue, AB, &first, None);
    probe.packet(at(0), Dequeue, AB, &first, None);
    probe.packet(at(10), Departed, AB, &first, None);
    probe.packet(at(30), Receive, AB, &first, None);
    probe.packet(at(5), Send, A, &second, None);
    probe.packet(at(5), Enqueue, AB, &second, None);
    probe.packet(at(5), Drop, AB, &second, Some(DropCause::Queue));
    probe.advance(ms(30));
    let reply = ack(0, 2, 30);
    probe.packet(at(30), AckSent, B, &reply, None);
    probe.packet(at(30), Enqueue, BA, &reply, None);
    probe.packet(at(30), Dequeue, BA, &reply, None);
    probe.packet(at(31), Departed, BA, &reply, None);
    probe.packet(at(51), Receive, BA, &reply, None);
    probe.packet(at(51), Ack, A, &reply, None);
    probe.observe(ms(51), Observation::Acked(FlowId(0), 1000));
    // This packet is sent after the end of the run.
    probe.packet(at(500), Send, A, &packet(0, 3, 500), None);
}

fn recorded(names: &[&str]) -> Recording {
    let mut recorder = Recorder::new(&observing(names), subjects());
    play(&mut recorder);
    recorder.finish(ms(150))
}

/// Returns the text of the only file of trace `name`.
pub(crate) fn file(name: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let files = recorded(&[name]).files;
    let paths = files.values().next().unwrap().write(folder.path(), None).unwrap();
    std::fs::read_to_string(&paths[0]).unwrap()
}

#[test]
fn segments_in_order_of_time() {
    let recording = recorded(&["segments"]);
    assert_eq!(
        csv(&recording.tables["segments"]),
        "time_s,event,place,flow,seq,bytes,cause\n\
         0.000000000,send,a,0,1,1040,\n\
         0.000000000,enq,a>b,0,1,1040,\n\
         0.000000000,deq,a>b,0,1,1040,\n\
         0.005000000,send,a,0,2,1040,\n\
         0.005000000,enq,a>b,0,2,1040,\n\
         0.005000000,drop,a>b,0,2,1040,queue\n\
         0.030000000,recv,a>b,0,1,1040,\n\
         0.030000000,acksent,b,0,1,40,\n\
         0.030000000,enq,b>a,0,1,40,\n\
         0.030000000,deq,b>a,0,1,40,\n\
         0.051000000,recv,b>a,0,1,40,\n\
         0.051000000,ack,a,0,1,40,\n"
    );
    assert_eq!(recording.tables.len(), 1);
    assert!(recording.files.is_empty());
}

#[test]
fn byte_offsets_where_the_flow_has_them() {
    let mut subjects = subjects();
    subjects.flows[0].packet_numbers = false;
    let mut recorder = Recorder::new(&observing(&["segments"]), subjects);
    play(&mut recorder);
    let table = recorder.finish(ms(150)).tables.remove("segments").unwrap();
    let Some(Column::Int(seq)) = table.column("seq") else { panic!("seq is a column of integers") };
    // Segment 1 begins the stream (0 is the SYN); the acknowledgment expects segment 2, which begins at byte 1000.
    assert_eq!(seq, &[0, 0, 0, 1000, 1000, 1000, 0, 1000, 1000, 1000, 1000, 1000]);
}

#[test]
fn offsets_end_with_the_stream() {
    let finite = FlowSubject { size: Some(2500), first_data: 0, ..flow("f", 0, 1) };
    assert_eq!([0, 1, 2, 3, 4].map(|n| finite.offset_of(n)), [0, 1000, 2000, 2500, 2500]);
}

#[test]
fn drops_queue_and_delay() {
    let recording = recorded(&["drops", "queue", "delay"]);
    assert_eq!(
        csv(&recording.tables["drops"]),
        "time_s,place,flow,seq,bytes,cause\n0.005000000,a>b,0,2,1040,queue\n"
    );
    // The refused arrival leaves no row.
    assert_eq!(
        csv(&recording.tables["queue"]),
        "time_s,place,packets,bytes\n\
         0.000000000,a>b,1,1040\n\
         0.010000000,a>b,0,0\n\
         0.030000000,b>a,1,40\n\
         0.031000000,b>a,0,0\n"
    );
    assert_eq!(csv(&recording.tables["delay"]), "time_s,flow,seq,delay_s,jitter_s\n0.030000000,0,1,0.03,\n");
}

#[test]
fn hops_by_hand() {
    assert_eq!(
        csv(&recorded(&["hops"]).tables["hops"]),
        "enqueued_s,begins_s,ends_s,arrives_s,place,flow,kind,seq,bytes,cause\n\
         0.005000000,0.005000000,0.005000000,0.005000000,a>b,0,data,2,1040,queue\n\
         0.000000000,0.000000000,0.010000000,0.030000000,a>b,0,data,1,1040,\n\
         0.030000000,0.030000000,0.031000000,0.051000000,b>a,0,ack,1,40,\n"
    );
}

#[test]
fn throughput_by_hand() {
    // The run of 150 ms has bins of 100 and 50 ms. In the first, 1040 B on the wire are 83.2 kbit/s, and 1000 B of
    // payload 80 kbit/s.
    assert_eq!(
        csv(&recorded(&["throughput"]).tables["throughput"]),
        "time_s,bin_s,flow,throughput_bps,goodput_bps,sent_bytes,retransmitted_bytes,acked_bytes,received_packets,lost_packets_total\n\
         0.000000000,0.1,0,83200,80000,2000,0,1000,1,1\n\
         0.100000000,0.05,0,0,0,0,0,0,0,0\n"
    );
}

#[test]
fn what_happens_at_the_end_is_in_the_last_bin() {
    let mut recorder = Recorder::new(&observing(&["throughput"]), subjects());
    recorder.packet(at(200), PacketEvent::Send, A, &packet(0, 1, 200), None);
    let table = recorder.finish(ms(200)).tables.remove("throughput").unwrap();
    assert_eq!(table.column("sent_bytes"), Some(&Column::Int(vec![0, 1000])));
}

/// Returns the widths of the bins and the highest rate of a run of `run_ps` whose only packet arrives in its
/// last picosecond.
fn bins(run_ps: u64, width_s: f64) -> (Vec<f64>, f64) {
    let bin = Duration::from_secs_f64(width_s);
    let observe = Observe::parse(&["throughput".to_owned()], bin).unwrap();
    let mut recorder = Recorder::new(&observe, subjects());
    let (last, end) = (Instant::from_ps(run_ps - 1), Instant::from_ps(run_ps));
    recorder.packet(Stamp::new(last, last), PacketEvent::Receive, AB, &packet(0, 1, 0), None);
    let table = recorder.finish(end).tables.remove("throughput").unwrap();
    let column = |name| match table.column(name) {
        Some(Column::Float(values)) => values.clone(),
        other => panic!("{name}: {other:?}"),
    };
    let highest = column("throughput_bps").into_iter().fold(0.0, f64::max);
    (column("bin_s"), highest)
}

#[test]
fn a_rest_of_rounding_is_no_bin() {
    // 240 bins of 20 s / 240, rounded down to picoseconds, are 80 ps shorter than 20 s; the last bin includes these.
    let (widths, highest) = bins(20_000_000_000_000, 20.0 / 240.0);
    assert_eq!(widths.len(), 240);
    assert_eq!((widths[0], widths[239]), (0.083_333_333_333, 0.083_333_333_413));
    assert_eq!(highest, 1040.0 * 8.0 / 0.083_333_333_413);
}

#[test]
fn the_last_bin_is_between_a_tenth_and_eleven_tenths_of_the_width() {
    let second = 1_000_000_000_000;
    assert_eq!(bins(3 * second, 1.0).0, [1.0, 1.0, 1.0]);
    assert_eq!(bins(3 * second + second / 10, 1.0).0, [1.0, 1.0, 1.0, 0.1]);
    assert_eq!(bins(3 * second + second / 10 - 1, 1.0).0, [1.0, 1.0, 1.099_999_999_999]);
    assert_eq!(bins(second / 100, 1.0).0, [0.01]);
    for parts in 1..2000 {
        let (widths, _) = bins(30 * second, 30.0 / f64::from(parts));
        assert_eq!(widths.len(), parts as usize, "{parts} bins");
        assert!((widths.iter().sum::<f64>() - 30.0).abs() < 1e-9, "{parts} bins");
    }
}

#[test]
fn variables_at_each_change() {
    let mut recorder = Recorder::new(&observing(&["cwnd", "state"]), subjects());
    let mut report =
        |at, variable, value| recorder.observe(ms(at), Observation::Variable(FlowId(0), variable, value));
    report(0, Variable::Cwnd, 1.0);
    report(0, Variable::Ssthresh, f64::INFINITY);
    report(1, Variable::Cwnd, 1.0);
    report(2, Variable::Cwnd, 2.0);
    report(2, Variable::Rtt, 0.1);
    report(3, Variable::Rtt, 0.1);
    report(3, Variable::Recovery, 0.0);
    report(4, Variable::Recovery, 0.0);
    let tables = recorder.finish(ms(150)).tables;
    assert_eq!(
        csv(&tables["cwnd"]),
        "time_s,flow,variable,value\n\
         0.000000000,0,cwnd,1\n0.000000000,0,ssthresh,inf\n0.002000000,0,cwnd,2\n"
    );
    assert_eq!(
        csv(&tables["state"]),
        "time_s,flow,variable,value\n\
         0.002000000,0,rtt,0.1\n0.003000000,0,rtt,0.1\n0.003000000,0,recovery,0\n"
    );
}

#[test]
fn ns2_lines() {
    assert_eq!(
        file("ns2"),
        "+ 0 0 1 tcp 1040 ------- 0 0.0 1.0 1 0\n\
         - 0 0 1 tcp 1040 ------- 0 0.0 1.0 1 0\n\
         + 0.005 0 1 tcp 1040 ------- 0 0.0 1.0 2 1\n\
         d 0.005 0 1 tcp 1040 ------- 0 0.0 1.0 2 1\n\
         r 0.03 0 1 tcp 1040 ------- 0 0.0 1.0 1 0\n\
         + 0.03 1 0 ack 40 ------- 0 1.0 0.0 1 2\n\
         - 0.03 1 0 ack 40 ------- 0 1.0 0.0 1 2\n\
         r 0.051 1 0 ack 40 ------- 0 1.0 0.0 1 2\n"
    );
}

#[test]
fn an_ns2_trace_beyond_memory_waits_on_disk_in_order() {
    let mut recorder = Recorder::new(&observing(&["ns2"]), subjects());
    for i in 0..20_000 {
        recorder.packet(at(i), PacketEvent::Enqueue, AB, &packet(0, i, i), None);
        recorder.advance(ms(i));
    }
    let mut recording = recorder.finish(ms(20_000));
    let folder = tempfile::tempdir().unwrap();
    let paths = recording.files.remove(&Trace::Ns2).unwrap().write(folder.path(), None).unwrap();
    let text = std::fs::read_to_string(&paths[0]).unwrap();
    assert!(text.len() > 2 * (1 << 18), "several pieces");
    let numbers = text.lines().map(|line| line.rsplit(' ').nth(1).unwrap().parse::<u64>().unwrap());
    assert!(numbers.eq(0..20_000));
}

proptest! {
    /// However far ahead and in whatever order events are reported, and however often the buffer is drained, each comes
    /// out once, in order of time.
    #[test]
    fn output_is_sorted_and_whole(ahead in prop::collection::vec((0u64..5, 0u64..1000), 1..300), drain in 1usize..40) {
        let mut recorder = Recorder::new(&observing(&["segments"]), subjects());
        let end = Instant::from_ps(1200);
        let mut now = 0;
        let mut expected = Vec::new();
        for (i, (step, offset)) in ahead.iter().enumerate() {
            now += step;
            recorder.drain_at = drain.max(recorder.pending.len() / 2);
            recorder.advance(Instant::from_ps(now));
            let at = now + offset;
            let stamp = Stamp::new(Instant::from_ps(at), Instant::from_ps(now));
            recorder.packet(stamp, PacketEvent::Send, A, &packet(0, i as u64, 0), None);
            if at <= end.ps() {
                expected.push((at, now, i as i64));
            }
        }
        expected.sort_by_key(|(at, since, _)| (*at, *since));
        let table = recorder.finish(end).tables.remove("segments").unwrap();
        let expected_time: Vec<u64> = expected.iter().map(|(at, _, _)| *at).collect();
        let expected_seq: Vec<i64> = expected.iter().map(|(_, _, i)| *i).collect();
        prop_assert_eq!(table.column("time_s"), Some(&Column::Time(expected_time)));
        prop_assert_eq!(table.column("seq"), Some(&Column::Int(expected_seq)));
    }
}

#[test]
fn marks_have_their_place() {
    let mut recorder = Recorder::new(&observing(&["marks"]), subjects());
    recorder.packet(at(2), PacketEvent::Mark, AB, &packet(0, 1, 0), None);
    let marks = recorder.finish(ms(150)).tables.remove("marks").unwrap();
    assert_eq!(csv(&marks), "time_s,place,flow,seq,bytes\n0.002000000,a>b,0,1,1040\n");
}
