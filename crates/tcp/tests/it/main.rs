//! Tests of endpoints and user-defined controls, as a user of the crate has them.

mod agents;
mod bbr;
mod common;
mod contract;
mod copa;
mod ecn;
mod endpoint;
mod fack;
mod forward;
mod fuzz;
mod golden;
mod hostile;
mod hystart;
mod model;
mod own;
mod path;
mod rack;
mod receiver;
mod rfc;
mod rtt;
mod stamps;
mod steps;
mod table;
mod wide;
mod window;
mod windows;
