//! Rounding of airtimes.

use settings::Choice;

/// Rounding of airtimes. Without rounding a frame is preamble and header, then every bit at the data rate: no service
/// and tail bits, no signal extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Rounding {
    /// b to whole microseconds, OFDM to whole symbols, with a short guard interval to whole 4 us
    Standard,
    /// the same, symbols with a short guard interval as they are (ns-3)
    ShortSymbols,
    /// not at all: every bit at the data rate (ns-2)
    None,
}
