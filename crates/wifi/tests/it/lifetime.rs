//! Lifetime of packets in aggregates, worked by hand.
//!
//! 802.11n at MCS 7, 20 MHz. Five packets of 1500 bytes, 5 * (4 + 1538 + 2) - 2 bytes, take 36 + 4 * ceil((22 + 8 * 7718) / 260) =
//! 988 us. A Block ACK takes 32 us at 24 Mb/s and 68 us at 6 Mb/s; a Block ACK request takes 32 and 56 us.

use crate::common::timeline::{Run, at, us};
use crate::common::{crowd, high_throughput, packet};
use base::{DropCause, Duration};
use radio::access::Station;
use settings::TimeOrNever;
use wifi::config::RequestRate;
use wifi::timing::{GuardInterval, Standard};
use wifi::{Config, Profile};

const DATA: u64 = 988;
const SIFS: u64 = 16;

fn aggregating(senders: usize, lifetime: Option<Duration>, rate: RequestRate) -> Config {
    let mut config = crowd(Standard::N, Profile::Ieee, senders, false);
    high_throughput(&mut config, GuardInterval::Long, true);
    config.queue.lifetime = TimeOrNever(lifetime);
    config.mac.block_ack_request_rate = rate;
    config
}

/// Queues five packets to station 0 at each of the other stations, all at the same time.
fn run(config: &Config, senders: u32) -> Run {
    let mut run = Run::new(config);
    for seq in 0..5 {
        for from in 1..=senders {
            run.network.send(at(1000), Station(from), Station(0), packet(from, seq), &mut run.out);
        }
    }
    run
}

#[test]
fn what_expires_on_the_air_moves_the_window() {
    let timeline = |lifetime, rate| {
        let (frames, out, _) = run(&aggregating(1, lifetime, rate), 1).finish();
        assert_eq!((out.delivered.len(), out.lost.len()), (5, 0));
        frames.iter().map(|f| (f.kind, f.begins, f.ends)).collect::<Vec<_>>()
    };
    let (data, ack) = (1000 + DATA, 1000 + DATA + SIFS);
    let first = [("DATA", at(1000), at(data)), ("BA", at(ack), at(ack + 32))];
    assert_eq!(timeline(Some(us(2000)), RequestRate::Control), first);
    // The Block ACK request follows SIFS after the Block ACK, although all packets have arrived.
    let request = ack + 32 + SIFS;
    for (rate, asks, answers) in [(RequestRate::Control, 56, 68), (RequestRate::Response, 32, 32)] {
        let answer = request + asks + SIFS;
        let second = [("BAR", at(request), at(request + asks)), ("BA", at(answer), at(answer + answers))];
        assert_eq!(timeline(Some(us(500)), rate), [first, second].concat());
    }
}

/// Two aggregates collide. With a short lifetime all their packets have expired when the medium is idle again: each sender sends one
/// Block ACK request and loses the packets that it would otherwise retransmit. The first request may collide, too.
#[test]
fn what_expires_after_a_collision_does_not_go_again() {
    let count = |lifetime| {
        let (frames, out, _) = run(&aggregating(2, lifetime, RequestRate::Response), 2).finish();
        let data = frames.iter().filter(|f| f.kind == "DATA").count();
        let requests = frames.iter().filter(|f| f.kind == "BAR" && f.lost.is_none()).count();
        assert!(out.lost.iter().all(|(_, _, cause)| *cause == DropCause::Queue));
        (data, requests, out.delivered.len(), out.lost.len())
    };
    assert_eq!(count(None), (4, 2, 10, 0));
    assert_eq!(count(Some(us(500))), (2, 2, 0, 10));
}
