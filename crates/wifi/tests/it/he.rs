//! 802.11ax: A-MPDUs of up to 256 packets and their Block ACKs, TXOPs, losses, and a golden file of frames (`golden/he.txt`).
//!
//! At MCS 11, 80 MHz, one stream and a guard interval of 0.8 us a symbol has 8166 bits and takes 13.6 us; the preamble takes 43.2 us.
//! A packet of 1500 bytes has 1538 bytes with header, 1542 with delimiter, 1544 with padding.

use crate::common::timeline::{Run, at, backoffs_of, begins};
use crate::common::{crowd, high_efficiency, packet, saturate};
use radio::Position;
use radio::access::{Frame, Outbox, Station};
use radio::propagation::{PathLoss, Range};
use std::fmt::Write as _;
use wifi::config::{Aggregation, Capture, Reception};
use wifi::edca::{Access, AccessCategory, Edca};
use wifi::timing::{GuardInterval, He, Mode, Standard, Training, Width};
use wifi::{Config, Network, Profile, Site};

const BEST_EFFORT: AccessCategory = AccessCategory::BestEffort;

/// Returns three 802.11ax stations in range of each other, without propagation delay.
fn three() -> Config {
    let sites = [0.0, 5.0, 10.0].map(|x| Site::fixed(Position::new(x, 0.0, 0.0))).to_vec();
    let mut config = Config::new(Standard::Ax, Profile::Ieee, sites, None);
    config.phy.propagation.loss = PathLoss::Range(Range { range: 100.0 });
    config.phy.propagation.light_speed = 1e18;
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    config.queue.packets = 1000;
    high_efficiency(&mut config, true);
    config
}

fn with_edca(mut config: Config) -> Config {
    config.set_edca(Edca::standard(Standard::Ax, 15, 1023));
    config
}

/// Returns the frames of two senders to station 0: `packets` packets of station 1, queued at 1000 us, and `others`
/// packets of station 2, queued at 1500 us.
fn frames(config: &Config, packets: u64, others: u64) -> Vec<Frame> {
    let mut run = Run::new(config);
    for seq in 0..packets {
        run.network.send(at(1000), Station(1), Station(0), packet(1, seq), &mut run.out);
    }
    run.until(at(1500));
    for seq in 0..others {
        run.network.send(at(1500), Station(2), Station(0), packet(2, seq), &mut run.out);
    }
    let (frames, out, _) = run.finish();
    assert_eq!(out.delivered.len() as u64, packets + others);
    frames
}

/// Returns kind, length in bytes and duration in ns of each frame.
fn shape(frames: &[Frame]) -> Vec<(&'static str, u32, u64)> {
    frames.iter().map(|f| (f.kind, f.bytes, (f.ends - f.begins).ps() / 1000)).collect()
}

/// Returns the length of an A-MPDU of `packets` packets, bytes.
const fn bytes(packets: u32) -> u32 {
    (packets - 1) * 1544 + 1542
}

/// A Block ACK with a bitmap of 256 bits is 24 bytes longer than one with 64 bits and takes 40 us instead of 32 us.
#[test]
fn up_to_256_packets_have_one_block_ack() {
    let mut config = three();
    // 256 packets take 387.2 symbols, 63 packets 95.3.
    let all = [("DATA", bytes(256), 5_320_000), ("BA", 56, 40_000)];
    assert_eq!(shape(&frames(&config, 256, 0)), all);
    let rest = [("DATA", bytes(63), 43_200 + 96 * 13_600), ("BA", 56, 40_000)];
    assert_eq!(shape(&frames(&config, 319, 0)), [all, rest].concat());
    // A single packet has a delimiter and is answered with an ACK.
    assert_eq!(shape(&frames(&config, 1, 0)), [("DATA", 1542, 70_400), ("ACK", 14, 28_000)]);
    // With a Block ACK window of 64 the bitmap has 64 bits.
    config.mac.aggregation.frames = 64;
    let few = [("DATA", bytes(64), 43_200 + 97 * 13_600), ("BA", 32, 32_000)];
    assert_eq!(shape(&frames(&config, 64, 0)), few);
    // The maximum frame duration also limits an aggregate. At 8.6 Mb/s three packets take 45.6 us and 317 symbols
    // of 117 bits; a fourth would take 106 more symbols.
    config = three();
    config.set_mode(Standard::Ax.mcs(0, Width::Mhz20, GuardInterval::Us0_8).expect("an MCS"));
    assert_eq!(shape(&frames(&config, 3, 0))[0], ("DATA", bytes(3), 43_200 + 317 * 13_600));
    assert_eq!(shape(&frames(&config, 4, 0))[0], ("DATA", bytes(3), 43_200 + 317 * 13_600));
}

/// TXOP limits are those of Table 9-155 of IEEE Std 802.11-2020; in profile `ns3` those of ns-3.37.
#[test]
fn access_has_its_txop_limits() {
    let row =
        |access: Access| [access.aifsn, access.cw_min, access.cw_max, (access.txop.ps() / 1_000_000) as u32];
    let ax = Edca::standard(Standard::Ax, 15, 1023);
    assert_eq!(
        ax.each().map(row),
        [[7, 15, 1023, 2528], [3, 15, 1023, 2528], [2, 7, 15, 4096], [2, 3, 7, 2080]]
    );
    assert_eq!(ax.with_single_frames().each().map(|access| row(access)[3]), [0, 0, 4096, 2080]);
}

/// An A-MPDU and its Block ACK fit into the TXOP limit of 2528 us, which leaves 2472 us for the frame: 178 symbols, 117 packets. With
/// SIFS (16 us) and Block ACK (40 us) no time is left for another frame.
#[test]
fn an_aggregate_fits_into_its_txop() {
    let all = frames(&with_edca(three()), 234, 0);
    // 117 packets have 180 646 bytes, which take 176.98 symbols.
    let data = ("DATA", bytes(117), 43_200 + 177 * 13_600);
    let block_ack = ("BA", 56, 40_000);
    assert_eq!(shape(&all), [data, block_ack, data, block_ack]);
    // The second frame has its own TXOP, after AIFS and a backoff.
    let slots = backoffs_of(1, BEST_EFFORT, &[15])[0];
    let gap = (all[2].begins - all[1].ends).ps() / 1_000_000;
    assert_eq!(gap, 43 + 9 * slots);
    // If aggregates take a tenth of the TXOP, several follow each other SIFS apart.
    let mut short = with_edca(three());
    short.mac.aggregation.frames = 8;
    let all = frames(&short, 24, 0);
    let starts = begins(&all, 1, "DATA");
    let eight = 43_200 + 13 * 13_600;
    assert_eq!(shape(&all)[0], ("DATA", bytes(8), eight));
    let apart = (starts[1] - starts[0]).ps() / 1000;
    assert_eq!(apart, eight + 16_000 + 32_000 + 16_000);
}

/// A cycle of one saturated station: AIFS 43 us, 7.5 slots on average, an A-MPDU of 256 packets, SIFS and a Block ACK of 40 us; with 64
/// packets a Block ACK of 32 us.
#[test]
fn one_saturated_station_as_by_hand() {
    for (packets, frame, block_ack) in [(256, 5320.0, 40.0), (64, 43.2 + 97.0 * 13.6, 32.0)] {
        let mut config = crowd(Standard::Ax, Profile::Ieee, 1, false);
        high_efficiency(&mut config, true);
        config.mac.aggregation.frames = packets;
        let cycle = 43.0 + 7.5 * 9.0 + frame + 16.0 + block_ack;
        let expected = f64::from(packets) * 1472.0 * 8.0 / cycle;
        let off = saturate(&config, 10.0, 1).goodput / expected - 1.0;
        assert!(off.abs() < 0.002, "{packets} packets: {off:+.4}");
    }
}

/// The fastest mode, four streams at 160 MHz (4.8 Gb/s), has the goodput worked by hand.
#[test]
fn the_fastest_mode_as_by_hand() {
    let mut config = crowd(Standard::Ax, Profile::Ieee, 1, false);
    config.set_mode(Mode::He(He {
        mcs: 11,
        streams: 4,
        width: Width::Mhz160,
        guard: GuardInterval::Us0_8,
        training: Training::Two,
        erp: false,
    }));
    // Reception by power alone, without noise.
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    // 395 262 bytes are 3 162 112 bits, or 48.4 symbols of 65 333 bits, after a preamble of 64.8 us.
    let cycle = 43.0 + 7.5 * 9.0 + 64.8 + 49.0 * 13.6 + 16.0 + 40.0;
    let expected = 256.0 * 1472.0 * 8.0 / cycle;
    let off = saturate(&config, 5.0, 1).goodput / expected - 1.0;
    assert!(off.abs() < 0.005, "{off:+.4}");
}

/// Lost MPDUs of an A-MPDU, also beyond the 64th, are sent again without the others, and all packets are delivered
/// in order.
#[test]
fn what_a_block_ack_misses_goes_again_in_order() {
    // 16 dBm at 8.3 m and 80 MHz gives an SNR of 29.5 dB, at which MCS 9 loses some MPDUs.
    let sites = [0.0, 8.3].map(|x| Site::fixed(Position::new(x, 0.0, 0.0))).to_vec();
    let mut config = Config::new(Standard::Ax, Profile::Ieee, sites, None);
    config.set_mode(Standard::Ax.mcs(9, Width::Mhz80, GuardInterval::Us0_8).expect("an MCS"));
    config.queue.packets = 3000;
    assert_eq!(config.check(), Ok(()));
    let mut network = Network::new(&config, 3, "wlan");
    let mut out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
    for seq in 0..2000 {
        network.send(at(1000), Station(1), Station(0), packet(1, seq), &mut out);
    }
    while let Some(now) = network.next().filter(|now| *now <= at(1_000_000)) {
        network.run(now, &mut out);
    }
    let order: Vec<_> = out.delivered.iter().map(|(_, packet)| packet.body).collect();
    assert!(order.iter().copied().eq((0..2000).map(|seq| packet(1, seq).body)), "{} arrived", order.len());
    let sent = out.frames.unwrap_or_default();
    let data: Vec<u32> = sent.iter().filter(|f| f.kind == "DATA").map(|f| f.bytes).collect();
    // The maximum frame duration is 400 symbols of 6533 bits.
    assert_eq!(data[0], bytes(211));
    // MPDUs sent beyond the 2000 packets are retransmissions.
    let mpdus: u32 = data.iter().map(|bytes| (bytes + 2) / 1544).sum();
    let again = mpdus - 2000;
    assert!((100..1500).contains(&again), "{again} MPDUs were sent again");
    // Some aggregates exceed the 64 packets that a Block ACK of 64 bits covers.
    assert!(data[1..].iter().any(|frame| *frame > bytes(64)), "{data:?}");
}

/// Returns the frames of a run as text, one line each, below `title`.
fn lines(title: &str, frames: &[Frame]) -> String {
    let mut text = format!("{title}\n");
    for frame in frames {
        let us = |t: base::Instant| t.ps() as f64 / 1e6;
        let to = frame.to.map_or("all".to_owned(), |to| to.0.to_string());
        let lost = frame.lost.map_or(String::new(), |cause| format!("  lost: {cause:?}"));
        let Frame { from, kind, bytes, .. } = frame;
        let packets =
            if *kind == "DATA" { format!("  packets: {}", (bytes + 2) / 1544) } else { String::new() };
        let (begins, ends) = (us(frame.begins), us(frame.ends));
        writeln!(text, "{begins:10.1} {ends:10.1}  {} > {to}  {kind:4} {bytes:7} B{packets}{lost}", from.0)
            .expect("text grows");
    }
    text
}

fn trace() -> String {
    let mut slow = three();
    slow.set_mode(Standard::Ax.mcs(0, Width::Mhz20, GuardInterval::Us3_2).expect("an MCS"));
    slow.mac.exchange.rts_threshold = 3000;
    let mut single = three();
    single.mac.aggregation = Aggregation::none();
    [
        "Frames of 802.11ax: microseconds from and to, stations, kind, length. 300 packets of 1500 bytes from station 1 at 1000 us,\n\
         and 2 from station 2 at 1500 us, for station 0. make pages writes this file.\n"
            .to_owned(),
        lines("\nMCS 11, 80 MHz, 0.8 us: up to 256 packets in a frame", &frames(&three(), 300, 2)),
        lines("\nThe same with EDCA: frames fit into TXOPs of 2528 us", &frames(&with_edca(three()), 300, 2)),
        lines("\nThe same without aggregation, 3 packets", &frames(&single, 3, 2)),
        lines("\nMCS 0, 20 MHz, 3.2 us, RTS above 3000 bytes, 4 packets", &frames(&slow, 4, 2)),
    ]
    .concat()
}

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/he.txt");

#[test]
fn the_trace_is_the_golden_one() {
    let golden = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    let traced = trace();
    let first = golden.lines().zip(traced.lines()).find(|(a, b)| a != b);
    assert!(golden == traced, "make pages writes it anew: first difference {first:?}");
}

#[test]
#[ignore = "writes golden/he.txt"]
fn renew_the_page() {
    std::fs::write(GOLDEN, trace()).expect("writable");
}
