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
    /// TTL: hops that the PREQ may still go.
    pub ttl: u8,
    /// Hop count from the originator; `metric` is the sum of the metrics of these links.
    pub hops: u8,
    pub metric: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub lifetime: Duration,
    /// Targets, each with its last known sequence number; empty in the root's proactive PREQ.
    pub targets: Vec<(Station, Option<u32>)>,
    /// True if all stations answer a proactive PREQ.
    pub proactive_prep: bool,
}

/// PREP (9.4.2.114).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub ttl: u8,
    /// Hop count from the target; `metric` is the sum of the metrics of these links.
    pub hops: u8,
    pub metric: u32,
    pub target: Station,
    pub target_seq: u32,
    /// Originator of the PREQ that this PREP answers.
    pub originator: Station,
    pub lifetime: Duration,
}

/// Header and FCS of a management frame, bytes.
const MANAGEMENT: u32 = 28;
/// Category and Mesh Action (or Self-protected Action) fields, bytes.
const ACTION: u32 = 2;
/// Lengths of elements, bytes: Supported Rates with eight rates, Mesh ID of four octets, Mesh Configuration.
const RATES: u32 = 10;
const MESH_ID: u32 = 6;
const MESH_CONFIGURATION: u32 = 9;

/// Instruction of an HWMP router to its station: send an HWMP message, or forward, deliver or drop a datagram.
pub(crate) type Action = port::Action<Message>;

impl port::Message for Message {
    /// Returns the length of the management frame (elements: 9.4.2; beacon: 9.3.3.3; peering: 9.6.16).
    fn length(&self) -> Length {
        let profile = RATES + MESH_ID + MESH_CONFIGURATION;
        let body = match self {
            // The bytes are those of timestamp, beacon interval, capability, an SSID element without a name,
            // TIM and the profile's elements.
            Self::Beacon => 8 + 2 + 2 + 2 + 6 + profile,
            // Besides the profile: capability, and a Mesh Peering Management element with Mesh Peering
            // Protocol and Local Link ID.
            Self::Peering(Peering::Open) => ACTION + 2 + profile + 6,
            // Besides the profile: capability and AID, and the element of an Open with the Peer Link ID as
            // well.
            Self::Peering(Peering::Confirm) => ACTION + 2 + 2 + profile + 8,
            // Besides the mesh ID: the element of a Confirm with a Reason Code as well.
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
