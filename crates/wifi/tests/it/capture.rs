//! Reception by power alone (capture), worked by hand.
//!
//! ns-2's radio with 200 m between neighbours: a station receives at 200 m, senses at 400 m, and does not sense at 600 m. Of two
//! senders at 200 and 400 m the nearer is 12 dB stronger.

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
    // With CWmin 1 a packet's first backoff, drawn from 0 to CW - 1, is always 0.
    config.mac.access.cw_min = 1;
    config
}

/// Sends packets, given as (time in us, sender, receiver, bytes), and returns the frames that have ended by `until`,
/// us.
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
    // Station 0's RTS to 1 lasts from 50 to 402 us. Station 3, which 0 does not sense, sends an RTS that reaches 1 from 150 to 502 us,
    // 12 dB weaker. Station 1 receives the first RTS, and answers with CTS at 412 us only if the second has not set its NAV.
    for reserves in [true, false] {
        let mut config = chain(5);
        // The default ranges: reception up to 250 m, sensing up to 550 m.
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
    // Stations 1 and 2 start at the same time, 1 with a short frame to 0, 2 with a long frame to 3. Station 0 receives the nearer; its
    // ACK reaches 1 while 2 is still sending.
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
    // Station 1 sends to 0 and 3 to 2. Senders 400 m apart sense each other, so both start at 50 us only if they decide at the same
    // instant. At station 2 both frames have equal power and are lost; station 0 receives only the frame of 1.
    let mut config = chain(4);
    config.mac.exchange.rts_threshold = 65_535;
    let frames = frames(&config, &[(0, 1, 0, 1000), (0, 3, 2, 1000)], 1200);
    let of = |from| frames.iter().find(|frame| frame.from == Station(from) && frame.kind == "DATA");
    assert_eq!(of(1).expect("a frame").lost, None);
    assert_eq!(of(3).expect("a frame").lost, Some(DropCause::Collision));
}

#[test]
fn a_packet_alone_waits_for_difs_and_a_backoff() {
    // In ns-2.35 a packet, of which there is one every 100 ms, is sent DIFS (50 us) and 0 to 30 slots after it has
    // reached the MAC.
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

/// Stations 1 and 2 start at the same time. At station 0 the signal of 1, 5 m away, is 30 dB stronger than that of
/// 2, 50 m away. CCK needs an SNR of about 10 dB.
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

/// Frame capture: the far station 2 starts data to 0 at 0 us, and the near station 1, which does not sense 2, starts later.
///
/// At station 0 the near signal is 30 dB stronger (a tenth of the distance, exponent 3). A frame of 1500 bytes takes 1310 us, one of
/// 100 bytes 291 us. Without frame capture 2 is received only if 1 does not overlap. With frame capture 1 is received if it starts
/// between 4 us and the end of the capture window, and 2 never.
#[test]
fn a_later_stronger_preamble_takes_the_receiver() {
    // Received power is -54.0 dBm at 6 m and -84.0 dBm at 60 m. Stations 1 and 2, 66 m apart with -85.2 dBm, miss each other's
    // preambles.
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
    // The near frame overlaps the preamble or the data of the far frame: without frame capture neither is received.
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
