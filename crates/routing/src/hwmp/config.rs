//! Settings of HWMP.

use crate::station_ref::StationRef;
use crate::times::{NOT_ZERO, TIMES};
use base::Duration;
use radio::access::Station;
use settings::Settings;

/// Returns `count` time units of 1024 us.
const fn tu(count: u64) -> Duration {
    Duration::from_us(1024 * count)
}

/// HWMP, and the mesh around it. Default times are the standard's, in time units (TU) of 1024 us.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Lifetime of a path without use (dot11MeshHWMPactivePathTimeout).
    #[setting(default = tu(5000), range = NOT_ZERO)]
    pub active_path_timeout: Duration,
    /// Lifetime of a path that the root's requests made (dot11MeshHWMPactivePathToRootTimeout).
    #[setting(default = tu(5000), range = NOT_ZERO)]
    pub active_path_to_root_timeout: Duration,
    /// Half of the time that the first request waits for a reply (dot11MeshHWMPnetDiameterTraversalTime); the next waits twice as long.
    #[setting(default = tu(500), range = NOT_ZERO)]
    pub net_diameter_traversal_time: Duration,
    /// Further requests after the first (dot11MeshHWMPmaxPREQretries).
    #[setting(default = 3)]
    pub max_preq_retries: u32,
    /// Least time between two requests of a station (dot11MeshHWMPpreqMinInterval).
    #[setting(default = tu(100), range = TIMES)]
    pub preq_min_interval: Duration,
    /// Least time between two error messages of a station (dot11MeshHWMPperrMinInterval).
    #[setting(default = tu(100), range = TIMES)]
    pub perr_min_interval: Duration,
    /// Time after which a source asks again for a path that it has (dot11MeshHWMPmaintenanceInterval).
    #[setting(default = tu(2000), range = NOT_ZERO)]
    pub maintenance_interval: Duration,
    /// Hops that packets and messages go at most (dot11MeshTTL).
    #[setting(default = 31, range = 1..=u8::MAX)]
    pub ttl: u8,
    /// Time between its requests to all (dot11MeshHWMProotInterval).
    #[setting(default = tu(2000), range = NOT_ZERO)]
    pub root_interval: Duration,
    /// Let all stations answer them, so that the root has a path to each (dot11MeshHWMProotMode); false: it has those
    /// that it asks for, or that others ask it for.
    #[setting(default = true)]
    pub proactive_prep: bool,
    /// Time between two beacons of a station.
    #[setting(default = tu(1000), range = NOT_ZERO, source = "Linux")]
    pub beacon_interval: Duration,
    /// A peer that is silent for so many of them is gone.
    #[setting(default = 10, range = 1..=u64::MAX)]
    pub missed_beacons: u64,
    /// Further attempts to become peers after the first (dot11MeshMaxRetries).
    #[setting(default = 2)]
    pub peering_retries: u32,
    /// Wait of each attempt for its answer (dot11MeshRetryTimeout), and after a failure the pause before the
    /// next.
    #[setting(default = tu(40), range = NOT_ZERO)]
    pub peering_timeout: Duration,
    /// Packets that the MAC gives up in a row until a link counts as broken; those before are lost.
    #[setting(default = 2, range = 1..=u32::MAX, source = "ns-3")]
    pub packet_failures: u32,
    /// Time after which frames lost on a link count half in its metric.
    #[setting(default = Duration::from_secs(5), range = NOT_ZERO)]
    pub loss_memory: Duration,
    /// Let a source keep packets that it could not send for the next path; false: they are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Packets that wait for a path at most; the oldest makes room.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Up to this long, drawn uniformly, a request waits before it is passed on.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub jitter: Duration,
    /// The station that keeps paths between itself and all others.
    #[setting(absent = "none")]
    pub root: Option<StationRef>,
    /// Mesh gates: packets that enter or leave the mesh at one carry six addresses.
    #[setting(absent = "every station that is on a link or in another 802.11 network too")]
    pub gates: Option<Vec<StationRef>>,
}

impl Config {
    /// Returns the root, if there is one.
    pub(super) fn root(&self) -> Option<Station> {
        self.root.as_ref().and_then(StationRef::station)
    }

    /// Returns the MAC header bytes of a mesh beyond those of other data frames (9.2.4.7.3, 9.3.2.1).
    pub(crate) fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        let at = |gate: &StationRef| gate.station().is_some_and(|gate| gate == from || gate == to);
        let proxied = self.gates.iter().flatten().any(at);
        ADDRESS + MESH_CONTROL + if qos { 0 } else { QOS_CONTROL } + if proxied { 2 * ADDRESS } else { 0 }
    }
}

const ADDRESS: u8 = 6;
/// Mesh Control field: flags, TTL, sequence number.
const MESH_CONTROL: u8 = 6;
const QOS_CONTROL: u8 = 2;
