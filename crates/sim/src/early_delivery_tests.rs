//! Early delivery changes no result: an uninterrupted run, which uses it, has the same results to the byte as a
//! stepped run, which delivers each packet at its arrival.

use crate::run::{RunOptions, run, simulate};
use crate::scenario::Document;
use crate::simulation::{Simulation, StartOptions};
use base::{Duration, NoProbe};
use engine::Control;
use metrics::Observe;
use proptest::prelude::*;
use std::fmt::Write;

/// Settings of one flow of a dumbbell.
#[derive(Clone, Debug)]
struct FlowCase {
    tcp: String,
    traffic: &'static str,
    start_ms: u32,
    stop_ms: Option<u32>,
    access_us: u32,
    /// True if the flow's sender shares its host, and so its link, with the first flow's sender.
    shares: bool,
}

fn variant() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "sack",
        "reno",
        "newreno",
        "tahoe",
        "fack",
        "cubic",
        "vegas",
        "westwood+",
        "rack+cubic",
        "bbr",
        "tcp-linux-reno",
    ])
}

fn flow() -> impl Strategy<Value = FlowCase> {
    let profile = prop::sample::select(vec!["rfc", "linux", "ns2"]);
    let traffic = prop::sample::select(vec!["{ kind = \"ftp\" }", "{ kind = \"ftp\", size = \"90kB\" }"]);
    let delayed = prop::sample::select(vec!["", ", delayed_ack = \"3ms\"", ", delayed_ack = \"200ms\""]);
    let timeout = prop::sample::select(vec!["", ", min_rto = \"30ms\""]);
    let tcp = (variant(), profile, delayed, timeout).prop_map(|(variant, profile, delayed, timeout)| {
        format!("{{ variant = \"{variant}\", profile = \"{profile}\"{delayed}{timeout} }}")
    });
    (tcp, traffic, 0u32..300, prop::option::of(400u32..1900), 1u32..9000, prop::bool::weighted(0.2)).prop_map(
        |(tcp, traffic, start_ms, stop_ms, access_us, shares)| FlowCase {
            tcp,
            traffic,
            start_ms,
            stop_ms,
            access_us,
            shares,
        },
    )
}

/// Returns a dumbbell with loss rate `loss` in both directions of the bottleneck and of each receiver's link.
fn dumbbell(flows: &[FlowCase], queue: u32, loss: f64, delay_ms: u32) -> Document {
    let mut text = format!(
        "duration = \"2s\"\nseed = 5\n[[link]]\nbetween = [\"r0\", \"r1\"]\nrate = \"3Mbps\"\ndelay = \"{delay_ms}ms\"\n\
         queue = {{ kind = \"droptail\", packets = {queue} }}\nloss = {{ kind = \"random\", rate = {loss} }}\n"
    );
    for (i, flow) in flows.iter().enumerate() {
        let FlowCase { tcp, traffic, start_ms, stop_ms, access_us, shares } = flow;
        let from = if *shares { 0 } else { i };
        if from == i {
            let _ = write!(
                text,
                "[[link]]\nbetween = [\"s{i}\", \"r0\"]\nrate = \"10Mbps\"\ndelay = \"{access_us}us\"\n"
            );
        }
        let _ = write!(
            text,
            "[[link]]\nbetween = [\"r1\", \"d{i}\"]\nrate = \"10Mbps\"\ndelay = \"{access_us}us\"\n\
             loss = {{ kind = \"random\", rate = {loss} }}\n\
             [[flow]]\nfrom = \"s{from}\"\nto = \"d{i}\"\nstart = \"{start_ms}ms\"\ntraffic = {traffic}\ntcp = {tcp}\n"
        );
        if let Some(stop) = stop_ms {
            let _ = writeln!(text, "stop = \"{stop}ms\"");
        }
    }
    Document::from_toml(&text).expect("it parses")
}

/// Returns the results of an uninterrupted and of a stepped run, and the number of packets that the uninterrupted run
/// delivered early.
fn both(document: &Document) -> (String, String, u64) {
    let control = Control::default();
    let options = RunOptions::default();
    let at_once = run(document, &options, &control).expect("it runs").summary();
    let driven = Simulation::start(document, StartOptions::default()).expect("it is right");
    let driven = driven.finish(&control).expect("it runs").summary();
    let scenario = document.check().expect("it is right");
    let seed = scenario.seed;
    let (world, _) =
        simulate(&scenario, seed, Duration::ZERO, NoProbe, &Observe::default(), &control).expect("it runs");
    (at_once, driven, world.elided_events)
}

proptest! {
    #[test]
    fn what_is_taken_ahead_changes_nothing(
        flows in prop::collection::vec(flow(), 1..5),
        queue in 3u32..40,
        loss in prop::sample::select(vec![0.0, 0.002, 0.03]),
        delay_ms in 1u32..60,
    ) {
        let (at_once, driven, _) = both(&dumbbell(&flows, queue, loss, delay_ms));
        prop_assert_eq!(at_once, driven);
    }
}

#[test]
fn most_packets_of_hosts_of_their_own_are_taken_ahead() {
    let flow = FlowCase {
        tcp: "{ variant = \"sack\" }".to_owned(),
        traffic: "{ kind = \"ftp\" }",
        start_ms: 0,
        stop_ms: None,
        access_us: 1000,
        shares: false,
    };
    let (at_once, driven, taken) = both(&dumbbell(&vec![flow.clone(); 3], 20, 0.0, 10));
    assert_eq!(at_once, driven);
    // 3 Mb/s for 2 s are 500 segments of 1500 bytes, with an acknowledgment for every second segment.
    assert!(taken > 600, "{taken}");
    // Two senders on one host share its link, so that acknowledgments of their flows are not delivered early.
    let shared = FlowCase { shares: true, ..flow.clone() };
    let (at_once, driven, fewer) = both(&dumbbell(&[flow.clone(), shared, flow], 20, 0.0, 10));
    assert_eq!(at_once, driven);
    assert!((300..taken - 100).contains(&fewer), "{fewer} of {taken}");
}

/// Two hosts joined by a single link could answer each other without end: neither delivers early.
#[test]
fn two_hosts_on_one_link_take_nothing_ahead() {
    let text = "duration = \"1s\"\n[[link]]\nbetween = [\"a\", \"b\"]\nrate = \"3Mbps\"\ndelay = \"5ms\"\n\
                [[flow]]\nfrom = \"a\"\nto = \"b\"\ntcp = { variant = \"sack\" }\n";
    let (at_once, driven, taken) = both(&Document::from_toml(text).expect("it parses"));
    assert_eq!(at_once, driven);
    assert_eq!(taken, 0);
}
