//! Tests of the public crate as a program outside uses it.

use ackclock::{DataRate, Duration, Error, Scenario, Wait};

const TEXT: &str = r#"
    duration = "10s"
    link = [{ between = ["a", "b"], rate = "10Mbps", delay = "20ms", queue = { kind = "droptail", packets = 50 } }]
    flow = [{ from = "a", to = "b", tcp = { variant = "cubic" } }]
"#;

#[test]
fn a_scenario_file_runs_with_what_it_names() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../python/ackclock/scenarios/dumbbell.toml");
    let run = Scenario::from_file(file).unwrap().set("duration", "5s").unwrap().run().unwrap();
    let names: Vec<&str> = run.flows().iter().map(|flow| &*flow.name).collect();
    assert_eq!(names, ["newreno", "vegas"]);
    assert_eq!(run.links().len(), 10);
    assert!(run.tables().any(|name| name == "links") && run.table("cwnd").is_none());
}

#[test]
fn what_is_wrong_is_said() {
    let wrong = |text: &str| ackclock::run(text).unwrap_err();
    assert!(matches!(wrong("duration ="), Error::Scenario(said) if said.contains("line 1")));
    let misspelt = TEXT.replace("cubic", "cubik");
    assert!(
        matches!(wrong(&misspelt), Error::Scenario(said) if said.contains("flow.0") && said.contains("cubic"))
    );
    let trace = Scenario::from_toml(TEXT).unwrap().trace("cwmd").unwrap_err();
    assert!(matches!(&trace, Error::Trace(said) if said.contains("cwnd")), "{trace}");
    assert!(matches!(Scenario::from_file("none.toml").unwrap_err(), Error::File(_)));
}

/// A run that is stopped, observed, copied and resumed has the results of a run that never stopped.
#[test]
fn a_driven_run_is_the_run() {
    let scenario = Scenario::from_toml(TEXT).unwrap().seed(3);
    let whole = scenario.run().unwrap().json();
    let mut driven = scenario.start().unwrap();
    assert!(driven.advance_until(0, Wait::Loss, Duration::from_secs(10)).unwrap());
    let at = driven.now();
    driven.advance(Duration::from_ms(100)).unwrap();
    assert!(driven.now().since(at) == Duration::from_ms(100) && driven.flow(0).lost_packets > 0);
    let copy = driven.fork().unwrap();
    assert_eq!(driven.finish().unwrap().json(), whole);
    assert_eq!(copy.finish().unwrap().json(), whole);
}

#[test]
fn a_program_sets_windows_and_rates() {
    let mut driven = Scenario::from_toml(TEXT).unwrap().adjustable(0).start().unwrap();
    driven.advance(Duration::from_secs(1)).unwrap();
    driven.set_link_rate(0, DataRate::from_bps(1_000_000).unwrap()).unwrap();
    driven.set_cwnd(0, 2.0);
    assert_eq!((driven.flow(0).cwnd, driven.link(0)[0].rate_bps), (2.0, 1e6));
    let before = driven.flow(0).acked_bytes;
    driven.advance(Duration::from_secs(5)).unwrap();
    let rate = (driven.flow(0).acked_bytes - before) as f64 * 8.0 / 5.0;
    assert!((0.5e6..1.2e6).contains(&rate) && !driven.is_over(), "{rate} bit/s");
    let mut fixed = Scenario::from_toml(TEXT).unwrap().start().unwrap();
    let refused = fixed.set_link_rate(0, DataRate::from_bps(1_000_000).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("Scenario::adjustable(0)"), "{refused}");
}
