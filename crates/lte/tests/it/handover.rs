//! Handover: length of the interruption, and packets lost with and without forwarding.

use crate::common::{Out, ms, one_cell, run, stream};
use base::{DropCause, Duration, Instant};
use lte::config::{A3, Enb, Handover};
use lte::rlc::{AmConfig, Mode};
use lte::{Config, Network};
use radio::Position;
use radio::access::Station;
use radio::mobility::{Config as Mobility, Track};

/// Returns a network of two cells 1000 m apart, with a UE that moves from one to the other in 20 s.
fn two_cells(mode: Mode, forwarding: bool) -> Config {
    let mut config = one_cell(&[100.0]);
    config.enbs.push(Enb { position: Position::new(1000.0, 0.0, 0.0), ..Enb::default() });
    let way =
        [(Instant::ZERO, Position::new(100.0, 0.0, 0.0)), (ms(20_000.0), Position::new(900.0, 0.0, 0.0))];
    config.ues[0].mobility = Mobility::Track(Track::new(&way));
    config.rlc.mode = mode;
    config.handover = Handover::A3(A3 { forwarding, ..A3::default() });
    config
}

/// Sends a downlink packet every millisecond and an uplink packet every 10 ms for 20 s; returns all deliveries and losses.
fn drive(config: &Config) -> (Vec<Out>, Network) {
    let mut network = Network::new(config, 1, "cells");
    let end = ms(20_000.0);
    let mut packets = stream(1, 500, ms(0.5), Duration::from_ms(1), end);
    packets.extend((0..2000).map(|i| (ms(f64::from(i) * 10.0 + 0.3), 1, 0, 60)));
    packets.sort_by_key(|packet| packet.0);
    let outs = run(&mut network, &packets, ms(21_000.0));
    (outs, network)
}

/// Returns the longest gap between two deliveries at `station` and the time at which that gap begins, both in ms.
fn gap(outs: &[Out], station: u32) -> (f64, f64) {
    let times: Vec<f64> = outs
        .iter()
        .filter(|out| out.lost.is_none() && out.station == Station(station))
        .map(|out| out.at.secs() * 1e3)
        .collect();
    times.windows(2).map(|w| (w[1] - w[0], w[0])).fold((0.0, 0.0), |a, b| if b.0 > a.0 { b } else { a })
}

fn lost(outs: &[Out]) -> Vec<(Station, DropCause)> {
    outs.iter().filter_map(|out| Some((out.station, out.lost?))).collect()
}

/// Handover with forwarding costs time only. Power falls by 20 dB per decade, so that the other cell is 3 dB stronger where the distances are
/// as sqrt(2) to 1: at 585.8 m, after 12.1 s. The command comes about 0.8 s later, since the averages lag and the time to trigger of 256 ms
/// takes 400 ms with a measurement every 200 ms.
#[test]
fn forwarding_loses_nothing_but_time() {
    for mode in [Mode::default(), Mode::Am(AmConfig::default())] {
        let (outs, network) = drive(&two_cells(mode, true));
        let (length, begins) = gap(&outs, 1);
        // The gap is the interruption of 30 ms plus a packet's delay of 3 to 4 ms, minus the delay of packets on their
        // way at the command.
        assert!((29.0..=36.0).contains(&length), "{mode:?}: {length} ms from {begins}");
        assert!((12_200.0..13_400.0).contains(&begins), "{begins}");
        let stats = &network.stats().ues[0];
        assert_eq!((stats.handovers, stats.cell), (1, 1));
        let lost = lost(&outs);
        match mode {
            // In unacknowledged mode the blocks on the air are lost: three subframes with one packet each.
            Mode::Um(_) => {
                assert!(lost.len() <= 5 && lost.iter().all(|l| l.1 == DropCause::Handover), "{lost:?}");
            }
            Mode::Am(_) => assert!(lost.is_empty(), "{lost:?}"),
        }
        let seqs: Vec<u64> =
            outs.iter().filter(|o| o.lost.is_none() && o.station == Station(1)).map(Out::seq).collect();
        assert!(seqs.is_sorted(), "{mode:?}");
        assert_eq!(network.inside(), 0);
    }
}

/// Without forwarding the downlink loses the packets of the interruption (30 ms), of the path switch (20 ms), and on the air: 50 to 55 at
/// one per ms. The uplink loses only packets on the air.
#[test]
fn without_forwarding_packets_stay_behind() {
    let (outs, network) = drive(&two_cells(Mode::default(), false));
    let lost = lost(&outs);
    let down = lost.iter().filter(|&&l| l == (Station(0), DropCause::Handover)).count();
    assert!((50..=55).contains(&down), "{down} of {}", lost.len());
    assert!(lost.len() - down <= 2, "{lost:?}");
    let (length, _) = gap(&outs, 1);
    assert!((50.0..=58.0).contains(&length), "{length}");
    assert_eq!(network.stats().ues[0].downlink.lost_handover, down as u64);
    assert_eq!(network.inside(), 0);
}

/// Without handover the UE stays with the cell that was strongest at the start.
#[test]
fn no_handover() {
    let config = Config { handover: Handover::None, ..two_cells(Mode::default(), true) };
    let (_, network) = drive(&config);
    assert_eq!((network.stats().ues[0].handovers, network.stats().ues[0].cell), (0, 0));
}

/// The offered load is above the cell's capacity, so that hundreds of packets wait at the handover command. Without `keep_waiting` the waiting
/// packets are lost; packets that arrive after the command are forwarded in both cases.
#[test]
fn what_waits_is_forwarded_or_not() {
    let lost = |keep_waiting| {
        let mut config = two_cells(Mode::default(), true);
        config.handover = Handover::A3(A3 { keep_waiting, ..A3::default() });
        config.rlc.buffer = 300_000;
        let mut network = Network::new(&config, 1, "cells");
        let packets = stream(1, 1500, ms(0.5), Duration::from_us(500), ms(20_000.0));
        let outs = run(&mut network, &packets, ms(21_000.0));
        assert_eq!(network.stats().ues[0].handovers, 1);
        lost(&outs).iter().filter(|each| each.1 == DropCause::Handover).count()
    };
    let (kept, left) = (lost(true), lost(false));
    assert!(kept <= 8, "{kept}: those on the air");
    // The buffer of 300 kB holds packets of 1502 bytes, of which one or two are being sent.
    assert!((195..=208).contains(&left), "{left}");
}

/// The UE sends one packet per ms; some of them still wait for a grant when the handover command arrives.
#[test]
fn what_waits_in_the_ue_is_kept_or_not() {
    let lost = |keep_waiting| {
        let mut config = two_cells(Mode::default(), true);
        config.handover = Handover::A3(A3 { keep_waiting, ..A3::default() });
        let mut network = Network::new(&config, 1, "cells");
        let packets: Vec<_> = (0..20_000).map(|i| (ms(f64::from(i) + 0.3), 1, 0, 60)).collect();
        let outs = run(&mut network, &packets, ms(21_000.0));
        assert_eq!(network.stats().ues[0].uplink.lost_handover as usize, lost(&outs).len());
        lost(&outs).len()
    };
    let (kept, left) = (lost(true), lost(false));
    assert!(left > kept && left <= 20, "{kept} {left}");
}

/// The measurement report goes out at the end of the time to trigger, 256 ms after a measurement, instead of at the next measurement (one
/// every 200 ms).
#[test]
fn the_time_to_trigger_ends_between_measurements() {
    let mut config = two_cells(Mode::default(), true);
    config.handover = Handover::A3(A3 { preparation: 0, ..A3::default() });
    let (outs, _) = drive(&config);
    let (_, begins) = gap(&outs, 1);
    // The last packet arrives at most 3 ms after the command, or before the command.
    let phase = (begins - 256.0).rem_euclid(200.0);
    assert!(phase <= 3.0 || phase >= 197.0, "{begins}");
}

/// Between three equal cells the control region has an SINR of -3.01 dB, at which a UE misses 1.47 % of its
/// downlink assignments, each with a transport block that is not sent again. The neighbours carry no data, so
/// that no other block is lost.
#[test]
fn a_missed_control_region_loses_what_it_told_of() {
    let lost = |control_errors| {
        let mut config = one_cell(&[0.0]);
        config.enbs = [(500.0, 0.0), (-250.0, 433.012_701_9), (-250.0, -433.012_701_9)]
            .map(|(x, y)| Enb { position: Position::new(x, y, 0.0), ..Enb::default() })
            .to_vec();
        config.reception.idle_interference = false;
        config.reception.control_errors = control_errors;
        let mut network = Network::new(&config, 1, "cells");
        let packets = stream(1, 500, ms(0.5), Duration::from_ms(1), ms(50_000.0));
        let outs = run(&mut network, &packets, ms(51_000.0));
        assert!(lost(&outs).iter().all(|each| each.1 == DropCause::Harq));
        assert_eq!(network.stats().ues[0].downlink_air.retransmissions, 0);
        lost(&outs).len() as f64
    };
    assert_eq!(lost(false), 0.0);
    let expected: f64 = 50_000.0 * 0.0147;
    let (found, error) = (lost(true), (expected * 0.9853).sqrt());
    assert!((found - expected).abs() < 3.0 * error, "{found} of {expected} +- {error}");
}
