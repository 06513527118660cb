//! Headers of IP packets that real endpoints send: IPv4 (RFC 791), IPv6 (RFC 8200), and as much of the transport
//! header as counters need.

mod header;
mod segment;
mod stream;
#[cfg(test)]
mod tests;

pub use header::{Ends, ecn, mark, protocol};
pub use segment::{Segment, payload};
pub use stream::Stream;
