//! Settings of the transport of a source's packets.

use settings::Size;
use settings::{Choice, Error, Settings};
use std::ops::RangeInclusive;

/// A transport protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Transport {
    /// UDP: each packet is a datagram
    Udp,
    /// TCP: each packet is a write to the sender's backlog
    Tcp,
}

/// Largest IPv4 packet, bytes.
const LARGEST: u32 = 65_535;
/// Headers of IPv4 and UDP, bytes.
const UDP_HEADER: u32 = 28;

/// Bounds of a packet's payload, bytes.
pub(crate) const PAYLOADS: RangeInclusive<u32> = 1..=LARGEST;

/// Settings of the transport of packets.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Carriage {
    /// Transport protocol. With "tcp" each packet is a write, which TCP sends as its window allows.
    #[setting(default = Transport::Udp)]
    pub transport: Transport,
    /// UDP only: size of the headers of each datagram on the wire (ns-2 adds none).
    #[setting(form = Size, absent = "\"28B\" (IPv4 and UDP)")]
    pub header: Option<u32>,
}

/// Setting of the ECN field of datagrams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Settings)]
pub struct Marks {
    /// UDP only: datagrams are ECN-capable, so queues may mark them instead of dropping them.
    #[setting(absent = "false")]
    pub ecn: Option<bool>,
}

impl Carriage {
    /// Checks that packets of up to `payload` bytes fit into datagrams, and fills in the datagram settings
    /// that are not given. With TCP, checks that no datagram setting is given.
    pub(crate) fn complete(&mut self, marks: &mut Marks, payload: u32) -> Result<(), Error> {
        if self.transport == Transport::Tcp {
            let given = [("header", self.header.is_some()), ("ecn", marks.ecn.is_some())];
            return match given.into_iter().find(|(_, given)| *given) {
                None => Ok(()),
                Some((key, _)) => Err(Error::new(key, "this traffic runs over TCP, whose `tcp` says it")
                    .allowed(format!("tcp = {{ {key} = ... }}"))),
            };
        }
        let header = *self.header.get_or_insert(UDP_HEADER);
        marks.ecn.get_or_insert_default();
        if payload.saturating_add(header) <= LARGEST {
            return Ok(());
        }
        let message = format!("payload and header come to more than {LARGEST} bytes");
        Err(Error::new("header", message).allowed("like \"28B\""))
    }
}
