//! Block errors by mutual information per coded bit (MIESM), as in ns-3.37: the mutual information at a SINR in a
//! modulation, and the share of code blocks that fail at this information.
//!
//! `information.csv` lists the mutual information per bit in QPSK, 16QAM and 64QAM against the SINR, in steps of 0.25
//! dB. `curves.csv` lists curves of the code block error rate by size of the code block: the information at which half
//! of the blocks fail, and the standard deviation of the Gaussian whose integral is the curve. Both were measured from
//! ns-3's error model by `validation/ns3/lte_errors.cc`. A transport block fails if any of its code blocks (TS 36.212,
//! section 5.1.2) fails.
//!
//! After k transmissions of a block by HARQ, the information is the mean of the k transmissions' information. The curve
//! is that of the modulation at 1/k of the code rate, or at the next lower code rate that has a curve (incremental
//! redundancy). Left out: transmissions of one block with different sizes.
//!
//! `control.csv` lists the share of control regions (PCFICH and PDCCH) that a UE misses against the SINR, in steps of
//! 0.25 dB.

use std::sync::LazyLock;

/// SINR of the first row of `information.csv`, dB; `STEP_DB` is the step from row to row, dB.
const FIRST_DB: f64 = -20.0;
const STEP_DB: f64 = 0.25;

/// Mutual information per bit in QPSK, 16QAM and 64QAM, row by row.
static INFORMATION: LazyLock<Vec<[f64; 3]>> = LazyLock::new(|| {
    rows(include_str!("information.csv")).map(|[_, qpsk, qam16, qam64]| [qpsk, qam16, qam64]).collect()
});

/// Curves, each with a row for each size of code block, ascending: least size in bits, mutual information at which
/// half of the blocks fail, and standard deviation.
static CURVES: LazyLock<Vec<Vec<[f64; 3]>>> = LazyLock::new(|| {
    let mut curves = vec![Vec::new(); 38];
    for [curve, bits, half, deviation] in rows(include_str!("curves.csv")) {
        curves[curve as usize].push([bits, half, deviation]);
    }
    curves
});

/// SINR of the first row of `control.csv`, dB.
const FIRST_CONTROL_DB: f64 = -12.0;

/// Share of control regions that are missed, row by row. From -1 dB on no region is missed.
static CONTROL: LazyLock<Vec<f64>> =
    LazyLock::new(|| rows(include_str!("control.csv")).map(|[_, missed]: [f64; 2]| missed).collect());

/// Index in `CURVES` for each MCS after 1 to 4 transmissions, measured from ns-3's error model, too. The fourth
/// curve of MCS 10, 17 and 18 was too low to be measured; the lowest curve of the modulation is used.
const OF_MCS: [[u8; 4]; 29] = [
    [3, 1, 1, 0],
    [4, 2, 1, 0],
    [5, 2, 1, 1],
    [6, 2, 2, 2],
    [7, 3, 2, 2],
    [8, 5, 2, 2],
    [9, 5, 3, 2],
    [10, 6, 5, 3],
    [11, 7, 5, 4],
    [12, 8, 6, 5],
    [16, 14, 13, 13],
    [17, 15, 14, 13],
    [18, 15, 14, 13],
    [19, 15, 14, 14],
    [20, 15, 15, 14],
    [21, 15, 15, 14],
    [22, 16, 15, 15],
    [26, 24, 23, 23],
    [27, 25, 23, 23],
    [28, 25, 24, 23],
    [29, 25, 24, 23],
    [30, 25, 24, 24],
    [31, 25, 24, 24],
    [32, 25, 25, 24],
    [33, 25, 25, 24],
    [34, 25, 25, 24],
    [35, 25, 25, 24],
    [36, 26, 25, 25],
    [37, 27, 25, 25],
];

/// Returns the rows of a table of `N` columns.
fn rows<const N: usize>(table: &str) -> impl Iterator<Item = [f64; N]> + '_ {
    table.lines().filter_map(|line| {
        let mut cells = line.split(',').map(str::parse);
        let mut row = [0.0; N];
        for cell in &mut row {
            *cell = cells.next()?.ok()?;
        }
        Some(row)
    })
}

/// Returns the position of SINR `quality` (linear) in a table of `rows` rows that begins at `first` dB: the row
/// before it, and the fraction of the step to the next row.
fn between(rows: usize, first: f64, quality: f64) -> (usize, f64) {
    let place = (10.0 * libm::log10(quality.max(1e-30)) - first) / STEP_DB;
    let place = place.clamp(0.0, (rows - 1) as f64);
    (place as usize, place - libm::floor(place))
}

/// Returns the share of control regions that are missed at SINR `quality` (linear).
pub(crate) fn missed(quality: f64) -> f64 {
    if quality >= 1.0 {
        return 0.0;
    }
    let rows = &*CONTROL;
    let (row, part) = between(rows.len(), FIRST_CONTROL_DB, quality);
    let (a, b) = (rows[row], rows[(row + 1).min(rows.len() - 1)]);
    a + (b - a) * part
}

/// Returns the mutual information per bit at SINR `quality` (linear) in the modulation of `mcs`.
pub(crate) fn information(mcs: u8, quality: f64) -> f64 {
    let column = match OF_MCS[usize::from(mcs)][0] {
        ..=12 => 0,
        13..=22 => 1,
        _ => 2,
    };
    let rows = &*INFORMATION;
    let (row, part) = between(rows.len(), FIRST_DB, quality);
    let (a, b) = (rows[row][column], rows[(row + 1).min(rows.len() - 1)][column]);
    a + (b - a) * part
}

/// Returns the probability that a transport block of `bits` bits in `mcs` fails after `transmissions` transmissions
/// with this mean mutual information per bit.
pub(crate) fn error_rate(mcs: u8, bits: u32, transmissions: u32, information: f64) -> f64 {
    let transmission = (transmissions.clamp(1, 4) - 1) as usize;
    let curve = &CURVES[usize::from(OF_MCS[usize::from(mcs)][transmission])];
    let arrives = |(count, size): (u32, u32)| {
        let of_size = curve.iter().rev().find(|row| f64::from(size) >= row[0]).unwrap_or(&curve[0]);
        let [_, half, deviation] = *of_size;
        let fails = 0.5 * libm::erfc((information - half) / (deviation * core::f64::consts::SQRT_2));
        if count == 1 { 1.0 - fails } else { libm::pow(1.0 - fails, f64::from(count)) }
    };
    1.0 - code_blocks(bits).into_iter().filter(|&(count, _)| count > 0).map(arrives).product::<f64>()
}

/// Returns the number and the size of the longer code blocks of a transport block of `bits` bits, then of the shorter
/// ones (TS 36.212, section 5.1.2). The CRC of the transport block is left out, as in ns-3.
fn code_blocks(bits: u32) -> [(u32, u32); 2] {
    const LARGEST: u32 = 6144;
    const CRC: u32 = 24;
    if bits <= LARGEST {
        return [(1, interleaver(bits)), (0, 0)];
    }
    let count = bits.div_ceil(LARGEST - CRC);
    let all = bits + count * CRC;
    let long = interleaver(all.div_ceil(count));
    let step = step(long);
    let short = (count * long - all) / step;
    [(count - short, long), (short, long - step)]
}

/// Returns the difference between an interleaver size of about `bits` bits and the next smaller size (TS 36.212,
/// table 5.1.3-3).
fn step(bits: u32) -> u32 {
    match bits {
        ..=512 => 8,
        513..=1024 => 16,
        1025..=2048 => 32,
        _ => 64,
    }
}

/// Returns the smallest interleaver size that holds `bits` bits.
fn interleaver(bits: u32) -> u32 {
    bits.max(40).next_multiple_of(step(bits))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tbs;

    /// Returns the SNR in dB at which one block in ten fails, for an MCS and a block of `bits` bits.
    fn threshold(mcs: u8, bits: u32) -> f64 {
        let (mut low, mut high) = (-20.0, 30.0);
        for _ in 0..50 {
            let middle = (low + high) / 2.0;
            let quality = libm::pow(10.0, middle / 10.0);
            if error_rate(mcs, bits, 1, information(mcs, quality)) > 0.1 {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }

    /// Thresholds of ns-3.37's error model (`GetTbDecodificationStats`) for transport blocks in the 25 resource blocks of 5 MHz: size in bytes
    /// and the SNR in dB at which one block in ten fails.
    #[test]
    fn thresholds_are_those_of_ns3() {
        let theirs = [
            (0, 85, -6.882),
            (3, 177, -4.330),
            (6, 325, -1.421),
            (9, 501, 1.489),
            (10, 501, 3.698),
            (13, 717, 5.518),
            (16, 967, 8.484),
            (17, 967, 9.961),
            (20, 1239, 12.209),
            (22, 1431, 14.198),
            (24, 1692, 16.037),
            (26, 1908, 17.879),
            (28, 2292, 19.619),
        ];
        for (mcs, bytes, db) in theirs {
            let ours = threshold(mcs, 8 * bytes);
            assert!((ours - db).abs() < 0.05, "MCS {mcs}: {ours:.3} against {db}");
        }
    }

    /// A second transmission gains at least 3 dB, for the doubled power, and more at high code rates.
    #[test]
    fn retransmissions_add_information() {
        for mcs in 3..29 {
            let bits = tbs::usable(15, 24);
            let rate = |k: u32, i: f64| error_rate(mcs, bits, k, i);
            let edge = (0..2000).map(|i| f64::from(i) / 2000.0).find(|&i| rate(1, i) < 0.5).expect("falls");
            assert!(rate(2, edge) < 0.01, "MCS {mcs}: {}", rate(2, edge));
            assert!(rate(4, edge) <= rate(2, edge));
        }
    }
}
