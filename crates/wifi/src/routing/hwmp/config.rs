//! Parameters of HWMP.

use crate::error::{ConfigError, need, need_time};
use base::Duration;
use radio::access::Station;

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
    pub(crate) fn check(&self, stations: usize) -> Result<(), ConfigError> {
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
    pub(crate) fn overhead(&self, from: Station, to: Station, qos: bool) -> u8 {
        let proxied = self.gates.iter().any(|gate| *gate == from || *gate == to);
        ADDRESS + MESH_CONTROL + if qos { 0 } else { QOS_CONTROL } + if proxied { 2 * ADDRESS } else { 0 }
    }
}

const ADDRESS: u8 = 6;
/// Flags, TTL, sequence number.
const MESH_CONTROL: u8 = 6;
const QOS_CONTROL: u8 = 2;
