//! The headers of IPv4 (RFC 791) and TCP (RFC 9293), as far as counters need them.

use base::Ecn;

/// Payload of a full segment with timestamps at an MTU of 1500, bytes.
pub const SEGMENT: u32 = 1448;

/// Length of the IPv4 and TCP headers of such a segment, bytes.
pub const HEADERS: u32 = 52;

/// A segment of TCP.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Sequence number.
    pub seq: u32,
    /// Acknowledgment number; `None` without the ACK flag.
    pub ack: Option<u32>,
    /// Payload, bytes.
    pub payload: u32,
    /// True for a SYN.
    pub syn: bool,
}

impl Segment {
    /// Returns the TCP segment in an IP packet; `None` if the packet has none.
    pub fn of(packet: &[u8]) -> Option<Self> {
        let header = usize::from(packet.first()? & 15) * 4;
        if packet[0] >> 4 != 4 || *packet.get(9)? != 6 {
            return None;
        }
        let tcp = packet.get(header..)?;
        let word = |at: usize| Some(u32::from_be_bytes(tcp.get(at..at + 4)?.try_into().ok()?));
        let offset = usize::from(tcp.get(12)? >> 4) * 4;
        let flags = *tcp.get(13)?;
        Some(Self {
            seq: word(4)?,
            ack: if flags & 16 == 0 { None } else { word(8) },
            payload: u32::try_from(tcp.len().checked_sub(offset)?).ok()?,
            syn: flags & 2 != 0,
        })
    }
}

/// Returns the ECN field of an IP packet.
pub(crate) fn ecn(packet: &[u8]) -> Ecn {
    match packet.get(1).map_or(0, |tos| tos & 3) {
        0 => Ecn::NotEct,
        1 => Ecn::Ect1,
        2 => Ecn::Ect0,
        _ => Ecn::Ce,
    }
}

/// Marks an IP packet as having experienced congestion, and mends the checksum of its header.
pub(crate) fn mark(packet: &mut [u8]) {
    let header = packet.first().map_or(0, |first| usize::from(first & 15) * 4);
    if header < 20 || packet.len() < header {
        return;
    }
    packet[1] |= 3;
    packet[10..12].fill(0);
    let mut sum: u32 =
        packet[..header].chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum();
    while sum > 0xffff {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    packet[10..12].copy_from_slice(&(!(sum as u16)).to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a packet with a segment of 4 bytes.
    fn packet() -> Vec<u8> {
        let mut bytes = vec![0x45, 0x02, 0, 44, 0, 0, 0x40, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
        bytes.extend([0x10, 0, 0x13, 0x88, 0, 0, 1, 0, 0, 0, 2, 0, 0x50, 0x10, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]);
        bytes
    }

    #[test]
    fn a_segment_is_read() {
        let segment = Segment::of(&packet()).unwrap();
        assert_eq!(segment, Segment { seq: 256, ack: Some(512), payload: 4, syn: false });
        assert_eq!(ecn(&packet()), Ecn::Ect0);
    }

    #[test]
    fn what_is_no_segment_is_refused() {
        let mut udp = packet();
        udp[9] = 17;
        assert_eq!(Segment::of(&udp), None);
        for length in 0..40 {
            assert_eq!(Segment::of(&packet()[..length]), None, "{length}");
        }
    }

    #[test]
    fn a_mark_keeps_the_checksum_right() {
        let mut bytes = packet();
        mark(&mut bytes);
        assert_eq!(ecn(&bytes), Ecn::Ce);
        // 4503 + 002c + 0000 + 4000 + 4006 + 0a00 + 0001 + 0a00 + 0002 = d938; its complement is 26c7 (RFC 1071).
        assert_eq!(bytes[10..12], [0x26, 0xc7]);
    }
}
