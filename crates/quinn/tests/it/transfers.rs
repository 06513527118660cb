//! With each control a transfer completes, and a loss has the effect that the control's source states.

use crate::path::{self, DELAY, Outcome, Path, RATE};
use ackclock_quinn::{Control, Factory, Unknown};
use std::sync::OnceLock;

/// Returns the outcomes, by control, of transfers of 2 MB with one loss in slow start and one in congestion avoidance. The queue never overflows.
fn outcomes() -> &'static [(&'static str, Outcome)] {
    static OUTCOMES: OnceLock<Vec<(&str, Outcome)>> = OnceLock::new();
    OUTCOMES.get_or_init(|| {
        let path = Path { size: 2_000_000, places: 1000, lost: vec![60, 1200] };
        let run = |name: &'static str| (name, path::run(&path, Factory::named(name).expect("registered")));
        Control::ALL.iter().map(|algorithm| run(algorithm.name)).collect()
    })
}

/// Returns the windows before and after the last congestion event of a transfer, segments.
fn cut(name: &str) -> (f64, f64) {
    let (_, outcome) = outcomes().iter().find(|(one, _)| *one == name).expect("registered");
    cut_at(outcome, outcome.windows.last().expect("windows").1)
}

fn cut_at(outcome: &Outcome, event: u64) -> (f64, f64) {
    let at = outcome.windows.iter().position(|(_, events)| *events == event).expect("a loss was seen");
    (outcome.windows[at - 1].0, outcome.windows[at].0)
}

#[test]
fn every_control_carries_a_transfer_to_its_end() {
    for (name, outcome) in outcomes() {
        assert_eq!(outcome.failed, None, "{name}");
        assert!(outcome.fault.is_none() && outcome.delivered_bytes == 2_000_000, "{name}: {outcome:?}");
        assert_eq!(outcome.dropped, 2, "{name}");
        let took = outcome.finished.unwrap_or_else(|| panic!("{name} has not finished")).secs();
        let least = 2_000_000.0 * 8.0 / RATE as f64 + 2.0 * DELAY.secs();
        // TCP-LP mistakes delayed acknowledgments for queueing delay, and reduces its window.
        let most = if *name == "lp" { 60.0 } else { 2.0 * least };
        assert!((least..most).contains(&took), "{name} took {took} s");
    }
}

/// A loss in congestion avoidance reduces the window by the factor that each control's source states.
#[test]
fn a_loss_cuts_the_window_as_the_control_says() {
    // HighSpeed leaves 1 - b(w) of the window, where b falls from 0.5 at 38 segments to 0.1 at 83000 (RFC
    // 3649 section 5).
    let highspeed = |w: f64| 0.5 + 0.4 * libm::log(w / 38.0) / libm::log(83_000.0 / 38.0);
    let shares: [(&str, f64); 9] = [
        ("reno", 0.5),
        ("dctcp", 0.5),
        ("hybla", 0.5),
        ("compound", 0.5),
        ("ledbat", 0.5),
        ("cubic", 0.7),
        ("bic", 0.875),
        ("scalable", 0.875),
        ("highspeed", highspeed(cut("highspeed").0)),
    ];
    for (name, share) in shares {
        let (before, after) = cut(name);
        assert!((after / before - share).abs() < 0.006, "{name}: {before} to {after}, not {share} of it");
    }
    // TCP-LP has its least window by the second loss, so the first is tested. There the acknowledgment that shows the loss grows the window in
    // slow start before the reduction.
    let lp = outcomes().iter().find(|(name, _)| *name == "lp").map(|(_, outcome)| cut_at(outcome, 1));
    assert!(lp.is_some_and(|(before, after)| (0.0..2.1).contains(&(2.0 * after - before))), "lp: {lp:?}");
    // Vegas reduces the window by a quarter, rounded to whole segments.
    let (before, after) = cut("vegas");
    assert!((before * 0.75 - after).abs() < 1.0, "vegas: {before} to {after}");
    for (name, least, most) in
        [("veno", 0.5, 0.8), ("htcp", 0.5, 0.8), ("illinois", 0.5, 0.875), ("yeah", 0.5, 0.875)]
    {
        let (before, after) = cut(name);
        assert!((least - 0.006..=most).contains(&(after / before)), "{name}: {before} to {after}");
    }
}

/// Westwood's variants reduce the window to the bandwidth-delay product: 34.4 packets of 1452 bytes for 40 ms at 10 Mb/s.
#[test]
fn westwood_leaves_what_fills_the_path() {
    let product = RATE as f64 / 8.0 * 2.0 * DELAY.secs() / 1452.0;
    for name in ["westwood", "westwood+", "tcpw-i"] {
        let (before, after) = cut(name);
        assert!(
            before > product && (0.8 * product..1.1 * product).contains(&after),
            "{name}: {before} to {after}"
        );
    }
}

#[test]
fn a_model_of_the_path_is_not_cut_by_one_loss() {
    for name in ["bbr", "bbr3", "copa"] {
        let (before, after) = cut(name);
        assert!(after > 0.97 * before, "{name}: {before} to {after}");
    }
}

#[test]
fn names_are_those_of_lists_and_their_aliases() {
    assert_eq!(Factory::named("CUBIC").unwrap().control().algorithm().name, "cubic");
    let error: Unknown = Factory::named("westwod").unwrap_err();
    assert_eq!(error.to_string(), "there is no congestion control \"westwod\"; did you mean \"westwood\"?");
}
