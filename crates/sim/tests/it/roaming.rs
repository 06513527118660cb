//! Whole runs of a station that walks from one access point to another.

use base::Duration;
use engine::Control;
use metrics::{Column, Observe};
use serde_json::Value;
use sim::scenario::Document;
use sim::{Results, RunOptions, run};

/// A scenario of a download and a call of a station that walks past two access points.
const WALK: &str = r#"
duration = "30s"
[[node]]
name = "left"
position = [0, 0]
[[node]]
name = "right"
position = [60, 0]
[[node]]
name = "walker"
mobility = { kind = "bonnmotion", waypoints = "0 5 3 25 55 3 30 55 3" }
[[link]]
between = ["server", "left"]
rate = "100Mbps"
delay = "10ms"
[[wifi]]
standard = "a"
rate = "24Mbps"
stations = ["left", "right", "walker"]
access_point = ["left", "right"]
[[flow]]
from = "server"
to = "walker"
start = "1s"
tcp = { variant = "cubic" }
[[flow]]
from = "walker"
to = "server"
start = "1s"
traffic = { kind = "cbr", rate = "64kbps", packet = "160B" }
"#;

fn results(settings: &[(&str, &str)], seed: u64) -> Results {
    let mut document = Document::from_toml(WALK).expect("a document");
    for (path, value) in settings {
        document.set(path, value).expect("a path");
    }
    let traces = ["associations", "throughput"].map(str::to_owned);
    let observe = Observe::parse(&traces, Duration::from_secs(1)).expect("traces");
    let options = RunOptions { seed: Some(seed), observe, ..RunOptions::default() };
    run(&document, &options, &Control::default()).expect("a run")
}

fn summary(results: &Results) -> Value {
    serde_json::from_str(&results.summary()).expect("JSON")
}

fn count(value: &Value, key: &str) -> u64 {
    value[key].as_u64().unwrap_or_else(|| panic!("{key} of {value}"))
}

/// Returns the download's goodput in each second, Mb/s.
fn goodput(results: &Results) -> Vec<f64> {
    let table = results.table("throughput").expect("asked for");
    let Some(Column::Int32(flows)) = table.column("flow") else { panic!("flows") };
    let Some(Column::Float(rates)) = table.column("goodput_bps") else { panic!("rates") };
    flows.iter().zip(rates.iter()).filter(|(flow, _)| **flow == 0).map(|(_, bps)| bps / 1e6).collect()
}

/// Returns the time in seconds and the access point of each association of the station.
fn changes(results: &Results) -> Vec<(f64, String)> {
    let table = results.table("associations").expect("asked for");
    let Some(Column::Time(times)) = table.column("time_s") else { panic!("times") };
    let Some(Column::Label { names, codes }) = table.column("access_point") else { panic!("names") };
    let name = |code: &u32| names.get(*code as usize).cloned().unwrap_or_default();
    times.iter().zip(codes).map(|(ps, code)| (*ps as f64 / 1e12, name(code))).collect()
}

/// With a roaming margin only packets on their way are lost, and the download continues at once.
#[test]
fn a_download_goes_on_at_the_other() {
    let results = results(&[], 1);
    let summary = summary(&results);
    let changes = changes(&results);
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes[1].0 > 16.9, "{changes:?}");
    let walker = &summary["stations"][2];
    assert_eq!((count(walker, "handovers"), count(walker, "disassociations")), (1, 0));
    assert_eq!(walker["access_point"], "right");
    assert_eq!(summary["wifi"][0]["access_point"], serde_json::json!(["left", "right"]));
    let rates = goodput(&results);
    let before = rates[5..15].iter().sum::<f64>() / 10.0;
    let after = rates[20..29].iter().sum::<f64>() / 9.0;
    assert!((after / before - 1.0).abs() < 0.03, "{before}, then {after}");
    assert!(rates[17..19].iter().all(|rate| *rate > 0.5 * before), "{rates:?}");
}

/// The station roams when the other access point is stronger by the margin of 8 dB. At 2 m/s that is when (5 + 2 t) / (55 -
/// 2 t) = 1.85, after 17 s. It needs three beacons, and some of them collide with data of the first access point, which
/// cannot sense the second. The number that collide differs by seed, hence the median.
#[test]
fn a_station_roams_when_the_margin_is_reached() {
    let times = |seed| changes(&results(&[("duration", "25s")], seed)).last().expect("an association").0;
    let mut roamed: Vec<f64> = (1..=5).map(times).collect();
    roamed.sort_by(f64::total_cmp);
    assert!(roamed[0] > 16.9 && roamed[2] < 18.5, "{roamed:?}");
}

/// Without a margin the station roams only after losing the first access point; the download then recovers its goodput at the second.
#[test]
fn a_download_recovers_after_a_gap() {
    let lost = results(
        &[
            ("wifi.0.roaming", "lost"),
            ("node.2.mobility", "{ kind = \"bonnmotion\", waypoints = \"0 5 3 25 105 3 30 105 3\" }"),
            ("node.1.position", "[100, 0]"),
        ],
        1,
    );
    let summary = summary(&lost);
    let changes = changes(&lost);
    let names: Vec<&str> = changes.iter().map(|change| change.1.as_str()).collect();
    assert_eq!(names, ["left", "", "right"]);
    // The station is out of reach at 51.5 m, after 11.6 s; it asks for association ten missed beacons and a scan later.
    assert!((12.5..13.1).contains(&changes[1].0), "{changes:?}");
    assert!((0.12..0.25).contains(&(changes[2].0 - changes[1].0)), "{changes:?}");
    let rates = goodput(&lost);
    let before = rates[3..9].iter().sum::<f64>() / 6.0;
    let after = rates[20..29].iter().sum::<f64>() / 9.0;
    assert!(rates[12] < 0.05 * before, "{rates:?}");
    assert!((after / before - 1.0).abs() < 0.05, "{before}, then {after}: {rates:?}");
    let flow = &summary["flows"][0];
    assert!(count(flow, "timeouts") >= 1, "{flow}");
}

/// With every seed and kind of roaming, each packet is delivered, lost with a cause, or still on its way.
#[test]
fn every_packet_is_accounted_for() {
    for seed in 1..=6 {
        let roaming = if seed % 2 == 0 { "lost" } else { "stronger" };
        let summary = summary(&results(&[("wifi.0.roaming", roaming), ("duration", "22s")], seed));
        let stations = summary["stations"].as_array().expect("a list");
        let all = |key: &str| stations.iter().map(|station| count(station, key)).sum::<u64>();
        assert_eq!(
            all("offered_packets"),
            all("delivered_packets") + all("lost_packets_total") + all("queued_at_end_packets")
        );
        let call = &summary["flows"][1];
        let sent = count(call, "sent_packets");
        let gone = count(call, "received_packets") + count(call, "lost_packets_total");
        assert_eq!(sent, gone + count(call, "in_flight_packets"), "{call}");
    }
}
