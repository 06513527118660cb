//! Rate control: the parameters laid over the usual ones.

use crate::scenario::wire::rate_control as wire;
use crate::scenario::wire::scalar::Time;
use wifi::rate::{ArfConfig, IdealConfig, MinstrelConfig, RateControl};

/// What a table means.
pub fn rate_control(given: &wire::RateControl) -> RateControl {
    match given {
        wire::RateControl::Constant(wire::Constant {}) => RateControl::Constant,
        wire::RateControl::Arf(own) => {
            let usual = ArfConfig::default();
            RateControl::Arf(ArfConfig {
                successes: own.successes.unwrap_or(usual.successes),
                failures: own.failures.unwrap_or(usual.failures),
                timer: own.timer.unwrap_or(usual.timer),
            })
        }
        wire::RateControl::Ideal(own) => {
            let target = own.target.unwrap_or(IdealConfig::default().target);
            RateControl::Ideal(IdealConfig { target })
        }
        wire::RateControl::MinstrelHt(own) => {
            let usual = MinstrelConfig::default();
            RateControl::MinstrelHt(MinstrelConfig {
                interval: own.interval.map_or(usual.interval, |Time(time)| time),
                ewma: own.ewma.unwrap_or(usual.ewma),
                lookaround: own.lookaround.unwrap_or(usual.lookaround),
                tries: own.tries.unwrap_or(usual.tries),
            })
        }
    }
}
