//! Uplink grants: delays of a UE's packets against timelines worked by hand and against ns-3.37.

use crate::common::{ms, one_cell, run};
use lte::config::{Grants, Profile};
use lte::rlc::{AmConfig, Mode};
use lte::{Config, Network};
use radio::Position;
use radio::access::Station;
use radio::mobility::{Config as Mobility, Track};

/// Returns the delays, rounded up to whole ms, of packets of 52 bytes that a UE sends at these times in ms.
fn delays(grants: Grants, times: &[u32]) -> Vec<u32> {
    let mut config: Config = one_cell(&[30.0]);
    config.uplink.grants = grants;
    let mut network = Network::new(&config, 1, "cell");
    let packets: Vec<_> = times.iter().map(|&at| (ms(f64::from(at)), 1, 0, 52)).collect();
    let mut outs = run(&mut network, &packets, ms(1000.0));
    outs.sort_by_key(|out| out.packet.sent);
    assert!(outs.iter().all(|out| out.lost.is_none()));
    outs.iter().map(|out| libm::ceil(out.delay().secs() * 1e3) as u32).collect()
}

/// The first packet's scheduling request is in subframe 151 and known at 154; the grant is used in 158, and the block is decoded by 161. The
/// delay is 11 ms and up to 1 ms of waiting for the request. Packets that arrive until the block is built, 1 ms before its subframe, go with
/// the first. The ninth packet needs a request of its own.
#[test]
fn packets_ride_on_the_grant_of_the_first() {
    let times: Vec<u32> = (150..166).collect();
    let expected = [12, 11, 10, 9, 8, 7, 6, 5, 12, 11, 10, 9, 8, 7, 6, 5];
    assert_eq!(delays(Grants::Requested, &times), expected);
}

/// In ns-3.37 delays in the same cell fall from 11.93 ms to 4.93 ms in steps of 1 ms and then stay, since each packet
/// caused a grant of its own. With gaps between packets they are 11.93, 8.93, 5.93, 4.93, 6.93, 6.93, 11.93 and 10.93
/// ms.
#[test]
fn shares_are_granted_as_in_ns3() {
    let times: Vec<u32> = (150..161).collect();
    assert_eq!(delays(Grants::Shares, &times), [12, 11, 10, 9, 8, 7, 6, 5, 5, 5, 5]);
    let times = [150, 153, 156, 157, 158, 161, 170, 171];
    assert_eq!(delays(Grants::Shares, &times), [12, 9, 6, 5, 7, 7, 12, 11]);
}

/// Returns the packets of 1428 bytes, of one each ms, that a UE delivers from 2 to 3 s.
fn delivered(config: &Config) -> usize {
    let mut network = Network::new(config, 1, "cell");
    let packets: Vec<_> = (0..3000).map(|at| (ms(f64::from(at)), 1, 0, 1428)).collect();
    let outs = run(&mut network, &packets, ms(3000.0));
    outs.iter().filter(|out| out.lost.is_none() && out.at >= ms(2000.0)).count()
}

/// A UE that only sends, and receives nothing, moves from 100 m to 10 km within a second. From then on it has
/// the rate of a UE that stands there, and not that of its first position.
#[test]
fn a_ue_that_only_sends_has_the_rate_of_its_present_place() {
    let mut config = one_cell(&[100.0]);
    let near = delivered(&config);
    let way = [(ms(0.0), Position::new(100.0, 0.0, 0.0)), (ms(1000.0), Position::new(10_000.0, 0.0, 0.0))];
    config.ues[0].mobility = Mobility::Track(Track::new(&way));
    let there = delivered(&one_cell(&[10_000.0]));
    assert!(there + 200 < near, "{there} far away and {near} near");
    let arrived = delivered(&config);
    assert!(arrived.abs_diff(there) <= 2, "{arrived}, a UE that stands there {there}");
}

/// A saturated UE in acknowledged mode receives a packet of 1428 bytes now and then, which polls for a status report. A
/// report that has to wait for t-StatusProhibit (10 ms) takes a block for itself. At 2 km and 25 blocks ns-3.37 gives
/// 13.21 Mb/s. With a packet each 22.4, 14.9, 11.2, 9.3 and 5.6 ms reports take 0.0, 1.4, 1.7, 10.0 and 10.0 % of that.
#[test]
fn reports_that_had_to_wait_take_a_block_of_their_own() {
    let mut config = one_cell(&[2000.0]).like(Profile::Ns3);
    config.rlc.mode = Mode::Am(AmConfig::default());
    let sent = |gap: f64| {
        let up = (0..15_000).map(|i| (ms(f64::from(i) * 0.2), 1, 0, 1428));
        let down =
            (0..).map(|i| (ms(500.0 + f64::from(i) * gap), 0, 1, 1428)).take_while(|p| p.0 < ms(3000.0));
        let mut packets: Vec<_> = up.chain(down).collect();
        packets.sort_by_key(|packet| packet.0);
        let outs = run(&mut Network::new(&config, 1, "cell"), &packets, ms(3000.0));
        let arrived = outs.iter().filter(|out| out.lost.is_none() && out.station == Station(0));
        arrived.filter(|out| out.at >= ms(1000.0)).count() as f64
    };
    let alone = sent(1e6);
    for (gap, theirs) in [(22.4, 0.0003), (14.9, 0.014), (11.2, 0.017), (9.3, 0.100), (5.6, 0.100)] {
        let lost = 1.0 - sent(gap) / alone;
        assert!((lost - theirs).abs() < 0.02, "{gap} ms: {lost:.4} of the rate, in ns-3 {theirs}");
    }
}
