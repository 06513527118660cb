//! Messages of AODV, with their lengths.

use crate::port::{self, Length};
use crate::table::Unreachable;
use base::{Duration, Instant};
use radio::access::Station;

/// An AODV message (section 5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Request(Request),
    Reply(Reply),
    Error(Vec<Unreachable>),
}

/// RREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// Hops left.
    pub ttl: u8,
    /// Hops from the originator.
    pub hops: u8,
    /// RREQ ID: the originator's number of the request.
    pub id: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub destination: Station,
    /// Last destination sequence number known; `None`: the U flag.
    pub destination_seq: Option<u32>,
    pub destination_only: bool,
    pub gratuitous: bool,
    /// Time at which the originator sent it, which the reply repeats: a field of ns-2's, not of the RFC's, without
    /// length.
    pub asked: Instant,
}

/// RREP; a hello message is one about its sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// Hops from the destination.
    pub hops: u8,
    pub destination: Station,
    pub destination_seq: u32,
    /// Station whose request it answers.
    pub originator: Station,
    pub lifetime: Duration,
    /// Time at which that request was sent; of a hello message, the time of sending.
    pub asked: Instant,
}

/// An action of the protocol's router.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Returns the length of sections 5.1 to 5.3.
    fn length(&self) -> Length {
        Length::Udp(match self {
            Self::Request(_) => 24,
            Self::Reply(_) => 20,
            Self::Error(unreachable) => 4 + 8 * unreachable.len() as u32,
        })
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Request(_) => "RREQ",
            Self::Reply(_) => "RREP",
            Self::Error(_) => "RERR",
        }
    }

    #[cfg(test)]
    fn describe(&self) -> String {
        match self {
            Self::Request(r) => format!("RREQ {} ttl {}", r.destination.0, r.ttl),
            Self::Reply(r) => format!("RREP {} hops {}", r.destination.0, r.hops),
            Self::Error(list) => {
                list.iter().fold("RERR".to_owned(), |all, u| format!("{all} {}", u.destination.0))
            }
        }
    }
}
