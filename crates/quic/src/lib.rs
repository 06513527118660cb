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

mod clock;
mod end;
mod table;
mod tls;
mod transfer;

pub use end::{Datagram, HEADERS, LARGEST};
pub use table::{Control, Stack, Table};
pub use transfer::{Log, Side, State, Transfer};
