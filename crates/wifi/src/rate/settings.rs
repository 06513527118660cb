//! Choice of the mode of data frames.

use super::{arf, ideal, minstrel};
use settings::Kinds;

/// Choice of the rate of data; `rate` or `mcs` is the fastest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Kinds)]
#[settings(what = "rate control")]
pub enum RateControl {
    /// Always `rate` or `mcs`.
    #[default]
    Constant,
    /// Automatic rate fallback: by attempts that succeeded or failed in a row.
    Arf(arf::Config),
    /// By the ratio of signal to noise that the receiver reports.
    Ideal(ideal::Config),
    /// By the success of samples of all rates.
    MinstrelHt(minstrel::Config),
}
