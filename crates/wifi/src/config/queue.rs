//! Settings of the stations' queues.

use base::Duration;

/// A station's queue: drop-tail.
#[derive(Clone, PartialEq, Debug)]
pub struct Queue {
    /// Packets that find room, without those that are being transmitted.
    pub packets: u32,
    /// After which time a waiting packet is dropped; `None`: never.
    pub lifetime: Option<Duration>,
    /// Whether packets of a routing protocol go first.
    pub routing_first: bool,
    /// What packets pass before it: the queue is filled from there as it has room. `None`: packets join the queue itself.
    pub discipline: Option<net::queue::Config>,
}
