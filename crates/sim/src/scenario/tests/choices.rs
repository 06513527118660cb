//! The lists of choices, the JSON Schema, and the description of a scenario (`describe`).

use super::examples;
use super::generated::schema;
use crate::scenario::{Document, catalogue, describe};
use serde_json::Value;
use stack::Stacks;
use tcp::congestion::Controls;

const LISTS: [&str; 9] =
    ["variants", "recoveries", "controls", "profiles", "queues", "losses", "traffic", "traces", "metrics"];

fn list(what: &str) -> Vec<Value> {
    serde_json::from_str(&catalogue(what, &Controls::default(), &Stacks::default()).unwrap()).unwrap()
}

#[test]
fn every_entry_has_a_name_and_a_summary() {
    for what in LISTS {
        let entries = list(what);
        assert!(!entries.is_empty(), "{what}");
        for entry in entries {
            assert!(entry["name"].as_str().is_some_and(|n| !n.is_empty()), "{what}: {entry}");
            assert!(entry["summary"].as_str().is_some_and(|s| !s.is_empty()), "{what}: {entry}");
            for parameter in entry["parameters"].as_array().into_iter().flatten() {
                assert!(parameter["summary"].as_str().is_some_and(|s| !s.is_empty()), "{what}: {parameter}");
            }
        }
    }
    let error = catalogue("variant", &Controls::default(), &Stacks::default()).unwrap_err();
    assert_eq!(error.nearest.as_deref(), Some("variants"));
}

#[test]
fn lists_name_what_there_is() {
    let names = |what| list(what).iter().map(|e| e["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    assert!(
        names("variants")
            .starts_with(&["tahoe", "reno", "newreno", "sack", "fack", "vegas"].map(str::to_owned))
    );
    assert!(names("variants").contains(&"tcp-linux-reno".to_owned()));
    assert_eq!(names("profiles"), ["rfc", "linux", "ns2", "ns3"]);
    assert_eq!(
        names("queues"),
        ["droptail", "head-drop", "red", "codel", "fq-codel", "pie", "token-bucket", "tx-ring", "priority"]
    );
    assert_eq!(names("losses"), ["random", "bit-error", "gilbert-elliott", "list", "periodic", "trace"]);
    assert_eq!(names("traffic"), ["ftp", "cbr", "on-off", "video", "sessions"]);
    assert!(names("metrics").contains(&"goodput_bps".to_owned()));
    let rate = &list("losses")[0]["parameters"][0];
    assert_eq!((rate["name"].as_str(), rate["required"].as_bool()), (Some("rate"), Some(true)));
}

/// Every property of every object of the JSON Schema has a description.
#[test]
fn the_schema_describes_every_field() {
    fn walk(schema: &Value, place: &str, seen: &mut usize) {
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            for (name, property) in properties {
                *seen += 1;
                let documented = property.get("description").is_some() || property.get("const").is_some();
                assert!(documented, "{place}.{name} has no description");
            }
        }
        match schema {
            Value::Object(fields) => fields.iter().for_each(|(k, v)| walk(v, &format!("{place}.{k}"), seen)),
            Value::Array(items) => items.iter().for_each(|v| walk(v, place, seen)),
            _ => {}
        }
    }
    let schema = schema();
    let mut seen = 0;
    walk(&schema, "", &mut seen);
    assert!(seen > 70, "{seen}");
    let text = schema.to_string();
    for word in [
        "handshake",
        "scoreboard",
        "droptail",
        "newreno",
        "exponential",
        "max_window",
        "additionalProperties",
    ] {
        assert!(text.contains(word), "{word}");
    }
}

/// `describe` writes a scenario that means the same as its source.
#[test]
fn a_description_is_the_scenario_again() {
    let extra = r#"
        duration = "100.000000000001s"
        link = [{ between = ["a", "b"], rate = "1.5Mbps", delay = "1.5ms", queue = { kind = "droptail", unlimited = true },
                  loss = [{ kind = "bit-error", rate = 1e-6 }, { kind = "random", rate = 0.1, spare_acks = true, at = "entry", toward = "a" }] }]
        event = [{ at = "2s", set = "link.0.loss", to = [] }, { at = "1s", set = "link.0.queue", to = { kind = "droptail", bytes = "9kB" } }]
        [[flow]]
        from = "a"
        to = "b"
        traffic = { kind = "ftp", size = "1MB" }
        tcp = { variant = "sack+vegas", profile = "ns2", control = { beta = 4 }, timestamps = true, delayed_ack = true }
        [[flow]]
        from = "a"
        to = "b"
        tcp = { variant = "tcpw-i", control = { rttc = "round" } }
        [[flow]]
        from = "b"
        to = "a"
        traffic = { kind = "on-off", rate = "1Mbps", packet = "500B", on = "1s", off = "2s", distribution = "pareto" }
    "#;
    let links = r#"
        duration = "10s"
        [[link]]
        between = ["a", "b"]
        rate = { gaps = "1x3 0 12" }
        delay = "1ms"
        queue = { kind = "priority", bands = [{ kind = "droptail", packets = 9 }, { kind = "token-bucket", rate = "1Mbps",
                  burst = "3kB", queue = { kind = "red", min = 4, adaptive = true, weight = 0.1, drop_above = false } }] }
        reverse = { rate = "2Mbps", queue = { kind = "pie", target = "20ms", max_burst = "0s", ecn = false } }
        loss = [{ kind = "gilbert-elliott", p = 0.1, r = 0.2, loss_good = 0.01 }, { kind = "periodic", every = 7, toward = "a" },
                { kind = "trace", lost = [3, 1], length = 4, flow = 0, at = "entry" }]
        jitter = [{ kind = "normal", mean = "1ms", deviation = "2ms", toward = "a" }, { kind = "exponential", mean = "1ms", keep_order = false, toward = "b" }]
        reorder = { rate = 0.1, delay = "3ms" }
        duplicate = { rate = 0.2, toward = "b" }
        [[link]]
        between = ["b", "c"]
        rate = "1Mbps"
        delay = "0s"
        queue = { kind = "codel", target = "6ms", bytes = "30kB" }
        reverse = { queue = { kind = "fq-codel", quantum = "300B", queues = 8, interval = "50ms" } }
        jitter = { kind = "uniform", max = "5ms" }
        [[flow]]
        from = "a"
        to = "c"
        class = 2
        traffic = { kind = "cbr", rate = "1Mbps", packet = "500B", ecn = true }
        [[event]]
        at = "1s"
        set = "link.1.reverse.rate"
        to = { gaps = "5x20" }
        [[event]]
        at = "2s"
        set = "link.0.queue"
        to = { kind = "codel" }
    "#;
    let mut texts = examples::texts();
    texts.push(("all kinds".to_owned(), extra.to_owned()));
    texts.push(("all kinds of links".to_owned(), links.to_owned()));
    for (name, text) in texts {
        let scenario = examples::read(&text).check().unwrap_or_else(|e| panic!("{name}: {e}"));
        let described = describe(&scenario);
        let again =
            Document::from_json(&described).unwrap().check().unwrap_or_else(|e| panic!("{name}: {e}"));
        // Nodes keep their order, since the description lists them before all else.
        assert_eq!(format!("{again:?}"), format!("{scenario:?}"), "{name}");
        assert_eq!(describe(&again), described, "{name}");
    }
}
