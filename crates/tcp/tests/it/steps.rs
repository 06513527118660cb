//! Golden files of one transfer, step by step, for each profile and loss recovery: `golden/steps/PROFILE-VARIANT.txt`.
//!
//! The files show each segment and timer; the windows of `golden.rs` are too coarse for that. `make pages` writes the files anew:
//! read the difference before you commit it.
//!
//! The path: a bottleneck of 200 segments per second and 40 ms each way. An application writes 150.3 segments of 1000 bytes at
//! the start and 20.5 more at 12 s: ns-2's agents pad each write; the other endpoints send a stream that closes after the
//! second write. The path loses the segments of `LOST`: one alone, several of one window, a retransmission, and the beginning
//! and the end of the second write. One segment is late by 30 ms, one acknowledgment is lost, and a queue marks two segments.

use base::{AckHeader, DataHeader, Duration, Ecn, Instant};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tcp::config::{Ecn as Mode, HyStartForm, Parameters, WindowReduction};
use tcp::congestion::Controls;
use tcp::{Config, Phase, Receiver, Sender, Table};

/// Transmission time of a segment at the bottleneck.
const SERVICE: Duration = Duration::from_ms(5);
/// One-way propagation delay of the path.
const PROPAGATION: Duration = Duration::from_ms(40);
/// Numbers of lost segments, in order of sending.
const LOST: &[u64] = &[14, 40, 42, 47, 83, 84, 85, 86, 92, 118, 165, 166, 167, 186, 187];
/// Number of the delayed segment.
const LATE: u64 = 62;
/// Numbers of ECN-marked segments.
const MARKED: &[u64] = &[70, 130];
/// Number of the lost acknowledgment.
const LOST_ACK: u64 = 20;
/// Times and sizes, bytes, of the application's writes.
const WRITES: [(Duration, u64); 2] = [(Duration::ZERO, 150_300), (Duration::from_secs(12), 20_500)];
const CLOSE: Duration = Duration::from_ms(12_300);
const END: Duration = Duration::from_secs(40);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Data(usize),
    Ack(usize),
    Write(u64),
    Close,
}

/// A case: profile, variant, change of the configuration, and description of the change.
type Case = (&'static str, &'static str, fn(&mut Config), &'static str);

const CASES: &[Case] = &[
    ("rfc", "tahoe", |_| (), ""),
    (
        "rfc",
        "reno",
        |config| config.decrease.window_reduction = WindowReduction::Prr,
        ", window_reduction = prr",
    ),
    ("rfc", "newreno", |config| config.growth.pacing = true, ", pacing"),
    ("rfc", "sack", |config| config.options.ecn = Mode::Classic, ", ecn = classic"),
    ("rfc", "fack", |_| (), ""),
    ("rfc", "rack", |_| (), ""),
    ("rfc", "dctcp", |_| (), ""),
    ("ns2", "tahoe", |_| (), ""),
    ("ns2", "reno", |_| (), ""),
    ("ns2", "newreno", |config| config.options.timestamps = true, ", timestamps"),
    ("ns2", "sack", |_| (), ""),
    ("ns2", "fack", |_| (), ""),
    ("ns2", "vegas", |_| (), ""),
    ("ns2", "tcp-linux-reno", |_| (), ""),
    ("ns2", "tcp-linux-cubic", |config| config.options.timestamps = true, ", timestamps"),
    ("ns3", "newreno", halving, ", window_reduction = rate-halving"),
    ("ns3", "sack", |_| (), ""),
    ("linux", "newreno", |config| config.growth.hystart = HyStartForm::Rfc9406, ", hystart"),
    ("linux", "cubic", |config| config.options.ecn = Mode::Classic, ", ecn = classic"),
    ("linux", "rack", halving, ", window_reduction = rate-halving"),
];

fn halving(config: &mut Config) {
    config.decrease.window_reduction = WindowReduction::RateHalving;
}

fn config(case: &Case) -> Config {
    let (variant, profile) = (Some(case.1.to_owned()), Some(case.0.to_owned()));
    let table = Table { variant, profile, parameters: Parameters::default(), controls: Controls::default() };
    let (_, mut config) = table.resolve().expect("a variant and a profile");
    config.sizes.segment = 1000;
    config.timers.min_rto = Duration::from_ms(200);
    (case.2)(&mut config);
    config
}

/// A run: both endpoints and the path between them.
struct Run {
    sender: Sender,
    receiver: Receiver,
    heap: BinaryHeap<Reverse<(Instant, usize, What)>>,
    segments: Vec<(DataHeader, bool)>,
    acks: Vec<(AckHeader, u32)>,
    free_at: Instant,
    order: usize,
    full: u32,
    text: String,
}

impl Run {
    fn push(&mut self, at: Instant, what: What) {
        self.order += 1;
        self.heap.push(Reverse((at, self.order, what)));
    }

    /// Sends all segments that may be sent now and returns them as text.
    ///
    /// Letters mark a retransmission (`r`), CWR (`w`), FIN (`f`), a SYN (`s`) and a bare acknowledgment (`a`); the size is given if
    /// the segment is not full.
    fn send(&mut self, now: Instant) -> String {
        let mut sent = String::new();
        while let Some((segment, wire)) = self.sender.poll(now) {
            let number = self.segments.len() as u64;
            let marked = MARKED.contains(&number) && self.sender.codepoint(&segment) != Ecn::NotEct;
            self.segments.push((segment, marked));
            let flags = [
                (segment.retransmission, 'r'),
                (segment.cwr, 'w'),
                (segment.fin, 'f'),
                (segment.syn, 's'),
                (segment.bare_ack, 'a'),
            ];
            let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
            let lost = if LOST.contains(&number) { "x" } else { "" };
            let size = if wire == self.full { String::new() } else { format!(":{wire}") };
            let _ = write!(sent, " {}{flags}{lost}{size}", segment.seq);
            if lost.is_empty() {
                self.free_at = self.free_at.max(now) + SERVICE;
                let late = if number == LATE { Duration::from_ms(30) } else { Duration::ZERO };
                self.push(self.free_at + PROPAGATION + late, What::Data(number as usize));
            }
        }
        sent
    }

    fn acknowledge(&mut self, now: Instant) {
        while let Some(ack) = self.receiver.poll(now) {
            self.acks.push(ack);
            if self.acks.len() as u64 != LOST_ACK {
                self.push(now + PROPAGATION, What::Ack(self.acks.len() - 1));
            }
        }
    }

    /// Adds a line: time, event, segments sent, and the sender's variables.
    fn line(&mut self, now: Instant, event: &str) {
        let sent = self.send(now);
        let variables = self.sender.variables();
        let [cwnd, ssthresh, srtt, rto, in_flight, recovery] = variables.map(|(_, value)| value);
        let until = |at: Option<Instant>| {
            at.map_or("-".to_owned(), |at| format!("{:.3}", 1e3 * at.since(now).secs()))
        };
        let (timer, release) = (self.sender.timer(), self.sender.release());
        let (timer, release) = (until(timer.map(|stamp| stamp.at)), until(release.map(|stamp| stamp.at)));
        let time = 1e3 * now.since(Instant::ZERO).secs();
        let (srtt, rto) = (1e3 * srtt, 1e3 * rto);
        let _ = writeln!(
            self.text,
            "{time:.3} {event}: {cwnd:.3} {ssthresh:.3} {in_flight} {recovery} {srtt:.3} {rto:.3} {timer} {release};{sent}"
        );
    }
}

fn trace(case: &Case) -> String {
    let config = config(case);
    let phase = Duration::from_us(560);
    let text = format!(
        "{} in profile {}{}\n\n\
         time_ms event: cwnd ssthresh in_flight recovery srtt_ms rto_ms timer_in_ms release_in_ms; sent\n\n",
        case.1, case.0, case.3
    );
    let mut run = Run {
        sender: Sender::new(&Arc::new(config.clone()), phase),
        receiver: Receiver::new(&config),
        heap: BinaryHeap::new(),
        segments: Vec::new(),
        acks: Vec::new(),
        free_at: Instant::ZERO,
        order: 0,
        full: config.sizes.segment + config.sizes.header + config.options_size(true),
        text,
    };
    let (mut now, mut written) = (Instant::ZERO, 0);
    match config.connection.pad_writes {
        true => run.sender.open_writes(now),
        false => run.sender.open_stream(now),
    }
    WRITES.iter().for_each(|write| run.push(now + write.0, What::Write(write.1)));
    run.push(now + CLOSE, What::Close);
    while run.sender.phase() != Phase::Closed && now < Instant::ZERO + END {
        let arrival = run.heap.peek().map(|Reverse((at, ..))| *at);
        let timers = [run.sender.timer(), run.sender.release(), run.receiver.timer()];
        let timers = timers.map(|stamp| stamp.map(|stamp| stamp.at));
        let Some(due) = timers.into_iter().chain([arrival]).flatten().min() else { break };
        now = due;
        if arrival == Some(now)
            && let Some(Reverse((_, _, what))) = run.heap.pop()
        {
            match what {
                What::Data(i) => {
                    let (segment, marked) = run.segments[i];
                    run.receiver.on_ecn(marked);
                    run.acknowledge(now);
                    run.receiver.on_segment(now, &segment);
                }
                What::Ack(i) => {
                    let (ack, wire) = run.acks[i];
                    run.sender.on_ack(now, &ack);
                    let blocks = ack.sacked().iter().fold(String::new(), |text, block| {
                        let (from, to) = (ack.ack + u64::from(block.from), ack.ack + u64::from(block.to));
                        format!("{text} [{from},{to})")
                    });
                    let flags = [(ack.syn, "s"), (ack.fin, "f"), (ack.ece, "e")];
                    let flags: String = flags.iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
                    run.line(now, &format!("ack {}{flags}{blocks} of {wire} B", ack.ack));
                }
                What::Write(bytes) => {
                    written += bytes;
                    match config.connection.pad_writes {
                        true => {
                            run.sender.write(now, bytes);
                        }
                        false => run.sender.offer(now, written),
                    }
                    run.line(now, "write");
                }
                What::Close if config.connection.pad_writes => {}
                What::Close => {
                    run.sender.finish(now, written, config.connection.fin);
                    run.line(now, "close");
                }
            }
        } else if timers[0] == Some(now) {
            run.sender.on_timer(now);
            run.line(now, "timer");
        } else if timers[1] == Some(now) {
            run.line(now, "release");
        } else {
            run.receiver.on_timer(now);
        }
        run.acknowledge(now);
    }
    let (sent, received) = (run.sender.stats(), run.receiver.stats());
    let (phase, finished) = (run.sender.phase(), run.sender.finished());
    let bytes = run.receiver.delivered_bytes();
    format!(
        "{}\n{phase:?}, finished at {finished:?}, {bytes} B delivered\n{sent:?}\n{received:?}\n",
        run.text
    )
}

fn path(case: &Case) -> PathBuf {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/steps"));
    folder.join(format!("{}-{}.txt", case.0, case.1))
}

#[test]
fn every_step_is_the_golden_one() {
    let mut wrong = Vec::new();
    for case in CASES {
        let (golden, traced) = (std::fs::read_to_string(path(case)).unwrap_or_default(), trace(case));
        if golden != traced {
            let first = golden.lines().zip(traced.lines()).find(|(a, b)| a != b);
            let (was, is) = first.unwrap_or(("nothing, or fewer lines", "more"));
            wrong.push(format!("{} {}:\n  golden {was}\n  traced {is}", case.0, case.1));
        }
    }
    assert!(wrong.is_empty(), "make pages writes them anew\n{}", wrong.join("\n"));
}

#[test]
#[ignore = "writes golden/steps/*.txt"]
fn renew_the_pages() {
    for case in CASES {
        std::fs::write(path(case), trace(case)).expect("writable");
    }
}
