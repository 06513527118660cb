//! The contract of transport stacks in simulated time, and the transfer that a flow makes with one.
//!
//! A [`Stack`] is one end of a connection without sockets, clocks or threads of its own (sans-IO). It is told the time,
//! the datagrams that arrive and the data that an application writes. It answers with datagrams, with data for the
//! application at the other end, and with the time at which it wants to be woken. quinn-proto (`crates/quic`) is one
//! instance, and `examples/own-stack` makes one of smoltcp.
//!
//! This is a complete stack. It sends one datagram at a time and waits for the acknowledgment:
//!
//! ```
//! use base::{Duration, Instant, Rng};
//! use stack::{About, Custom, Datagram, Ends, Stack};
//!
//! /// Wait for an acknowledgment before the data is sent again.
//! const PATIENCE: Duration = Duration::from_ms(500);
//!
//! /// One end. A datagram has a number, a byte that is 1 for the end of the stream and 2 for an acknowledgment, and data.
//! #[derive(Default)]
//! struct StopAndWait {
//!     /// Number of the datagram in flight, or of the one that is expected.
//!     number: u8,
//!     in_flight: Option<Datagram>,
//!     to_send: Option<Datagram>,
//!     wake: Option<Instant>,
//!     received: Vec<u8>,
//!     /// True once this end has sent or received the end of the stream.
//!     last: bool,
//! }
//!
//! impl Stack for StopAndWait {
//!     fn write(&mut self, _: Instant, bytes: &[u8]) -> usize {
//!         if self.in_flight.is_some() || self.last {
//!             return 0;
//!         }
//!         let part = &bytes[..bytes.len().min(1000)];
//!         self.in_flight = Some(Datagram::new([&[self.number, 0], part].concat()));
//!         self.to_send = self.in_flight.clone();
//!         part.len()
//!     }
//!
//!     fn end(&mut self, _: Instant) -> bool {
//!         if self.in_flight.is_some() {
//!             return false;
//!         }
//!         self.last = true;
//!         self.in_flight = Some(Datagram::new(vec![self.number, 1]));
//!         self.to_send = self.in_flight.clone();
//!         true
//!     }
//!
//!     fn receive(&mut self, _: Instant, datagram: Datagram) {
//!         let [number, kind, data @ ..] = &datagram.bytes[..] else { return };
//!         if *kind == 2 {
//!             if *number == self.number && self.in_flight.take().is_some() {
//!                 self.number = self.number.wrapping_add(1);
//!                 self.wake = None;
//!             }
//!             return;
//!         }
//!         if *number == self.number {
//!             self.received.extend(data);
//!             self.last = *kind == 1;
//!             self.number = self.number.wrapping_add(1);
//!         }
//!         self.to_send = Some(Datagram::new(vec![*number, 2]));
//!     }
//!
//!     fn transmit(&mut self, now: Instant) -> Option<Datagram> {
//!         let datagram = self.to_send.take()?;
//!         self.wake = self.in_flight.as_ref().map(|_| now + PATIENCE);
//!         Some(datagram)
//!     }
//!
//!     fn next_timeout(&mut self) -> Option<Instant> {
//!         self.wake
//!     }
//!
//!     fn on_timeout(&mut self, _: Instant) {
//!         self.wake = None;
//!         self.to_send = self.in_flight.clone();
//!     }
//!
//!     fn read(&mut self, _: Instant, into: &mut Vec<u8>) -> bool {
//!         into.append(&mut self.received);
//!         self.last
//!     }
//!
//!     fn finished(&self) -> bool {
//!         self.last && self.in_flight.is_none()
//!     }
//! }
//!
//! static ABOUT: About =
//!     About { name: "stop-and-wait", summary: "one datagram at a time", source: "an example", headers: 28, largest: 1002 };
//!
//! let stack = Custom::new(&ABOUT, |_: Rng| Ends::new(StopAndWait::default(), StopAndWait::default()));
//! let held = stack::hold(&stack, 50_000);
//! assert!(held.violations.is_empty(), "{held}");
//! assert_eq!(held.repeats, stack::Repeats::Bytes);
//! ```
//!
//! [`CONTRACT_VERSION`] rises when something that a stack may rely on changes or goes; additions keep it. [`limits`] has
//! what a stack may not exceed: it ends the run with a [`Fault`], which names the stack, its end and the time.
//!
//! [`Transfer`] is the application at both ends. It writes a file of known content at the client, reads it at the
//! server, and compares.
//!
//! [`hold`] runs a transfer twice over a path that loses and duplicates datagrams. It says what was violated, and if both
//! runs were equal.
#![deny(missing_docs)]

mod contract;
mod fault;
mod guard;
mod hold;
pub mod limits;
mod registry;
mod table;
mod transfer;

pub use contract::{CONTRACT_VERSION, Datagram, Log, Side, Stack, State};
pub use fault::Fault;
pub use hold::{Held, Repeats, hold};
pub use registry::{About, Custom, Ends, Stacks};
pub use table::Table;
pub use transfer::Transfer;
