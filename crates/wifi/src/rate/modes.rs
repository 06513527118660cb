//! Modes from which rate control chooses.

use super::settings::RateControl;
use crate::phy::timing::{Dsss, He, Ht, Mode, Ofdm, Vht};

/// Returns the modes that data frames may have, slowest first, up to `data`; without rate control, `data` alone.
pub(crate) fn modes(data: Mode, control: &RateControl) -> Vec<Mode> {
    if *control == RateControl::Constant {
        return vec![data];
    }
    let mut modes: Vec<Mode> = match data {
        Mode::Dsss(top) => {
            let rates = Dsss::RATES.into_iter().filter(|rate| *rate <= top.rate);
            rates.map(|rate| Mode::Dsss(Dsss { rate, ..top })).collect()
        }
        Mode::Ofdm(top) => {
            let rates = Ofdm::RATES.into_iter().filter(|rate| *rate <= top.rate);
            rates.map(|rate| Mode::Ofdm(Ofdm { rate, ..top })).collect()
        }
        Mode::Ht(top) => (0..=top.mcs).map(|mcs| Mode::Ht(Ht { mcs, ..top })).collect(),
        Mode::Vht(top) => {
            let last = |streams| if streams == top.streams { top.mcs } else { 9 };
            let all = (1..=top.streams)
                .flat_map(|streams| (0..=last(streams)).map(move |mcs| Vht { mcs, streams, ..top }));
            all.filter(|mode| mode.exists()).map(Mode::Vht).collect()
        }
        Mode::He(top) => {
            let last = |streams| if streams == top.streams { top.mcs } else { He::MCS };
            let all = (1..=top.streams)
                .flat_map(|streams| (0..=last(streams)).map(move |mcs| He { mcs, streams, ..top }));
            all.map(Mode::He).collect()
        }
    };
    modes.retain(|mode| mode.bps() <= data.bps());
    // The sort is stable: of modes with equal rates, the one with fewer streams comes first.
    modes.sort_by_key(|mode| mode.bps());
    modes
}
