//! A production QUIC stack in simulated time: quinn-proto 0.11 (MIT or Apache-2.0), which is sans-IO.
//!
//! [`ends`] creates two endpoints of quinn-proto, which fulfil the contract [`stack::Stack`]. They carry one stream of
//! bytes from a client to a server, with quinn's handshake (TLS 1.3), packet format, loss recovery and congestion
//! control.
//!
//! Random draws of an endpoint (connection ids, transport parameters, tokens, skipped packet numbers) come
//! from the stream that the caller passes in. TLS draws its keys from the operating system. The keys have
//! fixed sizes (X25519, Ed25519), so no size, time or count depends on them.
//!
//! quinn's BBR seeds the phase of its gain cycle from the operating system and accepts no other seed. In 0.11
//! that phase affects only the pacing rate that BBR computes. quinn writes this rate to logs but paces by
//! window and round-trip time, so no packet depends on it. Tests check that equal seeds give equal runs with
//! BBR too. Check this again when moving to another release of quinn.
//!
//! Left out: 0-RTT, migration, more than one stream, and datagrams (RFC 9221).
//!
//! The network between the endpoints is not a part of this crate.
#![deny(missing_docs)]

#[cfg(feature = "endpoints")]
mod clock;
#[cfg(feature = "endpoints")]
mod end;
#[cfg(feature = "endpoints")]
mod ends;
mod table;
#[cfg(feature = "endpoints")]
mod tls;
#[cfg(feature = "endpoints")]
mod transport;

#[cfg(feature = "endpoints")]
pub use ends::{controlled, ends};
pub use table::{Control, HEADERS, LARGEST, Stack, Table};

/// True if connections can be created. Without feature `endpoints` there are only settings, for programs that read
/// scenarios with QUIC flows but cannot run them.
pub const AVAILABLE: bool = cfg!(feature = "endpoints");

/// Does not return: there are no connections in a build without feature `endpoints`.
///
/// # Panics
/// Always. Callers check [`AVAILABLE`] first.
#[cfg(not(feature = "endpoints"))]
pub fn ends(_: &Table, _: base::Rng) -> stack::Ends {
    unreachable!("a connection in a build without QUIC endpoints")
}
