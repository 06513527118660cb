//! Reservation of the medium for TXOPs, and release by CF-End: computed by hand, and compared with ns-3.37.
//!
//! 802.11b at 11 Mb/s as in `edca`: data of 1538 bytes take 1311 us, an ACK 203 us, a CF-End of 20 bytes at 1 Mb/s
//! 352 us. The TXOP limit of voice is 3264 us.

use crate::common::timeline::{Run, at, backoffs_of, begins, line};
use crate::common::{crowd, packet, saturate_as};
use base::Duration;
use radio::access::Station;
use wifi::config::TxopProtection;
use wifi::edca::{AccessCategory, Edca};
use wifi::timing::Standard;
use wifi::{Config, Profile};

const EXCHANGE: u64 = 1311 + SIFS + 203;
const CF_END: u64 = 352;
const TXOP: u64 = 3264;
const SIFS: u64 = 10;
const AIFS: u64 = SIFS + 2 * SLOT;
const SLOT: u64 = 20;
const VOICE: AccessCategory = AccessCategory::Voice;
const VIDEO: AccessCategory = AccessCategory::Video;

/// Returns a network of stations on a line with TXOP protection "multiple": each TXOP reserves the medium until its
/// end.
fn multiple(places: &[f64], cf_end: bool) -> Config {
    let mut config = line(places, 100.0);
    config.set_edca(Edca::standard(Standard::B, 31, 1023));
    config.mac.access.txop_protection = TxopProtection::Multiple;
    config.mac.access.cf_end = cf_end;
    config
}

/// Returns the times at which data frames of the third station begin. Its packet arrives at 1100 us; the first
/// station sends a voice packet at 1000 us.
fn second_begins(places: &[f64], cf_end: bool) -> Vec<base::Instant> {
    let mut run = Run::new(&multiple(places, cf_end));
    run.send_as(VOICE, at(1000), 0, 1);
    run.send_as(VOICE, at(1100), 2, 1);
    let (frames, out, _) = run.finish();
    assert!(frames.iter().all(|frame| frame.lost.is_none()));
    assert_eq!(out.delivered.len(), 2);
    assert_eq!(frames.iter().filter(|frame| frame.kind == "CF-END").count(), if cf_end { 2 } else { 0 });
    begins(&frames, 2, "DATA")
}

/// One packet leaves 1740 us of its TXOP unused. Other stations wait for the end of the TXOP, or of the CF-End if one
/// is sent.
#[test]
fn a_cf_end_gives_back_what_a_txop_has_left() {
    let slots = backoffs_of(2, VOICE, &[7])[0] * SLOT;
    let places = [0.0, 10.0, 20.0];
    assert_eq!(second_begins(&places, false), [at(1000 + TXOP + AIFS + slots)]);
    let over = 1000 + EXCHANGE + SIFS + CF_END;
    assert_eq!(second_begins(&places, true), [at(over + AIFS + slots)]);
}

/// A station that is hidden from the TXOP holder learns the end of the TXOP from the receiver's ACK; it cannot
/// receive the CF-End.
#[test]
fn a_hidden_station_waits_for_the_end_of_the_txop() {
    let slots = backoffs_of(2, VOICE, &[7])[0] * SLOT;
    let mut run = Run::new(&multiple(&[0.0, 80.0, 160.0], true));
    run.send_as(VOICE, at(1000), 0, 1);
    // The packet arrives after the ACK.
    run.send_as(VOICE, at(1000 + EXCHANGE + 1), 2, 1);
    let (frames, ..) = run.finish();
    assert_eq!(begins(&frames, 2, "DATA"), [at(1000 + TXOP + AIFS + slots)]);
}

/// RTS and CTS reserve the medium for the whole TXOP.
#[test]
fn an_rts_reserves_the_whole_txop() {
    let mut config = multiple(&[0.0, 80.0, 160.0], false);
    config.mac.exchange.rts_threshold = 0;
    let mut run = Run::new(&config);
    run.send_as(VOICE, at(1000), 0, 1);
    // After RTS (352 us) and CTS (304 us), during the data, which station 2 cannot sense.
    run.send_as(VOICE, at(1000 + 352 + SIFS + 304 + SIFS + 100), 2, 1);
    let (frames, ..) = run.finish();
    let slots = backoffs_of(2, VOICE, &[7])[0] * SLOT;
    assert_eq!(begins(&frames, 2, "RTS"), [at(1000 + TXOP + AIFS + slots)]);
}

/// After two exchanges 206 us of the 3264 us are left, too short for a CF-End.
#[test]
fn a_cf_end_is_sent_only_where_it_fits() {
    let mut run = Run::new(&multiple(&[0.0, 10.0], true));
    for seq in 0..3 {
        run.network.send_as(VOICE, at(1000), (Station(0), Station(1)), packet(0, seq), &mut run.out);
    }
    let (frames, ..) = run.finish();
    let second = 1000 + EXCHANGE + SIFS;
    let third = second + EXCHANGE + AIFS + backoffs_of(0, VOICE, &[7])[0] * SLOT;
    assert_eq!(begins(&frames, 0, "DATA"), [at(1000), at(second), at(third)]);
    assert_eq!(begins(&frames, 0, "CF-END"), [at(third + EXCHANGE + SIFS)]);
}

/// The TXOP holder's own AIFS begins at the end of its CF-End.
#[test]
fn after_its_cf_end_the_holder_waits_as_others_do() {
    let mut run = Run::new(&multiple(&[0.0, 10.0], true));
    run.send_as(VOICE, at(1000), 0, 1);
    // The packet arrives too late for the TXOP: the CF-End is in transmission.
    run.send_as(VOICE, at(1000 + EXCHANGE + SIFS + 100), 0, 1);
    let (frames, ..) = run.finish();
    let over = 1000 + EXCHANGE + SIFS + CF_END;
    let slots = backoffs_of(0, VOICE, &[7])[0] * SLOT;
    assert_eq!(begins(&frames, 0, "DATA"), [at(1000), at(over + AIFS + slots)]);
}

/// Goodput of saturated 802.11a stations at 54 Mb/s as in ns-3.37, each in its access category, with ns-3's TXOP limits of voice
/// (2080 us) and video (4096 us).
///
/// By hand, voice alone gets 35.85 Mb/s: 6 packets in 1856 us, SIFS, 52 us of CF-End, AIFS and 1.5 slots.
#[test]
fn as_ns3_with_cf_end() {
    let ns3: [(&[AccessCategory], f64); 5] = [
        (&[VOICE], 35.837),
        (&[VIDEO], 37.288),
        (&[VOICE, VOICE], 34.403),
        (&[VOICE, VOICE, VOICE], 34.282),
        (&[VOICE, VIDEO], 36.615),
    ];
    for (categories, expected) in ns3 {
        let mut config = crowd(Standard::A, Profile::Ns3, categories.len(), false);
        let mut edca = Edca::standard(Standard::A, 15, 1023);
        edca[VIDEO].txop = Duration::from_us(4096);
        edca[VOICE].txop = Duration::from_us(2080);
        config.set_edca(edca);
        let active = categories.len() as u32;
        let run = saturate_as(&config, active, 10.0, 1, |station| categories[station as usize - 1]);
        let off = run.goodput / expected - 1.0;
        assert!(off.abs() < 0.005, "{categories:?}: {:.3} {off:+.4}", run.goodput);
    }
}

/// The share of a voice station beside a video station depends on the reserved time.
///
/// A video TXOP of 4096 us has 13 exchanges of 296 us in 4040 us, and too little time is left for a CF-End. The TXOP holder begins
/// AIFS after its last ACK, while all other stations still have 56 us of NAV to wait.
#[test]
fn what_a_full_txop_leaves_over_goes_to_its_holder() {
    let share = |protection: TxopProtection| {
        let mut config = crowd(Standard::A, Profile::Ieee, 2, false);
        let mut edca = Edca::standard(Standard::A, 15, 1023);
        edca[VIDEO].txop = Duration::from_us(4096);
        config.set_edca(edca);
        (config.mac.access.txop_protection, config.mac.access.cf_end) =
            (protection, protection == TxopProtection::Multiple);
        let run = saturate_as(&config, 2, 10.0, 1, |station| [VOICE, VIDEO][station as usize - 1]);
        run.from[1] as f64 / (run.from[1] + run.from[2]) as f64
    };
    let [single, multiple] = [TxopProtection::Single, TxopProtection::Multiple].map(share);
    assert!(single > 1.5 * multiple, "{single:.3} {multiple:.3}");
}
