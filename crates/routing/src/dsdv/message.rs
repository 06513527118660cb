//! Messages of DSDV, with their lengths.

use radio::access::Station;

/// Routes that a station tells its neighbours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Update(pub Vec<Entry>);

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub to: Station,
    /// `None`: infinitely far.
    pub hops: Option<u8>,
    pub seq: u32,
}

/// Routes in one message: with its headers it fits 1500 bytes.
pub(super) const MOST: usize = 122;

impl Update {
    /// Length without UDP and IP headers, bytes: address, number and distance of each route (section 3.1).
    pub(crate) fn bytes(&self) -> u32 {
        12 * self.0.len() as u32
    }
}
