//! DSSS (clause 16) and HR/DSSS (clause 17): 1, 2, 5.5 and 11 Mb/s.

use base::Duration;
use settings::Choice;

/// The PLCP preamble and header, clauses 17.2.2.2 and 17.2.2.3. The long one has 144 us and 48 us, all at 1 Mb/s; the short one 72 us at
/// 1 Mb/s and 24 us at 2 Mb/s, and frames at 1 Mb/s keep the long one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Preamble {
    /// 192 us with the header
    Long,
    /// 96 us with the header
    Short,
}

/// A mode of DSSS or HR/DSSS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dsss {
    /// Rate in units of 100 kb/s: 10, 20, 55 or 110.
    pub rate: u32,
    /// The preamble.
    pub preamble: Preamble,
}

impl Dsss {
    /// The rates in units of 100 kb/s.
    pub const RATES: [u32; 4] = [10, 20, 55, 110];

    pub(super) fn bps(self) -> u64 {
        u64::from(self.rate) * 100_000
    }

    pub(super) fn preamble(self) -> Duration {
        let short = self.preamble == Preamble::Short && self.rate > 10;
        Duration::from_us(if short { 96 } else { 192 })
    }

    /// Returns the airtime of a frame: the MPDU's time is rounded up to whole microseconds (17.3.4).
    pub(super) fn airtime(self, bytes: u32) -> Duration {
        let tenths = u64::from(bytes) * 80;
        self.preamble() + Duration::from_us(tenths.div_ceil(u64::from(self.rate)))
    }
}
