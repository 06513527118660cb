//! Settings of medium access and contention.

use super::times::SHORT;
use crate::mac::edca::{Access, Edca};
use base::Duration;
use settings::{Choice, Error, Settings};

/// Greatest contention window that can be announced, slots (8.4.2.31: 2^15 - 1).
const WIDEST: u32 = 32_767;

/// Contention for the medium. Settings have the names of IEEE Std 802.11-2012, clause 9; defaults are those of
/// 802.11a.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct MediumAccess {
    /// Duration of a slot (aSlotTime).
    #[setting(default = Duration::from_us(9), range = SHORT, absent = "\"9us\"; \"20us\" for b, for g without an access point or with `protection`, and for n and ax at 2.4 GHz without an access point")]
    pub slot: Duration,
    /// Short interframe space (aSIFSTime).
    #[setting(default = Duration::from_us(16), range = SHORT, absent = "\"16us\", at 2.4 GHz \"10us\"")]
    pub sifs: Duration,
    /// Slots in the interframe space before backoff, after SIFS (AIFSN): 2 gives DIFS, 3 the AIFS of best effort.
    #[setting(default = 2, range = 1..=u32::MAX, absent = "2, for n, ac and ax 3")]
    pub aifsn: u32,
    /// Least contention window, slots (aCWmin).
    #[setting(default = 15, range = 1..=WIDEST, absent = "15, for b 31")]
    pub cw_min: u32,
    /// Greatest contention window, slots (aCWmax).
    #[setting(default = 1023, range = 1..=WIDEST)]
    pub cw_max: u32,
    /// aCWmin of `b_stations` without `edca`, slots.
    #[setting(absent = "31")]
    pub b_cw_min: Option<u32>,
    /// EDCA: four access categories at each station, each with its own queue, instead of a single one. `{}` has the
    /// standard's parameters. Routing messages are sent in category `voice`.
    #[setting(absent = "none")]
    pub edca: Option<Edca>,
    /// With `edca`: time until which the Duration field of a frame in a TXOP reserves the medium.
    #[setting(default = TxopProtection::Single, absent = "\"single\", in profile \"ns3\" \"multiple\"")]
    pub txop_protection: TxopProtection,
    /// With `edca`: send a CF-End frame when a TXOP holder has no more frames and the rest of the TXOP is long enough
    /// for it (9.19.2.7).
    #[setting(default = false, absent = "false, in profile \"ns3\" true")]
    pub cf_end: bool,
    /// Range from which a backoff is drawn uniformly, in slots.
    #[setting(default = Draw::Inclusive, absent = "\"inclusive\", in profile \"ns2\" \"exclusive\"")]
    pub draw: Draw,
    /// Point of a slot at which the backoff counter is decremented.
    #[setting(default = Countdown::Over, absent = "\"over\", for n, ac and ax and with `edca` \"begun\"")]
    pub countdown: Countdown,
}

impl MediumAccess {
    /// Checks the settings against one another.
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

    /// Returns the access parameters of a station's EDCAFs, lowest priority first. Without EDCA there is one EDCAF,
    /// with contention window `cw_min`.
    pub(crate) fn accesses(&self, cw_min: u32) -> Vec<Access> {
        let Self { aifsn, cw_max, .. } = *self;
        let plain = Access { aifsn, cw_min, cw_max, txop: Duration::ZERO };
        self.edca.map_or_else(|| vec![plain], |edca| edca.each().to_vec())
    }
}

/// Range from which a backoff is drawn uniformly, for a contention window CW (9.3.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Draw {
    /// 0 to CW
    Inclusive,
    /// 0 to CW - 1 (ns-2)
    Exclusive,
}

/// Point of a slot at which the backoff counter is decremented. It makes a difference only for a slot in which
/// another station begins to transmit. DCF's rule is in 9.3.4.3, EDCA's in 9.19.2.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Countdown {
    /// at the end of an idle slot: DCF
    Over,
    /// at the beginning of a slot, even if another station transmits in that slot: EDCA
    Begun,
}

/// Time until which the Duration field of a frame in a TXOP reserves the medium (8.2.5.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum TxopProtection {
    /// the end of the next frame exchange, if one follows in the TXOP
    Single,
    /// the end of the TXOP
    Multiple,
}
