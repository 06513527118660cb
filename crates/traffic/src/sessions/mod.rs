//! Sessions: users who arrive, send requests, wait for the responses, think, and leave.
//!
//! A session arrives by a process that does not depend on the network ([`Arrivals`]). Within the session the load is a
//! closed loop: a connection sends its next request only after the response to the one before, and after a time to
//! think. The draws of a session come from a random stream of its own, in the order of its requests, so that the same
//! session asks for the same bytes whatever the network does.
//!
//! Left out: requests that depend on the content of a response, and connections that several sessions share.

mod arrivals;
mod config;
mod empirical;
mod sizes;
mod times;

pub use arrivals::{ArrivalProcess, Arrivals, Given, Poisson};
pub use config::{Config, Counts, Exchange, Session};
pub use empirical::{CDF, CdfError, Empirical, Points, read_cdf};
pub use sizes::{Constant, Exponential, LogNormal, Pareto, Sizes};
pub use times::{Mean, Pareto as ParetoTimes, Times};

#[cfg(test)]
mod tests;
