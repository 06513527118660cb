//! AODV: ad hoc on-demand distance vector routing (Perkins, Belding-Royer, Das, RFC 3561).
//!
//! A station that has a packet for another without a route to it floods a request (RREQ), in rings that grow. The destination,
//! or a station with a fresh enough route, answers along the way back (RREP). A route lives while it is used. When a link
//! breaks, whoever has routes over it is told (RERR). Sequence numbers of destinations keep routes from looping.
//!
//! | parameter | RFC (section 10) | [`Config::ns2`] | what it is |
//! |---|---|---|---|
//! | `active_route_timeout` | 3 s | 10 s | how long a route lives without use |
//! | `my_route_timeout` | 6 s | 10 s | how long a destination says that a route to it lives |
//! | `delete_period` | 15 s | 50 s | how long an invalid route is remembered |
//! | `node_traversal_time`, `timeout_buffer` | 40 ms, 2 | 30 ms, 0 | estimate of one hop's time; further hops that a ring allows for |
//! | `hop_time` | constant | measured | what a hop takes in waiting; see below |
//! | `search_backoff` | binary | linear | how the wait grows over the whole network |
//! | `repeat` | due | packet or tick | when a request is repeated |
//! | `search_pause` | none | 10 s | after a search that failed |
//! | `net_diameter` | 35 | 30 | hops that a request goes at most |
//! | `ttl_start`, `ttl_increment`, `ttl_threshold` | 1, 2, 7 | 30, 2, 8 | the rings; ns-2 asks the whole network first |
//! | `rreq_retries` | 2 | 3 | further attempts over the whole network |
//! | `local_repair` | may | near the destination | who looks for a new way where a link breaks |
//! | `blacklist` | yes | no | whether requests of a neighbour that a reply did not reach are ignored (section 6.8) |
//! | `salvage` | open | no | whether a source keeps what it could not send |
//! | `hello` | may | off | detection of links without the MAC's help |
//! | `buffer`, `buffer_time` | open | 64, 30 s | packets that wait for a route |
//! | `jitter` | open | 10 ms | before a request is passed on, so that neighbours do not all do it at once |
//!
//! ns-2 waits for twice the hops of the request, times the mean of what a hop took in the last three searches for that destination that were
//! answered (30 ms before the first), and for the whole network twice, three and four times that. It asks again when a packet
//! comes or a clock of half a second ticks. After the fourth request over the whole network it rests for 10 s. All this from its traces, where
//! packets came each 4 ms: over 30 hops 0.456 s after searches of 6.96 and 8.12 ms a hop (0.452), 0.240 s after 3.02, 6.71 and 2.14 ms
//! (0.237) whatever came before these three.
//!
//! Departures from the RFC, each for the sake of loops (van Glabbeek, Hoefner, Tan, Portmann, MSWiM 2013; Bhargavan,
//! Obradovic, Gunter, J. ACM 49, 2002): a route that expires has its destination's number increased as one that breaks; a RERR never
//! lowers a number; nobody has a route to itself. A packet that arrives at a station without a route sends a RERR
//! back to the neighbour that it came from, whether or not that is known as a precursor.
//!
//! Left out: multicast, RREP-ACK and its timer (it is the MAC's giving up of a RREP that blacklists the neighbour; a link
//! breaks only while data are sent, section 6.11), the N flag of RERR,
//! subnets, and what section 6.13 says about reboots. Validated: message sequences by hand, no loops and no packet lost from the books in
//! random networks with random losses (`tests.rs`); TCP over chains of 1 to 6 hops at 2 and 11 Mb/s, with and without RTS, windows of 4 and
//! 32: goodput within 0.4 % of ns-2's at up to 2 hops, within 1.1 % with window 4, within 8.1 % with window 32, where routes break some 50
//! times in 100 s (docs/explanation/adhoc.md).

mod config;
mod discovery;
mod message;
mod node;
mod search;
#[cfg(test)]
mod tests;

pub use config::{Config, Hello, HopTime, LocalRepair, Repeat, SearchBackoff};
pub use node::Aodv;
