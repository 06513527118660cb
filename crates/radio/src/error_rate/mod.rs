//! Error rates of 802.11 frames at a given ratio of signal to noise plus interference (SNR).
//!
//! | file | schemes | error model |
//! |---|---|---|
//! | `table` | OFDM, HT, VHT, HE up to 256-QAM; soft decisions, from link simulations | `table` |
//! | `nist` | OFDM, HT, VHT, HE; hard decisions, a union bound | `nist` |
//! | `yans` | OFDM, HT, VHT, HE; hard decisions, the shortest error paths | `yans` |
//! | `dsss` | DSSS and CCK | all |
//!
//! Signal, noise and interference are those within the occupied channel; interference counts as white noise.
//! `table` and `nist` use the SNR as the ratio of symbol energy to noise density on each subcarrier. In
//! `yans` the subcarriers that carry data share the noise of the whole channel. Left out: frequency-selective
//! fading, phase noise, LDPC codes. Validated: closed forms by hand; the distance spectra against an
//! enumeration of the code's paths; each model against ns-3's, point by point (`tests.rs`).

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

/// Error model for OFDM: how the frame error rate follows from the SNR.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Choice)]
pub enum ErrorModel {
    /// tables by MCS and frame size, from link simulations with soft decisions (ns-3's default)
    Table,
    /// union bound for the convolutional code with hard decisions; needs 3 to 4.5 dB more SNR
    Nist,
    /// union bound over only the shortest error paths of the convolutional code, with hard decisions
    Yans,
}

/// Error rate of one modulation and coding scheme in one error model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorRate {
    model: ErrorModel,
    scheme: Scheme,
    spread: f64,
}

impl ErrorRate {
    /// Creates the error rate of `scheme`. `spread` is the channel width in Hz divided by the number of data
    /// symbols per second on all subcarriers together.
    pub const fn new(model: ErrorModel, scheme: Scheme, spread: f64) -> Self {
        Self { model, scheme, spread }
    }

    /// Returns the probability that `bits` successive bits are received without error; `snr` is the ratio of
    /// signal to noise plus interference, not dB.
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
