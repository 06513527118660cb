//! Rounding of airtimes.

use settings::Choice;

/// Rounding of airtimes. Without rounding a frame consists of preamble and header and then of every bit at the data
/// rate, without service and tail bits and without signal extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum Rounding {
    /// DSSS and CCK up to whole microseconds, OFDM up to whole symbols, symbols with a short guard interval up to a
    /// multiple of 4 us
    Standard,
    /// as "standard", but symbols with a short guard interval are not rounded (ns-3)
    ShortSymbols,
    /// none: every bit at the data rate (ns-2)
    None,
}
