//! OFDM (clause 18) and ERP-OFDM (clause 19), 20 MHz: 6 to 54 Mb/s.

use base::Duration;

/// Duration of the PLCP preamble: training sequence 16 us and SIGNAL 4 us.
pub(super) const PREAMBLE: Duration = Duration::from_us(20);
/// Signal extension of each frame at 2.4 GHz, which gives the decoder as much time as at 5 GHz (19.3.2.4).
pub(super) const SIGNAL_EXTENSION: Duration = Duration::from_us(6);
/// Number of SERVICE and tail bits (18.3.2.2).
pub(super) const SERVICE_AND_TAIL: u64 = 16 + 6;

/// Mode of OFDM or ERP-OFDM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ofdm {
    /// Rate, Mb/s: 6, 9, 12, 18, 24, 36, 48 or 54.
    pub rate: u32,
    /// True at 2.4 GHz (ERP-OFDM), where a signal extension follows each frame.
    pub erp: bool,
}

impl Ofdm {
    /// Data rates, Mb/s.
    pub const RATES: [u32; 8] = [6, 9, 12, 18, 24, 36, 48, 54];
    /// Mandatory data rates, Mb/s.
    pub const MANDATORY: [u32; 3] = [6, 12, 24];

    pub(super) fn bps(self) -> u64 {
        u64::from(self.rate) * 1_000_000
    }

    /// Returns the airtime of a frame of `bytes` bytes; a symbol of 4 us carries four bits for each Mb/s of the rate
    /// (18.4.3).
    pub(super) fn airtime(self, bytes: u32) -> Duration {
        let bits = SERVICE_AND_TAIL + 8 * u64::from(bytes);
        let symbols = bits.div_ceil(4 * u64::from(self.rate));
        let frame = PREAMBLE + Duration::from_us(4 * symbols);
        if self.erp { frame + SIGNAL_EXTENSION } else { frame }
    }
}
