//! IP headers, and the ports behind them.

use crate::packet::Ecn;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Protocol numbers (IANA) in IP headers.
pub mod protocol {
    /// ICMP (RFC 792).
    pub const ICMP: u8 = 1;
    /// TCP (RFC 9293).
    pub const TCP: u8 = 6;
    /// UDP (RFC 768).
    pub const UDP: u8 = 17;
    /// ICMPv6 (RFC 4443).
    pub const ICMPV6: u8 = 58;
}

/// Length of an IPv6 header without extensions, bytes.
const IPV6_HEADER: usize = 40;

/// Addresses, ports and protocol of an IP packet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Ends {
    /// Number of the transport protocol ([`protocol`]).
    pub protocol: u8,
    /// Source; port 0 unless the packet has the beginning of a TCP or UDP header.
    pub source: SocketAddr,
    /// Destination; port 0 as for the source.
    pub destination: SocketAddr,
}

impl Ends {
    /// Returns the ends of an IP packet; `None` if it is neither IPv4 nor IPv6, or shorter than its IP header.
    pub fn of(packet: &[u8]) -> Option<Self> {
        let (protocol, header) = transport(packet)?;
        let [source, destination] = addresses(packet)?;
        let has_ports = matches!(protocol, protocol::TCP | protocol::UDP) && !is_later_fragment(packet);
        let port = |at: usize| {
            let bytes = packet.get(header + at..header + at + 2).filter(|_| has_ports);
            bytes.map_or(0, |bytes| u16::from_be_bytes([bytes[0], bytes[1]]))
        };
        Some(Self {
            protocol,
            source: SocketAddr::new(source, port(0)),
            destination: SocketAddr::new(destination, port(2)),
        })
    }
}

/// Returns true if an IPv4 packet is a fragment other than the first, which has no transport header.
pub(super) fn is_later_fragment(packet: &[u8]) -> bool {
    packet[0] >> 4 == 4 && u16::from_be_bytes([packet[6], packet[7]]) & 0x1fff != 0
}

fn addresses(packet: &[u8]) -> Option<[IpAddr; 2]> {
    if packet[0] >> 4 == 4 {
        let at = |from: usize| Some(Ipv4Addr::from(<[u8; 4]>::try_from(packet.get(from..from + 4)?).ok()?));
        return Some([at(12)?.into(), at(16)?.into()]);
    }
    let at = |from: usize| Some(Ipv6Addr::from(<[u8; 16]>::try_from(packet.get(from..from + 16)?).ok()?));
    Some([at(8)?.into(), at(24)?.into()])
}

/// Returns the protocol number of an IP packet and the position of its transport header; `None` if the packet is
/// neither IPv4 nor IPv6, or shorter than its header. Extension headers of IPv6 count as a protocol of their own.
pub(super) fn transport(packet: &[u8]) -> Option<(u8, usize)> {
    match packet.first()? >> 4 {
        4 => {
            let header = usize::from(packet[0] & 15) * 4;
            (header >= 20 && packet.len() >= header).then(|| (packet[9], header))
        }
        6 => (packet.len() >= IPV6_HEADER).then(|| (packet[6], IPV6_HEADER)),
        _ => None,
    }
}

/// Returns the ECN field of an IP packet (RFC 3168 section 5).
pub fn ecn(packet: &[u8]) -> Ecn {
    let bits = match packet {
        [first, second, ..] if first >> 4 == 6 => second >> 4,
        [_, second, ..] => *second,
        _ => 0,
    };
    match bits & 3 {
        0 => Ecn::NotEct,
        1 => Ecn::Ect1,
        2 => Ecn::Ect0,
        _ => Ecn::Ce,
    }
}

/// Marks an IP packet as having experienced congestion, and corrects the checksum of an IPv4 header.
pub fn mark(packet: &mut [u8]) {
    let Some((_, header)) = transport(packet) else { return };
    if packet[0] >> 4 == 6 {
        packet[1] |= 3 << 4;
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
