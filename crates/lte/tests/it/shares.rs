//! Shares of two UEs compared with theory, and the effects of other cells and of fading on these shares.

use crate::common::{ms, one_cell, rate, run, stream};
use base::{Duration, Instant};
use lte::bandwidth::{Allocation, Granularity};
use lte::config::{Carrier, Enb, Profile};
use lte::fading::{self, Epa};
use lte::scheduler::Scheduler;
use lte::{Config, Network};
use radio::Position;
use radio::propagation::{LogDistance, PathLoss};

/// Returns one cell in which path loss grows with the fourth power of distance.
fn steep(distances: &[f64]) -> Config {
    let mut config = one_cell(distances);
    config.propagation.loss = PathLoss::LogDistance(LogDistance { exponent: 4.0, ..LogDistance::default() });
    config
}

/// Returns the rates of saturated UEs in the second and third second together, Mb/s.
fn rates(config: &Config) -> Vec<f64> {
    let mut network = Network::new(config, 1, "cell");
    let end = Instant::ZERO + Duration::from_secs(3);
    let interval = Duration::from_us(500);
    let ues = config.ues.len() as u32;
    let mut packets: Vec<_> =
        (1..=ues).flat_map(|ue| stream(ue, 1428, Instant::ZERO, interval, end)).collect();
    packets.sort_by_key(|packet| packet.0);
    let outs = run(&mut network, &packets, end);
    (1..=ues).map(|ue| rate(&outs, ue, ms(1000.0), end)).collect()
}

/// A UE at 40 m has CQI 15 and a UE at 150 m a medium CQI. Proportional fair gives both the same time and round robin
/// the same number of blocks, so each UE gets half of the rate that it has alone. Max C/I serves the near UE only.
#[test]
fn two_ues_with_unlike_channels() {
    let (near, far) = (rates(&steep(&[40.0]))[0], rates(&steep(&[150.0]))[0]);
    assert!(near > 18.0 && far < near / 2.0 && far > 1.0, "{near} and {far} alone");
    for scheduler in [Scheduler::default(), Scheduler::RoundRobin] {
        let carrier = Carrier { scheduler, granularity: Granularity::Blocks, ..Carrier::default() };
        let both = rates(&Config { carrier, ..steep(&[40.0, 150.0]) });
        for (got, alone) in both.iter().zip([near, far]) {
            assert!((got / alone / 0.5 - 1.0).abs() < 0.06, "{scheduler:?}: {both:?} of {near} and {far}");
        }
    }
    let carrier = Carrier { scheduler: Scheduler::MaxCi, ..Carrier::default() };
    let both = rates(&Config { carrier, ..steep(&[40.0, 150.0]) });
    assert!(both[0] > 0.99 * near && both[1] < 0.001, "{both:?}");
}

/// ns-3.37 gives saturated UEs at 1, 5 and 10 km 5.905, 3.606 and 1.947 Mb/s of payload, 1400 bytes in packets of 1428. Alone they get
/// 17.16, 10.80 and 6.05, so the time is not divided equally. Proportional fair compares the rate on one group of blocks
/// with the average throughput, and the sizes of transport blocks are not proportional to the number of blocks.
#[test]
fn proportional_fair_rates_the_blocks_of_a_report() {
    let config = one_cell(&[1000.0, 5000.0, 10_000.0]).like(Profile::Ns3);
    for (got, theirs) in rates(&config).iter().zip([5.905, 3.606, 1.947]) {
        let payload = got * 1400.0 / 1428.0;
        assert!((payload / theirs - 1.0).abs() < 0.01, "{payload} against {theirs}");
    }
}

/// One UE is saturated; the other gets a packet of 1428 bytes every 4 ms. ns-3.37's round robin and proportional
/// fair give the other UE whole shares of subframes, so that the first loses a quarter of its rate. It gets 12.85
/// and 12.87 of 17.15 Mb/s (payload of 1400 bytes, 25 blocks).
#[test]
fn a_full_allocation_wastes_what_a_packet_does_not_fill() {
    let left = |scheduler, allocation| {
        let carrier = Carrier { scheduler, allocation, ..Carrier::default() };
        let mut network = Network::new(&Config { carrier, ..one_cell(&[10.0, 10.0]) }, 1, "cell");
        let end = Instant::ZERO + Duration::from_secs(3);
        let mut packets = stream(1, 1428, Instant::ZERO, Duration::from_us(500), end);
        packets.extend(stream(2, 1428, Instant::ZERO, Duration::from_ms(4), end));
        packets.sort_by_key(|packet| packet.0);
        let outs = run(&mut network, &packets, end);
        rate(&outs, 1, ms(1000.0), end)
    };
    for scheduler in [Scheduler::default(), Scheduler::RoundRobin] {
        let needed = left(scheduler, Allocation::Needed);
        let full = left(scheduler, Allocation::Full);
        let alone = rates(&one_cell(&[10.0]))[0];
        assert!((full / alone / 0.75 - 1.0).abs() < 0.03, "{scheduler:?}: {full} of {alone}");
        assert!(needed > 0.8 * alone, "{scheduler:?}: {needed} of {alone}");
    }
}

/// Two UEs with the same statistics fade independently. Proportional fair serves each UE when its channel is
/// good and so exceeds round robin. For exponentially distributed powers the mean of the better of two is 1.5
/// times the mean of one.
#[test]
fn proportional_fair_gains_from_fading() {
    let total = |scheduler| {
        let mut config = steep(&[100.0, 100.0]);
        config.reception.fading = fading::Config::Epa(Epa { doppler: 5.0 });
        config.cqi.period = 1;
        config.carrier.scheduler = scheduler;
        rates(&config).iter().sum::<f64>()
    };
    let (turns, fair) = (total(Scheduler::RoundRobin), total(Scheduler::default()));
    assert!(fair > 1.1 * turns, "{fair} against {turns}");
}

/// UEs near the middle between two cells: if one cell is idle, the other's UE has a high rate; if both send, signal and interference are nearly
/// equal, and the rates are low.
#[test]
fn a_busy_neighbour_interferes() {
    let mut config = steep(&[47.5, 52.5]);
    config.enbs.push(Enb { position: Position::new(100.0, 0.0, 0.0), ..Enb::default() });
    let both = rates(&config);
    config.ues.truncate(1);
    let alone = rates(&config)[0];
    assert!(alone > 3.0 * both[0], "{alone} against {both:?}");
    // The SINR is 40 log10(52.5 / 47.5) = 1.74 dB, a little less with noise, so the UE reports CQI 4: 0.6016 bits per
    // resource element, from -0.4 dB on (CQI 5 needs 1.73 dB). 25 blocks of 150 elements carry 2256 bits; the MCS
    // just below has I_TBS 5 and 2216 bits.
    for got in both {
        assert!((got / 2.216 - 1.0).abs() < 0.03, "{got}");
    }
}

/// With old CQI reports and a fast-fading channel some transport blocks fail; HARQ repairs most of them.
#[test]
fn harq_mends_what_reports_miss() {
    let lost = |transmissions| {
        let mut config = steep(&[100.0]);
        config.reception.fading = fading::Config::Epa(Epa { doppler: 70.0 });
        config.harq.transmissions = transmissions;
        let mut network = Network::new(&config, 1, "cell");
        let end = Instant::ZERO + Duration::from_secs(10);
        let outs = run(&mut network, &stream(1, 1428, Instant::ZERO, Duration::from_ms(10), end), end);
        let lost = outs.iter().filter(|out| out.lost.is_some()).count();
        assert_eq!(network.stats().ues[0].downlink.lost_harq, lost as u64);
        lost
    };
    let (once, four) = (lost(1), lost(4));
    assert!(once > 200 && four < once / 5, "{once} and {four} of 1000");
}
