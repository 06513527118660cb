//! Signal quality between cells and UEs.
//!
//! A cell spreads its power evenly over the band's resource blocks. Another cell interferes in proportion to the share of its
//! blocks in use in that subframe, as if they were spread over all blocks; a cell that sends no data still sends its
//! reference signals, 8 of a block's 168 resource elements (TS 36.211, section 6.10.1.2). Thermal noise is -174 dBm/Hz.

use crate::bandwidth::BLOCK_HZ;
use crate::config::Config;
use radio::Position;
use radio::access::Station;
use radio::propagation::Propagation;

/// Share of an idle cell's resource elements that carry reference signals.
const REFERENCE_SHARE: f64 = 8.0 / 168.0;

/// Thermal noise in a resource block for a receiver of this noise figure, mW.
fn noise(figure: f64) -> f64 {
    milliwatts(-174.0 + figure) * BLOCK_HZ
}

fn milliwatts(dbm: f64) -> f64 {
    libm::pow(10.0, dbm / 10.0)
}

/// The channel between every cell and every UE.
#[derive(Clone, Debug)]
pub(crate) struct Channel {
    propagation: Propagation,
    enbs: Vec<(Position, f64)>,
    /// Downlink power per block, mW, UE by UE, each with all cells.
    received: Vec<f64>,
    /// Uplink path gain, in the same order.
    gain: Vec<f64>,
    ue_noise: f64,
    enb_noise: Vec<f64>,
    ue_power: f64,
    blocks: f64,
    stations: u32,
}

impl Channel {
    pub fn new(config: &Config, seed: u64, name: &str) -> Self {
        let pairs = config.enbs.len() * config.ues.len();
        let rise = config.uplink.noise_rise;
        Self {
            propagation: Propagation::new(&config.propagation, seed, name),
            enbs: config.enbs.iter().map(|enb| (enb.position, enb.power)).collect(),
            received: vec![0.0; pairs],
            gain: vec![0.0; pairs],
            ue_noise: noise(config.ue_noise_figure),
            enb_noise: config.enbs.iter().map(|enb| noise(enb.noise_figure + rise)).collect(),
            ue_power: milliwatts(config.uplink.power),
            blocks: f64::from(config.bandwidth.blocks()),
            stations: config.ues.len() as u32 + 1,
        }
    }

    /// UE `ue` is at `position` now.
    pub fn place(&mut self, ue: usize, position: Position) {
        let cells = self.enbs.len();
        for cell in 0..cells {
            let (at, power) = self.enbs[cell];
            // eNodeBs are numbered after the UEs, so that each pair has a shadowing of its own.
            let enb = Station(self.stations + cell as u32);
            let received = self.propagation.received(power, (enb, at), (Station(ue as u32 + 1), position));
            let i = ue * cells + cell;
            self.received[i] = milliwatts(received) / self.blocks;
            self.gain[i] = milliwatts(received - power);
        }
    }

    /// The cell that UE `ue` receives best.
    pub fn strongest(&self, ue: usize) -> usize {
        let cells = self.enbs.len();
        let powers = &self.received[ue * cells..(ue + 1) * cells];
        (1..cells).fold(0, |best, cell| if powers[cell] > powers[best] { cell } else { best })
    }

    /// Signal to interference and noise at UE `ue` from `cell`, where `load` says what share of its blocks each cell uses.
    pub fn downlink(&self, ue: usize, cell: usize, load: impl Fn(usize) -> f64) -> f64 {
        let cells = self.enbs.len();
        let powers = &self.received[ue * cells..(ue + 1) * cells];
        let mut noise = self.ue_noise;
        for (other, power) in powers.iter().enumerate() {
            if other != cell {
                noise += power * load(other).max(REFERENCE_SHARE);
            }
        }
        powers[cell] / noise
    }

    /// Signal to noise at `cell` from UE `ue` that spreads its power over `blocks` blocks.
    pub fn uplink(&self, ue: usize, cell: usize, blocks: u32) -> f64 {
        let gain = self.gain[ue * self.enbs.len() + cell];
        self.ue_power * gain / f64::from(blocks) / self.enb_noise[cell]
    }
}
