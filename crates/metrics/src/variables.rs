//! The traces of variables of senders: `cwnd`, `state` and `control`.

use crate::row::{AT, Cell, Rows, table};
use crate::subjects::Subjects;
use crate::tracer::{Recorded, Tracer};
use base::{Duration, FlowId, Instant, Observation, Variable};

table! {
    "cwnd", AT;
    /// Trace: a row for each change of cwnd or ssthresh.
    pub(crate) struct CwndChange with fn new(time: Instant, flow: FlowId, variable: &'static str, value: f64) {
        /// time of the change
        time_s: Instant ["s", ""] = time;
        /// the flow's number
        flow: FlowId ["", ""] = flow;
        /// `cwnd`: congestion window; `ssthresh`: slow-start threshold (RFC 5681)
        variable: &'static str ["", ""] = variable;
        /// new value of the variable
        value: f64 ["segments", "transport, sender"] = value;
    }
}

table! {
    "state", AT;
    /// Trace: a row for each change of a variable; for `rtt`, a row for each sample.
    pub(crate) struct StateChange with fn new(time: Instant, flow: FlowId, variable: &'static str, value: f64) {
        /// time of the change
        time_s: Instant ["s", ""] = time;
        /// the flow's number
        flow: FlowId ["", ""] = flow;
        /// `rtt`: one sample of the round-trip time; `srtt`: smoothed round-trip time (RFC 6298); `rto`:
        /// retransmission timeout in use, with exponential backoff. `in_flight`: segments sent that are not
        /// known to have left the network; `recovery`: 0 none, 1 fast recovery, 2 after a timeout
        variable: &'static str ["", ""] = variable;
        /// new value of the variable
        value: f64 ["s (rtt, srtt, rto), segments (in_flight)", "transport, sender"] = value;
    }
}

/// Recorder of some variables of senders, with a row for each change; for round-trip times, a row for each
/// sample.
struct Variables<R: Cell> {
    names: &'static [Variable],
    row: fn(Instant, FlowId, &'static str, f64) -> R,
    rows: Rows<R>,
    /// Last value of each of `names` for each flow; NaN before the first value.
    last: Vec<f64>,
}

impl<R: Cell> Clone for Variables<R> {
    fn clone(&self) -> Self {
        let Self { names, row, rows, last } = self;
        Self { names, row: *row, rows: rows.clone(), last: last.clone() }
    }
}

impl<R: Cell> Variables<R> {
    fn new(
        names: &'static [Variable],
        row: fn(Instant, FlowId, &'static str, f64) -> R,
        subjects: &Subjects,
    ) -> Self {
        let last = vec![f64::NAN; names.len() * subjects.flows.len()];
        Self { names, row, rows: Rows::default(), last }
    }

    fn add(&mut self, now: Instant, flow: FlowId, variable: Variable, value: f64) {
        let Some(code) = self.names.iter().position(|known| *known == variable) else {
            return;
        };
        let last = &mut self.last[flow.index() * self.names.len() + code];
        // NaN differs from every value, so the first value is always recorded.
        if *last == value && variable != Variable::Rtt {
            return;
        }
        *last = value;
        self.rows.push(&(self.row)(now, flow, variable.name(), value));
    }
}

/// Recorder of the trace `cwnd`.
#[derive(Clone)]
pub(crate) struct Cwnd(Variables<CwndChange>);

impl Tracer for Cwnd {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        Self(Variables::new(&[Variable::Cwnd, Variable::Ssthresh], CwndChange::new, subjects))
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        if let Observation::Variable(flow, variable, value) = *observation {
            self.0.add(now, flow, variable, value);
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.0.rows.into_table(subjects))
    }
}

/// Recorder of the trace `state`.
#[derive(Clone)]
pub(crate) struct State(Variables<StateChange>);

impl Tracer for State {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        use Variable::{InFlight, Recovery, Rto, Rtt, Srtt};
        Self(Variables::new(&[Rtt, Srtt, Rto, InFlight, Recovery], StateChange::new, subjects))
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        if let Observation::Variable(flow, variable, value) = *observation {
            self.0.add(now, flow, variable, value);
        }
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.0.rows.into_table(subjects))
    }
}

table! {
    "control", AT;
    /// Trace: a row for each change of a variable of a congestion control.
    pub(crate) struct ControlChange with fn new(time: Instant, flow: FlowId, variable: String, value: f64) {
        /// time of the change
        time_s: Instant ["s", ""] = time;
        /// the flow's number
        flow: FlowId ["", ""] = flow;
        /// `pacing_rate`: segments per second; `bandwidth`: Westwood's bandwidth estimate, segments per
        /// second; `backlog`: segments that `tcpw-i` estimates to be queued; for a user-defined control, each
        /// name under which the control traces a value
        variable: String ["", ""] = variable;
        /// new value of the variable
        value: f64 ["its own", "transport, sender"] = value;
    }
}

/// Recorder of the trace `control`.
#[derive(Clone)]
pub(crate) struct Control {
    rows: Rows<ControlChange>,
    /// For each flow, the last value of each variable by name.
    last: Vec<Vec<(String, f64)>>,
}

impl Tracer for Control {
    fn new(subjects: &Subjects, _: Duration) -> Self {
        Self { rows: Rows::default(), last: vec![Vec::new(); subjects.flows.len()] }
    }

    fn watches_controls(&self) -> bool {
        true
    }

    fn observe(&mut self, now: Instant, observation: &Observation<'_>) {
        let Observation::Control(flow, variable, value) = *observation else { return };
        let last = &mut self.last[flow.index()];
        match last.iter_mut().find(|(name, _)| name == variable) {
            // Two NaNs count as equal, so a value that stays NaN is recorded once.
            Some((_, before)) if *before == value || (before.is_nan() && value.is_nan()) => return,
            Some((_, before)) => *before = value,
            None => last.push((variable.to_owned(), value)),
        }
        self.rows.push(&ControlChange::new(now, flow, variable.to_owned(), value));
    }

    fn finish(self: Box<Self>, subjects: &Subjects, _: Instant) -> Recorded {
        Recorded::Table(self.rows.into_table(subjects))
    }
}
