//! Greatest rate of a cell and delay in an idle cell, against the standard's table and ns-3.37.

use crate::common::{ms, one_cell, rate, run, stream};
use base::{Duration, Instant};
use lte::amc::{Adaptation, ErrorModel};
use lte::bandwidth::{Bandwidth, Granularity};
use lte::config::{Carrier, Grants, Uplink};
use lte::rlc::{self, AmConfig, Mode};
use lte::{Config, Network, tbs};
use radio::access::{Outbox, Station};

/// IP rates of ns-3.37 in Mb/s, for UDP packets of 1428 bytes and an RLC buffer of 1 MB: bandwidth, RLC UM, RLC AM. (Computed from the goodput
/// of 1400 bytes of payload per packet over one second.)
const NS3: [(Bandwidth, f64, f64); 3] = [
    (Bandwidth::Mhz1_4, 4.3668, 4.3517),
    (Bandwidth::Mhz5, 17.5096, 17.4932),
    (Bandwidth::Mhz20, 75.1933, 75.1769),
];

fn peak(config: &Config, offered: f64) -> f64 {
    let mut network = Network::new(config, 1, "cell");
    let interval = Duration::from_secs_f64(1428.0 * 8.0 / offered);
    let end = Instant::ZERO + Duration::from_secs(2);
    let outs = run(&mut network, &stream(1, 1428, Instant::ZERO, interval, end), end);
    rate(&outs, 1, ms(1000.0), end)
}

/// With whole resource block groups and a full buffer, each subframe carries a transport block of all usable blocks.
/// The rate is that of the table minus the headers: MAC 1 byte, RLC 2 bytes and the lengths, PDCP 2 bytes per packet.
#[test]
fn udp_is_the_transport_block_table_and_ns3() {
    for (bandwidth, um, am) in NS3 {
        let mut config = one_cell(&[10.0]);
        config.carrier.bandwidth = bandwidth;
        config.carrier.granularity = Granularity::WholeGroups;
        let blocks = config.downlink_blocks();
        let table = f64::from(tbs::bits(26, blocks)) / 1e3;
        let packets = table * 1e3 / 8.0 / 1428.0;
        let headers = 1.0 + 2.0 + 3.5 * packets;
        let expected = table * (1.0 - headers / (table * 1e3 / 8.0));
        let ours = peak(&config, 1.3e6 * table);
        assert!(
            (ours / expected - 1.0).abs() < 0.003,
            "{}: {ours} against the table's {expected}",
            bandwidth.name()
        );
        assert!((ours / um - 1.0).abs() < 0.02, "{}: {ours} against ns-3's {um}", bandwidth.name());
        config.rlc.mode = Mode::Am(AmConfig::default());
        let ours = peak(&config, 1.3e6 * table);
        assert!((ours / am - 1.0).abs() < 0.02, "{}, AM: {ours} against ns-3's {am}", bandwidth.name());
    }
}

/// In free space at 30 dBm the rate is the same at all distances from 10 to 2000 m, as in ns-3: 35.067 Mb/s in 48 of
/// 50 blocks. At 2000 m the SNR is 20.4 dB; CQI 15 needs 19.1 dB.
#[test]
fn two_kilometres_of_free_space_change_nothing() {
    let at = |distance: f64| {
        let mut config = one_cell(&[distance]);
        config.carrier.bandwidth = Bandwidth::Mhz10;
        config.carrier.granularity = Granularity::WholeGroups;
        peak(&config, 50e6)
    };
    let near = at(10.0);
    assert!((near / 35.067 - 1.0).abs() < 0.02, "{near}");
    assert!((at(2000.0) / near - 1.0).abs() < 1e-3);
}

/// Without 64QAM the highest MCS of the uplink is 20, I_TBS 19. PUCCH takes 2 of 25 blocks, and a UE can send in 20
/// of the other 23. A transport block then has 8504 bits, minus these bytes: MAC 1, buffer status report 2, RLC 2 and
/// 3.5 for each packet.
#[test]
fn the_uplink_is_the_table_too() {
    let mut network = Network::new(&one_cell(&[10.0]), 1, "cell");
    let end = Instant::ZERO + Duration::from_secs(2);
    let packets: Vec<_> = stream(0, 1428, Instant::ZERO, Duration::from_ms(1), end)
        .into_iter()
        .map(|p| (p.0, 1, 0, p.3))
        .collect();
    let ours = rate(&run(&mut network, &packets, end), 0, ms(1000.0), end);
    let expected = 8.504 - 8.0 * (5.0 + 3.5 * 1063.0 / 1428.0) / 1e3;
    assert!((ours / expected - 1.0).abs() < 0.003, "{ours} against {expected}");
}

/// UEs at 3.7 km from their eNodeB upload in 50 blocks. In ns-3.37 one UE gets 12.656 Mb/s of payload, each of two 6.300:
/// they send in the MCS of the whole band, although their power is spread over half of it.
#[test]
fn shares_of_the_uplink_have_the_mcs_of_the_whole_band() {
    for (ues, ns3) in [(1, 12.656), (2, 12.6)] {
        let mut config = one_cell(&vec![3700.0; ues]);
        config.carrier.bandwidth = Bandwidth::Mhz10;
        config.reception.error_model = ErrorModel::MiesmNs3;
        config.cqi.adaptation = Adaptation::Miesm;
        config.uplink = Uplink {
            grants: Grants::Shares,
            frequency: Some(1.93e9),
            control_blocks: 0,
            qam64: true,
            ..config.uplink
        };
        let mut network = Network::new(&config, 1, "cell");
        let end = Instant::ZERO + Duration::from_secs(2);
        let ups = |p: (Instant, u32, u32, u32)| (1..=ues as u32).map(move |ue| (p.0, ue, 0, p.3));
        let interval = Duration::from_us(500);
        let packets: Vec<_> =
            stream(0, 1428, Instant::ZERO, interval, end).into_iter().flat_map(ups).collect();
        let ours = rate(&run(&mut network, &packets, end), 0, ms(1000.0), end) * 1400.0 / 1428.0;
        assert!((ours / ns3 - 1.0).abs() < 0.01, "{ues} UEs: {ours} against {ns3}");
    }
}

#[test]
fn mimo_is_a_factor() {
    let mut config = one_cell(&[10.0]);
    config.carrier.granularity = Granularity::WholeGroups;
    let one = peak(&config, 60e6);
    config.carrier.mimo = 2.0;
    let two = peak(&config, 60e6);
    assert!((two / one - 2.0).abs() < 0.01, "{one} and {two}");
}

/// A single packet takes 3 ms if it arrives just before a subframe and 4 ms if it arrives at its beginning. It waits
/// up to 1 ms for the next subframe, 1 ms is the transmission, 2 ms decoding. A packet of 1428 bytes exceeds one
/// subframe of 6 blocks (549 bytes) and takes 6 ms, as in ns-3.
#[test]
fn delay_without_load() {
    for (bandwidth, delay) in [(Bandwidth::Mhz1_4, 6.0), (Bandwidth::Mhz5, 4.0), (Bandwidth::Mhz20, 4.0)] {
        let mut config = one_cell(&[10.0]);
        config.carrier.bandwidth = bandwidth;
        let mut network = Network::new(&config, 1, "cell");
        let outs = run(&mut network, &[(ms(100.0), 0, 1, 1428), (ms(200.99), 0, 1, 1428)], ms(300.0));
        let delays: Vec<f64> = outs.iter().map(|o| o.delay().secs() * 1e3).collect();
        assert!((delays[0] - delay).abs() < 1e-9, "{delays:?}");
        assert!((delays[1] - (delay - 0.99)).abs() < 1e-9, "{delays:?}");
    }
}

/// An ACK at an idle UE at the beginning of subframe 100: scheduling request in 101, grant in 104, transport block built at 107, PUSCH in 108,
/// decoded at 111, then the S1 link. A second ACK that arrives before the transport block is built goes with the first.
#[test]
fn uplink_from_idle() {
    let config = one_cell(&[10.0]);
    let mut network = Network::new(&config, 1, "cell");
    let outs =
        run(&mut network, &[(ms(100.0), 1, 0, 52), (ms(104.5), 1, 0, 52), (ms(150.0), 1, 0, 52)], ms(200.0));
    let delays: Vec<f64> = outs.iter().map(|o| o.delay().secs() * 1e3).collect();
    let s1 = 8.0 * 88.0 / 10e9 * 1e3;
    for (delay, expected) in delays.iter().zip([11.0 + s1, 6.5 + 2.0 * s1, 11.0 + s1]) {
        assert!((delay - expected).abs() < 1e-6, "{delays:?}");
    }
    assert_eq!(network.stats().ues[0].requests, 2);
}

/// An idle network schedules no events for subframes.
#[test]
fn idle_costs_nothing() {
    for mode in [Mode::default(), Mode::Am(AmConfig::default())] {
        let mut config = one_cell(&[10.0, 20.0, 30.0]);
        config.rlc = rlc::Config { mode, ..config.rlc };
        let mut network = Network::new(&config, 1, "cell");
        assert_eq!(network.next(), None);
        run(&mut network, &[(ms(100.0), 0, 1, 1428), (ms(300.0), 2, 0, 1428)], ms(10_000.0));
        assert_eq!(network.next(), None);
        assert!(network.stats().subframes < 100, "{}", network.stats().subframes);
        assert_eq!(network.inside(), 0);
    }
}

/// With a full buffer each transport block has exactly the table's size for all usable blocks, at every bandwidth.
#[test]
fn full_blocks_are_the_table_to_the_bit() {
    for &bandwidth in Bandwidth::ALL {
        for granularity in [Granularity::Blocks, Granularity::Groups, Granularity::WholeGroups] {
            let carrier = Carrier { bandwidth, granularity, ..Carrier::default() };
            let config = Config { carrier, ..one_cell(&[10.0]) };
            let mut network = Network::new(&config, 1, "cell");
            let mut outbox = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
            for seq in 0..300 {
                let packet = crate::common::datagram(Instant::ZERO, seq, 1428);
                network.send(Instant::ZERO, Station(0), Station(1), packet, &mut outbox);
            }
            network.run(ms(25.0), &mut outbox);
            let expected = tbs::bits(26, bandwidth.usable(granularity)) / 8;
            let frames = outbox.frames.expect("observed");
            assert!(
                frames.len() > 20 && frames.iter().all(|f| f.kind == "PDSCH" && f.bytes == expected),
                "{frames:?}"
            );
        }
    }
}
