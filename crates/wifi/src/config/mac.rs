//! Settings of medium access.

use super::aggregation::Aggregation;
use super::protection::Protection;
use crate::edca::{Access, Edca};
use base::Duration;

/// Medium access. Names as in IEEE Std 802.11-2012, clause 9.
#[derive(Clone, PartialEq, Debug)]
pub struct Mac {
    /// aSlotTime.
    pub slot: Duration,
    /// aSIFSTime.
    pub sifs: Duration,
    /// Slots after SIFS before the first backoff slot: 2 makes DIFS, EDCA's best effort has 3.
    pub aifsn: u32,
    /// aCWmin: least contention window, slots.
    pub cw_min: u32,
    /// aCWmax: greatest contention window, slots.
    pub cw_max: u32,
    /// EDCA, set by [`crate::Config::set_edca`]: `aifsn`, `cw_min` and `cw_max` are then those of no category; `None`: DCF.
    pub edca: Option<Edca>,
    /// How far frames of a TXOP reserve the medium.
    pub txop_protection: TxopProtection,
    /// Whether a CF-End frame ends a TXOP that nothing more is sent in (9.19.2.7).
    pub cf_end: bool,
    /// What a backoff is drawn from.
    pub draw: Draw,
    /// Which slots count down a backoff.
    pub countdown: Countdown,
    /// How long a station waits after a frame with errors.
    pub eifs: Eifs,
    /// How long a sender waits for CTS and ACK.
    pub timeout: Timeout,
    /// What a timeout allows for propagation, each way.
    pub propagation_allowance: Duration,
    /// Whether DIFS begins anew when a timeout ends (EDCA, 9.19.2.3), or idle time before counts (DCF, 9.3.4.3).
    pub defer_after_timeout: bool,
    /// When a packet that finds the medium idle and no backoff running is sent.
    pub idle_access: IdleAccess,
    /// Whether a NAV set by an RTS ends when no frame follows (9.3.2.4).
    pub nav_reset: bool,
    /// dot11ShortRetryLimit: attempts at an RTS, or at a frame without one, before the frame is given up.
    pub short_retry_limit: u32,
    /// dot11LongRetryLimit: attempts at a frame with RTS, counting those that were answered by CTS.
    pub long_retry_limit: u32,
    /// dot11RTSThreshold: an RTS goes before frames of more bytes, MAC header and FCS included; [`Protection::RtsCts`] has it before all in
    /// OFDM.
    pub rts_threshold: u32,
    /// What goes before data frames where there are stations of 802.11b, set by [`crate::Config::set_protection`].
    pub protection: Protection,
    /// Bytes around an IP packet: MAC header, LLC/SNAP and FCS.
    pub header: u32,
    /// How packets are aggregated; `None`: each goes by itself.
    pub aggregation: Option<Aggregation>,
    /// The most bytes of packets with their headers in one MPDU, an A-MSDU: up to 7935, in an A-MPDU of HT fewer than 4095; 0: each
    /// has its own.
    pub amsdu: u32,
    /// Whether a lost Block ACK is asked for by a request; else the frame is sent again.
    pub block_ack_request: bool,
    /// Time between two beacons: of the access point, or of an ad hoc network, whose stations send them in turn; `None`: there are none.
    pub beacons: Option<Duration>,
    /// Length of a beacon.
    pub beacon_bytes: u32,
    /// How a station comes to belong to the access point.
    pub association: Association,
    /// How many beacons in a row a station misses until it no longer does; with [`Association::Exchange`].
    pub missed_beacons: u32,
    /// How long a station waits for the response to a request: AuthenticationFailureTimeout and AssociateFailureTimeout (6.3.5.2, 6.3.7.2).
    pub association_timeout: Duration,
}

impl Mac {
    /// The parameters of each function of a station that contends: of DCF the one, with this window, or EDCA's.
    pub(crate) fn accesses(&self, cw_min: u32) -> Vec<Access> {
        let Mac { aifsn, cw_max, .. } = *self;
        let plain = Access { aifsn, cw_min, cw_max, txop: Duration::ZERO };
        self.edca.map_or_else(|| vec![plain], |edca| edca.0.to_vec())
    }
}

/// What a backoff is drawn from, with a contention window of CW.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Draw {
    /// 0 to CW: the standard (9.3.3).
    #[default]
    Inclusive,
    /// 0 to CW - 1: ns-2.
    Exclusive,
}

/// How long a station waits after a frame with errors: SIFS, DIFS and the time of an ACK.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Eifs {
    /// The ACK at the lowest rate of all responses (9.3.7).
    #[default]
    Lowest,
    /// The response that the frame would have had: dynamic EIFS (IEEE Std 802.11-2016, 10.3.2.3.7).
    Dynamic,
}

/// How long a sender waits for CTS and ACK after the end of its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Timeout {
    /// The response must begin: SIFS, a slot, and its preamble (9.3.2.8, 9.3.2.6).
    #[default]
    Begin,
    /// The response must be there: SIFS and its airtime: ns-2.
    Whole,
}

/// When a slot counts down a backoff. Without a transmission of another both end alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Countdown {
    /// Once it is over: a slot in which another begins to transmit does not count (DCF, 9.3.4.3).
    #[default]
    Over,
    /// As it begins: a slot in which another begins to transmit does (EDCA, 9.19.2.3).
    Begun,
}

/// When a packet that finds the medium idle and no backoff running is sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum IdleAccess {
    /// At once where the medium has been idle for DIFS (9.3.4.2).
    #[default]
    Immediate,
    /// Likewise, also where it comes in the SIFS before an answer of its own, when the medium is silent: DIFS after that answer. So it is in
    /// ns-3, where TCP's acknowledgment comes at the end of the data frame, and what is passed on at that of the hop before.
    BetweenFrames,
    /// After DIFS and a backoff of its own, counted from when it came: ns-2.
    Backoff,
}

/// How far the frames of a TXOP reserve the medium (8.2.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TxopProtection {
    /// To the end of the exchange after their own, if one follows.
    #[default]
    Single,
    /// To the end of the TXOP.
    Multiple,
}

/// How a station comes to belong to the access point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Association {
    /// By being in reach, without a frame.
    #[default]
    InReach,
    /// By frames of authentication and association, after a beacon.
    Exchange,
}
