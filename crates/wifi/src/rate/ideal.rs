//! Ideal rate control: the receiver tells the power of the last frame, and the next is sent at the fastest rate at
//! which few enough frames fail by noise alone.
//!
//! It begins at the lowest rate; the reports cost no airtime. If the receiver has reported nothing for two attempts,
//! each further one is a rate slower: it may have moved away. Interference is not reported.

use super::rates::Rates;
use settings::{Error, Settings, Size};

/// Settings of ideal rate control.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config {
    /// The share of frames that may fail by noise. ns-3's manager asks for a bit error rate of 1e-6 or less: here 1e-6 of frames of "1B".
    #[setting(default = 0.1)]
    pub target: f64,
    /// Length of those frames, with the MAC header.
    #[setting(default = 1536, range = 1..=65_535, form = Size)]
    pub bytes: u32,
}

impl Config {
    fn check(&self) -> Result<(), Error> {
        if self.target > 0.0 && self.target < 1.0 {
            return Ok(());
        }
        Err(Error::new("target", format!("an error rate between 0 and 1, not {}", self.target)))
    }
}

/// The state of a station for a neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ideal {
    /// Last reported power, mW; `None`: no report yet.
    power: Option<f64>,
}

impl Ideal {
    /// Returns the rate for the attempt of this number, from 0.
    pub(super) fn rate(&self, rates: &Rates, attempt: u32) -> u8 {
        let Some(power) = self.power else { return 0 };
        let fastest = match rates.least.iter().rposition(|least| power >= *least) {
            Some(rate) => rate,
            None if rates.least.is_empty() => rates.times.len() - 1,
            None => 0,
        };
        (fastest as u8).saturating_sub(attempt.saturating_sub(1) as u8)
    }

    /// Notes the receiver's report of the last frame's power.
    pub(super) fn report_power(&mut self, power: f64) {
        self.power = Some(power);
    }
}
