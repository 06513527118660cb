//! The loop of an emulation with a clock and devices that a test moves: no real time passes, and nothing is random.

mod machine;
mod same;

use base::{Duration, Instant};
use emulate::{Ending, drive};
use engine::Control;
use machine::{Machine, datagram};
use sim::scenario::Document;
use sim::{RealTraffic, Simulation, StartOptions};

/// A link of 1 Mb/s and 10 ms, whose flow is replaced by packets of outside programs.
const LINK: &str = r#"
duration = "1s"
[[link]]
between = ["a", "b"]
rate = "1Mbps"
delay = "10ms"
queue = 10
[[flow]]
from = "a"
to = "b"
tcp = { variant = "reno" }
"#;

fn start(text: &str) -> Simulation {
    let document = Document::from_toml(text).expect("TOML");
    let real = Some(RealTraffic { between: ["a", "b"].map(str::to_owned), flows: 4 });
    Simulation::start(&document, StartOptions { real, ..StartOptions::default() }).expect("a scenario")
}

fn at(us: u64) -> Instant {
    Instant::ZERO + Duration::from_us(us)
}

#[test]
fn a_packet_takes_its_time_and_is_not_late() {
    let mut machine = Machine::new(vec![(at(5_000), 0, datagram(1250, 0)), (at(7_000), 1, datagram(125, 0))]);
    let mut run = start(LINK);
    let report = drive(&mut run, &mut machine, Duration::from_us(1), &Control::default()).unwrap();
    // 1250 bytes take 10 ms to be transmitted, then 10 ms of delay; 125 bytes take 1 ms.
    assert_eq!(machine.written, [(at(18_000), 0, datagram(125, 0)), (at(25_000), 1, datagram(1250, 0))]);
    assert_eq!((report.ending, report.entered), (Ending::Duration, [1, 1]));
    assert_eq!((report.lateness.packets(), report.lateness.max_s()), (2, Some(0.0)));
    assert!(report.lateness.kept_up());
}

#[test]
fn a_packet_that_the_loop_misses_is_late() {
    let mut machine = Machine::new(vec![(at(5_000), 0, datagram(1250, 0))]);
    // The program does not get the processor from 20 to 27 ms; the packet is due at 25 ms.
    machine.stalls = vec![(at(20_000), Duration::from_ms(7))];
    let mut run = start(LINK);
    let report = drive(&mut run, &mut machine, Duration::from_ms(1), &Control::default()).unwrap();
    assert_eq!(machine.written, [(at(27_000), 1, datagram(1250, 0))]);
    assert_eq!((report.lateness.late_packets(), report.lateness.max_s()), (1, Some(0.002)));
    assert!(!report.lateness.kept_up());
}

#[test]
fn packets_of_a_late_turn_enter_when_they_are_read() {
    let mut machine = Machine::new((0..3).map(|i| (at(5_000 + i), 0, datagram(125, 0))).collect());
    machine.stalls = vec![(at(4_000), Duration::from_ms(6))];
    let mut run = start(LINK);
    drive(&mut run, &mut machine, Duration::from_ms(1), &Control::default()).unwrap();
    let times: Vec<Instant> = machine.written.iter().map(|(at, ..)| *at).collect();
    assert_eq!(times, [at(21_000), at(22_000), at(23_000)]);
}

#[test]
fn the_end_of_the_command_ends_it_once_it_is_quiet() {
    let mut machine = Machine::new(vec![(at(100_000), 0, datagram(125, 0))]);
    machine.command_ends = Some(at(105_000));
    let mut run = start(LINK);
    let report = drive(&mut run, &mut machine, Duration::from_ms(1), &Control::default()).unwrap();
    // The packet leaves at 111 ms. The emulation ends 250 ms later, as no packet has entered or left in that time.
    assert_eq!((report.ending, machine.written.len()), (Ending::Command, 1));
    assert_eq!(run.now(), at(361_000));
}

#[test]
fn what_is_no_ip_packet_is_left_out_and_a_full_device_is_counted() {
    let mut machine = Machine::new(vec![(at(1_000), 0, vec![0; 60]), (at(1_000), 0, datagram(125, 0))]);
    machine.refuses = true;
    let mut run = start(LINK);
    let report = drive(&mut run, &mut machine, Duration::from_ms(1), &Control::default()).unwrap();
    assert_eq!((report.unreadable, report.refused, report.entered), (1, 1, [2, 0]));
}

#[test]
fn a_stop_from_outside_leaves_results() {
    let mut machine = Machine::new(vec![(at(1_000), 0, datagram(125, 0))]);
    let mut run = start(LINK);
    let control = Control::default();
    control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let report = drive(&mut run, &mut machine, Duration::from_ms(1), &control).unwrap();
    assert_eq!(report.ending, Ending::Stopped);
    assert_eq!(run.stop().links().len(), 2);
}

/// Returns the error that a scenario gives.
fn refused(text: &str, between: [&str; 2]) -> String {
    let document = Document::from_toml(text).expect("TOML");
    let real = Some(RealTraffic { between: between.map(str::to_owned), flows: 4 });
    let start = Simulation::start(&document, StartOptions { real, ..StartOptions::default() });
    start.err().expect("it is refused").to_string()
}

#[test]
fn nodes_are_checked() {
    let unknown = refused(LINK, ["a", "bb"]);
    assert!(unknown.contains("no node \"bb\"") && unknown.contains("did you mean"), "{unknown}");
    assert!(refused(LINK, ["a", "a"]).contains("both ends are node \"a\""));
    let other = "[[link]]\nbetween = [\"c\", \"d\"]\nrate = \"1Mbps\"\ndelay = \"1ms\"\n";
    let apart = refused(&format!("{LINK}{other}"), ["a", "c"]);
    assert!(apart.contains("no path leads"), "{apart}");
}

#[test]
fn a_gateway_on_the_path_is_refused() {
    let text = r#"
duration = "1s"
[[node]]
name = "g"
gateway = { kind = "split" }
[[link]]
between = ["a", "g"]
rate = "1Mbps"
delay = "1ms"
[[link]]
between = ["g", "b"]
rate = "1Mbps"
delay = "1ms"
[[flow]]
from = "a"
to = "b"
tcp = { variant = "reno" }
"#;
    let error = refused(text, ["a", "b"]);
    assert!(error.contains("gateway at \"g\""), "{error}");
}
