//! Queue disciplines, losses, impairments and rate traces in whole runs: figures compared with those of their
//! sources.

use crate::build;
use crate::run::{RunOptions, run, simulate};
use crate::scenario::Document;
use base::{Duration, Instant};
use engine::Control;
use metrics::{Column, Ledger, Observe};
use serde_json::Value;

/// A bottleneck of 10 Mb/s with 40 ms of round-trip propagation delay, behind a faster link.
const PATH: &str = r#"
duration = "30s"

[[link]]
between = ["a", "r"]
rate = "100Mbps"
delay = "2ms"

[[link]]
between = ["r", "b"]
rate = "10Mbps"
delay = "18ms"
"#;

/// An endless TCP transfer; the receive buffer holds 200 segments.
const TRANSFER: &str = "
[[flow]]
from = \"a\"
to = \"b\"
tcp = { variant = \"sack\", receive_window = 200 }
";

/// Datagrams of 64 kb/s, as telephone speech sends them.
const SPEECH: &str = "
[[flow]]
from = \"a\"
to = \"b\"
class = 0
traffic = { kind = \"cbr\", rate = \"64kbps\", packet = \"160B\" }
";

/// Datagrams at twice the bottleneck's rate.
const FLOOD: &str = "
[[flow]]
from = \"a\"
to = \"b\"
traffic = { kind = \"cbr\", rate = \"20Mbps\", packet = \"1000B\" }
";

/// Returns `PATH` with these flows and settings.
fn document(flows: &[&str], settings: &[(&str, &str)]) -> Document {
    let mut document = Document::from_toml(&[&[PATH], flows].concat().concat()).expect("TOML");
    settings.iter().for_each(|(path, value)| document.set(path, value).expect("settable"));
    document
}

fn summary(document: &Document) -> Value {
    let results = run(document, &RunOptions::default(), &Control::default());
    serde_json::from_str(&results.unwrap_or_else(|e| panic!("{e}")).summary()).expect("JSON")
}

fn results(flows: &[&str], settings: &[(&str, &str)]) -> Value {
    summary(&document(flows, settings))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Returns the bottleneck's mean queueing delay, ms.
fn delay(results: &Value) -> f64 {
    1e3 * number(&results["links"][2]["queue_delay_mean_s"])
}

fn used(results: &Value) -> f64 {
    number(&results["links"][2]["utilisation"])
}

fn goodput(results: &Value, flow: usize) -> f64 {
    number(&results["flows"][flow]["goodput_bps"]) / 1e6
}

/// Four transfers through a large queue. They fill a drop-tail queue; the other disciplines hold the delay at their
/// target, which is tested for several targets.
#[test]
fn targets_are_held() {
    let four = [TRANSFER; 4];
    let with = |queue: &str| results(&four, &[("link.1.queue", queue)]);
    let full = with("{ kind = \"droptail\" }");
    assert!(delay(&full) > 800.0, "{}", delay(&full));
    // Measured delays: CoDel 7.6, 11.8, 21.2, 37.8 ms; FQ-CoDel 7.4 ms; PIE 14.4, 18.1, 23.5, 43.5 ms, including its
    // first second.
    for (queue, targets) in
        [("codel", &[5.0, 10.0, 20.0, 40.0][..]), ("pie", &[10.0, 15.0, 20.0, 40.0]), ("fq-codel", &[5.0])]
    {
        for target in targets {
            let held = with(&format!("{{ kind = \"{queue}\", target = \"{target}ms\" }}"));
            assert!((delay(&held) - target).abs() < 5.0, "{queue}: {} ms, not {target}", delay(&held));
            assert!(used(&held) > 0.88, "{queue} at {target} ms: {}", used(&held));
        }
    }
}

/// With one transfer alone the measured delay is 2.2 ms with CoDel, below its target, and 16 ms with PIE,
/// near its target.
#[test]
fn one_flow_stands_no_longer_than_the_target() {
    let with = |queue: &str| results(&[TRANSFER], &[("link.1.queue", queue)]);
    for queue in ["{ kind = \"codel\" }", "{ kind = \"fq-codel\" }"] {
        let held = with(queue);
        assert!((1.0..5.0).contains(&delay(&held)) && used(&held) > 0.8, "{queue}: {} ms", delay(&held));
    }
    let pie = with("{ kind = \"pie\" }");
    assert!((delay(&pie) - 15.0).abs() < 3.0 && used(&pie) > 0.9, "{} ms", delay(&pie));
}

/// Two transfers, speech, and a flood of twice the capacity. With FQ-CoDel each transfer gets nearly a third of the
/// capacity and speech finds an empty queue. In a single queue the flood takes nearly all.
#[test]
fn flow_queues_isolate() {
    let flows = [TRANSFER, TRANSFER, FLOOD, SPEECH];
    let fq = results(&flows, &[("link.1.queue", "{ kind = \"fq-codel\" }")]);
    let shares = [goodput(&fq, 0), goodput(&fq, 1)];
    assert!((shares[0] / shares[1] - 1.0).abs() < 0.02 && shares[0] > 2.7, "{shares:?}");
    // 20 ms of propagation, and the transmission of at most two packets of other flows.
    let speech = number(&fq["flows"][3]["delay_max_s"]);
    assert!(speech < 0.024 && fq["flows"][3]["lost_packets_total"] == 0, "{speech}");
    let one = results(&flows, &[("link.1.queue", "{ kind = \"codel\" }")]);
    assert!(goodput(&one, 0) < 0.2 && goodput(&one, 2) > 9.0);
}

#[test]
fn the_first_band_sees_no_second() {
    let bands = "{ kind = \"priority\", bands = [{ kind = \"droptail\", packets = 10 }, { kind = \"droptail\", packets = 50 }] }";
    let with = results(&[FLOOD, SPEECH], &[("link.1.queue", bands)]);
    let (flood, speech) = (&with["flows"][0], &with["flows"][1]);
    // 20 ms of propagation, two transmissions of its own 188 bytes, and at most one packet of the flood (0.82 ms)
    // before it.
    assert!(number(&speech["delay_max_s"]) < 0.0211 && speech["lost_packets_total"] == 0, "{speech}");
    assert!(number(&flood["delay_mean_s"]) > 0.055, "{flood}");
    // In the same class as the flood, speech waits behind it.
    let same = results(&[FLOOD, SPEECH], &[("link.1.queue", bands), ("flow.1.class", "7")]);
    assert!(number(&same["flows"][1]["delay_mean_s"]) > 0.055);
}

#[test]
fn a_token_bucket_shapes() {
    let bucket =
        "{ kind = \"token-bucket\", rate = \"5Mbps\", burst = \"15kB\", queue = { kind = \"codel\" } }";
    let shaped = results(&[FLOOD], &[("link.1.queue", bucket)]);
    // 5 Mb/s for 30 s plus the burst, minus the bytes in transmission at the end.
    let sent = number(&shaped["links"][2]["sent_bytes"]);
    assert!((sent - (18_750_000.0 + 15_000.0)).abs() < 2100.0, "{sent}");
}

/// RED compared with ns-2.35's: 100 s of 16 and of 4 SACK flows into 8 Mb/s (min 5, max 15, weight 0.002, max_p 0.1, gentle;
/// ns-2 with `wait_ false`, three seeds). In ns-2 the queue averages 9.41 packets and 6.84 % are lost with 16 flows, 6.32 packets
/// and 1.33 % with 4 flows. With 16 flows both agree. With 4 flows we lose 1.7 % and use 86 % of the link, ns-2 95 %. The
/// reason: ns-2's RED never drops an arrival that finds fewer than two packets queued, which the paper does not say, and with
/// few flows the queue is often that short.
#[test]
fn red_is_ns2s() {
    let flow = |i: u32| {
        format!(
            "[[flow]]\nfrom = \"a\"\nto = \"b\"\nstart = \"{}ms\"\n\
             tcp = {{ variant = \"sack\", profile = \"ns2\", segment = \"960B\", max_window = 1000 }}\n",
            100 * i
        )
    };
    let run = |n: u32| {
        let flows: String = (0..n).map(flow).collect();
        let settings = [
            ("duration", "100s"),
            ("link.1.rate", "8Mbps"),
            ("link.1.queue", "{ kind = \"red\", min = 5, max = 15 }"),
            ("link.1.reverse", "{ queue = { kind = \"droptail\" } }"),
        ];
        let results = results(&[&flows], &settings);
        let link = &results["links"][2];
        let (sent, lost) = (number(&link["sent_packets"]), number(&link["lost_aqm_packets"]));
        (number(&link["queue_mean_packets"]) - used(&results), 100.0 * lost / (sent + lost))
    };
    let (waiting, lost) = run(16);
    assert!((waiting / 9.41 - 1.0).abs() < 0.06, "{waiting}");
    assert!((lost / 6.84 - 1.0).abs() < 0.06, "{lost} %");
    let (waiting, lost) = run(4);
    assert!((waiting / 6.32 - 1.0).abs() < 0.12, "{waiting}");
    assert!((1.33..2.0).contains(&lost), "{lost} %");
}

/// DCTCP with step marking (RFC 8257, section 3.1): two flows at 1 Gb/s keep the link busy and the queue at the
/// threshold. Measured: 19.4 packets at a threshold of 20, 63.4 at 65, and no loss.
#[test]
fn dctcp_stands_at_the_threshold() {
    let flow = "\n[[flow]]\nfrom = \"a\"\nto = \"b\"\ntcp = { variant = \"dctcp\" }\n";
    for k in [20.0, 65.0] {
        let queue = format!(
            "{{ kind = \"red\", min = {k}, max = {k}, weight = 1, gentle = false, drop_above = false }}"
        );
        let settings = [
            ("duration", "2s"),
            ("link.0.rate", "10Gbps"),
            ("link.0.delay", "10us"),
            ("link.1.rate", "1Gbps"),
            ("link.1.delay", "40us"),
            ("link.1.queue", &queue),
        ];
        let results = results(&[flow; 2], &settings);
        let link = &results["links"][2];
        let queued = number(&link["queue_mean_packets"]);
        assert!((queued - k).abs() < 0.05 * k, "{queued} packets at {k}");
        assert!(link["lost_aqm_packets"] == 0 && used(&results) > 0.999, "{link}");
    }
}

/// Queues mark most ECN-capable datagrams that they would otherwise drop. Without ECN in the datagrams or in
/// the queue, nothing is marked and more is dropped.
#[test]
fn marks_take_the_place_of_drops() {
    let load = "\n[[flow]]\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"cbr\", rate = \"9.72Mbps\", packet = \"972B\", spacing = \"exponential\" }\n";
    for queue in ["red", "codel", "fq-codel", "pie"] {
        let kind = format!("{{ kind = \"{queue}\" }}");
        let settings = [("link.1.queue", kind.as_str()), ("flow.0.traffic.ecn", "true")];
        let marked = results(&[load], &settings);
        let (link, flow) = (&marked["links"][2], &marked["flows"][0]);
        assert!(number(&link["marked_packets"]) > 0.0, "{queue} marks nothing");
        assert_eq!(link["marked_packets"], flow["marked_packets"], "{queue}");
        let dropped = results(&[load], &settings[..1]);
        let (lost, less) =
            (number(&dropped["links"][2]["lost_aqm_packets"]), number(&link["lost_aqm_packets"]));
        assert_eq!(dropped["links"][2]["marked_packets"], 0);
        assert!(lost > 0.0 && less < lost, "{queue}: {less} lost with ECN, {lost} without");
        let refused = results(&[load], &[settings[0], settings[1], ("link.1.queue.ecn", "false")]);
        assert_eq!(
            (&refused["links"][2]["marked_packets"], number(&refused["links"][2]["lost_aqm_packets"])),
            (&Value::from(0), lost)
        );
    }
}

#[test]
fn loss_models_in_a_run() {
    let datagrams = "\n[[flow]]\nfrom = \"a\"\nto = \"b\"\ntraffic = { kind = \"cbr\", rate = \"8Mbps\", packet = \"100B\" }\n";
    // Of 300 000 packets 0.002 / (0.002 + 0.25) = 0.79 % are lost.
    let bursts = "{ kind = \"gilbert-elliott\", p = 0.002, r = 0.25, toward = \"b\", at = \"entry\" }";
    let lost = number(
        &results(&[datagrams], &[("link.1.loss", bursts)])["links"][2]["lost_gilbert_elliott_packets"],
    );
    assert!((lost / 300_000.0 - 0.0079).abs() < 0.0006, "{lost}");
    let every = "{ kind = \"periodic\", every = 1000, offset = 0, toward = \"b\", at = \"entry\" }";
    assert_eq!(results(&[datagrams], &[("link.1.loss", every)])["links"][2]["lost_periodic_packets"], 300);
    let trace = "{ kind = \"trace\", lost = [0, 7], length = 3000, toward = \"b\", at = \"entry\" }";
    assert_eq!(results(&[datagrams], &[("link.1.loss", trace)])["links"][2]["lost_trace_packets"], 200);
}

/// One delivery opportunity of 1500 bytes per millisecond is 12 Mb/s.
#[test]
fn a_trace_of_one_rate_is_that_rate() {
    let with = |rate: &str| results(&[FLOOD], &[("link.1.rate", rate)]);
    let (trace, constant) = (with("{ gaps = \"1\" }"), with("12Mbps"));
    // 1500 is no multiple of 1028 bytes: packets span several opportunities, and no byte of an opportunity is unused.
    assert!((goodput(&trace, 0) / goodput(&constant, 0) - 1.0).abs() < 1e-3);
    assert!(used(&trace) > 0.999 && used(&trace) <= 1.0, "{}", used(&trace));
    // 100 opportunities at once every 50 ms are 24 Mb/s on average. The flood of 2500 packets of 1028 bytes a second
    // fits, so that only packets that wait for the first opportunity after the run are missing: at most those of 50 ms.
    let bursts = with("{ gaps = \"50 0x99 50 0x99\" }");
    let sent = number(&bursts["links"][2]["sent_bytes"]);
    assert!((29.95..=30.0).contains(&(sent / (2500.0 * 1028.0))), "{}", bursts["links"][2]);
    let slow = results(&[SPEECH], &[("link.1.rate", "{ gaps = \"100\" }")]);
    // Speech sends 5 packets of 188 bytes in 100 ms; all leave at the next opportunity.
    let delay = number(&slow["flows"][0]["delay_mean_s"]);
    assert!((delay - 0.07).abs() < 0.011, "{delay}");
}

#[test]
fn goodput_of_datagrams_counts_each_byte_once() {
    let plain = results(&[SPEECH], &[]);
    let copies = "{ rate = 0.2, toward = \"b\" }";
    let settings = [
        ("link.1.duplicate", copies),
        ("link.1.jitter", "{ kind = \"uniform\", max = \"30ms\", toward = \"b\" }"),
    ];
    let doubled = results(&[SPEECH], &settings);
    let [plain, doubled] = [&plain["flows"][0], &doubled["flows"][0]];
    let twice = number(&doubled["duplicated_packets"]);
    assert!((twice / number(&doubled["sent_packets"]) - 0.2).abs() < 0.03, "{twice}");
    for once in ["acked_bytes", "delivered_bytes", "goodput_bps"] {
        let ratio = number(&doubled[once]) / number(&plain[once]);
        assert!((0.99..=1.0).contains(&ratio), "{once}: {ratio}");
    }
    assert!(number(&doubled["received_packets"]) > 1.15 * number(&plain["received_packets"]));
}

#[test]
fn wires_that_impair() {
    let duplicated = results(&[TRANSFER], &[("link.1.duplicate", "{ rate = 0.02, toward = \"b\" }")]);
    let flow = &duplicated["flows"][0];
    let (sent, twice) = (number(&flow["sent_packets"]), number(&flow["duplicated_packets"]));
    assert!(
        (twice / sent - 0.02).abs() < 0.003
            && flow["duplicated_packets"] == duplicated["links"][2]["duplicated_packets"]
    );
    assert_eq!(
        number(&flow["received_packets"])
            + number(&flow["lost_packets_total"])
            + number(&flow["in_flight_packets"]),
        sent + twice
    );
    // A delay of 10 ms lets about ten packets overtake. The sender counts three duplicate acknowledgments and
    // takes the delayed packet for lost.
    let reordered =
        results(&[TRANSFER], &[("link.1.reorder", "{ rate = 0.002, delay = \"10ms\", toward = \"b\" }")]);
    let flow = &reordered["flows"][0];
    assert!(number(&flow["fast_retransmits"]) > 5.0 && flow["lost_packets_total"] == 0, "{flow}");
    let jitter =
        |keep: &str| format!("{{ kind = \"uniform\", max = \"10ms\", keep_order = {keep}, toward = \"b\" }}");
    let kept = results(&[TRANSFER], &[("link.1.jitter", &jitter("true"))]);
    assert_eq!(kept["flows"][0]["fast_retransmits"], 0);
    let mixed = results(&[TRANSFER], &[("link.1.jitter", &jitter("false"))]);
    assert!(number(&mixed["flows"][0]["fast_retransmits"]) > 0.0);
    // Jitter adds 5 ms to the mean delay of speech.
    let speech = results(&[SPEECH], &[("link.1.jitter", &jitter("false"))]);
    let plain = results(&[SPEECH], &[]);
    let more = number(&speech["flows"][0]["delay_mean_s"]) - number(&plain["flows"][0]["delay_mean_s"]);
    assert!((more - 0.005).abs() < 0.0003, "{more}");
}

/// Replacing a full drop-tail queue by CoDel during the run reduces the mean delay.
#[test]
fn a_queue_changes_while_it_runs() {
    let event = "[{ at = \"10s\", set = \"link.1.queue\", to = { kind = \"codel\" } }]";
    let changed = delay(&results(&[TRANSFER; 4], &[("event", event)]));
    let never = delay(&results(&[TRANSFER; 4], &[]));
    assert!(changed < 0.45 * never, "{changed} ms, {never} ms without");
}

/// Under overload a packet waits capacity / service rate if packets are dropped at the tail, and capacity / arrival
/// rate if they are dropped at the head. Here packets arrive at twice the service rate, so head drop halves the wait.
#[test]
fn head_drop_halves_the_wait_under_twice_the_load() {
    let with = |kind: &str| {
        let queue = format!("{{ kind = \"{kind}\", packets = 100 }}");
        delay(&results(&[FLOOD], &[("link.1.queue", &queue)]))
    };
    // 100 packets of 1028 bytes take 82 ms at 10 Mb/s.
    let (tail, head) = (with("droptail"), with("head-drop"));
    assert!((tail - 82.2).abs() < 2.0 && (head / tail - 0.5).abs() < 0.02, "{tail} and {head} ms");
}

/// With every queue, with losses and every impairment, and with changes of the link's queue, rate and state,
/// packets are conserved, and a second run has the same results.
#[test]
fn packets_are_conserved() {
    let inner = "{ kind = \"priority\", bands = [{ kind = \"codel\" }, { kind = \"red\", packets = 30 }] }";
    let bucket = format!("{{ kind = \"token-bucket\", rate = \"8Mbps\", burst = \"5kB\", queue = {inner} }}");
    let queues = [
        "{ kind = \"droptail\", packets = 20 }",
        "{ kind = \"head-drop\", packets = 20 }",
        "{ kind = \"red\", adaptive = true }",
        "{ kind = \"codel\" }",
        "{ kind = \"fq-codel\", packets = 50, queues = 2 }",
        "{ kind = \"pie\" }",
        &bucket,
        inner,
    ];
    for (i, queue) in queues.iter().enumerate() {
        let other = queues[(i + 3) % queues.len()];
        let events = format!(
            "[{{ at = \"2s\", set = \"link.1.queue\", to = {other} }}, \
              {{ at = \"3s\", set = \"link.1.rate\", to = {{ gaps = \"1x7 0x2 5\" }} }}, \
              {{ at = \"4s\", set = \"link.1.up\", to = false }}, {{ at = \"4.5s\", set = \"link.1.up\", to = true }}, \
              {{ at = \"5s\", set = \"link.1.rate\", to = \"6Mbps\" }}, \
              {{ at = \"6s\", set = \"link.1.queue\", to = {queue} }}]"
        );
        let document = document(
            &[TRANSFER, TRANSFER, FLOOD, SPEECH],
            &[
                ("duration", "8s"),
                ("link.1.queue", queue),
                ("link.1.loss", "{ kind = \"gilbert-elliott\", p = 0.01, r = 0.3 }"),
                ("link.1.jitter", "{ kind = \"exponential\", mean = \"3ms\", keep_order = false }"),
                ("link.1.reorder", "{ rate = 0.01, delay = \"20ms\" }"),
                ("link.1.duplicate", "{ rate = 0.01 }"),
                ("flow.2.traffic.ecn", "true"),
                ("flow.2.traffic.rate", "12Mbps"),
                ("event", &events),
            ],
        );
        let scenario = document.check().unwrap_or_else(|e| panic!("{e}"));
        let end = Instant::ZERO + scenario.duration;
        let ledger = Ledger::new(build::subjects(&scenario), end);
        let (world, _) =
            simulate(&scenario, 1, Duration::ZERO, ledger, &Observe::default(), &Control::default())
                .expect("runs");
        if let Err(accounts) = world.probe.check() {
            panic!("{queue}: {accounts:?}");
        }
        assert_eq!(summary(&document), summary(&document), "{queue}");
    }
}

/// Speech packets come every 20 ms. Packets 3 and 4, counted from 0, are delayed by 105 ms: no packet is
/// lost, and later packets overtake them.
#[test]
fn listed_packets_are_held_up_before_the_queue() {
    let hold =
        r#"{ kind = "list", toward = "b", flow = 0, packets = [3, 4], at = "entry", delay = "105ms" }"#;
    let document = document(&[SPEECH], &[("link.1.loss", hold), ("duration", "1s")]);
    let observe = Observe::parse(&["delay".to_owned()], Duration::ZERO).expect("a trace");
    let options = RunOptions { observe, ..RunOptions::default() };
    let results = run(&document, &options, &Control::default()).expect("runs");
    let trace = &results.traces["delay"];
    let (Some(Column::Int(order)), Some(Column::Float(delays))) =
        (trace.column("seq"), trace.column("delay_s"))
    else {
        panic!("columns of other types")
    };
    assert_eq!(order[..12], [0, 1, 2, 5, 6, 7, 8, 3, 9, 4, 10, 11]);
    assert!((delays[7] - delays[0] - 0.105).abs() < 1e-9 && (delays[9] - delays[0] - 0.105).abs() < 1e-9);
    assert!(delays[3..7].iter().all(|delay| (delay - delays[0]).abs() < 1e-9));
    // A loss model behind the queue cannot delay packets.
    let mut wrong = document.clone();
    wrong.set("link.1.loss.at", "\"wire\"").expect("settable");
    let error = wrong.check().expect_err("not before the queue").to_string();
    assert!(error.contains("held up before the queue"), "{error}");
}

/// Packets are conserved if a loss model delays some of them, in part beyond the end of the run, and a second
/// model drops others.
#[test]
fn held_up_packets_are_conserved() {
    let hold = r#"[{ kind = "list", packets = [3, 40, 41, 42, 90], at = "entry", delay = "29s" },
        { kind = "random", rate = 0.01, at = "entry" }]"#;
    let document = document(&[TRANSFER, SPEECH], &[("link.1.loss", hold)]);
    let scenario = document.check().expect("right");
    let ledger = Ledger::new(build::subjects(&scenario), Instant::ZERO + scenario.duration);
    let observe = Observe::default();
    let (world, _) =
        simulate(&scenario, 1, Duration::ZERO, ledger, &observe, &Control::default()).expect("runs");
    assert_eq!(world.probe.check().map_err(|accounts| format!("{accounts:?}")), Ok(()));
}
