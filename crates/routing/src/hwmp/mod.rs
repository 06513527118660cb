//! Mesh networks: HWMP, the hybrid wireless mesh protocol (IEEE Std 802.11-2016, 14.10), with the airtime link metric (14.9) and
//! mesh peering (14.3, 14.4).
//!
//! Stations find each other by beacons and become peers by a handshake. A station that has a packet for another, but no path to
//! it, floods a path request (PREQ). The request adds up the metric of the links that it comes over; a station that gets it on a
//! better path than before passes it on again. The target answers along the way back (PREP). When a link breaks, the stations
//! with paths over it are told (PERR). A root, if there is one, floods requests for all stations at intervals, so that all have a
//! path to it, and it to all. Sequence numbers of stations keep paths from looping, as AODV's do (`table`).
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
//! | `packet_failures` | 2 | open: packets given up by the MAC in a row after which a link counts as broken; ns-3's number |
//! | `jitter` | 10 ms | open: before a request is passed on, so that neighbours do not all do it at once |
//! | `buffer`, `salvage` | 64, yes | open: packets that wait for a path; a source keeps packets that it could not send |
//!
//! On the air a packet has more than the header of other data frames: Address 4, the Mesh Control field of 6 octets (9.2.4.7.3),
//! and QoS Control if the standard has none of its own. A packet that enters or leaves the mesh at a gate has addresses 5 and 6.
//! Messages are Action frames of their own lengths; those to one neighbour go at the rate of data, and so does the handshake.
//! A beacon that comes too weak for data of its sender makes no peer.
//!
//! A path in use is refreshed by each station that forwards over it, and its source asks again at `maintenance_interval`, so that a
//! better path replaces a worse one.
//!
//! Left out: RANN; replies by stations on the way (the target alone answers, TO = 1, the default); gate announcements and proxy
//! updates (all stations know from the start at which station a packet leaves the mesh). Likewise group-addressed data, several
//! channels, the synchronization, security and power save of meshes, MCCA, congestion control, and the limit on the number of
//! peers. A beacon contends as any frame, and elements of HT and VHT are not in it. Peers know each other's losses on their link
//! without reports.
//!
//! Validated by message sequences and metrics worked by hand. In random networks with random losses, paths do not loop and all
//! packets are accounted for (`tests.rs`). Frame lengths and order on the air, and a chain of 1 to 6 hops against fixed routes, are
//! tests of wifi (`crates/wifi/tests/it/routing.rs`).

mod config;
mod discovery;
mod message;
mod metric;
mod node;
mod peering;
mod search;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use node::Hwmp;
