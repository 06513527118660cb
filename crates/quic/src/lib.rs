//! Production QUIC stacks in simulated time: quinn-proto 0.11 (MIT or Apache-2.0), which does no input or output
//! itself.
//!
//! Two endpoints of it carry one stream of bytes from a client to a server, with its own handshake (TLS 1.3), packets,
//! loss recovery and congestion control. They are handed `now` and each other's datagrams, and return their datagrams
//! and the time of their next call.
//!
//! Their random draws (connection ids, transport parameters, tokens, packet numbers that are skipped) come from the
//! stream that is handed in. TLS draws its keys itself. They have fixed sizes (X25519, Ed25519), so that no size, time
//! or count depends on them.
//!
//! quinn's BBR seeds the phase of its gain cycle from the operating system and takes no other seed. In 0.11 that phase
//! only affects its pacing rate, which quinn writes to logs and does not pace by (its pacer goes by window and round
//! trip); so no packet depends on it. Tests hold that equal seeds give equal runs with it, too. Check that again when
//! moving to another release of quinn.
//!
//! Left out: 0-RTT, migration, more than one stream, and datagrams (RFC 9221).
//!
//! Not in here: the network between them. Nothing of this crate knows links or flows.
#![deny(missing_docs)]

mod clock;
mod end;
mod table;
mod tls;
mod transfer;

pub use end::{Datagram, HEADERS, LARGEST};
pub use table::{Control, Stack, Table};
pub use transfer::{Log, Side, State, Transfer};
