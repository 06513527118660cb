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

/// RREQ (section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// TTL: hops that the RREQ may still go.
    pub ttl: u8,
    /// Hop count from the originator.
    pub hops: u8,
    /// RREQ ID; with the originator it identifies the RREQ.
    pub id: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub destination: Station,
    /// Last known sequence number of the destination; `None` is the U flag, unknown.
    pub destination_seq: Option<u32>,
    pub destination_only: bool,
    pub gratuitous: bool,
    /// Time at which the originator sent the RREQ; the RREP repeats it. ns-2 has this field, RFC 3561 does not. The
    /// field adds nothing to the length.
    pub asked: Instant,
}

/// RREP (section 5.2). In a hello message the originator and the destination are the sender.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    /// Hop count from the destination.
    pub hops: u8,
    pub destination: Station,
    pub destination_seq: u32,
    /// Originator of the RREQ that this RREP answers.
    pub originator: Station,
    pub lifetime: Duration,
    /// Time at which the answered RREQ was sent; in a hello message, the time of sending.
    pub asked: Instant,
}

/// Action of an AODV router.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Returns the length of the message, bytes of UDP payload (sections 5.1 to 5.3).
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
