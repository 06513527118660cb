//! A production QUIC stack in simulated time: quinn-proto 0.11 (MIT or Apache-2.0), which is sans-IO.
//!
//! Two endpoints of quinn-proto carry one stream of bytes from a client to a server, with quinn's handshake
//! (TLS 1.3), packet format, loss recovery and congestion control. The caller passes the time and the peer's
//! datagrams in, and gets datagrams and the time of the next call.
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
mod datagram;
#[cfg(feature = "endpoints")]
mod end;
#[cfg(not(feature = "endpoints"))]
mod nowhere;
mod state;
mod table;
#[cfg(feature = "endpoints")]
mod tls;
#[cfg(feature = "endpoints")]
mod transfer;

pub use datagram::{Datagram, HEADERS, LARGEST};
#[cfg(not(feature = "endpoints"))]
pub use nowhere::Transfer;
pub use state::{Log, Side, State};
pub use table::{Control, Stack, Table};
#[cfg(feature = "endpoints")]
pub use transfer::Transfer;

/// True if transfers can be created. Without feature `endpoints` there are only settings, for programs that read
/// scenarios with QUIC flows but cannot run them.
pub const AVAILABLE: bool = cfg!(feature = "endpoints");
