//! Limits of a stack. One that exceeds them ends the run with a [`Fault`](crate::Fault).
//!
//! A call that does not return cannot be ended from outside. Everything that a stack does by returning is limited here.

use base::Duration;

/// Span of simulated time in which datagrams and timeouts are counted.
pub const SPAN: Duration = Duration::from_ms(1);

/// Most datagrams of an end within [`SPAN`]: full Ethernet frames at 12 Tb/s.
pub const DATAGRAMS: u32 = 1 << 20;

/// Most timeouts of an end within [`SPAN`]: one each 15 ns.
pub const TIMEOUTS: u32 = 1 << 16;

/// Most datagrams of an end in a run.
pub const DATAGRAMS_IN_ALL: u64 = 1 << 32;

/// Most bytes that a stack takes from the application before the other end's application has read them, unless
/// [`Ends::buffering`](crate::Ends::buffering) says otherwise.
pub const UNREAD: u64 = 1 << 28;
