//! Invariants of QUIC flows: packets and bytes are conserved on any path and with any other traffic, and scenario and
//! seed determine the run.

use crate::build;
use crate::flow::Kind;
use crate::network::Network;
use crate::run::{RunError, RunOptions, run, simulate};
use crate::scenario::Document;
use crate::simulation::{Simulation, StartOptions};
use crate::world::World;
use base::{Duration, Instant};
use engine::Control;
use metrics::{Ledger, Observe};
use proptest::prelude::*;
use quic::Control as Variant;
use serde_json::Value;

/// Returns random scenarios: a QUIC flow and a TCP flow over a path with random queue, losses and impairments.
fn on_a_link() -> impl Strategy<Value = String> {
    let variant = prop::sample::select(Variant::ALL.to_vec());
    let queue = prop::sample::select(vec![
        "{ kind = \"droptail\", packets = 12 }",
        "{ kind = \"droptail\", packets = 300 }",
        "{ kind = \"codel\", ecn = true }",
        "{ kind = \"fq-codel\" }",
        "{ kind = \"red\" }",
    ]);
    let size = prop::option::of(1u32..600_000);
    let chances = (0.0..0.05f64, 0.0..0.05f64, 0.0..0.05f64);
    let all = (variant, queue, size, 1u32..20, 1u32..60, chances, any::<bool>(), 1u32..1_000_000);
    all.prop_map(|(variant, queue, size, rate, delay, (loss, duplicate, reorder), outage, seed)| {
        let size = size.map(|size| format!(", size = \"{size}B\"")).unwrap_or_default();
        let outage = if outage { "[[event]]\nat = \"2s\"\nset = \"link.0.up\"\nto = false\n[[event]]\nat = \"2.6s\"\nset = \"link.0.up\"\nto = true\n" } else { "" };
        format!(
            "duration = \"6s\"\nseed = {seed}\n[[link]]\nbetween = [\"a\", \"b\"]\nrate = \"{rate}Mbps\"\ndelay = \"{delay}ms\"\nqueue = {queue}\n\
             loss = [{{ kind = \"random\", rate = {loss} }}]\nduplicate = {{ rate = {duplicate} }}\n\
             reorder = {{ rate = {reorder}, delay = \"7ms\" }}\n\
             [[link]]\nbetween = [\"b\", \"c\"]\nrate = \"100Mbps\"\ndelay = \"1ms\"\n\
             [[flow]]\nfrom = \"a\"\nto = \"c\"\nquic = {{ variant = \"{}\" }}\ntraffic = {{ kind = \"ftp\"{size} }}\n\
             [[flow]]\nfrom = \"a\"\nto = \"c\"\nstart = \"1s\"\ntcp = {{ variant = \"cubic\" }}\n{outage}",
            variant.name()
        )
    })
}

fn document(text: &str) -> Document {
    Document::from_toml(text).expect("it parses")
}

fn ended(document: &Document) -> World<Ledger> {
    let scenario = document.check().unwrap_or_else(|error| panic!("{error}"));
    let ledger = Ledger::new(build::subjects(&scenario), Instant::ZERO + scenario.duration);
    simulate(&scenario, scenario.seed, Duration::ZERO, ledger, &Observe::default(), &Control::default())
        .expect("it runs")
        .0
}

/// Returns the number of packets of flow number `at` whose payloads are stored on their way to the
/// destination.
fn payloads(network: &Network, at: usize) -> u64 {
    network.links.losses[at].payloads.as_ref().map_or(0, |payloads| payloads.packets()[0])
}

fn assert_conserved(world: &mut World<Ledger>) {
    if let Err(accounts) = world.probe.check() {
        panic!("{accounts:?}");
    }
    let World { network, flows, .. } = world;
    for (at, flow) in flows.iter_mut().enumerate() {
        flow.finish(network.links.end);
        let losses = &network.links.losses[at];
        flow.stats.lost = losses.forward.clone();
        flow.stats.duplicated_packets = losses.duplicated;
        let Kind::Stack(connection) = &flow.kind else { continue };
        assert_eq!(connection.transfer.failed(), None);
        assert_eq!(connection.transfer.fault(), None, "each byte is the one that was written there");
        assert!(flow.stats.delivered_bytes <= flow.stats.received_bytes);
        // A packet that a link drops or delivers only after the end of the run counts as in flight; its payload may
        // still be stored.
        assert!(payloads(network, at) <= flow.stats.in_flight_packets() as u64);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn packets_and_bytes_are_conserved_on_links(text in on_a_link()) {
        assert_conserved(&mut ended(&document(&text)));
    }

    #[test]
    #[ignore = "takes seconds of processor time: `make test` runs it"]
    fn a_run_is_its_scenario_and_seed(text in on_a_link()) {
        let document = document(&text);
        let summary = || run(&document, &RunOptions::default(), &Control::default()).expect("it runs").summary();
        prop_assert_eq!(summary(), summary());
    }
}

/// Returns the example `name` with its flows over QUIC.
fn example(name: &str, variant: Variant) -> Document {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/ackclock/scenarios");
    let text = std::fs::read_to_string(format!("{folder}/{name}.toml")).expect("the example is there");
    let stack = format!("quic = {{ variant = \"{}\" }}", variant.name());
    let mut document = document(&text.replace("tcp = { variant = \"cubic\" }", &stack));
    document.set("duration", "8s").expect("it has a length");
    document
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn radio_networks_carry_it() {
    for name in ["wlan", "lte"] {
        for &variant in Variant::ALL {
            let mut world = ended(&example(name, variant));
            assert_conserved(&mut world);
            for flow in &world.flows {
                assert!(matches!(flow.kind, Kind::Stack(_)));
                let megabits = flow.stats.delivered_bytes as f64 * 8e-6;
                assert!(megabits > 2.0, "{name}, {}: {megabits} Mb in 8 s", variant.name());
            }
        }
    }
}

const PLAIN: &str = r#"
duration = "20s"
[[link]]
between = ["a", "b"]
rate = "10Mbps"
delay = "20ms"
queue = 50
[[flow]]
from = "a"
to = "b"
quic = { variant = "quinn-cubic" }
"#;

#[test]
fn a_clean_path_is_filled_and_its_round_trips_are_those_of_the_path() {
    let world = ended(&document(PLAIN));
    let stats = &world.flows[0].stats;
    let goodput = stats.goodput_bps(Duration::from_secs(20));
    assert!((9.2e6..1e7).contains(&goodput), "{goodput}");
    let (least, most) = (stats.packet_rtt.min().expect("answers"), stats.packet_rtt.max().expect("answers"));
    // The queue holds 50 packets of 1480 bytes: 59 ms.
    assert!((0.0400..0.0430).contains(&least.secs()) && most.secs() < 0.15, "{least:?} {most:?}");
    assert!(stats.received_packets > 10_000 && stats.retransmitted_packets == 0);
}

/// Runs a scenario; returns the qlog events of both ends, and the summary.
fn logged(document: &Document) -> ([Vec<Value>; 2], Value) {
    let observe = Observe::parse(&["qlog".to_owned()], Duration::from_secs(1)).expect("it is a trace");
    let options = RunOptions { observe, ..RunOptions::default() };
    let results = run(document, &options, &Control::default()).expect("it runs");
    let folder = tempfile::tempdir().expect("a folder");
    let (_, files) = results.files.iter().next().expect("the logs");
    let paths = files.write(folder.path(), None).expect("they can be written");
    let names = paths.iter().map(|path| path.file_name().and_then(|name| name.to_str()).expect("a name"));
    assert_eq!(names.collect::<Vec<_>>(), ["qlog-flow0-client.sqlog", "qlog-flow0-server.sqlog"]);
    let logs = [&paths[0], &paths[1]].map(|path| {
        let text = std::fs::read_to_string(path).expect("it is text");
        // RFC 7464: a record separator (0x1E) precedes each JSON text.
        let texts = text.split('\u{1e}').filter(|text| !text.is_empty());
        texts.map(|text| serde_json::from_str(text).expect("JSON")).collect()
    });
    (logs, serde_json::from_str(&results.summary()).expect("JSON"))
}

#[test]
fn each_end_logs_what_it_does_and_is_not_changed_by_it() {
    let document = document(&format!("{PLAIN}\n").replace("duration = \"20s\"", "duration = \"3s\""));
    let ([client, server], summary) = logged(&document);
    assert_eq!(client[0]["qlog_version"], "0.3");
    let named = |log: &[Value], name: &str| -> Vec<Value> {
        log.iter().filter(|event| event["name"] == name).cloned().collect()
    };
    let (sent, received) =
        (named(&client, "transport:packet_sent"), named(&server, "transport:packet_received"));
    let of = |name: &str| summary["flows"][0][name].as_u64().expect("a number");
    // A datagram of the handshake may hold several QUIC packets.
    assert!((of("sent_packets")..of("sent_packets") + 5).contains(&(sent.len() as u64)), "{}", sent.len());
    assert!((of("received_packets")..of("received_packets") + 5).contains(&(received.len() as u64)));
    assert!(named(&client, "recovery:packet_lost").len() as u64 >= of("lost_packets_total"));
    let windows = named(&client, "recovery:metrics_updated");
    assert!(windows.iter().any(|event| event["data"]["congestion_window"].as_u64() > Some(50_000)));
    let times: Vec<f64> = client[1..].iter().map(|event| event["time"].as_f64().expect("ms")).collect();
    assert!(times.is_sorted() && times[0] < 1.0 && times[times.len() - 1] > 2900.0);

    let ([again, _], _) = logged(&document);
    assert_eq!(client, again, "the same bytes");
    let plain = run(&document, &RunOptions::default(), &Control::default()).expect("it runs");
    assert_eq!(serde_json::from_str::<Value>(&plain.summary()).expect("JSON"), summary);
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn an_outage_of_minutes_ends_no_connection() {
    let more = "[[event]]\nat = \"5s\"\nset = \"link.0.up\"\nto = false\n[[event]]\nat = \"95s\"\nset = \"link.0.up\"\nto = true\n";
    let mut document = document(&format!("{PLAIN}{more}"));
    document.set("duration", "300s").expect("it has a length");
    let mut world = ended(&document);
    assert_conserved(&mut world);
    assert!(world.flows[0].stats.delivered_bytes > 50_000_000, "{}", world.flows[0].stats.delivered_bytes);
}

#[test]
fn a_tcp_variant_may_name_the_stack() {
    let short = PLAIN.replace("quic =", "tcp =");
    let summaries = [PLAIN, &short].map(|text| {
        let results = run(&document(text), &RunOptions::default(), &Control::default()).expect("it runs");
        results.summary().split("\"manifest\"").next().map(str::to_owned)
    });
    assert_eq!(summaries[0], summaries[1]);
}

#[test]
fn what_a_stack_cannot_do_is_said() {
    let error = |text: &str| document(text).check().expect_err("it is wrong").to_string();
    let misspelt = error(&PLAIN.replace("quinn-cubic", "quinn-cubc"));
    assert!(misspelt.contains("flow.0.quic.variant") && misspelt.contains("quinn-cubic"), "{misspelt}");
    let both = error(&format!("{PLAIN}tcp = {{ variant = \"cubic\" }}\n"));
    assert!(both.contains("flow.0.tcp") && both.contains("either `tcp` or `quic`"), "{both}");
    let cbr = error(&format!("{PLAIN}traffic = {{ kind = \"cbr\", rate = \"1Mbps\", packet = \"500B\" }}\n"));
    assert!(cbr.contains("flow.0.traffic") && cbr.contains("sends a file"), "{cbr}");
    let foreign = error(&PLAIN.replace("\"quinn-cubic\" }", "\"quinn-cubic\", segment = \"1000B\" }"));
    assert!(foreign.contains("flow.0.quic.segment"), "{foreign}");
}

#[test]
fn a_run_with_a_stack_has_no_fork_and_goes_on() {
    let mut run = Simulation::start(&document(PLAIN), StartOptions::default()).expect("it is right");
    run.advance(Instant::ZERO + Duration::from_secs(3), None, &Control::default()).expect("it goes on");
    let Err(RunError::Scenario(error)) = run.fork() else { panic!("a copy") };
    assert!(error.to_string().contains("flow.0.quic"), "{error}");
    assert!(run.flow(0).cwnd > 10.0 && !run.is_tcp(0), "{:?}", run.flow(0));
    let before = run.flow(0).delivered_bytes;
    run.advance(Instant::ZERO + Duration::from_secs(4), None, &Control::default()).expect("it goes on");
    assert!(run.flow(0).delivered_bytes > before);
}

/// quinn 0.11 ends a connection whose receiver has more than a thousand gaps in a stream. A satellite link of 40 Mb/s makes them:
/// slow start overshoots it by thousands of packets. That is quinn's decision, so no flow counts as stalled by a fault of ours.
#[test]
fn a_connection_that_quinn_ends_says_why() {
    let text = r#"
duration = "12s"
seed = 1
link = [
    { between = ["r", "d"], rate = "40Mbps", delay = "240ms", queue = { kind = "droptail", packets = 1000 }, reverse = { rate = "4Mbps" } },
    { between = ["s", "r"], rate = "400Mbps", delay = "60ms", queue = { kind = "droptail", packets = 100000 } },
]
flow = [{ name = "sky", from = "s", to = "d", quic = { variant = "quinn-cubic", receive_window = "16MB" } }]
"#;
    let results = run(&document(text), &RunOptions::default(), &Control::default()).expect("it runs");
    let [ended] = results.given_up() else { panic!("{:?}", results.given_up()) };
    assert_eq!((ended.flow.as_str(), ended.stack), ("sky", "quinn-cubic"));
    assert!(ended.reason.contains("too many gaps in stream buffer"), "{}", ended.reason);
    assert!((7.9..8.1).contains(&ended.at_s), "{}", ended.at_s);
    assert_eq!(results.stalled().count(), 0);
}
