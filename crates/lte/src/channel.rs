//! SINR between cells and UEs.
//!
//! A cell spreads its power evenly over the band's resource blocks. The interference of another cell is proportional
//! to the share of its blocks in use in that subframe, as if they were spread over the whole band. A cell that sends
//! no data still sends its reference signals (unless `idle_interference = false`): 8 of a block's 168 resource
//! elements (TS 36.211, section 6.10.1.2).

use crate::amc::Direction;
use crate::bandwidth::BLOCK_HZ;
use crate::config::{Config, Reception};
use crate::fading::Fading;
use crate::subframe::{Tti, begins};
use base::Rng;
use radio::Position;
use radio::access::Station;
use radio::power::{self, milliwatts};
use radio::propagation::{self, Propagation};

/// Share of an idle cell's resource elements that carry reference signals.
const REFERENCE_SHARE: f64 = 8.0 / 168.0;

/// Returns the noise power in a resource block, mW, at a receiver with a noise figure of `figure` dB.
fn noise(reception: &Reception, figure: f64) -> f64 {
    milliwatts(match reception.noise_density {
        Some(density) => density + power::decibels(BLOCK_HZ) + figure,
        None => power::noise(BLOCK_HZ, figure),
    })
}

/// Channels between all cells and all UEs.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    propagation: Propagation,
    /// Propagation on the uplink if the uplink has a frequency of its own. The shadowing is the same as on the
    /// downlink.
    upwards: Option<Propagation>,
    enbs: Vec<(Position, f64)>,
    /// Downlink power per resource block, mW, at index `ue * cells + cell`.
    received: Vec<f64>,
    /// Uplink path gain (linear), at the same index.
    gain: Vec<f64>,
    ue_noise: f64,
    /// Share of the resource elements on which a cell without data interferes.
    idle: f64,
    enb_noise: Vec<f64>,
    ue_power: f64,
    blocks: f64,
    stations: u32,
    /// Fading of each pair, [down, up], at the same index as `received`; empty without fading.
    fading: Vec<[Fading; 2]>,
}

impl Channel {
    pub(crate) fn new(config: &Config, seed: u64, name: &str) -> Self {
        let pairs = config.enbs.len() * config.ues.len();
        let rise = config.uplink.noise_rise;
        let at = |frequency: f64| {
            let config = propagation::Config { frequency, ..config.propagation.clone() };
            Propagation::new(&config, propagation::Fading::None, seed, name)
        };
        Self {
            propagation: at(config.propagation.frequency),
            upwards: config.uplink.frequency.map(at),
            enbs: config.enbs.iter().map(|enb| (enb.position, enb.power)).collect(),
            received: vec![0.0; pairs],
            gain: vec![0.0; pairs],
            ue_noise: noise(&config.reception, config.reception.ue_noise_figure),
            idle: if config.reception.idle_interference { REFERENCE_SHARE } else { 0.0 },
            enb_noise: config
                .enbs
                .iter()
                .map(|enb| noise(&config.reception, enb.noise_figure + rise))
                .collect(),
            ue_power: milliwatts(config.uplink.power),
            blocks: f64::from(config.carrier.bandwidth.blocks()),
            stations: config.ues.len() as u32 + 1,
            fading: config.reception.fading.profile().map_or_else(Vec::new, |(profile, doppler)| {
                let band = f64::from(config.carrier.bandwidth.blocks()) * BLOCK_HZ;
                let channel = |ue: usize, cell: usize, way: &str| {
                    let mut rng = Rng::stream(seed, &format!("{name}.ue.{ue}.cell.{cell}.fading.{way}"));
                    Fading::new(profile, doppler, band, &mut rng)
                };
                let pair = |i: usize| (i / config.enbs.len(), i % config.enbs.len());
                (0..pairs)
                    .map(pair)
                    .map(|(ue, cell)| ["down", "up"].map(|way| channel(ue, cell, way)))
                    .collect()
            }),
        }
    }

    /// Returns the SINR between UE `ue` and `cell` under the fading of subframe `at`; `quality` is the SINR without
    /// fading.
    fn faded(&self, ue: usize, cell: usize, direction: Direction, at: Tti, quality: f64) -> f64 {
        match self.fading.get(ue * self.enbs.len() + cell) {
            Some(fading) => fading[direction as usize].effective(quality, begins(at).secs()),
            None => quality,
        }
    }

    pub(crate) fn set_position(&mut self, ue: usize, position: Position) {
        let cells = self.enbs.len();
        for cell in 0..cells {
            let (at, power) = self.enbs[cell];
            // Stations numbered after the UEs stand for the eNodeBs, so that each pair has a shadowing of its own.
            let enb = Station(self.stations + cell as u32);
            let ends = ((enb, at), (Station(ue as u32 + 1), position));
            let received = self.propagation.received(power, ends.0, ends.1);
            let i = ue * cells + cell;
            self.received[i] = milliwatts(received) / self.blocks;
            let gain = match &mut self.upwards {
                Some(propagation) => propagation.received(0.0, ends.0, ends.1),
                None => received - power,
            };
            self.gain[i] = milliwatts(gain);
        }
    }

    /// Returns the cell that UE `ue` receives with the highest mean power.
    pub(crate) fn strongest(&self, ue: usize) -> usize {
        let cells = self.enbs.len();
        let powers = &self.received[ue * cells..(ue + 1) * cells];
        (1..cells).fold(0, |best, cell| if powers[cell] > powers[best] { cell } else { best })
    }

    /// Returns the SINR (linear) of `cell` at UE `ue` in subframe `at`. `load` returns the share of its resource
    /// blocks that a cell uses.
    pub(crate) fn downlink(&self, ue: usize, cell: usize, at: Tti, load: impl Fn(usize) -> f64) -> f64 {
        let cells = self.enbs.len();
        let powers = &self.received[ue * cells..(ue + 1) * cells];
        let mut noise = self.ue_noise;
        for (other, power) in powers.iter().enumerate() {
            if other != cell {
                noise += power * load(other).max(self.idle);
            }
        }
        self.faded(ue, cell, Direction::Down, at, powers[cell] / noise)
    }

    /// Returns the SINR (linear) at UE `ue` in the control region of `cell` in subframe `at`. In control regions
    /// every cell sends at full power.
    pub(crate) fn control(&self, ue: usize, cell: usize, at: Tti) -> f64 {
        self.downlink(ue, cell, at, |_| 1.0)
    }

    /// Returns the SNR (linear) of UE `ue` at `cell` in subframe `at`, if the UE spreads its power over `blocks`
    /// resource blocks.
    pub(crate) fn uplink(&self, ue: usize, cell: usize, at: Tti, blocks: u32) -> f64 {
        let gain = self.gain[ue * self.enbs.len() + cell];
        let quality = self.ue_power * gain / f64::from(blocks) / self.enb_noise[cell];
        self.faded(ue, cell, Direction::Up, at, quality)
    }

    /// Returns the mean received power (RSRP) of each cell at UE `ue`, dBm per resource block, without fading.
    pub(crate) fn powers(&self, ue: usize) -> Vec<f64> {
        let cells = self.enbs.len();
        self.received[ue * cells..(ue + 1) * cells].iter().map(|&power| power::dbm(power)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Enb, Ue};

    /// An uplink carrier of half the frequency gains 6.02 dB (Friis); the downlink keeps its frequency.
    #[test]
    fn the_uplink_may_have_a_carrier_of_its_own() {
        let of = |frequency: Option<f64>| {
            let mut config =
                Config { enbs: vec![Enb::default()], ues: vec![Ue::default()], ..Config::default() };
            config.uplink.frequency = frequency;
            let mut channel = Channel::new(&config, 1, "lte");
            channel.set_position(0, Position::new(1000.0, 0.0, 0.0));
            (channel.downlink(0, 0, 0, |_| 0.0), channel.uplink(0, 0, 0, 1))
        };
        let shared = of(None);
        let half = of(Some(1.06e9));
        assert_eq!(half.0, shared.0);
        assert!((power::decibels(half.1 / shared.1) - 6.0206).abs() < 1e-3);
        assert_eq!(of(Some(2.12e9)).0, shared.0);
        assert!((of(Some(2.12e9)).1 / shared.1 - 1.0).abs() < 1e-12);
    }
}
