//! Sizes of the segments that a kernel sends.

/// Payload of a full segment with timestamps at an MTU of 1500, bytes.
pub const SEGMENT: u32 = 1448;

/// Length of the IPv4 and TCP headers of a full segment, bytes.
pub const HEADERS: u32 = 52;
