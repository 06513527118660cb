use super::*;
use crate::observe::Trace;
use crate::recorder::Recorder;
use crate::recorder::tests::{A, AB, B, ack, at, ms, observing, packet, subjects};
use base::{FlowId, Packet, Probe};
use tempfile::tempdir;

/// Returns the JSON texts of both files that a recorder writes.
fn texts(recorder: Recorder) -> [Vec<String>; 2] {
    let files = recorder.finish(ms(200)).files.remove(&Trace::Qlog).unwrap();
    let scratch = tempdir().unwrap();
    let paths = files.write(scratch.path(), None).unwrap();
    let names: Vec<_> = paths.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["qlog-f-client.sqlog", "qlog-f-server.sqlog"]);
    [&paths[0], &paths[1]].map(|path| {
        let text = std::fs::read_to_string(path).unwrap();
        text.split('\u{1e}').skip(1).map(|line| line.trim_end().to_owned()).collect()
    })
}

fn retransmission(seq: u64, sent_ms: u64) -> Packet {
    let mut again = packet(0, seq, sent_ms);
    if let Body::Data(data) = &mut again.body {
        data.retransmission = true;
    }
    again
}

#[test]
fn both_ends_log_what_they_send_and_receive_in_order_of_time() {
    let mut recorder = Recorder::new(&observing(&["qlog"]), subjects());
    let flow = FlowId(0);
    let cwnd = Observation::Variable(flow, Variable::Cwnd, 2.0);
    recorder.packet(at(10), PacketEvent::Send, A, &packet(0, 1, 10), None);
    recorder.packet(at(20), PacketEvent::Send, A, &packet(0, 2, 20), None);
    // Values are reported at once, packets when they are sorted: the log has both in order of time.
    recorder.observe(ms(15), cwnd);
    recorder.observe(ms(16), cwnd);
    recorder.packet(at(40), PacketEvent::Receive, AB, &packet(0, 1, 10), None);
    recorder.packet(at(40), PacketEvent::AckSent, B, &ack(0, 2, 40), None);
    recorder.packet(at(60), PacketEvent::Ack, A, &ack(0, 2, 40), None);
    recorder.observe(ms(60), Observation::Variable(flow, Variable::Rtt, 0.05));
    recorder.packet(at(90), PacketEvent::Send, A, &retransmission(2, 90), None);
    let [client, server] = texts(recorder);
    assert!(
        client[0].contains("\"qlog_version\":\"0.3\"") && client[0].contains("\"protocol_type\":[\"TCP\"]")
    );
    let short = |lines: &[String]| -> Vec<String> {
        lines[1..].iter().map(|line| line.split(",\"data\"").next().unwrap().to_owned()).collect()
    };
    assert_eq!(
        short(&client),
        [
            "{\"time\":10.000000,\"name\":\"transport:packet_sent\"",
            "{\"time\":15.000000,\"name\":\"recovery:metrics_updated\"",
            "{\"time\":20.000000,\"name\":\"transport:packet_sent\"",
            "{\"time\":60.000000,\"name\":\"transport:packet_received\"",
            "{\"time\":60.000000,\"name\":\"recovery:metrics_updated\"",
            "{\"time\":90.000000,\"name\":\"recovery:packet_lost\"",
            "{\"time\":90.000000,\"name\":\"transport:packet_sent\"",
        ]
    );
    assert!(client[2].ends_with("{\"congestion_window\":2000}}"), "{}", client[2]);
    assert!(client[4].contains("\"acked_ranges\":[[0,0]]"), "transmission 0 carried the data: {}", client[4]);
    assert!(client[4].contains("\"ack\":1000"), "{}", client[4]);
    assert!(client[6].contains("\"packet_number\":1"), "transmission 1 was lost: {}", client[6]);
    assert!(client[7].contains("\"offset\":1000,\"length\":1000"), "{}", client[7]);
    assert_eq!(
        short(&server),
        [
            "{\"time\":40.000000,\"name\":\"transport:packet_received\"",
            "{\"time\":40.000000,\"name\":\"transport:packet_sent\"",
        ]
    );
}

#[test]
fn a_fork_logs_on_by_itself() {
    let mut recorder = Recorder::new(&observing(&["qlog"]), subjects());
    for n in 0..2000 {
        recorder.packet(at(1), PacketEvent::Send, A, &packet(0, n + 1, 1), None);
    }
    let mut fork = recorder.clone();
    fork.packet(at(2), PacketEvent::Send, A, &packet(0, 2001, 2), None);
    let ([own, _], [forked, _]) = (texts(recorder), texts(fork));
    assert_eq!((own.len(), forked.len()), (2001, 2002));
    assert_eq!(own[..], forked[..2001]);
}
