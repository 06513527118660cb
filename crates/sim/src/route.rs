//! What a route is made of: numbers of links, and what these marks say.

/// Marks the end of a route.
pub(crate) const END: u32 = u32::MAX;
/// In a route, marks a stop at the relay whose number is in the other bits.
pub(crate) const RELAY: u32 = 1 << 31;
/// In a route, marks the crossing of a radio network whose number is in the other bits.
pub(crate) const RADIO: u32 = 1 << 30;
