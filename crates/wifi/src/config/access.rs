//! Settings of medium access and contention.

use super::times::SHORT;
use crate::mac::edca::{Access, Edca};
use base::Duration;
use settings::{Choice, Error, Settings};

/// The greatest contention window, slots (8.4.2.31: 2^15 - 1).
const WIDEST: u32 = 32_767;

/// Contention for the medium. Names as in IEEE Std 802.11-2012, clause 9. Defaults are those of 802.11a.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct MediumAccess {
    /// Length of a slot (aSlotTime).
    #[setting(default = Duration::from_us(9), range = SHORT, absent = "\"9us\", of b, of g without an access point or with `protection`, and of n and ax without one at 2.4 GHz \"20us\"")]
    pub slot: Duration,
    /// Short interframe space (aSIFSTime).
    #[setting(default = Duration::from_us(16), range = SHORT, absent = "\"16us\", at 2.4 GHz \"10us\"")]
    pub sifs: Duration,
    /// Slots after SIFS before the first slot of backoff: 2 makes DIFS, EDCA's best effort has 3.
    #[setting(default = 2, range = 1..=u32::MAX, absent = "2, of n, ac and ax 3")]
    pub aifsn: u32,
    /// Least contention window, slots (aCWmin).
    #[setting(default = 15, range = 1..=WIDEST, absent = "15, of b 31")]
    pub cw_min: u32,
    /// Greatest contention window, slots (aCWmax).
    #[setting(default = 1023, range = 1..=WIDEST)]
    pub cw_max: u32,
    /// Least contention window of `b_stations` without `edca`, slots.
    #[setting(absent = "31")]
    pub b_cw_min: Option<u32>,
    /// EDCA: four access categories, each with a queue of its own, instead of one; {}: the standard's parameters.
    /// Routing messages go as voice.
    #[setting(absent = "none")]
    pub edca: Option<Edca>,
    /// With `edca`: time up to which the frames of a TXOP reserve the medium.
    #[setting(default = TxopProtection::Single, absent = "\"single\", in profile \"ns3\" \"multiple\"")]
    pub txop_protection: TxopProtection,
    /// With `edca`: a CF-End frame ends a TXOP without further frames that has time for it (9.19.2.7).
    #[setting(default = false, absent = "false, in profile \"ns3\" true")]
    pub cf_end: bool,
    /// Range of a drawn backoff.
    #[setting(default = Draw::Inclusive, absent = "\"inclusive\", in profile \"ns2\" \"exclusive\"")]
    pub draw: Draw,
    /// Slots that count down a backoff.
    #[setting(default = Countdown::Over, absent = "\"over\", of n, ac and ax and with `edca` \"begun\"")]
    pub countdown: Countdown,
}

impl MediumAccess {
    /// Checks between the settings.
    pub(super) fn check(&self) -> Result<(), Error> {
        let Self { cw_min, cw_max, .. } = *self;
        let in_order = |key: &str, least| {
            let message = format!("1 <= cw_min <= cw_max, not {least} and {cw_max}");
            if (1..=cw_max).contains(&least) { Ok(()) } else { Err(Error::new(key, message)) }
        };
        in_order("cw_min", cw_min)?;
        in_order("b_cw_min", self.b_cw_min.unwrap_or(cw_min))?;
        self.edca.map_or(Ok(()), |edca| edca.check().map_err(|e| e.under("edca")))
    }

    /// Returns the parameters of each contending function of a station: of DCF the one, with this window, or EDCA's.
    pub(crate) fn accesses(&self, cw_min: u32) -> Vec<Access> {
        let Self { aifsn, cw_max, .. } = *self;
        let plain = Access { aifsn, cw_min, cw_max, txop: Duration::ZERO };
        self.edca.map_or_else(|| vec![plain], |edca| edca.each().to_vec())
    }
}

/// Range of a drawn backoff, with a contention window of CW (9.3.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Draw {
    /// 0 to the contention window
    Inclusive,
    /// 0 to one less (ns-2)
    Exclusive,
}

/// The part of a slot at which it counts down a backoff. Without a transmission of another station both end alike. The
/// rule of DCF is that of 9.3.4.3, EDCA's that of 9.19.2.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Countdown {
    /// at its end: DCF
    Over,
    /// at its beginning, even if another station transmits in it: EDCA
    Begun,
}

/// Time up to which the frames of a TXOP reserve the medium (8.2.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum TxopProtection {
    /// to the end of the exchange after their own, if one follows
    Single,
    /// to the end of the TXOP
    Multiple,
}
