//! Headers of IP packets that real endpoints send: IPv4 (RFC 791), IPv6 (RFC 8200), and the fields of TCP
//! headers by which bytes are counted.

mod header;
mod segment;
mod stream;
#[cfg(test)]
mod tests;

pub use header::{Ends, ecn, mark, protocol};
pub use segment::{Segment, payload};
pub use stream::Stream;
