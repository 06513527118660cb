//! User-defined congestion controls: chosen by name, run like the built-in ones, and stopped if they break the
//! contract.

use base::{Duration, Instant};
use engine::Control;
use sim::scenario::Document;
use sim::{Job, RunError, RunOptions, run, run_many};
use tcp::congestion::{
    AckSample, Algorithm, CongestionControl, Controls, Custom, LossSample, Needs, Parameter, Reaction, Window,
};

const MINE: Algorithm = Algorithm {
    name: "mine",
    summary: "Reno once more",
    source: "this test",
    aliases: &[],
    linux: false,
    parameters: &[Parameter {
        name: "increase",
        unit: "segments per round trip",
        default: 1.0,
        min: 0.0,
        max: 10.0,
        choices: &[],
        summary: "growth of the window",
    }],
};

/// A Reno with a hook, `spoil`, by which a test breaks the contract of a congestion control.
#[derive(Clone, Debug)]
struct Mine {
    window: Window,
    increase: f64,
    spoil: fn(&mut Mine, &AckSample),
    wake: Option<Instant>,
}

impl CongestionControl for Mine {
    tcp::own_window!();

    fn needs(&self) -> Needs {
        Needs { timer: true, ..Needs::default() }
    }
    fn on_ack(&mut self, ack: &AckSample) {
        if ack.grow {
            self.window.grow(ack.count, self.increase);
        }
        (self.spoil)(self, ack);
    }
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.window.cut(loss, 0.5);
        Reaction::CUT
    }
    fn wake(&self) -> Option<Instant> {
        self.wake
    }
    fn on_timer(&mut self, now: Instant) {
        self.window.cwnd += 0.01;
        self.wake = Some(now + Duration::from_ms(10));
    }
    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        show("twice", 2.0 * self.window.cwnd);
    }
}

fn scenario(variant: &str, spoil: fn(&mut Mine, &AckSample)) -> Document {
    let text = format!(
        "duration = \"20s\"\n\
         [[link]]\nbetween = [\"a\", \"b\"]\nrate = \"5Mbps\"\ndelay = \"20ms\"\nqueue = {{ kind = \"droptail\", packets = 20 }}\n\
         loss = {{ kind = \"random\", rate = 0.002 }}\n\
         [[flow]]\nname = \"f\"\nfrom = \"a\"\nto = \"b\"\ntcp = {{ variant = \"{variant}\" }}\n"
    );
    let mut controls = Controls::default();
    controls.add(Custom::new(&MINE, move |values, window| Mine {
        window,
        increase: values[0],
        spoil,
        wake: None,
    }));
    Document::from_toml(&text).expect("TOML").with_controls(&controls)
}

fn summary(document: &Document) -> String {
    let results = run(document, &RunOptions::default(), &Control::default()).expect("it runs");
    let summary = results.summary();
    summary.split("\"manifest\"").next().expect("a part").to_owned()
}

fn fault(spoil: fn(&mut Mine, &AckSample)) -> String {
    let error =
        run(&scenario("mine", spoil), &RunOptions::default(), &Control::default()).expect_err("it stops");
    assert!(matches!(error, RunError::Control(_)), "{error}");
    error.to_string()
}

#[test]
fn reno_from_outside_gives_the_packets_of_ours() {
    let nothing = |_: &mut Mine, _: &AckSample| ();
    for (theirs, ours) in [("mine", "sack"), ("newreno+mine", "newreno"), ("Reno+mine", "reno")] {
        let theirs = summary(&scenario(theirs, nothing));
        let ours = summary(&scenario(ours, nothing));
        let unnamed = |text: &str| {
            let start = text.find("\"variant\"").expect("a variant");
            let end = start + text[start..].find(',').expect("more");
            text[..start].to_owned() + &text[end..]
        };
        assert_eq!(unnamed(&theirs), unnamed(&ours));
        assert!(ours.contains("\"fast_retransmits\": ") || ours.contains("\"fast_retransmits\":"));
    }
}

#[test]
fn its_parameters_are_read_like_those_of_ours() {
    let nothing = |_: &mut Mine, _: &AckSample| ();
    let mut faster = scenario("mine", nothing);
    faster.set("flow.0.tcp.control.increase", "4").expect("a path");
    assert_ne!(summary(&faster), summary(&scenario("mine", nothing)));
    let mut refused = scenario("mine", nothing);
    refused.set("flow.0.tcp.control.increase", "11").expect("a path");
    assert_eq!(refused.check().expect_err("out of range").path, "flow.f.tcp.control.increase");
    let unknown = scenario("mien", nothing).check().expect_err("no such control");
    assert_eq!(unknown.nearest.as_deref(), Some("mine"));
}

#[test]
fn a_window_that_is_none_stops_the_run_and_says_where() {
    let nan = fault(|mine, ack| {
        if ack.now > Instant::ZERO + Duration::from_secs(2) {
            mine.window.cwnd = f64::NAN;
        }
    });
    assert!(nan.starts_with("mine in flow f at 2.0"), "{nan}");
    assert!(
        nan.contains("cwnd is NaN; it is a number of segments from 1 to")
            && nan.contains("on_ack(AckSample(now=2.0"),
        "{nan}"
    );
    assert!(fault(|mine, _| mine.window.cwnd = -1.0).contains("cwnd is -1;"));
    assert!(fault(|mine, _| mine.window.cwnd = f64::INFINITY).contains("cwnd is inf;"));
    assert!(fault(|mine, _| mine.window.ssthresh = f64::NAN).contains("ssthresh is NaN;"));
}

#[test]
fn a_timer_that_it_asks_for_goes_off_when_it_is_due() {
    let timed = scenario("mine", |mine, ack| {
        if mine.wake.is_none() {
            mine.wake = Some(ack.now + Duration::from_ms(5));
        }
    });
    let quiet = scenario("mine", |_, _| ());
    assert!(summary(&timed) != summary(&quiet), "a hundredth of a segment more each 10 ms shows");
    // A wake-up time in the past is ignored: the run still ends.
    let past = scenario("mine", |mine, _| mine.wake = Some(Instant::ZERO));
    assert_eq!(summary(&past), summary(&quiet));
}

#[test]
fn what_it_traces_is_in_the_trace() {
    let options = RunOptions {
        observe: metrics::Observe::parse(&["control".to_owned()], Duration::from_secs(1)).expect("a trace"),
        ..RunOptions::default()
    };
    let results = run(&scenario("mine", |_, _| ()), &options, &Control::default()).expect("it runs");
    let mut csv = Vec::new();
    results.traces["control"].write_csv(&mut csv).expect("memory");
    let csv = String::from_utf8(csv).expect("text");
    assert!(csv.lines().nth(1).is_some_and(|line| line.ends_with(",0,twice,20")), "{csv:.200}");
    assert!(csv.lines().count() > 100);
}

/// A panic in one of many parallel runs ends all of them, with an error that names the run at fault.
#[test]
fn a_panic_in_one_run_of_many_says_which() {
    let nothing = |_: &mut Mine, _: &AckSample| ();
    let panics = |_: &mut Mine, ack: &AckSample| {
        assert!(ack.now < Instant::ZERO + Duration::from_secs(2), "a bug at {}", ack.now.secs());
    };
    for threads in [1, 2] {
        let documents = [scenario("mine", nothing), scenario("mine", panics), scenario("mine", nothing)];
        let jobs = documents.map(|document| Job { document, scenario: None, options: RunOptions::default() });
        let (at, error) = run_many(&jobs, threads, &Control::default(), &|_| ()).expect_err("a fault");
        assert_eq!(at, 1);
        assert!(matches!(&error, RunError::Fault(said) if said.starts_with("a bug at 2.0")), "{error}");
    }
}
