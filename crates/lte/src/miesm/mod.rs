//! Block errors by mutual information per coded bit (MIESM), as in ns-3.37: the mutual information at a SINR in a
//! modulation, and the share of code blocks that fail at this information.
//!
//! `information.csv` lists the mutual information per bit in QPSK, 16QAM and 64QAM against the SINR, in steps of 0.25
//! dB. `curves.csv` lists curves of the code block error rate by size of the code block: the information at which half
//! of the blocks fail, and the standard deviation of the Gaussian whose integral is the curve. Both were measured from
//! ns-3's error model by `validation/ns3/lte_errors.cc`. A transport block fails if any of its code blocks (TS 36.212,
//! section 5.1.2) fails.
//!
//! HARQ combines the transmissions of a block by incremental redundancy. The information is the mean over all coded
//! bits received. The curve is that of the modulation at the code rate with all these bits. If no curve has this rate,
//! the next lower one is used. Retransmissions use the lower curves only (`RETRANSMITTED`). Left out: transmissions
//! of one block with different sizes.
//!
//! ns-3 counts bits in 16-bit numbers ([`Count::Bits16`]). With MCS 28 in 24 resource blocks, the fourth transmission
//! brings the sum beyond 2^16. The sum that is left is small, so the mean information is far too high, and the block
//! arrives. All these rules were measured by calling ns-3's error model. `combined.csv` has its answers for 200 random
//! histories of blocks, which a test compares.
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

/// Code rate of each MCS, percent.
const RATE: [u32; 29] = [
    8, 10, 11, 15, 19, 24, 30, 37, 44, 51, 30, 33, 37, 42, 48, 54, 60, 43, 45, 50, 55, 60, 65, 70, 75, 80,
    85, 89, 92,
];

/// Curve of a first transmission in each MCS.
const FIRST: [u8; 29] = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 17, 18, 19, 20, 21, 22, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36,
    37,
];

/// Curves of the retransmissions of a modulation.
struct Retransmitted {
    /// Curve below all code rates of `from`.
    lowest: u8,
    /// Code rate from which each curve holds, as percent and divisor, and the curve.
    from: &'static [(u32, u32, u8)],
}

/// Curves of retransmissions in QPSK, 16QAM and 64QAM.
const RETRANSMITTED: [Retransmitted; 3] = [
    Retransmitted {
        lowest: 0,
        from: &[
            (8, 3, 1),
            (4, 1, 2),
            (8, 1, 3),
            (10, 1, 4),
            (11, 1, 5),
            (15, 1, 6),
            (19, 1, 7),
            (24, 1, 8),
            (30, 1, 9),
        ],
    },
    Retransmitted { lowest: 10, from: &[(30, 4, 13), (30, 3, 14), (30, 2, 15), (30, 1, 16)] },
    Retransmitted {
        lowest: 17,
        from: &[(43, 4, 23), (43, 3, 24), (43, 2, 25), (43, 1, 26), (45, 1, 27), (50, 1, 28)],
    },
];

/// Arithmetic for the numbers of bits that HARQ combines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Count {
    /// Without overflow.
    Exact,
    /// Modulo 2^16, as in ns-3.37.
    Bits16,
}

impl Count {
    fn of(self, bits: u32) -> u32 {
        match self {
            Self::Exact => bits,
            Self::Bits16 => bits % (1 << 16),
        }
    }
}

/// Mutual information that the transmissions of a block have brought; with
/// [`ErrorModel::Capacity`](crate::amc::ErrorModel::Capacity), SINR in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered {
    /// Transmissions, at least 1.
    pub(crate) transmissions: u32,
    /// Sum over the transmissions before the last one of the mutual information per bit.
    pub(crate) earlier: f64,
    /// Mutual information per bit of the last transmission.
    pub(crate) last: f64,
}

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
    let column = modulation(mcs);
    let rows = &*INFORMATION;
    let (row, part) = between(rows.len(), FIRST_DB, quality);
    let (a, b) = (rows[row][column], rows[(row + 1).min(rows.len() - 1)][column]);
    a + (b - a) * part
}

/// Returns 0 for QPSK, 1 for 16QAM, and 2 for 64QAM.
fn modulation(mcs: u8) -> usize {
    match mcs {
        ..=9 => 0,
        10..=16 => 1,
        _ => 2,
    }
}

/// Returns the curve of a transport block of `bits` bits in `mcs` and its mean mutual information per bit.
fn combined(mcs: u8, bits: u32, gathered: Gathered, count: Count) -> (u8, f64) {
    let Gathered { transmissions, earlier, last } = gathered;
    if transmissions <= 1 {
        return (FIRST[usize::from(mcs)], last);
    }
    let rate = RATE[usize::from(mcs)];
    // Coded bits of the last transmission, and of each earlier one, of which ns-3 stores whole bytes.
    let coded = f64::from(bits) * 100.0 / f64::from(rate);
    let stored = count.of(8 * (bits / 8 * 100 / rate));
    let all = f64::from((transmissions - 1) * stored) + coded;
    let received = count.of(all as u32).max(1);
    let information = (earlier * f64::from(stored) + last * coded) / f64::from(received);
    let curves = &RETRANSMITTED[modulation(mcs)];
    let (bits, received) = (100 * u64::from(count.of(bits)), u64::from(received));
    let holds =
        |&(percent, divisor, _): &(u32, u32, u8)| bits * u64::from(divisor) >= u64::from(percent) * received;
    let curve = curves.from.iter().copied().rev().find(holds).map_or(curves.lowest, |(_, _, curve)| curve);
    (curve, information)
}

/// Returns the probability that a transport block of `bits` bits in `mcs` fails after the transmissions that brought
/// `gathered`.
pub(crate) fn error_rate(mcs: u8, bits: u32, gathered: Gathered, count: Count) -> f64 {
    let (curve, information) = combined(mcs, bits, gathered, count);
    let curve = &CURVES[usize::from(curve)];
    let arrives = |(count, size): (u32, u32)| {
        let of_size = curve.iter().rev().find(|row| f64::from(size) >= row[0]).unwrap_or(&curve[0]);
        let [_, half, deviation] = *of_size;
        let fails = 0.5 * libm::erfc((information - half) / (deviation * core::f64::consts::SQRT_2));
        if count == 1 { 1.0 - fails } else { libm::pow(1.0 - fails, f64::from(count)) }
    };
    1.0 - code_blocks(bits).into_iter().filter(|&(count, _)| count > 0).map(arrives).product::<f64>()
}

/// Returns the probability that the first transmission of a transport block of `bits` bits in `mcs` fails with this mutual
/// information per bit.
pub(crate) fn first_error_rate(mcs: u8, bits: u32, information: f64) -> f64 {
    error_rate(mcs, bits, Gathered { transmissions: 1, earlier: 0.0, last: information }, Count::Exact)
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
            if first_error_rate(mcs, bits, information(mcs, quality)) > 0.1 {
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

    /// Returns the error rate after `transmissions` transmissions with `information` each.
    fn equal(mcs: u8, bits: u32, transmissions: u32, information: f64, count: Count) -> f64 {
        let earlier = f64::from(transmissions - 1) * information;
        error_rate(mcs, bits, Gathered { transmissions, earlier, last: information }, count)
    }

    /// Answers of ns-3.37's error model (`validation/ns3/lte_errors.cc combined`): MCS, size in bytes, transmissions, mutual
    /// information of each one before the last and of the last one, and error rate.
    #[test]
    fn combining_is_that_of_ns3() {
        let mut cases = 0;
        for [mcs, bytes, transmissions, each, last, theirs] in rows(include_str!("combined.csv")) {
            let gathered =
                Gathered { transmissions: transmissions as u32, earlier: each * (transmissions - 1.0), last };
            let ours = error_rate(mcs as u8, 8 * bytes as u32, gathered, Count::Bits16);
            let case = format!("MCS {mcs}, {bytes} B, {transmissions} transmissions");
            assert!((ours - theirs).abs() < 2e-3, "{case}: {ours} against {theirs}");
            cases += 1;
        }
        assert_eq!(cases, 200);
    }

    /// Four transmissions at 3.5 dB do not carry a block of 2196 bytes in MCS 28, unless the sum of bits overflows.
    #[test]
    fn overflow_lets_a_fourth_transmission_arrive() {
        let information = information(28, libm::pow(10.0, 0.35));
        for (transmissions, count, rate) in
            [(3, Count::Exact, 1.0), (4, Count::Exact, 1.0), (3, Count::Bits16, 1.0), (4, Count::Bits16, 0.0)]
        {
            let ours = equal(28, 8 * 2196, transmissions, information, count);
            assert!((ours - rate).abs() < 1e-9, "{transmissions} transmissions, {count:?}: {ours}");
        }
    }

    /// At a mutual information at which half of the first transmissions fail, at most 1 % of the blocks fail
    /// after a second transmission, and no more after four.
    #[test]
    fn retransmissions_add_information() {
        for mcs in 3..29 {
            let bits = tbs::usable(15, 24);
            let rate = |k: u32, i: f64| equal(mcs, bits, k, i, Count::Exact);
            let edge = (0..2000).map(|i| f64::from(i) / 2000.0).find(|&i| rate(1, i) < 0.5).expect("falls");
            assert!(rate(2, edge) < 0.01, "MCS {mcs}: {}", rate(2, edge));
            assert!(rate(4, edge) <= rate(2, edge));
        }
    }
}
