//! Transfers of quinn-proto with each congestion control, over a path with a bottleneck.

mod page;
mod path;
mod transfers;
