//! What routing protocols send each other, with its length.

use super::aodv::message as aodv;
use super::dsdv::message as dsdv;
use super::hwmp::message as hwmp;
use super::olsr::message as olsr;

/// UDP and IP headers, bytes: AODV, DSDV and OLSR run over UDP.
const HEADERS: u32 = 28;

/// A message of a routing protocol.
#[derive(Clone, PartialEq, Debug)]
#[expect(private_interfaces, missing_docs)]
pub enum Message {
    Aodv(aodv::Message),
    Dsdv(dsdv::Update),
    Olsr(olsr::Message),
    Hwmp(hwmp::Message),
}

impl Message {
    /// Length of what carries it inside a data frame whose header and FCS have `header` bytes: of an IP packet, or of as much as
    /// makes the frame as long as the management frame that it is.
    pub fn bytes(&self, header: u32) -> u32 {
        HEADERS
            + match self {
                Self::Aodv(message) => message.bytes(),
                Self::Dsdv(update) => update.bytes(),
                Self::Olsr(message) => message.bytes(),
                Self::Hwmp(message) => return message.frame_bytes().saturating_sub(header),
            }
    }

    /// Whether it is a beacon, by which neighbours find each other.
    pub const fn is_beacon(&self) -> bool {
        matches!(self, Self::Hwmp(hwmp::Message::Beacon))
    }

    /// Its name in the protocol's words.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Aodv(message) => message.name(),
            Self::Dsdv(_) => "DSDV",
            Self::Olsr(message) => message.name(),
            Self::Hwmp(message) => message.name(),
        }
    }
}
