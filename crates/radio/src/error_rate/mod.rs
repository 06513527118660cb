//! Error rates of 802.11 frames at a given ratio of signal to noise and interference.
//!
//! | file | what | model |
//! |---|---|---|
//! | `table` | OFDM, HT, VHT, HE up to 256-QAM with soft decisions, from link simulations | `table` |
//! | `nist` | OFDM, HT, VHT, HE with hard decisions, a bound | `nist` |
//! | `yans` | OFDM, HT, VHT, HE with hard decisions, the shortest paths | `yans` |
//! | `dsss` | DSSS and CCK | all |
//!
//! The SNR is that of the occupied channel; noise and interference are those within it, and interference counts as
//! white noise. `table` and `nist` take it as each subcarrier's energy of a symbol over the noise density; `yans` has
//! the noise of the whole channel shared by the subcarriers that carry data. Left out: selectivity in frequency, phase
//! noise, LDPC codes. Validated: closed forms by hand; the distance spectra against an enumeration of the code's paths;
//! each model against ns-3's, point by point (`tests.rs`).

mod dsss;
mod nist;
mod scheme;
mod table;
#[cfg(test)]
mod tests;
mod yans;

use libm::{exp, log1p};
use settings::Choice;

pub use scheme::{Coding, Constellation, Scheme};

/// The source of the error rates of OFDM.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum ErrorModel {
    /// tables by MCS and frame size, from link simulations with soft decisions (ns-3's default)
    Table,
    /// a bound on the convolutional code with hard decisions, 3 to 4.5 dB worse
    Nist,
    /// the shortest paths of that code, with hard decisions
    Yans,
}

/// The error rate of one modulation and coding scheme by one model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorRate {
    model: ErrorModel,
    scheme: Scheme,
    spread: f64,
}

impl ErrorRate {
    /// Creates the error rate of `scheme`; `spread` is the width of the channel, Hz, divided by the data symbols per
    /// second on all its subcarriers.
    pub const fn new(model: ErrorModel, scheme: Scheme, spread: f64) -> Self {
        Self { model, scheme, spread }
    }

    /// Returns the probability that `bits` bits in a row arrive without an error at a ratio of signal to noise and
    /// interference (not dB).
    pub fn success(&self, snr: f64, bits: f64) -> f64 {
        let error = match self.scheme {
            Scheme::Dsss1 => dsss::dbpsk(snr),
            Scheme::Dsss2 => dsss::dqpsk(snr),
            Scheme::Cck5 => dsss::cck5(snr),
            Scheme::Cck11 => dsss::cck11(snr),
            Scheme::Ofdm(constellation, coding) => match self.model {
                ErrorModel::Nist => coding.bit_error(constellation.bit_error(snr)),
                ErrorModel::Yans => yans::error(constellation, coding, snr * self.spread),
                ErrorModel::Table => match table::success(constellation, coding, snr, bits) {
                    Some(success) => return success,
                    None => yans::error(constellation, coding, snr * self.spread),
                },
            },
        };
        exp(bits * log1p(-error))
    }
}
