//! Reading and checking a random document gives a scenario or an error, never a panic.

use super::{SMALL, examples};
use crate::scenario::{Document, ScenarioError, describe};
use base::{Bytes, DataRate, Duration};
use proptest::prelude::*;
use serde_json::Value;
use settings::Setting;

/// Values most of which some setting accepts, so that some random documents made of them pass the first
/// checks.
const WORDS: [&str; 94] = [
    "ax",
    "160MHz",
    "0.8us",
    "video",
    "I300/2@0 P10/1@40000",
    "IPBB",
    "a",
    "b",
    "c",
    "10Mbps",
    "20ms",
    "1s",
    "0s",
    "1500B",
    "64KiB",
    "0B",
    "newreno",
    "sack+vegas",
    "vegas",
    "ns2",
    "linux",
    "random",
    "bit-error",
    "list",
    "droptail",
    "red",
    "codel",
    "fq-codel",
    "pie",
    "token-bucket",
    "tx-ring",
    "priority",
    "gilbert-elliott",
    "periodic",
    "trace",
    "uniform",
    "normal",
    "1x5 0 2",
    "link.0.queue",
    "ftp",
    "cbr",
    "on-off",
    "pareto",
    "exponential",
    "entry",
    "link.0.rate",
    "link.0.reverse.loss",
    "link.0.up",
    "unlimited",
    "max_window",
    "segment",
    "handshake",
    "none",
    "every",
    "integer",
    "-1",
    "1e400s",
    "",
    "0.0.0",
    "\u{1f}x\u{1f}",
    "b2",
    "g",
    "ac",
    "ns3",
    "ieee",
    "54Mbps",
    "16dBm",
    "2.4GHz",
    "two-ray",
    "range",
    "log-distance",
    "nakagami",
    "random-walk",
    "gauss-markov",
    "setdest",
    "bonnmotion",
    "0 1 2 10 3 4",
    "grid",
    "disc",
    "aodv",
    "olsr",
    "hwmp",
    "table",
    "capture",
    "sinr",
    "5MHz",
    "am",
    "a3",
    "epa",
    "proportional-fair",
    "max-ci",
    "never",
    "near-destination",
    "100B",
];

/// Keys, most of which occur in some table of a scenario.
const KEYS: [&str; 119] = [
    "transport",
    "fps",
    "gop",
    "frames",
    "repeat",
    "playout",
    "quality",
    "motion",
    "duration",
    "seed",
    "node",
    "link",
    "flow",
    "event",
    "name",
    "between",
    "rate",
    "delay",
    "queue",
    "loss",
    "reverse",
    "from",
    "to",
    "start",
    "stop",
    "traffic",
    "tcp",
    "at",
    "set",
    "kind",
    "packets",
    "bytes",
    "toward",
    "packet",
    "header",
    "on",
    "off",
    "shape",
    "variant",
    "profile",
    "control",
    "min_rto",
    "segment",
    "max_window",
    "delayed_ack",
    "sack_blocks",
    "size",
    "flow.0",
    "jitter",
    "reorder",
    "duplicate",
    "class",
    "ecn",
    "trace",
    "gaps",
    "lost",
    "length",
    "every",
    "p",
    "r",
    "max",
    "min",
    "mean",
    "deviation",
    "target",
    "interval",
    "quantum",
    "burst",
    "bands",
    "update",
    "wifi",
    "lte",
    "position",
    "placement",
    "mobility",
    "standard",
    "stations",
    "access_point",
    "channel",
    "mcs",
    "width",
    "propagation",
    "fading",
    "reception",
    "routing",
    "routes",
    "via",
    "speed",
    "bounds",
    "pause",
    "columns",
    "spacing",
    "radius",
    "orders",
    "waypoints",
    "gateway",
    "ue",
    "enb",
    "bandwidth",
    "blocks",
    "rlc",
    "mode",
    "buffer",
    "uplink",
    "s1",
    "handover",
    "scheduler",
    "cqi_period",
    "tx_power",
    "frequency",
    "aggregation",
    "beacons",
    "association",
    "roaming",
    "roaming_margin",
    "scan_time",
    "lifetime",
    "hello",
    "exponent",
];

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => (-3i64..4).prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => (0.0..2.0).prop_map(Value::from),
        4 => prop::sample::select(&WORDS[..]).prop_map(Value::from),
        1 => "\\PC{0,8}".prop_map(Value::from),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((prop::sample::select(&KEYS[..]), inner), 0..6)
                .prop_map(|fields| fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()),
        ]
    })
}

/// Collects the path of every value in a document.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner = |key: &str| if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
    match value {
        Value::Object(fields) => fields.iter().for_each(|(k, v)| {
            found.push(inner(k));
            paths(v, &inner(k), found);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(i, v)| {
            found.push(inner(&i.to_string()));
            paths(v, &inner(&i.to_string()), found);
        }),
        _ => {}
    }
}

/// Asserts that the document is refused, or that its description gives the same scenario.
fn judge(document: &Document) {
    match document.check() {
        Ok(scenario) => {
            let again = Document::from_json(&describe(&scenario)).unwrap();
            let again = again.check().unwrap_or_else(|e| panic!("{e}\nof\n{}", document.canonical_json()));
            assert_eq!(format!("{again:?}"), format!("{scenario:?}"));
        }
        Err(error) => {
            let first = ScenarioError { more: Vec::new(), ..error.clone() };
            for one in std::iter::once(&first).chain(&error.more) {
                assert!(!one.message.is_empty() && one.to_string().lines().count() < 14, "{error}");
            }
        }
    }
}

/// Returns the document as a JSON value.
fn raw(document: &Document) -> Value {
    serde_json::from_str(&document.to_json()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    #[ignore = "takes seconds of processor time: `make test` runs it"]
    fn any_value(value in value()) {
        if let Ok(document) = Document::from_json(&value.to_string()) {
            judge(&document);
        }
    }

    #[test]
    fn any_text(text in "\\PC{0,60}") {
        for text in [text.clone(), format!("{SMALL}{text}")] {
            if let Ok(document) = Document::from_toml(&text) {
                judge(&document);
            }
        }
    }

    /// An example in which a few values are replaced, removed or added.
    #[test]
    fn any_change(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::option::of(prop::sample::select(&KEYS[..])), value()), 1..4),
    ) {
        let texts = examples::texts();
        let mut document = Document::from_toml(&which.get(&texts).1).unwrap();
        for (place, key, value) in edits {
            let mut found = Vec::new();
            paths(&raw(&document), "", &mut found);
            let path = key.map_or_else(|| place.get(&found).clone(), |key| format!("{}.{key}", place.get(&found)));
            // JSON's scalars are written as in TOML; every other value is written as text.
            let before = document.canonical_json();
            if document.set(&path, &value.to_string()).is_err() {
                prop_assert_eq!(document.canonical_json(), before);
            }
        }
        judge(&document);
    }

    /// Numbers keep their exact value from the text to the document.
    #[test]
    fn numbers_stay_exact(number in any::<f64>().prop_filter("JSON has it", |x| x.is_finite()), whole in any::<u64>()) {
        let toml = raw(&Document::from_toml(&format!("x = {number:e}\ny = {}", whole >> 1)).unwrap());
        prop_assert_eq!((toml["x"].as_f64(), toml["y"].as_u64()), (Some(number), Some(whole >> 1)));
        let json = Document::from_json(&serde_json::json!({ "x": number, "y": whole }).to_string()).unwrap();
        let canonical = raw(&Document::from_json(&json.canonical_json()).unwrap());
        prop_assert_eq!((canonical["x"].as_f64(), canonical["y"].as_u64()), (Some(number), Some(whole)));
    }

    #[test]
    fn quantities_are_written_exactly(ps in any::<u64>(), bps in 1u64.., bytes in any::<u64>()) {
 fn again<T: Setting>(value: &T) -> T {
            let text = value.write();
            assert!(text.as_text().is_some(), "{text} is no text");
            T::read(&text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
        }
        let time = Duration::from_ps(ps);
        prop_assert_eq!(again(&time), time);
        let rate = DataRate::from_bps(bps).unwrap();
        prop_assert_eq!(again(&rate), rate);
        let size = Bytes(bytes);
        prop_assert_eq!(again(&size), size);
    }
}
