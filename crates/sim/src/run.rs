//! Runs: from a scenario to its results, one or many at once.

use crate::build;
use crate::early_delivery;
use crate::event::Event;
use crate::flow::Flow;
use crate::model::{self, Scenario};
use crate::network::Network;
use crate::positions;
use crate::proxies::Proxies;
use crate::results::{Ended, Manifest, Results};
use crate::scenario::{Document, ScenarioError};
use crate::timing::Clock;
use crate::world::World;
use base::{Duration, Instant, NoProbe, Probe};
use engine::{Control, EventQueue, Outcome};
use metrics::{Observe, Recorder, Recording, Trace};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::{fmt, thread};
use tcp::congestion::Fault;

/// Options of a run besides its scenario.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// Seed that replaces the scenario's.
    pub seed: Option<u64>,
    /// Maximum of the random delay, uniform on `[0, jitter)`, that is added to the start of each flow.
    pub jitter: Duration,
    /// Traces to record.
    pub observe: Observe,
}

/// Reason for which a run has no results.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum RunError {
    /// The scenario is not valid.
    Scenario(Box<ScenarioError>),
    /// The run was stopped from outside.
    Interrupted,
    /// A user-defined congestion control violated its contract, or failed.
    Control(Box<ControlFault>),
    /// A fault of this program in one run of many, with its message.
    Fault(String),
}

/// Failure of a user-defined congestion control.
#[derive(Clone, Debug)]
pub struct ControlFault {
    /// Name of the flow.
    pub flow: String,
    /// Variant of the flow.
    pub variant: String,
    /// Time, call and reason of the failure.
    pub fault: Fault,
}

impl fmt::Display for ControlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { flow, variant, fault } = self;
        let Fault { at, call, message, .. } = fault;
        write!(f, "{variant} in flow {flow} at {} s: {message}\n  given:   {call}", at.secs())
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(error) => error.fmt(f),
            Self::Interrupted => f.write_str("interrupted"),
            Self::Control(fault) => fault.fmt(f),
            Self::Fault(said) => f.write_str(said),
        }
    }
}

impl std::error::Error for RunError {}

impl From<ScenarioError> for RunError {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(Box::new(error))
    }
}

/// Runs one scenario.
///
/// # Errors
/// If the scenario is not valid, a user-defined congestion control or a kernel fails, or `control` stops the
/// run.
// Inlined, so that the run loop is compiled in the calling crate, for speed; this crate is compiled for size.
#[inline]
pub fn run(document: &Document, options: &RunOptions, control: &Control) -> Result<Results, RunError> {
    run_checked(document, &document.check()?, options, control)
}

/// Runs a scenario that was checked before: `scenario` is the one that `document` gave.
#[inline]
fn run_checked(
    document: &Document,
    scenario: &Scenario,
    options: &RunOptions,
    control: &Control,
) -> Result<Results, RunError> {
    goes_on(control)?;
    let began = Clock::start();
    let seed = options.seed.unwrap_or(scenario.seed);
    let observe = &options.observe;
    bins_fit(scenario, observe)?;
    let (network, flows, proxies, events, recording) = if observe.is_nothing() {
        let (world, events) = simulate(scenario, seed, options.jitter, NoProbe, observe, control)?;
        (world.network, world.flows, world.proxies, events, Recording::default())
    } else {
        let recorder = Recorder::new(observe, build::subjects(scenario));
        let (world, events) = simulate(scenario, seed, options.jitter, recorder, observe, control)?;
        let (network, flows, proxies, recording) = recorded(world, scenario, seed, observe);
        (network, flows, proxies, events, recording)
    };
    let jitter = options.jitter;
    let manifest = Manifest { seed, jitter, document: document.clone(), events, steered: 0 };
    let videos = observe.has(Trace::EvalVid).then(Vec::new);
    let ended = Ended { network, flows, proxies, recording, videos };
    Ok(Results::new(scenario, ended, manifest, began.stop()))
}

/// Returns an error if `control` stops the run; called between two steps of a run's set-up.
fn goes_on(control: &Control) -> Result<(), RunError> {
    if control.look() { Err(RunError::Interrupted) } else { Ok(()) }
}

/// Takes an observed world apart at the end of its run. Returns its network, flows, proxies and recording; the
/// recording includes frames, associations, positions and qlogs, which no tracer writes.
pub(crate) fn recorded(
    mut world: World<Recorder>,
    scenario: &Scenario,
    seed: u64,
    observe: &Observe,
) -> (Network, Vec<Flow>, Proxies, Recording) {
    let logs = world.take_logs();
    let mut recording = world.probe.finish(Instant::ZERO + scenario.duration);
    if let Some(mut frames) = world.network.radios.take_frames() {
        frames.sort_by_key(|frame| frame.time_s);
        recording.add_table(frames);
    }
    if observe.has(Trace::Requests) {
        recording.add_table(world.requests.take().unwrap_or_default());
    }
    if observe.has(Trace::Associations) {
        recording.add_table(world.network.radios.take_associations());
    }
    if observe.has(Trace::Positions) {
        recording.add_table(positions::trace(scenario, seed, observe.bin()));
    }
    if observe.has(Trace::Qlog) {
        recording.add_files(Trace::Qlog, Box::new(logs));
    }
    (world.network, world.flows, world.proxies, recording)
}

pub(crate) fn simulate<P: Probe>(
    scenario: &Scenario,
    seed: u64,
    jitter: Duration,
    probe: P,
    observe: &Observe,
    control: &Control,
) -> Result<(World<P>, u64), RunError> {
    let (mut world, mut queue) = begin(scenario, seed, jitter, probe, observe)?;
    goes_on(control)?;
    if !world.custom {
        early_delivery::allow(&world.network, &mut world.flows);
    }
    let (outcome, events) = engine::run(&mut world, &mut queue, Instant::ZERO + scenario.duration, control);
    sound(&world, scenario)?;
    if world.burst.interrupted(&mut queue).is_some() {
        return Err(RunError::Interrupted);
    }
    match outcome {
        Outcome::Done => {
            world.gather_sessions();
            let events = events + world.elided_events;
            Ok((world, events))
        }
        Outcome::Interrupted => Err(RunError::Interrupted),
    }
}

/// Builds a world, with the events that are pending at the beginning.
pub(crate) fn begin<P: Probe>(
    scenario: &Scenario,
    seed: u64,
    jitter: Duration,
    probe: P,
    observe: &Observe,
) -> Result<(World<P>, EventQueue<Event>), RunError> {
    stacks_run(scenario)?;
    let mut world =
        build::world(scenario, seed, jitter, probe).map_err(|flow| unreachable(scenario, flow))?;
    if observe.has(Trace::Frames) {
        world.network.radios.watch_frames();
    }
    if observe.has(Trace::Requests) {
        world.requests = Some(Vec::new());
    }
    if observe.has(Trace::Associations) {
        world.network.radios.watch_associations();
    }
    if observe.has(Trace::Qlog) {
        world.watch_stacks(scenario);
    }
    let mut queue = EventQueue::with_capacity(world.network.links.hops.len() + 3 * world.flows.len());
    world.schedule(scenario, &mut queue);
    Ok((world, queue))
}

/// Returns an error if a flow runs over QUIC and this program was built without QUIC endpoints.
fn stacks_run(scenario: &Scenario) -> Result<(), ScenarioError> {
    let over_quic = |flow: &model::Flow| matches!(flow.kind, model::FlowKind::Quic(_));
    let Some(at) = scenario.flows.iter().position(over_quic).filter(|_| !quic::AVAILABLE) else {
        return Ok(());
    };
    let message = format!(
        "flow \"{}\" runs over QUIC, whose cryptography does not compile for browsers: it cannot run here",
        scenario.flows[at].name
    );
    let allowed = "`tcp` instead of `quic`; or `ackclock run` on the command line";
    Err(ScenarioError::new(format!("flow.{at}.quic"), message).allowed(allowed))
}

/// Returns an error if a user-defined control, a stack or a kernel has failed.
pub(crate) fn sound<P>(world: &World<P>, scenario: &Scenario) -> Result<(), RunError> {
    if let Some((flow, fault)) = world.ended_guest() {
        let message = format!("the kernel of flow \"{}\": {fault}", scenario.flows[flow.index()].name);
        return Err(ScenarioError::new(format!("flow.{}.kernel", flow.index()), message).into());
    }
    if let Some((flow, fault)) = world.stack_failed.then(|| world.stack_fault()).flatten() {
        let model::Flow { name, kind, .. } = &scenario.flows[flow.index()];
        let table = if matches!(kind, model::FlowKind::Quic(_)) { "quic" } else { "stack" };
        let message = format!("flow \"{name}\": {fault}");
        return Err(ScenarioError::new(format!("flow.{}.{table}", flow.index()), message).into());
    }
    let Some((flow, fault)) = world.fault().filter(|_| world.custom) else { return Ok(()) };
    let model::Flow { name, kind, .. } = &scenario.flows[flow.index()];
    let (flow, variant, fault) = (name.clone(), kind.variant().to_owned(), fault.clone());
    Err(RunError::Control(Box::new(ControlFault { flow, variant, fault })))
}

/// Maximum number of rows of a trace with time bins; they take some gigabytes.
const MOST_BINS: f64 = 5e7;

/// Checks that the time bins of traces are not so short that the rows would exceed the memory.
pub(crate) fn bins_fit(scenario: &Scenario, observe: &Observe) -> Result<(), RunError> {
    let bins = scenario.duration.secs() / observe.bin().secs();
    for trace in Trace::ALL.into_iter().filter(|trace| trace.is_binned() && observe.has(*trace)) {
        let each = if trace == Trace::Positions { scenario.nodes.len() } else { scenario.flows.len() };
        let rows = bins * each as f64;
        if rows > MOST_BINS {
            let message = format!(
                "trace `{}` would have {rows:.0} rows: {bins:.0} bins for each of {each}",
                trace.name()
            );
            let least = scenario.duration.secs() * each as f64 / MOST_BINS;
            return Err(ScenarioError::new("bin_s", message)
                .allowed(format!("bins of {least:.1e} s and wider, for at most {MOST_BINS:.0} rows"))
                .into());
        }
    }
    Ok(())
}

fn unreachable(scenario: &Scenario, flow: usize) -> RunError {
    let Scenario { flows, nodes, .. } = scenario;
    let (from, to) = (&nodes[flows[flow].from], &nodes[flows[flow].to]);
    ScenarioError::new(format!("flow.{flow}.to"), format!("no path leads from `{from}` to `{to}` and back"))
        .allowed("nodes that links join")
        .into()
}

/// One of the runs that [`run_many`] makes.
#[derive(Clone, Debug)]
pub struct Job {
    /// Scenario of the run.
    pub document: Document,
    /// Checked scenario that the document gave; `None` to check it when the run begins. Runs of one document that
    /// differ in their options share it.
    pub scenario: Option<Arc<Scenario>>,
    /// Options of the run.
    pub options: RunOptions,
}

impl Job {
    fn run(&self, control: &Control) -> Result<Results, RunError> {
        match &self.scenario {
            Some(scenario) => run_checked(&self.document, scenario, &self.options, control),
            None => run(&self.document, &self.options, control),
        }
    }
}

/// Returns the message of a panic.
pub fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("unknown").to_owned()
}

/// Runs many scenarios on `threads` threads (0: one per core); returns the results in the order of the jobs. After
/// each run, calls `done` with the number of runs that have ended, from any thread.
///
/// # Errors
/// Index and error of the first job, in their order, that had a fault or whose congestion control failed; if
/// there is none, of the first job without results.
#[inline]
pub fn run_many(
    jobs: &[Job],
    threads: usize,
    control: &Control,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Results>, (usize, RunError)> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { cores } else { threads }.min(jobs.len()).max(1);
    let next = AtomicUsize::new(0);
    let ended = AtomicUsize::new(0);
    let slots: Vec<Mutex<Option<Result<Results, RunError>>>> =
        jobs.iter().map(|_| Mutex::new(None)).collect();
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(at) else { return };
            let result = if control.stop.load(Ordering::Relaxed) {
                Err(RunError::Interrupted)
            } else {
                // Panics are caught here, where the index of the run is known, so that the other runs can be stopped.
                catch_unwind(AssertUnwindSafe(|| job.run(control)))
                    .unwrap_or_else(|panic| Err(RunError::Fault(said(panic.as_ref()))))
            };
            if matches!(result, Err(RunError::Control(_) | RunError::Fault(_))) {
                control.stop.store(true, Ordering::Relaxed);
            }
            if let Ok(mut slot) = slots[at].lock() {
                *slot = Some(result);
            }
            done(ended.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    if threads == 1 {
        work();
    } else {
        thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    }
    let each = slots.into_iter().map(|slot| slot.into_inner().ok().flatten());
    let mut each: Vec<_> = each.map(|result| result.unwrap_or(Err(RunError::Interrupted))).collect();
    // The failed run comes before the others, which were only interrupted.
    if let Some(at) =
        each.iter().position(|result| matches!(result, Err(RunError::Control(_) | RunError::Fault(_))))
        && let Err(error) = each.swap_remove(at)
    {
        return Err((at, error));
    }
    each.into_iter().enumerate().map(|(at, result)| result.map_err(|error| (at, error))).collect()
}
