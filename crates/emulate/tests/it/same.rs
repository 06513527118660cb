//! An emulation in which no packet is late equals the simulation of the same packets, byte for byte.

use crate::machine::{Machine, Moment, datagram};
use base::{Duration, Instant};
use emulate::drive;
use engine::Control;
use metrics::{Column, Observe, Table};
use sim::scenario::Document;
use sim::{RealTraffic, Results, RunOptions, Simulation, StartOptions};

/// Returns a scenario in which datagrams share the bottleneck with a TCP flow between other nodes. The gaps
/// between datagrams are random.
fn scenario(bottleneck: &str) -> String {
    format!(
        r#"
duration = "2s"
seed = 7
[[link]]
between = ["a", "r1"]
rate = "100Mbps"
delay = "1ms"
[[link]]
between = ["c", "r1"]
rate = "90Mbps"
delay = "2ms"
[[link]]
name = "bottleneck"
between = ["r1", "r2"]
rate = "3Mbps"
delay = "7ms"
{bottleneck}
[[link]]
between = ["r2", "b"]
rate = "100Mbps"
delay = "1ms"
[[link]]
between = ["r2", "d"]
rate = "90Mbps"
delay = "3ms"
[[flow]]
from = "a"
to = "b"
traffic = {{ kind = "cbr", rate = "2Mbps", packet = "700B", spacing = "exponential", ecn = true }}
[[flow]]
from = "c"
to = "d"
start = "100ms"
tcp = {{ variant = "cubic", ecn = "classic" }}
"#
    )
}

fn options() -> RunOptions {
    let observe =
        Observe::parse(&["segments".into(), "queue".into(), "delay".into()], Duration::from_ms(100));
    RunOptions { observe: observe.expect("traces"), ..RunOptions::default() }
}

fn labels(table: &Table, name: &str) -> Vec<String> {
    let Some(Column::Label { names, codes }) = table.column(name) else { panic!("no {name}") };
    codes.iter().map(|code| names[*code as usize].clone()).collect()
}

/// Returns the datagrams that the simulated source sends.
fn sent(results: &Results) -> Vec<Moment> {
    let table = results.table("segments").expect("it was recorded");
    let Some(Column::Time(times)) = table.column("time_s") else { panic!("no times") };
    let (Some(Column::Int32(flows)), Some(Column::Int32(sizes))) =
        (table.column("flow"), table.column("bytes"))
    else {
        panic!("no numbers: {:?}", (table.column("flow"), table.column("bytes")))
    };
    let events = labels(&table, "event");
    let own = (0..table.rows()).filter(|row| flows[*row] == 0 && events[*row] == "send");
    own.map(|row| (Instant::from_ps(times[row]), 0, datagram(sizes[row] as usize, 2))).collect()
}

/// Compares the simulation with the emulation of the same datagrams; returns the results of the simulation.
fn same(bottleneck: &str) -> Results {
    let document = Document::from_toml(&scenario(bottleneck)).expect("TOML");
    let simulated = sim::run(&document, &options(), &Control::default()).expect("it runs");
    let packets = sent(&simulated);
    assert!(packets.len() > 250, "{}", packets.len());
    let mut machine = Machine::new(packets);
    let real = Some(RealTraffic { between: ["a", "b"].map(str::to_owned), flows: 3 });
    let start = StartOptions { options: options(), real, ..StartOptions::default() };
    let mut run = Simulation::start(&document, start).expect("it starts");
    let report = drive(&mut run, &mut machine, Duration::from_us(1), &Control::default()).expect("it runs");
    assert_eq!(report.lateness.max_s(), Some(0.0));
    let emulated = run.stop();
    assert_eq!(machine.written.len() as u64, emulated.flows()[0].received_packets);
    for name in ["links", "segments", "queue", "delay"] {
        // Rows of the same nanosecond may come in another order: in the simulation a link without changes computes
        // departures in advance, in an emulation never.
        let text = |results: &Results| {
            let mut out = Vec::new();
            results.table(name).expect("it was recorded").write_csv(&mut out).expect("memory");
            let text = String::from_utf8(out).expect("CSV");
            let mut lines: Vec<&str> = text.lines().collect();
            lines.sort_unstable();
            lines.join("\n")
        };
        let (wanted, found) = (text(&simulated), text(&emulated));
        let apart = wanted.lines().zip(found.lines()).find(|(wanted, found)| wanted != found);
        assert_eq!(apart, None, "{bottleneck}: {name}");
        assert_eq!(wanted, found, "{bottleneck}: {name}");
    }
    let [wanted, found] = [&simulated, &emulated].map(|results| &results.flows()[0]);
    assert_eq!(wanted.goodput_bps, found.goodput_bps * found.interval_s / wanted.interval_s);
    assert_eq!((wanted.sent_bytes, wanted.losses.clone()), (found.sent_bytes, found.losses.clone()));
    assert_eq!((&wanted.name, found.variant.as_str()), (&found.name, "udp"));
    assert_eq!(simulated.flows()[1], emulated.flows()[1]);
    assert_eq!(emulated.flows().len(), 2, "flows without packets are left out");
    simulated
}

#[test]
fn with_each_kind_of_queue() {
    for queue in [
        "queue = 20",
        "queue = { kind = \"red\", ecn = true }",
        "queue = { kind = \"codel\", ecn = true }",
        "queue = { kind = \"fq-codel\" }",
        "queue = { kind = \"pie\" }",
    ] {
        same(queue);
    }
}

#[test]
fn with_losses_jitter_and_reordering() {
    let results = same("loss = { kind = \"gilbert-elliott\", p = 0.02, r = 0.3 }");
    assert!(results.flows()[0].losses.lost_packets_total > 0);
    same("loss = { kind = \"random\", rate = 0.02, at = \"entry\" }");
    same("jitter = { kind = \"normal\", mean = \"3ms\", deviation = \"1ms\" }");
    // The packets of the outside programs form the first flow and are counted from 0.
    let results = same("loss = { kind = \"list\", flow = 0, packets = [3, 5] }");
    assert_eq!(results.flows()[0].losses.lost_packets_total, 2);
}

#[test]
fn with_changes_of_the_link() {
    same(
        "[[event]]\nat = \"500ms\"\nset = \"link.bottleneck.rate\"\nto = \"1Mbps\"\n\
         [[event]]\nat = \"1s\"\nset = \"link.bottleneck.delay\"\nto = \"30ms\"\n\
         [[event]]\nat = \"1500ms\"\nset = \"link.bottleneck.up\"\nto = false\n",
    );
}

/// Two emulations of the same packets give the same bytes.
#[test]
fn a_wireless_network_repeats() {
    let text = r#"
duration = "2s"
[[node]]
name = "ap"
position = [0, 0]
[[node]]
name = "sta"
position = [20, 0]
[[wifi]]
standard = "a"
stations = ["ap", "sta"]
access_point = "ap"
[[flow]]
from = "ap"
to = "sta"
tcp = { variant = "reno" }
"#;
    let document = Document::from_toml(text).expect("TOML");
    let run = || {
        let at = |i: u64| Instant::ZERO + Duration::from_us(3_000 + 1_700 * i);
        let mut machine =
            Machine::new((0..600).map(|i| (at(i), (i % 2) as usize, datagram(1200, 0))).collect());
        let real = Some(RealTraffic { between: ["ap", "sta"].map(str::to_owned), flows: 3 });
        let mut run = Simulation::start(&document, StartOptions { real, ..StartOptions::default() }).unwrap();
        drive(&mut run, &mut machine, Duration::from_us(1), &Control::default()).expect("it runs");
        (machine.written, run.stop().summary())
    };
    let (first, second) = (run(), run());
    assert!(first.0.len() > 590, "{}", first.0.len());
    assert_eq!(first, second);
}
