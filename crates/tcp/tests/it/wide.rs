//! Golden file with the windows of every congestion control on a wide path whose RTT changes: `golden/wide.txt`.
//!
//! The path: a bottleneck of 1000 segments per second with room for 60, and 50 ms of propagation each way; a window of 100
//! fills it, one of 160 overflows it. From 6 to 9 s it carries half as much, from 12 s on it is 20 ms longer, and at 4 and 11 s
//! one segment is corrupted. Endpoints have timestamps and delay acknowledgments; those of `tcp-linux-NAME` are as in ns-2.

use base::{AckHeader, DataHeader, Duration, Instant, Rng};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tcp::config::Parameters;
use tcp::congestion::{Control, Controls};
use tcp::recovery::Recovery;
use tcp::{Config, Receiver, Sender, Table, variants};

const LENGTH: Duration = Duration::from_secs(18);
/// Time between two numbers.
const STEP: Duration = Duration::from_ms(300);
const ROOM: usize = 60;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Served(usize),
    Data(usize),
    Ack(usize),
}

fn seconds(seconds: u64) -> Instant {
    Instant::ZERO + Duration::from_secs(seconds)
}

/// Returns the windows of an endpoint, one number for each step, and the variables of its control at the end, as text.
fn trace(name: &str, config: &Config) -> String {
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(config);
    sender.set_rng(Rng::stream(1, name));
    let mut heap: BinaryHeap<Reverse<(Instant, usize, What)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let (mut order, mut waiting, mut free) = (0, 0, Instant::ZERO);
    let mut corruption = vec![seconds(11), seconds(4)];
    let mut push = |heap: &mut BinaryHeap<_>, at: Instant, what: What| {
        order += 1;
        heap.push(Reverse((at, order, what)));
    };
    let (mut now, mut line) = (Instant::ZERO, Instant::ZERO + STEP);
    let mut text = format!("{name}:");
    sender.open(now, None);
    while now < Instant::ZERO + LENGTH {
        while let Some((segment, _)) = sender.poll(now) {
            segments.push(segment);
            let slow = now >= seconds(6) && now < seconds(9);
            let corrupt = corruption.pop_if(|at| now >= *at).is_some();
            if waiting < ROOM && !corrupt {
                waiting += 1;
                free = free.max(now) + Duration::from_ms(if slow { 2 } else { 1 });
                push(&mut heap, free, What::Served(segments.len() - 1));
            }
        }
        while let Some((ack, _)) = receiver.poll(now) {
            acks.push(ack);
            push(&mut heap, now + Duration::from_ms(50), What::Ack(acks.len() - 1));
        }
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timers = [sender.timer(), sender.release(), receiver.timer()];
        let timers = timers.map(|stamp| stamp.map(|stamp| stamp.at));
        now = timers.into_iter().chain([arrival]).flatten().min().expect("the connection is stuck");
        while line < now {
            let _ = write!(text, " {:.2}", sender.cwnd());
            line += STEP;
        }
        if arrival == Some(now) {
            match heap.pop() {
                Some(Reverse((_, _, What::Served(i)))) => {
                    waiting -= 1;
                    let way = Duration::from_ms(if now >= seconds(12) { 70 } else { 50 });
                    push(&mut heap, now + way, What::Data(i));
                }
                Some(Reverse((_, _, What::Data(i)))) => receiver.on_segment(now, &segments[i]),
                Some(Reverse((_, _, What::Ack(i)))) => sender.on_ack(now, &acks[i]),
                None => {}
            }
        } else if timers[0] == Some(now) {
            sender.on_timer(now);
        } else if timers[1] != Some(now) {
            receiver.on_timer(now);
        }
    }
    text.push_str("\n ");
    let ssthresh = sender.ssthresh();
    sender.traced(&mut |name, value| text.push_str(&format!(" {name} {value:.4},")));
    let _ = writeln!(text, " ssthresh {ssthresh:.2}, {} segments delivered", receiver.expected());
    text
}

fn all() -> String {
    let mut text = String::new();
    for algorithm in Control::ALL {
        let control = Control::by_name(algorithm.name, &[]).expect("registered");
        let mut config = crate::common::config(Recovery::Sack, control, false, true);
        config.windows.max_window = f64::INFINITY;
        config.growth.pacing = false;
        text.push_str(&trace(algorithm.name, &config));
    }
    for preset in variants().iter().filter(|variant| variant.linux) {
        let (variant, profile) = (Some(preset.name.to_owned()), Some("ns2".to_owned()));
        let table =
            Table { variant, profile, parameters: Parameters::default(), controls: Controls::default() };
        let (_, mut config) = table.resolve().expect("a preset");
        (config.windows.initial_ssthresh, config.windows.max_window) = (f64::INFINITY, f64::INFINITY);
        text.push_str(&trace(preset.name, &config));
    }
    text
}

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/wide.txt"))
}

#[test]
fn every_window_is_the_golden_one() {
    let (golden, traced) = (std::fs::read_to_string(path()).unwrap_or_default(), all());
    let differ = golden.lines().zip(traced.lines()).filter(|(golden, traced)| golden != traced);
    let differ: Vec<_> = differ.map(|(golden, traced)| format!("golden {golden}\ntraced {traced}")).collect();
    assert!(golden == traced, "make pages writes them anew\n{}", differ.join("\n"));
}

#[test]
#[ignore = "writes golden/wide.txt"]
fn renew_the_pages() {
    std::fs::write(path(), all()).expect("writable");
}
