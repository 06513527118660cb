//! Positions of nodes and radio networks in scenario files.

use crate::model::{RadioKind, Scenario, Start};
use crate::scenario::{Document, ScenarioError, describe};
use radio::Position;
use radio::mobility::Config;
use wifi::config::Association;
use wifi::config::{Reception, Sinr};

/// A scenario of two 802.11b stations 10 m apart.
pub(super) const PAIR: &str = r#"duration = "10s"

[[node]]
name = "a"
position = [0, 0]

[[node]]
name = "b"
position = [10, 0, 1.5]

[[wifi]]
standard = "b"
stations = ["a", "b"]

[[flow]]
from = "a"
to = "b"
tcp = { variant = "newreno" }
"#;

pub(super) fn pair(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let mut document = Document::from_toml(PAIR).unwrap();
    for (path, value) in settings {
        document.set(path, value)?;
    }
    document.check()
}

pub(super) fn network(settings: &[(&str, &str)]) -> wifi::Config {
    let scenario = pair(settings).unwrap_or_else(|e| panic!("{e}"));
    match &scenario.radios[0].kind {
        RadioKind::Wifi(config) => (**config).clone(),
        RadioKind::Lte(_) => panic!("no 802.11"),
    }
}

pub(super) fn said(settings: &[(&str, &str)]) -> String {
    pair(settings).expect_err("something is wrong").to_string()
}

#[test]
fn stations_and_places() {
    let scenario = pair(&[]).unwrap();
    assert_eq!(scenario.nodes, ["a", "b"]);
    assert_eq!(
        (scenario.radios[0].name.as_str(), scenario.radios[0].stations.as_slice()),
        ("wifi0", &[0, 1][..])
    );
    let place = scenario.places[1].as_ref().unwrap();
    assert_eq!(place.start, Start::At(Position::new(10.0, 0.0, 1.5)));
    assert_eq!(place.mobility, None);
}

#[test]
fn rates_and_profiles() {
    assert_eq!(network(&[]).phy.data.bps(), 11_000_000);
    assert_eq!(network(&[("wifi.0.rate", "5.5Mbps")]).phy.data.bps(), 5_500_000);
    let n = [
        ("wifi.0.standard", "n"),
        ("wifi.0.mcs", "1"),
        ("wifi.0.width", "40MHz"),
        ("wifi.0.guard_interval", "short"),
    ];
    assert_eq!(network(&n).phy.data.bps(), 30_000_000);
    let ns2 = network(&[("wifi.0.profile", "ns2"), ("wifi.0.rts_threshold", "3000B")]);
    assert_eq!((ns2.mac.exchange.header, ns2.mac.exchange.rts_threshold), (34, 3000));
    let channel = network(&[("wifi.0.channel", "6")]);
    assert_eq!(channel.phy.propagation.frequency, 2.437e9);
}

#[test]
fn association() {
    let ap = ("wifi.0.access_point", "b");
    let usual = network(&[ap]).mac.bss;
    assert_eq!((usual.association, usual.missed_beacons), (Association::InReach, 10));
    let mac = network(&[
        ap,
        ("wifi.0.association", "exchange"),
        ("wifi.0.missed_beacons", "3"),
        ("wifi.0.association_timeout", "200ms"),
    ])
    .mac
    .bss;
    assert_eq!((mac.association, mac.missed_beacons), (Association::Exchange, 3));
    assert_eq!(mac.association_timeout, base::Duration::from_ms(200));
    let said = said(&[("wifi.0.association", "exchange")]);
    assert!(
        said.starts_with("wifi.0.association: an ad hoc network has nothing to associate with"),
        "{said}"
    );
    let silent = [ap, ("wifi.0.association", "exchange"), ("wifi.0.beacons", "never")];
    let said = self::said(&silent);
    assert!(said.starts_with("wifi.0.association: stations find an access point by its beacons"), "{said}");
}

#[test]
fn beacons_in_turn() {
    assert_eq!(network(&[]).mac.bss.beacons.0, None);
    let mac = network(&[("wifi.0.beacons", "102.4ms")]).mac.bss;
    assert_eq!((mac.beacons.0, mac.beacon_size), (Some(base::Duration::from_us(102_400)), 56));
    let said = said(&[("wifi.0.beacons", "102.4ms"), ("wifi.0.routing", "{ kind = \"hwmp\" }")]);
    assert!(said.starts_with("wifi.0.beacons: a mesh has beacons of its own"), "{said}");
}

#[test]
fn high_throughput() {
    let config = network(&[
        ("wifi.0.standard", "n"),
        ("wifi.0.profile", "ns3"),
        ("wifi.0.mcs", "1"),
        ("wifi.0.width", "40MHz"),
        ("wifi.0.aggregation", "{ frames = 32, duration = \"2ms\" }"),
        ("wifi.0.reception", "{ kind = \"sinr\", noise_figure = 5 }"),
        ("wifi.0.beacons", "never"),
    ]);
    // RTS frames are sent over the data's channel width and in HT format, at 13.5 Mb/s.
    assert_eq!(config.phy.control.bps(), 13_500_000);
    let limits = config.mac.aggregation;
    assert_eq!((limits.frames, limits.bytes, limits.duration), (32, 65_535, base::Duration::from_ms(2)));
    assert!(matches!(
        config.phy.reception,
        Reception::Sinr(Sinr { noise_figure: 5.0, preamble_snr: 4.0, .. })
    ));
    let alone = [("wifi.0.standard", "n"), ("wifi.0.aggregation", "{ frames = 1 }")];
    assert!(!network(&alone).mac.aggregation.is_on());
    let joined =
        network(&[("wifi.0.standard", "n"), ("wifi.0.aggregation", "{ amsdu = \"3839B\", frames = 1 }")]);
    assert_eq!((joined.mac.aggregation.frames, joined.mac.aggregation.amsdu), (1, 3839));
    let low = network(&[("wifi.0.standard", "n"), ("wifi.0.channel", "6")]);
    assert_eq!(low.mac.access.sifs, base::Duration::from_us(10));
    let said = said(&[("wifi.0.aggregation", "{ frames = 8 }")]);
    assert!(said.starts_with("wifi.0.aggregation: 802.11b has no aggregation"), "{said}");
    let long = self::said(&[("wifi.0.standard", "n"), ("wifi.0.aggregation", "{ amsdu = \"8000B\" }")]);
    assert!(long.starts_with("wifi.0.aggregation.amsdu: 8000 B is out of range"), "{long}");
}

#[test]
fn very_high_throughput() {
    let ac = [("wifi.0.standard", "ac"), ("wifi.0.mcs", "9"), ("wifi.0.width", "80MHz")];
    let config = network(&ac);
    assert_eq!((config.phy.data.bps(), config.phy.control.bps()), (390_000_000, 6_000_000));
    // The default RTS threshold, which stands for "never", has to be above the size of a VHT aggregate.
    assert_eq!(config.mac.aggregation.bytes, 1_048_575);
    assert_eq!(config.mac.exchange.rts_threshold, 4_692_480);
    let two = [&ac[..], &[("wifi.0.streams", "2"), ("wifi.0.guard_interval", "short")]].concat();
    assert_eq!(network(&two).phy.data.bps(), 866_666_666);
    let three = [&ac[..], &[("wifi.0.streams", "3")]].concat();
    let few = "1 or 2 spatial streams in 802.11ac, not 3\n  given:   3\n  allowed: 1 or 2, with standard \"ax\" to 4";
    assert_eq!(said(&three), format!("wifi.0.streams: {few}"));
    let narrow = [("wifi.0.standard", "ac"), ("wifi.0.mcs", "9")];
    assert!(said(&narrow).starts_with("wifi.0.mcs: 802.11ac has MCS 0 to 9, 9 not at 20 MHz"));
    let n = said(&[("wifi.0.standard", "n"), ("wifi.0.mcs", "7"), ("wifi.0.streams", "2")]);
    assert!(n.starts_with("wifi.0.streams: 802.11n has no choice of spatial streams"), "{n}");
}

#[test]
fn meshes() {
    let mesh = |settings: &[(&str, &str)]| {
        let config = network(settings);
        match config.routing {
            routing::Config::Hwmp(mesh) => (mesh, config.queue.routing_first),
            other => panic!("{other:?}"),
        }
    };
    let hwmp = ("wifi.0.routing", "{ kind = \"hwmp\", root = \"b\", active_path_timeout = \"2s\", ttl = 5 }");
    let (config, first) = mesh(&[("wifi.0.profile", "ns3"), hwmp]);
    assert!(first, "a mesh's own frames go first");
    let known = |station| routing::StationRef::Known(radio::access::Station(station));
    let gate = |station| Some(vec![known(station)]);
    assert_eq!((config.root, config.ttl), (Some(known(1)), 5));
    assert_eq!(config.active_path_timeout, base::Duration::from_secs(2));
    assert_eq!(config.gates, Some(vec![]));
    // A mesh station that also has a link is a gate.
    let link = "[{ between = [\"a\", \"server\"], rate = \"1Mbps\", delay = \"1ms\" }]";
    assert_eq!(mesh(&[hwmp, ("link", link)]).0.gates, gate(0));
    let given = ("wifi.0.routing.gates", "[\"b\"]");
    assert_eq!(mesh(&[hwmp, ("link", link), given]).0.gates, gate(1));
}

#[test]
fn access_categories() {
    let row = |config: &wifi::Config| {
        let edca = config.mac.access.edca.unwrap();
        edca.each().map(|access| (access.aifsn, access.cw_min, access.cw_max, access.txop.ps() / 1_000_000))
    };
    let config = network(&[("wifi.0.edca", "{}")]);
    assert_eq!(row(&config), [(7, 31, 1023, 0), (3, 31, 1023, 0), (2, 15, 31, 6016), (2, 7, 15, 3264)]);
    // The header has a QoS Control field of two bytes: 38 bytes with FCS and LLC/SNAP.
    assert_eq!((config.mac.exchange.header, config.mac.exchange.defer_after_timeout), (38, true));
    let own =
        network(&[("wifi.0.edca", "{ voice = { cw_max = 31, txop = \"1ms\" } }"), ("wifi.0.cw_min", "15")]);
    assert_eq!(row(&own)[2..], [(2, 7, 15, 6016), (2, 3, 31, 1000)]);
    let voice = pair(&[("wifi.0.edca", "{}"), ("flow.0.access_category", "voice")]).unwrap();
    assert_eq!(voice.flows[0].category, wifi::edca::AccessCategory::Voice);
    for (settings, message) in [
        (
            &[("flow.0.access_category", "voice")][..],
            "flow.0.access_category: no network tells access categories apart\n  given:   \"voice\"\n  allowed: a [[wifi]] with edca = {}, or no `access_category`",
        ),
        (
            &[("wifi.0.edca", "{}"), ("flow.0.access_category", "speech")],
            "flow.0.access_category: \"speech\" is not a choice here",
        ),
        (
            &[("wifi.0.edca", "{ video = { cw_min = 63 } }")],
            "wifi.0.edca.video: cw_min <= cw_max <= 32767, not 63 and 31",
        ),
        (&[("wifi.0.edca", "{ video = { aifsn = 16 } }")], "wifi.0.edca.video.aifsn: 16 is out of range"),
        (
            &[("wifi.0.edca", "{ voice = { txop = \"3s\" } }")],
            "wifi.0.edca.voice.txop: \"3s\" is out of range",
        ),
        (&[("wifi.0.edca", "{}"), ("wifi.0.aifsn", "2")], "wifi.0.aifsn: with `edca` each access category"),
    ] {
        let said = said(settings);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn rate_controls() {
    use wifi::rate::{ArfConfig, RateControl};
    let of = |control: &str| network(&[("wifi.0.rate_control", control)]).phy.rate_control;
    assert_eq!(network(&[]).phy.rate_control, RateControl::Constant);
    let arf = ArfConfig { successes: 20, ..ArfConfig::default() };
    assert_eq!(of("{ kind = \"arf\", successes = 20 }"), RateControl::Arf(arf));
    let RateControl::MinstrelHt(minstrel) = of("{ kind = \"minstrel-ht\", interval = \"100ms\" }") else {
        panic!("no Minstrel-HT")
    };
    assert_eq!((minstrel.interval, minstrel.lookaround), (base::Duration::from_ms(100), 0.1));
    for (control, message) in [
        ("{ kind = \"minstrel\" }", "wifi.0.rate_control.kind: "),
        (
            "{ kind = \"ideal\", target = 2 }",
            "wifi.0.rate_control.target: an error rate between 0 and 1, not 2\n  given:   2",
        ),
        (
            "{ kind = \"minstrel-ht\", tries = 0 }",
            "wifi.0.rate_control.tries: 0 is out of range\n  given:   0\n  allowed: at least 1",
        ),
        (
            "{ kind = \"arf\", timer = 0 }",
            "wifi.0.rate_control.timer: 0 is out of range\n  given:   0\n  allowed: at least 1",
        ),
    ] {
        let said = said(&[("wifi.0.rate_control", control)]);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn protection_against_b_stations() {
    let g = ("wifi.0.standard", "g");
    let config = network(&[g, ("wifi.0.protection", "cts-to-self")]);
    assert_eq!((config.phy.control.bps(), config.mac.access.slot), (1_000_000, base::Duration::from_us(20)));
    let fast = network(&[g, ("wifi.0.protection", "rts-cts"), ("wifi.0.control_rate", "11Mbps")]);
    let protection = wifi::config::Protection::RtsCts;
    assert_eq!((fast.phy.control.bps(), fast.mac.exchange.protection), (11_000_000, protection));
    for (settings, message) in [
        (
            &[("wifi.0.protection", "cts-to-self")][..],
            "wifi.0.protection: 802.11b has no protection against b stations: 802.11g has",
        ),
        (
            &[g, ("wifi.0.protection", "cts-to-self"), ("wifi.0.control_rate", "6Mbps")],
            "wifi.0.control_rate: stations of 802.11b do not hear frames in OFDM",
        ),
        (&[g, ("wifi.0.protection", "rts")], "wifi.0.protection: \"rts\" is not a choice here"),
    ] {
        let said = said(settings);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn stations_of_b_among_those_of_g() {
    let g = ("wifi.0.standard", "g");
    let b = ("wifi.0.b_stations", "[\"b\"]");
    let config = network(&[g, b]);
    let protection = wifi::config::Protection::CtsToSelf;
    assert_eq!((config.phy.control.bps(), config.mac.exchange.protection), (1_000_000, protection));
    let non_erp = config.non_erp.as_ref().unwrap();
    assert_eq!(
        (non_erp.stations.as_slice(), non_erp.data.bps()),
        (&[radio::access::Station(1)][..], 11_000_000)
    );
    assert_eq!((config.mac.access.b_cw_min, config.phy.b_energy_detection), (Some(31), Some(-70.0)));
    let own = [
        g,
        b,
        ("wifi.0.b_rate", "2Mbps"),
        ("wifi.0.b_cw_min", "15"),
        ("wifi.0.b_energy_detection", "-65dBm"),
        ("wifi.0.protection", "none"),
    ];
    let config = network(&own);
    assert_eq!(config.mac.exchange.protection, wifi::config::Protection::None);
    let non_erp = config.non_erp.as_ref().unwrap();
    assert_eq!(non_erp.data.bps(), 2_000_000);
    assert_eq!((config.mac.access.b_cw_min, config.phy.b_energy_detection), (Some(15), Some(-65.0)));
    for (settings, message) in [
        (&[b][..], "wifi.0.b_stations: 802.11b has no stations of 802.11b among its own\n"),
        (
            &[g, ("wifi.0.b_stations", "[\"b\", \"c\"]")],
            "wifi.0.b_stations.1: \"c\" is no station of this network\n",
        ),
        (
            &[g, ("wifi.0.b_stations", "[\"a\", \"b\"]")],
            "wifi.0.b_stations: at least one station and not all",
        ),
        (&[g, b, ("wifi.0.access_point", "b")], "wifi.0.b_stations: station 1 is the access point"),
        (&[g, b, ("wifi.0.b_rate", "6Mbps")], "wifi.0.b_rate: 802.11b has no rate of 6Mbps\n"),
        (&[g, b, ("wifi.0.b_cw_min", "0")], "wifi.0.b_cw_min: 1 <= cw_min <= cw_max, not 0 and 1023"),
        (&[g, ("wifi.0.b_cw_min", "31")], "wifi.0.b_cw_min: it is of `b_stations`, and there are none\n"),
        (
            &[g, b, ("wifi.0.response_rates", "[\"6Mbps\"]")],
            "wifi.0.response_rates: stations of 802.11b do not",
        ),
    ] {
        let said = said(settings);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn stations_with_a_rate_of_their_own() {
    let own = |text: &str| network(&[("wifi.0.station_rates", text)]).station_rates[0];
    let rate = own("[{ stations = [\"b\"], rate = \"2Mbps\" }]");
    assert_eq!((rate.station, rate.data.bps()), (radio::access::Station(1), 2_000_000));
    let mcs = "[{ stations = [\"b\"], mcs = 1 }]";
    let n = network(&[("wifi.0.standard", "n"), ("wifi.0.width", "40MHz"), ("wifi.0.station_rates", mcs)]);
    assert_eq!(n.station_rates[0].data.bps(), 27_000_000);
    for (text, message) in [
        ("[{ stations = [\"b\"] }]", "wifi.0.station_rates.0.rate: a station's own rate is missing"),
        (mcs, "wifi.0.station_rates.0.mcs: the others send at a rate without MCS"),
        (
            "[{ stations = [\"b\"], rate = \"6Mbps\" }]",
            "wifi.0.station_rates.0.rate: 802.11b has no rate of 6Mbps",
        ),
        (
            "[{ stations = [\"x\"], rate = \"1Mbps\" }]",
            "wifi.0.station_rates.0.stations.0: \"x\" is no station of this network",
        ),
        (
            "[{ stations = [\"b\", \"b\"], rate = \"1Mbps\" }]",
            "wifi.0.station_rates.0.stations.1: \"b\" has a rate of its own already",
        ),
    ] {
        let said = said(&[("wifi.0.station_rates", text)]);
        assert!(said.starts_with(message), "{said}");
    }
}

#[test]
fn placements_and_movements() {
    let moving = |mobility: &str| {
        let scenario = pair(&[("node.0.mobility", mobility)]).unwrap_or_else(|e| panic!("{e}"));
        scenario.places[0].clone().unwrap().mobility.unwrap()
    };
    let walk = moving("{ kind = \"random-walk\", bounds = [0, 10, 0, 10] }");
    assert!(matches!(walk, Config::RandomWalk(walk) if walk.speed == [2.0, 4.0]));
    let fixed = moving("{ kind = \"random-waypoint\", bounds = [0, 10, 0, 10], speed = 3, pause = \"2s\" }");
    assert!(matches!(fixed, Config::RandomWaypoint(fixed) if fixed.speed == [3.0, 3.0]));
    assert!(matches!(
        moving("{ kind = \"gauss-markov\", bounds = [0, 10, 0, 10], mean_speed = 2 }"),
        Config::GaussMarkov(_)
    ));
    let grid = "{ kind = \"grid\", columns = 3, spacing = [10, 20], index = 4, origin = [1, 2, 3] }";
    let scenario = pair(&[("node.0.placement", grid), ("node.0.position", "[0,0]")]);
    assert!(scenario.unwrap_err().to_string().contains("`position` or `placement`"));
}

#[test]
fn a_grid_counts_its_nodes() {
    let text = PAIR.replace("position = [0, 0]", "placement = { kind = \"grid\", columns = 1, spacing = 5 }");
    let text =
        text.replace("position = [10, 0, 1.5]", "placement = { kind = \"grid\", columns = 1, spacing = 5 }");
    let scenario = Document::from_toml(&text).unwrap().check().unwrap();
    let starts = scenario.places.iter().map(|place| place.as_ref().unwrap().start.clone());
    let expected = [0.0, 5.0].map(|y| Start::At(Position::new(0.0, y, 0.0)));
    assert_eq!(starts.collect::<Vec<_>>(), expected);
}

#[test]
fn what_is_wrong_is_said() {
    let cases: &[(&[(&str, &str)], &str)] = &[
        (
            &[("wifi.0.rate", "54Mbps")],
            "wifi.0.rate: 802.11b has no rate of 54Mbps\n  given:   \"54Mbps\"\n  allowed: \"1Mbps\", \"2Mbps\", \"5.5Mbps\", \"11Mbps\"",
        ),
        (
            &[("wifi.0.stations", "[\"a\", \"b\", \"c\"]")],
            "wifi.0.stations.2: station \"c\" has no position\n  given:   \"c\"\n  allowed: a node with a place: [[node]] name = \"c\", position = [10, 0]",
        ),
        (
            &[("wifi.0.access_point", "ap")],
            "wifi.0.access_point: the access point \"ap\" is no station of this network\n  given:   \"ap\"\n  allowed: a, b\n  did you mean `a`?",
        ),
        (
            &[("wifi.0.channel", "36")],
            "wifi.0.channel: 802.11b has no channel 36 of 20 MHz\n  given:   36\n  allowed: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14",
        ),
        (
            &[("flow.0.to", "c")],
            "flow.0.to: no link or radio network has a node \"c\"\n  given:   \"c\"\n  allowed: a, b",
        ),
        (
            &[("node.0.position", "[0]")],
            "node.a.position: 1 numbers do not belong here\n  given:   [0]\n  allowed: metres: [x, y] or [x, y, z]",
        ),
        (
            &[("wifi.0.tx_power", "16")],
            "wifi.0.tx_power: `16` needs a unit: write for example \"16dBm\"\n  given:   16\n  allowed: a power with its unit, like \"16dBm\" or \"100mW\" (dBm, nW, uW, mW, W)",
        ),
        (
            &[("wifi.0.mcs", "7")],
            "wifi.0.mcs: 802.11b has rates, no MCS: give `rate`\n  given:   7\n  allowed: rate = \"1Mbps\", \"2Mbps\", \"5.5Mbps\", \"11Mbps\"",
        ),
        (
            &[("wifi.0.routing", "{ kind = \"hwmp\", root = \"c\" }")],
            "wifi.0.routing.root: \"c\" is no station of this network\n  given:   \"c\"\n  allowed: a, b",
        ),
        (
            &[("wifi.0.routing", "{ kind = \"hwmp\", gates = [\"a\", \"server\"] }")],
            "wifi.0.routing.gates.1: \"server\" is no station of this network\n  given:   \"server\"\n  allowed: a, b",
        ),
        (
            &[("wifi.0.routing", "{ kind = \"hwmp\", ttl = 0 }")],
            "wifi.0.routing.ttl: 0 is out of range\n  given:   0\n  allowed: 1 to 255",
        ),
        (
            &[("node.1.position", "[300, 0]"), ("wifi.0.access_point", "a")],
            "wifi.0.stations.1 (line 13): \"b\" is out of range of the access point: signals would come with -105.0 dBm, and -82.0 dBm are needed\n  given:   \"b\"\n  allowed: places within 51.5 m of each other, a higher `tx_power`",
        ),
        (
            &[("node.1.position", "[251, 0]"), ("wifi.0.profile", "ns2")],
            "wifi.0.stations.0 (line 13): \"a\" is out of range of every other station: signals would come with -64.4 dBm, and -64.4 dBm are needed\n  given:   \"a\"\n  allowed: places within 250.0 m of each other, a higher `tx_power`",
        ),
        (
            &[("node.0.mobility", "{ kind = \"random-waypoint\", bounds = [0, 10, 9, 0], speed = 1 }")],
            "node.a.mobility.bounds: these numbers are in the wrong order\n  given:   [0, 10, 9, 0]\n  allowed: metres, least before greatest: [x, x, y, y]",
        ),
    ];
    for (settings, expected) in cases {
        assert_eq!(&said(settings), expected);
    }
}

#[test]
fn described_it_is_the_same() {
    let mobile = "{ kind = \"gauss-markov\", bounds = [0, 10, 0, 10], mean_speed = 2, mean_direction = 30 }";
    let disc = "{ kind = \"disc\", radius = 5 }";
    let settings: &[&[(&str, &str)]] = &[
        &[],
        &[("wifi.0.profile", "ns2"), ("node.1.mobility", mobile)],
        &[("wifi.0.standard", "n"), ("wifi.0.profile", "ns3"), ("wifi.0.access_point", "b")],
        &[("wifi.0.standard", "ac"), ("wifi.0.mcs", "9"), ("wifi.0.width", "80MHz"), ("wifi.0.streams", "2")],
        &[("wifi.0.routing", "{ kind = \"hwmp\", root = \"a\", gates = [\"b\"], proactive_prep = false }")],
        &[("wifi.0.rate_control", "{ kind = \"minstrel-ht\", tries = 3 }")],
        &[("wifi.0.rate_control", "{ kind = \"arf\" }"), ("wifi.0.standard", "g")],
        &[("wifi.0.rate_control", "{ kind = \"ideal\", target = 0.01 }"), ("wifi.0.standard", "n")],
        &[("wifi.0.aggregation", "{ amsdu = \"3839B\" }"), ("wifi.0.standard", "n")],
        &[("wifi.0.protection", "rts-cts"), ("wifi.0.standard", "g"), ("wifi.0.control_rate", "2Mbps")],
        &[("wifi.0.b_stations", "[\"b\"]"), ("wifi.0.standard", "g"), ("wifi.0.protection", "none")],
        &[("wifi.0.station_rates", "[{ stations = [\"b\"], rate = \"2Mbps\" }]")],
        &[
            ("wifi.0.station_rates", "[{ stations = [\"b\"], mcs = 3, streams = 2 }]"),
            ("wifi.0.standard", "ac"),
        ],
        &[("wifi.0.edca", "{}"), ("wifi.0.cf_end", "true"), ("wifi.0.txop_protection", "multiple")],
        &[("wifi.0.edca", "{}"), ("wifi.0.profile", "ns3"), ("wifi.0.cf_end", "false")],
        &[("wifi.0.edca", "{ voice = { aifsn = 3 } }"), ("flow.0.access_category", "video")],
        &[
            ("node.0", &format!("{{ name = \"a\", placement = {disc} }}")),
            ("wifi.0.fading", "{ kind = \"nakagami\" }"),
        ],
    ];
    for settings in settings {
        let scenario = pair(settings).unwrap_or_else(|e| panic!("{e}"));
        let written = describe(&scenario);
        let again =
            Document::from_json(&written).unwrap().check().unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(describe(&again), written);
        let wifi = |scenario: &Scenario| format!("{:?} {:?}", scenario.radios, scenario.places);
        let (left, right) = (wifi(&again), wifi(&scenario));
        // `describe` has to write every parameter of a network. Networks with Gauss-Markov movements are
        // compared only as written.
        if !left.contains("GaussMarkov") {
            assert_eq!(left, right);
        }
    }
}
