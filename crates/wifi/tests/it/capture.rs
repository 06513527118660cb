//! Reception by power alone, worked by hand: ns-2's radio at 200 m from neighbour to neighbour, where a station receives 200 m far,
//! senses 400 m, and knows nothing of 600 m. The nearer of two senders 200 and 400 m away is stronger by 12 dB.

use base::{Body, DropCause, Duration, Ecn, FlowId, Instant, LOWEST_CLASS, Packet};
use radio::Position;
use radio::access::{Frame, Outbox, Station};
use wifi::config::Reception;
use wifi::config::{Capture, Sinr};
use wifi::timing::Standard;
use wifi::{Config, Network, Profile, Site};

fn packet(wire: u32) -> Packet {
    Packet {
        sent: Instant::ZERO,
        flow: FlowId(0),
        route: 0,
        wire,
        body: Body::Datagram { seq: 0, payload: wire },
        ecn: Ecn::NotEct,
        class: LOWEST_CLASS,
    }
}

fn us(n: u64) -> Instant {
    Instant::ZERO + Duration::from_us(n)
}

fn chain(n: u32) -> Config {
    let site = |k| Site::fixed(Position::new(200.0 * f64::from(k), 0.0, 0.0));
    let mut config = Config::new(Standard::B, Profile::Ns2, (0..n).map(site).collect(), None);
    // The first backoff of a packet is drawn from 0 to CW - 1, and so is none.
    config.mac.access.cw_min = 1;
    config
}

/// Sends packets, given as (time in us, sender, receiver, bytes), and returns the frames that have ended by `until`, us.
fn frames(config: &Config, entries: &[(u64, u32, u32, u32)], until: u64) -> Vec<Frame> {
    assert_eq!(config.check(), Ok(()));
    let mut network = Network::new(config, 1, "wlan");
    let mut out = Outbox { frames: Some(Vec::new()), ..Outbox::default() };
    let run = |network: &mut Network, out: &mut Outbox, end| {
        while let Some(at) = network.next().filter(|at| *at <= end) {
            network.run(at, out);
        }
    };
    for &(at, from, to, bytes) in entries {
        run(&mut network, &mut out, us(at));
        network.send(us(at), Station(from), Station(to), packet(bytes), &mut out);
    }
    run(&mut network, &mut out, us(until));
    out.frames.unwrap_or_default()
}

#[test]
fn a_newcomer_that_is_survived_reserves_the_medium() {
    // 0's RTS to 1 is on the air from 50 to 402 us; that of 3, which 0 does not sense, comes to 1 from 150 to 502 us, weaker by 12 dB.
    // 1 receives the first; its CTS at 412 us comes only if the second has not set its NAV.
    for reserves in [true, false] {
        let mut config = chain(5);
        // 250 and 550 m, as by default.
        config.phy.reception =
            Reception::Capture(Capture { receive: -64.3747, sense: -78.0715, ratio: 10.0, reserves });
        let frames = frames(&config, &[(0, 0, 1, 1500), (100, 3, 4, 1500)], 800);
        let rts = frames.iter().find(|frame| frame.from == Station(0)).expect("an RTS");
        assert_eq!((rts.kind, rts.begins, rts.lost), ("RTS", us(50), None));
        let cts = frames.iter().find(|frame| frame.from == Station(1));
        assert_eq!(cts.is_none(), reserves, "{cts:?}");
    }
}

#[test]
fn what_came_while_a_station_transmitted_still_disturbs_it() {
    // 1 and 2 begin at once, 1 with a short frame to 0, 2 with a long one to 3. 0 receives the nearer; its ACK comes to 1 while 2
    // is still sending.
    let mut config = chain(4);
    config.mac.exchange.rts_threshold = 65_535;
    let frames = frames(&config, &[(0, 1, 0, 100), (0, 2, 3, 1500)], 1300);
    let of = |from, kind| frames.iter().find(|frame| frame.from == Station(from) && frame.kind == kind);
    let [data, ack] = [of(1, "DATA"), of(0, "ACK")].map(|frame| frame.expect("a frame"));
    assert_eq!((data.begins, data.lost), (us(50), None));
    assert_eq!(ack.lost, Some(DropCause::Collision));
}

#[test]
fn of_two_at_once_the_first_survives_only_if_it_is_the_stronger() {
    // 1 sends to 0 and 3 to 2, 400 m from each other: each senses the other, so that both begin at 50 us only when they decide
    // at once. 2 has 1 and 3 at equal power: both are lost there; 0 has 1 alone.
    let mut config = chain(4);
    config.mac.exchange.rts_threshold = 65_535;
    let frames = frames(&config, &[(0, 1, 0, 1000), (0, 3, 2, 1000)], 1200);
    let of = |from| frames.iter().find(|frame| frame.from == Station(from) && frame.kind == "DATA");
    assert_eq!(of(1).expect("a frame").lost, None);
    assert_eq!(of(3).expect("a frame").lost, Some(DropCause::Collision));
}

#[test]
fn a_packet_alone_waits_for_difs_and_a_backoff() {
    // ns-2.35, one packet each 100 ms: sent to the medium 50 us and 0 to 30 slots after it has come to the MAC, evenly.
    let site = |k| Site::fixed(Position::new(10.0 * f64::from(k), 0.0, 0.0));
    let mut config = Config::new(Standard::B, Profile::Ns2, (0..2).map(site).collect(), None);
    config.mac.exchange.rts_threshold = 3000;
    let entries: Vec<_> = (0..310).map(|i| (100_000 * i, 0, 1, 1000)).collect();
    let frames = frames(&config, &entries, 31_000_000);
    let mut seen = [0; 31];
    for (i, frame) in frames.iter().filter(|frame| frame.from == Station(0)).enumerate() {
        let waited = frame.begins.since(us(100_000 * i as u64)).ps() / 1_000_000;
        assert_eq!((waited - 50) % 20, 0);
        seen[(waited - 50) as usize / 20] += 1;
    }
    assert_eq!(seen.iter().sum::<u32>(), 310);
    assert!(seen.iter().all(|n| (1..=30).contains(n)), "{seen:?}");
}

/// 1 and 2 begin at once. At 0 station 1, 5 m away, is stronger than 2, 50 m away, by 30 dB, three times what CCK needs.
#[test]
fn without_capture_frames_that_meet_are_lost_whatever_their_powers() {
    let site = |x: f64| Site::fixed(Position::new(x, 0.0, 0.0));
    for capture in [true, false] {
        let sites = vec![site(0.0), site(5.0), site(-50.0)];
        let mut config = Config::new(Standard::B, Profile::Ieee, sites, None);
        config.phy.reception = Reception::Sinr(Sinr { capture, ..Sinr::default() });
        let frames = frames(&config, &[(0, 1, 0, 1500), (0, 2, 0, 1500)], 1600);
        let of = |from| frames.iter().find(|frame| frame.from == Station(from)).expect("a frame");
        assert_eq!(of(1).begins, of(2).begins);
        assert_eq!(of(1).lost, (!capture).then_some(DropCause::Collision));
        assert_eq!(of(2).lost, Some(DropCause::Collision));
    }
}

/// Frame capture. The far station 2 begins with data to 0 at 0 us; the near station 1, which does not sense it, begins later. At 0 the
/// near one is stronger by 30 dB (a tenth of the distance, exponent 3). A frame of 1500 bytes takes 1310 us, one of 100 bytes 291.
/// Who is received: 2 without frame capture, if 1 does not come upon it; with it 1 does if it comes from 4 us on until the window's end,
/// and 2 never.
#[test]
fn a_later_stronger_preamble_takes_the_receiver() {
    // -54.0 dBm at 6 m, -84.0 at 60 m. 1 and 2 are 66 m apart, -85.2 dBm, and miss each other's preambles.
    let site = |x: f64| Site::fixed(Position::new(x, 0.0, 0.0));
    let survivors = |frame_capture: Option<f64>, window: u64, offset: u64| {
        let sites = vec![site(0.0), site(6.0), site(-60.0)];
        let mut config = Config::new(Standard::B, Profile::Ieee, sites, None);
        let preamble_power = -84.7;
        let capture_window = Duration::from_us(window);
        let sinr = Sinr { frame_capture, capture_window, preamble_power, ..Sinr::default() };
        config.phy.reception = Reception::Sinr(sinr);
        let frames = frames(&config, &[(1000, 2, 0, 1500), (1000 + offset, 1, 0, 100)], 3000);
        let of = |from| frames.iter().find(|frame| frame.from == Station(from)).expect("a frame");
        assert_eq!([of(2).begins, of(1).begins], [us(1000), us(1000 + offset)]);
        [1, 2].map(|from| of(from).lost.is_none())
    };
    // The near frame meets the preamble of the far one, or its bits: nobody is received without frame capture.
    assert_eq!(survivors(None, 16, 10), [false, false]);
    assert_eq!(survivors(None, 16, 500), [false, false]);
    for (margin, window, offset, taken) in [
        (5.0, 16, 3, false),
        (5.0, 16, 5, true),
        (5.0, 16, 15, true),
        (5.0, 16, 17, false),
        (5.0, 1_000_000, 500, true),
        (29.0, 16, 10, true),
        (31.0, 16, 10, false),
    ] {
        assert_eq!(survivors(Some(margin), window, offset), [taken, false], "{margin} {window} {offset}");
    }
}
