//! Saturation throughput compared with Bianchi's model with a finite retry limit, and with ns-2 and ns-3.

use crate::common::slots::{Kind, shares};
use crate::common::{
    BASIC, Bianchi, RTS, as_modelled, crowd, high_efficiency, high_throughput, saturate, very_high_throughput,
};
use wifi::config::Countdown;
use wifi::timing::{GuardInterval, Standard};
use wifi::{Config, Profile};

/// Durations of a network, us, including the interframe space: a success and a collision, without and with RTS.
struct Cell {
    standard: Standard,
    guard: GuardInterval,
    aggregated: bool,
    basic: [f64; 2],
    rts: [f64; 2],
    packets: f64,
}

const fn cell(standard: Standard, basic: f64, rts: [f64; 2]) -> Cell {
    Cell { standard, guard: GuardInterval::Long, aggregated: false, basic: [basic, basic], rts, packets: 1.0 }
}

/// Durations follow from the frames, e.g. 802.11b: data 1310, SIFS 10, ACK 248, DIFS 50; with RTS 352 + 10 + 304 + 10
/// before the data; a collision of RTS frames 352 + 10 + 304 + 50.
///
/// 802.11ac at 390 Mb/s: an A-MPDU of 64 packets has 98 814 bytes in 507 symbols: 2068 + 16 + 32 + 43. 802.11ax at
/// 600 Mb/s: a packet takes 43.2 + 2 * 13.6 us. An A-MPDU of 256 packets has 395 262 bytes in 388 symbols and takes
/// 5320 us, its Block ACK 40 us.
const CELLS: [Cell; 9] = [
    cell(Standard::B, 1618.0, [2294.0, 716.0]),
    cell(Standard::G, 326.0, [454.0, 146.0]),
    cell(Standard::A, 326.0, [454.0, 146.0]),
    cell(Standard::N, 315.0, [455.0, 167.0]),
    Cell { guard: GuardInterval::Short, ..cell(Standard::N, 295.8, [433.0, 164.2]) },
    Cell { aggregated: true, packets: 28.0, ..cell(Standard::N, 5451.0, [5591.0, 167.0]) },
    Cell { aggregated: true, packets: 64.0, ..cell(Standard::Ac, 2159.0, [2287.0, 155.0]) },
    cell(Standard::Ax, 157.4, [285.4, 155.0]),
    Cell { aggregated: true, packets: 256.0, ..cell(Standard::Ax, 5419.0, [5547.0, 155.0]) },
];

fn config(cell: &Cell, n: u32) -> Config {
    let mut config = crowd(cell.standard, Profile::Ns3, n as usize, true);
    if cell.standard == Standard::N {
        high_throughput(&mut config, cell.guard, cell.aggregated);
    }
    if cell.standard == Standard::Ac {
        very_high_throughput(&mut config, cell.aggregated);
    }
    if cell.standard == Standard::Ax {
        high_efficiency(&mut config, cell.aggregated);
    }
    as_modelled(&mut config);
    config
}

fn model(config: &Config, n: u32, [success, collision]: [f64; 2], packets: f64) -> f64 {
    Bianchi {
        n,
        window: [f64::from(config.mac.access.cw_min), f64::from(config.mac.access.cw_max)],
        attempts: config.mac.exchange.short_retry_limit,
        slot: config.mac.access.slot.secs() * 1e6,
        success,
        collision,
        bits: 1472.0 * 8.0 * packets,
    }
    .goodput()
}

fn holds(stations: &[u32], tolerance: f64, seconds: f64) {
    for cell in &CELLS {
        for &n in stations {
            let mut config = config(cell, n);
            // Without RTS the sender of a lost A-MPDU of 5.4 ms sends a Block ACK request first; the model assumes
            // that it sends the A-MPDU again. So A-MPDUs are compared with RTS only.
            let thresholds = if cell.aggregated { vec![RTS] } else { vec![BASIC, RTS] };
            for threshold in thresholds {
                config.mac.exchange.rts_threshold = threshold;
                let times = if threshold == RTS { cell.rts } else { cell.basic };
                let (got, expected) =
                    (saturate(&config, seconds, 1).goodput, model(&config, n, times, cell.packets));
                let off = got / expected - 1.0;
                let name = cell.standard.name();
                assert!(
                    off.abs() < tolerance,
                    "802.11{name}, {n} stations, RTS above {threshold}: {off:+.4}"
                );
            }
        }
    }
}

/// The solver is compared with published fixed points.
#[test]
fn the_model_has_its_fixed_point() {
    let model = |n, attempts| Bianchi {
        n,
        window: [31.0, 1023.0],
        attempts,
        slot: 20.0,
        success: 1618.0,
        collision: 1618.0,
        bits: 11_776.0,
    };
    // One station alone has no collisions and transmits in a slot with probability 2 / (W + 1), here with W = 32.
    assert!((model(1, 7).tau() - 2.0 / 33.0).abs() < 1e-9);
    // With many attempts the result approaches Bianchi's closed form for an infinite number: 0.037305 for 10
    // stations, W = 32, m = 5.
    assert!((model(10, 60).tau() - 0.037_305).abs() < 1e-6);
    assert!((model(10, 7).goodput() - 5.9368).abs() < 1e-3);
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn up_to_20_stations_within_2_percent() {
    holds(&[1, 2, 5, 10, 20], 0.02, 4.0);
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn fifty_stations_within_3_percent() {
    holds(&[50], 0.03, 4.0);
}

/// A packet at 390 Mb/s takes 72 us, with SIFS, ACK and AIFS 159 us. Frames are so short that the rule for the slot
/// after a frame matters. With EDCA's countdown busy slots count, as in Bianchi's model; with DCF's only slots that
/// have ended idle count.
#[test]
fn short_frames_as_the_model_of_their_countdown() {
    for n in [2, 5, 10, 20] {
        let mut config = crowd(Standard::Ac, Profile::Ns3, n as usize, true);
        very_high_throughput(&mut config, false);
        as_modelled(&mut config);
        config.mac.access.countdown = Countdown::Over;
        let window = [config.mac.access.cw_min, config.mac.access.cw_max];
        let kind = Kind { stations: n, window };
        let nobody = Kind { stations: 0, window };
        let (share, rate) = shares([&kind, &nobody], 9.0, [159.0; 2]);
        assert_eq!(share, 1.0);
        let off = saturate(&config, 4.0, 1).goodput / (rate * 1472.0 * 8.0) - 1.0;
        assert!(off.abs() < 0.01, "{n} stations: {off:+.4}");
        config.mac.access.countdown = Countdown::Begun;
        let off = saturate(&config, 4.0, 1).goodput / model(&config, n as u32, [159.0; 2], 1.0) - 1.0;
        assert!(off.abs() < 0.02, "{n} stations, EDCA's countdown: {off:+.4}");
    }
}

/// Goodput of ns-2.35 in Mb/s (headers included), mean over seeds, by data rate in Mb/s, number of stations and RTS
/// threshold.
#[test]
fn as_ns2_within_3_percent() {
    let cells: [(u64, u32, u32, f64); 8] = [
        (11, 1, BASIC, 6.0798),
        (11, 1, RTS, 4.5306),
        (11, 3, BASIC, 6.294),
        (11, 10, BASIC, 5.8188),
        (11, 10, RTS, 4.7154),
        (2, 1, BASIC, 1.7154),
        (2, 10, BASIC, 1.4946),
        (2, 10, RTS, 1.581),
    ];
    for (rate, n, threshold, expected) in cells {
        let mut config = crowd(Standard::B, Profile::Ns2, n as usize, false);
        config.set_mode(Standard::B.mode(rate * 1_000_000).expect("a rate of the standard"));
        config.mac.exchange.rts_threshold = threshold;
        let off = saturate(&config, 10.0, 1).goodput * 1500.0 / 1472.0 / expected - 1.0;
        assert!(off.abs() < 0.03, "{rate} Mb/s, {n} stations, RTS above {threshold}: {off:+.4}");
    }
}

/// Goodput of ns-3.37 with an access point and 1 or 2 stations, where ns-3.37 agrees with the model.
#[test]
fn as_ns3_within_3_percent() {
    let n = |aggregated, guard| (Standard::N, aggregated, guard);
    let (long, short) = (GuardInterval::Long, GuardInterval::Short);
    let cells = [
        ((Standard::B, false, long), [[6.079, 4.503], [6.328, 4.703]]),
        ((Standard::G, false, long), [[29.699, 22.453], [30.045, 23.120]]),
        ((Standard::A, false, long), [[29.872, 22.579], [30.492, 23.191]]),
        (n(false, long), [[30.680, 22.469], [31.332, 23.387]]),
        (n(false, short), [[32.274, 23.481], [33.138, 24.408]]),
        (n(true, long), [[59.602, 58.134], [56.682, 58.330]]),
        (n(true, short), [[66.244, 64.650], [63.025, 64.854]]),
    ];
    for ((standard, aggregated, guard), rows) in cells {
        for (n, row) in [1, 2].into_iter().zip(rows) {
            for (threshold, expected) in [BASIC, RTS].into_iter().zip(row) {
                let mut config = crowd(standard, Profile::Ns3, n, true);
                if standard == Standard::N {
                    high_throughput(&mut config, guard, aggregated);
                }
                config.mac.exchange.rts_threshold = threshold;
                let off = saturate(&config, 6.0, 1).goodput / expected - 1.0;
                let name = standard.name();
                assert!(off.abs() < 0.03, "802.11{name}, {n} stations, RTS above {threshold}: {off:+.4}");
            }
        }
    }
}
