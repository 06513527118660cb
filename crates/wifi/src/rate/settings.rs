//! How the mode of data frames is chosen.

use super::{arf, ideal, minstrel};
use crate::error::ConfigError;

/// How a station chooses the mode of data.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum RateControl {
    /// Always `phy.data`.
    #[default]
    Constant,
    /// Automatic rate fallback: by attempts that failed and succeeded in a row.
    Arf(arf::Config),
    /// By the ratio of signal to noise that the receiver tells.
    Ideal(ideal::Config),
    /// By what samples of all rates have brought.
    MinstrelHt(minstrel::Config),
}

impl RateControl {
    pub(crate) fn check(&self) -> Result<(), ConfigError> {
        let fail = |field, message: String| Err(ConfigError { field, message });
        match self {
            Self::Constant => Ok(()),
            Self::Arf(config) => {
                if config.successes == 0 || config.failures == 0 || config.timer == 0 {
                    return fail(
                        "phy.rate_control",
                        "successes, failures and timer are at least 1".to_owned(),
                    );
                }
                Ok(())
            }
            Self::Ideal(config) => {
                if config.target > 0.0 && config.target < 1.0 {
                    return Ok(());
                }
                let message = format!("an error rate between 0 and 1, not {}", config.target);
                fail("phy.rate_control.target", message)
            }
            Self::MinstrelHt(config) => {
                if config.interval.is_zero() {
                    return fail("phy.rate_control.interval", "longer than zero".to_owned());
                }
                for (field, share) in [
                    ("phy.rate_control.lookaround", config.lookaround),
                    ("phy.rate_control.ewma", config.ewma),
                ] {
                    if !(0.0..1.0).contains(&share) {
                        return fail(field, format!("0 or more and less than 1, not {share}"));
                    }
                }
                if config.tries == 0 {
                    return fail("phy.rate_control.tries", "at least 1".to_owned());
                }
                Ok(())
            }
        }
    }
}
