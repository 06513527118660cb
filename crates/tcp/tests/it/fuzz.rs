//! Random tests of every pair of loss recovery and congestion control over a path that loses, duplicates and reorders packets.
//!
//! Every byte is delivered once and in order, windows stay within bounds, and a timer runs while data is outstanding.

use base::{AckHeader, DataHeader, Duration, Ecn, Instant};
use proptest::prelude::*;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;
use tcp::config::{
    Config, Ecn as Mode, HyStartForm, Reduction, SackLoss, SackPipe, SackTail, WindowReduction,
};
use tcp::congestion::Control;
use tcp::recovery::Recovery;
use tcp::{Phase, Receiver, Sender};

use crate::common::{config, least_window};

/// Returns the configuration, with the settings of TCP-Linux if `asked`.
fn linux_like(config: Config, asked: bool) -> Config {
    if !asked {
        return config;
    }
    let mut changed = config;
    changed.detection.sack_pipe = SackPipe::Scoreboard;
    changed.detection.sack_loss = SackLoss::Forward;
    changed.detection.sack_tail = SackTail::Wait;
    changed.detection.lost_retransmission = 1;
    changed.detection.overtaken_retransmission = 5;
    changed.decrease.halving_floor = 0.5;
    changed.fast_recovery.exit_burst = 3;
    changed.fast_recovery.clear_scoreboard_on_exit = true;
    changed.decrease.loss_floor = 2.0;
    changed.timers.dup_ack_timer = true;
    changed.timers.dup_ack_timing = true;
    changed.timers.timing_in_recovery = true;
    changed.connection.early_data = true;
    changed.growth.slow_start_at_threshold = true;
    changed.growth.whole_growth = true;
    changed.growth.avoidance_by_segments = true;
    changed.decrease.halve_in_slow_start = false;
    changed
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Data(usize),
    Ack(usize),
}

/// A path that treats each packet by the next of `fates`, and delivers all packets after the last fate.
#[derive(Clone, Debug)]
struct Path {
    fates: Vec<Fate>,
    next: usize,
}

#[derive(Clone, Debug)]
enum Fate {
    Pass,
    Lose,
    Late(u64),
    Twice(u64),
    /// A queue marks the packet (ECN).
    Mark,
}

impl Path {
    /// Returns true if [`Path::carry`] will mark the next packet.
    fn marks(&self) -> bool {
        matches!(self.fates.get(self.next), Some(Fate::Mark))
    }

    /// Applies the next fate and returns the arrival times of the copies of a packet sent at `now`.
    fn carry(&mut self, now: Instant) -> Vec<Instant> {
        let fate = self.fates.get(self.next).cloned().unwrap_or(Fate::Pass);
        self.next += 1;
        let usual = now + Duration::from_ms(50);
        match fate {
            Fate::Pass | Fate::Mark => vec![usual],
            Fate::Lose => vec![],
            Fate::Late(ms) => vec![usual + Duration::from_ms(ms)],
            Fate::Twice(ms) => vec![usual, usual + Duration::from_ms(ms)],
        }
    }
}

fn transfer(config: &Config, size: u64, out: Vec<Fate>, back: Vec<Fate>) -> Result<(), TestCaseError> {
    let mut sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
    let mut receiver = Receiver::new(config);
    let (mut out, mut back) = (Path { fates: out, next: 0 }, Path { fates: back, next: 0 });
    let mut heap: BinaryHeap<Reverse<(Instant, usize, What)>> = BinaryHeap::new();
    let (mut segments, mut acks): (Vec<DataHeader>, Vec<AckHeader>) = (Vec::new(), Vec::new());
    let mut marked = Vec::new();
    let mut now = Instant::ZERO;
    let mut order = 0;
    let limit = Instant::ZERO + Duration::from_secs(100_000);
    sender.open(now, Some(size));
    loop {
        while let Some((segment, wire)) = sender.poll(now) {
            prop_assert!(wire > 0);
            marked.push(out.marks() && sender.codepoint(&segment) != Ecn::NotEct);
            segments.push(segment);
            for at in out.carry(now) {
                order += 1;
                heap.push(Reverse((at, order, What::Data(segments.len() - 1))));
            }
        }
        while let Some((ack, _)) = receiver.poll(now) {
            acks.push(ack);
            for at in back.carry(now) {
                order += 1;
                heap.push(Reverse((at, order, What::Ack(acks.len() - 1))));
            }
        }
        let (una, next, max) = sender.sequence();
        prop_assert!(una <= next && next <= max.max(next));
        let least = least_window(config);
        prop_assert!(sender.cwnd() >= least && sender.cwnd().is_finite(), "cwnd {}", sender.cwnd());
        prop_assert_eq!(sender.stalled(), None, "{} of {} acknowledged, cwnd {}", una, max, sender.cwnd());
        prop_assert!(sender.ssthresh() >= 2.0);
        prop_assert!((max - una) as f64 <= config.windows.max_window + 1.0, "{} outstanding", max - una);
        let done = sender.finished().is_some() && receiver.delivered_bytes() == size;
        if done && (sender.phase() == Phase::Closed || !config.connection.fin) {
            break;
        }
        let released = sender.release().map(|release| release.at);
        prop_assert!(una == max || sender.timer().is_some(), "outstanding data and no timer");
        let arrival = heap.peek().map(|Reverse((at, ..))| *at);
        let timers = [sender.timer(), receiver.timer()].map(|t| t.map(|t| t.at));
        let due = [arrival, timers[0], timers[1], released].into_iter().flatten().min();
        let Some(due) = due else {
            return Err(TestCaseError::fail(format!(
                "nothing left to happen: {una} of {max} acknowledged, {next} next, {:?}, finished {:?}, cwnd {}, {} of {size} B delivered",
                sender.phase(),
                sender.finished(),
                sender.cwnd(),
                receiver.delivered_bytes(),
            )));
        };
        prop_assert!(due >= now && due < limit, "no end in sight at {due}");
        now = due;
        if arrival == Some(due) {
            if let Some(Reverse((_, _, what))) = heap.pop() {
                match what {
                    What::Data(i) => {
                        receiver.on_ecn(marked[i]);
                        while let Some((ack, _)) = receiver.poll(now) {
                            acks.push(ack);
                            for at in back.carry(now) {
                                order += 1;
                                heap.push(Reverse((at, order, What::Ack(acks.len() - 1))));
                            }
                        }
                        receiver.on_segment(now, &segments[i]);
                    }
                    What::Ack(i) => sender.on_ack(now, &acks[i]),
                }
            }
        } else if timers[0] == Some(due) {
            sender.on_timer(now);
        } else if timers[1] == Some(due) {
            receiver.on_timer(now);
        }
    }
    prop_assert_eq!(receiver.delivered_bytes(), size);
    prop_assert_eq!(sender.stats().acked_bytes, size);
    Ok(())
}

fn fates() -> impl Strategy<Value = Vec<Fate>> {
    let fate = prop_oneof![
        12 => Just(Fate::Pass),
        2 => Just(Fate::Lose),
        1 => (1u64..300).prop_map(Fate::Late),
        1 => (0u64..300).prop_map(Fate::Twice),
        1 => Just(Fate::Mark),
    ];
    prop::collection::vec(fate, 0..250)
}

fn every_pair() -> Vec<(Recovery, Control)> {
    let mut pairs = Vec::new();
    for (recovery, ..) in Recovery::ALL {
        for algorithm in Control::ALL {
            pairs.push((*recovery, Control::by_name(algorithm.name, &[]).expect("registered")));
        }
    }
    pairs
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_byte_arrives_once_and_in_order(
        size in 1u64..150_000,
        out in fates(),
        back in fates(),
        like_ns2: bool,
        delayed: bool,
        reduction in prop::sample::select(vec![
            WindowReduction::AtOnce, WindowReduction::RateHalving, WindowReduction::Prr, WindowReduction::PrrNs3,
        ]),
        like_linux: bool,
        hystart in prop::sample::select(vec![HyStartForm::None, HyStartForm::Rfc9406, HyStartForm::Linux]),
        ecn in prop::sample::select(vec![Mode::Off, Mode::Classic, Mode::Dctcp]),
        pipe: bool,
        no_floor: bool,
    ) {
        for (recovery, control) in every_pair() {
            let name = format!("{}+{}", recovery.name(), control.algorithm().name);
            let mut config = linux_like(config(recovery, control, like_ns2, delayed), like_linux);
            config.decrease.window_reduction = reduction;
            config.growth.hystart = hystart;
            config.options.ecn = ecn;
            if pipe {
                config.decrease.reduction = Reduction::Pipe;
            }
            if no_floor {
                config.decrease.loss_floor = 0.0;
            }
            transfer(&config, size, out.clone(), back.clone())
                .map_err(|e| TestCaseError::fail(format!("{name}, ns-2 {like_ns2}, delayed {delayed}, {reduction:?}, Linux {like_linux}, HyStart {hystart:?}, {ecn:?}, pipe {pipe}, no floor {no_floor}: {e}")))?;
        }
    }
}

/// Regression test: a retransmission that the counted pipe had not included once made the data in flight negative.
#[test]
fn the_counted_estimate_may_stand_at_nothing_when_a_retransmission_is_booked() {
    use Fate::{Late, Lose, Pass, Twice};
    #[rustfmt::skip]
    let out = vec![
        Pass, Pass, Pass, Lose, Pass, Pass, Twice(0), Pass, Pass, Pass, Lose, Pass, Late(1), Lose, Late(1), Pass, Pass, Pass,
        Pass, Late(1), Pass, Late(209), Pass, Twice(40), Pass,
    ];
    let back = vec![Late(270), Twice(0), Pass, Pass, Pass, Pass, Pass];
    for (recovery, control) in every_pair() {
        let mut config = config(recovery, control, true, false);
        config.decrease.window_reduction = WindowReduction::RateHalving;
        transfer(&config, 21_525, out.clone(), back.clone()).expect("every byte arrives");
    }
}

#[test]
fn a_clean_path_needs_no_retransmission() {
    for (recovery, control) in every_pair() {
        for like_ns2 in [false, true] {
            let config = config(recovery, control.clone(), like_ns2, false);
            transfer(&config, 400_000, vec![Fate::Pass], vec![Fate::Pass]).expect("clean");
        }
    }
}
