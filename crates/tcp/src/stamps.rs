//! Values of the timestamps option (RFC 7323): 32 bits, in microseconds plus one, because zero means that the
//! option is absent.

use base::{AckHeader, Duration, Instant};

/// Returns the TSval of a segment or acknowledgment sent at `now`.
pub(crate) fn timestamp(now: Instant) -> u32 {
    ((now.ps() / 1_000_000) as u32).wrapping_add(1)
}

/// Returns the time since the timestamp that an acknowledgment echoes (RFC 7323 section 4.1). `None` if there
/// is no echo, or its time is before the start of the run.
pub(crate) fn since_echo(now: Instant, ack: &AckHeader) -> Option<Duration> {
    elapsed(timestamp(now), ack).filter(|elapsed| elapsed.ps() <= now.ps())
}

/// Returns the time from sending the segment whose timestamp is echoed to sending the acknowledgment; `None`
/// if there is no echo.
///
/// A delayed acknowledgment echoes the timestamp of the oldest segment that it covers (RFC 7323 section 4.3),
/// which waited for later segments. The newest segment, whose round-trip time is `newest`, waited less, so the
/// smaller of the two delays is returned.
pub(crate) fn one_way(now: Instant, ack: &AckHeader, newest: Option<Duration>) -> Option<Duration> {
    let stamped = elapsed(ack.ts_val, ack)?;
    let back = Duration::from_us(u64::from(timestamp(now).wrapping_sub(ack.ts_val)));
    Some(newest.map_or(stamped, |rtt| stamped.min(rtt.saturating_sub(back))))
}

fn elapsed(until: u32, ack: &AckHeader) -> Option<Duration> {
    (ack.ts_ecr != 0).then(|| Duration::from_us(u64::from(until.wrapping_sub(ack.ts_ecr))))
}
