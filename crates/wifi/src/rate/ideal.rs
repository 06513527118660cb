//! Ideal rate control: the receiver reports the power of the last frame, and the next frame is sent at the highest
//! rate at which few enough frames would be lost by noise alone.
//!
//! The first rate is the lowest; reports cost no airtime. If an attempt and its repetition fail, each further attempt
//! is one rate lower, since the receiver may have moved away. Interference is not reported.

use super::rates::Rates;
use settings::{Error, Settings, Size};

/// Settings of ideal rate control.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
#[settings(check)]
pub struct Config {
    /// Share of frames that may be lost by noise. ns-3's manager requires a bit error rate of at most 1e-6, which is
    /// 1e-6 of frames with `bytes = "1B"` here.
    #[setting(default = 0.1)]
    pub target: f64,
    /// Length of the frames for which the share is computed, MAC header included.
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

/// State of ideal rate control at a station for one neighbour.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ideal {
    /// Last reported received power, mW; `None` before the first report.
    power: Option<f64>,
}

impl Ideal {
    /// Returns the rate for an attempt; `attempt` counts from 0.
    pub(super) fn rate(&self, rates: &Rates, attempt: u32) -> u8 {
        let Some(power) = self.power else { return 0 };
        let fastest = match rates.least.iter().rposition(|least| power >= *least) {
            Some(rate) => rate,
            None if rates.least.is_empty() => rates.times.len() - 1,
            None => 0,
        };
        (fastest as u8).saturating_sub(attempt.saturating_sub(1) as u8)
    }

    /// Records the received power of the last frame, mW.
    pub(super) fn report_power(&mut self, power: f64) {
        self.power = Some(power);
    }
}
