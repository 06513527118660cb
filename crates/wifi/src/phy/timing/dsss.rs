//! DSSS (clause 16) and HR/DSSS (clause 17): 1, 2, 5.5 and 11 Mb/s.

use base::Duration;
use settings::Choice;

/// PLCP preamble and header (17.2.2.2 and 17.2.2.3). The long one takes 144 us and 48 us, both at 1 Mb/s. The short
/// one takes 72 us at 1 Mb/s and 24 us at 2 Mb/s; frames at 1 Mb/s always have the long one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Preamble {
    /// 192 us, with the PLCP header
    Long,
    /// 96 us, with the PLCP header
    Short,
}

/// Mode of DSSS or HR/DSSS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dsss {
    /// Rate in units of 100 kb/s: 10, 20, 55 or 110.
    pub rate: u32,
    /// Preamble.
    pub preamble: Preamble,
}

impl Dsss {
    /// Data rates, in units of 100 kb/s.
    pub const RATES: [u32; 4] = [10, 20, 55, 110];

    pub(super) fn bps(self) -> u64 {
        u64::from(self.rate) * 100_000
    }

    pub(super) fn preamble(self) -> Duration {
        let short = self.preamble == Preamble::Short && self.rate > 10;
        Duration::from_us(if short { 96 } else { 192 })
    }

    /// Returns the airtime of a frame of `bytes` bytes; the time of the MPDU is rounded up to whole microseconds
    /// (17.3.4).
    pub(super) fn airtime(self, bytes: u32) -> Duration {
        let tenths = u64::from(bytes) * 80;
        self.preamble() + Duration::from_us(tenths.div_ceil(u64::from(self.rate)))
    }
}
