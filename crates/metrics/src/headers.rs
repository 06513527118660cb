//! IPv4, TCP and UDP headers of simulated packets, for capture files.

use crate::subjects::FlowSubject;
use base::{AckHeader, Body, DataHeader, FlowId, NodeId, Packet};

/// Length of the longest datagram, bytes (RFC 791).
const MAX_DATAGRAM: u32 = 65_535;
pub(crate) const PROTOCOL_TCP: u8 = 6;
pub(crate) const PROTOCOL_UDP: u8 = 17;
const FIN: u8 = 0x01;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;
/// Largest shift count of the window scale option (RFC 7323 section 2.3).
const MAX_SHIFT: u32 = 14;

/// State of a connection that its earlier packets have set, and on which later headers depend.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ConnectionState {
    /// SND.NXT: the sender's next sequence number.
    next: u32,
    /// True once the receiver's FIN has reached the sender.
    peer_closed: bool,
}

impl ConnectionState {
    pub(crate) fn on_sent(&mut self, data: &DataHeader) {
        if !data.bare_ack && !data.probe && !data.retransmission {
            let begin = sequence_of(data);
            self.next = begin.wrapping_add(data.payload + u32::from(data.syn) + u32::from(data.fin));
        }
    }

    pub(crate) fn on_ack(&mut self, ack: &AckHeader) {
        self.peer_closed |= ack.fin;
    }
}

/// Returns the sequence number at which a segment begins: 0 for the SYN, otherwise stream offset + 1.
fn sequence_of(data: &DataHeader) -> u32 {
    if data.syn { 0 } else { stream(data.offset) }
}

/// Returns the sequence number of a byte at stream offset `offset`, modulo 2^32.
fn stream(offset: u64) -> u32 {
    (offset as u32).wrapping_add(1)
}

/// The IP and transport headers of one packet.
#[derive(Clone)]
pub(crate) struct Header {
    buffer: [u8; 80],
    length: usize,
    payload: u32,
}

impl Header {
    /// Returns the headers, IP header first.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.length]
    }

    /// Returns the length of the datagram, payload included, bytes; at most [`MAX_DATAGRAM`].
    pub(crate) fn total_length(&self) -> u32 {
        (self.length as u32 + self.payload).min(MAX_DATAGRAM)
    }

    fn push(&mut self, bytes: &[u8]) {
        self.buffer[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    fn set(&mut self, at: usize, value: u16) {
        self.buffer[at..at + 2].copy_from_slice(&value.to_be_bytes());
    }
}

/// Returns the headers of `packet` with their checksums.
pub(crate) fn encode(flow: &FlowSubject, packet: &Packet, state: &ConnectionState) -> Header {
    let mut header = Header { buffer: [0; 80], length: 0, payload: packet.payload() };
    let protocol = if flow.datagrams { PROTOCOL_UDP } else { PROTOCOL_TCP };
    let [source, destination] = endpoints(flow, packet.flow);
    let (source, destination) =
        if packet.is_forward() { (source, destination) } else { (destination, source) };

    // Version 4, header of five words; length and checksum follow. The identification field is the time of
    // sending in microseconds, modulo 2^16, so that a packet looks the same in the captures of both ends (RFC
    // 6864: with DF set the value is free).
    header.push(&[0x45, packet.ecn as u8, 0, 0]);
    header.push(&((packet.sent.ps() / 1_000_000) as u16).to_be_bytes());
    header.push(&[0x40, 0, 64, protocol, 0, 0]);
    header.push(&source.0);
    header.push(&destination.0);

    header.push(&source.1.to_be_bytes());
    header.push(&destination.1.to_be_bytes());
    let checksum_at = match &packet.body {
        Body::Data(data) => push_data(&mut header, flow, data, state),
        Body::Ack(ack) => push_ack(&mut header, flow, ack),
        Body::Datagram { .. } | Body::Reply { .. } | Body::Real(_) => {
            let length = (8 + header.payload).min(MAX_DATAGRAM - 20) as u16;
            header.push(&length.to_be_bytes());
            header.push(&[0, 0]);
            header.length - 2
        }
    };

    let total = header.total_length() as u16;
    header.set(2, total);
    let ip = checksum(0, &header.buffer[..20]);
    header.set(10, ip);
    // Pseudo-header (RFC 9293 section 3.1): addresses, protocol, length. The payload is zeros and adds nothing.
    let pseudo = u32::from(protocol) + u32::from(total - 20) + sum(&source.0) + sum(&destination.0);
    let value = checksum(pseudo, &header.buffer[20..header.length]);
    // RFC 768: a UDP checksum of 0 means that there is none, so it is sent as all ones.
    header.set(checksum_at, if protocol == PROTOCOL_UDP && value == 0 { 0xffff } else { value });
    header
}

fn push_data(header: &mut Header, flow: &FlowSubject, data: &DataHeader, state: &ConnectionState) -> usize {
    let sequence = if data.bare_ack {
        state.next
    } else if data.probe {
        // A window probe without payload has the sequence number before the window; that byte has been
        // acknowledged.
        sequence_of(data).wrapping_sub(1)
    } else {
        sequence_of(data)
    };
    // The SYN acknowledges nothing; later segments acknowledge the receiver's SYN, then its FIN.
    let (acknowledgment, mut flags) =
        if data.syn { (0, SYN) } else { (1 + u32::from(state.peer_closed), ACK) };
    if data.fin {
        flags |= FIN;
    }
    let mut options = Options::NONE;
    if data.syn {
        options.syn(flow);
    }
    if flow.timestamps {
        options.timestamps(data.ts_val, data.ts_ecr);
    }
    push_tcp(header, flow, sequence, acknowledgment, flags, flow.receive_window, &options)
}

fn push_ack(header: &mut Header, flow: &FlowSubject, ack: &AckHeader) -> usize {
    let acknowledgment =
        stream(flow.offset_of(ack.ack) + u64::from(ack.part())).wrapping_add(u32::from(ack.fin));
    let (sequence, mut flags) = if ack.syn { (0, SYN | ACK) } else { (1, ACK) };
    if ack.fin {
        flags |= FIN;
    }
    let mut options = Options::NONE;
    if ack.syn {
        options.syn(flow);
    }
    if flow.timestamps {
        options.timestamps(ack.ts_val, ack.ts_ecr);
    }
    if !ack.entries().is_empty() {
        let edge = |relative: u32| stream(flow.offset_of(ack.segment_at(relative)));
        options.push(&[1, 1, 5, 2 + 8 * ack.blocks]);
        for block in ack.entries() {
            options.push(&edge(block.from).to_be_bytes());
            options.push(&edge(block.to).to_be_bytes());
        }
    }
    let window = ack.window.bytes().or(flow.receive_window);
    push_tcp(header, flow, sequence, acknowledgment, flags, window, &options)
}

/// Appends the rest of a TCP header, after its ports; returns the position of its checksum.
fn push_tcp(
    header: &mut Header,
    flow: &FlowSubject,
    sequence: u32,
    acknowledgment: u32,
    flags: u8,
    window: Option<u64>,
    options: &Options,
) -> usize {
    header.push(&sequence.to_be_bytes());
    header.push(&acknowledgment.to_be_bytes());
    let words = 5 + options.length.div_ceil(4) as u8;
    header.push(&[words << 4, flags]);
    // RFC 7323 section 2.2: the window of a SYN is not scaled. Without a handshake no window is scaled.
    let window = window.unwrap_or(u64::MAX);
    let shift = if flow.handshake && flags & SYN == 0 { window_shift(flow) } else { 0 };
    let window = (window >> shift).min(0xffff) as u16;
    header.push(&window.to_be_bytes());
    let checksum_at = header.length;
    header.push(&[0; 4]);
    header.push(&options.bytes[..usize::from(words) * 4 - 20]);
    checksum_at
}

/// Returns the smallest shift count with which the receiver's window fits into 16 bits, at most [`MAX_SHIFT`]
/// (RFC 7323).
fn window_shift(flow: &FlowSubject) -> u32 {
    let window = flow.receive_window.unwrap_or(u64::MAX);
    (0..MAX_SHIFT).find(|shift| window >> shift <= 0xffff).unwrap_or(MAX_SHIFT)
}

/// TCP options of one segment. Unused bytes are zero, which means End of Option List.
struct Options {
    bytes: [u8; 40],
    length: usize,
}

impl Options {
    const NONE: Self = Self { bytes: [0; 40], length: 0 };

    fn push(&mut self, bytes: &[u8]) {
        self.bytes[self.length..self.length + bytes.len()].copy_from_slice(bytes);
        self.length += bytes.len();
    }

    /// Appends the options of a SYN: maximum segment size, SACK permitted if the flow uses SACK, and window
    /// scale if the flow has a three-way handshake. Without one, the SYN is ns-2's SYN packet, which no
    /// SYN-ACK answers.
    fn syn(&mut self, flow: &FlowSubject) {
        self.push(&[2, 4]);
        self.push(&u16::try_from(flow.segment).unwrap_or(u16::MAX).to_be_bytes());
        if flow.sack {
            self.push(&[1, 1, 4, 2]);
        }
        if flow.handshake {
            self.push(&[1, 3, 3, window_shift(flow) as u8]);
        }
    }

    fn timestamps(&mut self, value: u32, echo: u32) {
        self.push(&[1, 1, 8, 10]);
        self.push(&value.to_be_bytes());
        self.push(&echo.to_be_bytes());
    }
}

/// Returns address and port of a flow's source, then of its destination. Ports repeat after 25 000 flows.
pub(crate) fn endpoints(flow: &FlowSubject, id: FlowId) -> [([u8; 4], u16); 2] {
    let offset = (id.0 % 25_000) as u16;
    let [from, to] = flow.addresses;
    let of = |given: Option<[u8; 4]>, node| given.unwrap_or_else(|| address(node));
    [(of(from, flow.from), 40_000 + offset), (of(to, flow.to), 5_001 + offset)]
}

/// Returns the address of a node to which the scenario gives none: `10.0.0.0 + n + 1`.
pub fn address(node: NodeId) -> [u8; 4] {
    (0x0a00_0000 | ((node.0 + 1) & 0x00ff_ffff)).to_be_bytes()
}

/// Returns the sum of the 16-bit words of `bytes`; an odd last byte is padded with zero.
fn sum(bytes: &[u8]) -> u32 {
    bytes.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(*pair.get(1).unwrap_or(&0))).sum()
}

/// Returns the Internet checksum (RFC 1071) of `bytes`, with `start` added to the sum of words.
fn checksum(start: u32, bytes: &[u8]) -> u16 {
    let mut total = start + sum(bytes);
    while total > 0xffff {
        total = (total & 0xffff) + (total >> 16);
    }
    !(total as u16)
}
