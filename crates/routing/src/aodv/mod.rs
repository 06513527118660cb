//! AODV: ad hoc on-demand distance vector routing (Perkins, Belding-Royer, Das, RFC 3561).
//!
//! A station without a route to a packet's destination floods a route request (RREQ), in an expanding ring. The
//! destination, or a station with a fresh enough route, sends a reply (RREP) back along the reverse route. A route
//! expires when it carries no packets. When a link breaks, the stations that use it get a route error (RERR).
//! Sequence numbers of destinations keep routes from looping.
//!
//! | parameter | RFC (section 10) | [`Config::ns2`] | meaning |
//! |---|---|---|---|
//! | `active_route_timeout` | 3 s | 10 s | time after which a route that carries no packets expires |
//! | `my_route_timeout` | 6 s | 10 s | lifetime that a destination puts into its RREP |
//! | `delete_period` | 15 s | 50 s | time after which an invalid route is removed |
//! | `node_traversal_time`, `timeout_buffer` | 40 ms, 2 | 30 ms, 0 | assumed time of one hop; hops added to the TTL when the wait is computed |
//! | `hop_time` | constant | measured | time of a hop from which the wait is computed; see below |
//! | `search_backoff` | binary | linear | growth of the wait between RREQs over the whole network |
//! | `repeat` | due | packet or tick | time at which an unanswered RREQ is repeated |
//! | `search_pause` | none | 10 s | pause after a failed search |
//! | `net_diameter` | 35 | 30 | most hops of an RREQ |
//! | `ttl_start`, `ttl_increment`, `ttl_threshold` | 1, 2, 7 | 30, 2, 8 | TTLs of the expanding ring; ns-2's first RREQ covers the whole network |
//! | `rreq_retries` | 2 | 3 | RREQs over the whole network after the first |
//! | `local_repair` | may | near the destination | station that searches for a new route after a link break |
//! | `blacklist` | yes | no | RREQs of a neighbour are ignored after an RREP to it was lost (section 6.8) |
//! | `salvage` | open | no | a source sends its undelivered packets over the next route |
//! | `hello` | may | off | link breaks are noticed without the MAC's help |
//! | `buffer`, `buffer_time` | open | 64, 30 s | most packets that wait for a route, and the longest wait |
//! | `jitter` | open | 10 ms | longest delay before an RREQ is forwarded, so that neighbours do not forward it simultaneously |
//!
//! ns-2 waits for a reply for twice the RREQ's TTL times the mean time of a hop. The second, third and fourth RREQ
//! over the whole network wait two, three and four times as long. The mean is over the last three answered searches
//! for that destination; before the first it is 30 ms. ns-2 repeats the RREQ when a packet comes, or at the next
//! multiple of 0.5 s. After the fourth RREQ over the whole network it pauses for 10 s. All this was read from traces
//! in which a packet came every 4 ms. With TTL 30 ns-2 waited 0.456 s after searches of 6.96 and 8.12 ms a hop (0.452
//! s by this rule). It waited 0.240 s after 3.02, 6.71 and 2.14 ms a hop (0.237 s by this rule), regardless of
//! earlier searches.
//!
//! Departures from the RFC prevent loops (van Glabbeek, Hoefner, Tan, Portmann, MSWiM 2013; Bhargavan, Obradovic,
//! Gunter, J. ACM 49, 2002). When a route expires, its destination sequence number is increased, as when it breaks. A
//! RERR never lowers a sequence number. No station has a route to itself. A station that gets a packet without having
//! a route sends a RERR to the neighbour that forwarded the packet, even if this neighbour is no precursor.
//!
//! Left out: multicast; RREP-ACK and its timer; the N flag of RERR; subnets; and the rules on reboots (section 6.13).
//! In place of RREP-ACK, a neighbour is blacklisted when the MAC gives up on an RREP to it. A link break is noticed
//! only when the MAC gives up on a data packet, or by missing hello messages (section 6.11).
//!
//! Validated by message sequences worked out by hand. In random networks with random losses, routes do not loop and
//! all packets are accounted for (`tests.rs`). TCP was run over chains of 1 to 6 hops at 2 and 11 Mb/s, with and
//! without RTS, with windows of 4 and 32. Its goodput is within 0.4 % of ns-2's at up to 2 hops, within 1.1 % with
//! window 4, and within 8.1 % with window 32, where routes break some 50 times in 100 s (docs/explanation/adhoc.md).

mod config;
mod discovery;
mod message;
mod node;
mod search;
#[cfg(test)]
mod tests;

pub use config::{Config, Hello, HopTime, LocalRepair, Repeat, SearchBackoff};
pub use node::Aodv;
