//! The TCP header of an IP packet (RFC 9293 section 3.1).

use super::header::{is_later_fragment, protocol, transport};

const FIN: u8 = 0x01;
const SYN: u8 = 0x02;
const ACK: u8 = 0x10;

/// Fields of a TCP segment by which its bytes are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgment number; `None` without the ACK flag.
    pub ack: Option<u32>,
    /// Payload, bytes.
    pub payload: u32,
    /// SYN flag.
    pub syn: bool,
    /// FIN flag.
    pub fin: bool,
}

impl Segment {
    /// Returns the TCP segment in an IP packet; `None` if the packet is not TCP, a later fragment, or shorter
    /// than its headers.
    pub fn of(packet: &[u8]) -> Option<Self> {
        let (protocol, header) = transport(packet)?;
        if protocol != protocol::TCP || is_later_fragment(packet) {
            return None;
        }
        let tcp = packet.get(header..)?;
        let word = |at: usize| Some(u32::from_be_bytes(tcp.get(at..at + 4)?.try_into().ok()?));
        let offset = usize::from(tcp.get(12)? >> 4) * 4;
        let flags = *tcp.get(13)?;
        Some(Self {
            seq: word(4)?,
            ack: if flags & ACK == 0 { None } else { word(8) },
            payload: u32::try_from(tcp.len().checked_sub(offset)?).ok()?,
            syn: flags & SYN != 0,
            fin: flags & FIN != 0,
        })
    }
}

/// Returns the number of bytes after the transport header of an IP packet, or after the IP header if no TCP
/// or UDP header follows.
pub fn payload(packet: &[u8]) -> u32 {
    if let Some(segment) = Segment::of(packet) {
        return segment.payload;
    }
    let Some((protocol, header)) = transport(packet) else { return 0 };
    let ports = if protocol == protocol::UDP && !is_later_fragment(packet) { 8 } else { 0 };
    packet.len().saturating_sub(header + ports) as u32
}
