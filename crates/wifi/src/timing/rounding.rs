//! How airtimes are rounded.

/// How airtimes are rounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounding {
    /// As the standard: DSSS to whole microseconds, OFDM to whole symbols, HT with a short guard interval to whole 4 us.
    #[default]
    Standard,
    /// As the standard, but symbols with a short guard interval count as they are: ns-3.
    ShortSymbols,
    /// Not at all: preamble and header, then every bit at the data rate, no service and tail bits, no signal extension: ns-2.
    None,
}
