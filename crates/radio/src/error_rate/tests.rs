use super::*;
use libm::{erfc, log10, sqrt};
use std::collections::BTreeMap;
use std::f64::consts::{PI, SQRT_2};

fn close(got: f64, want: f64, tolerance: f64) {
    assert!((got / want - 1.0).abs() < tolerance, "{got:e} instead of {want:e}");
}

/// Converts a ratio from dB to linear units.
fn db(x: f64) -> f64 {
    libm::pow(10.0, x / 10.0)
}

/// Channel width (Hz) over data symbols per second of 802.11a.
const SPREAD: f64 = 20e6 / 12e6;

/// Returns the distance spectrum of a punctured convolutional code: information weight by distance, up to `greatest`.
///
/// It counts all trellis paths that leave state 0 within one puncturing period and return to it.
fn spectrum(puncture: &[[u32; 2]], greatest: u32) -> BTreeMap<u32, u64> {
    type Paths = BTreeMap<u32, (u64, u64)>;
    let step = |phase: usize, state: u32, bit: u32| {
        let register = bit << 6 | state;
        let [a, b] = [0o133, 0o171].map(|generator: u32| (register & generator).count_ones() & 1);
        (a * puncture[phase][0] + b * puncture[phase][1], register >> 1)
    };
    let mut total = BTreeMap::new();
    for start in 0..puncture.len() {
        let (weight, state) = step(start, 0, 1);
        let mut paths = BTreeMap::from([(state, Paths::from([(weight, (1, 1))]))]);
        let mut phase = start;
        while !paths.is_empty() {
            phase = (phase + 1) % puncture.len();
            let mut next: BTreeMap<u32, Paths> = BTreeMap::new();
            for (state, weights) in paths {
                for bit in 0..2 {
                    let (more, to) = step(phase, state, bit);
                    for (&weight, &(count, ones)) in weights.iter().filter(|w| w.0 + more <= greatest) {
                        let ones = ones + u64::from(bit) * count;
                        if to == 0 {
                            *total.entry(weight + more).or_default() += ones;
                        } else {
                            let slot = next.entry(to).or_default().entry(weight + more).or_default();
                            *slot = (slot.0 + count, slot.1 + ones);
                        }
                    }
                }
            }
            paths = next;
        }
    }
    total
}

#[test]
fn distance_spectra_are_those_of_the_standards_code() {
    let cases: [(Coding, &[[u32; 2]]); 4] = [
        (Coding::Half, &[[1, 1]]),
        (Coding::TwoThirds, &[[1, 1], [1, 0]]),
        (Coding::ThreeQuarters, &[[1, 1], [1, 0], [0, 1]]),
        (Coding::FiveSixths, &[[1, 1], [1, 0], [0, 1], [1, 0], [0, 1]]),
    ];
    for (coding, puncture) in cases {
        let (period, free, step, weights) = coding.spectrum();
        assert_eq!(period, puncture.len() as f64);
        let sent: u32 = puncture.iter().flatten().sum();
        assert_eq!(coding.rate(), period / f64::from(sent));
        let want: Vec<(u32, u64)> =
            (0..10).map(|k| ((free + step * k) as u32, weights[k as usize] as u64)).collect();
        let got: Vec<(u32, u64)> = spectrum(puncture, want[9].0).into_iter().collect();
        assert_eq!(got, want, "{coding:?}");
    }
}

#[test]
fn closed_forms() {
    // Q(sqrt(2 g)) at 9.6 dB, 9.12, is near 1e-5: Proakis, figure 5.2-4.
    close(Constellation::Bpsk.bit_error(9.12), 9.737_284e-6, 1e-6);
    // QPSK has the same error at twice the symbol energy.
    close(Constellation::Qpsk.bit_error(2.0 * 9.12), Constellation::Bpsk.bit_error(9.12), 1e-12);
    // 3/8 erfc(sqrt(snr / 10)) at 20 dB: erfc(3.162278) = 7.744216e-6.
    close(Constellation::Qam16.bit_error(100.0), 2.904081e-6, 1e-6);
    // 7/24 erfc(sqrt(snr / 42)) at 26 dB, 398.1072.
    close(Constellation::Qam64.bit_error(398.1072), 3.898_528e-6, 1e-6);
    // 31/160 erfc(sqrt(snr / 682)) at 38 dB, 6309.573: erfc(3.041640) = 1.696_240e-5.
    close(Constellation::Qam1024.bit_error(6_309.573), 3.286_465e-6, 1e-6);
    // DBPSK at 1 Mb/s, spread over 22 MHz: exp(-22 snr) / 2.
    close(dsss::dbpsk(0.5), 0.5 * 1.670_170_079e-5, 1e-9);
}

#[test]
fn dqpsk_has_its_known_ends() {
    close(dsss::dqpsk_bit(0.0), 0.5, 1e-12);
    // For large g: (1 + sqrt2) / sqrt(8 pi sqrt2) / sqrt g exp(-(2 - sqrt2) g) (Goldsmith, Wireless Communications, 6.3).
    let tail = |g: f64| (1.0 + SQRT_2) / sqrt(8.0 * PI * SQRT_2 * g) * exp(-(2.0 - SQRT_2) * g);
    close(dsss::dqpsk_bit(30.0), tail(30.0), 0.03);
    close(dsss::dqpsk_bit(100.0), tail(100.0), 0.01);
}

#[test]
fn a_code_gains() {
    // Worked by hand: for p = 1e-3, 4 p (1 - p) = 3.996e-3, and the bound of rate 1/2 begins 18 * 3.996e-3^5 + 105.5 * 3.996e-3^6.
    close(
        Coding::Half.bit_error(1e-3),
        18.0 * 1.018_880e-12 + 105.5 * 4.071_44e-15 + 702.0 * 1.6269e-17,
        1e-4,
    );
    // A higher code rate has more errors, and no bit error rate is above 1/2.
    let rates = [Coding::Half, Coding::TwoThirds, Coding::ThreeQuarters, Coding::FiveSixths];
    for pair in rates.windows(2) {
        assert!(pair[0].bit_error(1e-3) < pair[1].bit_error(1e-3));
    }
    assert_eq!(rates.map(|rate| rate.bit_error(0.3)), [0.5; 4]);
}

#[test]
fn faster_schemes_need_more_signal() {
    use Coding::*;
    use Constellation::*;
    let ofdm = [
        (Bpsk, Half),
        (Bpsk, ThreeQuarters),
        (Qpsk, Half),
        (Qpsk, ThreeQuarters),
        (Qam16, Half),
        (Qam16, ThreeQuarters),
        (Qam64, TwoThirds),
        (Qam64, ThreeQuarters),
        (Qam64, FiveSixths),
        (Qam256, ThreeQuarters),
        (Qam256, FiveSixths),
        (Qam1024, ThreeQuarters),
        (Qam1024, FiveSixths),
    ]
    .map(|(constellation, coding)| Scheme::Ofdm(constellation, coding));
    let dsss = [Scheme::Dsss1, Scheme::Dsss2];
    let cck = [Scheme::Cck5, Scheme::Cck11];
    // Least SNR in dB at which nine of ten frames of 1000 bytes are received.
    let need =
        |rate: ErrorRate| (-100..400).map(|t| f64::from(t) / 10.0).find(|x| rate.success(db(*x), 8e3) > 0.9);
    for model in [ErrorModel::Table, ErrorModel::Nist, ErrorModel::Yans] {
        let need =
            |scheme: &Scheme| need(ErrorRate::new(model, *scheme, SPREAD)).expect("some SNR is enough");
        for family in [ofdm.as_slice(), &dsss, &cck] {
            let needs: Vec<f64> = family.iter().map(need).collect();
            // A tolerance of 0.5 dB, since BPSK 3/4 and QPSK 1/2 are nearly equal.
            assert!(needs.windows(2).all(|pair| pair[0] < pair[1] + 0.5), "{needs:?}");
        }
        let [slow, fast] = [Scheme::Dsss2, Scheme::Cck11].map(|scheme| need(&scheme));
        assert!(slow < fast, "{slow} {fast}");
    }
}

/// The standard's minimum sensitivities (IEEE Std 802.11-2016, tables 17-18 and 21-25) hold for a loss of 10 % at 4096 bytes and
/// 20 MHz. They include 15 dB above thermal noise: a noise figure of 10 dB and an implementation margin of 5 dB. The rest is the
/// SNR that each mode needs.
#[test]
fn sensitivities_of_the_standard() {
    use Coding::*;
    use Constellation::*;
    let modes = [
        (Bpsk, Half, -82.0),
        (Qpsk, Half, -79.0),
        (Qpsk, ThreeQuarters, -77.0),
        (Qam16, Half, -74.0),
        (Qam16, ThreeQuarters, -70.0),
        (Qam64, TwoThirds, -66.0),
        (Qam64, ThreeQuarters, -65.0),
        (Qam64, FiveSixths, -64.0),
        (Qam256, ThreeQuarters, -59.0),
        (Qam256, FiveSixths, -57.0),
    ];
    let noise = -173.975 + 10.0 * log10(20e6) + 15.0;
    for (constellation, coding, sensitivity) in modes {
        let scheme = Scheme::Ofdm(constellation, coding);
        let rate = ErrorRate::new(ErrorModel::Nist, scheme, SPREAD);
        let arrives = |x: &f64| rate.success(db(*x), 4096.0 * 8.0) > 0.9;
        let need = (0..400).map(|t| f64::from(t) / 10.0).find(arrives).expect("some SNR is enough");
        let off = need - (sensitivity - noise);
        assert!(off.abs() < 2.5, "{scheme:?}: {need} dB, {off:+.1} of the standard's");
    }
}

#[test]
fn success_multiplies_over_parts() {
    for model in [ErrorModel::Table, ErrorModel::Nist, ErrorModel::Yans] {
        for scheme in [Scheme::Cck11, Scheme::Ofdm(Constellation::Qam16, Coding::Half)] {
            let rate = ErrorRate::new(model, scheme, SPREAD);
            let success = |bits: f64| rate.success(8.0, bits);
            close(success(300.0) * success(700.0), success(1000.0), 1e-12);
        }
    }
    let rate = |scheme| ErrorRate::new(ErrorModel::Table, scheme, SPREAD);
    assert_eq!(rate(Scheme::Dsss1).success(1e9, 1e5), 1.0);
    assert!(rate(Scheme::Cck11).success(0.0, 8e3) < 1e-100);
}

#[test]
fn biorthogonal_signals_have_their_known_ends() {
    // Without signal one of 16 guesses is right.
    close(dsss::biorthogonal(0.0), 15.0 / 16.0, 1e-6);
    // At high SNR the 14 nearest codewords dominate: each is chosen with probability Q(sqrt ratio).
    for ratio in [30.0, 45.0] {
        close(dsss::biorthogonal(ratio), 14.0 * 0.5 * erfc(sqrt(ratio / 2.0)), 0.02);
    }
}

/// The table has ten modulation schemes at two frame sizes in steps of 0.5 dB, and no error rate rises with the SNR.
#[test]
fn the_table_is_whole() {
    let mut curves: BTreeMap<(usize, u64), Vec<(f64, f64)>> = BTreeMap::new();
    for (mcs, bytes, snr, rate) in table::rows() {
        curves.entry((mcs, bytes as u64)).or_default().push((snr, rate));
    }
    let sizes = table::SIZES.map(|bytes| bytes as u64);
    assert_eq!(curves.len(), table::MCS.len() * sizes.len());
    for ((mcs, bytes), curve) in curves {
        assert!(mcs < table::MCS.len() && sizes.contains(&bytes));
        assert_eq!((curve[0].1, curve[curve.len() - 1].1), (1.0, 0.0));
        assert!(curve.windows(2).all(|w| w[1].0 - w[0].0 == 0.5 && w[1].1 <= w[0].1), "{mcs} {bytes}");
    }
}

/// Error rates of ns-3 at given SNRs. Three differences are allowed for: ns-3 rounds the SNR for its table to 0.01 dB, uses an asymptotic form
/// for 2 Mb/s, which is exact here, and has fewer terms in the bound of `nist`.
#[test]
fn models_answer_as_those_of_ns3() {
    let mut count = 0;
    for line in include_str!("ns3.csv").lines().skip(2) {
        let cells: Vec<&str> = line.split(',').collect();
        let [model, mode, width, bytes, snr, want] = cells[..] else { panic!("{line}") };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let model = match model {
            "table" => ErrorModel::Table,
            "nist" => ErrorModel::Nist,
            _ => ErrorModel::Yans,
        };
        let (scheme, symbols) = named(mode, number(width));
        let rate = ErrorRate::new(model, scheme, number(width) * 1e6 / symbols);
        let success = |off: f64| rate.success(db(number(snr) + off), 8.0 * number(bytes));
        let within = match (scheme, model) {
            (Scheme::Dsss2, _) => 0.5,
            (_, ErrorModel::Nist) => 0.1,
            _ => 0.006,
        };
        let want = number(want);
        assert!(success(-within) - 5e-6 < want && want < success(within) + 5e-6, "{line}: {}", success(0.0));
        count += 1;
    }
    assert!(count > 500);
}

/// Returns the modulation scheme of an ns-3 mode, and the data symbols per second of all its subcarriers.
fn named(mode: &str, width: f64) -> (Scheme, f64) {
    let of = |mcs: usize| Scheme::Ofdm(table::MCS[mcs].0, table::MCS[mcs].1);
    let subcarriers = if width < 30.0 {
        52.0
    } else if width < 60.0 {
        108.0
    } else {
        234.0
    };
    if let Some(mcs) = mode.strip_prefix("HeMcs") {
        let scheme = match mcs {
            "10" => Scheme::Ofdm(Constellation::Qam1024, Coding::ThreeQuarters),
            "11" => Scheme::Ofdm(Constellation::Qam1024, Coding::FiveSixths),
            mcs => of(mcs.parse().expect("a number")),
        };
        let subcarriers = match width as u32 {
            20 => 234.0,
            80 => 980.0,
            _ => 1960.0,
        };
        return (scheme, subcarriers / 13.6e-6);
    }
    if let Some(mcs) = mode.strip_prefix("VhtMcs").or(mode.strip_prefix("HtMcs")) {
        return (of(mcs.parse().expect("a number")), subcarriers / 4e-6);
    }
    let scheme = match mode {
        "DsssRate1Mbps" => Scheme::Dsss1,
        "DsssRate2Mbps" => Scheme::Dsss2,
        "DsssRate5_5Mbps" => Scheme::Cck5,
        "DsssRate11Mbps" => Scheme::Cck11,
        "OfdmRate6Mbps" => of(0),
        "OfdmRate9Mbps" => Scheme::Ofdm(Constellation::Bpsk, Coding::ThreeQuarters),
        "OfdmRate12Mbps" => of(1),
        "OfdmRate18Mbps" => of(2),
        "OfdmRate24Mbps" => of(3),
        "OfdmRate36Mbps" => of(4),
        "OfdmRate48Mbps" => of(5),
        _ => of(6),
    };
    (scheme, 48.0 / 4e-6)
}
