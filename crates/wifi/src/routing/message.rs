//! What routing protocols send each other, with its length.

use super::{aodv, dsdv, olsr};

/// UDP and IP headers, bytes: routing protocols run over UDP.
const HEADERS: u32 = 28;

/// A message of a routing protocol.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Message {
    Aodv(aodv::Message),
    Dsdv(dsdv::Update),
    Olsr(olsr::Message),
}

impl Message {
    /// Length of the IP packet that carries it, bytes.
    pub fn bytes(&self) -> u32 {
        HEADERS
            + match self {
                Self::Aodv(message) => message.bytes(),
                Self::Dsdv(update) => update.bytes(),
                Self::Olsr(message) => message.bytes(),
            }
    }

    /// Its name in the protocol's words.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Aodv(message) => message.name(),
            Self::Dsdv(_) => "DSDV",
            Self::Olsr(message) => message.name(),
        }
    }
}
