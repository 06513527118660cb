//! Properties of the modes that rate control uses.

use crate::phy::timing::Mode;
use base::Duration;

/// Properties of the modes, by number, slowest first.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    /// Times of a packet of 1500 bytes that is sent alone: its overhead (AIFS, half of CWmin in slots, preamble,
    /// header, SIFS, ACK), and its bits.
    pub(crate) times: Vec<[Duration; 2]>,
    /// Least received power of each mode, mW, at which the share of lost frames is at most `ideal::Config::target`;
    /// empty if reception depends on power alone.
    pub(crate) least: Vec<f64>,
    /// Rates that ARF climbs step by step, slowest first; see [`ladder`].
    pub(crate) ladder: Vec<u8>,
}

/// Returns the numbers of the modes that ARF climbs, slowest first. A mode is left out if another one, with another
/// number of streams, is as fast or faster and needs less power.
pub(super) fn ladder(modes: &[Mode], least: &[f64]) -> Vec<u8> {
    let outdone = |i: usize| {
        let by = |j: usize| {
            let other = modes[j].streams() != modes[i].streams();
            other && modes[j].bps() >= modes[i].bps() && least[j] < least[i]
        };
        !least.is_empty() && (0..modes.len()).any(by)
    };
    (0..modes.len()).filter(|i| !outdone(*i)).map(|i| i as u8).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Phy;
    use crate::phy::reception::Robustness;
    use crate::phy::timing::{GuardInterval, Standard, Width};

    /// Returns the MCS on the rate ladder among the first `count` at 20 MHz. With `noise`, required powers are those of
    /// the default receiver; otherwise no required powers are known.
    fn climbs(count: u8, noise: bool) -> Vec<u8> {
        let mcs = |mcs| Standard::N.mcs(mcs, Width::Mhz20, GuardInterval::Long).expect("an MCS");
        let mut all: Vec<(u8, Mode)> = (0..count).map(|number| (number, mcs(number))).collect();
        all.sort_by_key(|(_, mode)| mode.bps());
        let modes: Vec<Mode> = all.iter().map(|(_, mode)| *mode).collect();
        let least =
            modes.iter().map(|mode| Robustness::new(*mode, &Phy::default(), 7.0).least_power(1538, 0.1));
        let least = if noise { least.collect() } else { Vec::new() };
        ladder(&modes, &least).into_iter().map(|rate| all[usize::from(rate)].0).collect()
    }

    /// An MCS that another outdoes in both rate and required SNR is not on the ladder.
    ///
    /// Two streams share the power, which costs each 3 dB. Even so, MCS 10 (QPSK 3/4, two streams) needs less SNR than MCS 3 (16-QAM
    /// 1/2, one stream) and is 1.5 times as fast. In the same way MCS 11 replaces MCS 4, and MCS 12 (16-QAM 3/4, two streams) the
    /// 64-QAM modes of one stream. With one stream every MCS is on the ladder.
    #[test]
    fn a_ladder_has_no_step_that_another_outdoes() {
        assert_eq!(climbs(16, true), [0, 1, 8, 2, 9, 10, 11, 12, 13, 14, 15]);
        assert_eq!(climbs(8, true), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(climbs(16, false).len(), 16);
    }
}
