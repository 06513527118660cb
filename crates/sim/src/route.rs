//! Entries of the table of routes: numbers of links, and marks for other stops.

/// Entry at the end of a route.
pub(crate) const END: u32 = u32::MAX;
/// Bit of an entry that marks a stop at a proxy; the other bits are the proxy's number.
pub(crate) const PROXY: u32 = 1 << 31;
/// Bit of an entry that marks a radio crossing; the other bits are the crossing's number.
pub(crate) const RADIO: u32 = 1 << 30;
/// Bit of a link's entry that marks a link which follows the link before it on the route (see `followers`); the other
/// bits are the link's number. Only the passage over the link before reads such an entry.
pub(crate) const FOLLOWS: u32 = 1 << 29;
