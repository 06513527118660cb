//! A-MSDU: lengths, airtimes and throughput, worked by hand.
//!
//! 802.11n at MCS 7, 20 MHz. Each IP packet of 1500 bytes has 14 + 8 bytes of subframe and LLC header; all but the last subframe are
//! padded to four bytes. MAC header and FCS add 26 + 4 bytes. Two packets take 30 + 1524 + 1522 = 3076 bytes.

use crate::common::timeline::{Run, at};
use crate::common::{crowd, high_throughput, packet, saturate};
use radio::access::Station;
use wifi::timing::{GuardInterval, Standard};
use wifi::{Config, Profile};

fn pair(amsdu: u32, ampdu: bool) -> Config {
    let mut config = crowd(Standard::N, Profile::Ieee, 1, false);
    high_throughput(&mut config, GuardInterval::Long, ampdu);
    config.mac.aggregation.amsdu = amsdu;
    config.queue.packets = 100;
    config
}

/// Queues `packets` packets at once; returns the kind, length in bytes and airtime in us of each frame sent.
fn frames(config: &Config, packets: u64) -> Vec<(&'static str, u32, u64)> {
    let mut run = Run::new(config);
    for seq in 0..packets {
        run.network.send(at(1000), Station(1), Station(0), packet(1, seq), &mut run.out);
    }
    let (frames, out, _) = run.finish();
    let delivered: Vec<_> = out.delivered.iter().map(|(_, packet)| packet.body).collect();
    assert_eq!(delivered, (0..packets).map(|seq| packet(1, seq).body).collect::<Vec<_>>());
    frames.iter().map(|f| (f.kind, f.bytes, (f.ends - f.begins).ps() / 1_000_000)).collect()
}

#[test]
fn packets_share_an_mpdu() {
    // Two packets take 36 + 4 * ceil((22 + 8 * 3076) / 260 = 94.7) us, a single packet 36 + 4 * 48 us.
    let ack = ("ACK", 14, 28);
    let (two, one) = (("DATA", 3076, 416), ("DATA", 1538, 228));
    assert_eq!(frames(&pair(3839, false), 5), [two, ack, two, ack, one, ack]);
    // At the first maximum length two packets just fit; the second maximum is a byte less.
    assert_eq!(frames(&pair(3046, false), 2), [two, ack]);
    assert_eq!(frames(&pair(3045, false), 2), [one, ack, one, ack]);
}

/// Each MPDU of an A-MPDU has a delimiter of 4 bytes and is at most 4095 bytes long, so that it holds two packets of
/// 1500 bytes.
#[test]
fn mpdus_of_several_packets_are_aggregated() {
    // Two MPDUs of 4 + 3076 bytes take 36 + 4 * ceil((22 + 8 * 6160) / 260 = 189.6) us.
    let expected = [("DATA", 6160, 796), ("BA", 32, 32)];
    assert_eq!(frames(&pair(7935, true), 4), expected);
    // MPDUs of 4 + 3076 and 4 + 1538 bytes take 36 + 4 * ceil((22 + 8 * 4622) / 260 = 142.3) us.
    assert_eq!(frames(&pair(7935, true), 3), [("DATA", 4622, 608), ("BA", 32, 32)]);
}

/// A cycle of one saturated station: AIFS 43 us, mean backoff 67.5 us, five packets of 30 + 4 * 1524 + 1522 bytes, SIFS 16 us, ACK
/// 28 us.
#[test]
fn the_throughput_is_that_worked_by_hand() {
    let config = pair(7935, false);
    let data = 36.0 + 4.0 * 236.0;
    let cycle = 43.0 + 7.5 * 9.0 + data + 16.0 + 28.0;
    let expected = 5.0 * 11_776.0 / cycle;
    let off = saturate(&config, 5.0, 1).goodput / expected - 1.0;
    assert!(off.abs() < 0.005, "{off:+.4} of {expected:.3} Mb/s");
}

#[test]
fn what_cannot_be_is_refused() {
    let said = |config: &Config| config.check().expect_err("something is wrong").to_string();
    assert_eq!(
        said(&pair(8000, true)),
        "aggregation.amsdu: 8000 B is out of range\n  allowed: \"0B\" to \"7935B\""
    );
    let mut old = crowd(Standard::A, Profile::Ieee, 1, false);
    old.mac.aggregation.amsdu = 3839;
    assert_eq!(said(&old), "aggregation.amsdu: 0 to 7935 bytes, with 802.11n, ac and ax only: not 3839");
}
