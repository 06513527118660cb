//! Mesh networks: HWMP, the hybrid wireless mesh protocol (IEEE Std 802.11-2016, 14.10), with the airtime link metric
//! (14.9) and mesh peering (14.3, 14.4).
//!
//! Stations find each other by beacons and become peers by a handshake. A station without a path to a packet's
//! destination floods a path request (PREQ). The PREQ sums the metrics of the links that it crosses; a station that
//! gets the PREQ again with a lower sum forwards it again. The target sends a reply (PREP) back along the best path.
//! When a link breaks, the stations that use it get a path error (PERR). A root, if there is one, periodically floods
//! proactive PREQs, so that all stations have a path to the root, and the root to all. Sequence numbers of stations
//! keep paths from looping, as AODV's do (`table`).
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
//! | `packet_failures` | 2 | open: packets in a row on which the MAC gives up before a link counts as broken; ns-3's value |
//! | `jitter` | 10 ms | open: longest delay before a PREQ is forwarded, so that neighbours do not forward it simultaneously |
//! | `buffer`, `salvage` | 64, yes | open: most packets that wait for a path; a source sends its undelivered packets over the next path |
//!
//! A data frame in a mesh has Address 4 and the Mesh Control field of 6 octets (9.2.4.7.3). It has QoS Control even
//! if the PHY's other data frames have none. A packet that enters or leaves the mesh at a gate adds addresses 5
//! and 6. Messages are Action frames of their own lengths. Messages to one neighbour, and the frames of the
//! handshake, are sent at the rate of data frames. If a beacon arrives too weak for data frames of its sender, no
//! peering is opened.
//!
//! Each station that forwards over a path extends the path's lifetime. The source of the path sends another PREQ
//! every `maintenance_interval`, so that a better path replaces a worse one.
//!
//! Left out: RANN; replies by intermediate stations (the Target Only subfield is 1, the default); gate
//! announcements and proxy updates (all stations know from the start at which station a packet leaves the mesh).
//! Also left out: group-addressed data, several channels, the synchronization, security and power save of meshes,
//! MCCA, congestion control, and the limit on the number of peers. A beacon contends like any other frame, and it
//! has no HT or VHT elements. Peers know each other's losses on their link without reports.
//!
//! Validated by message sequences and metrics worked by hand. In random networks with random losses, paths do not
//! loop and all packets are accounted for (`tests.rs`). Frame lengths and order on the air, and a chain of 1 to 6
//! hops against fixed routes, are tests of wifi (`crates/wifi/tests/it/routing.rs`).

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
