//! Entries of a route: numbers of links, and marks for other stops.

/// The entry that ends a route.
pub(crate) const END: u32 = u32::MAX;
/// The bit of an entry that marks a stop at the proxy whose number is in the other bits.
pub(crate) const PROXY: u32 = 1 << 31;
/// The bit of an entry that marks the crossing of a radio network whose number is in the other bits.
pub(crate) const RADIO: u32 = 1 << 30;
