//! Estimates of the memory and disk space that the traces of a run will take, before the run.
//!
//! A first bound needs no simulation: the links can carry only so many packets, and each packet takes less than a
//! fixed number of bytes in every trace. If this bound fits into the available space, no estimate is needed.
//! Otherwise the beginning of the run is simulated and the size of its traces extrapolated: bytes in proportion to
//! events, and events in proportion to the time for which flows offer data.

use crate::model::{ChangeKind, Direction, FlowKind, Scenario};
use crate::run::{RunError, RunOptions};
use crate::scenario::{Document, ScenarioError};
use crate::simulation::{Simulation, StartOptions};
use base::{Duration, Instant};
use engine::Control;
use metrics::{Kept, Observe, Trace};

/// Upper bound of the bytes per packet and direction of a link, memory and files together. Trace `segments`
/// takes most: four rows, each with 44 B in memory and 60 B in CSV.
const EACH: f64 = 512.0;

/// Upper bound of the bytes per row of a trace with time bins.
const BIN: f64 = 512.0;

/// Upper bound of the packets per second in a radio network.
const RADIO: f64 = 1e5;

/// Number of stages in which the beginning is simulated. Each stage doubles the simulated time. So the number of events
/// at about half of the simulated time is known, at whichever stage the simulation ends.
const DOUBLINGS: i32 = 24;

/// Returns an upper bound of the bytes that the traces of a run take, in memory and on disk together. Sources are
/// assumed to send full packets.
///
/// # Errors
/// If the scenario is not valid.
pub fn most_kept(document: &Document, observe: &Observe) -> Result<f64, ScenarioError> {
    let scenario = document.check()?;
    let seconds = scenario.duration.secs();
    let bins = seconds / observe.bin().secs();
    let packets = packets_per_s(&scenario) * seconds;
    let each = |trace: Trace| match trace {
        Trace::Positions => bins * scenario.nodes.len() as f64 * BIN,
        trace if trace.is_binned() => bins * scenario.flows.len() as f64 * BIN,
        Trace::FlowMonitor => 0.0,
        _ => packets * EACH,
    };
    Ok(Trace::ALL.into_iter().filter(|trace| observe.has(*trace)).map(each).sum())
}

/// Returns an upper bound of the packets per second over all directions of links and all radio networks. The factor 2
/// counts an acknowledgment for each data packet.
fn packets_per_s(scenario: &Scenario) -> f64 {
    let sizes = scenario.flows.iter().map(|flow| match &flow.kind {
        FlowKind::Tcp { tcp, .. } => tcp.sizes.segment,
        FlowKind::Udp => flow.traffic.largest().max(1),
        FlowKind::Quic(table) => table.variant.about().packet(),
        FlowKind::Stack(custom) => custom.about().packet(),
        FlowKind::Kernel(_) | FlowKind::Outside(_) => uml::SEGMENT,
    });
    let bits = f64::from(sizes.min().unwrap_or(1)) * 8.0;
    let rate = |direction: &Direction| direction.rate.mean().bps() as f64;
    let links = scenario.links.iter().flat_map(|link| &link.directions).map(|direction| &**direction);
    let changed = scenario.changes.iter().filter_map(|change| match &change.what {
        ChangeKind::Rate(rate) => Some(rate.mean().bps() as f64 * change.directions.len() as f64),
        _ => None,
    });
    let rates = links.map(rate).sum::<f64>() + changed.sum::<f64>();
    2.0 * rates / bits + RADIO * scenario.radios.len() as f64
}

/// Simulates the first `part` (0 to 1) of a run, or less if `control` stops it; returns the extrapolated size of each
/// trace of the whole run, by name. Returns `None` if no event has been handled, or if no flow has offered data by
/// then.
///
/// # Errors
/// If the scenario is not valid, or a user-defined control fails.
pub fn estimate_footprint(
    document: &Document,
    options: &RunOptions,
    part: f64,
    control: &Control,
) -> Result<Option<Vec<(&'static str, Kept)>>, RunError> {
    let start = StartOptions { options: options.clone(), ..StartOptions::default() };
    let mut run = Simulation::start(document, start)?;
    let end = run.end().ps() as f64 * part.clamp(0.0, 1.0);
    let mut reached = vec![(Instant::ZERO, 0)];
    for doubling in (0..DOUBLINGS).rev() {
        let to = Instant::ZERO + Duration::from_ps((end / f64::from(1 << doubling)) as u64);
        match run.advance(to, None, control) {
            Ok(_) | Err(RunError::Interrupted) => reached.push((run.now(), run.events())),
            Err(error) => return Err(error),
        }
        if run.now() < to {
            break;
        }
    }
    let (now, events) = (run.now(), run.events());
    let active = |to: Instant| offered(run.scenario(), to);
    let (at, of_all) = (active(now), active(run.end()));
    if events == 0 || at == 0.0 {
        return Ok(None);
    }
    // The event rate is that of the second half: in the first half, congestion windows are still growing.
    let half = Instant::ZERO + Duration::from_ps(now.ps() / 2);
    let (middle, before) = reached.iter().rev().find(|(time, _)| *time <= half).copied().unwrap_or_default();
    let span = at - active(middle);
    let slope = if span > 0.0 { (events - before) as f64 / span } else { events as f64 / at };
    let times = 1.0 + slope * (of_all - at) / events as f64;
    Ok(Some(run.stop().kept().map(|(name, kept)| (name, kept * times)).collect()))
}

/// Returns the sum over all flows of the seconds before `to` for which the flow offers data.
fn offered(scenario: &Scenario, to: Instant) -> f64 {
    let each = scenario.flows.iter().map(|flow| flow.stop.min(to).max(flow.start).since(flow.start).secs());
    each.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::run;
    use std::collections::BTreeMap;

    const LINK: &str = r#"
        duration = "40s"
        [[link]]
        between = ["a", "b"]
        rate = "8Mbps"
        delay = "10ms"
        queue = { kind = "droptail", packets = 20 }
    "#;

    fn all() -> Observe {
        let names = Trace::ALL.map(|trace| trace.name().to_owned());
        Observe::parse(&names, Duration::from_ms(100)).unwrap()
    }

    fn sum(rooms: impl IntoIterator<Item = Kept>) -> [f64; 3] {
        rooms.into_iter().fold([0.0; 3], |[memory, temporary, written], kept| {
            [memory + kept.memory, temporary + kept.temporary, written + kept.written]
        })
    }

    fn within(flows: &str, low: f64, high: f64) {
        let document = Document::from_toml(&format!("{LINK}{flows}")).unwrap();
        let options = RunOptions { observe: all(), ..RunOptions::default() };
        let control = Control::default();
        let kept: BTreeMap<_, _> = run(&document, &options, &control).unwrap().kept().collect();
        let estimated = estimate_footprint(&document, &options, 0.05, &control).unwrap().unwrap();
        assert_eq!(estimated.len(), kept.len());
        let (estimated, kept) = (sum(estimated.into_iter().map(|(_, one)| one)), sum(kept.into_values()));
        for (estimated, kept) in estimated.into_iter().zip(kept) {
            assert!(
                (low * kept..=high * kept).contains(&estimated),
                "{flows}: {estimated} estimated, {kept} kept"
            );
        }
        let most = most_kept(&document, &options.observe).unwrap();
        assert!(most > kept.iter().sum(), "{most} is no bound of {kept:?}");
    }

    #[test]
    fn a_twentieth_tells_the_whole() {
        let flow = "[[flow]]\nfrom = 'a'\nto = 'b'\n";
        let tcp = format!("{flow}tcp = {{ variant = 'newreno' }}\n");
        within(&tcp, 0.8, 1.25);
        // The second flow begins only after the part of the run from which the estimate is made.
        within(
            &format!(
                "{tcp}[[flow]]\nfrom = 'b'\nto = 'a'\nstart = '20s'\nstop = '30s'\ntcp = {{ variant = 'newreno' }}"
            ),
            0.8,
            1.4,
        );
        let udp = "traffic = { kind = 'cbr', rate = '1Mbps', packet = '500B' }";
        within(&format!("{flow}{udp}"), 0.9, 1.1);
    }

    #[test]
    fn what_has_not_begun_tells_nothing() {
        let late =
            format!("{LINK}[[flow]]\nfrom = 'a'\nto = 'b'\nstart = '30s'\ntcp = {{ variant = 'newreno' }}");
        let document = Document::from_toml(&late).unwrap();
        let options = RunOptions { observe: all(), ..RunOptions::default() };
        assert_eq!(estimate_footprint(&document, &options, 0.05, &Control::default()).unwrap(), None);
    }

    #[test]
    fn an_estimate_that_is_stopped_tells_by_what_it_saw() {
        let flow = "[[flow]]\nfrom = 'a'\nto = 'b'\ntcp = { variant = 'newreno' }";
        let document = Document::from_toml(&format!("{LINK}{flow}").replace("40s", "100000s")).unwrap();
        let options = RunOptions { observe: all(), ..RunOptions::default() };
        let control = Control::default();
        control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        let estimated = estimate_footprint(&document, &options, 0.05, &control).unwrap().unwrap();
        // 667 packets are sent per second, each with 12 rows of 44 B in `segments`, `hops` and `queue`.
        let [_, temporary, _] = sum(estimated.into_iter().map(|(_, one)| one));
        assert!((2e10..2e11).contains(&temporary), "{temporary}");
    }
}
