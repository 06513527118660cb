//! Tests of each kind of gateway packet by packet: the packets sent are compared with sequences worked out by
//! hand.

use base::{
    AckHeader, Advertised, Body, DataHeader, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet, Rng,
};
use gateway::{Kind, Outgoing, Proxy, Setup, Toward};
use std::sync::Arc;
use tcp::congestion::Control;
use tcp::recovery::Recovery;

fn ms(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_ms(ms)
}

/// Returns a proxy with segments of 1000 bytes, a handshake, an initial window of ten segments and immediate ACKs.
fn proxy(kind: Kind, buffer: u64) -> Proxy {
    let reno = Control::by_name("reno", &[]).expect("registered");
    let config = Arc::new(crate::common::config(Recovery::NewReno, reno, false, false));
    Proxy::new(Setup {
        kind,
        flow: FlowId(0),
        class: LOWEST_CLASS,
        buffer,
        near: config.clone(),
        far: config,
        phase: Duration::ZERO,
        stream: Rng::stream(1, "far"),
        overhead: Rng::stream(1, "overhead"),
        min_timeout: Duration::from_ms(100),
    })
}

fn packet(body: Body) -> Packet {
    let (flow, ecn, class) = (FlowId(0), Ecn::NotEct, LOWEST_CLASS);
    Packet { sent: Instant::ZERO, flow, route: 0, wire: 40, body, ecn, class }
}

fn syn() -> Packet {
    packet(Body::Data(DataHeader { syn: true, ..DataHeader::default() }))
}

fn data(seq: u64) -> Packet {
    packet(Body::Data(DataHeader { seq, offset: seq * 1000, payload: 1000, ..DataHeader::default() }))
}

fn ack(ack: u64) -> Packet {
    packet(Body::Ack(AckHeader { ack, ..AckHeader::default() }))
}

/// Hands a packet to the proxy and returns the packets it sends, as text: `>` towards the destination, `<` towards the source.
///
/// Data has its segment number, an acknowledgment its number and window in bytes; retransmissions are marked.
fn give(proxy: &mut Proxy, at: u64, packet: &Packet) -> String {
    let mut out = Vec::new();
    proxy.on_packet(ms(at), packet, &mut out);
    shown(&out)
}

fn shown(out: &[Outgoing]) -> String {
    let each = out.iter().map(|out| {
        let arrow = if out.toward == Toward::Source { '<' } else { '>' };
        match &out.packet.body {
            Body::Data(d) if d.syn => format!("{arrow}syn"),
            Body::Data(d) if d.bare_ack => format!("{arrow}bare"),
            Body::Data(d) => format!("{arrow}{}{}", d.seq, if d.retransmission { " again" } else { "" }),
            Body::Ack(a) => {
                let window = a.window.bytes().map_or(String::new(), |bytes| format!(" w{bytes}"));
                format!("{arrow}{}{}{window}", if a.syn { "syn " } else { "ack " }, a.ack)
            }
            Body::Datagram { .. } | Body::Reply { .. } | Body::Real(_) => "datagram".to_owned(),
        }
    });
    each.collect::<Vec<_>>().join(", ")
}

#[test]
fn an_intelligent_gateway_acknowledges_keeps_and_frees() {
    let mut proxy = proxy(Kind::Intelligent, 3000);
    assert_eq!(give(&mut proxy, 0, &syn()), ">syn");
    let answer = packet(Body::Ack(AckHeader { syn: true, ..AckHeader::default() }));
    assert_eq!(give(&mut proxy, 20, &answer), "<syn 0 w3000");
    // The gateway keeps a copy, acknowledges to the source at once, and forwards the packet.
    assert_eq!(give(&mut proxy, 40, &data(0)), "<ack 1 w2000, >0");
    assert_eq!((proxy.held(), proxy.acknowledged(), proxy.unconfirmed()), (1000, 1000, 1000));
    // A segment out of order is stored without being forwarded, and answered with the cumulative acknowledgment.
    assert_eq!(give(&mut proxy, 41, &data(2)), "<ack 1 w2000");
    assert_eq!(give(&mut proxy, 42, &data(1)), "<ack 3 w0, >1, >2");
    assert_eq!((proxy.held(), proxy.stats().zero_window_events), (3000, 1));
    // The buffer is full: the segment is dropped, and the last acknowledgment is repeated with a zero window.
    assert_eq!(give(&mut proxy, 43, &data(3)), "<ack 3 w0");
    assert_eq!(proxy.stats().refused_packets, 1);
    // The Real ACK ends at the gateway; it frees buffer space, and a window update announces the larger
    // window to the source.
    assert_eq!(give(&mut proxy, 60, &ack(1)), "<ack 3 w1000");
    assert_eq!((proxy.held(), proxy.stats().freed_packets, proxy.stats().window_updates), (2000, 1, 1));
    assert_eq!(give(&mut proxy, 61, &ack(3)), "<ack 3 w3000");
    assert_eq!((proxy.held(), proxy.unconfirmed()), (0, 0));
}

#[test]
fn an_intelligent_gateway_sends_again_what_is_lost_behind_it() {
    let mut proxy = proxy(Kind::Intelligent, 20_000);
    give(&mut proxy, 0, &syn());
    for seq in 0..5 {
        assert_eq!(
            give(&mut proxy, 1, &data(seq)),
            format!("<ack {} w{}, >{seq}", seq + 1, 19_000 - seq * 1000)
        );
    }
    // Segment 0 arrives, segment 1 is lost: none of the three duplicates reaches the source.
    assert_eq!(give(&mut proxy, 21, &ack(1)), "");
    assert_eq!(give(&mut proxy, 22, &ack(1)), "");
    assert_eq!(give(&mut proxy, 23, &ack(1)), "");
    assert_eq!(give(&mut proxy, 24, &ack(1)), ">1 again");
    assert_eq!((proxy.stats().fast_retransmits, proxy.stats().retransmitted_bytes), (1, 1000));
}

#[test]
fn a_crash_forgets_what_was_acknowledged() {
    let mut proxy = proxy(Kind::Intelligent, 20_000);
    give(&mut proxy, 0, &syn());
    give(&mut proxy, 1, &data(0));
    give(&mut proxy, 1, &data(1));
    give(&mut proxy, 21, &ack(1));
    proxy.crash();
    assert_eq!((proxy.held(), proxy.stats().crash_unconfirmed_bytes), (0, 1000));
    proxy.restart();
    // From now on the connection's packets pass through untouched.
    assert_eq!(give(&mut proxy, 30, &data(2)), ">2");
    assert_eq!(give(&mut proxy, 50, &ack(1)), "<ack 1");
    assert_eq!(proxy.acknowledged(), 2000);
}

#[test]
fn split_tcp_answers_for_itself() {
    let mut proxy = proxy(Kind::Split, 20_000);
    assert_eq!(give(&mut proxy, 0, &syn()), "<syn 0 w20000, >syn");
    // Data waits until the handshake of the second connection is complete.
    assert_eq!(give(&mut proxy, 10, &data(0)), "<ack 1 w19000");
    let answer = packet(Body::Ack(AckHeader { syn: true, ..AckHeader::default() }));
    assert_eq!(give(&mut proxy, 20, &answer), ">0");
    let last = packet(Body::Data(DataHeader {
        seq: 1,
        offset: 1000,
        payload: 500,
        fin: true,
        ..DataHeader::default()
    }));
    // The source's FIN is acknowledged before the destination has received any data.
    assert_eq!(give(&mut proxy, 21, &last), "<ack 2 w18500, >1");
    proxy.crash();
    assert_eq!(give(&mut proxy, 30, &ack(1)), "");
    assert_eq!(proxy.stats().dropped_packets, 1);
}

#[test]
fn snoop_repairs_and_keeps_quiet() {
    let mut proxy = proxy(Kind::Snoop, 20_000);
    assert_eq!(give(&mut proxy, 0, &syn()), ">syn");
    for seq in 0..5 {
        assert_eq!(give(&mut proxy, 1, &data(seq)), format!(">{seq}"));
    }
    assert_eq!(give(&mut proxy, 21, &ack(1)), "<ack 1", "new data is the source's to know");
    // Segment 1 is lost: segments 2, 3 and 4 cause three duplicates.
    assert_eq!(give(&mut proxy, 22, &ack(1)), ">1 again");
    assert_eq!(give(&mut proxy, 23, &ack(1)), "");
    assert_eq!(give(&mut proxy, 24, &ack(1)), "");
    assert_eq!(proxy.stats().suppressed_acks, 3);
    // A further duplicate can only come from a packet sent after the retransmission, which is therefore lost, too.
    assert_eq!(give(&mut proxy, 25, &data(5)), ">5");
    assert_eq!(give(&mut proxy, 45, &ack(1)), ">1 again");
    assert_eq!(give(&mut proxy, 65, &ack(6)), "<ack 6");
    assert_eq!((proxy.held(), proxy.acknowledged()), (0, 0));
    // If acknowledgment 6 is lost, the source sends segment 3 again. The gateway repeats the acknowledgment
    // and forwards nothing.
    assert_eq!(give(&mut proxy, 300, &data(3)), "<ack 6");
}

#[test]
fn snoop_leaves_to_the_source_what_is_lost_before_it() {
    let mut proxy = proxy(Kind::Snoop, 20_000);
    give(&mut proxy, 1, &data(0));
    give(&mut proxy, 1, &data(2));
    give(&mut proxy, 1, &data(3));
    assert_eq!(give(&mut proxy, 21, &ack(1)), "<ack 1");
    assert_eq!(give(&mut proxy, 22, &ack(1)), "<ack 1");
    assert_eq!(give(&mut proxy, 23, &ack(1)), "<ack 1");
    // The proxy does not repair a segment that the source itself retransmits.
    assert_eq!(give(&mut proxy, 60, &data(1)), ">1");
    assert_eq!(give(&mut proxy, 61, &ack(1)), "<ack 1");
}

#[test]
fn snoop_does_not_wait_for_duplicates_for_ever() {
    let mut proxy = proxy(Kind::Snoop, 20_000);
    give(&mut proxy, 0, &data(0));
    give(&mut proxy, 20, &ack(1));
    give(&mut proxy, 30, &data(1));
    let due = proxy.timer().expect("set").at;
    // After one round trip of 20 ms the timeout is 20 + 4 * 10 ms, raised to the minimum of 100 ms.
    assert_eq!(due, ms(130));
    let mut out = Vec::new();
    proxy.on_timer(due, &mut out);
    assert_eq!(shown(&out), ">1 again");
    assert_eq!(proxy.timer().expect("set").at, ms(330), "backed off");
}

#[test]
fn what_its_own_queue_drops_is_no_loss_for_snoop_to_hide() {
    let mut proxy = proxy(Kind::Snoop, 20_000);
    for seq in 0..4 {
        give(&mut proxy, 1, &data(seq));
    }
    proxy.on_own_drop(1);
    assert_eq!((proxy.held(), proxy.stats().given_up_packets), (3000, 1));
    // The duplicate reaches the source, which sends the segment again; if that copy is dropped, too, repair is left to the source.
    assert_eq!(give(&mut proxy, 21, &ack(1)), "<ack 1");
    assert_eq!(give(&mut proxy, 22, &ack(1)), "<ack 1");
    assert_eq!(give(&mut proxy, 23, &ack(1)), "<ack 1");
    assert_eq!(give(&mut proxy, 60, &data(1)), ">1");
    proxy.on_own_drop(1);
    assert_eq!(give(&mut proxy, 61, &ack(1)), "<ack 1");
    // A drop of a segment without a copy at the proxy changes nothing.
    proxy.on_own_drop(0);
    proxy.on_own_drop(9);
    assert_eq!((proxy.held(), proxy.stats().given_up_packets), (2000, 2));
    assert_eq!(give(&mut proxy, 80, &ack(4)), "<ack 4");
    assert_eq!(proxy.held(), 0);
}

#[test]
fn a_window_update_passes_snoop() {
    let mut proxy = proxy(Kind::Snoop, 20_000);
    let open = |bytes| {
        packet(Body::Ack(AckHeader { ack: 1, window: Advertised::of(bytes), ..AckHeader::default() }))
    };
    give(&mut proxy, 0, &data(0));
    give(&mut proxy, 0, &data(1));
    assert_eq!(give(&mut proxy, 20, &open(0)), "<ack 1 w0");
    assert_eq!(give(&mut proxy, 21, &open(5000)), "<ack 1 w5000");
}

#[test]
fn a_pre_ack_goes_at_once_and_so_does_the_packet_out_of_order_too() {
    let mut proxy = proxy(Kind::PreAck, 4000);
    assert_eq!(give(&mut proxy, 0, &syn()), ">syn");
    assert_eq!(give(&mut proxy, 1, &data(0)), ">0, <ack 1 w3000");
    assert_eq!(give(&mut proxy, 2, &data(2)), ">2, <ack 1 w3000", "no window of its own, no order");
    assert_eq!(give(&mut proxy, 3, &data(1)), ">1, <ack 3 w1000");
    assert_eq!(give(&mut proxy, 4, &data(4)), "<ack 3 w1000", "no room: the source sends it again");
    assert_eq!((proxy.held(), proxy.acknowledged(), proxy.unconfirmed()), (3000, 3000, 3000));
    // The destination has segment 0, and the copy is freed. No window update is due, since the source may
    // still send a segment; the next Pre ACK announces the space.
    assert_eq!(give(&mut proxy, 21, &ack(1)), "");
    // A duplicate shows that segment 1 is lost; the source gets no sign of the loss.
    assert_eq!(give(&mut proxy, 22, &data(3)), ">3, <ack 4 w1000");
    assert_eq!(give(&mut proxy, 23, &ack(1)), ">1 again");
    assert_eq!(give(&mut proxy, 43, &ack(4)), "<ack 4 w4000");
    assert_eq!((proxy.held(), proxy.unconfirmed(), proxy.stats().refused_packets), (0, 0, 1));
    // The gateway has to repair drops in its own queue, since the source has freed the packet.
    assert_eq!(give(&mut proxy, 50, &data(4)), ">4, <ack 5 w3000");
    proxy.on_own_drop(4);
    assert_eq!(proxy.held(), 1000);
    let mut out = Vec::new();
    proxy.on_timer(proxy.timer().expect("set").at, &mut out);
    assert_eq!(shown(&out), ">4 again");
    // A crash loses the acknowledged data; afterwards the connection's packets pass through.
    proxy.crash();
    assert_eq!(proxy.stats().crash_unconfirmed_bytes, 1000);
    assert_eq!(give(&mut proxy, 300, &data(5)), ">5");
    assert_eq!(give(&mut proxy, 320, &ack(4)), "<ack 4");
}
