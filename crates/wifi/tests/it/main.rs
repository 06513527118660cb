//! Tests of 802.11 networks through the public interface: timelines worked by hand, closed forms, conservation of packets.

mod amsdu;
mod association;
mod bianchi;
mod capture;
mod common;
mod conservation;
mod edca;
mod golden;
mod he;
mod ibss;
mod lifetime;
mod mixed;
mod protection;
mod rates;
mod roaming;
mod routing;
mod shared_view;
mod station_rates;
mod timelines;
mod txop;
