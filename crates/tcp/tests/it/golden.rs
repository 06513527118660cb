//! Golden files with the window over time of every congestion control, of Reno with every loss recovery, and of every preset
//! `tcp-linux-NAME`: `golden/NAME.txt`, `golden/RECOVERY+reno.txt` and `golden/tcp-linux-NAME.txt`.
//!
//! The path: a bottleneck of 200 segments per second with room for 20, and 95 ms of propagation; a window of 20 segments
//! fills it, one of 40 overflows it. At 12 s one segment is corrupted, and from 20 s on the path is cut for 0.6 s. Controls
//! have recovery `sack` and endpoints by the RFCs; the presets `tcp-linux-NAME` have endpoints as in ns-2. `make pages` writes the
//! files anew: read the difference before you commit it.

use base::{AckHeader, DataHeader, Duration, Instant};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tcp::config::Parameters;
use tcp::congestion::{Control, Controls};
use tcp::recovery::Recovery;
use tcp::{Config, Phase, Receiver, Sender, Table, variants};

use crate::common::config;

/// Transmission time of a segment at the bottleneck.
const SERVICE: Duration = Duration::from_ms(5);
/// Round-trip time without the bottleneck's queue and transmission.
const PROPAGATION: Duration = Duration::from_ms(95);
/// Queue limit of the bottleneck in segments, including the one in transmission.
const ROOM: usize = 20;
/// Time at which one segment is corrupted.
const CORRUPTED: Duration = Duration::from_secs(12);
/// Begin and end of the bottleneck's outage.
const CUT: [Duration; 2] = [Duration::from_secs(20), Duration::from_ms(20_600)];
/// Length of the run.
const LENGTH: Duration = Duration::from_secs(32);
/// Time between two lines of the recorded state.
const STEP: Duration = Duration::from_ms(200);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// The segment of this number has left the bottleneck.
    Served(usize),
    Data(usize),
    Ack(usize),
}

/// The bottleneck and its losses.
#[derive(Default)]
struct Path {
    waiting: usize,
    free_at: Option<Instant>,
    corrupted: bool,
}

impl Path {
    /// Returns the departure time of a segment that arrives at the bottleneck at `now`, or `None` if the segment is lost.
    fn admit(&mut self, now: Instant) -> Option<Instant> {
        let [from, to] = CUT.map(|at| Instant::ZERO + at);
        let corrupt = !self.corrupted && now >= Instant::ZERO + CORRUPTED;
        self.corrupted |= corrupt;
        if self.waiting >= ROOM || corrupt || (now >= from && now < to) {
            return None;
        }
        self.waiting += 1;
        let served = self.free_at.map_or(now, |free| free.max(now)) + SERVICE;
        self.free_at = Some(served);
        Some(served)
    }
}

/// Returns an endpoint by the RFCs.
fn pair(recovery: Recovery, control: &Control) -> Config {
    config(recovery, control.clone(), false, false)
}

/// Returns the endpoint of a TCP-Linux preset in profile `ns2` with a large maximum window.
fn linux(name: &str) -> Config {
    let (variant, profile) = (Some(name.to_owned()), Some("ns2".to_owned()));
    let table = Table { variant, profile, parameters: Parameters::default(), controls: Controls::default() };
    let (_, mut config) = table.resolve().expect("a preset");
    config.windows.initial_ssthresh = f64::INFINITY;
    config
}

/// Runs an endpoint over the path and returns its window over time, as text.
fn trace(name: &str, mut config: Config) -> String {
    config.windows.max_window = f64::INFINITY;
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(&config);
    let mut path = Path::default();
    let mut heap: BinaryHeap<Reverse<(Instant, usize, What)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let mut order = 0;
    let mut push = |heap: &mut BinaryHeap<_>, at: Instant, what: What| {
        order += 1;
        heap.push(Reverse((at, order, what)));
    };
    let (mut now, mut line) = (Instant::ZERO, Instant::ZERO + STEP);
    let mut text = format!(
        "{name}: one flow, a window of 20 segments fills the path, one of 40 overflows it\n\
         corruption at 12 s, the path cut from 20 to 20.6 s; windows in segments, one # each\n\n\
         time_s    cwnd  ssthresh  queue  cwnd; losses and what they were taken for\n"
    );
    let mut losses = String::new();
    sender.open(now, None);
    while now < Instant::ZERO + LENGTH {
        while let Some((segment, _)) = sender.poll(now) {
            segments.push(segment);
            let index = segments.len() - 1;
            if sender.phase() == Phase::SynSent {
                push(&mut heap, now + PROPAGATION, What::Data(index));
            } else if let Some(served) = path.admit(now) {
                push(&mut heap, served, What::Served(index));
            }
        }
        while let Some((ack, _)) = receiver.poll(now) {
            acks.push(ack);
            push(&mut heap, now, What::Ack(acks.len() - 1));
        }
        if let Some(loss) = crate::common::bench::loss(&mut sender) {
            let kind = if loss.timeout { "timeout" } else { "fast" };
            let _ = write!(losses, " {kind}: {:?}", loss.classification);
        }
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timer = sender.timer().map(|t| t.at);
        let release = sender.release().map(|t| t.at);
        let due = [arrival, timer, receiver.timer().map(|t| t.at), release].into_iter().flatten().min();
        now = due.expect("the connection is stuck");
        while line < now {
            let (cwnd, threshold) = (sender.cwnd(), sender.ssthresh());
            let bar = "#".repeat(cwnd.min(80.0) as usize);
            let row = format!(
                "{:6.1} {cwnd:7.2} {threshold:9.2} {:6}  {bar}{losses}",
                line.since(Instant::ZERO).secs(),
                path.waiting
            );
            let _ = writeln!(text, "{row}");
            losses.clear();
            line += STEP;
        }
        if arrival == Some(now) {
            match heap.pop() {
                Some(Reverse((_, _, What::Served(i)))) => {
                    path.waiting -= 1;
                    push(&mut heap, now + PROPAGATION, What::Data(i));
                }
                Some(Reverse((_, _, What::Data(i)))) => receiver.on_segment(now, &segments[i]),
                Some(Reverse((_, _, What::Ack(i)))) => sender.on_ack(now, &acks[i]),
                None => {}
            }
        } else if timer == Some(now) {
            sender.on_timer(now);
        } else if release != Some(now) {
            receiver.on_timer(now);
        }
    }
    text
}

fn folder() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

/// Returns every golden trace with its name.
fn traces() -> Vec<(String, String)> {
    let control = |name| Control::by_name(name, &[]).expect("registered");
    let recoveries = Recovery::ALL.iter().map(|recovery| recovery.0).filter(|r| *r != Recovery::Sack);
    let pairs =
        recoveries.map(|recovery| (format!("{}+reno", recovery.name()), pair(recovery, &control("reno"))));
    let controls = Control::ALL.iter().map(|a| (a.name.to_owned(), pair(Recovery::Sack, &control(a.name))));
    let presets = variants().iter().filter(|v| v.linux).map(|v| (v.name.to_owned(), linux(v.name)));
    controls.chain(pairs).chain(presets).map(|(name, config)| (name.clone(), trace(&name, config))).collect()
}

#[test]
fn every_trace_is_the_golden_one() {
    let mut wrong = Vec::new();
    for (name, traced) in traces() {
        let golden = std::fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap_or_default();
        if golden != traced {
            let first = golden.lines().zip(traced.lines()).find(|(a, b)| a != b);
            let (was, is) = first.unwrap_or(("nothing, or fewer lines", "more"));
            wrong.push(format!("{name}:\n  golden {was}\n  traced {is}"));
        }
    }
    assert!(wrong.is_empty(), "make pages writes them anew\n{}", wrong.join("\n"));
}

#[test]
#[ignore = "writes golden/*.txt"]
fn renew_the_pages() {
    for (name, traced) in traces() {
        std::fs::write(folder().join(format!("{name}.txt")), traced).expect("writable");
    }
}
