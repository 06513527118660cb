//! Flows over stacks of a user: a stop-and-wait stack on a path, and stacks that break the contract.

use base::{Duration, Instant, Rng};
use engine::Control;
use serde_json::Value;
use sim::scenario::Document;
use sim::{RunOptions, run};
use stack::{About, Custom, Datagram, Ends, Stack, Stacks};

/// Way in which a stack breaks the contract.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    NeverWakes,
    Panics,
    SendsWithoutEnd,
    TimesOutInThePast,
    TakesEverything,
    ChangesData,
    TooLarge,
    GivesUp,
}

/// One end of a stop-and-wait stack. A datagram has a number, its kind (0 data, 1 end of the stream, 2 acknowledgment), and
/// data.
struct End {
    fault: Fault,
    number: u8,
    in_flight: Option<Datagram>,
    to_send: Option<Datagram>,
    wake: Option<Instant>,
    received: Vec<u8>,
    last: bool,
}

impl End {
    fn new(fault: Fault) -> Self {
        let (in_flight, to_send, wake, received) = (None, None, None, Vec::new());
        Self { fault, number: 0, in_flight, to_send, wake, received, last: false }
    }

    fn begin(&mut self, kind: u8, data: &[u8]) {
        self.in_flight = Some(Datagram::new([&[self.number, kind], data].concat()));
        self.to_send = self.in_flight.clone();
    }
}

impl Stack for End {
    fn receive(&mut self, now: Instant, datagram: Datagram) {
        let [number, kind, data @ ..] = &datagram.bytes[..] else { return };
        assert!(
            self.fault != Fault::Panics || now < Instant::ZERO + Duration::from_secs(1),
            "number {number}"
        );
        if *kind == 2 {
            if *number == self.number && self.in_flight.take().is_some() {
                self.number = self.number.wrapping_add(1);
                self.wake = None;
            }
            return;
        }
        if *number == self.number {
            self.received.extend(data);
            self.last = *kind == 1;
            self.number = self.number.wrapping_add(1);
        }
        self.to_send = Some(Datagram::new(vec![*number, 2]));
    }

    fn on_timeout(&mut self, now: Instant) {
        if self.fault == Fault::TimesOutInThePast {
            self.wake = Some(Instant::from_ps(now.ps() / 2));
            return;
        }
        self.wake = None;
        self.to_send = self.in_flight.clone();
    }

    fn next_timeout(&mut self) -> Option<Instant> {
        self.wake.filter(|_| self.fault != Fault::NeverWakes)
    }

    fn transmit(&mut self, now: Instant) -> Option<Datagram> {
        match self.fault {
            Fault::SendsWithoutEnd => return Some(Datagram::new(vec![0; 100])),
            Fault::TooLarge => return Some(Datagram::new(vec![0; 1003])),
            _ => {}
        }
        let datagram = self.to_send.take()?;
        self.wake = self.in_flight.as_ref().map(|_| now + Duration::from_ms(500));
        Some(datagram)
    }

    fn write(&mut self, _: Instant, bytes: &[u8]) -> usize {
        if self.fault == Fault::TakesEverything {
            return bytes.len();
        }
        if self.in_flight.is_some() || self.last {
            return 0;
        }
        let part = &bytes[..bytes.len().min(1000)];
        self.begin(0, part);
        part.len()
    }

    fn end(&mut self, _: Instant) -> bool {
        if self.in_flight.is_some() {
            return false;
        }
        self.last = true;
        self.begin(1, &[]);
        true
    }

    fn read(&mut self, _: Instant, into: &mut Vec<u8>) -> bool {
        if self.fault == Fault::ChangesData
            && let Some(byte) = self.received.get_mut(7)
        {
            *byte += 1;
        }
        into.append(&mut self.received);
        self.last
    }

    fn finished(&self) -> bool {
        self.last && self.in_flight.is_none()
    }

    fn failed(&self) -> Option<String> {
        (self.fault == Fault::GivesUp && self.number > 3).then(|| "three datagrams are enough".to_owned())
    }
}

static ABOUT: About = About {
    name: "stop-and-wait",
    summary: "one datagram at a time",
    source: "a test",
    headers: 28,
    largest: 1002,
};

fn stacks(fault: Fault) -> Stacks {
    let mut stacks = Stacks::default();
    stacks.add(Custom::new(&ABOUT, move |_: Rng| Ends::new(End::new(fault), End::new(fault))));
    stacks
}

const PATH: &str = r#"
duration = "10s"
[[link]]
name = "path"
between = ["a", "b"]
rate = "10Mbps"
delay = "20ms"
queue = 50
[[flow]]
from = "a"
to = "b"
"#;

fn outcome(fault: Fault, flow: &str) -> Result<Value, String> {
    let document =
        Document::from_toml(&format!("{PATH}{flow}")).expect("it parses").with_stacks(&stacks(fault));
    let result = run(&document, &RunOptions::default(), &Control::default()).map_err(|e| e.to_string())?;
    Ok(serde_json::from_str(&result.summary()).expect("JSON"))
}

const NAMED: &str = "stack = { variant = \"stop-and-wait\" }\n";

/// A round trip takes 2 * 20 ms, 1030 bytes one way and 30 bytes back at 10 Mb/s: 40.848 ms for 1000 bytes.
#[test]
fn one_datagram_a_round_trip() {
    let summary = outcome(Fault::None, NAMED).expect("it runs");
    let flow = &summary["flows"][0];
    assert_eq!(flow["variant"], "stop-and-wait");
    let rounds = (10.0f64 / 0.040848 - 0.5).round();
    let delivered = flow["delivered_bytes"].as_f64().expect("a number");
    assert!((delivered - rounds * 1000.0).abs() <= 1000.0, "{delivered} of {rounds} rounds");
}

#[test]
fn a_variant_of_tcp_names_it_too() {
    let both = ["tcp = { variant = \"stop-and-wait\" }\n", "tcp = { variant = \"Stop-And-Wait\" }\n", NAMED];
    let flows = both.map(|flow| outcome(Fault::None, flow).expect("it runs")["flows"].clone());
    assert_eq!(flows[0], flows[2]);
    assert_eq!(flows[1], flows[2]);
}

#[test]
fn a_transfer_completes_on_a_lossy_path() {
    let flow = format!("{NAMED}traffic = {{ kind = \"ftp\", size = \"50kB\" }}\n");
    let text = format!("{PATH}{flow}").replace("queue = 50", "queue = 50\nloss = 0.05");
    let document = Document::from_toml(&text).expect("it parses").with_stacks(&stacks(Fault::None));
    let result = run(&document, &RunOptions::default(), &Control::default()).expect("it runs");
    let summary: Value = serde_json::from_str(&result.summary()).expect("JSON");
    assert_eq!(summary["flows"][0]["delivered_bytes"], 50_000);
    assert!(
        summary["flows"][0]["fct_s"].as_f64().is_some_and(|took| (2.0..10.0).contains(&took)),
        "{summary}"
    );
}

#[test]
fn a_stack_that_breaks_the_contract_ends_the_run_by_name() {
    for (fault, said) in [
        (Fault::Panics, "it panicked in `receive`: number "),
        (Fault::SendsWithoutEnd, "it sent more than 1048576 datagrams within 1 ms"),
        (Fault::TakesEverything, "it never says that its buffer is full"),
        (Fault::ChangesData, "byte 7 of the stream arrived as 8, not as 7"),
        (Fault::TooLarge, "it sent a datagram of 1003 bytes: it says that 1002 is the most"),
    ] {
        let error = outcome(fault, NAMED).expect_err("an error");
        assert!(error.starts_with("flow.0.stack: flow \"flow0\": the "), "{fault:?}: {error}");
        assert!(error.contains(" of stack stop-and-wait at "), "{fault:?}: {error}");
        assert!(error.contains(said), "{fault:?}: {error}");
    }
}

#[test]
fn a_timeout_that_has_passed_again_and_again_ends_the_run() {
    let lossy = format!("{PATH}{NAMED}").replace("queue = 50", "queue = 50\nloss = 0.5");
    let document =
        Document::from_toml(&lossy).expect("it parses").with_stacks(&stacks(Fault::TimesOutInThePast));
    let error =
        run(&document, &RunOptions::default(), &Control::default()).expect_err("an error").to_string();
    assert!(error.contains("it asked for more than 65536 timeouts within 1 ms"), "{error}");
}

/// A stack without timers waits forever for a lost datagram, and one that gives up sends nothing more. Both are verdicts of
/// the run: the flow counts as stalled since its last packet.
#[test]
fn a_stack_that_never_wakes_is_stalled() {
    let lossy = format!("{PATH}{NAMED}").replace("queue = 50", "queue = 50\nloss = 0.05");
    for fault in [Fault::NeverWakes, Fault::GivesUp] {
        let document = Document::from_toml(&lossy).expect("it parses").with_stacks(&stacks(fault));
        let result = run(&document, &RunOptions::default(), &Control::default()).expect("it runs");
        let summary: Value = serde_json::from_str(&result.summary()).expect("JSON");
        let stalled = summary["flows"][0]["stalled_s"].as_f64().expect("it is stalled");
        assert!((0.0..8.0).contains(&stalled), "{fault:?}: {summary}");
    }
}

#[test]
fn names_and_tables_are_checked() {
    let unknown = outcome(Fault::None, "stack = { variant = \"stop-and-weight\" }\n").expect_err("an error");
    assert!(unknown.contains("this program has no stack `stop-and-weight`"), "{unknown}");
    assert!(unknown.contains("did you mean `stop-and-wait`?"), "{unknown}");
    let document = Document::from_toml(&format!("{PATH}{NAMED}")).expect("it parses");
    let none = document.check().expect_err("an error").to_string();
    assert!(none.contains("none was built into it"), "{none}");
    let both = outcome(Fault::None, &format!("{NAMED}quic = {{ variant = \"quinn-cubic\" }}\n"))
        .expect_err("an error");
    assert!(both.contains("flow.0.quic") && both.contains("it has no `quic`"), "{both}");
    let writes = format!("{NAMED}traffic = {{ kind = \"cbr\", rate = \"1Mbps\", packet = \"500B\" }}\n");
    let writes = outcome(Fault::None, &writes).expect_err("an error");
    assert!(writes.contains("a flow over a stack of its own sends a file"), "{writes}");
}

/// A described scenario names the stack, and gives the same run.
#[test]
fn a_described_scenario_keeps_the_stack() {
    let document =
        Document::from_toml(&format!("{PATH}{NAMED}")).expect("it parses").with_stacks(&stacks(Fault::None));
    let described = sim::scenario::describe(&document.check().expect("it is valid"));
    let described: Value = serde_json::from_str(&described).expect("JSON");
    assert_eq!(described["flow"][0]["stack"]["variant"], "stop-and-wait");
    assert!(described["flow"][0].get("tcp").is_none());
}
