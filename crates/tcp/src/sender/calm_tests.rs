//! The calm path is the general one: of two senders and of two receivers that get the same calls, one is held off the
//! calm path. After each call both have sent the same packets, reported the same events, and are in the same state.

use super::super::connection::{Phase, Sender};
use crate::config::{Ecn as Mode, HyStartForm, Parameters, WindowReduction};
use crate::congestion::{Control, Controls};
use crate::recovery::{Recovery, State};
use crate::{Config, Event, Receiver, Table};
use base::{AckHeader, DataHeader, Duration, Ecn, Instant, Rng, Stamp};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Time of one segment on the bottleneck.
const SERVICE: Duration = Duration::from_ms(1);
/// Longest queueing time: a segment that would wait longer is lost.
const QUEUE: Duration = Duration::from_ms(40);
/// Delay of the path in one direction.
const DELAY: Duration = Duration::from_ms(20);
/// Number of arrivals and expiries after which a transfer is stopped.
const MOST_STEPS: usize = 900;

/// Settings of one transfer, and what the path does to it.
#[derive(Clone, Debug)]
struct Case {
    variant: String,
    profile: &'static str,
    timestamps: Option<bool>,
    ecn: Option<Mode>,
    pacing: Option<bool>,
    delayed: bool,
    hystart: Option<HyStartForm>,
    reduction: Option<WindowReduction>,
    /// Segments to send; `None` for a transfer without end.
    size: Option<u64>,
    /// Probability that a packet is lost, late, doubled or marked, each.
    trouble: f64,
    seed: u64,
}

impl Case {
    fn config(&self) -> Config {
        let table = Table {
            variant: Some(self.variant.clone()),
            profile: Some(self.profile.into()),
            parameters: Parameters::default(),
            controls: Controls::default(),
        };
        let (_, mut config) = table.resolve().expect("a variant");
        let set = &mut config;
        self.timestamps.into_iter().for_each(|given| set.options.timestamps = given);
        self.ecn.into_iter().for_each(|given| set.options.ecn = given);
        self.pacing.into_iter().for_each(|given| set.growth.pacing = given);
        self.hystart.into_iter().for_each(|given| set.growth.hystart = given);
        self.reduction.into_iter().for_each(|given| set.decrease.window_reduction = given);
        if !self.delayed {
            set.acks.delayed_ack = Duration::ZERO;
        }
        config
    }
}

/// A sender, and another one that gets the same calls and never takes the calm path.
struct Twins {
    free: Sender,
    held: Sender,
    /// Number of acknowledgments that the first sender was calm for.
    calm: u32,
    /// Number of times that the first sender has left calm.
    left: u32,
}

impl Twins {
    fn new(config: &Arc<Config>) -> Self {
        let sender = Sender::new(config, Duration::ZERO);
        Self { free: sender.clone(), held: sender, calm: 0, left: 0 }
    }

    /// Makes the same call to both, and compares the senders.
    fn call(&mut self, call: impl Fn(&mut Sender)) {
        let was_calm = self.free.calm;
        self.held.calm = false;
        call(&mut self.free);
        call(&mut self.held);
        self.left += u32::from(was_calm && !self.free.calm);
        self.compare();
    }

    fn ack(&mut self, now: Instant, ack: &AckHeader) {
        self.calm += u32::from(self.free.calm && self.free.takes_calmly(ack));
        self.call(|sender| sender.on_ack(now, ack));
    }

    /// Takes the next segment out of both.
    fn poll(&mut self, now: Instant) -> Option<DataHeader> {
        self.held.calm = false;
        let (sent, expected) = (self.free.poll(now), self.held.poll(now));
        assert_eq!(sent, expected);
        self.compare();
        sent.map(|(segment, _)| segment)
    }

    fn compare(&mut self) {
        let [free, held] = [&self.free, &self.held].map(|sender| {
            let mut same = sender.clone();
            same.calm = false;
            if let State::Rack(state) = &mut same.recovery {
                state.clear_scratch();
            }
            format!("{same:?}")
        });
        assert_eq!(free, held);
        assert!(!self.free.calm || self.free.is_calm(), "the sender has left calm");
        assert_eq!(self.free.timer(), self.held.timer());
        assert_eq!(self.free.release(), self.held.release());
        let events = |sender: &mut Sender| std::iter::from_fn(|| sender.poll_event()).collect::<Vec<Event>>();
        assert_eq!(events(&mut self.free), events(&mut self.held));
    }
}

/// A receiver, and another one that gets the same calls and never takes the calm path.
struct Receivers {
    free: Receiver,
    held: Receiver,
    /// Number of segments that the first receiver was calm for.
    calm: u32,
}

impl Receivers {
    fn new(config: &Config) -> Self {
        Self { free: Receiver::new(config), held: Receiver::new(config), calm: 0 }
    }

    fn call(&mut self, call: impl Fn(&mut Receiver)) {
        self.held.leave_calm();
        call(&mut self.free);
        call(&mut self.held);
        self.compare();
    }

    fn segment(&mut self, now: Instant, segment: &DataHeader) {
        self.calm += u32::from(self.free.calm());
        self.call(|receiver| receiver.on_segment(now, segment));
    }

    fn poll(&mut self, now: Instant) -> Option<AckHeader> {
        self.held.leave_calm();
        let (sent, expected) = (self.free.poll(now), self.held.poll(now));
        assert_eq!(sent, expected);
        self.compare();
        sent.map(|(ack, _)| ack)
    }

    fn compare(&mut self) {
        let [free, held] = [&self.free, &self.held].map(|receiver| {
            let mut same = receiver.clone();
            same.leave_calm();
            format!("{same:?}")
        });
        assert_eq!(free, held);
    }
}

/// A path with a bottleneck and a short queue, both ways of which lose, delay, double and mark packets.
struct Path {
    rng: Rng,
    trouble: f64,
    free: Instant,
    number: u64,
    flying: BTreeMap<(Instant, u64), Result<(DataHeader, bool), AckHeader>>,
}

impl Path {
    fn troubles(&mut self) -> bool {
        self.rng.uniform() < self.trouble
    }

    fn launch(&mut self, at: Instant, packet: Result<(DataHeader, bool), AckHeader>) {
        if self.troubles() {
            return;
        }
        let late = if self.troubles() { self.rng.duration_below(DELAY * 2) } else { Duration::ZERO };
        for _ in 0..=u32::from(self.troubles()) {
            self.number += 1;
            self.flying.insert((at + DELAY + late, self.number), packet);
        }
    }

    fn segment(&mut self, now: Instant, segment: DataHeader, capable: bool) {
        if self.free.since(now) > QUEUE {
            return;
        }
        self.free = self.free.max(now) + SERVICE;
        let marked = capable && self.troubles();
        self.launch(self.free, Ok((segment, marked)));
    }
}

/// Carries out a transfer by twins. Returns the acknowledgments and the segments taken in calm, and how often the sender
/// left calm.
fn transfer(case: &Case) -> (u32, u32, u32) {
    let config = Arc::new(case.config());
    let (mut twins, mut receivers) = (Twins::new(&config), Receivers::new(&config));
    let rng = Rng::stream(case.seed, "path");
    let mut path =
        Path { rng, trouble: case.trouble, free: Instant::ZERO, number: 0, flying: BTreeMap::new() };
    let mut now = Instant::ZERO;
    let bytes = case.size.map(|size| size * u64::from(config.sizes.segment) - 100);
    twins.call(|sender| sender.open(now, bytes));
    for step in 0..MOST_STEPS {
        while let Some(segment) = twins.poll(now) {
            let capable = twins.free.codepoint(&segment) != Ecn::NotEct;
            path.segment(now, segment, capable);
        }
        while let Some(ack) = receivers.poll(now) {
            path.launch(now, Err(ack));
        }
        let arrival = path.flying.first_key_value().map(|((at, _), _)| *at);
        let at = |stamp: Option<Stamp>| stamp.map(|stamp| stamp.at);
        let timers = [at(twins.free.timer()), at(twins.free.release()), at(receivers.free.timer())];
        let Some(next) = timers.into_iter().chain([arrival]).flatten().min() else { break };
        now = next;
        if arrival == Some(now) {
            match path.flying.pop_first().expect("it is there").1 {
                Ok((segment, marked)) => {
                    receivers.call(|receiver| receiver.on_ecn(marked));
                    if let Some(ack) = receivers.poll(now) {
                        path.launch(now, Err(ack));
                    }
                    receivers.segment(now, &segment);
                }
                Err(ack) => twins.ack(now, &ack),
            }
        } else if timers[0] == Some(now) {
            twins.call(|sender| sender.on_timer(now));
        } else if timers[2] == Some(now) {
            receivers.call(|receiver| receiver.on_timer(now));
        }
        match step {
            600 => twins.call(|sender| sender.set_cwnd(12.0)),
            800 => twins.call(Sender::stop),
            _ => {}
        }
        if twins.free.phase() == Phase::Closed {
            break;
        }
    }
    (twins.calm, receivers.calm, twins.left)
}

fn variants() -> Vec<String> {
    let pair = |(recovery, control): (&Recovery, &str)| format!("{}+{control}", recovery.name());
    let recoveries = Recovery::ALL.iter().map(|(recovery, ..)| recovery);
    let pairs = recoveries.flat_map(|recovery| Control::ALL.iter().map(move |a| (recovery, a.name)));
    pairs.map(pair).chain(["tcp-linux-cubic".to_owned(), "tcp-linux-reno".to_owned()]).collect()
}

const PROFILES: [&str; 4] = ["rfc", "linux", "ns2", "ns3"];

fn case() -> impl Strategy<Value = Case> {
    let some = |of: Vec<Mode>| prop::option::of(prop::sample::select(of));
    let windows = vec![WindowReduction::AtOnce, WindowReduction::RateHalving, WindowReduction::Prr];
    let hystart = vec![HyStartForm::None, HyStartForm::Rfc9406, HyStartForm::Linux];
    let names = (prop::sample::select(variants()), prop::sample::select(PROFILES.to_vec()));
    let options = (
        prop::option::of(any::<bool>()),
        some(vec![Mode::Off, Mode::Classic, Mode::Dctcp]),
        prop::option::of(any::<bool>()),
        any::<bool>(),
        prop::option::of(prop::sample::select(hystart)),
        prop::option::of(prop::sample::select(windows)),
    );
    let path = (prop::option::of(1u64..300), prop::sample::select(vec![0.0, 0.003, 0.02]), any::<u64>());
    (names, options, path).prop_map(|((variant, profile), options, (size, trouble, seed))| {
        let (timestamps, ecn, pacing, delayed, hystart, reduction) = options;
        Case { variant, profile, timestamps, ecn, pacing, delayed, hystart, reduction, size, trouble, seed }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn the_calm_path_is_the_general_one(case in case()) {
        transfer(&case);
    }
}

/// Returns a case of `variant` in `profile` with all other settings as the profile has them.
fn plain(variant: &str, profile: &'static str, trouble: f64) -> Case {
    Case {
        variant: variant.into(),
        profile,
        timestamps: None,
        ecn: None,
        pacing: None,
        delayed: true,
        hystart: None,
        reduction: None,
        size: None,
        trouble,
        seed: 7,
    }
}

#[test]
fn connections_enter_and_leave_calm() {
    for (variant, profile) in [("sack+reno", "rfc"), ("newreno", "rfc"), ("rack+cubic", "linux")] {
        let (acks, segments, left) = transfer(&plain(variant, profile, 0.0));
        assert!(
            acks > 100 && segments > 200 && left > 0,
            "{variant}: {acks}, {segments} in calm, left {left} times"
        );
    }
    let paced = Case { pacing: Some(true), ecn: Some(Mode::Classic), ..plain("rack+reno", "rfc", 0.0) };
    let stamped = Case { timestamps: Some(true), size: Some(250), ..plain("sack+cubic", "rfc", 0.0) };
    for case in [paced, stamped] {
        let (acks, segments, _) = transfer(&case);
        assert!(acks > 80 && segments > 150, "{case:?}: {acks}, {segments} in calm");
    }
    assert_eq!(transfer(&plain("fack+reno", "rfc", 0.0)).0, 0);
}

#[test]
#[ignore = "takes seconds of processor time: every recovery with every control"]
fn the_calm_path_is_the_general_one_for_every_pair() {
    for (variant, profile) in variants().iter().zip(PROFILES.iter().cycle()) {
        transfer(&plain(variant, profile, 0.004));
    }
}

#[test]
fn calm_needs_few_cache_lines() {
    let lines = [Sender::CALM_BYTES, Receiver::CALM_BYTES].map(|bytes| bytes.div_ceil(64));
    assert_eq!((align_of::<Sender>(), lines), (64, [7, 2]));
}
