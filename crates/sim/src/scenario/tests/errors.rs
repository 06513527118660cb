//! Error messages of scenario files, word for word.

use super::{SMALL, small};
use crate::scenario::Document;

/// Changes of `SMALL` (old text, new text), and the error message of each.
const TEXTS: &[(&str, &str, &str)] = &[
    (
        "newreno",
        "sak+reno",
        r##"flow.0.tcp.variant (line 11): there is no loss recovery "sak"
  given:   "sak+reno"
  allowed: tahoe, reno, newreno, sack, fack, rack
  did you mean `sack+reno`?"##,
    ),
    (
        "\"10Mbps\"",
        "10",
        r##"link.0.rate (line 5): `10` needs a unit: write for example "10Mbps"
  given:   10
  allowed: units: bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s, kb/s, Mb/s, Gb/s, Bps, kBps,
           MBps, GBps, B/s, kB/s, MB/s, GB/s"##,
    ),
    (
        "\"10Mbps\"",
        "\"10mbps\"",
        r##"link.0.rate (line 5): unknown unit `mbps` in `10mbps`
  given:   "10mbps"
  allowed: a rate is written like "10Mbps"
  did you mean `10Mbps`?"##,
    ),
    (
        "\"10Mbps\"",
        "\"-1Mbps\"",
        r##"link.0.rate (line 5): a rate cannot be negative: `-1Mbps`
  given:   "-1Mbps"
  allowed: a rate is written like "10Mbps"; units: bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s,
           kb/s, Mb/s, Gb/s, Bps, kBps, MBps, GBps, B/s, kB/s, MB/s, GB/s"##,
    ),
    (
        "\"10Mbps\"",
        "\"1bps\"",
        r##"link.0.rate (line 5): out of range
  given:   "1bps"
  allowed: a rate from 100bps to 10Tbps"##,
    ),
    (
        "\"20ms\"",
        "20",
        r##"link.0.delay (line 6): `20` needs a unit: write for example "20ms"
  given:   20
  allowed: units: ps, ns, us, µs, ms, s, min, h"##,
    ),
    (
        "rate = \"10Mbps\"\n",
        "",
        r##"link.0.rate (line 3): `rate` is missing
  allowed: a rate: rate = "10Mbps""##,
    ),
    (
        "rate =",
        "rat =",
        r##"link.0.rat (line 5): there is no key `rat` here
  given:   "10Mbps"
  allowed: name, between, rate, count, step, delay, framing, queue, loss, jitter, reorder, duplicate, reverse
  did you mean `rate`?"##,
    ),
    (
        "duration = \"10s\"\n",
        "",
        r##"duration: `duration` is missing
  allowed: the length of the run: duration = "60s""##,
    ),
    (
        "duration = \"10s\"",
        "duration = \"0s\"",
        r##"duration (line 1): duration must be more than 0 s and at most 100 days
  given:   "0s"
  allowed: a time, like "60s""##,
    ),
    (
        "duration = \"10s\"",
        "duration = \"10s\"\nsede = 3",
        r##"sede (line 2): there is no key `sede` here
  given:   3
  allowed: duration, seed, allow, node, link, wifi, lte, flow, event, control
  did you mean `seed`?"##,
    ),
    (
        "duration = \"10s\"",
        "duration = \"10s\"\nseed = -3",
        r##"seed (line 2): number `-3` does not belong here
  given:   -3
  allowed: a whole number, 0 or more"##,
    ),
    (
        "duration = \"10s\"",
        "duration = \"10s",
        r##"not TOML at line 1, column 16: invalid basic string, expected `"`
  given:   duration = "10s"##,
    ),
    (
        "[[link]]",
        "[link]",
        r##"link (line 3): `link` is a list of tables
  given:   { between = ["a", "b"], rate = "10Mbps", delay = "20ms" }
  allowed: [[link]] before each, in double brackets"##,
    ),
    (
        "between = [\"a\", \"b\"]",
        "between = [\"a\"]",
        r##"link.0.between (line 4): a link joins two nodes, not 1
  given:   ["a"]
  allowed: between = ["a", "b"]"##,
    ),
    (
        "between = [\"a\", \"b\"]",
        "between = [\"a\", \"b c\"]",
        r##"link.0.between.1 (line 4): not a name
  given:   "b c"
  allowed: 1 to 64 characters, no spaces, quotes, `>` or `,`; not `=`, `+`, `-` or `@` first"##,
    ),
    (
        "to = \"b\"",
        "to = \"bb\"",
        r##"flow.0.to (line 10): no link joins a node "bb"
  given:   "bb"
  allowed: a, b
  did you mean `b`?"##,
    ),
    (
        "to = \"b\"",
        "to = \"a\"",
        r##"flow.0.to (line 10): a flow from "a" to itself
  given:   "a"
  allowed: another node"##,
    ),
    (
        "[[link]]\nbetween = [\"a\", \"b\"]\nrate = \"10Mbps\"\ndelay = \"20ms\"\n",
        "",
        r##"link: there are no links and no radio networks
  allowed: [[link]] between = ["a", "b"], rate = "10Mbps", delay = "20ms"; or [[wifi]], [[lte]]"##,
    ),
    (
        "[[flow]]",
        "[[link]]\nbetween = [\"b\", \"a\"]\nrate = \"1Mbps\"\ndelay = \"0s\"\n[[flow]]",
        r##"link.1.between (line 9): link 0 joins "b" and "a" already
  given:   ["b", "a"]
  allowed: one link between two nodes: put a node of its own on a second path"##,
    ),
    (
        "[[link]]",
        "[[node]]\nname = \"r0\"\n[[link]]",
        r##"node.r0.name (line 4): no link joins node "r0"
  given:   "r0"
  allowed: a, b"##,
    ),
    (
        "[[link]]",
        "[[node]]\nname = \"a\"\n[[node]]\nname = \"a\"\n[[link]]",
        r##"node.1.name (line 6): node "a" has a table already
  given:   "a""##,
    ),
    (
        "[[link]]",
        "[[node]]\nname = \"a\"\ngateway = { kind = \"intelligent\" }\n[[link]]",
        r##"node.a.gateway (line 5): a gateway stands between two networks: "a" is in one only
  given:   { kind = "intelligent" }
  allowed: a node with two links or radio networks, or more"##,
    ),
];

/// Settings of `SMALL` (path, value), and the error message of each.
const SETTINGS: &[(&[(&str, &str)], &str)] = &[
    (
        &[("link.2.rate", "1Mbps")],
        r##"link: `link` has no item 2
  given:   link.2.rate=1Mbps
  allowed: it has 1 item, number 0"##,
    ),
    (
        &[("link.0.queue", "{ kind = \"dropail\" }")],
        r##"link.0.queue.kind: there is no queue "dropail"
  given:   "dropail"
  allowed: "droptail", "head-drop", "red", "codel", "fq-codel", "pie", "token-bucket", "tx-ring", "priority"
  did you mean `droptail`?"##,
    ),
    (
        &[("link.0.queue", "{ packets = 5 }")],
        r##"link.0.queue.kind: `kind` is missing
  allowed: "droptail", "head-drop", "red", "codel", "fq-codel", "pie", "token-bucket", "tx-ring", "priority""##,
    ),
    (
        &[("link.0.queue", "dropail")],
        r##"link.0.queue.kind: there is no queue "dropail"
  given:   "dropail"
  allowed: "droptail", "head-drop", "red", "codel", "fq-codel", "pie", "token-bucket", "tx-ring", "priority"
  did you mean `droptail`?"##,
    ),
    (
        &[("link.0.queue", "{ kind = \"droptail\", packets = 0 }")],
        r##"link.0.queue.packets: a queue without room passes nothing: the packet in transmission takes a place too
  given:   0
  allowed: at least 1"##,
    ),
    (
        &[("link.0.queue", "{ kind = \"droptail\", packets = \"5\" }")],
        r##"link.0.queue.packets: string "5" does not belong here
  given:   "5"
  allowed: a whole number, 0 or more, without quotes"##,
    ),
    (
        &[("link.0.queue", "{ kind = \"droptail\", packets = 5, bytes = \"1kB\" }")],
        r##"link.0.queue: a queue has one limit, and this gives several
  given:   { kind = "droptail", packets = 5, bytes = "1kB" }
  allowed: packets = 50, bytes = "64KiB", bdp = 1, or unlimited = true"##,
    ),
    (
        &[("link.0.queue", "{ kind = \"droptail\", packet = 5 }")],
        r##"link.0.queue.packet: there is no key `packet` here
  given:   5
  allowed: packets, bytes, bdp, unlimited
  did you mean `packets`?"##,
    ),
    (
        &[("link.0.loss", "{ kind = \"random\", rate = 1.5 }")],
        r##"link.0.loss.rate: 1.5 is not a probability
  given:   1.5
  allowed: a probability from 0 to 1, like 0.01"##,
    ),
    (
        &[("link.0.loss", "{ kind = \"random\", rate = \"1%\" }")],
        r##"link.0.loss.rate: a probability is a bare number, not a percentage: write 0.01
  given:   "1%"
  allowed: a probability from 0 to 1, like 0.01"##,
    ),
    (
        &[("link.0.loss", "[{ kind = \"random\", rate = 0.1 }, { kind = \"random\", rate = \"x\" }]")],
        r##"link.0.loss.1.rate: "x" does not belong here
  given:   "x"
  allowed: a probability from 0 to 1, like 0.01"##,
    ),
    (
        &[("link.0.loss", "{ kind = \"random\", rate = 0.1, at = \"wier\" }")],
        r##"link.0.loss.at: "wier" is not a choice here
  given:   "wier"
  allowed: "entry", "wire"
  did you mean `wire`?"##,
    ),
    (
        &[("link.0.loss", "{ kind = \"list\", packets = [1, -2] }")],
        r##"link.0.loss.packets.1: number `-2` does not belong here
  given:   -2
  allowed: a whole number, 0 or more"##,
    ),
    (
        &[("link.0.loss", "{ kind = \"list\", packets = [1], flow = 3 }")],
        r##"link.0.loss.flow: there is no flow 3
  given:   3
  allowed: 0 to 0 (1 in all)"##,
    ),
    (
        &[("flow.0.start", "10s")],
        r##"flow.0.start: nothing happens at or after the end of the run, duration = "10s"
  given:   "10s"
  allowed: a time before the end"##,
    ),
    (
        &[("flow.0.start", "5s"), ("flow.0.stop", "4s")],
        r##"flow.0.stop: the flow stops no later than it starts
  given:   "4s"
  allowed: a time after 5 s"##,
    ),
    (
        &[("flow.0.traffic", "{ kind = \"cbr\", rate = \"1Mbps\", packet = \"1000B\" }")],
        r##"flow.0.tcp (line 11): this traffic runs over UDP: it has no TCP
  given:   { variant = "newreno" }
  allowed: no `tcp`, or transport = "tcp" in its traffic, or traffic = { kind = "ftp" }"##,
    ),
    (
        &[(
            "flow.0.traffic",
            "{ kind = \"cbr\", rate = \"1Mbps\", packet = \"1000B\", transport = \"tcp\", ecn = true }",
        )],
        r##"flow.0.traffic.ecn: this traffic runs over TCP, whose `tcp` says it
  given:   true
  allowed: tcp = { ecn = ... }"##,
    ),
    (
        &[(
            "flow.0.traffic",
            "{ kind = \"cbr\", rate = \"1Mbps\", packet = \"1000B\", transport = \"sctp\" }",
        )],
        r##"flow.0.traffic.transport: "sctp" is not a choice here
  given:   "sctp"
  allowed: "udp", "tcp""##,
    ),
    (
        &[("flow.0.traffic", "{ kind = \"voice\" }")],
        r##"flow.0.traffic.kind: there is no traffic "voice"
  given:   "voice"
  allowed: "ftp", "cbr", "on-off", "video", "sessions""##,
    ),
    (
        &[("flow.0.traffic", "{ kind = \"video\", transport = \"tcp\", gop = \"PBB\" }")],
        r##"flow.0.traffic.gop: a group of pictures begins with an I
  given:   "PBB"
  allowed: letters I, P and B, an I first, like "IPBBPBBPBB""##,
    ),
    (
        &[("flow.0.traffic", "{ kind = \"video\", transport = \"tcp\", frames = \"I10/1@0\", fps = 25 }")],
        r##"flow.0.traffic.fps: a trace says when its frames go and how large they are
  given:   25
  allowed: no `fps`, or no trace"##,
    ),
    (
        &[("flow.0.traffic", "{ kind = \"ftp\", size = 5 }")],
        r##"flow.0.traffic.size: `5` needs a unit: write for example "5B"
  given:   5
  allowed: units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"##,
    ),
    (
        &[("flow.0.tcp.min_rto", "100s")],
        r##"flow.0.tcp.min_rto: min_rto (100s) exceeds max_rto (60s, from profile rfc)
  given:   "100s"
  allowed: min_rto and initial_rto up to max_rto"##,
    ),
    (
        &[("flow.0.tcp.max_rto", "100ms")],
        r##"flow.0.tcp.max_rto: min_rto (1s, from profile rfc) exceeds max_rto (100ms)
  given:   "100ms"
  allowed: min_rto and initial_rto up to max_rto"##,
    ),
    (
        &[("flow.0.tcp.segment", "70kB")],
        r##"flow.0.tcp.segment: 70000 B is out of range
  given:   "70kB"
  allowed: "1B" to "65535B""##,
    ),
    (
        &[("flow.0.tcp.segment", "1000")],
        r##"flow.0.tcp.segment: `1000` needs a unit: write for example "1000B"
  given:   1000
  allowed: units: B, kB, MB, GB, TB, KiB, MiB, GiB, TiB"##,
    ),
    (
        &[("flow.0.tcp.max_window", "0")],
        r##"flow.0.tcp.max_window: a window is at least 1 segment and at most 1000000
  given:   0
  allowed: segments (20), a size ("64KiB"), or "unlimited""##,
    ),
    (
        &[("flow.0.tcp.max_window", "unlimitd")],
        r##"flow.0.tcp.max_window: "unlimitd" is not a window
  given:   "unlimitd"
  allowed: segments (20), a size ("64KiB"), or "unlimited"
  did you mean `unlimited`?"##,
    ),
    (
        &[("flow.0.tcp.max_window", "1000B")],
        r##"flow.0.tcp.max_window: 1000 B are less than one segment of 1460 B
  given:   "1000B"
  allowed: room for at least one segment"##,
    ),
    (
        &[("flow.0.tcp.initial_window", "unlimited")],
        r##"flow.0.tcp.initial_window: initial_window has a limit
  given:   "unlimited"
  allowed: segments (10) or a size ("14600B")"##,
    ),
    (
        &[("flow.0.tcp.initial_ssthresh", "maxwindow")],
        r##"flow.0.tcp.initial_ssthresh: "maxwindow" is not a window
  given:   "maxwindow"
  allowed: segments (20), a size ("64KiB"), "max_window", or "unlimited"
  did you mean `max_window`?"##,
    ),
    (
        &[("flow.0.tcp.syn", "3")],
        r##"flow.0.tcp.syn: 3 is not a choice here
  given:   3
  allowed: "handshake", "packet", "none""##,
    ),
    (
        &[("flow.0.tcp.timestamps", "\"on\"")],
        r##"flow.0.tcp.timestamps: string "on" does not belong here
  given:   "on"
  allowed: true or false"##,
    ),
    (
        &[("flow.0.tcp.control", "{ decrese = 0.5 }")],
        r##"flow.0.tcp.control.decrese: congestion control reno has no parameter `decrese`
  given:   0.5
  allowed: increase, decrease
  did you mean `decrease`?"##,
    ),
    (
        &[("flow.0.tcp.control", "{ decrease = 2 }")],
        r##"flow.0.tcp.control.decrease: 2 is out of range
  given:   2
  allowed: 0 to 1"##,
    ),
    (
        &[("flow.0.tcp.control", "{ decrease = \"a\" }")],
        r##"flow.0.tcp.control.decrease: string "a" does not belong here
  given:   "a"
  allowed: a number, without quotes"##,
    ),
    (
        &[("flow.0.tcp.variant", "tcpw-i"), ("flow.0.tcp.control", "{ rttc = \"rond\" }")],
        r##"flow.0.tcp.control.rttc: "rond" is not a choice here
  given:   "rond"
  allowed: "cumulative", "round", "smoothed"
  did you mean `round`?"##,
    ),
    (
        &[("flow.0.tcp.variant", "tcpw-i"), ("flow.0.tcp.control", "{ rttc = 1 }")],
        r##"flow.0.tcp.control.rttc: 1 is not a choice here
  given:   1
  allowed: "cumulative", "round", "smoothed""##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"link.4.rate\", to = \"1Mbps\" }]")],
        r##"event.0.set: there is no link 4
  given:   "link.4.rate"
  allowed: 0 to 0 (1 in all)"##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"link.0.rat\", to = \"1Mbps\" }]")],
        r##"event.0.set: `rat` of a link cannot change while the scenario runs
  given:   "link.0.rat"
  allowed: rate, delay, queue, loss, up
  did you mean `rate`?"##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"link.0.forwards.rate\", to = \"1Mbps\" }]")],
        r##"event.0.set: a link has no direction `forwards`
  given:   "link.0.forwards.rate"
  allowed: forward, reverse
  did you mean `forward`?"##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"flow.0.start\", to = \"1s\" }]")],
        r##"event.0.set: `flow.0.start` cannot change while the scenario runs
  given:   "flow.0.start"
  allowed: link.N.rate, .delay, .queue, .loss, .up, or of one direction: link.N.forward.rate,
           link.N.reverse.rate, ...; node.NAME.gateway.up"##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"link.0.rate\", to = 5 }]")],
        r##"event.0.to: `5` needs a unit: write for example "5Mbps"
  given:   5
  allowed: units: bps, kbps, Mbps, Gbps, Tbps, bit/s, kbit/s, Mbit/s, Gbit/s, kb/s, Mb/s, Gb/s, Bps, kBps,
           MBps, GBps, B/s, kB/s, MB/s, GB/s"##,
    ),
    (
        &[("event", "[{ at = \"1s\", set = \"link.0.up\", to = \"no\" }]")],
        r##"event.0.to: string "no" does not belong here
  given:   "no"
  allowed: true or false"##,
    ),
    (
        &[("event", "[{ at = \"11s\", set = \"link.0.up\", to = false }]")],
        r##"event.0.at: nothing happens at or after the end of the run, duration = "10s"
  given:   "11s"
  allowed: a time before the end"##,
    ),
];

#[test]
fn of_texts() {
    for (from, to, said) in TEXTS {
        assert!(SMALL.contains(from), "{from}");
        let text = SMALL.replacen(from, to, 1);
        let error = Document::from_toml(&text).and_then(|d| d.check()).expect_err(to);
        assert_eq!(error.to_string(), *said, "{from} -> {to}");
    }
}

/// The message for an unknown variant names the nearest ones. The test holds no list of variants, so that a new control needs no change here.
#[test]
fn of_a_variant() {
    let said = |variant: &str| {
        let document = Document::from_toml(&SMALL.replacen("newreno", variant, 1));
        document.and_then(|d| d.check()).expect_err("no such variant").to_string()
    };
    let text = said("sack+vegs");
    assert!(text.starts_with("flow.0.tcp.variant (line 11): there is no congestion control \"vegs\"\n"));
    assert!(text.contains("\n  allowed: reno, vegas") && text.ends_with("\n  did you mean `sack+vegas`?"));
    let text = said("vegsa");
    assert!(text.starts_with("flow.0.tcp.variant (line 11): there is no TCP variant \"vegsa\"\n"), "{text}");
    assert!(text.ends_with("\n  did you mean `vegas`?"), "{text}");
    // For a misspelt variant of a QUIC stack the message suggests the nearest name of that stack.
    for slip in ["quin-cubic", "qiunn-cubic", "quinn-cubik", "Quinncubic"] {
        let text = said(slip);
        assert!(
            text.starts_with("flow.0.quic.variant (line 11): ") && text.ends_with("`quinn-cubic`?"),
            "{text}"
        );
    }
    for v in crate::scenario::variants().iter().filter(|v| !v.linux) {
        assert!(text.contains(v.name), "{text}");
    }
    assert!(text.lines().count() < 12, "{text}");
    let error = Document::from_toml(&SMALL.replacen("newreno", "sack+vegs", 1)).and_then(|d| d.check());
    let text = error.expect_err("no such control").to_string();
    let said =
        "flow.0.tcp.variant (line 11): there is no congestion control \"vegs\"\n  given:   \"sack+vegs\"\n";
    assert!(text.starts_with(said) && text.ends_with("\n  did you mean `sack+vegas`?"), "{text}");
}

/// The message for an unknown TCP parameter suggests the nearest name or, if none is near, the few most similar ones.
#[test]
fn of_a_parameter() {
    let text = small(&[("flow.0.tcp.mni_rto", "1s")]).expect_err("no such parameter").to_string();
    assert!(
        text.starts_with("flow.0.tcp.mni_rto: there is no key `mni_rto` here\n  given:   \"1s\"\n"),
        "{text}"
    );
    assert!(text.ends_with("\n  did you mean `min_rto`?"), "{text}");
    assert!(!text.contains("allowed"), "{text}");

    let text = small(&[("flow.0.tcp.rto_at_least", "1s")]).expect_err("no such parameter").to_string();
    assert!(!text.contains("did you mean"), "{text}");
    let allowed = text.split_once("allowed: ").expect("a list").1;
    let names = settings::table::names::<tcp::Table>();
    let said = allowed.split([',', ' ', '\n']).filter(|word| names.contains(word)).count();
    assert!(allowed.contains(&format!("and {} more", names.len() - said)), "{text}");
    assert!(text.lines().count() < 7, "{text}");
}

#[test]
fn of_settings() {
    for (settings, said) in SETTINGS {
        let error = small(settings).expect_err(said);
        assert_eq!(error.to_string(), *said, "{settings:?}");
    }
}

/// Error messages fit on one screen, even about texts of 10 000 characters.
#[test]
fn on_one_screen() {
    let long = "x".repeat(10_000);
    for (path, value) in
        [("flow.0.to", long.as_str()), ("flow.0.tcp.variant", &long), (&long, "1"), ("link.0.rate", &long)]
    {
        let said = small(&[(path, value)]).expect_err("no error").to_string();
        assert!(said.lines().count() < 12 && said.lines().all(|l| l.chars().count() < 400), "{said}");
    }
}

#[test]
fn of_json() {
    let error = Document::from_json("{\"duration\": }").unwrap_err();
    assert_eq!(error.to_string(), "not JSON at line 1, column 14: expected value");
    assert_eq!(error.line, Some(1));
    assert_eq!(Document::from_json("[1]").unwrap_err().to_string(), "a scenario is a table\n  given:   [1]");
}
