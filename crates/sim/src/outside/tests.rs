//! Tests of the assignment of packets of outside programs to flows.

use super::conversations::{Conversations, Way};
use base::ip::{Ends, Segment, protocol};

const CLIENT: &str = "10.0.0.1:40000";
const SERVER: &str = "10.0.0.2:80";

/// Returns the ends of a packet that node `side` sends: node 0 is the client.
fn ends(side: usize, protocol: u8, client: &str) -> Ends {
    let [client, server] = [client, SERVER].map(|end| end.parse().unwrap());
    let (source, destination) = if side == 0 { (client, server) } else { (server, client) };
    Ends { protocol, source, destination }
}

fn segment(payload: u32) -> Segment {
    Segment { seq: 7, ack: Some(1), payload, syn: false, fin: false }
}

fn syn(seq: u32) -> Segment {
    Segment { seq, ack: None, payload: 0, syn: true, fin: false }
}

/// Sends a segment; returns its flow, and true if it goes from the flow's source to its destination.
fn send(conversations: &mut Conversations, side: usize, segment: Segment) -> (u32, bool) {
    let way = conversations.way(side, &ends(side, protocol::TCP, CLIENT), Some(&segment));
    (way.flow, way.forward)
}

#[test]
fn a_connection_has_a_flow_for_each_direction_with_data() {
    let mut all = Conversations::new([vec![], vec![]], 0, 8);
    let synack = Segment { ack: Some(8), ..syn(90) };
    assert_eq!(send(&mut all, 0, syn(7)), (0, true));
    assert_eq!(send(&mut all, 1, synack), (0, false));
    assert_eq!(send(&mut all, 0, segment(0)), (0, true));
    // A request and its acknowledgment, then the response and its acknowledgment.
    assert_eq!(send(&mut all, 0, segment(100)), (0, true));
    assert_eq!(send(&mut all, 1, segment(0)), (0, false));
    assert_eq!(send(&mut all, 1, segment(1448)), (1, true));
    assert_eq!(send(&mut all, 0, segment(0)), (1, false));
    assert_eq!(all.find(0, &ends(0, protocol::TCP, CLIENT)), Some(0));
    assert_eq!(all.find(1, &ends(1, protocol::TCP, CLIENT)), Some(1));
    assert_eq!(all.flows(), 2);
    // The same SYN again is a repetition; another one begins a connection.
    assert_eq!(send(&mut all, 0, syn(7)), (0, true));
    assert_eq!(send(&mut all, 0, syn(8)), (2, true));
}

#[test]
fn datagrams_have_a_flow_for_each_direction() {
    let mut all = Conversations::new([vec![], vec![]], 3, 8);
    let mut send = |side: usize| {
        let Way { flow, forward, new, opposite } = all.way(side, &ends(side, protocol::UDP, CLIENT), None);
        (flow, forward, new, opposite)
    };
    assert_eq!(send(0), (3, true, true, None));
    assert_eq!(send(1), (4, true, true, Some(3)));
    assert_eq!(send(0), (3, true, false, Some(4)));
}

#[test]
fn the_scenarios_flows_are_taken_first_and_the_last_are_shared() {
    let mut all = Conversations::new([vec![1, 2], vec![0]], 3, 1);
    let mut send = |side: usize, port: u16| {
        let way = all.way(side, &ends(side, protocol::UDP, &format!("10.0.0.1:{port}")), None);
        (way.flow, way.new)
    };
    assert_eq!([send(0, 1), send(0, 2), send(1, 3)], [(1, true), (2, true), (0, true)]);
    assert_eq!(
        [send(0, 4), send(0, 5), send(1, 6), send(0, 7)],
        [(3, true), (4, true), (5, true), (4, false)]
    );
    assert_eq!(all.flows(), 6);
    assert_eq!([3, 4, 5].map(|flow| all.is_single(flow)), [true, false, false]);
    let shared: Vec<u32> = all.used().filter(|(_, ends)| ends.is_none()).map(|(flow, _)| flow).collect();
    assert_eq!(shared, [4, 5]);
}
