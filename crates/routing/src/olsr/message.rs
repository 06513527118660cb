//! Messages of OLSR, with their lengths.

use crate::port::{self, Length};
use radio::access::Station;

/// A message (section 3.3). A packet carries one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Hello(Vec<(Station, Link)>),
    Topology(Topology),
}

/// What a station says of its link to a neighbour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Link {
    /// It hears the neighbour.
    Asymmetric,
    /// Both hear each other.
    Symmetric,
    /// Both hear each other, and the neighbour is its relay.
    Relay,
    /// It hears the neighbour no more.
    Lost,
}

/// TC: who has picked the originator as a relay.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Topology {
    pub originator: Station,
    /// The message's number.
    pub number: u16,
    /// Hops that it still goes.
    pub ttl: u8,
    /// ANSN: the number of the set of those who picked it.
    pub ansn: u16,
    pub selectors: Vec<Station>,
}

/// An action of the protocol's router.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Sections 3.3, 6.1, 9.1.
    fn length(&self) -> Length {
        // Headers of the packet and of the message.
        const HEADERS: u32 = 4 + 12;
        let body = match self {
            Self::Hello(links) => {
                let mut kinds: Vec<Link> = links.iter().map(|link| link.1).collect();
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
