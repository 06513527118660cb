//! TCP endpoints, sans-IO: without clock, queue or network.
//!
//! A connection is a [`Sender`] and a [`Receiver`]. Segments come out of [`Sender::poll`] and go into
//! [`Receiver::on_segment`]; acknowledgments come out of [`Receiver::poll`] and go into [`Sender::on_ack`].
//! Time is an argument. In this example the ends are 25 ms apart, and the path loses one segment:
//!
//! ```
//! use base::{Duration, Instant};
//! use std::{iter::from_fn, sync::Arc};
//! use tcp::{Receiver, Sender, Table};
//!
//! let table = Table { variant: Some("cubic".to_owned()), ..Table::default() };
//! let config = Arc::new(table.resolve()?.1);
//! let (mut sender, mut receiver) = (Sender::new(&config, Duration::ZERO), Receiver::new(&config));
//! let (mut now, mut sent) = (Instant::ZERO, 0);
//! sender.open(now, Some(1_000_000));
//! while sender.finished().is_none() {
//!     let flight: Vec<_> = from_fn(|| sender.poll(now)).collect();
//!     now = now + Duration::from_ms(25);
//!     let mut acks = Vec::new();
//!     for (segment, _bytes) in &flight {
//!         sent += 1;
//!         if sent != 100 {
//!             receiver.on_segment(now, segment);
//!         }
//!         acks.extend(receiver.poll(now));
//!     }
//!     if receiver.timer().is_some_and(|timer| timer.at <= now) {
//!         receiver.on_timer(now);
//!         acks.extend(receiver.poll(now));
//!     }
//!     now = now + Duration::from_ms(25);
//!     acks.iter().for_each(|(ack, _bytes)| sender.on_ack(now, ack));
//!     if sender.timer().is_some_and(|timer| timer.at <= now) {
//!         sender.on_timer(now);
//!     }
//! }
//! assert_eq!(receiver.delivered_bytes(), 1_000_000);
//! assert_eq!(sender.stats().fast_retransmits, 1);
//! # Ok::<(), settings::Error>(())
//! ```
//!
//! # Calls
//!
//! - After each `on_...`, call `poll` until it returns `None`.
//! - Call `on_timer` at the time that `timer()` returns; a later value replaces an earlier one. If a sender
//!   paces, poll it again at [`Sender::release`].
//! - [`Sender::poll_event`] reports each loss and each sample of the round-trip time once.
//! - Sequence numbers count segments. The second value of `poll` is the size on the wire, bytes.
//!
//! # Variants
//!
//! A variant is a pair of loss recovery ([`recovery`]) and congestion control ([`congestion`]). All other
//! properties of an endpoint are parameters in [`Config`], declared in [`config`]. A [`Table`] has the
//! parameters that a scenario gives, and the profile from which the others come: `rfc` (the default),
//! `linux`, `ns2`, `ns3`. A user-defined control is a [`congestion::Custom`] in [`Table::controls`], or is
//! used without an endpoint by [`congestion::Control::start`].
//!
//! # Stability
//!
//! The package is `ackclock-tcp`, and its library `tcp`. Stable within 0.1 are: names of variants,
//! controls and parameters; [`Sender`], [`Receiver`] and [`Table`] with the calls above; the interface of
//! controls, which has a version of its own ([`congestion::CONTRACT_VERSION`]). Everything else may
//! change with any release. Results of a run may change with a release that corrects them; the changelog
//! says so.

#![warn(unreachable_pub)]

mod calm;
pub mod config;
pub mod congestion;
mod hystart;
mod profiles;
pub mod rate;
mod receive_buffer;
mod receiver;
pub mod recovery;
pub mod rtt;
mod runs;
pub mod scoreboard;
mod sender;
mod stamps;
mod stats;
mod stream;
mod table;
mod tcb;
mod times;
mod variants;
mod wheel;

pub use config::Config;
pub use profiles::{Profile, profiles};
pub use receiver::{Receiver, ReceiverStats};
pub use sender::{Event, Phase, Sender};
pub use stats::{ClassifiedLoss, SenderStats};
pub use table::Table;
pub use variants::{CUSTOM_RECOVERY, Variant, custom_name, former_variants, renamed_variant, variants};
