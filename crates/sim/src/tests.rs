//! Invariants of every run: packets are conserved, traces change nothing, and scenario and seed determine the run.

use crate::build;
use crate::run::{Job, RunOptions, run, run_many, simulate};
use crate::scenario::Document;
use base::{Duration, Instant};
use engine::Control;
use metrics::{Ledger, Observe};

/// Returns the example scenarios, which have changing links, datagrams, several bottlenecks and listed losses.
fn examples() -> Vec<(String, Document)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/ackclock/scenarios");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the examples' folder")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("readable");
            let mut document = Document::from_toml(&text).expect("an example parses");
            document.read_files(folder.as_ref()).expect("its files are there");
            (path.display().to_string(), document)
        })
        .collect()
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn no_packet_appears_or_vanishes() {
    for (name, mut document) in examples() {
        for loss in [0.0, 0.03] {
            if loss > 0.0 {
                if !document.to_json().contains("\"link\":") {
                    continue;
                }
                document
                    .set("link.0.loss", &format!("{{ kind = \"random\", rate = {loss}, at = \"wire\" }}"))
                    .expect("settable");
            }
            let scenario = document.check().expect("an example is right");
            let end = Instant::ZERO + scenario.duration;
            let ledger = Ledger::new(build::subjects(&scenario), end);
            let (world, _) =
                simulate(&scenario, 1, Duration::ZERO, ledger, &Observe::default(), &Control::default())
                    .expect("runs");
            if let Err(accounts) = world.probe.check() {
                panic!("{name}, loss {loss}: {accounts:?}");
            }
            for (i, hop) in world.network.links.hops.iter().enumerate() {
                assert!(hop.stats.utilisation(end) <= 1.0, "{name}: link direction {i} above its capacity");
            }
        }
    }
}

/// Packets are conserved at a gateway of each kind, also over a crash: packets that the gateway takes and sends are counted.
#[test]
fn no_packet_appears_or_vanishes_at_a_gateway() {
    let (_, document) =
        examples().into_iter().find(|(name, _)| name.ends_with("gateway.toml")).expect("there");
    for kind in ["intelligent", "pre-ack", "snoop", "split"] {
        for crash in ["[]", "[{ at = \"20s\", set = \"node.r1.gateway.up\", to = false }]"] {
            let mut document = document.clone();
            document.set("node.0.gateway", &format!("{{ kind = \"{kind}\" }}")).expect("settable");
            document.set("event", crash).expect("settable");
            let scenario = document.check().expect("right");
            let ledger = Ledger::new(build::subjects(&scenario), Instant::ZERO + scenario.duration);
            let (world, _) =
                simulate(&scenario, 1, Duration::ZERO, ledger, &Observe::default(), &Control::default())
                    .expect("runs");
            if let Err(accounts) = world.probe.check() {
                panic!("{kind}, {crash}: {accounts:?}");
            }
        }
    }
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn observing_changes_nothing() {
    let everything: Vec<String> = metrics::Trace::ALL.map(|t| t.name().to_owned()).to_vec();
    let observe = Observe::parse(&everything, Duration::from_secs(1)).expect("known");
    for (name, document) in examples() {
        let blind = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
        let options = RunOptions { observe: observe.clone(), ..RunOptions::default() };
        let seen = run(&document, &options, &Control::default()).expect("runs");
        assert_eq!(blind.summary(), seen.summary(), "{name}");
    }
}

/// An event that sets a link's delay to the present value makes the link serve packet by packet, instead of computing
/// departures in advance; the results are the same.
#[test]
fn stepping_changes_nothing() {
    let (_, document) =
        examples().into_iter().find(|(name, _)| name.ends_with("dumbbell.toml")).expect("there");
    let ahead = run(&document, &RunOptions::default(), &Control::default()).expect("runs");
    let mut stepped = document.clone();
    stepped.set("event", "[{ at = \"1s\", set = \"link.2.delay\", to = \"20ms\" }]").expect("settable");
    let stepped = run(&stepped, &RunOptions::default(), &Control::default()).expect("runs");
    let flows = |summary: &str| {
        let whole: serde_json::Value = serde_json::from_str(summary).expect("JSON");
        whole["flows"].clone()
    };
    assert_eq!(flows(&ahead.summary()), flows(&stepped.summary()));
    assert_eq!(drop_digest(&ahead.summary()), drop_digest(&stepped.summary()));
}

fn drop_digest(summary: &str) -> String {
    let whole: serde_json::Value = serde_json::from_str(summary).expect("JSON");
    whole["manifest"]["drop_digest"].as_str().expect("text").to_owned()
}

/// The drop digest depends on which packets are dropped and in which order, not on the times of the drops.
#[test]
fn the_drop_digest_knows_runs_that_lose_the_same_packets() {
    let digest = |start: f64, queue: u32, loss: f64, seed: u64| {
        let text = format!(
            "duration = \"{}s\"\n[[link]]\nbetween = [\"a\", \"b\"]\nrate = \"5Mbps\"\ndelay = \"20ms\"\n\
             queue = {{ kind = \"droptail\", packets = {queue} }}\nloss = {loss:?}\n\
             [[flow]]\nfrom = \"a\"\nto = \"b\"\nstart = \"{start}s\"\ntcp = {{ variant = \"reno\", max_window = 100 }}\n",
            start + 20.0
        );
        let document = Document::from_toml(&text).expect("TOML");
        let options = RunOptions { seed: Some(seed), ..RunOptions::default() };
        drop_digest(&run(&document, &options, &Control::default()).expect("runs").summary())
    };
    assert_eq!(digest(0.0, 200, 0.0, 1), "0000000000000000", "no drop");
    let lost = digest(0.0, 20, 0.0, 1);
    assert_eq!(lost, digest(0.5, 20, 0.0, 2), "all of it half a second later");
    assert_ne!(lost, digest(0.0, 21, 0.0, 1));
    assert_ne!(digest(0.0, 20, 0.01, 1), digest(0.0, 20, 0.01, 2), "random losses");
}

/// A named flow over named links draws the same random numbers, whatever flows are declared before it.
#[test]
fn another_flow_changes_no_draw() {
    let path = |name: &str| {
        let link = format!(
            "[[link]]\nname = \"over-{name}\"\nbetween = [\"{name}-a\", \"{name}-b\"]\nrate = \"5Mbps\"\ndelay = \"20ms\"\n\
             queue = {{ kind = \"red\", packets = 30 }}\nloss = 0.01\n"
        );
        let flow = format!(
            "[[flow]]\nname = \"{name}\"\nfrom = \"{name}-a\"\nto = \"{name}-b\"\ntcp = {{ variant = \"sack\" }}\n\
             [[event]]\nat = \"5s\"\nset = \"link.over-{name}.loss\"\nto = {{ kind = \"random\", rate = 0.02 }}\n"
        );
        (link, flow)
    };
    let results = |names: &[&str]| {
        let paths: Vec<_> = names.iter().map(|name| path(name)).collect();
        let text: String = paths.iter().flat_map(|(link, flow)| [link.as_str(), flow]).collect();
        let document = Document::from_toml(&format!("duration = \"10s\"\n{text}")).expect("TOML");
        let options = RunOptions { jitter: Duration::from_secs(1), ..RunOptions::default() };
        let summary = run(&document, &options, &Control::default()).expect("runs").summary();
        let whole: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
        let mut flow = whole["flows"].as_array().expect("flows").last().expect("one").clone();
        flow.as_object_mut().expect("a table").remove("flow");
        flow
    };
    let alone = results(&["old"]);
    assert_ne!(alone["lost_wire_packets"], 0);
    assert_eq!(alone, results(&["new", "old"]));
    assert_ne!(alone["sent_packets"], results(&["other"])["sent_packets"]);
}

#[test]
#[ignore = "takes seconds of processor time: `make test` runs it"]
fn threads_change_nothing() {
    let jobs: Vec<Job> = examples()
        .into_iter()
        .flat_map(|(_, document)| {
            (0..3).map(move |r| Job {
                scenario: (r > 0).then(|| document.check().expect("valid").into()),
                document: document.clone(),
                options: RunOptions {
                    seed: Some(1 + r),
                    jitter: Duration::from_ms(10 * r),
                    observe: Observe::default(),
                },
            })
        })
        .collect();
    let summaries = |threads: usize| -> Vec<String> {
        let results = run_many(&jobs, threads, &Control::default(), &|_| {}).expect("run");
        results.into_iter().map(|r| r.summary()).collect()
    };
    assert_eq!(summaries(1), summaries(2));
}

/// Window after each round trip, in segments, for the two drops of Fall and Floyd (1996): Tahoe slow-starts again, Reno waits for a timeout,
/// the other variants go on at half the window.
#[test]
fn golden_windows() {
    let (_, mut document) =
        examples().into_iter().find(|(name, _)| name.ends_with("fall-floyd.toml")).expect("there");
    let observe = Observe::parse(&["cwnd".to_owned()], Duration::from_secs(1)).expect("known");
    let mut shown = String::new();
    for variant in ["tahoe", "reno", "newreno", "sack", "fack"] {
        document.set("flow.0.tcp.variant", variant).expect("settable");
        let options = RunOptions { observe: observe.clone(), ..RunOptions::default() };
        let results = run(&document, &options, &Control::default()).expect("runs");
        let mut csv = Vec::new();
        results.traces["cwnd"].write_csv(&mut csv).expect("memory");
        let csv = String::from_utf8(csv).expect("text");
        let mut at = 1.1;
        let mut last = 0.0;
        let mut windows = Vec::new();
        for line in csv.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let time: f64 = fields[0].parse().expect("a time");
            while time > at {
                windows.push(format!("{last:.0}"));
                at += 0.21;
            }
            if fields[2] == "cwnd" {
                last = fields[3].parse().expect("a window");
            }
        }
        shown += &format!("{variant:8} {}\n", windows.join(" "));
    }
    assert_eq!(
        shown,
        "\
tahoe    1 2 4 8 15 1 2 4 7 8 9 10 11 11 12 13 14 15 16 17 18 19 19 20
reno     1 2 4 8 15 7 7 7 7 7 7 1 2 3 4 5 6 7 8 8 9 10 11
newreno  1 2 4 8 15 7 7 8 8 9 10 11 12 13 14 15 16 17 17 18 19 20 21 22
sack     1 2 4 8 15 7 7 7 8 9 10 11 11 12 13 14 15 16 17 18 19 20 21 22
fack     1 2 4 8 15 7 8 9 10 10 11 12 13 14 15 16 17 18 19 20 21 22 22 23
"
    );
}

/// Each window reduction is compared with the fate of the segment that caused it; only queue drops count as congestion.
#[test]
fn the_truth_about_every_reaction() {
    let (_, mut document) =
        examples().into_iter().find(|(name, _)| name.ends_with("dumbbell.toml")).expect("there");
    let reactions = |document: &Document| {
        let results = run(document, &RunOptions::default(), &Control::default()).expect("runs");
        let whole: serde_json::Value = serde_json::from_str(&results.summary()).expect("JSON");
        let mut truths: Vec<String> = Vec::new();
        for flow in whole["flows"].as_array().expect("flows") {
            let mut counted = [0, 0];
            for row in flow["loss_reactions"].as_array().expect("rows") {
                counted[usize::from(row["found_by"] == "timeout")] += row["count"].as_u64().expect("a count");
                truths.extend(row["actual_cause"].as_str().map(str::to_owned));
            }
            // No SYN timed out, so every timeout has a row.
            assert_eq!(counted.map(Some), [&flow["fast_retransmits"], &flow["timeouts"]].map(|n| n.as_u64()));
        }
        truths.sort();
        truths.dedup();
        truths
    };
    assert_eq!(reactions(&document), ["congestion"]);
    document.set("flow.0.tcp.variant", "tcpw-i").expect("settable");
    document.set("link.2.queue", "{ kind = \"droptail\", packets = 10000 }").expect("settable");
    document.set("link.2.loss", "{ kind = \"random\", rate = 0.01 }").expect("settable");
    assert_eq!(reactions(&document), ["random"]);
}
