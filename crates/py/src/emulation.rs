//! Emulation: a scenario's network in real time, between devices in two network namespaces.

use crate::arguments::{observe, seconds_argument, seed_argument};
use crate::errors::{note_scenario, run_error, scenario_error};
use crate::own;
use crate::result::RunResult;
use crate::supervise::{attend, supervise};
use ::emulate::{Devices, Fault, Report};
use engine::Control;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use sim::{RealTraffic, RunOptions, Simulation, StartOptions};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Flow of packets of outside programs: its name, protocol, and addresses of source and destination.
type Named = (String, String, Option<(String, String)>);

/// Account of an emulation, besides its results.
#[pyclass(frozen, get_all, module = "ackclock._core")]
pub(crate) struct EmulationReport {
    ending: &'static str,
    packets: u64,
    late_packets: u64,
    kept_up: bool,
    lateness_p50_s: Option<f64>,
    lateness_p99_s: Option<f64>,
    lateness_max_s: Option<f64>,
    entered: (u64, u64),
    refused: u64,
    unreadable: u64,
    longest_turn_s: f64,
    flows: Vec<Named>,
}

impl EmulationReport {
    fn new(report: &Report, run: &Simulation) -> Self {
        let lateness = &report.lateness;
        let flow = |flow: sim::RealFlow| {
            let ends = flow.ends.map(|[source, destination]| (source.to_string(), destination.to_string()));
            (flow.name, flow.protocol, ends)
        };
        Self {
            ending: report.ending.name(),
            packets: lateness.packets(),
            late_packets: lateness.late_packets(),
            kept_up: lateness.kept_up(),
            lateness_p50_s: lateness.percentile_s(0.5),
            lateness_p99_s: lateness.percentile_s(0.99),
            lateness_max_s: lateness.max_s(),
            entered: report.entered.into(),
            refused: report.refused,
            unreadable: report.unreadable,
            longest_turn_s: report.longest_turn_s,
            flows: run.real_flows().into_iter().map(flow).collect(),
        }
    }
}

fn fault_error(py: Python<'_>, fault: Fault) -> PyErr {
    match fault {
        Fault::Run(error) => run_error(py, error),
        fault => PyOSError::new_err(fault.to_string()),
    }
}

/// Emulates the network of a scenario between two nodes. `namespaces` are the files of two network namespaces; each
/// gets a TUN device called `device`. `ready` is called once both devices exist; it returns the process whose end ends
/// the emulation, or `None`. `finish` is called before the devices vanish. `progress` is called ten times a second; the
/// emulation ends once it returns false.
#[pyfunction]
#[pyo3(signature = (
    document, *, between, namespaces, device, ready, finish, progress, seed=None, traces=vec![], bin_s=1.0, flows=256,
    late_s=1e-3, spin_s=0.0
))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn emulate(
    py: Python<'_>,
    document: &str,
    between: [String; 2],
    namespaces: [PathBuf; 2],
    device: &str,
    ready: Py<PyAny>,
    finish: Py<PyAny>,
    progress: Py<PyAny>,
    seed: Option<Bound<'_, PyAny>>,
    traces: Vec<String>,
    bin_s: f64,
    flows: usize,
    late_s: f64,
    spin_s: f64,
) -> PyResult<(RunResult, EmulationReport)> {
    let options = RunOptions {
        seed: seed.as_ref().map(seed_argument).transpose()?,
        observe: observe(&traces, bin_s)?,
        ..RunOptions::default()
    };
    let (late, spin) = (seconds_argument("late_s", late_s)?, seconds_argument("spin_s", spin_s)?);
    let read = own::bring(py, own::from_json(document).map_err(scenario_error)?, Path::new("."))?;
    let held = read.has_records();
    let start =
        StartOptions { options, real: Some(RealTraffic { between, flows }), ..StartOptions::default() };
    let mut run = Simulation::start(&read, start).map_err(|error| run_error(py, error))?;
    let [first, second] = &namespaces;
    let devices = Devices::open([first, second], device).map_err(|fault| fault_error(py, fault))?;
    let addresses = run.real_addresses().map(|pair| pair.map(|address| address.to_string()));
    let command: Option<u32> = ready.call1(py, (addresses.unwrap_or_default().to_vec(),))?.extract(py)?;
    let mut machine = devices.begin(command, spin).map_err(|fault| fault_error(py, fault))?;
    let told = move |py: Python<'_>, control: &Control| {
        let now_s = control.now_ps.load(Ordering::Relaxed) as f64 / 1e12;
        if !progress.call1(py, (now_s,))?.extract::<bool>(py)? {
            control.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    };
    let drive = |control: &Control| ::emulate::drive(&mut run, &mut machine, late, control);
    // Without controls in Python the loop has a thread of its own, which never waits for the GIL.
    let outcome = if held { attend(py, told, drive) } else { supervise(py, told, drive) };
    let outcome = outcome.inspect_err(|error| {
        note_scenario(py, error, document);
    })?;
    let report = outcome.map_err(|fault| fault_error(py, fault))?;
    let account = EmulationReport::new(&report, &run);
    finish.call0(py)?;
    drop(machine);
    Ok((RunResult::new(run.stop()).warned(py)?, account))
}
