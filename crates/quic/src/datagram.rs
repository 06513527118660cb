//! UDP datagrams that carry a connection.

use base::Ecn;

/// Size of the headers of IPv4 (RFC 791) and UDP (RFC 768) that each datagram has, bytes.
pub const HEADERS: u32 = 28;

/// Largest UDP payload, bytes: the upper limit of quinn's path MTU discovery (Ethernet's MTU of 1500 minus
/// the headers of IPv6 and UDP).
pub const LARGEST: u32 = 1452;

/// A UDP datagram in flight.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// UDP payload.
    pub bytes: Vec<u8>,
    /// ECN field of the IP header.
    pub ecn: Ecn,
}

impl Datagram {
    /// Returns the size on the wire, with headers of UDP and IPv4, bytes.
    pub fn wire(&self) -> u32 {
        self.bytes.len() as u32 + HEADERS
    }
}
