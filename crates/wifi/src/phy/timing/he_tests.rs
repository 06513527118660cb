//! HE airtimes computed by hand from clause 27 of IEEE Std 802.11ax-2021, and those of ns-3.37.

use super::*;
use base::Duration;

const GUARDS: [(GuardInterval, f64); 3] =
    [(GuardInterval::Us0_8, 0.8), (GuardInterval::Us1_6, 1.6), (GuardInterval::Us3_2, 3.2)];
const WIDTHS: [(Width, f64); 4] =
    [(Width::Mhz20, 234.0), (Width::Mhz40, 468.0), (Width::Mhz80, 980.0), (Width::Mhz160, 1960.0)];

fn he(mcs: u8, streams: u8, width: Width, guard: GuardInterval) -> He {
    He { mcs, streams, width, guard, training: Training::usual(guard), erp: false }
}

fn us(duration: Duration) -> f64 {
    duration.ps() as f64 / 1e6
}

/// By clause 27.5 a symbol has data subcarriers times coded bits times streams times coding rate, rounded down to
/// whole bits. It takes 12.8 us plus the guard interval. The test covers every MCS, width, guard interval and number
/// of streams.
#[test]
fn rates_are_those_of_the_formula() {
    let schemes = [
        (1.0, 1.0 / 2.0),
        (2.0, 1.0 / 2.0),
        (2.0, 3.0 / 4.0),
        (4.0, 1.0 / 2.0),
        (4.0, 3.0 / 4.0),
        (6.0, 2.0 / 3.0),
        (6.0, 3.0 / 4.0),
        (6.0, 5.0 / 6.0),
        (8.0, 3.0 / 4.0),
        (8.0, 5.0 / 6.0),
        (10.0, 3.0 / 4.0),
        (10.0, 5.0 / 6.0),
    ];
    let mut count = 0;
    for (mcs, (coded, coding)) in (0..).zip(schemes) {
        for (width, subcarriers) in WIDTHS {
            for (guard, interval) in GUARDS {
                for streams in 1..=4 {
                    let mode = he(mcs, streams, width, guard);
                    assert!(mode.exists(), "{mode:?}");
                    let bits: f64 = subcarriers * coded * f64::from(streams) * coding;
                    let rate = libm::floor(bits + 1e-6) / (12.8 + interval);
                    let got = Mode::He(mode).bps() as f64 / 1e6;
                    assert!((got - rate).abs() < 1e-6, "{mode:?}: {got} Mb/s, not {rate}");
                    count += 1;
                }
            }
        }
    }
    assert_eq!(count, 12 * 4 * 3 * 4);
    // Rates of published tables: 8.6 and 143.4 Mb/s at 20 MHz; 9.6 Gb/s with 8 streams at 160 MHz, so 4.8 Gb/s with 4.
    // The last is compared in units of 50 Mb/s.
    let mega = |mode| Mode::He(mode).bps() as f64 / 1e6;
    assert_eq!(libm::round(10.0 * mega(he(0, 1, Width::Mhz20, GuardInterval::Us0_8))), 86.0);
    assert_eq!(libm::round(10.0 * mega(he(11, 1, Width::Mhz20, GuardInterval::Us0_8))), 1434.0);
    assert_eq!(libm::round(mega(he(11, 4, Width::Mhz160, GuardInterval::Us0_8)) / 50.0), 96.0);
}

/// 1542 bytes are an MPDU of 1538 bytes with its delimiter: 12 352 bits with SERVICE, 12 358 with the tail. Legacy
/// preamble, L-SIG, RL-SIG, HE-SIG-A and HE-STF take 36 us, an HE-LTF symbol 7.2, 8 or 16 us.
#[test]
fn durations_worked_by_hand() {
    use GuardInterval::{Us0_8, Us1_6, Us3_2};
    use Width::{Mhz20, Mhz40, Mhz80, Mhz160};
    let cases = [
        // The frame has 105.6 symbols of 117 bits at MCS 0; at MCS 7 it has 10.6 symbols of 1170 bits, with each guard
        // interval.
        (0, 1, Mhz20, Us0_8, 1542, 43.2 + 106.0 * 13.6),
        (7, 1, Mhz20, Us0_8, 1542, 43.2 + 11.0 * 13.6),
        (7, 1, Mhz20, Us1_6, 1542, 44.0 + 11.0 * 14.4),
        (7, 1, Mhz20, Us3_2, 1542, 52.0 + 11.0 * 16.0),
        // 9 symbols of 1170 bits hold 1313 bytes with SERVICE and tail, not 1314.
        (7, 1, Mhz20, Us0_8, 1313, 43.2 + 9.0 * 13.6),
        (7, 1, Mhz20, Us0_8, 1314, 43.2 + 10.0 * 13.6),
        // LDPC: 6.3 symbols of 1950 bits.
        (11, 1, Mhz20, Us0_8, 1542, 43.2 + 7.0 * 13.6),
        // 3448 bits: the second symbol has 1498 bits in three quarters of 500 bits. 3456 bits: the second symbol has
        // 1506 bits and needs four quarters. These 3900 bits make 3 codewords of 1944, with 960 bits shortened and
        // 192 of 972 parity bits punctured. That is more than a tenth, and 960 < 1.2 * 192 * 5, so that a symbol is
        // added.
        (11, 1, Mhz20, Us0_8, 429, 43.2 + 2.0 * 13.6),
        (11, 1, Mhz20, Us0_8, 430, 43.2 + 3.0 * 13.6),
        // 1.9 symbols of 6533 bits; the second uses all four quarters. 13 066 bits make 9 codewords with 1514 bits
        // shortened and 302 of 2916 parity bits punctured, so that a symbol is added.
        (9, 1, Mhz80, Us0_8, 1542, 43.2 + 3.0 * 13.6),
        // 7.04 symbols of 1755 bits use one quarter of the eighth symbol; 3.5 symbols of 3510 bits use three quarters
        // of the fourth.
        (10, 1, Mhz20, Us0_8, 1542, 43.2 + 8.0 * 13.6),
        (10, 1, Mhz40, Us0_8, 1542, 43.2 + 4.0 * 13.6),
        // Two, three and four streams have 2, 4 and 4 HE-LTF symbols.
        (7, 2, Mhz20, Us0_8, 1542, 50.4 + 6.0 * 13.6),
        (7, 3, Mhz20, Us0_8, 1542, 64.8 + 4.0 * 13.6),
        (7, 4, Mhz20, Us0_8, 1542, 64.8 + 3.0 * 13.6),
        (11, 4, Mhz160, Us0_8, 1542, 64.8 + 13.6),
        (11, 4, Mhz160, Us3_2, 1542, 36.0 + 4.0 * 16.0 + 16.0),
        // An A-MPDU of 256 packets, 255 * 1544 + 1542 bytes: 96.8 symbols of 32 666 bits.
        (11, 2, Mhz160, Us0_8, 395_262, 50.4 + 97.0 * 13.6),
    ];
    for (mcs, streams, width, guard, bytes, expected) in cases {
        let mode = Mode::He(he(mcs, streams, width, guard));
        let got = us(mode.airtime(bytes, Rounding::Standard));
        assert!((got - expected).abs() < 1e-6, "{mode:?}, {bytes} bytes: {got}, not {expected}");
    }
    // At 2.4 GHz the frame ends with a signal extension of 6 us. 1x and 4x HE-LTF symbols take 4 and 13.6 us.
    let mode = he(7, 1, Mhz20, Us0_8);
    let with = |mode| us(Mode::He(mode).airtime(1542, Rounding::Standard));
    assert!((with(He { erp: true, ..mode }) - with(mode) - 6.0).abs() < 1e-9);
    assert!((with(He { training: Training::One, ..mode }) - with(mode) + 3.2).abs() < 1e-9);
    assert!((with(He { training: Training::Four, ..mode }) - with(mode) - 6.4).abs() < 1e-9);
}

#[test]
fn combinations_that_there_are() {
    let goes = |training: Training| GUARDS.map(|(guard, _)| training.goes_with(guard));
    assert_eq!(goes(Training::One), [true, false, false]);
    assert_eq!(goes(Training::Two), [true, true, false]);
    assert_eq!(goes(Training::Four), [true, false, true]);
    assert!(!he(12, 1, Width::Mhz20, GuardInterval::Us0_8).exists());
    assert!(!he(0, 5, Width::Mhz20, GuardInterval::Us0_8).exists());
    let modes = [0, 1, 2, 3, 4, 5, 6, 7, 9, 11].map(|mcs| he(mcs, 4, Width::Mhz160, GuardInterval::Us0_8));
    let reference = modes.map(|mode| Mode::He(mode).reference_bps() / 1_000_000);
    assert_eq!(reference, [6, 12, 18, 24, 36, 48, 54, 54, 54, 54]);
}

/// Frames of ns-3.37: convolutional code with its tail at every MCS, HE-LTF symbols of 8 us, and bits per symbol that
/// are not rounded.
#[test]
fn frames_of_ns3() {
    let mut count = 0;
    for line in include_str!("he_ns3.csv").lines().skip(2) {
        let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        let [guard, streams, width, mcs, rate, preamble, packet, aggregate, low] = cells[..] else {
            panic!("{line}")
        };
        let guard = GUARDS[[800.0, 1600.0, 3200.0].iter().position(|ns| *ns == guard).expect("known")].0;
        let width = WIDTHS[[20.0, 40.0, 80.0, 160.0].iter().position(|mhz| *mhz == width).expect("known")].0;
        let mode = He { training: Training::Fixed, ..he(mcs as u8, streams as u8, width, guard) };
        let whole = Mode::He(mode);
        assert!((whole.bps() as f64 / 1e6 / rate - 1.0).abs() < 2e-4, "{line}: {}", whole.bps());
        let ns = |time: Duration| time.ps() as f64 / 1e3;
        let airtime = |mode: Mode, bytes| ns(mode.airtime(bytes, Rounding::ShortSymbols));
        let erp = Mode::He(He { erp: true, ..mode });
        let got = [ns(whole.preamble()), airtime(whole, 1542), airtime(whole, 100_000), airtime(erp, 1542)];
        assert_eq!(got, [preamble, packet, aggregate, low], "{line}");
        count += 1;
    }
    assert_eq!(count, 192);
}
