//! Airtimes computed by hand from the standard's formulas, and airtimes of single frames in ns-3.37.

use super::*;
use base::Duration;

fn us(duration: Duration) -> f64 {
    duration.ps() as f64 / 1e6
}

fn dsss(rate: u32) -> Mode {
    Mode::Dsss(Dsss { rate, preamble: Preamble::Long })
}

fn ofdm(rate: u32, erp: bool) -> Mode {
    Mode::Ofdm(Ofdm { rate, erp })
}

fn ht(mcs: u8, width: Width, guard: GuardInterval) -> Mode {
    Mode::Ht(Ht { mcs, width, guard, erp: false })
}

#[test]
fn dsss_frames() {
    let cases = [
        (110, 1536, 1310.0),
        (110, 64, 239.0),
        (10, 64, 704.0),
        (20, 14, 248.0),
        (110, 14, 203.0),
        (10, 14, 304.0),
        (10, 20, 352.0),
        (10, 52, 608.0),
        // At 5.5 Mb/s: 192 + ceil(1536 * 8 / 5.5 = 2234.2) us.
        (55, 1536, 2427.0),
    ];
    for (rate, bytes, expected) in cases {
        assert_eq!(us(dsss(rate).airtime(bytes, Rounding::Standard)), expected, "{rate} {bytes}");
    }
    let short = |rate| Mode::Dsss(Dsss { rate, preamble: Preamble::Short });
    assert_eq!(us(short(110).airtime(14, Rounding::Standard)), 107.0);
    assert_eq!(us(short(10).airtime(14, Rounding::Standard)), 304.0);
}

#[test]
fn ofdm_frames() {
    let cases = [
        (54, 1536, 248.0),
        (24, 14, 28.0),
        (12, 14, 32.0),
        (6, 14, 44.0),
        (6, 20, 52.0),
        (54, 64, 32.0),
        (6, 64, 112.0),
        (24, 32, 32.0),
        (12, 32, 44.0),
        (6, 53, 96.0),
        (6, 131, 200.0),
    ];
    for (rate, bytes, expected) in cases {
        assert_eq!(us(ofdm(rate, false).airtime(bytes, Rounding::Standard)), expected, "{rate} {bytes}");
        assert_eq!(us(ofdm(rate, true).airtime(bytes, Rounding::Standard)), expected + 6.0, "{rate} {bytes}");
    }
}

#[test]
fn ht_frames() {
    use GuardInterval::{Long, Short};
    use Width::{Mhz20, Mhz40};
    let cases = [
        (7, Mhz20, Long, 1538, 228.0),
        (7, Mhz20, Short, 1538, 208.8),
        (0, Mhz20, Long, 20, 64.0),
        (0, Mhz20, Short, 20, 61.2),
        (0, Mhz40, Short, 20, 50.4),
        (7, Mhz20, Long, 43_230, 5360.0),
        (7, Mhz20, Short, 47_862, 5338.8),
        (1, Mhz40, Short, 20_070, 5389.2),
        (7, Mhz20, Long, 12_350, 1560.0),
        (7, Mhz20, Short, 12_350, 1407.6),
        // Two streams have one more HT-LTF and twice the bits per symbol: 40 + 4 * ceil(12326 / 520 = 23.7) us.
        (15, Mhz20, Long, 1538, 136.0),
    ];
    for (mcs, width, guard, bytes, expected) in cases {
        let measured = us(ht(mcs, width, guard).airtime(bytes, Rounding::ShortSymbols));
        assert_eq!(measured, expected, "{mcs} {width:?} {guard:?} {bytes}");
    }
    // In the standard a frame with short guard intervals ends on a grid of 4 us: 36 + 4 * ceil(172.8 / 4 = 43.2) us.
    assert_eq!(us(ht(7, Mhz20, Short).airtime(1538, Rounding::Standard)), 212.0);
    assert_eq!(ht(7, Mhz20, Long).bps(), 65_000_000);
    assert_eq!(ht(1, Mhz40, Short).bps(), 30_000_000);
    assert_eq!(ht(15, Mhz40, Short).bps(), 300_000_000);
    assert_eq!(ht(7, Mhz20, Long).reference_bps(), 54_000_000);
    assert_eq!(ht(9, Mhz20, Long).reference_bps(), 12_000_000);
}

#[test]
fn vht_frames() {
    let vht = |mcs, streams| Mode::Vht(Vht { mcs, streams, width: Width::Mhz80, guard: GuardInterval::Long });
    // Table 22-38: 234 * 8 * 5/6 = 1560 bits per symbol, 390 Mb/s.
    let rates = [29.25, 58.5, 87.75, 117.0, 175.5, 234.0, 263.25, 292.5, 351.0, 390.0];
    for (mcs, rate) in (0..).zip(rates) {
        assert_eq!([1, 2].map(|streams| vht(mcs, streams).bps() as f64 / 1e6), [rate, 2.0 * rate], "{mcs}");
    }
    use GuardInterval::{Long, Short};
    use Width::{Mhz20, Mhz40, Mhz80};
    // 1538 bytes and a delimiter are 12 358 bits with SERVICE and tail. A frame takes 36 + 4 * streams us of preamble
    // and, with the long guard interval, 4 us for each begun symbol.
    let cases = [
        // The frame has 105.6 symbols of 117 bits, 13.2 of 936, 8.8 of 1404, or 7.9 of 1560.
        (0, 1, Mhz80, Long, 464.0),
        (5, 1, Mhz80, Long, 96.0),
        (8, 1, Mhz80, Long, 76.0),
        (9, 1, Mhz80, Long, 72.0),
        // Eight symbols of 3.6 us are 28.8 us, which are extended to the grid of 4 us.
        (9, 1, Mhz80, Short, 72.0),
        // Two encoders add six more tail bits: the frame has 5.3 symbols of 2340 bits, or 3.96 of 3120.
        (7, 2, Mhz80, Long, 68.0),
        (9, 2, Mhz80, Long, 60.0),
        // The frame has 17.2 symbols of 720 bits, or 39.6 of 312.
        (9, 1, Mhz40, Long, 112.0),
        (8, 1, Mhz20, Long, 200.0),
    ];
    for (mcs, streams, width, guard, expected) in cases {
        let mode = Mode::Vht(Vht { mcs, streams, width, guard });
        assert_eq!(us(mode.airtime(1542, Rounding::Standard)), expected, "{mode:?}");
    }
    let short = Mode::Vht(Vht { mcs: 9, streams: 1, width: Mhz80, guard: Short });
    assert_eq!((short.bps(), us(short.airtime(1542, Rounding::ShortSymbols))), (433_333_333, 68.8));
    // 22 + 8 * 1557 bits would fit 4 symbols, but the second encoder's tail needs a fifth.
    assert_eq!([1556, 1557].map(|bytes| us(vht(9, 2).airtime(bytes, Rounding::Standard))), [60.0, 64.0]);
    // MCS 9 does not exist at 20 MHz with two streams: the coded bits per symbol do not fit code rate 5/6.
    assert!(!Vht { mcs: 9, streams: 2, width: Mhz20, guard: Long }.exists());
    assert_eq!([0, 1, 7, 8, 9].map(|mcs| vht(mcs, 1).reference_bps() / 1_000_000), [6, 12, 54, 54, 54]);
}

#[test]
fn without_rounding_every_bit_counts_as_it_is() {
    // ns-2: 192 us, and 1534 bytes with a header of 34 bytes in 1534 * 8 / 11 = 1115.636... us.
    assert!((us(dsss(110).airtime(1534, Rounding::None)) - 1_307.636_363).abs() < 1e-5);
}

#[test]
fn as_many_bytes_as_fit_into_a_time() {
    let mode = ht(7, Width::Mhz20, GuardInterval::Long);
    let most = mode.most_bytes(Duration::from_us(5484), Rounding::Standard);
    assert!(mode.airtime(most, Rounding::Standard) <= Duration::from_us(5484));
    assert!(mode.airtime(most + 1, Rounding::Standard) > Duration::from_us(5484));
    assert_eq!(mode.most_bytes(Duration::from_us(10), Rounding::Standard), 0);
}
