//! 802.11 networks with several access points in scenario files.

use super::radios::PAIR;
use crate::model::{RadioKind, Scenario};
use crate::scenario::{Document, ScenarioError, describe};
use radio::access::Station;
use wifi::config::{Association, Roaming};

/// Checks a scenario with two access points and a station between them.
fn cell(settings: &[(&str, &str)]) -> Result<Scenario, ScenarioError> {
    let text = PAIR.replace("stations = [\"a\", \"b\"]", "stations = [\"a\", \"b\", \"c\"]").replace(
        "[[wifi]]",
        "[[node]]\nname = \"c\"\nposition = [40, 0]\n\n[[wifi]]\naccess_point = [\"a\", \"c\"]",
    );
    let mut document = Document::from_toml(&text).unwrap();
    for (path, value) in settings {
        document.set(path, value)?;
    }
    document.check()
}

fn config(scenario: &Scenario) -> wifi::Config {
    match &scenario.radios[0].kind {
        RadioKind::Wifi(config) => (**config).clone(),
        RadioKind::Lte(_) => panic!("no 802.11"),
    }
}

#[test]
fn a_list_of_access_points() {
    let scenario = cell(&[]).unwrap();
    let both = config(&scenario);
    assert_eq!(both.access_points().collect::<Vec<_>>(), [Station(0), Station(2)]);
    assert_eq!((both.mac.bss.association, both.mac.bss.roaming), (Association::Exchange, Roaming::Stronger));
    let said = [
        ("wifi.0.roaming_margin", "5"),
        ("wifi.0.roaming_beacons", "2"),
        ("wifi.0.scan_time", "300ms"),
        ("wifi.0.association", "exchange"),
    ];
    let bss = config(&cell(&said).unwrap()).mac.bss;
    assert_eq!((bss.roaming_margin, bss.roaming_beacons), (5.0, 2));
    assert_eq!(bss.scan_time, base::Duration::from_ms(300));
    assert_eq!(config(&cell(&[("wifi.0.profile", "ns3")]).unwrap()).mac.bss.roaming, Roaming::Lost);
    // The description gives the same network; a list of one access point equals a single one.
    let document = Document::from_json(&describe(&scenario)).unwrap();
    assert_eq!(config(&document.check().unwrap()), both);
    let one = cell(&[("wifi.0.access_point", "[\"c\"]")]).unwrap();
    assert_eq!(config(&one), config(&cell(&[("wifi.0.access_point", "c")]).unwrap()));
    let text = describe(&one);
    assert!(text.contains("\"access_point\":\"c\""), "{text}");
    assert!(!text.contains("roaming"), "{text}");
}

/// Access points may be out of reach of each other, while a station has to be in reach of one at least.
#[test]
fn who_is_in_reach() {
    let apart = ("node.2.position", "[90, 0]");
    assert!(cell(&[apart, ("node.1.position", "[45, 0]")]).is_ok());
    let error = cell(&[apart, ("node.1.position", "[150, 0]")]).expect_err("far").to_string();
    assert!(error.contains("\"b\" is out of range of every access point"), "{error}");
}

#[test]
fn what_is_wrong() {
    let cases: [(&[(&str, &str)], &str); 9] = [
        (
            &[("wifi.0.access_point", "[\"a\", \"d\"]")],
            "wifi.0.access_point.1: the access point \"d\" is no station of this network\n  given:   \"d\"\n  allowed: a, b, c",
        ),
        (
            &[("wifi.0.access_point", "[\"a\", \"a\"]")],
            "wifi.0.access_point.1: \"a\" is an access point already\n  given:   \"a\"\n  allowed: each access point once",
        ),
        (
            &[("wifi.0.access_point", "[\"a\", \"b\", \"c\"]")],
            "wifi.0.access_point: every station is an access point: one at least is to be served",
        ),
        (&[("wifi.0.access_point", "[]")], "wifi.0.access_point: an empty list"),
        (
            &[("wifi.0.association", "in-reach")],
            "wifi.0.association: between several access points a station goes by their beacons and by frames",
        ),
        (
            &[("wifi.0.beacons", "never")],
            "wifi.0.beacons: stations go between several access points by their beacons",
        ),
        (
            &[("wifi.0.access_point", "a"), ("wifi.0.scan_time", "1s")],
            "wifi.0.scan_time: there are not several access points to go to",
        ),
        (
            &[("wifi.0.roaming", "lost"), ("wifi.0.roaming_margin", "3")],
            "wifi.0.roaming_margin: a station goes when it has lost its access point, not before",
        ),
        (&[("wifi.0.roaming_margin", "-1")], "wifi.0.roaming_margin: -1 is out of range"),
    ];
    for (settings, expected) in cases {
        let error = cell(settings).expect_err(expected).to_string();
        let error = error.replace(" (line 15)", "");
        assert!(error.starts_with(expected), "{error}\nnot\n{expected}");
    }
}
