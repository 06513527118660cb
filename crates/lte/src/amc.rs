//! Adaptive modulation and coding: from signal quality to the report (CQI), to the scheme (MCS), to errors.
//!
//! | step | source |
//! |---|---|
//! | CQI to efficiency | TS 36.213, table 7.2.3-1 |
//! | MCS to modulation and I_TBS | TS 36.213, tables 7.1.7.1-1 (downlink), 8.6.1-1 (uplink) |
//! | efficiency of an MCS | its transport block over the band's resource elements |
//! | CQI to MCS | the highest MCS whose efficiency is no more than the CQI's; MCS 0 for CQI 1, which is a little below it |
//! | no code rate above 0.931 | TS 36.213, section 7.1.7: a UE need not decode it |
//!
//! The quality that an efficiency of `e` bit per resource element needs for one error in ten transport blocks, which is what
//! a CQI promises (TS 36.213, section 7.2.3), is `gap * (2^e - 1)`: capacity with a distance ([`Curve::gap_db`]). The default
//! of 2.5 dB lies within 1 dB of the thresholds commonly given for CQI 1 to 15 in white noise (-6.9, -5.1, -3.2, -1.3, 0.8, 2.7, 4.7,
//! 6.5, 8.6, 10.4, 12.3, 14.2, 15.9, 17.8, 19.8 dB, from link simulations with turbo codes). Around its threshold
//! the error rate falls as a logistic function of the quality in dB: `1 / (1 + 9 exp((q - threshold) / slope))`; with the default
//! slope of 0.25 dB from 10 % to 1 % within 0.6 dB, as long turbo codes do. Left out: that short blocks fall less steeply.

use crate::tbs;
use settings::Settings;

/// Efficiency of CQI 1 to 15, bit per resource element (TS 36.213, table 7.2.3-1).
const CQI_EFFICIENCY: [f64; 15] = [
    0.1523, 0.2344, 0.3770, 0.6016, 0.8770, 1.1758, 1.4766, 1.9141, 2.4063, 2.7305, 3.3223, 3.9023, 4.5234,
    5.1152, 5.5547,
];

/// The highest code rate that a UE must decode (TS 36.213, section 7.1.7).
const MAX_CODE_RATE: f64 = 0.931;

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Direction {
    /// To the UE.
    Down,
    /// From the UE.
    Up,
}

impl Direction {
    /// The other one.
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Down => Self::Up,
            Self::Up => Self::Down,
        }
    }
}

/// Bits per symbol and I_TBS of an MCS from 0 to 28.
const fn scheme(direction: Direction, mcs: u8) -> (u32, u8) {
    let (qpsk, qam16) = match direction {
        Direction::Down => (9, 16),
        Direction::Up => (10, 20),
    };
    if mcs <= qpsk {
        (2, mcs)
    } else if mcs <= qam16 {
        (4, mcs - 1)
    } else {
        (6, mcs - 2)
    }
}

/// How errors depend on quality.
#[derive(Clone, Copy, PartialEq, Debug, Settings)]
pub struct Curve {
    /// Distance from capacity at which one transport block in ten fails, dB.
    #[setting(name = "error_gap", default = 2.5, range = 0.0..=30.0)]
    pub gap_db: f64,
    /// How much more quality divides the odds of an error by e, dB.
    #[setting(name = "error_slope", default = 0.25, range = 0.01..=30.0)]
    pub slope_db: f64,
}

impl Curve {
    /// The signal to noise ratio, not in dB, at which blocks of `efficiency` bit per resource element fail one time in ten.
    pub fn threshold(&self, efficiency: f64) -> f64 {
        libm::pow(10.0, self.gap_db / 10.0) * (libm::exp2(efficiency) - 1.0)
    }

    /// How many times the threshold a quality must be for the error rate to be below `2^-53`, less than any number that is drawn.
    fn certain(&self) -> f64 {
        libm::pow(10.0, self.slope_db * libm::log(libm::exp2(53.0) / 9.0) / 10.0)
    }

    /// The probability of an error at `quality` for blocks of this `threshold`, both not in dB.
    #[inline]
    pub fn error_rate(&self, quality: f64, threshold: f64) -> f64 {
        if quality <= 0.0 {
            return 1.0;
        }
        1.0 / (1.0 + 9.0 * libm::exp(10.0 * libm::log10(quality / threshold) / self.slope_db))
    }
}

/// What one direction of a cell makes of signal qualities.
#[derive(Clone, Debug)]
pub(crate) struct Amc {
    curve: Curve,
    /// Quality at which an MCS fails one time in ten; infinite where its code rate is too high.
    thresholds: [f64; 29],
    /// How many times its threshold a quality must be for no error at all.
    certain: f64,
    /// The quality from which a CQI is reported.
    cqi_thresholds: [f64; 15],
    /// The MCS of each CQI from 1.
    mcs_of: [u8; 15],
    i_tbs: [u8; 29],
    highest: u8,
}

impl Amc {
    /// For `blocks` resource blocks that have `elements` resource elements for data each; no MCS above `highest`.
    pub(crate) fn new(direction: Direction, curve: Curve, blocks: u32, elements: u32, highest: u8) -> Self {
        let mut amc = Self {
            curve,
            thresholds: [f64::INFINITY; 29],
            certain: curve.certain(),
            cqi_thresholds: [0.0; 15],
            mcs_of: [0; 15],
            i_tbs: [0; 29],
            highest: 0,
        };
        let mut efficiencies = [f64::INFINITY; 29];
        for mcs in 0..=28 {
            let (order, i_tbs) = scheme(direction, mcs);
            amc.i_tbs[usize::from(mcs)] = i_tbs;
            let efficiency = f64::from(tbs::usable(i_tbs, blocks)) / f64::from(blocks * elements);
            if mcs <= highest && efficiency / f64::from(order) <= MAX_CODE_RATE {
                efficiencies[usize::from(mcs)] = efficiency;
                amc.thresholds[usize::from(mcs)] = curve.threshold(efficiency);
                amc.highest = mcs;
            }
        }
        for (i, &efficiency) in CQI_EFFICIENCY.iter().enumerate() {
            amc.cqi_thresholds[i] = curve.threshold(efficiency);
            amc.mcs_of[i] = (0..=amc.highest)
                .rev()
                .find(|&mcs| efficiencies[usize::from(mcs)] <= efficiency)
                .unwrap_or(0);
        }
        amc
    }

    /// The CQI that a UE reports at `quality`: 0 where not even the first fits.
    pub(crate) fn cqi(&self, quality: f64) -> u8 {
        self.cqi_thresholds.iter().take_while(|&&threshold| threshold <= quality).count() as u8
    }

    /// The MCS for a CQI; `None` for 0, out of range.
    #[inline]
    pub(crate) fn mcs(&self, cqi: u8) -> Option<u8> {
        Some(self.mcs_of[usize::from(cqi.checked_sub(1)?)])
    }

    /// The highest MCS whose blocks fail no more than one time in ten at `quality`.
    pub(crate) fn best(&self, quality: f64) -> Option<u8> {
        (0..=self.highest).rev().find(|&mcs| self.thresholds[usize::from(mcs)] <= quality)
    }

    /// The I_TBS of an MCS.
    #[inline]
    pub(crate) fn i_tbs(&self, mcs: u8) -> u8 {
        self.i_tbs[usize::from(mcs)]
    }

    /// The probability that a block of `mcs` fails at `quality`.
    #[inline]
    pub(crate) fn error_rate(&self, mcs: u8, quality: f64) -> f64 {
        let threshold = self.thresholds[usize::from(mcs)];
        if quality > self.certain * threshold { 0.0 } else { self.curve.error_rate(quality, threshold) }
    }

    /// The quality, not in dB, at which blocks of `mcs` fail one time in ten.
    #[cfg(test)]
    pub(crate) fn threshold(&self, mcs: u8) -> f64 {
        self.thresholds[usize::from(mcs)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn db(x: f64) -> f64 {
        10.0 * libm::log10(x)
    }

    #[test]
    fn schemes_are_the_tables() {
        let down: Vec<u8> = (0..29).map(|mcs| scheme(Direction::Down, mcs).1).collect();
        assert_eq!(down[8..19], [8, 9, 9, 10, 11, 12, 13, 14, 15, 15, 16]);
        assert_eq!(down[28], 26);
        let up: Vec<u8> = (0..29).map(|mcs| scheme(Direction::Up, mcs).1).collect();
        assert_eq!(up[9..23], [9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 19, 20]);
        assert_eq!(up[28], 26);
        assert_eq!(scheme(Direction::Down, 9).0, 2);
        assert_eq!(scheme(Direction::Down, 10).0, 4);
        assert_eq!(scheme(Direction::Down, 17).0, 6);
    }

    #[test]
    fn thresholds_lie_where_link_simulations_put_them() {
        let simulated = [-6.9, -5.1, -3.2, -1.3, 0.8, 2.7, 4.7, 6.5, 8.6, 10.4, 12.3, 14.2, 15.9, 17.8, 19.8];
        for (&efficiency, db_) in CQI_EFFICIENCY.iter().zip(simulated) {
            let ours = db(Curve::default().threshold(efficiency));
            assert!((ours - db_).abs() < 1.0, "{efficiency}: {ours} against {db_}");
        }
    }

    #[test]
    fn a_cqi_promises_one_error_in_ten() {
        let amc = Amc::new(Direction::Down, Curve::default(), 50, 150, 28);
        // MCS 0 needs a little more than CQI 1.
        for cqi in 2..=15 {
            let mcs = amc.mcs(cqi).expect("in range");
            let quality = Curve::default().threshold(CQI_EFFICIENCY[usize::from(cqi) - 1]);
            assert_eq!(amc.cqi(quality), cqi);
            assert!(amc.error_rate(mcs, quality) <= 0.1 + 1e-12, "CQI {cqi}");
        }
        assert_eq!(amc.mcs(15), Some(28));
        assert_eq!(amc.mcs(0), None);
        assert!((amc.error_rate(20, amc.threshold(20)) - 0.1).abs() < 1e-12);
        assert!(amc.error_rate(20, amc.threshold(20) * 0.5) > 0.999);
        let certain = Curve::default().certain();
        let left = Curve::default().error_rate(certain, 1.0) * libm::exp2(53.0);
        assert!((left - 1.0).abs() < 1e-6, "{left}");
    }

    /// Three symbols of control leave 126 elements: 75376 bits in 100 blocks are then a code rate of 0.997.
    #[test]
    fn no_code_rate_beyond_what_ues_decode() {
        let amc = Amc::new(Direction::Down, Curve::default(), 100, 126, 28);
        assert_eq!(amc.mcs(15), Some(27));
    }
}
