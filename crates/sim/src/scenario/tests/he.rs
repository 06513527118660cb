//! 802.11ax (HE) networks in scenario files.

use super::radios::{network, pair, said};
use crate::scenario::{Document, describe};
use wifi::timing::Mode;

/// Settings (path, value), the beginning of their error message, and a text within the message.
type Refused<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);

const AX: (&str, &str) = ("wifi.0.standard", "ax");

#[test]
fn high_efficiency() {
    let with = |settings: &[(&str, &str)]| network(&[&[AX], settings].concat());
    let config = with(&[]);
    // The standard's rate: 1170 bits in a symbol of 13.6 us. ns-3.37 has a guard interval of 3.2 us, and at most 64 packets or 65 535 bytes in
    // an aggregate.
    assert_eq!((config.phy.data.bps(), config.phy.control.bps()), (86_029_411, 6_000_000));
    assert_eq!((config.mac.aggregation.frames, config.mac.aggregation.bytes), (256, 6_500_631));
    assert_eq!((config.mac.access.aifsn, config.mac.exchange.header), (3, 38));
    let ns3 = with(&[("wifi.0.profile", "ns3")]);
    assert_eq!(ns3.phy.data.bps(), 73_125_000);
    assert_eq!((ns3.mac.aggregation.frames, ns3.mac.aggregation.bytes), (64, 65_535));
    let fast = [
        ("wifi.0.mcs", "11"),
        ("wifi.0.width", "160MHz"),
        ("wifi.0.streams", "4"),
        ("wifi.0.guard_interval", "0.8us"),
    ];
    assert_eq!(with(&fast).phy.data.bps(), 4_803_897_058);
    // The preamble of four streams takes 36 us and four training symbols of 7.2, 16, 8 (ns-3) or 4 us each.
    let us = |config: &wifi::Config| config.phy.data.preamble().ps() / 100_000;
    assert_eq!(us(&with(&fast)), 648);
    assert_eq!(us(&with(&[&fast[..3], &[("wifi.0.guard_interval", "3.2us")]].concat())), 1000);
    assert_eq!(us(&with(&[&fast[..], &[("wifi.0.profile", "ns3")]].concat())), 680);
    assert_eq!(us(&with(&[&fast[..], &[("wifi.0.he_training", "1x")]].concat())), 520);
    // EDCA has the TXOP limits of 802.11-2020; ns-3.37 has limits for video and voice alone.
    let txops = |settings: &[(&str, &str)]| {
        let edca = with(&[&[("wifi.0.edca", "{}")], settings].concat()).mac.access.edca;
        edca.map(|edca| edca.each().map(|access| access.txop.ps() / 1_000_000))
    };
    assert_eq!(txops(&[]), Some([2528, 2528, 4096, 2080]));
    assert_eq!(txops(&[("wifi.0.profile", "ns3")]), Some([0, 0, 4096, 2080]));
}

/// Channels of 160 MHz are accepted; the 2.4 GHz band has a SIFS of 10 us and a signal extension.
#[test]
fn bands() {
    let wide = network(&[AX, ("wifi.0.width", "160MHz"), ("wifi.0.channel", "50")]);
    assert_eq!(wide.phy.propagation.frequency, 5.25e9);
    let low = network(&[AX, ("wifi.0.channel", "6")]);
    assert_eq!((low.phy.propagation.frequency, low.mac.access.sifs), (2.437e9, base::Duration::from_us(10)));
    assert!(matches!(low.phy.data, Mode::He(he) if he.erp));
    let there = said(&[AX, ("wifi.0.width", "160MHz"), ("wifi.0.channel", "36")]);
    assert!(there.contains("802.11ax has no channel 36 of 160 MHz"), "{there}");
    assert!(there.contains("allowed: 50, 114"), "{there}");
}

/// Combinations that 802.11ax does not have are refused; the error names the key and the valid choices.
#[test]
fn combinations_that_there_are_not() {
    let cases: [Refused; 13] = [
        (&[("wifi.0.mcs", "12")], "wifi.0.mcs: 802.11ax has MCS 0 to 11, not 12", ""),
        (&[("wifi.0.streams", "5")], "wifi.0.streams: 5 is out of range", "1 to 4"),
        (
            &[("wifi.0.guard_interval", "long")],
            "wifi.0.guard_interval: 802.11ax has no guard interval \"long\"",
            "\"0.8us\", \"1.6us\" or \"3.2us\"",
        ),
        (
            &[("wifi.0.he_training", "4x"), ("wifi.0.guard_interval", "1.6us")],
            "wifi.0.he_training: \"4x\" does not go with a guard interval of 1.6us",
            "\"2x\" with \"0.8us\" and \"1.6us\"",
        ),
        (
            &[("wifi.0.frequency", "2.412GHz"), ("wifi.0.width", "80MHz")],
            "wifi.0.width: at 2.4 GHz channels are 20 and 40 MHz wide, not 80",
            "\"20MHz\" or \"40MHz\"",
        ),
        (&[("wifi.0.control_mcs", "0")], "wifi.0.control_mcs: only with data frames in HT format", ""),
        (
            &[("wifi.0.aggregation", "{ frames = 257 }")],
            "wifi.0.aggregation.frames: 257 is out of range",
            "1 to 256",
        ),
        (
            &[("wifi.0.standard", "n"), ("wifi.0.aggregation", "{ frames = 65 }")],
            "wifi.0.aggregation.frames: 802.11n acknowledges up to 64 frames together, not 65",
            "1 to 64, with standard \"ax\" to 256",
        ),
        (
            &[("wifi.0.standard", "ac"), ("wifi.0.aggregation", "{ bytes = \"1048576B\" }")],
            "wifi.0.aggregation.bytes: aggregates of 802.11ac have up to 1048575 bytes, not 1048576",
            "with standard \"ax\" to \"6500631B\"",
        ),
        (
            &[("wifi.0.standard", "ac"), ("wifi.0.guard_interval", "0.8us")],
            "wifi.0.guard_interval: 802.11ac has no guard interval \"0.8us\"",
            "\"long\" or \"short\"",
        ),
        (
            &[("wifi.0.standard", "n"), ("wifi.0.width", "160MHz")],
            "wifi.0.width: 802.11n has MCS 0 to 15 at 20 and 40 MHz, not 7 at 160 MHz",
            "",
        ),
        (
            &[("wifi.0.standard", "ac"), ("wifi.0.he_training", "2x")],
            "wifi.0.he_training: 802.11ac has no choice of training symbols",
            "standard = \"ax\"",
        ),
        (
            &[("wifi.0.rate", "24Mbps"), ("wifi.0.he_training", "2x")],
            "wifi.0.he_training: with `rate` a frame has no `he_training`",
            "",
        ),
    ];
    for (settings, begins, has) in cases {
        let said = said(&[&[AX], settings].concat());
        assert!(said.starts_with(begins) && said.contains(has), "{said}");
    }
}

#[test]
fn described_it_is_the_same() {
    let cases: [&[(&str, &str)]; 5] = [
        &[],
        &[("wifi.0.profile", "ns3")],
        &[
            ("wifi.0.mcs", "10"),
            ("wifi.0.streams", "3"),
            ("wifi.0.width", "160MHz"),
            ("wifi.0.he_training", "1x"),
        ],
        &[
            ("wifi.0.station_rates", "[{ stations = [\"b\"], mcs = 3, streams = 2 }]"),
            ("wifi.0.streams", "4"),
        ],
        &[("wifi.0.aggregation", "{ frames = 100, amsdu = \"7935B\" }"), ("wifi.0.guard_interval", "1.6us")],
    ];
    for settings in cases {
        let written = describe(&pair(&[&[AX], settings].concat()).unwrap_or_else(|e| panic!("{e}")));
        let again =
            Document::from_json(&written).unwrap().check().unwrap_or_else(|e| panic!("{e}\n{written}"));
        assert_eq!(describe(&again), written);
    }
}
