//! Timelines of transmissions worked by hand, to the picosecond.
//!
//! 802.11b at 11 Mb/s, ad hoc: slot 20 us, SIFS 10, DIFS 50, EIFS 364; data takes 1310 us, an ACK 203, RTS 352, CTS 304. Stations
//! within a fixed range receive each other. Tests read the backoffs from the stations' random streams.

use crate::common::packet;
use crate::common::timeline::{Run, at, backoffs, begins, line, us};
use base::DropCause;
use radio::Position;
use radio::access::Station;
use radio::propagation::LogDistance;
use radio::propagation::PathLoss;
use wifi::config::Capture;
use wifi::config::Discipline;
use wifi::config::{Countdown, DurationField, Eifs, IdleAccess, Reception};
use wifi::timing::{Rounding, Standard};
use wifi::{Config, Profile, Site};

const DATA: u64 = 1310;
const ACK: u64 = 203;
const RTS: u64 = 352;
const CTS: u64 = 304;
const SIFS: u64 = 10;
const DIFS: u64 = 50;
const EIFS: u64 = 364;
const SLOT: u64 = 20;
/// ACK timeout, us: SIFS, a slot and the preamble of an ACK.
const ACK_TIMEOUT: u64 = 222;

#[test]
fn an_idle_medium_is_had_at_once() {
    let mut run = Run::new(&line(&[0.0, 10.0], 100.0));
    run.send(at(1000), 0, 1);
    let (frames, out, _) = run.finish();
    let times: Vec<_> = frames.iter().map(|frame| (frame.kind, frame.begins, frame.ends)).collect();
    let data_ends = 1000 + DATA;
    assert_eq!(
        times,
        [("DATA", at(1000), at(data_ends)), ("ACK", at(data_ends + SIFS), at(data_ends + SIFS + ACK))]
    );
    assert_eq!(out.delivered.len(), 1);
}

/// Propagation at the speed of light delays each step of an exchange.
#[test]
fn signals_take_their_time() {
    let mut config = line(&[0.0, 299.792_458], 1000.0);
    config.phy.propagation.light_speed = 299_792_458.0;
    config.mac.exchange.rts_threshold = 0;
    let mut run = Run::new(&config);
    run.send(at(1000), 0, 1);
    let (frames, ..) = run.finish();
    let times: Vec<_> = frames.iter().map(|frame| (frame.kind, frame.begins)).collect();
    let cts = 1000 + RTS + 1 + SIFS;
    let data = cts + CTS + 1 + SIFS;
    let ack = data + DATA + 1 + SIFS;
    assert_eq!(times, [("RTS", at(1000)), ("CTS", at(cts)), ("DATA", at(data)), ("ACK", at(ack))]);
}

/// With data of 1309.09 us and an ACK of 304 us the RTS needs a NAV of 1947.09 us, rounded to 1948 or 1947. A third station's DIFS
/// begins at the later of the NAV's end and the ACK's end.
#[test]
fn a_reservation_is_of_whole_microseconds() {
    for (field, reserved) in [(DurationField::Up, 1948), (DurationField::Nearest, 1947)] {
        let mut config = line(&[0.0, 10.0, 20.0], 100.0);
        config.mac.exchange.rts_threshold = 0;
        config.mac.exchange.duration_field = field;
        config.phy.rounding = Rounding::None;
        config.phy.responses = vec![config.phy.control];
        let mut run = Run::new(&config);
        run.send(at(1000), 0, 1);
        run.send(at(1100), 2, 1);
        let (frames, ..) = run.finish();
        let ack = frames.iter().find(|frame| frame.kind == "ACK").expect("an ACK");
        assert_eq!((ack.ends.ps() / 10_000, ack.to), (329_909, Some(Station(0))));
        let over = ack.ends.max(at(1000 + RTS + reserved));
        let backoff = us(DIFS + backoffs(2, &[31])[0] * SLOT);
        let next = frames.iter().find(|frame| frame.from == Station(2)).expect("its RTS");
        assert_eq!((next.kind, next.begins), ("RTS", over + backoff), "{field:?}");
    }
}

/// Two packets arrive while the medium is busy. The station with the shorter backoff sends; the other freezes its
/// backoff and later continues with the remaining slots. With EDCA's countdown the slot in which the first station
/// started counts, too.
#[test]
fn a_backoff_freezes_while_the_medium_is_busy() {
    for (countdown, less) in [(Countdown::Over, 0), (Countdown::Begun, SLOT)] {
        let mut config = line(&[0.0, 10.0, 20.0, 30.0], 100.0);
        config.mac.access.countdown = countdown;
        freezes(&config, less);
    }
}

fn freezes(config: &Config, less: u64) {
    let mut run = Run::new(config);
    run.send(at(0), 0, 3);
    run.send(at(500), 1, 3);
    run.send(at(600), 2, 3);
    let (frames, out, _) = run.finish();
    let (a, b) = (backoffs(1, &[31])[0], backoffs(2, &[31])[0]);
    assert_ne!(a, b, "the seed was to give different backoffs");
    let (first, second) = if a < b { (1, 2) } else { (2, 1) };
    let idle = DIFS + DATA + SIFS + ACK;
    let begin = idle + DIFS + a.min(b) * SLOT;
    assert_eq!(begins(&frames, first, "DATA"), [at(begin)]);
    let idle = begin + DATA + SIFS + ACK;
    assert_eq!(begins(&frames, second, "DATA"), [at(idle + DIFS + a.abs_diff(b) * SLOT - less)]);
    assert_eq!(out.delivered.len(), 3);
}

/// After a success a station draws a backoff for its next packet, even without any other station.
#[test]
fn a_backoff_follows_each_success() {
    let mut run = Run::new(&line(&[0.0, 10.0], 100.0));
    run.send(at(1000), 0, 1);
    run.send(at(1001), 0, 1);
    let (frames, ..) = run.finish();
    let done = 1000 + DATA + SIFS + ACK;
    let slots = backoffs(0, &[31])[0];
    assert_eq!(begins(&frames, 0, "DATA"), [at(1000), at(done + DIFS + slots * SLOT)]);
}

/// Two hidden stations both sense an idle medium, and their frames collide at the receiver between them. After its ACK timeout
/// each station draws from a contention window twice as large.
#[test]
fn hidden_stations_collide_at_the_receiver() {
    let mut run = Run::new(&line(&[0.0, 80.0, 160.0], 100.0));
    run.send(at(1000), 0, 1);
    run.send(at(1900), 2, 1);
    let (frames, ..) = run.finish();
    let lost: Vec<_> = frames.iter().take(2).map(|frame| (frame.from.0, frame.lost)).collect();
    assert_eq!(lost, [(0, Some(DropCause::Collision)), (2, Some(DropCause::Collision))]);
    let again = |from: u32, start: u64| {
        let slots = backoffs(from, &[63])[0];
        at(start + DATA + ACK_TIMEOUT + slots * SLOT)
    };
    assert_eq!(begins(&frames, 0, "DATA")[..2], [at(1000), again(0, 1000)]);
    assert_eq!(begins(&frames, 2, "DATA")[..2], [at(1900), again(2, 1900)]);
}

/// Hidden stations with RTS: the first RTS is answered, and the CTS keeps the other station silent until the end of the ACK.
#[test]
fn a_cts_reserves_the_medium_among_hidden_stations() {
    let mut config = line(&[0.0, 80.0, 160.0], 100.0);
    config.mac.exchange.rts_threshold = 0;
    let mut run = Run::new(&config);
    run.send(at(1000), 0, 1);
    let data = 1000 + RTS + SIFS + CTS + SIFS;
    // The other station cannot sense the data, but has received the CTS.
    run.send(at(data + 200), 2, 1);
    let (frames, out, _) = run.finish();
    let done = data + DATA + SIFS + ACK;
    let slots = backoffs(2, &[31])[0];
    assert_eq!(begins(&frames, 2, "RTS"), [at(done + DIFS + slots * SLOT)]);
    assert_eq!(out.delivered.len(), 2);
    assert!(frames.iter().all(|frame| frame.lost.is_none()));
}

/// After an unanswered RTS other stations reset their NAV when a CTS and the following data should have begun.
#[test]
fn an_unanswered_rts_reserves_little() {
    // Station 1 receives the RTS of station 0 to station 2, which is out of range of both.
    for (reset, quiet) in [(true, 2 * SIFS + CTS + 192 + 2 * SLOT), (false, 3 * SIFS + CTS + DATA + ACK)] {
        let mut config = line(&[0.0, 50.0, 500.0], 100.0);
        config.mac.exchange.rts_threshold = 0;
        config.mac.exchange.nav_reset = reset;
        let mut run = Run::new(&config);
        run.send(at(1000), 0, 2);
        run.send(at(1100), 1, 0);
        let (frames, ..) = run.finish();
        let slots = backoffs(1, &[31])[0];
        let own = 1000 + RTS + quiet + DIFS + slots * SLOT;
        let again = 1000 + RTS + ACK_TIMEOUT + backoffs(0, &[63])[0] * SLOT;
        // Depending on the seed, the other station sends before or after the second RTS, which sets the NAV again.
        if again > own {
            assert_eq!(begins(&frames, 1, "RTS")[0], at(own), "reset {reset}");
        } else {
            assert!(begins(&frames, 1, "RTS")[0] > at(own), "reset {reset}");
        }
    }
}

/// A station that senses a frame but cannot receive it waits for EIFS; if EIFS acts as a NAV, DIFS is added.
#[test]
fn a_frame_with_errors_costs_eifs() {
    // By log-distance path loss, station 0's frames arrive at station 2 with 4 dB less than the weakest that
    // it can receive.
    let mut config = line(&[0.0, 10.0, 100.0], 1000.0);
    config.phy.propagation.loss =
        PathLoss::LogDistance(LogDistance { reference_loss: Some(40.0), ..LogDistance::default() });
    // Received power is 16 - 40 - 30 lg d: -54 dBm at 10 m, -84 dBm at 100 m, -82.6 dBm at 90 m.
    config.phy.power = 16.0;
    config.phy.reception =
        Reception::Capture(Capture { receive: -80.0, sense: -90.0, ratio: 10.0, reserves: false });
    // Station 2 cannot receive the ACK either.
    let idle = 1000 + DATA + SIFS + ACK;
    for (rule, wait) in [(Eifs::Lowest, EIFS), (Eifs::Reserved, EIFS + DIFS)] {
        config.mac.exchange.eifs = rule;
        let mut run = Run::new(&config);
        run.send(at(1000), 0, 1);
        run.send(at(1500), 2, 1);
        let (frames, ..) = run.finish();
        let slots = backoffs(2, &[31])[0];
        assert_eq!(begins(&frames, 2, "DATA")[0], at(idle + wait + slots * SLOT), "{rule:?}");
    }
}

/// A frame in reception survives an interferer that is at least 10 dB weaker; a stronger interferer destroys it.
#[test]
fn the_first_frame_survives_a_weak_one_only() {
    // Station 0 is close to the receiver 1; station 2 is far away and does not sense 0.
    let mut config = line(&[0.0, 10.0, 90.0], 1000.0);
    config.phy.propagation.loss =
        PathLoss::LogDistance(LogDistance { reference_loss: Some(40.0), ..LogDistance::default() });
    config.phy.power = 16.0;
    // Received power is -54 dBm at 10 m and -81.1 dBm at 80 m; -82.6 dBm at 90 m is not sensed.
    config.phy.reception =
        Reception::Capture(Capture { receive: -82.0, sense: -82.0, ratio: 10.0, reserves: false });
    for (strong_first, expected) in [(true, [false, true]), (false, [true, true])] {
        let mut run = Run::new(&config);
        let (first, second) = if strong_first { (0, 2) } else { (2, 0) };
        run.send(at(1000), first, 1);
        run.send(at(1500), second, 1);
        let (frames, ..) = run.finish();
        let data = frames.iter().filter(|frame| frame.kind == "DATA").take(2);
        let lost: Vec<_> = data.map(|frame| frame.lost.is_some()).collect();
        assert_eq!(lost, expected, "strong first: {strong_first}");
    }
}

/// The packet is lost after seven attempts, with windows that double up to 1023. The cause is that no station is in
/// range.
#[test]
fn attempts_end_at_the_retry_limit() {
    let mut run = Run::new(&line(&[0.0, 500.0], 100.0));
    run.send(at(1000), 0, 1);
    let (frames, out, stats) = run.finish();
    let mut expected = vec![at(1000)];
    for slots in backoffs(0, &[63, 127, 255, 511, 1023, 1023]) {
        let last = *expected.last().expect("a first");
        expected.push(last + us(DATA + ACK_TIMEOUT + slots * SLOT));
    }
    assert_eq!(begins(&frames, 0, "DATA"), expected);
    assert_eq!(out.lost.len(), 1);
    assert_eq!(out.lost[0].2, DropCause::OutOfRange);
    assert_eq!(stats.stations[0].failed[wifi::Fault::OutOfRange as usize], 7);
}

/// An exposed station that senses a sender stays silent, although its own receiver would not be disturbed.
#[test]
fn an_exposed_station_waits() {
    // 1 sends to 0 and 2 to 3; neighbours are 80 m apart, and 1 and 2 sense each other.
    let mut run = Run::new(&line(&[0.0, 80.0, 160.0, 240.0], 100.0));
    run.send(at(1000), 1, 0);
    run.send(at(1500), 2, 3);
    let (frames, out, _) = run.finish();
    let slots = backoffs(2, &[31])[0];
    let idle = 1000 + DATA + SIFS + ACK;
    assert_eq!(begins(&frames, 2, "DATA"), [at(idle + DIFS + slots * SLOT)]);
    assert_eq!(out.delivered.len(), 2);
}

/// A transmitting station cannot receive: a frame for it is lost, and the cause is not a collision.
#[test]
fn who_transmits_hears_nothing() {
    let mut run = Run::new(&line(&[0.0, 80.0], 100.0));
    // Both start at the same instant, so neither senses the other.
    for (from, to) in [(0, 1), (1, 0)] {
        run.network.send(at(1000), Station(from), Station(to), packet(from, 0), &mut run.out);
    }
    let (frames, _, stats) = run.finish();
    let first: Vec<_> = frames.iter().take(2).map(|frame| (frame.begins, frame.lost)).collect();
    assert_eq!(first, [(at(1000), Some(DropCause::Collision)); 2]);
    let transmitting = wifi::Fault::Transmitting as usize;
    assert!(stats.stations.iter().all(|station| station.failed[transmitting] == 1));
}

/// ns-2's ACK timeout allows 2 us of propagation each way, or 600 m. At a greater distance the packet arrives seven
/// times, but each ACK is late.
#[test]
fn a_timeout_that_allows_too_little_cuts_the_range() {
    for (distance, in_time) in [(598.0, true), (602.0, false)] {
        let sites = [0.0, distance].map(|x| Site::fixed(Position::new(x, 0.0, 0.0))).to_vec();
        let mut config = Config::new(Standard::B, Profile::Ns2, sites, None);
        config.mac.exchange.rts_threshold = 65_535;
        config.phy.power += 40.0;
        let mut run = Run::new(&config);
        run.send(at(1000), 0, 1);
        let (_, out, stats) = run.finish();
        assert_eq!(out.delivered.len(), 1);
        assert_eq!(out.lost.len(), 0);
        assert_eq!(stats.stations[1].duplicates, if in_time { 0 } else { 6 });
    }
}

/// A packet to be forwarded is queued at the end of its frame, in the SIFS before the ACK. The relay sends it DIFS
/// after that ACK. With `IdleAccess::Immediate` the relay also draws a backoff.
#[test]
fn a_packet_passed_on_waits_for_the_answer_to_the_hop_before() {
    let drawn = backoffs(1, &[31])[0];
    for (idle_access, slots) in [(IdleAccess::Immediate, drawn), (IdleAccess::BetweenFrames, 0)] {
        let mut config = line(&[0.0, 10.0, 20.0], 15.0);
        config.routing = routing::Config::FewestHops;
        config.mac.exchange.idle_access = idle_access;
        let mut run = Run::new(&config);
        run.send(at(1000), 0, 2);
        let (frames, out, _) = run.finish();
        let answered = 1000 + DATA + SIFS + ACK;
        assert_eq!(begins(&frames, 1, "DATA"), [at(answered + DIFS + slots * SLOT)]);
        assert_eq!(out.delivered.len(), 1);
    }
}

/// Seven packets arrive at once: one is transmitted, two fit in the MAC queue, three in the queue discipline above,
/// and one is dropped.
#[test]
fn a_discipline_fills_the_queue_below_it() {
    let mut config = line(&[0.0, 10.0], 100.0);
    config.queue.packets = 2;
    let room = net::queue::drop_tail::Config { limit: net::Limit::Packets(3) };
    config.queue.discipline = Discipline::Queue(net::queue::Config::DropTail(room));
    let mut run = Run::new(&config);
    for seq in 0..7 {
        run.network.send(at(1000), Station(0), Station(1), packet(0, seq), &mut run.out);
    }
    let (_, out, stats) = run.finish();
    let delivered: Vec<_> = out.delivered.iter().map(|(_, packet)| packet.body).collect();
    assert_eq!(delivered, (0..6).map(|seq| packet(0, seq).body).collect::<Vec<_>>());
    assert_eq!(stats.stations[0].lost[DropCause::Queue as usize], 1);
}

/// 100 packets at once wait more than 100 ms. CoDel above a MAC queue of two packets drops some; above a MAC queue
/// that holds all packets it drops none.
#[test]
fn a_discipline_sees_the_delay_of_what_waits_above() {
    for (packets, drops) in [(2, true), (100, false)] {
        let mut config = line(&[0.0, 10.0], 100.0);
        config.queue.packets = packets;
        config.queue.discipline =
            Discipline::Queue(net::queue::Config::CoDel(net::queue::codel::Config::default()));
        let mut run = Run::new(&config);
        for seq in 0..100 {
            run.network.send(at(1000), Station(0), Station(1), packet(0, seq), &mut run.out);
        }
        let (_, out, stats) = run.finish();
        let dropped = stats.stations[0].lost[DropCause::Aqm as usize];
        assert_eq!(dropped > 0, drops);
        assert_eq!(out.delivered.len() as u64 + dropped, 100);
    }
}

/// A signal that takes 150 ms, from the third station to the second, is not received: the log of
/// transmissions is too short for delays above 20 ms.
#[test]
fn a_signal_that_is_long_on_its_way_does_not_arrive() {
    let mut config = line(&[0.0, 10.0, 150_000.0], 1e6);
    config.phy.propagation.light_speed = 1e6;
    let mut run = Run::new(&config);
    for k in 0..100 {
        run.send(at(5000 * k), 0, 1);
        run.send(at(5000 * k), 2, 1);
    }
    let (_, out, stats) = run.finish();
    let of = |from| out.delivered.iter().filter(|(_, packet)| packet.flow.0 == from).count();
    assert_eq!((of(0), of(2)), (100, 0));
    assert_eq!(stats.total(|station| station.lost_total() + station.left), 100);
}
