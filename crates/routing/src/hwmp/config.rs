//! Settings of HWMP.

use crate::station_ref::StationRef;
use crate::times::{INTERVALS, TIMES};
use base::Duration;
use radio::access::Station;
use settings::Settings;

/// Returns `count` time units of 1024 us.
const fn tu(count: u64) -> Duration {
    Duration::from_us(1024 * count)
}

/// Settings of HWMP and of mesh peering. The standard gives times in time units (TU) of 1024 us.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// Time after which a path that carries no packets expires (dot11MeshHWMPactivePathTimeout).
    #[setting(default = tu(5000), range = INTERVALS)]
    pub active_path_timeout: Duration,
    /// Lifetime of a path that the root's proactive PREQs set up (dot11MeshHWMPactivePathToRootTimeout).
    #[setting(default = tu(5000), range = INTERVALS)]
    pub active_path_to_root_timeout: Duration,
    /// Half of the wait for a PREP to the first PREQ; each further PREQ waits twice as long
    /// (dot11MeshHWMPnetDiameterTraversalTime).
    #[setting(default = tu(500), range = INTERVALS)]
    pub net_diameter_traversal_time: Duration,
    /// PREQs of a search after the first one (dot11MeshHWMPmaxPREQretries).
    #[setting(default = 3)]
    pub max_preq_retries: u32,
    /// Least time between two PREQs that a station originates (dot11MeshHWMPpreqMinInterval).
    #[setting(default = tu(100), range = TIMES)]
    pub preq_min_interval: Duration,
    /// Least time between two PERRs of a station (dot11MeshHWMPperrMinInterval).
    #[setting(default = tu(100), range = TIMES)]
    pub perr_min_interval: Duration,
    /// Time after which a source sends another PREQ for a path in use, to find a better one
    /// (dot11MeshHWMPmaintenanceInterval).
    #[setting(default = tu(2000), range = INTERVALS)]
    pub maintenance_interval: Duration,
    /// Most hops of a packet or a message (dot11MeshTTL).
    #[setting(default = 31, range = 1..=u8::MAX)]
    pub ttl: u8,
    /// Time between two proactive PREQs of the root (dot11MeshHWMProotInterval).
    #[setting(default = tu(2000), range = INTERVALS)]
    pub root_interval: Duration,
    /// Let all stations answer the root's proactive PREQs, so that the root has a path to each station
    /// (dot11MeshHWMProotMode). If false, the root has only paths for which it or other stations searched.
    #[setting(default = true)]
    pub proactive_prep: bool,
    /// Time between two beacons of a station.
    #[setting(default = tu(1000), range = INTERVALS, source = "Linux")]
    pub beacon_interval: Duration,
    /// Beacon intervals without any frame of a peer after which the peering ends.
    #[setting(default = 10, range = 1..=u64::MAX)]
    pub missed_beacons: u64,
    /// Repetitions of an unanswered Mesh Peering Open (dot11MeshMaxRetries).
    #[setting(default = 2)]
    pub peering_retries: u32,
    /// Wait for the answer to a Mesh Peering Open (dot11MeshRetryTimeout); after a failure, also the pause before the
    /// next attempt.
    #[setting(default = tu(40), range = INTERVALS)]
    pub peering_timeout: Duration,
    /// Packets in a row on which the MAC gives up before the link counts as broken. Earlier packets of that row are
    /// lost.
    #[setting(default = 2, range = 1..=u32::MAX, source = "ns-3")]
    pub packet_failures: u32,
    /// Half-life of the counts of frames from which the metric estimates a link's frame error rate.
    #[setting(default = Duration::from_secs(5), range = INTERVALS)]
    pub loss_memory: Duration,
    /// After a link break, let a source keep its undelivered packets and send them over the next path; false: they
    /// are lost.
    #[setting(default = true)]
    pub salvage: bool,
    /// Most packets of a station that wait for a path; when one more comes, the oldest is dropped.
    #[setting(default = 64, range = 1..=u32::MAX)]
    pub buffer: u32,
    /// Longest delay before a PREQ is forwarded; the delay is drawn uniformly from 0 to this.
    #[setting(default = Duration::from_ms(10), range = TIMES)]
    pub jitter: Duration,
    /// Root mesh station, which keeps paths between itself and all other stations.
    #[setting(absent = "none")]
    pub root: Option<StationRef>,
    /// Mesh gates. A data frame whose packet enters or leaves the mesh at a gate has six addresses.
    #[setting(absent = "every station that is also on a link or in another 802.11 network")]
    pub gates: Option<Vec<StationRef>>,
}

impl Config {
    /// Returns the station of the root; `None` if the mesh has no root.
    pub(super) fn root(&self) -> Option<Station> {
        self.root.as_ref().and_then(StationRef::station)
    }

    /// Returns the number of bytes by which a data frame's MAC header is longer in a mesh than in other
    /// networks (9.2.4.7.3, 9.3.2.1). If `qos` is true, it has QoS Control in other networks, too.
    pub(crate) fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        let at = |gate: &StationRef| gate.station().is_some_and(|gate| gate == from || gate == to);
        let proxied = self.gates.iter().flatten().any(at);
        ADDRESS + MESH_CONTROL + if qos { 0 } else { QOS_CONTROL } + if proxied { 2 * ADDRESS } else { 0 }
    }
}

const ADDRESS: u8 = 6;
/// Mesh Control field without addresses: flags, TTL, sequence number; bytes.
const MESH_CONTROL: u8 = 6;
const QOS_CONTROL: u8 = 2;
