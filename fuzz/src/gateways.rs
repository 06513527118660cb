//! Proxies of a gateway under arbitrary packets, timers, drops and crashes.

use super::draw::Draw;
use super::endpoint::config;
use base::{AckHeader, Advertised, Body, DataHeader, Duration, Ecn, FlowId, Instant, Packet, Rng, SackBlock};
use gateway::{Kind, Outgoing, Proxy, Setup, Toward};
use std::sync::Arc;

/// Maximum number of packets that a proxy may send at once: the segments in its buffer, and as many acknowledgments.
const MOST: usize = 4096;

/// Hands a proxy packets of one connection in both directions, with arbitrary numbers, at arbitrary times.
///
/// Asserts that its buffer stays within its size, and that each call sends at most `MOST` packets.
pub fn gateways(data: &[u8]) {
    let mut draw = Draw::new(data);
    let kind = draw.of(&[Kind::Intelligent, Kind::PreAck, Kind::Snoop, Kind::Split]);
    let (Some(near), Some(mut far)) = (config(&mut draw), config(&mut draw)) else { return };
    if kind != Kind::Split {
        far.sizes.segment = near.sizes.segment;
    }
    far.connection.fin = near.connection.fin;
    let segment = near.sizes.segment;
    let buffer = u64::from(segment.max(far.sizes.segment)) * (1 + draw.below(40));
    let setup = Setup {
        kind,
        flow: FlowId(0),
        class: base::LOWEST_CLASS,
        buffer,
        near: Arc::new(near),
        far: Arc::new(far),
        phase: Duration::ZERO,
        stream: Rng::stream(1, "far"),
        overhead: Rng::stream(1, "overhead"),
        min_timeout: Duration::from_ms(100),
    };
    let mut proxy = Proxy::new(setup);
    let (mut now, mut out) = (Instant::ZERO, Vec::new());
    // Next sequence number and last acknowledgment. Most numbers are drawn near these, so that some packets fit
    // together.
    let (mut sent, mut acked) = (0, 0);
    let mut last = None;
    while !draw.is_empty() {
        now = draw.later(now);
        match draw.below(32) {
            0 => proxy.crash(),
            1 => proxy.restart(),
            2 => proxy.on_own_drop(acked + draw.below(64)),
            3..=7 => {
                if let Some(timer) = proxy.timer() {
                    now = now.max(timer.at);
                    proxy.on_timer(now, &mut out);
                }
            }
            8..=19 => {
                let seq = if draw.below(4) == 0 { acked + draw.below(64) } else { sent };
                let seq = last.map_or(seq, |last: Last| seq.min(last.seq));
                if last.is_none() && seq >= sent && draw.below(32) == 0 {
                    let payload = 1 + draw.below(u64::from(segment.min(65_535))) as u32;
                    last = Some(Last { seq, payload, fin: draw.flag() });
                }
                sent = sent.max(seq + 1);
                proxy.on_packet(now, &data_packet(&mut draw, now, (seq, segment), last), &mut out);
            }
            _ => {
                acked = if draw.below(16) == 0 { acked } else { (acked + draw.below(4)).min(sent) };
                proxy.on_packet(now, &ack_packet(&mut draw, now, acked), &mut out);
            }
        }
        assert!(out.len() <= MOST, "{} packets at once", out.len());
        assert!(proxy.held() <= buffer, "{} of {buffer} B held", proxy.held());
        for Outgoing { toward, packet, .. } in out.drain(..) {
            assert_eq!(packet.is_forward(), toward == Toward::Destination, "{packet:?}");
        }
    }
}

fn packet(now: Instant, wire: u32, body: Body, ecn: Ecn) -> Packet {
    Packet { sent: now, flow: FlowId(0), route: 0, wire, body, ecn, class: base::LOWEST_CLASS }
}

/// The last segment of a stream, which may be short.
#[derive(Clone, Copy)]
struct Last {
    seq: u64,
    payload: u32,
    fin: bool,
}

/// Returns segment `seq` with random flags: SYN on segment 0, retransmission, probe or bare acknowledgment. Its payload is
/// `segment` bytes, or that of the stream's last segment.
fn data_packet(draw: &mut Draw<'_>, now: Instant, (seq, segment): (u64, u32), last: Option<Last>) -> Packet {
    let flags = draw.byte();
    let last = last.filter(|last| last.seq == seq);
    let payload = last.map_or(segment, |last| last.payload);
    let header = DataHeader {
        seq,
        offset: seq * u64::from(segment),
        payload,
        ts_val: draw.byte().into(),
        syn: seq == 0 && flags & 1 > 0,
        fin: last.is_some_and(|last| last.fin),
        retransmission: flags & 2 > 0,
        bare_ack: flags == 253,
        acks_fin: flags == 252,
        probe: flags == 251,
        ..DataHeader::default()
    };
    let ecn = draw.of(&[Ecn::NotEct, Ecn::Ect0, Ecn::Ce]);
    packet(now, payload + 40, Body::Data(header), ecn)
}

fn ack_packet(draw: &mut Draw<'_>, now: Instant, near: u64) -> Packet {
    let ack = if draw.below(64) == 0 { draw.number() >> 16 } else { near };
    let mut sack = [SackBlock::default(); 3];
    let blocks = draw.below(4) as u8;
    for block in &mut sack[..usize::from(blocks)] {
        let from = 1 + draw.below(64) as u32;
        *block = SackBlock { from, to: from + draw.below(8) as u32 };
    }
    let flags = draw.byte();
    let header = AckHeader {
        ack,
        sack,
        blocks,
        syn: flags & 63 == 1,
        fin: flags == 2,
        ece: flags & 7 == 7,
        ts_val: 1,
        ts_ecr: draw.byte().into(),
        window: if flags & 0x70 == 0 { Advertised::of(draw.number()) } else { Advertised::NONE },
    };
    packet(now, 40, Body::Ack(header), Ecn::NotEct)
}
