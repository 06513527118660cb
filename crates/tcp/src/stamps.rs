//! Stamps of the timestamps option (RFC 7323): microseconds in 32 bits, counted from one, since zero means that the option is
//! absent.

use base::{AckHeader, Duration, Instant};

/// Returns the stamp of a segment or an acknowledgment sent at `now`.
pub(crate) fn timestamp(now: Instant) -> u32 {
    ((now.ps() / 1_000_000) as u32).wrapping_add(1)
}

/// Returns the time since the stamp that an acknowledgment echoes (RFC 7323 section 4.1), if it echoes one that can
/// have been sent.
pub(crate) fn since_echo(now: Instant, ack: &AckHeader) -> Option<Duration> {
    elapsed(timestamp(now), ack).filter(|elapsed| elapsed.ps() <= now.ps())
}

/// Returns the time from the sending of the segment whose stamp an acknowledgment echoes to its own sending, if it
/// echoes one.
pub(crate) fn one_way(ack: &AckHeader) -> Option<Duration> {
    elapsed(ack.ts_val, ack)
}

fn elapsed(until: u32, ack: &AckHeader) -> Option<Duration> {
    (ack.ts_ecr != 0).then(|| Duration::from_us(u64::from(until.wrapping_sub(ack.ts_ecr))))
}
