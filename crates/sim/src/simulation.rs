//! A run that a program drives: it can be stopped, observed, changed and resumed.
//!
//! Between two stops the event loop is the same as in any run. The next event depends on the pending events alone. So
//! a run that is stopped, observed and resumed gives the same results as one that never stopped, and a copy continues
//! as the original would.

mod state;
#[cfg(test)]
mod tests;

pub use state::{FlowState, LinkState, Wait};

use crate::build;
use crate::event::Event;
use crate::flow::Kind;
use crate::model::{FlowKind, Scenario};
use crate::outside::traffic::RealTraffic;
use crate::results::{Ended, Manifest, Results};
use crate::run::{self, RunError, RunOptions};
use crate::scenario::{Document, ScenarioError};
use crate::timing::{Clock, Timing};
use crate::world::World;
use base::{DataRate, Instant, NoProbe};
use engine::{Control, EventQueue, Reached};
use metrics::{EvalVid, Recorder, Recording, Trace};
use std::sync::Arc;

/// World with a recorder, or without one.
enum Watched {
    Plain(Box<World<NoProbe>>),
    Recorded(Box<World<Recorder>>),
}

/// Evaluates an expression with the world, whether it has a recorder or not.
macro_rules! world {
    ($watched:expr, $world:ident => $body:expr) => {
        match $watched {
            Watched::Plain($world) => $body,
            Watched::Recorded($world) => $body,
        }
    };
}

// The macro above is in scope of modules that follow it.
mod real;

/// Options of a run that a program drives.
#[derive(Clone, Debug, Default)]
pub struct StartOptions {
    /// Options that any run has.
    pub options: RunOptions,
    /// Numbers of the links whose rate the program will set.
    pub adjustable: Vec<usize>,
    /// Nodes between which packets of outside programs cross the network.
    pub real: Option<RealTraffic>,
}

/// Run that a program drives, between two calls.
pub struct Simulation {
    document: Document,
    scenario: Arc<Scenario>,
    options: RunOptions,
    seed: u64,
    world: Watched,
    queue: EventQueue<Event>,
    now: Instant,
    events: u64,
    steered: u64,
    timing: Timing,
}

impl Simulation {
    /// Creates a run at its beginning.
    ///
    /// # Errors
    /// If the scenario is not valid.
    pub fn start(document: &Document, start: StartOptions) -> Result<Self, RunError> {
        let StartOptions { options, adjustable, real } = start;
        let mut scenario = document.check()?;
        scenario.adjustable = adjustable;
        let gate = real.map(|real| real.open(&mut scenario)).transpose()?;
        let seed = options.seed.unwrap_or(scenario.seed);
        let observe = &options.observe;
        run::bins_fit(&scenario, observe)?;
        let (world, queue) = if observe.is_nothing() {
            let (world, queue) = run::begin(&scenario, seed, options.jitter, NoProbe, observe)?;
            (Watched::Plain(Box::new(world)), queue)
        } else {
            let recorder = Recorder::new(observe, build::subjects(&scenario));
            let (world, queue) = run::begin(&scenario, seed, options.jitter, recorder, observe)?;
            (Watched::Recorded(Box::new(world)), queue)
        };
        let mut world = world;
        world!(&mut world, world => world.gate = gate.map(Box::new));
        Ok(Self {
            document: document.clone(),
            scenario: Arc::new(scenario),
            options,
            seed,
            world,
            queue,
            now: Instant::ZERO,
            events: 0,
            steered: 0,
            timing: Timing::default(),
        })
    }

    /// Returns the scenario of the run.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Returns the simulated time.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Returns the end of the run.
    pub fn end(&self) -> Instant {
        Instant::ZERO + self.scenario.duration
    }

    /// Returns the number of events handled.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns the number of interventions of the program: calls that set or release a window or a pacing
    /// rate or set a link's rate, and packets passed to [`Simulation::enter`].
    pub fn steered(&self) -> u64 {
        self.steered
    }

    /// Continues until time `to`, or until the event in `wait` has happened to its flow; returns true if it has. Events
    /// at time `to` are included; `to` is limited to the end of the run.
    ///
    /// # Errors
    /// If `control` stops the run, after which it can be resumed, or if a user-defined control or a kernel fails.
    pub fn advance(
        &mut self,
        to: Instant,
        wait: Option<(usize, Wait)>,
        control: &Control,
    ) -> Result<bool, RunError> {
        let began = Clock::start();
        let to = to.min(self.end()).max(self.now);
        let Self { world, queue, .. } = self;
        let (reached, events) = world!(world, world => match wait {
            None => engine::run_while(&mut **world, queue, to, control, |_| true),
            Some((flow, wait)) => {
                let mark = state::mark(world, flow, wait);
                engine::run_while(&mut **world, queue, to, control, |world| {
                    !state::has_happened(world, flow, wait, mark)
                })
            }
        });
        self.events += events;
        let Self { world, queue, .. } = self;
        let within = world!(world, world => world.burst.interrupted(queue));
        let reached = within.map_or(reached, Reached::Interrupted);
        self.now = match reached {
            Reached::End => to,
            Reached::Stop(at) => at,
            Reached::Interrupted(at) => at.max(self.now),
        };
        let Timing { wall_s, cpu_s } = began.stop();
        self.timing.wall_s += wall_s;
        self.timing.cpu_s += cpu_s;
        self.sound()?;
        match reached {
            Reached::Interrupted(_) => Err(RunError::Interrupted),
            Reached::Stop(_) => Ok(true),
            Reached::End => Ok(false),
        }
    }

    fn sound(&self) -> Result<(), RunError> {
        world!(&self.world, world => run::sound(world, &self.scenario))
    }

    /// Returns an independent copy of the run.
    ///
    /// # Errors
    /// If a user-defined control, a flow's QUIC stack or a kernel's TCP cannot be copied.
    pub fn fork(&self) -> Result<Self, RunError> {
        let world = match &self.world {
            Watched::Plain(world) => world.copy().map(|copy| Watched::Plain(Box::new(copy))),
            Watched::Recorded(world) => world.copy().map(|copy| Watched::Recorded(Box::new(copy))),
        };
        let copy = Self {
            world: world.map_err(|flow| self.no_copy(flow))?,
            document: self.document.clone(),
            scenario: Arc::clone(&self.scenario),
            options: self.options.clone(),
            queue: self.queue.clone(),
            timing: self.timing,
            ..*self
        };
        copy.sound()?;
        Ok(copy)
    }

    fn no_copy(&self, flow: usize) -> RunError {
        let name = &self.scenario.flows[flow].name;
        let message =
            format!("flow \"{name}\" runs a stack whose state cannot be copied: the run has no fork");
        let allowed = "flows over TCP or UDP; or the run again, from its beginning";
        let table = match self.scenario.flows[flow].kind {
            FlowKind::Quic(_) => "quic",
            FlowKind::Stack(_) => "stack",
            _ => "kernel",
        };
        ScenarioError::new(format!("flow.{flow}.{table}"), message).allowed(allowed).into()
    }

    /// Returns the present state of a flow.
    pub fn flow(&self, flow: usize) -> FlowState {
        world!(&self.world, world => state::flow(world, flow))
    }

    /// Returns the present state of a direction of a link. Link number n has the directions 2n and 2n + 1.
    pub fn link(&self, direction: usize) -> LinkState {
        world!(&self.world, world => state::link(world, direction, self.now))
    }

    /// Returns true if a flow uses TCP.
    pub fn is_tcp(&self, flow: usize) -> bool {
        world!(&self.world, world => matches!(world.flows[flow].kind, Kind::Tcp(_)))
    }

    /// Returns the payload of a full segment of a flow, bytes; for a flow of datagrams the payload of the largest
    /// datagram.
    pub fn segment(&self, flow: usize) -> u32 {
        let flow = &self.scenario.flows[flow];
        match &flow.kind {
            FlowKind::Tcp { tcp, .. } => tcp.sizes.segment,
            FlowKind::Udp => flow.traffic.largest(),
            FlowKind::Quic(table) => table.variant.about().largest,
            FlowKind::Stack(custom) => custom.about().largest,
            FlowKind::Kernel(_) | FlowKind::Outside(_) => uml::SEGMENT,
        }
    }

    /// Returns true if the rate of link number `link` can be set.
    pub fn is_adjustable(&self, link: usize) -> bool {
        world!(&self.world, world => world.network.links.hops[2 * link].link.is_stepped())
    }

    /// Sets a flow's congestion window, segments; its congestion control continues from there.
    pub fn set_cwnd(&mut self, flow: usize, segments: f64) {
        self.steer(flow, |sender| sender.set_cwnd(segments));
    }

    /// Holds a flow's congestion window at this number of segments; `None` returns it to the congestion control.
    pub fn hold_cwnd(&mut self, flow: usize, segments: Option<f64>) {
        self.steer(flow, |sender| sender.hold_cwnd(segments));
    }

    /// Sets a flow's pacing rate, segments per second; `None` returns it to the congestion control.
    pub fn set_pacing_rate(&mut self, flow: usize, rate: Option<f64>) {
        self.steer(flow, |sender| sender.set_pacing_rate(rate));
    }

    fn steer(&mut self, flow: usize, steer: impl FnOnce(&mut tcp::Sender)) {
        self.steered += 1;
        let Self { world, queue, now, .. } = self;
        world!(world, world => world.steer(*now, flow as u32, queue, steer));
    }

    /// Sets the rate of both directions of a link that is [adjustable](Simulation::is_adjustable), from the next
    /// transmission on.
    pub fn set_link_rate(&mut self, link: usize, rate: DataRate) {
        self.steered += 1;
        let Self { world, queue, now, .. } = self;
        world!(world, world => world.set_rate(*now, link, rate, queue));
    }

    /// Continues to the end of the run, and returns its results.
    ///
    /// # Errors
    /// Those of [`Simulation::advance`]; the run cannot be resumed then.
    pub fn finish(mut self, control: &Control) -> Result<Results, RunError> {
        self.advance(self.end(), None, control)?;
        world!(&mut self.world, world => world.gather_sessions());
        Ok(self.leave())
    }

    /// Returns the results. The counters of sessions must have been gathered before.
    fn leave(self) -> Results {
        let Self { document, scenario, options, seed, world, events, steered, timing, .. } = self;
        let observe = &options.observe;
        let (network, flows, proxies, recording) = match world {
            Watched::Plain(world) => (world.network, world.flows, world.proxies, Recording::default()),
            Watched::Recorded(world) => run::recorded(*world, &scenario, seed, observe),
        };
        let videos: Option<Vec<EvalVid>> = observe.has(Trace::EvalVid).then(Vec::new);
        let manifest = Manifest { seed, jitter: options.jitter, document, events, steered };
        let ended = Ended { network, flows, proxies, recording, videos };
        Results::new(&scenario, ended, manifest, timing)
    }
}
