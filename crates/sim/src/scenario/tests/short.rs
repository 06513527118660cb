//! Short forms of settings give the same scenario as the long forms.

use super::{SMALL, small};
use crate::scenario::{Document, describe};

fn described(text: &str) -> String {
    Document::from_toml(text).and_then(|d| d.check()).map_or_else(|e| panic!("{text}\n{e}"), |s| describe(&s))
}

fn with_link(line: &str) -> String {
    SMALL.replace("delay = \"20ms\"\n", &format!("delay = \"20ms\"\n{line}\n"))
}

#[test]
fn short_queues_and_losses_mean_their_tables() {
    for (short, long) in [
        ("queue = 8", "queue = { kind = \"droptail\", packets = 8 }"),
        ("queue = \"8\"", "queue = { kind = \"droptail\", packets = 8 }"),
        ("queue = \"64KiB\"", "queue = { kind = \"droptail\", bytes = \"64KiB\" }"),
        ("queue = \"codel\"", "queue = { kind = \"codel\" }"),
        ("queue = \"fq-codel:50\"", "queue = { kind = \"fq-codel\", packets = 50 }"),
        ("reverse = { queue = 8 }", "reverse = { queue = { kind = \"droptail\", packets = 8 } }"),
        ("loss = 0.001", "loss = { kind = \"random\", rate = 0.001, toward = \"b\" }"),
        // 10 Mb/s for 40 ms are 33.3 packets of 1500 bytes.
        ("queue = \"2bdp\"", "queue = { kind = \"droptail\", packets = 67 }"),
        ("queue = \"codel:0.5bdp\"", "queue = { kind = \"codel\", packets = 17 }"),
        ("queue = \"0.01BDP\"", "queue = { kind = \"droptail\", packets = 4 }"),
    ] {
        assert_eq!(described(&with_link(short)), described(&with_link(long)), "{short}");
    }
}

#[test]
fn a_quic_stack_may_be_named_in_the_table_of_tcp() {
    let with = |line: &str| SMALL.replace("tcp = { variant = \"newreno\" }", line);
    let long = described(&with("quic = { stack = \"quinn\", variant = \"quinn-bbr\" }"));
    for short in ["{ variant = \"quinn-bbr\" }", "{ stack = \"quinn\", variant = \"quinn-bbr\" }"] {
        assert_eq!(described(&with(&format!("tcp = {short}"))), long, "{short}");
    }
    let error = Document::from_toml(&with("tcp = { stack = \"quinn\" }")).and_then(|d| d.check());
    let text = error.expect_err("a stack without a control").to_string();
    assert!(text.starts_with("flow.0.quic.variant") && text.contains("quinn-cubic"), "{text}");
}

#[test]
fn products_follow_what_is_set_afterwards() {
    let mut document = Document::from_toml(&with_link("queue = \"1bdp\"")).unwrap();
    document.set("link.0.rate", "30Mbps").unwrap();
    let told = describe(&document.check().unwrap());
    assert!(told.contains(r#""packets":100"#), "{told}");
    document.set("link.0.queue.kind", "codel").unwrap();
    let told = describe(&document.check().unwrap());
    assert!(told.contains(r#""kind":"codel","packets":100"#), "{told}");
}

#[test]
fn a_key_can_be_set_in_a_short_queue() {
    let queue = small(&[("link.0.queue", "8"), ("link.0.queue.packets", "9")]).unwrap();
    assert!(describe(&queue).contains(r#""packets":9"#));
}

#[test]
fn copies_are_numbered_and_staggered() {
    let text = r#"duration = "10s"
[[link]]
between = ["l", "r"]
rate = "10Mbps"
delay = "20ms"
[[link]]
count = 3
between = ["s{i}", "l"]
rate = "100Mbps"
delay = "1ms + 2ms"
[[flow]]
count = 3
name = "up"
from = "s{i}"
to = "r"
start = "0.1s + 0.5s"
tcp = { variant = "reno" }
"#;
    let scenario = Document::from_toml(text).unwrap().check().unwrap();
    let flows: Vec<_> = scenario.flows.iter().map(|f| (f.name.as_str(), f.start.secs())).collect();
    assert_eq!(flows, [("up0", 0.1), ("up1", 0.6), ("up2", 1.1)]);
    let delays: Vec<_> = scenario.links.iter().map(|l| l.directions[0].delay.secs()).collect();
    assert_eq!(delays, [0.02, 0.001, 0.003, 0.005]);
    assert_eq!(scenario.nodes, ["l", "r", "s0", "s1", "s2"]);
    // A flow's `count` can be set, and afterwards a setting of one of the flows that the count makes.
    let mut document = Document::from_toml(text).unwrap();
    document
        .set_all([("flow.0.tcp.variant", "vegas"), ("link.1.count", "2"), ("flow.0.count", "2")])
        .unwrap();
    let told = describe(&document.check().unwrap());
    assert_eq!(
        (told.matches("\"name\":\"up").count(), told.matches("\"variant\":\"vegas\"").count()),
        (2, 1)
    );
}

#[test]
fn a_product_needs_a_flow_over_links() {
    let text = r#"duration = "1s"
[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "1ms"
[[link]]
between = ["b", "c"]
rate = "1Mbps"
delay = "1ms"
queue = "1bdp"
[[flow]]
from = "a"
to = "b"
tcp = { variant = "reno" }
"#;
    let error = Document::from_toml(text).unwrap().check().unwrap_err();
    assert_eq!(error.path, "link.1.queue");
    assert!(error.message.contains("no flow over TCP or a stack crosses this link"));
}

#[test]
fn all_mistakes_are_told_in_the_order_of_lines() {
    let text = SMALL
        .replace("rate = ", "rat = ")
        .replace("\"20ms\"", "20")
        .replace("newreno", "newrno")
        .replace("duration", "sede = 1\nduration");
    let error = Document::from_toml(&text).unwrap().check().unwrap_err();
    let paths: Vec<_> =
        std::iter::once(&error).chain(&error.more).map(|e| (e.path.as_str(), e.line)).collect();
    assert_eq!(
        paths,
        [
            ("sede", Some(1)),
            ("link.0.rat", Some(6)),
            ("link.0.delay", Some(7)),
            ("flow.0.tcp.variant", Some(12))
        ]
    );
    assert!(error.to_string().starts_with("4 mistakes\nsede (line 1): "));
}

#[test]
fn one_mistake_is_told_alone() {
    for (right, wrong) in [
        ("[\"a\", \"b\"]", "[\"a\", \"c\"]"),
        ("rate = \"10Mbps\"\n", ""),
        ("newreno", "x"),
        ("\"b\"]", "3]"),
    ] {
        let error = Document::from_toml(&SMALL.replacen(right, wrong, 1)).unwrap().check().unwrap_err();
        assert!(error.more.is_empty(), "{error}");
    }
}

#[test]
fn products_are_a_key_of_a_queue() {
    let queue = |text: &str| {
        let mut document = Document::from_toml(SMALL).unwrap();
        document.set("link.0.queue", text).unwrap();
        document.set("link.0.queue.kind", "codel").unwrap();
        document.check().map(|scenario| scenario.links[0].directions[0].queue.clone())
    };
    assert_eq!(queue("2bdp").unwrap(), queue("{ kind = \"codel\", bdp = 2 }").unwrap());
    assert_ne!(queue("2bdp").unwrap(), queue("3bdp").unwrap());
    let said = |text: &str| queue(text).unwrap_err().to_string();
    assert!(said("{ kind = \"codel\", bdp = \"2\" }").contains("not a number of bandwidth-delay products"));
    assert!(said("{ kind = \"codel\", bdp = -1 }").contains("allowed: a number above 0"));
    assert!(said("{ kind = \"codel\", bdp = 1, packets = 5 }").contains("a queue has one limit"));
}

/// A queue limit in packets that is set after the file is read replaces the file's limit in bandwidth-delay products,
/// as a sweep needs.
#[test]
fn the_limit_set_last_holds() {
    let set = |settings: &[(&str, &str)]| {
        let mut document = Document::from_toml(SMALL).unwrap();
        document.set_all(settings.iter().copied()).unwrap();
        describe(&document.check().unwrap())
    };
    let (path, packets) = ("link.0.queue.packets", "link.0.queue");
    assert_eq!(set(&[(packets, "2bdp"), (path, "10")]), set(&[(packets, "10")]));
    assert_eq!(set(&[(packets, "10"), ("link.0.queue.bytes", "64KiB")]), set(&[(packets, "64KiB")]));
    assert_eq!(set(&[(packets, "10"), ("link.0.queue.bdp", "2")]), set(&[(packets, "2bdp")]));
}

#[test]
fn mistakes_are_told_by_name() {
    let text = SMALL.replace("[[link]]", "[[link]]\nname = \"bottleneck\"");
    let path = |text: &str| Document::from_toml(text).unwrap().check().unwrap_err().path;
    assert_eq!(path(&text.replace("\"10Mbps\"", "10")), "link.bottleneck.rate");
    // A name with a dot cannot be part of a path, so the error gives the link's index.
    assert_eq!(path(&text.replace("\"bottleneck\"", "\"a.b\"")), "link.0.name");
    let flow = text.replace("[[flow]]", "[[flow]]\nname = \"first\"").replace("newreno", "newrno");
    assert_eq!(path(&flow), "flow.first.tcp.variant");
}

/// Returns a scenario of four nodes on a hub, and flows between them that `ends` states.
fn between_copies(ends: &str) -> String {
    format!(
        r#"duration = "10s"
[[node]]
name = "n{{i}}"
count = 4
[[link]]
between = ["n{{i}}", "hub"]
rate = "10Mbps"
delay = "5ms"
[[flow]]
name = "up{{i}}"
from = "n{{i}}"
{ends}
tcp = {{ variant = "reno" }}
"#
    )
}

#[test]
fn flows_go_to_the_next_copy_in_a_ring_or_in_pairs() {
    for (ends, settings, wanted) in [
        (
            "to = \"n{i+1}\"",
            &[][..],
            &[("up0", "n0", "n1"), ("up1", "n1", "n2"), ("up2", "n2", "n3"), ("up3", "n3", "n0")][..],
        ),
        ("to = \"n{i+1}\"\nstep = 2", &[], &[("up0", "n0", "n1"), ("up2", "n2", "n3")]),
        (
            "to = \"n{i+1}\"",
            &[("flow.0.step", "2"), ("node.0.count", "5")],
            &[("up0", "n0", "n1"), ("up2", "n2", "n3")],
        ),
        ("to = \"n{i+3}\"\ncount = 2", &[], &[("up0", "n0", "n3"), ("up1", "n1", "n0")]),
    ] {
        let mut document = Document::from_toml(&between_copies(ends)).unwrap();
        document.set_all(settings.iter().copied()).unwrap();
        let scenario = document.check().unwrap();
        let node = |at: usize| scenario.nodes[at].as_str();
        let flows: Vec<_> =
            scenario.flows.iter().map(|flow| (flow.name.as_str(), node(flow.from), node(flow.to))).collect();
        assert_eq!(flows, wanted, "{ends}");
    }
}

#[test]
fn a_step_needs_copies() {
    let error = small(&[("flow.0.step", "2")]).unwrap_err();
    assert_eq!(error.path, "flow.0.step");
    let error = Document::from_toml(&between_copies("to = \"n{i+1}\"\nstep = 0")).and_then(|d| d.check());
    assert_eq!(error.unwrap_err().path, "flow.up{i}.step");
}
