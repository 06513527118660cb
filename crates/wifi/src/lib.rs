//! IEEE 802.11: a network of stations on one channel.
//!
//! [`Network`] has no clock of its own. Packets enter at a station ([`Network::send`]). [`Network::next`] returns the
//! time at which [`Network::run`] must be called, which reports deliveries and losses.
//!
//! - [`config`]: settings of a network, and the [`Profile`]s that preset them
//! - `phy`: the physical layer; [`timing`]: modes, and durations of frames
//! - `mac`: queues, contention for the medium and frame exchanges; [`edca`]: access categories
//! - `mlme`: beacons, association with an access point, roaming
//! - [`rate`]: rate control
//! - `forwarding`: forwarding between the stations' queues and their routers, which are in the crate [`routing`]
//! - [`stats`][]: counters
//!
//! The medium is simulated for all stations together. A transmission is one entry in a log, and the next station to
//! transmit is found among those that contend, so that a station with nothing to send costs no time. In networks without
//! movement, a lower bound that all stations share (`phy/shared_view.rs`) lets a station contend without reading the log
//! until it may be next. An exchange of data and ACK takes three events.
//!
//! Left out: fragmentation, power save, PCF, ARP (addresses are known), and the sum of the energy of several signals
//! (each is compared with the threshold by itself).
//!
//! Validated (`tests/`): airtimes agree with those worked out by hand and with ns-3.37's frames, to the microsecond.
//! The saturation throughput of 1 to 50 stations is within 1.7 % of Bianchi's model with the run's retry limit; this
//! holds for 802.11b, g, a, n, and 802.11n with A-MPDU and RTS. It is within 1.2 % of ns-2.35's at 2 and 11 Mb/s, and
//! within 2.4 % of ns-3.37's with 1 and 2 stations. The model does not include A-MPDUs without RTS: after a collision
//! the sender requests the Block ACK, which costs 4 % of throughput with 5 stations and 24 % with 50.
//!
//! With 5 stations or more ns-3 differs from the model. Two preambles that overlap are lost, and no EIFS follows,
//! as here; the model assumes EIFS. ns-3's goodput with RTS is then up to 6 % above the model's.
//!
//! 802.11ac (80 MHz, MCS 9, one stream): the throughput is within 0.7 % of Bianchi's model with single packets, and
//! within 0.1 % with A-MPDUs of 64 MPDUs and RTS; it was not compared with another simulator. 802.11ax (80 MHz, MCS
//! 11, one stream): the throughput of 1 to 50 stations is within 0.7 % of Bianchi's model, with single packets and
//! with A-MPDUs of 256 MPDUs and RTS. `docs/explanation/wifi-ax.md` compares it with ns-3.37.

#![warn(unreachable_pub)]

pub mod config;
mod forwarding;
mod mac;
mod mlme;
mod network;
mod phy;
pub mod rate;
pub mod stats;

pub use config::{Config, Profile, Site};
pub use mac::edca;
pub use network::Network;
pub use phy::timing;
pub use stats::{CategoryStats, Fault, StationStats, Stats};
