//! QUIC stacks that ship, in simulated time: quinn-proto 0.11 (MIT or Apache-2.0), which does no input or output itself.
//!
//! Two endpoints of it carry one stream of bytes from a client to a server, with its own handshake (TLS 1.3), packets, loss
//! recovery and congestion control. They are handed `now` and each other's datagrams, and say what they send and when to call them.
//!
//! What they draw (connection ids, transport parameters, tokens, packet numbers that are skipped) comes from the stream that is handed
//! in. TLS draws its keys itself. They have fixed sizes (X25519, Ed25519), so that no size, time or count depends on them.
//!
//! Left out: quinn's own BBR. `quinn_proto::congestion::Bbr` seeds its gain cycle from the operating system and takes no other seed, so
//! that equal seeds would not give equal runs. Also 0-RTT, migration, more than one stream, and datagrams (RFC 9221).
//!
//! Not in here: the network between them. Nothing of this crate knows links or flows.
#![deny(missing_docs)]

mod clock;
mod end;
mod tls;
mod transfer;

pub use end::Datagram;
pub use transfer::{Side, Transfer};

use std::sync::Arc;

/// A congestion control of quinn-proto.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Control {
    /// Its New Reno (RFC 9002, section 7).
    NewReno,
    /// Its CUBIC (RFC 8312).
    Cubic,
}

impl Control {
    /// Every one of them.
    pub const ALL: [Self; 2] = [Self::NewReno, Self::Cubic];

    /// Its name as a variant.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewReno => "quinn-newreno",
            Self::Cubic => "quinn-cubic",
        }
    }

    fn factory(self) -> Arc<dyn quinn_proto::congestion::ControllerFactory + Send + Sync> {
        match self {
            Self::NewReno => Arc::new(quinn_proto::congestion::NewRenoConfig::default()),
            Self::Cubic => Arc::new(quinn_proto::congestion::CubicConfig::default()),
        }
    }
}
