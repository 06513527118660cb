//! A run that a program drives.

use crate::{Error, Run, Scenario};
use base::{DataRate, Duration, Instant};
use engine::Control;
use sim::{FlowState, LinkState, StartOptions, Wait};

/// State, between two calls, of a run that a program drives. A run that is stopped, observed and resumed
/// gives the same results as one that never stopped.
///
/// Flows and links have the numbers of the scenario's order, from 0. A number that is too large causes a panic, like
/// an index of a slice.
pub struct Simulation(sim::Simulation);

impl Scenario {
    /// Starts a run that the caller drives.
    ///
    /// # Errors
    /// If the scenario is not valid.
    pub fn start(&self) -> Result<Simulation, Error> {
        let start =
            StartOptions { options: self.options()?, adjustable: self.adjustable.clone(), real: None };
        Ok(Simulation(sim::Simulation::start(&self.document, start)?))
    }
}

impl Simulation {
    /// Returns the simulated time.
    pub fn now(&self) -> Instant {
        self.0.now()
    }

    /// Returns true if the run has reached its end.
    pub fn is_over(&self) -> bool {
        self.0.now() >= self.0.end()
    }

    /// Continues for `span`, but not beyond the end of the run.
    ///
    /// # Errors
    /// If a user-defined control fails.
    pub fn advance(&mut self, span: Duration) -> Result<(), Error> {
        self.0.advance(self.0.now() + span, None, &Control::default())?;
        Ok(())
    }

    /// Continues until the awaited event has happened to a flow, but at most for `span`; returns true if it has
    /// happened.
    ///
    /// # Errors
    /// If a user-defined control fails.
    pub fn advance_until(&mut self, flow: usize, wait: Wait, span: Duration) -> Result<bool, Error> {
        Ok(self.0.advance(self.0.now() + span, Some((flow, wait)), &Control::default())?)
    }

    /// Returns the present state of a flow, given by its number in the scenario.
    pub fn flow(&self, flow: usize) -> FlowState {
        self.0.flow(flow)
    }

    /// Returns the present state of a link, given by its number in the scenario: first the direction in which
    /// `between` names its nodes, then the reverse.
    pub fn link(&self, link: usize) -> [LinkState; 2] {
        [self.0.link(2 * link), self.0.link(2 * link + 1)]
    }

    /// Sets a flow's congestion window, segments; its congestion control continues from there.
    pub fn set_cwnd(&mut self, flow: usize, segments: f64) {
        self.0.set_cwnd(flow, segments);
    }

    /// Sets the rate of both directions of a link, from the next transmission on.
    ///
    /// # Errors
    /// If the link was not made [adjustable](Scenario::adjustable).
    pub fn set_link_rate(&mut self, link: usize, rate: DataRate) -> Result<(), Error> {
        if !self.0.is_adjustable(link) {
            let said =
                format!("the rate of link {link} cannot be set: Scenario::adjustable({link}) allows it");
            return Err(Error::Scenario(said));
        }
        self.0.set_link_rate(link, rate);
        Ok(())
    }

    /// Returns an independent copy of the run.
    ///
    /// # Errors
    /// If a user-defined control, a flow's QUIC stack or a kernel's TCP cannot be copied.
    pub fn fork(&self) -> Result<Self, Error> {
        Ok(Self(self.0.fork()?))
    }

    /// Continues to the end of the run, and returns its results.
    ///
    /// # Errors
    /// If a user-defined control fails.
    pub fn finish(self) -> Result<Run, Error> {
        Ok(Run(self.0.finish(&Control::default())?))
    }
}
