//! A run that a Python program drives.

use crate::arguments::{observe, seconds_argument, seed_argument};
use crate::errors::{argument, note_scenario, run_error, scenario_error};
use crate::own;
use crate::result::RunResult;
use crate::supervise::attend;
use base::{DataRate, Instant};
use engine::Control;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use sim::{RunError, RunOptions, StartOptions, Wait};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Declares the Python class of a state, with a getter for each field.
macro_rules! shown {
    ($(#[$meta:meta])* $class:ident { $($field:ident: $type:ty,)+ }) => {
        $(#[$meta])*
        #[pyclass(frozen, get_all, module = "ackclock._core")]
        pub(crate) struct $class {
            $($field: $type,)+
        }

        impl From<sim::$class> for $class {
            fn from(state: sim::$class) -> Self {
                Self { $($field: state.$field,)+ }
            }
        }

        #[pymethods]
        impl $class {
            fn __repr__(&self) -> String {
                let fields = [$(format!("{}={}", stringify!($field), Shown(&self.$field).text())),+];
                format!("{}({})", stringify!($class), fields.join(", "))
            }
        }
    };
}

/// Display of a value in Python's notation.
struct Shown<'a, T>(&'a T);

/// Conversion of a value to Python's notation.
trait Text {
    fn text(&self) -> String;
}

macro_rules! text {
    ($($type:ty => |$value:ident| $text:expr;)+) => {$(
        impl Text for Shown<'_, $type> {
            fn text(&self) -> String {
                let $value = self.0;
                $text
            }
        }
    )+};
}

text! {
    f64 => |value| format!("{value:.6}");
    u64 => |value| value.to_string();
    u32 => |value| value.to_string();
    bool => |value| if *value { "True".to_owned() } else { "False".to_owned() };
    Option<f64> => |value| value.map_or_else(|| "None".to_owned(), |value| format!("{value:.6}"));
}

shown! {
    /// State of a flow at one moment.
    FlowState {
        cwnd: f64,
        ssthresh: f64,
        pacing_rate: Option<f64>,
        srtt_s: Option<f64>,
        rto_s: Option<f64>,
        rtt_min_s: Option<f64>,
        rtt_sum_s: f64,
        rtt_samples: u64,
        in_flight: u64,
        recovery: u32,
        sent_packets: u64,
        sent_bytes: u64,
        retransmitted_packets: u64,
        acked_packets: u64,
        acked_bytes: u64,
        delivered_bytes: u64,
        lost_packets: u64,
        marked_packets: u64,
        timeouts: u64,
        fast_retransmits: u64,
        delay_mean_s: Option<f64>,
        finished: bool,
    }
}

shown! {
    /// State of a direction of a link at one moment.
    LinkState {
        rate_bps: f64,
        delay_s: f64,
        queue_packets: u64,
        queue_bytes: u64,
        sent_bytes: u64,
        dropped_packets: u64,
    }
}

/// Run that a Python program drives, between two calls.
#[pyclass(module = "ackclock._core")]
pub(crate) struct Simulation {
    run: Mutex<Option<sim::Simulation>>,
    /// True if the scenario has controls in Python, which need the GIL at each event.
    held: bool,
    /// Scenario of the run, for reports of faults.
    document: Arc<str>,
}

fn over() -> PyErr {
    PyRuntimeError::new_err("this run is over: finish() has ended it, or a control of your own has failed")
}

impl Simulation {
    // `&mut self` excludes other access, so the mutex is never contended.
    fn state(&mut self) -> &mut Option<sim::Simulation> {
        self.run.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn running(&mut self) -> PyResult<&mut sim::Simulation> {
        self.state().as_mut().ok_or_else(over)
    }

    fn of(run: sim::Simulation, held: bool, document: Arc<str>) -> Self {
        Self { run: Mutex::new(Some(run)), held, document }
    }

    /// Continues to time `to`, or until the awaited event, on this thread. Releases the GIL, unless controls in Python
    /// need it. Returns true if the event has happened.
    fn go(&mut self, py: Python<'_>, to: Instant, wait: Option<(usize, Wait)>) -> PyResult<bool> {
        let held = self.held;
        let run = self.running()?;
        let outcome = attend(
            py,
            |_, _| Ok(()),
            |control| {
                if held {
                    run.advance(to, wait, control)
                } else {
                    py.detach(|| run.advance(to, wait, control))
                }
            },
        );
        let outcome = outcome.inspect_err(|error| {
            // After a fault the state of the world is unknown, and the run is discarded.
            if note_scenario(py, error, &self.document) {
                self.run.get_mut().unwrap_or_else(PoisonError::into_inner).take();
            }
        })?;
        if matches!(outcome, Err(RunError::Control(_))) {
            *self.state() = None;
        }
        outcome.map_err(|error| run_error(py, error))
    }
}

#[pymethods]
impl Simulation {
    #[new]
    #[pyo3(signature = (document, *, seed=None, jitter_s=0.0, traces=vec![], bin_s=1.0, adjustable=vec![]))]
    fn new(
        py: Python<'_>,
        document: &str,
        seed: Option<Bound<'_, PyAny>>,
        jitter_s: f64,
        traces: Vec<String>,
        bin_s: f64,
        adjustable: Vec<usize>,
    ) -> PyResult<Self> {
        let options = RunOptions {
            seed: seed.as_ref().map(seed_argument).transpose()?,
            jitter: seconds_argument("jitter_s", jitter_s)?,
            observe: observe(&traces, bin_s)?,
        };
        let read = own::bring(py, own::from_json(document).map_err(scenario_error)?, Path::new("."))?;
        let started = sim::Simulation::start(&read, StartOptions { options, adjustable, real: None });
        Ok(Self::of(started.map_err(|error| run_error(py, error))?, read.has_records(), document.into()))
    }

    #[getter]
    fn now_s(&mut self) -> PyResult<f64> {
        Ok(self.running()?.now().secs())
    }

    #[getter]
    fn end_s(&mut self) -> PyResult<f64> {
        Ok(self.running()?.end().secs())
    }

    #[getter]
    fn events(&mut self) -> PyResult<u64> {
        Ok(self.running()?.events())
    }

    #[getter]
    fn steered(&mut self) -> PyResult<u64> {
        Ok(self.running()?.steered())
    }

    #[getter]
    fn is_over(&mut self) -> bool {
        self.state().is_none()
    }

    fn is_tcp(&mut self, flow: usize) -> PyResult<bool> {
        Ok(self.running()?.is_tcp(flow))
    }

    fn is_adjustable(&mut self, link: usize) -> PyResult<bool> {
        Ok(self.running()?.is_adjustable(link))
    }

    /// Continues for `seconds`, or until the awaited event has happened to a flow; returns true if it has.
    #[pyo3(signature = (seconds, flow=0, wait=None))]
    fn advance(&mut self, py: Python<'_>, seconds: f64, flow: usize, wait: Option<&str>) -> PyResult<bool> {
        let by = seconds_argument("duration", seconds)?;
        let to = self.running()?.now() + by;
        let wait = wait
            .map(|wait| match wait {
                "ack" => Ok(Wait::Ack),
                "round-trip" => Ok(Wait::RoundTrip),
                "loss" => Ok(Wait::Loss),
                "reaction" => Ok(Wait::Reaction),
                other => Err(argument("wait", other, "ack, round-trip, loss or reaction")),
            })
            .transpose()?;
        self.go(py, to, wait.map(|wait| (flow, wait)))
    }

    /// Continues to a simulated time, in seconds.
    fn advance_to(&mut self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        let to = Instant::ZERO + seconds_argument("time", seconds)?;
        self.go(py, to, None).map(drop)
    }

    fn flow(&mut self, flow: usize) -> PyResult<FlowState> {
        Ok(self.running()?.flow(flow).into())
    }

    fn link(&mut self, direction: usize) -> PyResult<LinkState> {
        Ok(self.running()?.link(direction).into())
    }

    #[pyo3(signature = (flow, segments, *, hold=false))]
    fn set_cwnd(&mut self, flow: usize, segments: Option<f64>, hold: bool) -> PyResult<()> {
        let run = self.running()?;
        if let Some(segments) = segments.filter(|segments| !(1.0..=1e9).contains(segments)) {
            return Err(argument("cwnd", &segments.to_string(), "1 to 1e9 segments"));
        }
        match segments {
            Some(segments) if !hold => run.set_cwnd(flow, segments),
            held => run.hold_cwnd(flow, held),
        }
        Ok(())
    }

    fn set_pacing_rate(&mut self, flow: usize, rate: Option<f64>) -> PyResult<()> {
        if let Some(rate) = rate.filter(|rate| !(1e-3..=1e12).contains(rate)) {
            return Err(argument(
                "pacing_rate",
                &rate.to_string(),
                "0.001 to 1e12 segments per second, or None",
            ));
        }
        self.running()?.set_pacing_rate(flow, rate);
        Ok(())
    }

    /// Returns the payload of a full segment of a flow, bytes.
    fn segment(&mut self, flow: usize) -> PyResult<u32> {
        Ok(self.running()?.segment(flow))
    }

    fn set_link_rate(&mut self, link: usize, bps: u64) -> PyResult<()> {
        let rate =
            DataRate::from_bps(bps).ok_or_else(|| argument("rate", "0", "more than 0 bits per second"))?;
        self.running()?.set_link_rate(link, rate);
        Ok(())
    }

    fn fork(&mut self, py: Python<'_>) -> PyResult<Self> {
        let held = self.held;
        let document = Arc::clone(&self.document);
        Ok(Self::of(self.running()?.fork().map_err(|error| run_error(py, error))?, held, document))
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<RunResult> {
        // If this is interrupted, the run can still be continued.
        let end = self.running()?.end();
        self.go(py, end, None)?;
        let run = self.state().take().ok_or_else(over)?;
        RunResult::new(run.finish(&Control::default()).map_err(|error| run_error(py, error))?).warned(py)
    }
}
