//! H-TCP: growth depends on the time since the last loss, decrease on the path's queueing (Leith and Shorten,
//! draft-leith-tcp-htcp-06).
//!
//! With D the time since the last loss, and B the largest throughput of a round trip since then:
//!
//! ```text
//! alpha = 1 for D <= delta_l, else 1 + 10 (D - delta_l) + (D - delta_l)^2 / 4
//! with rtt_scaling: alpha *= RTTmin / 100 ms, this factor within 0.5 to 10
//! alpha = 2 (1 - beta) alpha                           acknowledgment: cwnd += alpha / cwnd
//! loss: beta = beta_min if B changed by more than delta_b since the last loss,
//!              else RTTmin / RTTmax within beta_min to beta_max; beta_max without adaptive_backoff
//!       cwnd *= beta
//! ```
//!
//! RTTmin and RTTmax are those of the connection. The window does not grow while it does not limit the sender
//! (RFC 7661). A loss in slow start and a timeout halve the window as in Reno. The form `tcp-linux` has rules
//! of its own (`linux.rs`). Left out: nothing that the draft requires.

mod config;
mod control;
mod linux;

pub use config::{ALGORITHM, Config};
pub use control::Htcp;
