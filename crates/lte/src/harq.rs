//! Hybrid ARQ: transport blocks on the air (TS 36.321, sections 5.3.2 and 5.4.2; TS 36.213, section 7).
//!
//! Each UE and direction has eight processes. A transport block that fails is sent again 8 ms later with the
//! same MCS and the same number of resource blocks, up to the configured number of transmissions. The
//! receiver combines the transmissions: Chase combining, or incremental redundancy if `error_model` is
//! "miesm" or "miesm-ns3". With Chase combining the SINR after k transmissions is the sum of their SINRs.
//! Each block has one random draw, and fails while the draw is below the error rate at this sum. So the
//! probability that the block still fails after k transmissions is the error rate at the sum of k SINRs, and
//! the residual error rate is that after the last transmission. Left out: errors of acknowledgments, CRC
//! misses.

use crate::amc::Amc;
use crate::miesm::Gathered;
use crate::rlc::Pdu;
use crate::subframe::Tti;

/// HARQ processes of a UE in each direction (TS 36.213, section 7: FDD).
pub(crate) const PROCESSES: usize = 8;

/// Subframes from one transmission of a block to the next.
pub(crate) const ROUND_TRIP: Tti = 8;

/// MAC header of a transport block with a single PDU, bytes (TS 36.321, section 6.1.2). A second PDU adds a subheader
/// with its length, which is counted where the PDU is added.
pub(crate) const MAC_HEADER: u32 = 1;

/// Transport block with the state of its HARQ process.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) ue: u32,
    /// Number of the UE's stay in a cell; a block of an earlier stay is discarded.
    pub(crate) stay: u32,
    pub(crate) process: u8,
    pub(crate) mcs: u8,
    /// Resource blocks that the transport block occupies.
    pub(crate) blocks: u32,
    /// Size of the transport block, bytes.
    pub(crate) bytes: u32,
    /// Transmissions so far.
    pub(crate) attempts: u32,
    /// Sum over its transmissions of the SINR or, unless the error model is
    /// [`ErrorModel::Capacity`](crate::amc::ErrorModel::Capacity), of the mutual information.
    pub(crate) gathered: f64,
    /// Uniform random number on [0, 1), drawn once: the block fails while the error rate is above it.
    pub(crate) draw: f64,
    /// Subframe of the first transmission.
    pub(crate) first: Tti,
    /// Buffer status report, uplink only: bytes that still waited in the UE when the block was made.
    pub(crate) report: u64,
    /// True if the UE has missed the assignment of a transmission. It then sends no NACK, and the block is not sent
    /// again.
    pub(crate) missed: bool,
    pub(crate) pdus: Vec<Pdu>,
}

impl Block {
    /// Counts a transmission whose assignment the UE missed; returns false, as the block cannot be decoded.
    pub(crate) fn miss(&mut self) -> bool {
        self.attempts += 1;
        self.missed = true;
        false
    }

    /// Counts a transmission at SINR `quality` (linear); returns true if the block can be decoded now.
    pub(crate) fn transmit(&mut self, quality: f64, amc: &Amc) -> bool {
        self.attempts += 1;
        let last = amc.gathers(self.mcs, quality);
        let gathered = Gathered { transmissions: self.attempts, earlier: self.gathered, last };
        self.gathered += last;
        self.draw >= amc.error_rate(self.mcs, 8 * self.bytes, gathered)
    }
}

/// Downlink HARQ processes of a UE: the subframe from which each is free.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Processes([Tti; PROCESSES]);

impl Processes {
    /// Returns a process that is free in subframe `now`; `None` if all are busy.
    pub(crate) fn free(&self, now: Tti) -> Option<u8> {
        self.0.iter().position(|&from| from <= now).map(|i| i as u8)
    }

    /// Marks a process as busy until subframe `until`.
    pub(crate) fn hold(&mut self, process: u8, until: Tti) {
        self.0[usize::from(process)] = until;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amc::{Adaptation, Carried, Curve, Direction, ErrorModel};
    use base::Rng;

    fn block(draw: f64, mcs: u8) -> Block {
        let pdus = Vec::new();
        Block {
            ue: 0,
            stay: 0,
            process: 0,
            mcs,
            blocks: 1,
            bytes: 1,
            attempts: 0,
            gathered: 0.0,
            draw,
            first: 0,
            report: 0,
            missed: false,
            pdus,
        }
    }

    /// The share of blocks that fail k times equals the error rate at k times the SNR, within three standard errors.
    #[test]
    fn residual_errors_are_the_curve_at_the_sum_of_qualities() {
        let once = |last| Gathered { transmissions: 1, earlier: 0.0, last };
        let amc = Amc::new(Carried {
            direction: Direction::Down,
            curve: Curve { gap_db: 2.5, slope_db: 2.0 },
            errors: ErrorModel::Capacity,
            adaptation: Adaptation::Capacity,
            blocks: 50,
            reported: 50,
            elements: 150,
            highest: 28,
        });
        let mcs = 15;
        let quality = amc.threshold(mcs) / 4.0;
        let n = 100_000;
        let mut rng = Rng::stream(1, "harq");
        let mut failed = [0; 4];
        for _ in 0..n {
            let mut block = block(rng.uniform(), mcs);
            for count in &mut failed {
                if block.transmit(quality, &amc) {
                    break;
                }
                *count += 1;
            }
        }
        for (k, &count) in failed.iter().enumerate() {
            let p = amc.error_rate(mcs, 8, once(quality * (k + 1) as f64));
            let error = libm::sqrt(p * (1.0 - p) / f64::from(n));
            let share = f64::from(count) / f64::from(n);
            assert!((share - p).abs() < 3.0 * error + 1e-9, "{} transmissions: {share} against {p}", k + 1);
        }
        // Four transmissions make up for an SNR lower by 6 dB: the error rate is 0.1 again.
        assert!((amc.error_rate(mcs, 8, once(quality * 4.0)) - 0.1).abs() < 1e-9);
    }

    #[test]
    fn eight_processes() {
        let mut processes = Processes::default();
        for now in 0..8 {
            let process = processes.free(now).expect("free");
            processes.hold(process, now + ROUND_TRIP);
        }
        assert_eq!(processes.free(7), None);
        assert_eq!(processes.free(8), Some(0));
    }
}
