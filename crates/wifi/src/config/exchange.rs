//! Settings of frame exchanges: answers to frames, the wait for them, and retransmissions.

use super::protection::Protection;
use super::times::{SIZES, TIMES};
use base::Duration;
use settings::Size;
use settings::{Choice, Settings};

/// The greatest dot11RTSThreshold.
pub(crate) const NEVER_RTS: u32 = 4_692_480;

/// Frame exchanges. Names as in IEEE Std 802.11-2012, clause 9.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct FrameExchange {
    /// Wait of a station after a frame with errors: SIFS, DIFS and the time of an ACK.
    #[setting(default = Eifs::Lowest, absent = "\"lowest\", in profile \"ns2\" \"reserved\"")]
    pub eifs: Eifs,
    /// Wait of a sender for CTS and ACK after the end of its frame.
    #[setting(default = Timeout::Begin, absent = "\"begin\", in profile \"ns2\" \"whole\"")]
    pub timeout: Timeout,
    /// Allowance for propagation in that wait, each way.
    #[setting(default = Duration::ZERO, range = TIMES, absent = "\"0s\", in profile \"ns2\" \"2us\"")]
    pub propagation_allowance: Duration,
    /// DIFS begins anew when a timeout ends (EDCA, 9.19.2.3), instead of counting idle time before it (DCF, 9.3.4.3).
    #[setting(default = false, absent = "false, of n, ac and ax, with `edca`, and in profile \"ns3\" true")]
    pub defer_after_timeout: bool,
    /// Time at which a packet is sent that finds the medium idle and no backoff running.
    #[setting(default = IdleAccess::Immediate, absent = "\"immediate\", in profile \"ns3\" \"between-frames\", in \"ns2\" \"backoff\"")]
    pub idle_access: IdleAccess,
    /// The reservation by an RTS ends if no frame follows (9.3.2.4).
    #[setting(default = true, absent = "true, in profile \"ns2\" false")]
    pub nav_reset: bool,
    /// Rounding of a frame's reservation to the whole microseconds of its Duration field (8.2.4.2).
    #[setting(default = DurationField::Up, absent = "\"up\", in profile \"ns2\" \"nearest\"")]
    pub duration_field: DurationField,
    /// Attempts at an RTS, or at a frame without one (dot11ShortRetryLimit).
    #[setting(default = 7, range = 1..=u32::MAX)]
    pub short_retry_limit: u32,
    /// Attempts at a frame with RTS, counting those that were answered by CTS (dot11LongRetryLimit).
    #[setting(default = 4, range = 1..=u32::MAX)]
    pub long_retry_limit: u32,
    /// An RTS goes before frames of more bytes, MAC header and FCS included (dot11RTSThreshold); `protection` "rts-cts" has it before all
    /// in OFDM.
    #[setting(default = 65_535, range = 0..=NEVER_RTS, form = Size, absent = "\"65535B\", of ac and ax \"4692480B\", in profile \"ns2\" \"0B\"")]
    pub rts_threshold: u32,
    /// Frame before data frames of g in OFDM if there are stations of b, at `control_rate`, then a rate of b's; slots
    /// are long.
    #[setting(default = Protection::None, absent = "\"none\", with `b_stations` \"cts-to-self\"")]
    pub protection: Protection,
    /// Bytes around an IP packet: MAC header, LLC/SNAP and FCS.
    #[setting(default = 36, range = SIZES, form = Size, absent = "\"36B\", of n, ac and ax and with `edca` \"38B\", in profile \"ns2\" \"34B\"")]
    pub header: u32,
}

/// Wait of a station after a frame with errors: that of 9.3.7, or dynamic EIFS (IEEE Std 802.11-2016, 10.3.2.3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Eifs {
    /// as if the frame were answered at the lowest rate
    Lowest,
    /// as long as the answer that the frame would have had
    Dynamic,
    /// as "lowest", but reserved by a NAV of whole microseconds: DIFS comes once more, and no frame ends it (ns-2)
    Reserved,
}

/// Rounding of a frame's reservation to whole microseconds (8.2.5.1). A NAV that lasts longer than the exchange keeps
/// stations that heard the frame behind its sender and receiver: if answers are sensed in the slot in which they begin,
/// that prevents collisions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum DurationField {
    /// to the next whole microsecond
    Up,
    /// to the nearest one (ns-2)
    Nearest,
}

impl DurationField {
    /// Returns the reservation of a frame that needs this time.
    #[inline]
    pub(crate) const fn round(self, time: Duration) -> Duration {
        const US: u64 = Duration::from_us(1).ps();
        let ps = time.ps();
        Duration::from_us(match self {
            Self::Up => ps.div_ceil(US),
            Self::Nearest => (ps + US / 2) / US,
        })
    }
}

/// Wait of a sender for CTS and ACK (9.3.2.8, 9.3.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Timeout {
    /// until they should have begun: SIFS, a slot, and a preamble
    Begin,
    /// until they should be there: SIFS and their airtime (ns-2)
    Whole,
}

/// Time at which a packet is sent that finds the medium idle and no backoff running (9.3.4.2). In ns-3, TCP's
/// acknowledgment comes at the end of the data frame, and a forwarded packet at that of the hop before: in the SIFS
/// before an answer, when the medium is silent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum IdleAccess {
    /// at once, if the medium has been idle for DIFS
    Immediate,
    /// the same, also in the SIFS before an answer of its own: DIFS after that (ns-3)
    BetweenFrames,
    /// after DIFS and a backoff of its own, from its arrival on (ns-2)
    Backoff,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Duration fields of ns-2.35's RTS frames for data of 1033, 1031, 1034 and 1494 bytes at 11 Mb/s, with answers at 1 Mb/s and
    /// three SIFS.
    #[test]
    fn duration_fields_of_whole_microseconds() {
        let exact =
            |bytes: u64| Duration::from_ps((30 + 304 + 192 + 304) * 1_000_000 + bytes * 8_000_000 / 11);
        let fields = |bytes| [DurationField::Up, DurationField::Nearest].map(|rule| rule.round(exact(bytes)));
        let us = |field: [u64; 2]| field.map(Duration::from_us);
        assert_eq!(fields(1033), us([1582, 1581]));
        assert_eq!(fields(1031), us([1580, 1580]));
        assert_eq!(fields(1034), us([1582, 1582]));
        assert_eq!(fields(1494), us([1917, 1917]));
        assert_eq!(DurationField::Up.round(Duration::ZERO), Duration::ZERO);
    }
}
