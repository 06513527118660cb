//! Access categories and rate control of 802.11 written back.

use crate::scenario::wire::edca::{Access, Edca};
use crate::scenario::wire::rate_control::{Arf, Constant, Ideal, MinstrelHt, RateControl};
use crate::scenario::wire::scalar::Time;
use wifi::rate;

/// The parameters of EDCA.
pub(super) fn edca(edca: wifi::edca::Edca) -> Edca {
    let access = |access: wifi::edca::Access| {
        Some(Access {
            aifsn: Some(access.aifsn),
            cw_min: Some(access.cw_min),
            cw_max: Some(access.cw_max),
            txop: Some(Time(access.txop)),
        })
    };
    let [background, best_effort, video, voice] = edca.0.map(access);
    Edca { background, best_effort, video, voice }
}

/// How rates are chosen.
pub(super) fn rate_control(control: &rate::RateControl) -> RateControl {
    match *control {
        rate::RateControl::Constant => RateControl::Constant(Constant {}),
        rate::RateControl::Arf(rate::ArfConfig { successes, failures, timer }) => {
            RateControl::Arf(Arf { successes: Some(successes), failures: Some(failures), timer: Some(timer) })
        }
        rate::RateControl::Ideal(rate::IdealConfig { target }) => {
            RateControl::Ideal(Ideal { target: Some(target) })
        }
        rate::RateControl::MinstrelHt(rate::MinstrelConfig { interval, ewma, lookaround, tries }) => {
            RateControl::MinstrelHt(MinstrelHt {
                interval: Some(Time(interval)),
                ewma: Some(ewma),
                lookaround: Some(lookaround),
                tries: Some(tries),
            })
        }
    }
}
