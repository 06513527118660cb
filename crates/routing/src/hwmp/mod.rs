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
//! losses (`tests.rs`); frame lengths and order on the air, and a chain of 1 to 6 hops against fixed routes (`tests/it/mesh.rs`).

mod config;
mod discovery;
mod link;
mod message;
mod node;
mod peering;
mod search;
#[cfg(test)]
mod tests;

pub use config::Config;
pub use node::Hwmp;
