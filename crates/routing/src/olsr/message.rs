//! Messages of OLSR, with their lengths.

use crate::port::{self, Length};
use radio::access::Station;

/// OLSR message (section 3.3). Each is sent in a packet of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Hello(Vec<(Station, LinkCode)>),
    Topology(Topology),
}

/// Link state of a neighbour in a HELLO, as the sender sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum LinkCode {
    /// ASYM_LINK: the sender receives the neighbour.
    Asymmetric,
    /// SYM_LINK: both receive each other.
    Symmetric,
    /// MPR_NEIGH: both receive each other, and the sender has picked the neighbour as a multipoint relay.
    Relay,
    /// LOST_LINK: the sender no longer receives the neighbour.
    Lost,
}

/// TC message: the stations that have picked the originator as a multipoint relay (its MPR selectors).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Topology {
    pub originator: Station,
    /// Message sequence number.
    pub number: u16,
    /// TTL: hops that the TC may still go.
    pub ttl: u8,
    /// Advertised neighbour sequence number (ANSN): the version of `selectors`.
    pub ansn: u16,
    pub selectors: Vec<Station>,
}

/// Request of an OLSR router to its node: to send a message, or to forward, deliver or drop a datagram.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Returns the length of the message, bytes of UDP payload (sections 3.3, 6.1 and 9.1).
    fn length(&self) -> Length {
        // Packet header and message header, bytes.
        const HEADERS: u32 = 4 + 12;
        let body = match self {
            Self::Hello(links) => {
                let mut kinds: Vec<LinkCode> = links.iter().map(|link| link.1).collect();
                kinds.sort_unstable();
                kinds.dedup();
                4 + 4 * kinds.len() as u32 + 4 * links.len() as u32
            }
            Self::Topology(topology) => 4 + 4 * topology.selectors.len() as u32,
        };
        Length::Udp(HEADERS + body)
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Hello(_) => "HELLO",
            Self::Topology(_) => "TC",
        }
    }

    #[cfg(test)]
    fn describe(&self) -> String {
        match self {
            Self::Hello(links) => {
                links.iter().fold("HELLO".to_owned(), |all, (to, kind)| format!("{all} {}:{kind:?}", to.0))
            }
            Self::Topology(t) => t
                .selectors
                .iter()
                .fold(format!("TC {}:", t.originator.0), |all, to| format!("{all} {}", to.0)),
        }
    }
}
