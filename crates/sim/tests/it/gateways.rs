//! Gateways in whole runs: gain in goodput, cost of a crash, and conservation of packets and bytes.

use base::Duration;
use engine::Control;
use metrics::Observe;
use serde_json::Value;
use sim::scenario::Document;
use sim::{RunOptions, run};

/// A wide-area link without loss, followed by a short link that loses 2 % of all packets.
const LOSSY: &str = r#"
duration = "20s"
[[node]]
name = "r"
gateway = { kind = "intelligent", buffer = "64KiB" }
[[link]]
between = ["a", "r"]
rate = "10Mbps"
delay = "40ms"
[[link]]
between = ["r", "b"]
rate = "5Mbps"
delay = "10ms"
loss = { kind = "random", rate = 0.02 }
[[flow]]
from = "a"
to = "b"
tcp = { variant = "newreno" }
"#;

fn summary(settings: &[(&str, &str)]) -> Value {
    seeded(settings, None)
}

fn seeded(settings: &[(&str, &str)], seed: Option<u64>) -> Value {
    let mut document = Document::from_toml(LOSSY).expect("TOML");
    for (path, value) in settings {
        document.set(path, value).expect("settable");
    }
    let options = RunOptions { seed, ..RunOptions::default() };
    let results = run(&document, &options, &Control::default()).expect("runs");
    serde_json::from_str(&results.summary()).expect("JSON")
}

fn number(row: &Value, name: &str) -> i64 {
    row[name].as_i64().unwrap_or_else(|| panic!("{name} in {row}"))
}

const KINDS: [(&str, &str); 4] = [
    ("none", ""),
    ("snoop", r#"{ kind = "snoop", buffer = "64KiB" }"#),
    ("intelligent", r#"{ kind = "intelligent", buffer = "64KiB" }"#),
    ("split", r#"{ kind = "split", buffer = "64KiB", tcp = { segment = "700B" } }"#),
];

/// Every byte of a transfer of 1 MB arrives exactly once, without a gateway and through each of three kinds,
/// and no packet is left in the network.
#[test]
fn every_byte_arrives() {
    for (kind, gateway) in KINDS {
        let mut settings =
            vec![("flow.0.traffic", r#"{ kind = "ftp", size = "1MB" }"#), ("duration", "200s")];
        settings.push(if gateway.is_empty() { ("node", "[]") } else { ("node.0.gateway", gateway) });
        let found = summary(&settings);
        let flow = &found["flows"][0];
        assert_eq!(number(flow, "delivered_bytes"), 1_000_000, "{kind}");
        assert_eq!(number(flow, "acked_bytes"), 1_000_000, "{kind}");
        assert_eq!(number(flow, "in_flight_packets"), 0, "{kind}");
        let Some(row) = found["gateways"].get(0) else {
            assert_eq!(kind, "none");
            continue;
        };
        assert_eq!(row["kind"], kind);
        assert_eq!(row["copied_packets"], row["freed_packets"], "{kind}: nothing is held in the end");
        assert_eq!(number(row, "acknowledged_undelivered_bytes"), 0, "{kind}");
        assert!(number(row, "buffered_max_bytes") <= 64 << 10, "{kind}");
        assert!(number(row, "retransmitted_packets") > 0, "{kind}: 2 % of its packets are lost");
    }
}

/// The gateway repairs losses within 20 ms, so that the source keeps its goodput. The mean of five runs is tested, since single runs
/// vary (0.4 to 0.8 Mb/s without a gateway).
#[test]
fn local_repair_is_worth_it() {
    let goodput = |setting: (&str, &str)| {
        let of = |seed| seeded(&[setting], Some(seed))["flows"][0]["goodput_bps"].as_f64().expect("a number");
        (1..=5).map(of).sum::<f64>() / 5.0
    };
    let without = goodput(("node", "[]"));
    for (kind, gateway) in &KINDS[1..] {
        let with = goodput(("node.0.gateway", gateway));
        assert!(with > 1.3 * without, "{kind}: {with} bit/s, without {without}");
    }
}

/// With Snoop every byte that is acknowledged to the source has been delivered. The other kinds acknowledge up to the
/// buffer's size before delivery.
#[test]
fn what_is_acknowledged_and_not_delivered() {
    for (kind, gateway) in &KINDS[1..] {
        let found = summary(&[("node.0.gateway", gateway), ("link.1.rate", "1Mbps")]);
        let flow = &found["flows"][0];
        let ahead = number(flow, "acked_bytes") - number(flow, "delivered_bytes");
        let row = &found["gateways"][0];
        let undelivered = number(row, "acknowledged_undelivered_bytes");
        if *kind == "snoop" {
            assert!(ahead <= 0 && undelivered == 0, "{ahead} {undelivered}");
        } else {
            assert!(number(row, "zero_window_events") > 0, "{kind}: the source outruns the far side");
            assert!(0 < ahead && ahead <= undelivered && undelivered <= 64 << 10, "{kind}: {ahead} {row}");
        }
    }
}

/// A crash loses the data that was acknowledged but not delivered: the receiver's stream stays incomplete, and the connection stops there.
#[test]
fn a_crash_leaves_a_hole() {
    let crash = r#"[{ at = "5s", set = "node.r.gateway.up", to = false }, { at = "6s", set = "node.r.gateway.up", to = true }]"#;
    for (kind, gateway) in &KINDS[1..] {
        let set = [("node.0.gateway", *gateway), ("link.1.rate", "1Mbps"), ("event", crash)];
        let found = summary(&set);
        let (flow, row) = (&found["flows"][0], &found["gateways"][0]);
        assert_eq!(number(row, "crashes"), 1);
        let delivered = number(flow, "delivered_bytes");
        let hole = number(row, "acknowledged_undelivered_bytes");
        if *kind == "snoop" {
            assert!(delivered > 1_000_000 && hole == 0, "only the cache is gone: {flow}");
            continue;
        }
        assert!(0 < hole && hole <= number(row, "crash_unconfirmed_bytes"), "{kind}: {row}");
        // Until the crash at 5 s at most 1 Mb/s is delivered, and nothing afterwards.
        assert!(delivered < 640_000, "{kind}: {delivered} delivered");
        assert!(number(flow, "timeouts") > 0, "{kind}: the source tries on");
    }
}

/// If nothing is outstanding at the crash, the connection continues end to end, without the gateway.
#[test]
fn a_crash_in_a_pause_costs_nothing() {
    let found = summary(&[
        ("flow.0.traffic", r#"{ kind = "ftp", size = "1MB" }"#),
        ("event", r#"[{ at = "0.05s", set = "node.r.gateway.up", to = false }]"#),
    ]);
    // The crash comes after the SYN and before the first data.
    assert_eq!(number(&found["flows"][0], "delivered_bytes"), 1_000_000);
    assert_eq!(number(&found["gateways"][0], "acknowledged_undelivered_bytes"), 0);
}

/// A gateway changes neither a flow on another path nor the number of packets that a datagram flow sends through it.
#[test]
fn others_are_not_touched() {
    let other = r#"
[[link]]
between = ["c", "r"]
rate = "1Mbps"
delay = "5ms"
[[link]]
between = ["c", "d"]
rate = "1Mbps"
delay = "5ms"
[[flow]]
from = "c"
to = "d"
tcp = { variant = "reno" }
[[flow]]
from = "a"
to = "b"
traffic = { kind = "cbr", rate = "0.1Mbps", packet = "200B" }
"#;
    let flows = |node: bool| {
        let mut document = Document::from_toml(&format!("{LOSSY}{other}")).expect("TOML");
        if !node {
            document.set("node", "[]").expect("settable");
        }
        let results = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
        let found: Value = serde_json::from_str(&results.summary()).expect("JSON");
        assert_eq!(found["gateways"].get(0).map(|row| number(row, "connections")), node.then_some(1));
        (found["flows"][1].clone(), number(&found["flows"][2], "sent_packets"))
    };
    assert_eq!(flows(true), flows(false));
}

/// Two gateways in a row: the advertised window of the second limits what the first sends.
#[test]
fn one_behind_the_other() {
    let chain = r#"
duration = "60s"
[[node]]
name = "r1"
gateway = { kind = "intelligent", buffer = "32KiB" }
[[node]]
name = "r2"
gateway = { kind = "split", buffer = "8KiB", variant = "sack", tcp = { segment = "500B" } }
[[link]]
between = ["a", "r1"]
rate = "10Mbps"
delay = "20ms"
[[link]]
between = ["r1", "r2"]
rate = "10Mbps"
delay = "5ms"
loss = { kind = "random", rate = 0.01 }
[[link]]
between = ["r2", "b"]
rate = "0.5Mbps"
delay = "5ms"
loss = { kind = "random", rate = 0.01 }
[[flow]]
from = "a"
to = "b"
traffic = { kind = "ftp", size = "500kB" }
tcp = { variant = "cubic" }
"#;
    let document = Document::from_toml(chain).expect("TOML");
    let results = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
    let found: Value = serde_json::from_str(&results.summary()).expect("JSON");
    assert_eq!(number(&found["flows"][0], "delivered_bytes"), 500_000);
    assert_eq!(number(&found["flows"][0], "in_flight_packets"), 0);
    for (row, room) in found["gateways"].as_array().expect("rows").iter().zip([32 << 10, 8 << 10]) {
        assert!(number(row, "buffered_max_bytes") <= room && number(row, "zero_window_events") > 0, "{row}");
    }
}

/// Recording all traces changes no result of a run with a gateway.
#[test]
fn watching_changes_nothing() {
    let everything: Vec<String> = metrics::Trace::ALL.map(|t| t.name().to_owned()).to_vec();
    let observe = Observe::parse(&everything, Duration::from_secs(1)).expect("known");
    for (kind, gateway) in &KINDS[1..] {
        let mut document = Document::from_toml(LOSSY).expect("TOML");
        document.set("node.0.gateway", gateway).expect("settable");
        let blind = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
        let options = RunOptions { observe: observe.clone(), ..RunOptions::default() };
        let seen = run(&document, &options, &Control::default()).expect("runs");
        assert_eq!(blind.summary(), seen.summary(), "{kind}");
    }
}

/// Each mistake in a gateway's settings has its error message; the cases give the beginnings of the messages.
#[test]
fn mistakes_are_named() {
    for (path, value, said) in [
        ("node.0.name", "a", "node.a.gateway (line 5): a gateway stands between two networks"),
        ("node.0.gateway.kind", "clever", "node.r.gateway.kind: there is no gateway \"clever\""),
        (
            "node.0.gateway.buffer",
            "1000B",
            "node.r.gateway.buffer: a buffer of 1000 B has no room for a segment",
        ),
        ("node.0.gateway.variant", "newrno", "node.r.gateway.variant: there is no TCP variant"),
        (
            "node.0.gateway.tcp",
            "{ segment = \"500B\" }",
            "node.r.gateway.tcp.segment: an intelligent gateway",
        ),
        (
            "node.0.gateway.tcp",
            "{ control = { increse = 2 } }",
            "node.r.gateway.tcp.control.increse: congestion",
        ),
        (
            "node.0.gateway",
            "{ kind = \"snoop\", min_timeout = \"0s\" }",
            "node.r.gateway.min_timeout: \"0s\" is out of range",
        ),
        (
            "event",
            "[{ at = \"1s\", set = \"node.a.gateway.up\", to = false }]",
            "event.0.set: node \"a\" has no gateway",
        ),
        (
            "event",
            "[{ at = \"1s\", set = \"node.r.gateway.buffer\", to = \"1MB\" }]",
            "event.0.set: `node.r.gateway.buffer` cannot change",
        ),
    ] {
        let mut document = Document::from_toml(LOSSY).expect("TOML");
        document.set(path, value).expect("settable");
        let error = document.check().expect_err(said).to_string();
        assert!(error.starts_with(said), "{path} = {value}: {error}");
    }
    let no_flow = LOSSY.replace("from = \"a\"", "from = \"r\"");
    let error = Document::from_toml(&no_flow).expect("TOML").check().expect_err("no flow").to_string();
    assert!(error.contains("no TCP flow passes through \"r\" both ways"), "{error}");
}

/// The description of a scenario with a gateway gives every parameter; reading it back gives the same scenario.
#[test]
fn described_it_is_the_same() {
    for gateway in [
        r#"{ kind = "intelligent", variant = "tcp-linux-cubic", buffer = "100kB" }"#,
        r#"{ kind = "intelligent", tcp = { variant = "vegas", profile = "ns2", control = { beta = 5 } } }"#,
        r#"{ kind = "split", tcp = { profile = "linux", segment = "900B" } }"#,
        r#"{ kind = "snoop", min_timeout = "50ms" }"#,
    ] {
        let mut document = Document::from_toml(LOSSY).expect("TOML");
        document.set("node.0.gateway", gateway).expect("settable");
        let described = sim::scenario::describe(&document.check().expect("right"));
        let again = Document::from_json(&described).expect("JSON");
        let flows = |document: &Document| {
            let results = run(document, &RunOptions::default(), &Control::default()).expect("runs");
            let found: Value = serde_json::from_str(&results.summary()).expect("JSON");
            (found["flows"].clone(), found["gateways"].clone())
        };
        assert_eq!(flows(&document), flows(&again), "{gateway}");
    }
}
