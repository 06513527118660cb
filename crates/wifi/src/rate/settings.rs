//! Settings of rate control.

use super::{arf, ideal, minstrel};
use settings::Kinds;

/// Rate control: the choice of the data rate; `rate` or `mcs` is the highest.
#[derive(Clone, Copy, PartialEq, Debug, Default, Kinds)]
#[settings(what = "rate control")]
pub enum RateControl {
    /// Always `rate` or `mcs`.
    #[default]
    Constant,
    /// Automatic rate fallback: by consecutive attempts that succeeded or failed.
    Arf(arf::Config),
    /// By the signal-to-noise ratio that the receiver reports.
    Ideal(ideal::Config),
    /// Minstrel-HT: by the expected throughput of each rate, from an average of its delivery ratio; some packets
    /// probe other rates.
    MinstrelHt(minstrel::Config),
}
