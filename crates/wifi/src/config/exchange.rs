//! Settings of frame exchanges: responses, timeouts and retransmissions.

use super::protection::Protection;
use super::times::{SIZES, TIMES};
use base::Duration;
use settings::Size;
use settings::{Choice, Settings};

/// Greatest value of dot11RTSThreshold, longer than any frame, bytes.
pub(crate) const NEVER_RTS: u32 = 4_692_480;

/// Frame exchanges. Settings have the names of IEEE Std 802.11-2012, clause 9.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct FrameExchange {
    /// Rule for EIFS, the wait of a station after a frame with errors: SIFS, the airtime of a response, and DIFS.
    #[setting(default = Eifs::Lowest, absent = "\"lowest\", in profile \"ns2\" \"reserved\"")]
    pub eifs: Eifs,
    /// Time for which a sender waits for a CTS or ACK, from the end of its frame.
    #[setting(default = Timeout::Begin, absent = "\"begin\", in profile \"ns2\" \"whole\"")]
    pub timeout: Timeout,
    /// Propagation delay in each direction that is added to a sender's wait for a CTS or ACK.
    #[setting(default = Duration::ZERO, range = TIMES, absent = "\"0s\", in profile \"ns2\" \"2us\"")]
    pub propagation_allowance: Duration,
    /// Wait DIFS or AIFS anew when a timeout ends (EDCA, 9.19.2.3). If false, idle time before that counts (DCF, 9.3.4.3).
    #[setting(default = false, absent = "false; for n, ac and ax, with `edca`, and in profile \"ns3\" true")]
    pub defer_after_timeout: bool,
    /// Time at which a packet is sent if it finds the medium idle and no backoff running.
    #[setting(default = IdleAccess::Immediate, absent = "\"immediate\", in profile \"ns3\" \"between-frames\", in \"ns2\" \"backoff\"")]
    pub idle_access: IdleAccess,
    /// End the NAV set by an RTS if no frame follows the RTS (9.3.2.4).
    #[setting(default = true, absent = "true, in profile \"ns2\" false")]
    pub nav_reset: bool,
    /// Rounding of the Duration field to whole microseconds (8.2.4.2).
    #[setting(default = DurationField::Up, absent = "\"up\", in profile \"ns2\" \"nearest\"")]
    pub duration_field: DurationField,
    /// Most attempts at an RTS, or at a frame without RTS (dot11ShortRetryLimit).
    #[setting(default = 7, range = 1..=u32::MAX)]
    pub short_retry_limit: u32,
    /// Most attempts at a frame after RTS and CTS (dot11LongRetryLimit).
    #[setting(default = 4, range = 1..=u32::MAX)]
    pub long_retry_limit: u32,
    /// Length of a frame, MAC header and FCS included, above which an RTS precedes it (dot11RTSThreshold). With
    /// `protection` "rts-cts" an RTS precedes every OFDM frame.
    #[setting(default = 65_535, range = 0..=NEVER_RTS, form = Size, absent = "\"65535B\", for ac and ax \"4692480B\", in profile \"ns2\" \"0B\"")]
    pub rts_threshold: u32,
    /// Frame that protects OFDM data frames from 802.11b stations in an 802.11g network, sent at `control_rate`,
    /// which is then a rate of 802.11b; slots are then long.
    #[setting(default = Protection::None, absent = "\"none\", with `b_stations` \"cts-to-self\"")]
    pub protection: Protection,
    /// Bytes that a data frame adds to an IP packet: MAC header, LLC/SNAP and FCS.
    #[setting(default = 36, range = SIZES, form = Size, absent = "\"36B\", for n, ac and ax and with `edca` \"38B\", in profile \"ns2\" \"34B\"")]
    pub header: u32,
}

/// Rule for EIFS, the wait of a station after a frame with errors (9.3.7; dynamic EIFS: IEEE Std 802.11-2016,
/// 10.3.2.3.7).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Eifs {
    /// SIFS, an ACK at the lowest rate, and DIFS
    Lowest,
    /// SIFS, the response that the frame would have had, and DIFS
    Dynamic,
    /// as "lowest", but as a NAV rounded to whole microseconds: another DIFS follows the NAV, and a correct frame
    /// does not end it (ns-2)
    Reserved,
}

/// Rounding of the Duration field to whole microseconds (8.2.5.1). A NAV that is rounded up outlasts the frame
/// exchange by up to 1 us. So stations that received the frame start their DIFS after the sender and the receiver,
/// which prevents collisions if signals are sensed in the slot in which they begin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum DurationField {
    /// up to the next whole microsecond
    Up,
    /// to the nearest whole microsecond (ns-2)
    Nearest,
}

impl DurationField {
    /// Returns the duration that the Duration field announces for a duration of `time`.
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

/// Time for which a sender waits for a CTS or ACK (9.3.2.8, 9.3.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Timeout {
    /// until the response should have begun: SIFS, a slot, and a preamble
    Begin,
    /// until the response should have ended: SIFS and its airtime (ns-2)
    Whole,
}

/// Time at which a packet is sent if it finds the medium idle and no backoff running (9.3.4.2). A TCP ACK or a
/// forwarded packet often arrives at the end of a data frame, in the SIFS before its receiver's response, when the
/// medium is silent. "between-frames" treats this medium as idle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum IdleAccess {
    /// at once, if the medium has been idle for DIFS
    Immediate,
    /// as "immediate", but in the SIFS before a response of its own the station also counts the medium as idle: the
    /// packet is sent DIFS after the response (ns-3)
    BetweenFrames,
    /// after DIFS and a new backoff, both counted from the packet's arrival (ns-2)
    Backoff,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Duration fields of ns-2.35's RTS frames, for data of 1033, 1031, 1034 and 1494 bytes at 11 Mb/s. Each covers
    /// three SIFS (30 us), CTS and ACK at 1 Mb/s (304 us each), and the data frame with its preamble (192 us).
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
