//! Documents: setting a value by its path, misspelt names, line numbers in messages.

use super::{SMALL, small};
use crate::scenario::Document;
use base::{DataRate, Duration};

#[test]
fn settings_are_toml_or_bare_text() {
    let s = small(&[
        ("link.0.rate", "5Mbps"),
        ("link.0.delay", "\"1ms\""),
        ("seed", "7"),
        ("link.0.reverse.rate", "1 Mbps"),
        ("flow.0.tcp.min_rto", "200ms"),
        ("flow.0.tcp.limited_transmit", "false"),
        ("link.0.loss", "{ kind = \"list\", packets = [3, 1] }"),
    ]);
    let s = s.unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(s.seed, 7);
    assert_eq!(s.links[0].directions[0].rate.mean(), DataRate::from_bps(5_000_000).unwrap());
    assert_eq!(s.links[0].directions[1].rate.mean(), DataRate::from_bps(1_000_000).unwrap());
    assert_eq!(s.links[0].directions[0].delay, Duration::from_ms(1));
}

#[test]
fn a_setting_that_fails_leaves_no_trace() {
    let mut document = Document::from_toml(SMALL).unwrap();
    let before = document.canonical_json();
    for (path, said) in [
        ("link.3.rate", "`link` has no item 3"),
        ("flow.0.name.first.0", "`flow.0.name.first` is not there: it has no item 0"),
        ("link.rate", "`link` is a list: the next part of the path is a number, not `rate`"),
        ("duration.seconds", "`duration` is a single value (\"10s\"): it has no `seconds`"),
        ("flow.0.tcp.0", "`flow.0.tcp` is a table: it has no item 0"),
        ("flow..tcp", "not a path"),
    ] {
        assert_eq!(document.set(path, "1").unwrap_err().message, said, "{path}");
        assert_eq!(document.canonical_json(), before, "{path}");
    }
}

#[test]
fn one_spelling() {
    let other = r#"{"flow": [{"tcp": {"variant": "newreno"}, "to": "b", "from": "a"}], "duration": "10s",
        "link": [{"delay": "20ms", "between": ["a", "b"], "rate": "10Mbps"}]}"#;
    let toml = Document::from_toml(SMALL).unwrap().canonical_json();
    assert_eq!(Document::from_json(other).unwrap().canonical_json(), toml);
    assert_eq!(
        toml,
        r#"{"duration":"10s","flow":[{"from":"a","tcp":{"variant":"newreno"},"to":"b"}],"link":[{"between":["a","b"],"delay":"20ms","rate":"10Mbps"}]}"#
    );
}

#[test]
fn lines_are_those_of_the_file_unless_set() {
    let mut document = Document::from_toml(SMALL).unwrap();
    document.set("link.0.delay", "fast").unwrap();
    assert_eq!(document.check().unwrap_err().line, None);
    let text = SMALL.replace("\"20ms\"", "\"fast\"");
    assert_eq!(Document::from_toml(&text).unwrap().check().unwrap_err().line, Some(6));
    // A mistake inside an inline table is reported with the line of its key.
    let text = SMALL.replace("newreno", "vegsa");
    assert_eq!(Document::from_toml(&text).unwrap().check().unwrap_err().line, Some(11));
}

#[test]
fn links_and_flows_go_by_name() {
    let text = SMALL.replace("[[link]]", "[[link]]\nname = \"bottleneck\"");
    let mut document = Document::from_toml(&text).unwrap();
    document.set("link.bottleneck.rate", "3Mbps").unwrap();
    document.set("flow.flow0.tcp.variant", "vegas").unwrap();
    let scenario = document.check().unwrap();
    assert_eq!(scenario.links[0].directions[0].rate.mean(), DataRate::from_bps(3_000_000).unwrap());
    assert_eq!(scenario.links[0].name.as_deref(), Some("bottleneck"));
    assert!(document.canonical_json().contains(r#""variant":"vegas""#));
    let error = document.set("link.botleneck.rate", "3Mbps").unwrap_err();
    assert_eq!(error.message, "`link` has no item called `botleneck`");
    assert_eq!(error.nearest.as_deref(), Some("bottleneck"));
    // A name that looks like an index or contains a dot or `*` would make paths ambiguous.
    for name in ["7", "a.b", "*"] {
        document.set("link.0.name", &format!("\"{name}\"")).unwrap();
        assert_eq!(document.check().unwrap_err().path, "link.0.name", "{name}");
    }
}

#[test]
fn events_name_links() {
    let text = SMALL.replace("[[link]]", "[[link]]\nname = \"bottleneck\"");
    let event = |set: &str| format!("{text}\n[[event]]\nat = \"1s\"\nset = \"{set}\"\nto = \"1Mbps\"\n");
    let scenario = Document::from_toml(&event("link.bottleneck.rate")).unwrap().check().unwrap();
    assert_eq!(scenario.changes[0].directions, [(0, 0), (0, 1)]);
    let error = Document::from_toml(&event("link.botleneck.rate")).unwrap().check().unwrap_err();
    assert_eq!(error.nearest.as_deref(), Some("bottleneck"));
}
