//! Stopping or copying a simulation changes no result, and a window that a program holds stays.

use super::*;
use base::Duration;

const TWO_FLOWS: &str = r#"
duration = "5s"
[[link]]
name = "bottleneck"
between = ["a", "b"]
rate = "2Mbps"
delay = "10ms"
queue = { kind = "droptail", packets = 12 }
[[flow]]
from = "a"
to = "b"
tcp = { variant = "cubic" }
[[flow]]
from = "a"
to = "b"
tcp = { variant = "bbr" }
"#;

fn start(adjustable: Vec<usize>) -> Simulation {
    let document = Document::from_toml(TWO_FLOWS).expect("it parses");
    Simulation::start(&document, StartOptions { adjustable, ..StartOptions::default() }).expect("it is right")
}

fn summary(simulation: Simulation) -> String {
    simulation.finish(&Control::default()).expect("it runs").summary()
}

#[test]
fn a_stop_at_each_event_changes_nothing() {
    let control = Control::default();
    let whole = summary(start(Vec::new()));
    let mut stopped = start(Vec::new());
    for wait in [Wait::Ack, Wait::RoundTrip, Wait::Loss, Wait::Reaction].into_iter().cycle().take(400) {
        let flow = usize::from(stopped.events().is_multiple_of(2));
        let until = stopped.now() + Duration::from_ms(40);
        stopped.advance(until, Some((flow, wait)), &control).expect("it goes on");
    }
    assert!(stopped.now() > Instant::ZERO + Duration::from_ms(500), "{:?}", stopped.now());
    let copy = stopped.fork().expect("it is copied");
    assert_eq!(summary(copy), whole);
    assert_eq!(summary(stopped), whole);
}

#[test]
fn an_interrupted_run_goes_on() {
    let mut run = start(Vec::new());
    let control = Control::default();
    control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let before = run.events();
    while run.advance(run.end(), None, &control).is_err() {
        assert!(run.events() > before && run.now() < run.end());
    }
    assert_eq!(summary(run), summary(start(Vec::new())));
}

#[test]
fn queues_show_what_waits() {
    let control = Control::default();
    let (mut ahead, mut stepped) = (start(Vec::new()), start(vec![0]));
    assert!(!ahead.is_adjustable(0) && stepped.is_adjustable(0));
    let mut most = 0;
    for ms in (7..5000).step_by(13) {
        for run in [&mut ahead, &mut stepped] {
            run.advance(Instant::ZERO + Duration::from_ms(ms), None, &control).expect("it goes on");
        }
        let (one, other) = (ahead.link(0), stepped.link(0));
        assert_eq!((one.queue_packets, one.queue_bytes), (other.queue_packets, other.queue_bytes), "{ms} ms");
        assert!((one.rate_bps - 2e6).abs() < 1e-3);
        most = most.max(one.queue_packets);
    }
    assert_eq!(most, 12);
}

#[test]
fn a_held_window_outlives_losses_and_timeouts() {
    let control = Control::default();
    let mut run = start(vec![0]);
    run.advance(Instant::ZERO + Duration::from_ms(300), None, &control).expect("it goes on");
    run.hold_cwnd(0, Some(30.0));
    let (mut least, mut timeouts) = (30.0f64, 0);
    for ms in (310..4000).step_by(10) {
        run.advance(Instant::ZERO + Duration::from_ms(ms), None, &control).expect("it goes on");
        let flow = run.flow(0);
        // The window falls at timeouts only.
        assert!(
            flow.cwnd == least || flow.timeouts > timeouts || flow.cwnd > least,
            "{ms} ms: {}",
            flow.cwnd
        );
        (least, timeouts) = (flow.cwnd, flow.timeouts);
    }
    let held = run.flow(0);
    assert!(held.fast_retransmits > 0 && held.acked_packets > 100, "{held:?}");
    run.hold_cwnd(0, Some(10.0));
    assert_eq!(run.flow(0).cwnd, 10.0);
    run.hold_cwnd(0, None);
    assert_eq!(run.flow(0).cwnd, 10.0);
    run.advance(run.end(), None, &control).expect("it goes on");
    assert_ne!(run.flow(0).cwnd, 10.0);
    assert_eq!(run.steered(), 3);
}
