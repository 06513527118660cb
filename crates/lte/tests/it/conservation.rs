//! Conservation in random LTE networks: each packet sent is delivered, lost, or still inside, exactly once.

use crate::common::{ms, one_cell, run};
use base::Duration;
use lte::bandwidth::{Bandwidth, Granularity};
use lte::config::{Backhaul, Enb, Grants, Handover};
use lte::fading::{self, Epa};
use lte::rlc::{AmConfig, Mode, UmConfig};
use lte::scheduler::Scheduler;
use lte::{Config, Network};
use net::Limit;
use net::queue::drop_tail;
use proptest::prelude::*;
use radio::Position;
use radio::mobility::{Bounds, Config as Mobility, RandomWaypoint};
use radio::propagation::{LogDistance, PathLoss};

fn mode() -> impl Strategy<Value = Mode> {
    let um = (0..60_u32).prop_map(|reordering| Mode::Um(UmConfig { reordering, ..UmConfig::default() }));
    let am = (5..100_u32, 1..20_u32, 1..4_u32, 0..60_u32, 0..40_u32).prop_map(
        |(poll_retransmit, poll_pdus, retransmissions, reordering, status_prohibit)| {
            let am = AmConfig::default();
            Mode::Am(AmConfig {
                poll_retransmit,
                poll_pdus,
                retransmissions,
                reordering,
                status_prohibit,
                ..am
            })
        },
    );
    prop_oneof![um, am]
}

fn config() -> impl Strategy<Value = Config> {
    let radio = (0..6_usize, 0..3_usize, 0..3_usize, prop::option::of(1.0..300.0), 1.0..2.0, 1..5_u32);
    let protocols = (mode(), 200..60_000_u64, 0..7_usize, 20..400_u32, 1..30_u32);
    let places = (prop::collection::vec(20.0..900.0, 1..4), any::<bool>(), any::<bool>(), any::<bool>());
    (radio, protocols, places).prop_map(|(radio, protocols, (distances, second, moves, forwarding))| {
        let (bandwidth, granularity, scheduler, doppler, mimo, transmissions) = radio;
        let (mode, buffer, period, first_grant, queue) = protocols;
        let mut config = one_cell(&distances);
        config.carrier.bandwidth = Bandwidth::ALL[bandwidth];
        config.carrier.granularity =
            [Granularity::Blocks, Granularity::Groups, Granularity::WholeGroups][granularity];
        config.carrier.scheduler = [Scheduler::RoundRobin, Scheduler::default(), Scheduler::MaxCi][scheduler];
        if let Some(doppler) = doppler {
            config.reception.fading = fading::Config::Epa(Epa { doppler });
        }
        config.carrier.mimo = mimo;
        config.harq.transmissions = transmissions;
        config.propagation.loss =
            PathLoss::LogDistance(LogDistance { exponent: 3.6, ..LogDistance::default() });
        config.rlc.mode = mode;
        config.rlc.buffer = buffer;
        config.uplink.request_period = [1, 2, 5, 10, 20, 40, 80][period];
        config.uplink.first_grant = first_grant;
        config.uplink.grants = if first_grant % 2 == 0 { Grants::Requested } else { Grants::Shares };
        config.s1 = Backhaul {
            queue: drop_tail::Config { limit: Limit::Packets(queue) },
            delay: Duration::from_us(700),
            ..config.s1
        };
        if second {
            config.enbs.push(Enb { position: Position::new(900.0, 0.0, 0.0), ..Enb::default() });
        }
        if moves {
            config.ues[0].mobility = Mobility::RandomWaypoint(RandomWaypoint {
                bounds: Bounds::new([0.0, 900.0], [0.0, 10.0]),
                speed: [200.0, 300.0],
                pause: [Duration::ZERO; 2],
                starts_paused: false,
            });
        }
        let Handover::A3(handover) = &mut config.handover else { panic!("on by default") };
        handover.forwarding = forwarding;
        handover.time_to_trigger = 40;
        handover.period = 40;
        config
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn packets_are_conserved(
        config in config(),
        seed in 0..1000_u64,
        traffic in prop::collection::vec((0.0..3000.0, 0..4_u32, 0..4_u32, 40..1500_u32), 1..400),
    ) {
        let ues = config.ues.len() as u32;
        let mut packets: Vec<_> = traffic
            .into_iter()
            .map(|(at, from, to, wire)| (ms(at), from % (ues + 1), to % (ues + 1), wire))
            .filter(|&(_, from, to, _)| from != to)
            .collect();
        packets.sort_by_key(|packet| packet.0);
        let mut network = Network::new(&config, seed, "cell");
        let outs = run(&mut network, &packets, ms(4000.0));
        let mut seqs: Vec<u64> = outs.iter().map(crate::common::Out::seq).collect();
        seqs.sort_unstable();
        let all = seqs.len();
        seqs.dedup();
        prop_assert_eq!(all, seqs.len(), "a packet came out twice");
        prop_assert_eq!(all + network.inside(), packets.len());
        for out in outs.iter().filter(|out| out.lost.is_none()) {
            let (_, _, to, wire) = packets[out.seq() as usize];
            prop_assert_eq!((out.station.0, out.packet.wire), (to, wire));
        }
        // Without handover the packets of one direction between two stations stay in order.
        if network.stats().ues.iter().all(|ue| ue.handovers == 0) {
            for (from, to) in (0..=ues).flat_map(|a| (0..=ues).map(move |b| (a, b))) {
                let way: Vec<u64> = outs
                    .iter()
                    .filter(|o| o.lost.is_none() && (packets[o.seq() as usize].1, o.station.0) == (from, to))
                    .map(crate::common::Out::seq)
                    .collect();
                prop_assert!(way.is_sorted(), "{from} to {to}: {way:?}");
            }
        }
        // A second run with the same seed has the same results.
        let again = run(&mut Network::new(&config, seed, "cell"), &packets, ms(4000.0));
        prop_assert_eq!(again.iter().map(|o| (o.seq(), o.at)).collect::<Vec<_>>(), outs.iter().map(|o| (o.seq(), o.at)).collect::<Vec<_>>());
    }
}
