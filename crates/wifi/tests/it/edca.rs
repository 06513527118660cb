//! EDCA: timelines and throughput of bursts worked by hand, and shares of access categories compared with a model.
//!
//! 802.11b at 11 Mb/s as in `timelines`. With the QoS Control field a frame of 1538 bytes takes 192 + ceil(1538 * 8 / 11) = 1311 us.

use crate::common::slots::{Kind, shares};
use crate::common::timeline::{Run, at, backoffs_of, begins, line};
use crate::common::{Bianchi, as_modelled, crowd, high_throughput, packet, saturate_as};
use base::Duration;
use radio::access::Station;
use wifi::config::Countdown;
use wifi::edca::{Access, AccessCategory, Edca};
use wifi::timing::{GuardInterval, Standard};
use wifi::{Config, Profile};

const DATA: u64 = 1311;
const ACK: u64 = 203;
const RTS: u64 = 352;
const CTS: u64 = 304;
const SIFS: u64 = 10;
const SLOT: u64 = 20;
const EXCHANGE: u64 = DATA + SIFS + ACK;
const VOICE: AccessCategory = AccessCategory::Voice;
const VIDEO: AccessCategory = AccessCategory::Video;

fn with_edca(mut config: Config) -> Config {
    config.set_edca(Edca::standard(config.standard, config.mac.access.cw_min, config.mac.access.cw_max));
    config
}

/// Queues a packet from station 0 to each of these stations at 1000 us, before the first frame begins.
fn together(run: &mut Run, category: AccessCategory, to: &[u32]) {
    for (seq, to) in to.iter().enumerate() {
        let ends = (Station(0), Station(*to));
        run.network.send_as(category, at(1000), ends, packet(0, seq as u64), &mut run.out);
    }
}

/// The default parameters are those of Table 8-105 of the standard, for aCWmin of 31 and 15 and aCWmax of 1023.
#[test]
fn the_default_parameters_are_the_standards() {
    let row =
        |access: Access| [access.aifsn, access.cw_min, access.cw_max, (access.txop.ps() / 1_000_000) as u32];
    let b = Edca::standard(Standard::B, 31, 1023).each().map(row);
    assert_eq!(b, [[7, 31, 1023, 0], [3, 31, 1023, 0], [2, 15, 31, 6016], [2, 7, 15, 3264]]);
    let n = Edca::standard(Standard::N, 15, 1023).each().map(row);
    assert_eq!(n, [[7, 15, 1023, 0], [3, 15, 1023, 0], [2, 7, 15, 3008], [2, 3, 7, 1504]]);
}

/// A packet that arrives while the medium is busy waits for its category's AIFS and a backoff from the category's window.
#[test]
fn each_category_has_its_own_wait() {
    let cases = [(7, 31), (3, 31), (2, 15), (2, 7)];
    for (category, (aifsn, window)) in AccessCategory::ALL.into_iter().zip(cases) {
        let mut run = Run::new(&with_edca(line(&[0.0, 10.0, 20.0], 100.0)));
        run.send(at(1000), 0, 2);
        run.send_as(category, at(1500), 1, 2);
        let (frames, out, _) = run.finish();
        let slots = backoffs_of(1, category, &[window])[0];
        let idle = 1000 + EXCHANGE;
        assert_eq!(begins(&frames, 1, "DATA"), [at(idle + SIFS + (aifsn + slots) * SLOT)], "{category:?}");
        assert_eq!(out.delivered.len(), 2);
    }
}

/// Internal collision: if the backoffs of two categories of a station end together, the higher category transmits,
/// and the other draws from a window twice as large.
#[test]
fn of_two_categories_the_higher_wins() {
    let mut config = with_edca(line(&[0.0, 10.0, 20.0], 100.0));
    let mut edca = config.mac.access.edca.expect("EDCA");
    let access = Access { aifsn: 2, cw_min: 0, cw_max: 7, txop: Duration::ZERO };
    (edca[VIDEO], edca[VOICE]) = (access, access);
    config.set_edca(edca);
    let mut run = Run::new(&config);
    run.send(at(1000), 0, 2);
    run.send_as(VIDEO, at(1400), 1, 0);
    run.send_as(VOICE, at(1500), 1, 2);
    let (frames, out, stats) = run.finish();
    let first = 1000 + EXCHANGE + SIFS + 2 * SLOT;
    // The internal collision has doubled the window from 0 to 1.
    let slots = backoffs_of(1, VIDEO, &[0, 1])[1];
    let second = first + EXCHANGE + SIFS + (2 + slots) * SLOT;
    let sent: Vec<_> =
        frames.iter().filter(|frame| frame.from == Station(1) && frame.kind == "DATA").collect();
    assert_eq!(
        sent.iter().map(|frame| (frame.begins, frame.to)).collect::<Vec<_>>(),
        [(at(first), Some(Station(2))), (at(second), Some(Station(0)))]
    );
    assert_eq!(out.delivered.len(), 3);
    let categories = &stats.stations[1].categories;
    let [video, voice] = [VIDEO, VOICE].map(|category| &categories[category as usize]);
    assert_eq!(
        (video.internal_collisions, video.txops, voice.internal_collisions, voice.txops),
        (1, 1, 0, 1)
    );
    assert!(frames.iter().all(|frame| frame.lost.is_none()));
}

/// A category whose backoff has ended cannot send while its station waits for an ACK; after the timeout it waits for AIFS again.
#[test]
fn while_one_category_waits_for_its_ack_the_others_do_not_send() {
    // Station 0 sends to 2, which is out of range; meanwhile a packet of another category for 1 arrives.
    let mut run = Run::new(&with_edca(line(&[0.0, 10.0, 500.0], 100.0)));
    run.send(at(1000), 0, 2);
    run.send_as(VOICE, at(1100), 0, 1);
    let (frames, ..) = run.finish();
    let timeout = 1000 + DATA + SIFS + SLOT + 192;
    let voice = timeout + SIFS + (2 + backoffs_of(0, VOICE, &[7])[0]) * SLOT;
    let again = timeout + SIFS + (3 + backoffs_of(0, AccessCategory::BestEffort, &[63])[0]) * SLOT;
    let to = |to: u32| {
        frames.iter().find(|f| f.to == Some(Station(to)) && f.begins > at(1000) && f.kind == "DATA")
    };
    assert!(voice < again, "the seed was to let the voice packet go first");
    assert_eq!(to(1).map(|frame| frame.begins), Some(at(voice)));
}

/// A TXOP of 3264 us has room for two exchanges of 1524 us, SIFS apart; a third exchange must contend again.
#[test]
fn a_txop_is_a_burst() {
    let mut run = Run::new(&with_edca(line(&[0.0, 10.0], 100.0)));
    for _ in 0..3 {
        run.send_as(VOICE, at(1000), 0, 1);
    }
    let (frames, out, stats) = run.finish();
    let second = 1000 + EXCHANGE + SIFS;
    let third = second + EXCHANGE + SIFS + (2 + backoffs_of(0, VOICE, &[7])[0]) * SLOT;
    assert_eq!(begins(&frames, 0, "DATA"), [at(1000), at(second), at(third)]);
    assert_eq!(out.delivered.len(), 3);
    let voice = &stats.stations[0].categories[VOICE as usize];
    assert_eq!((voice.txops, voice.data_sent, voice.acknowledged), (2, 3, 3));
}

/// Within a TXOP each ACK reserves the medium for the next frame, also at stations that sense only the ACKs.
#[test]
fn a_burst_reserves_the_medium_ahead() {
    let mut run = Run::new(&with_edca(line(&[0.0, 80.0, 160.0], 100.0)));
    together(&mut run, VOICE, &[1, 1]);
    let second = 1000 + EXCHANGE + SIFS;
    run.send_as(VOICE, at(second + 500), 2, 1);
    let (frames, out, _) = run.finish();
    let done = second + EXCHANGE;
    let slots = backoffs_of(2, VOICE, &[7])[0];
    assert_eq!(begins(&frames, 2, "DATA"), [at(done + SIFS + (2 + slots) * SLOT)]);
    assert_eq!(out.delivered.len(), 3);
    assert!(frames.iter().all(|frame| frame.lost.is_none()));
}

/// A backoff lasts for as many slots as were drawn, however long the medium is busy in between. Station 0 sends one
/// frame after the other, each after 290 us. Station 2 waits for an AIFS of 310 us, and never sends. In each pause 13
/// slots of station 1 begin, the first after its AIFS of 50 us. A backoff of thousands of slots takes seconds, while the
/// log of transmissions goes back 100 ms.
#[test]
fn a_long_backoff_counts_no_slot_of_a_busy_medium() {
    for window in [255, 1023, 32_767] {
        let mut config = with_edca(line(&[0.0, 10.0, 20.0], 100.0));
        let mut edca = config.mac.access.edca.expect("EDCA");
        let access = |aifsn, window| Access { aifsn, cw_min: window, cw_max: window, txop: Duration::ZERO };
        (edca[VOICE], edca[VIDEO]) = (access(14, 0), access(2, window));
        edca[AccessCategory::Background] = access(15, 0);
        config.set_edca(edca);
        config.queue.packets = 1000;
        let mut run = Run::new(&config);
        for _ in 0..1000 {
            run.send_as(VOICE, at(1000), 0, 2);
        }
        run.send_as(AccessCategory::Background, at(1200), 2, 0);
        run.send_as(VIDEO, at(1500), 1, 2);
        let (frames, ..) = run.finish();
        let slots = backoffs_of(1, VIDEO, &[u64::from(window)])[0];
        let (pauses, left) = (slots / 13, slots % 13);
        let pause = 1000 + EXCHANGE + pauses * (EXCHANGE + SIFS + 14 * SLOT);
        assert_eq!(
            begins(&frames, 1, "DATA"),
            [at(pause + SIFS + (2 + left) * SLOT)],
            "{window}: {slots} slots"
        );
    }
}

/// RTS and CTS precede the first frame of a burst, and again the first frame to another receiver.
#[test]
fn a_burst_is_announced_once_for_each_receiver() {
    let mut config = with_edca(line(&[0.0, 10.0, 20.0], 100.0));
    config.mac.exchange.rts_threshold = 0;
    let mut run = Run::new(&config);
    together(&mut run, VIDEO, &[1, 1, 2]);
    let (frames, ..) = run.finish();
    // Three exchanges take 2200 + 10 + 1524 + 10 + 2200 = 5944 us of the TXOP limit of 6016 us.
    let first = 1000 + RTS + SIFS + CTS + SIFS;
    let second = first + EXCHANGE + SIFS;
    let rts = second + EXCHANGE + SIFS;
    let third = rts + RTS + SIFS + CTS + SIFS;
    assert_eq!(begins(&frames, 0, "RTS"), [at(1000), at(rts)]);
    assert_eq!(begins(&frames, 0, "DATA"), [at(first), at(second), at(third)]);
    assert!(third + EXCHANGE - 1000 <= 6016);
}

/// An A-MPDU with its Block ACK stays within the TXOP limit.
#[test]
fn an_aggregate_fits_into_its_txop() {
    let mut config = crowd(Standard::N, Profile::Ieee, 1, false);
    high_throughput(&mut config, GuardInterval::Long, true);
    config.queue.packets = 200;
    let mut run = Run::new(&with_edca(config));
    for seq in 0..100 {
        let ends = (Station(1), Station(0));
        run.network.send_as(VIDEO, at(1000), ends, packet(1, seq), &mut run.out);
    }
    let (frames, out, stats) = run.finish();
    assert_eq!(out.delivered.len(), 100);
    // 3008 - 16 - 32 us are 731 symbols of 260 bits, or 23 754 bytes. A packet takes 4 + 1538 bytes and, except for the last, 2 bytes
    // of padding.
    let sent: Vec<_> = frames.iter().filter(|frame| frame.kind == "DATA").collect();
    let bytes = |packets: u32| 1544 * packets - 2;
    assert_eq!(
        sent.iter().map(|frame| frame.bytes).collect::<Vec<_>>(),
        [bytes(15), bytes(15), bytes(15), bytes(15), bytes(15), bytes(15), bytes(10)]
    );
    // No TXOP has room for a second aggregate, so each has its own.
    assert_eq!(stats.stations[1].categories[VIDEO as usize].txops, 7);
}

#[test]
fn unlike_windows_share_as_the_model_says() {
    // In 802.11a data of 1538 bytes takes 252 us, SIFS 16 us, an ACK 28 us and DIFS 34 us; a collision lasts as long.
    let usual = [[7, 15], [15, 1023]];
    for (n, windows) in [(1, usual), (2, usual), (5, usual), (5, [[15, 1023], [31, 1023]])] {
        let mut config = crowd(Standard::A, Profile::Ieee, 2 * n, false);
        as_modelled(&mut config);
        let mut edca = Edca::standard(Standard::A, 15, 1023);
        for (category, [cw_min, cw_max]) in [VIDEO, AccessCategory::BestEffort].into_iter().zip(windows) {
            edca[category] = Access { aifsn: 2, cw_min, cw_max, txop: Duration::ZERO };
        }
        config.set_edca(edca);
        assert_eq!(config.mac.exchange.short_retry_limit, 7);
        assert_eq!(config.mac.access.countdown, Countdown::Begun);
        for countdown in [Countdown::Begun, Countdown::Over] {
            config.mac.access.countdown = countdown;
            let kind = |station: u32| if station <= n as u32 { VIDEO } else { AccessCategory::BestEffort };
            let got = saturate_as(&config, 2 * n as u32, 10.0, 1, kind);
            let (share, rate) = if countdown == Countdown::Begun {
                chains(windows, n as i32)
            } else {
                let [first, second] = windows.map(|window| Kind { stations: n as i32, window });
                shares([&first, &second], 9.0, [330.0; 2])
            };
            let total: u64 = got.from.iter().sum();
            let measured = got.from[1..=n].iter().sum::<u64>() as f64 / total as f64;
            let what = format!("{n} {windows:?} {countdown:?}");
            assert!((measured - share).abs() < 0.01, "{what}: share {measured:.4}, by the model {share:.4}");
            let off = got.goodput / (rate * 11_776.0) - 1.0;
            assert!(off.abs() < 0.02, "{what}: goodput {off:+.4}");
        }
    }
}

/// Returns share and rate of successes in Bianchi's model for two kinds of stations, `n` of each.
///
/// The share is that of the first kind; the rate is per us. Counters decrease in every slot; slots last 9 us, frames
/// 330 us.
fn chains(windows: [[u32; 2]; 2], n: i32) -> (f64, f64) {
    let chain = |window: [u32; 2]| Bianchi {
        n: 2 * n as u32,
        window: window.map(f64::from),
        attempts: 7,
        slot: 9.0,
        success: 330.0,
        collision: 330.0,
        bits: 1.0,
    };
    let [first, second] = windows.map(chain);
    // Probability that none of the given numbers of stations of each kind transmits.
    let silent =
        |t: [f64; 2], a: i32, b: i32| libm::pow(1.0 - t[0], a.into()) * libm::pow(1.0 - t[1], b.into());
    let mut t = [0.1, 0.1];
    for _ in 0..1000 {
        let to =
            [first.attempt_rate(1.0 - silent(t, n - 1, n)), second.attempt_rate(1.0 - silent(t, n, n - 1))];
        t = [f64::midpoint(t[0], to[0]), f64::midpoint(t[1], to[1])];
    }
    let idle = silent(t, n, n);
    let wins = [f64::from(n) * t[0] * silent(t, n - 1, n), f64::from(n) * t[1] * silent(t, n, n - 1)];
    let time = idle * 9.0 + (1.0 - idle) * 330.0;
    (wins[0] / (wins[0] + wins[1]), (wins[0] + wins[1]) / time)
}

/// A cycle of one saturated station: AIFS, a mean backoff, and as many exchanges as fit into the TXOP.
#[test]
fn bursts_have_the_throughput_worked_by_hand() {
    // 802.11a at 54 Mb/s: data takes 252 us, SIFS 16 us, an ACK 28 us. Of 1504 us, 4 * 296 + 3 * 16 = 1232 are used; of 3008 us,
    // 9 * 296 + 8 * 16 = 2792.
    for (category, packets, burst, window) in [(VOICE, 4.0, 1232.0, 3.0), (VIDEO, 9.0, 2792.0, 7.0)] {
        let config = with_edca(crowd(Standard::A, Profile::Ieee, 1, false));
        let cycle = 16.0 + 2.0 * 9.0 + window / 2.0 * 9.0 + burst;
        let expected = packets * 11_776.0 / cycle;
        let off = saturate_as(&config, 1, 5.0, 1, |_| category).goodput / expected - 1.0;
        assert!(off.abs() < 0.005, "{category:?}: {off:+.4} of {expected:.3} Mb/s");
    }
}

/// Goodput of one saturated station as in ns-3.37, with 802.11a at 54 Mb/s, ad hoc. ns-3's TXOP limit of video is that of IEEE Std
/// 802.11-2020.
#[test]
fn as_ns3_within_half_a_percent() {
    for (category, txop, expected) in [(AccessCategory::BestEffort, 0, 28.955), (VIDEO, 4096, 37.276)] {
        let mut config = with_edca(crowd(Standard::A, Profile::Ns3, 1, false));
        let mut edca = config.mac.access.edca.expect("EDCA");
        edca[category].txop = Duration::from_us(txop);
        config.set_edca(edca);
        let off = saturate_as(&config, 1, 5.0, 1, |_| category).goodput / expected - 1.0;
        assert!(off.abs() < 0.005, "{category:?}: {off:+.4}");
    }
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let mut config = with_edca(crowd(Standard::A, Profile::Ieee, 2, false));
    let mut wrong = |access: Access| {
        let mut edca = Edca::standard(Standard::A, 15, 1023);
        edca[VIDEO] = access;
        config.set_edca(edca);
        config.check().expect_err("something is wrong").to_string()
    };
    let right = Access { aifsn: 2, cw_min: 7, cw_max: 15, txop: Duration::ZERO };
    assert_eq!(
        wrong(Access { aifsn: 0, ..right }),
        "edca.video.aifsn: 0 is out of range\n  allowed: 1 to 15"
    );
    assert_eq!(wrong(Access { cw_min: 31, ..right }), "edca.video: cw_min <= cw_max <= 32767, not 31 and 15");
}
