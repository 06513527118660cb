//! Messages of DSDV, with their lengths.

use crate::port::{self, Length};
use radio::access::Station;

/// An update: routes that a station advertises to its neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Update(pub Vec<Entry>);

/// A route in an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub to: Station,
    /// Hops to the destination; `None` if it is unreachable (an infinite metric).
    pub hops: Option<u8>,
    pub seq: u32,
}

/// Most routes in one message; with its headers such a message fits into 1500 bytes.
pub(super) const MOST: usize = 122;

/// Action of a DSDV router.
pub(crate) type Action = port::Action<Update>;

impl port::Message for Update {
    /// Returns the length, bytes of UDP payload: address, sequence number and metric of each route (section 3.1).
    fn length(&self) -> Length {
        Length::Udp(12 * self.0.len() as u32)
    }

    fn name(&self) -> &'static str {
        "DSDV"
    }

    #[cfg(test)]
    fn describe(&self) -> String {
        let hops = |hops: Option<u8>| hops.map_or("inf".to_owned(), |hops| hops.to_string());
        let each = self.0.iter().map(|e| format!("{}:{}:{}", e.to.0, hops(e.hops), e.seq));
        each.collect::<Vec<_>>().join(" ")
    }
}
