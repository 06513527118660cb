//! AODV: ad hoc on-demand distance vector routing (Perkins, Belding-Royer, Das, RFC 3561).
//!
//! A station that has a packet for another without a route to it floods a request (RREQ), in rings that grow. The destination,
//! or a station with a fresh enough route, answers along the way back (RREP). A route lives while it is used. When a link
//! breaks, the stations with routes over it are told (RERR). Sequence numbers of destinations keep routes from looping.
//!
//! | parameter | RFC (section 10) | [`Config::ns2`] | meaning |
//! |---|---|---|---|
//! | `active_route_timeout` | 3 s | 10 s | lifetime of a route without use |
//! | `my_route_timeout` | 6 s | 10 s | lifetime of a route that its destination announces |
//! | `delete_period` | 15 s | 50 s | time for which an invalid route is remembered |
//! | `node_traversal_time`, `timeout_buffer` | 40 ms, 2 | 30 ms, 0 | estimate of one hop's time; further hops that a ring allows for |
//! | `hop_time` | constant | measured | time of a hop in waiting; see below |
//! | `search_backoff` | binary | linear | growth of the wait over the whole network |
//! | `repeat` | due | packet or tick | time at which a request is repeated |
//! | `search_pause` | none | 10 s | pause after a failed search |
//! | `net_diameter` | 35 | 30 | most hops of a request |
//! | `ttl_start`, `ttl_increment`, `ttl_threshold` | 1, 2, 7 | 30, 2, 8 | the rings; ns-2 asks the whole network first |
//! | `rreq_retries` | 2 | 3 | further attempts over the whole network |
//! | `local_repair` | may | near the destination | station that searches a new route after a link has broken |
//! | `blacklist` | yes | no | requests of a neighbour that a reply did not reach are ignored (section 6.8) |
//! | `salvage` | open | no | a source keeps packets that it could not send |
//! | `hello` | may | off | detection of links without the MAC's help |
//! | `buffer`, `buffer_time` | open | 64, 30 s | packets that wait for a route |
//! | `jitter` | open | 10 ms | before a request is passed on, so that neighbours do not all do it at once |
//!
//! ns-2 waits for twice the hops of the request, times the mean time of a hop; for the whole network it waits twice, three and four
//! times that. The mean is over the last three answered searches for that destination; before the first it is 30 ms. ns-2 asks
//! again when a packet comes or a clock of half a second ticks. After the fourth request over the whole network it rests for 10 s.
//! All this is from its traces, in which packets came each 4 ms. Over 30 hops it waited 0.456 s after searches of 6.96 and 8.12 ms
//! a hop (0.452 expected). It waited 0.240 s after 3.02, 6.71 and 2.14 ms (0.237 expected), regardless of the searches before.
//!
//! Departures from the RFC prevent loops (van Glabbeek, Hoefner, Tan, Portmann, MSWiM 2013; Bhargavan, Obradovic,
//! Gunter, J. ACM 49, 2002). A route that expires has its destination's number increased, like one that breaks; a RERR
//! never lowers a number; no station has a route to itself. If a packet arrives at a station without a route, the
//! station sends a RERR back to the neighbour that it came from, known as a precursor or not.
//!
//! Left out: multicast; RREP-ACK and its timer; the N flag of RERR; subnets; and the rules on reboots (section 6.13). In place of
//! RREP-ACK, a neighbour is blacklisted when the MAC gives up on a RREP to it. A link breaks only while data are sent (section
//! 6.11).
//!
//! Validated by message sequences worked by hand. In random networks with random losses, routes do not loop and all packets are
//! accounted for (`tests.rs`). TCP was run over chains of 1 to 6 hops at 2 and 11 Mb/s, with and without RTS, with windows of 4 and
//! 32. Its goodput is within 0.4 % of ns-2's at up to 2 hops, within 1.1 % with window 4, and within 8.1 % with window 32, where
//! routes break some 50 times in 100 s (docs/explanation/adhoc.md).

mod config;
mod discovery;
mod message;
mod node;
mod search;
#[cfg(test)]
mod tests;

pub use config::{Config, Hello, HopTime, LocalRepair, Repeat, SearchBackoff};
pub use node::Aodv;
