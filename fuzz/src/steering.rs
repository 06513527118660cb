//! A run that a program drives, and a congestion control that answers anything.

use super::draw::Draw;
use super::endpoint::drive;
use base::{DataRate, Duration, Instant, Rng};
use engine::{Attend, Control};
use sim::scenario::Document;
use sim::{RunError, RunOptions, Simulation, StartOptions, Wait};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tcp::congestion::{
    AckSample, Algorithm, CongestionControl, Controls, Custom, LossClassification, LossSample, Needs,
    Reaction, RecoveryStep, Window,
};
use tcp::{Sender, Table};

/// Returns a control that stops a run after `looks` checks; there are some thousand events between checks.
pub fn limited(looks: u64) -> Control {
    let count = AtomicU64::new(0);
    let attend = move |control: &Control| {
        if count.fetch_add(1, Ordering::Relaxed) >= looks {
            control.stop.store(true, Ordering::Relaxed);
        }
    };
    Control { attend: Some(Attend(Arc::new(attend))), ..Control::default() }
}

/// Two flows over a link that loses packets. [`hostile_control`] sets the variant of the first flow.
const SCENARIO: &str = r#"
duration = "5s"
seed = 1
[[link]]
between = ["a", "b"]
rate = "2Mbps"
delay = "5ms"
queue = 20
loss = { kind = "random", rate = 0.01 }
[[flow]]
from = "a"
to = "b"
tcp = { variant = "cubic" }
[[flow]]
from = "a"
to = "b"
traffic = { kind = "ftp", size = "200kB" }
tcp = { variant = "bbr" }
"#;

fn judge(result: Result<bool, RunError>) -> bool {
    match result {
        Ok(_) => true,
        Err(RunError::Interrupted | RunError::Control(_)) => false,
        Err(error) => panic!("{error}"),
    }
}

/// Runs a simulation by arbitrary calls: pauses, waits, windows, pacing rates, rates of a link, copies.
pub fn steering(data: &[u8]) {
    let mut draw = Draw::new(data);
    let document = Document::from_toml(SCENARIO).expect("the scenario is TOML");
    let start = StartOptions { adjustable: vec![0], ..StartOptions::default() };
    let mut run = Simulation::start(&document, start).expect("the scenario is valid");
    let control = limited(6);
    while !draw.is_empty() {
        let flow = draw.below(2) as usize;
        match draw.below(12) {
            0 => run.set_cwnd(flow, draw.float()),
            1 => run.hold_cwnd(flow, draw.flag().then(|| draw.float())),
            2 => run.set_pacing_rate(flow, draw.flag().then(|| draw.float())),
            3 => {
                if let Some(rate) = DataRate::from_bps(draw.number()) {
                    run.set_link_rate(0, rate);
                }
            }
            4 => run = run.fork().expect("TCP can be copied"),
            5 => {
                let wait = draw.of(&[Wait::Ack, Wait::RoundTrip, Wait::Loss, Wait::Reaction]);
                let to = run.now() + Duration::from_ms(draw.below(1000));
                if !judge(run.advance(to, Some((flow, wait)), &control)) {
                    return;
                }
            }
            _ => {
                let to = draw.later(run.now());
                if !judge(run.advance(to, None, &control)) {
                    return;
                }
            }
        }
        let state = run.flow(flow);
        assert!(state.cwnd >= 1.0 && state.cwnd.is_finite(), "cwnd {}", state.cwnd);
        let _ = run.link(draw.below(2) as usize);
    }
    match run.finish(&control) {
        Ok(results) => assert!(results.summary().starts_with('{')),
        Err(RunError::Interrupted | RunError::Control(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

const HOSTILE: &Algorithm = &Algorithm {
    name: "hostile",
    summary: "answers what the input says",
    source: "fuzz",
    aliases: &[],
    linux: false,
    parameters: &[],
};

/// Control whose answers are read from the input in a cycle.
#[derive(Clone, Debug)]
struct Hostile {
    answers: Arc<[u8]>,
    at: usize,
    window: Window,
    pacing: Option<f64>,
    wake: Option<Instant>,
}

impl Hostile {
    fn answer(&mut self, now: Instant) {
        let mut draw = Draw::new(&self.answers[self.at..]);
        match draw.below(8) {
            0 => self.window.cwnd = draw.float(),
            1 => self.window.ssthresh = draw.float(),
            2 => self.pacing = draw.flag().then(|| draw.float()),
            3 => self.wake = draw.flag().then(|| draw.later(now)),
            4 => self.window.cwnd *= 2.0,
            _ => self.window.cwnd = 1.0 + draw.below(300) as f64,
        }
        self.at = (self.at + 3) % self.answers.len().max(1);
    }
}

impl CongestionControl for Hostile {
    fn window(&self) -> &Window {
        &self.window
    }
    fn window_mut(&mut self) -> &mut Window {
        &mut self.window
    }
    fn needs(&self) -> Needs {
        let asked = self.answers.first().copied().unwrap_or(0);
        Needs { rates: asked & 1 > 0, timer: asked & 2 > 0, may_pace: asked & 4 > 0, ..Needs::default() }
    }
    fn set_rng(&mut self, _rng: Rng) {}
    fn on_handshake(&mut self, now: Instant, _rtt: Duration) {
        self.answer(now);
    }
    fn on_ack(&mut self, ack: &AckSample) {
        self.answer(ack.now);
    }
    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        self.answer(loss.now);
        let random = self.at.is_multiple_of(2);
        Reaction::to(if random { LossClassification::Random } else { LossClassification::Congestion })
    }
    fn on_recovery(&mut self, now: Instant, _step: RecoveryStep) {
        self.answer(now);
    }
    fn on_undo(&mut self, now: Instant, _before: &Window) {
        self.answer(now);
    }
    fn wake(&self) -> Option<Instant> {
        self.wake
    }
    fn on_timer(&mut self, now: Instant) {
        self.answer(now);
    }
    fn pacing_rate(&self) -> Option<f64> {
        self.pacing
    }
}

/// Runs a control that answers anything: in a sender alone, and in a run. A run that starts may fail only by a fault of
/// the control.
pub fn hostile_control(data: &[u8]) {
    let mut draw = Draw::new(data);
    let answers: Arc<[u8]> = data.iter().copied().chain([0; 8]).collect();
    let custom = Custom::new(HOSTILE, move |_, window| Hostile {
        answers: Arc::clone(&answers),
        at: 0,
        window,
        pacing: None,
        wake: None,
    });
    let mut controls = Controls::default();
    controls.add(custom);
    let recovery = draw.of(tcp::recovery::Recovery::ALL).0;
    let variant = format!("{}+hostile", recovery.name());
    let profile = draw.of(tcp::profiles()).name.to_owned();
    let table = Table {
        variant: Some(variant.clone()),
        profile: Some(profile.clone()),
        controls: controls.clone(),
        ..Table::default()
    };
    if let Ok((_, mut config)) = table.resolve() {
        config.windows.max_window = config.windows.max_window.min(64.0);
        config.windows.receive_window = config.windows.receive_window.min(64.0);
        let sender = Sender::new(&Arc::new(config.clone()), Duration::ZERO);
        drive(sender, &config, &mut draw);
    }
    let mut document = Document::from_toml(SCENARIO).expect("the scenario is TOML").with_controls(&controls);
    let settings = [("flow.0.tcp.variant", variant.as_str()), ("flow.0.tcp.profile", profile.as_str())];
    if document.set_all(settings).is_err() {
        return;
    }
    match sim::run(&document, &RunOptions::default(), &limited(3)) {
        Ok(_) | Err(RunError::Interrupted) | Err(RunError::Scenario(_)) => {}
        Err(RunError::Control(fault)) => assert!(!fault.to_string().is_empty()),
        Err(error) => panic!("{error}"),
    }
}
