//! Mesh networks: HWMP, the hybrid wireless mesh protocol (IEEE Std 802.11-2016, 14.10), with the airtime link metric (14.9) and
//! mesh peering (14.3, 14.4).
//!
//! Stations find each other by beacons and become peers by a handshake. One that has a packet for another without a path to it
//! floods a path request (PREQ), which adds up the metric of the links that it comes over; who gets it on a better way than
//! before passes it on again. The target answers along the way back (PREP). When a link breaks, whoever has paths over it is told
//! (PERR). A root, if there is one, floods requests for everybody at intervals, so that all have a path to it, and it to
//! all. Sequence numbers of stations keep paths from looping, as AODV's do (`routing::table`).
//!
//! | parameter | default | the standard's name |
//! |---|---|---|
//! | `active_path_timeout` | 5000 TU | dot11MeshHWMPactivePathTimeout |
//! | `active_path_to_root_timeout` | 5000 TU | dot11MeshHWMPactivePathToRootTimeout |
//! | `net_diameter_traversal_time` | 500 TU | dot11MeshHWMPnetDiameterTraversalTime |
//! | `max_preq_retries` | 3 | dot11MeshHWMPmaxPREQretries |
//! | `preq_min_interval` | 100 TU | dot11MeshHWMPpreqMinInterval |
//! | `perr_min_interval` | 100 TU | dot11MeshHWMPperrMinInterval |
//! | `maintenance_interval` | 2000 TU | dot11MeshHWMPmaintenanceInterval |
//! | `root_interval` | 2000 TU | dot11MeshHWMProotInterval |
//! | `ttl` | 31 | dot11MeshTTL, and dot11MeshHWMPnetDiameter for messages |
//! | `peering_retries`, `peering_timeout` | 2, 40 TU | dot11MeshMaxRetries; RetryTimeout, ConfirmTimeout, HoldingTimeout |
//! | `beacon_interval`, `missed_beacons` | 1000 TU, 10 | open in the standard; Linux's interval |
//! | `loss_memory` | 5 s | open: the estimate of e_f is a local matter (14.9) |
//! | `packet_failures` | 2 | open: packets that the MAC gives up in a row until a link counts as broken; ns-3's number |
//! | `jitter` | 10 ms | open: before a request is passed on, so that neighbours do not all do it at once |
//! | `buffer`, `salvage` | 64, yes | open: packets that wait for a path; whether a source keeps what it could not send |
//!
//! On the air a packet has, beyond the header of other data frames, Address 4 and the Mesh Control field of 6 octets (9.2.4.7.3),
//! QoS Control where the standard has none of its own, and addresses 5 and 6 where it enters or leaves the mesh at a gate.
//! Messages are Action frames of their own lengths; those to one neighbour go at the rate of data, and so does the handshake.
//! A beacon that comes too weak for data of its sender makes no peer.
//!
//! A path in use is refreshed by whoever forwards over it, and its source asks again at `maintenance_interval`, by which a
//! better path replaces a worse one.
//!
//! Left out: RANN, replies by stations on the way (the target alone answers, TO = 1, the default), gate announcements and
//! proxy updates (everybody knows from the start which station a packet leaves the mesh at), group-addressed data, several
//! channels, the synchronization, security and power save of meshes, MCCA, congestion control, the limit on the number of
//! peers. A beacon contends as any frame, and elements of HT and VHT are not in it. Peers know each other's losses on their link without
//! reports.
//!
//! Validated: message sequences and metrics by hand, no loops and no packet lost from the books in random networks with random
//! losses (`tests.rs`); frame lengths and order on the air, and a chain of 1 to 6 hops against fixed routes (`tests/mesh.rs`).

mod discovery;
mod link;
mod node;
mod peering;
#[cfg(test)]
mod tests;

use super::table::Unreachable;
use super::{need, need_time};
use crate::config::ConfigError;
use base::Duration;
use radio::access::Station;

pub(crate) use node::Hwmp;

/// A time unit: 1024 us.
const TU: Duration = Duration::from_us(1024);

/// Parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// How long a path lives without use.
    pub active_path_timeout: Duration,
    /// How long a path that the root's requests made lives.
    pub active_path_to_root_timeout: Duration,
    /// Estimate of how long a message takes across the network: a request waits twice as long for its reply, and then twice
    /// that for the next.
    pub net_diameter_traversal_time: Duration,
    /// Further requests after the first.
    pub max_preq_retries: u32,
    /// Least time between two requests of a station.
    pub preq_min_interval: Duration,
    /// Least time between two error messages of a station.
    pub perr_min_interval: Duration,
    /// Time after which the source of packets asks again for a path that it has.
    pub maintenance_interval: Duration,
    /// Hops that packets and messages go at most.
    pub ttl: u8,
    /// The root; `None`: there is none.
    pub root: Option<Station>,
    /// Time between two requests of the root to all.
    pub root_interval: Duration,
    /// Whether all answer the root's requests, so that it has paths to all; else it has those that it asks for, or that others
    /// ask it for.
    pub proactive_prep: bool,
    /// Stations with a wired side: what enters or leaves the mesh there has six addresses.
    pub gates: Vec<Station>,
    /// Time between two beacons of a station.
    pub beacon_interval: Duration,
    /// A peer that is silent for so many intervals is gone.
    pub missed_beacons: u64,
    /// Further attempts at a handshake after the first.
    pub peering_retries: u32,
    /// How long an attempt waits for its answer, and how long a failed one is not tried again.
    pub peering_timeout: Duration,
    /// After this time what is known of frames lost on a link counts half.
    pub loss_memory: Duration,
    /// Packets that the MAC gives up in a row until a link counts as broken; those before are lost.
    pub packet_failures: u32,
    /// Whether a source keeps what it could not send for the next path, or counts it as lost.
    pub salvage: bool,
    /// Packets that wait for a path at most; the oldest makes room.
    pub buffer: usize,
    /// Up to this long, drawn uniformly, a request waits before it is passed on.
    pub jitter: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            active_path_timeout: TU * 5000,
            active_path_to_root_timeout: TU * 5000,
            net_diameter_traversal_time: TU * 500,
            max_preq_retries: 3,
            preq_min_interval: TU * 100,
            perr_min_interval: TU * 100,
            maintenance_interval: TU * 2000,
            ttl: 31,
            root: None,
            root_interval: TU * 2000,
            proactive_prep: true,
            gates: Vec::new(),
            beacon_interval: TU * 1000,
            missed_beacons: 10,
            peering_retries: 2,
            peering_timeout: TU * 40,
            loss_memory: Duration::from_secs(5),
            packet_failures: 2,
            salvage: true,
            buffer: 64,
            jitter: Duration::from_ms(10),
        }
    }
}

impl Config {
    pub(super) fn check(&self, stations: usize) -> Result<(), ConfigError> {
        for (field, time) in [
            ("routing.active_path_timeout", self.active_path_timeout),
            ("routing.active_path_to_root_timeout", self.active_path_to_root_timeout),
            ("routing.net_diameter_traversal_time", self.net_diameter_traversal_time),
            ("routing.maintenance_interval", self.maintenance_interval),
            ("routing.root_interval", self.root_interval),
            ("routing.beacon_interval", self.beacon_interval),
            ("routing.peering_timeout", self.peering_timeout),
            ("routing.loss_memory", self.loss_memory),
        ] {
            need_time(field, time)?;
        }
        need("routing.ttl", self.ttl > 0, "at least 1")?;
        need("routing.missed_beacons", self.missed_beacons > 0, "at least 1")?;
        need("routing.packet_failures", self.packet_failures > 0, "at least 1")?;
        need("routing.buffer", self.buffer > 0, "at least 1")?;
        let there = |station: &Station| station.index() < stations;
        need("routing.root", self.root.as_ref().is_none_or(there), "a station of the network")?;
        need("routing.gates", self.gates.iter().all(there), "stations of the network")
    }

    /// What a packet from one station to another has on the air beyond the header of other data frames, bytes (9.2.4.7.3, 9.3.2.1).
    pub(super) fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        let proxied = self.gates.iter().any(|gate| *gate == from || *gate == to);
        ADDRESS + MESH_CONTROL + if qos { 0 } else { QOS_CONTROL } + if proxied { 2 * ADDRESS } else { 0 }
    }
}

const ADDRESS: u8 = 6;
/// Flags, TTL, sequence number.
const MESH_CONTROL: u8 = 6;
const QOS_CONTROL: u8 = 2;

/// A message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Message {
    Beacon,
    Peering(Peering),
    Request(Request),
    Reply(Reply),
    Error(Vec<Unreachable>),
}

/// A frame of the handshake of peers (14.3.5 to 14.3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Peering {
    Open,
    Confirm,
    Close,
}

/// PREQ (9.4.2.113).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// Hops that it still goes.
    pub ttl: u8,
    /// Hops that it has come, and what they cost.
    pub hops: u8,
    pub metric: u32,
    pub originator: Station,
    pub originator_seq: u32,
    pub lifetime: Duration,
    /// Stations asked for, with the last numbers known; none: the root's request to all.
    pub targets: Vec<(Station, Option<u32>)>,
    /// Whether all answer the root.
    pub proactive_prep: bool,
}

/// PREP (9.4.2.114).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub ttl: u8,
    /// Hops from the target, and what they cost.
    pub hops: u8,
    pub metric: u32,
    pub target: Station,
    pub target_seq: u32,
    /// Whom it is for.
    pub originator: Station,
    pub lifetime: Duration,
}

/// Header of a management frame with its FCS, bytes.
const MANAGEMENT: u32 = 28;
/// Category and action.
const ACTION: u32 = 2;
/// Supported rates: eight of them. Mesh ID: of four octets. Mesh Configuration.
const RATES: u32 = 10;
const MESH_ID: u32 = 6;
const MESH_CONFIGURATION: u32 = 9;

impl Message {
    /// Length of the frame that carries it, header and FCS included, bytes: clause 9.4.2 for elements, 9.3.3.3 for beacons, 9.6.16
    /// for peering.
    pub fn frame_bytes(&self) -> u32 {
        let profile = RATES + MESH_ID + MESH_CONFIGURATION;
        MANAGEMENT
            + match self {
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
            }
    }

    /// Its name in the standard.
    pub const fn name(&self) -> &'static str {
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
}
