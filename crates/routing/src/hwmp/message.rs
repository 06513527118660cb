//! Messages of HWMP, with their lengths.

use crate::port::{self, Length};
use crate::table::Unreachable;
use base::Duration;
use radio::access::Station;

/// An HWMP message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Beacon,
    Peering(Peering),
    Request(Request),
    Reply(Reply),
    Error(Vec<Unreachable>),
}

/// A mesh peering frame (14.3.5 to 14.3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peering {
    Open,
    Confirm,
    Close,
}

/// PREQ (9.4.2.113).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// Hops left.
    pub ttl: u8,
    /// Hops from the originator; below their metric.
    pub hops: u8,
    pub metric: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub lifetime: Duration,
    /// Targets, with the last sequence numbers known; empty: the root's request to all.
    pub targets: Vec<(Station, Option<u32>)>,
    /// True if all stations answer the root.
    pub proactive_prep: bool,
}

/// PREP (9.4.2.114).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub ttl: u8,
    /// Hops from the target; below their metric.
    pub hops: u8,
    pub metric: u32,
    pub target: Station,
    pub target_seq: u32,
    /// Station whose request it answers.
    pub originator: Station,
    pub lifetime: Duration,
}

/// Header of a management frame with its FCS, bytes.
const MANAGEMENT: u32 = 28;
/// Category and action.
const ACTION: u32 = 2;
/// Elements: eight supported rates, a Mesh ID of four octets, Mesh Configuration.
const RATES: u32 = 10;
const MESH_ID: u32 = 6;
const MESH_CONFIGURATION: u32 = 9;

/// An action of the protocol's router.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Returns the length: clause 9.4.2 for elements, 9.3.3.3 for beacons, 9.6.16 for peering.
    fn length(&self) -> Length {
        let profile = RATES + MESH_ID + MESH_CONFIGURATION;
        let body = match self {
            // Timestamp, interval, capability, SSID without a name, TIM.
            Self::Beacon => 8 + 2 + 2 + 2 + 6 + profile,
            // Capability; Mesh Peering Management with the protocol and one's own link.
            Self::Peering(Peering::Open) => ACTION + 2 + profile + 6,
            // Capability, AID; the same with the peer's link.
            Self::Peering(Peering::Confirm) => ACTION + 2 + 2 + profile + 8,
            // The same with a reason.
            Self::Peering(Peering::Close) => ACTION + MESH_ID + 10,
            Self::Request(request) => ACTION + 28 + 11 * request.targets.len().max(1) as u32,
            Self::Reply(_) => ACTION + 33,
            Self::Error(unreachable) => ACTION + 4 + 13 * unreachable.len() as u32,
        };
        Length::Frame(MANAGEMENT + body)
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Beacon => "BEACON",
            Self::Peering(Peering::Open) => "OPEN",
            Self::Peering(Peering::Confirm) => "CONFIRM",
            Self::Peering(Peering::Close) => "CLOSE",
            Self::Request(_) => "PREQ",
            Self::Reply(_) => "PREP",
            Self::Error(_) => "PERR",
        }
    }

    fn is_beacon(&self) -> bool {
        matches!(self, Self::Beacon)
    }

    #[cfg(test)]
    fn describe(&self) -> String {
        match self {
            Self::Request(r) => {
                let targets: Vec<String> = r.targets.iter().map(|target| target.0.0.to_string()).collect();
                format!("PREQ {} metric {}", targets.join(" "), r.metric)
            }
            Self::Reply(r) => format!("PREP {} metric {}", r.target.0, r.metric),
            Self::Error(list) => {
                list.iter().fold("PERR".to_owned(), |all, u| format!("{all} {}", u.destination.0))
            }
            other => other.name().to_owned(),
        }
    }
}
