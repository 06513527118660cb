//! Congestion controls in Python: their base class, and the adapter through which a connection calls them.

use crate::samples::{Ack, Arrived, Loss, Rated};
use base::{Duration, Instant, Rng};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};
use std::fmt;
use std::sync::Arc;
use tcp::congestion::{
    AckSample, Arrival, CongestionControl, Fault, LossClassification, LossSample, Needs, Reaction,
    RecoveryStep, Window,
};
use tcp::rate::RateSample;

/// Base class of controls in Python. It holds the window and other values that the connection reads often, so that
/// reading them does not need Python.
#[pyclass(subclass, module = "ackclock._core", name = "Control")]
#[derive(Default)]
pub(crate) struct Control {
    #[pyo3(get, set)]
    cwnd: f64,
    #[pyo3(get, set)]
    ssthresh: f64,
    #[pyo3(get, set)]
    pacing_rate: Option<f64>,
    #[pyo3(get, set)]
    wake: Option<f64>,
    rng: Option<Py<Stream>>,
}

#[pymethods]
impl Control {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyAny>>) -> Self {
        Self { cwnd: 10.0, ssthresh: f64::INFINITY, ..Self::default() }
    }

    #[getter]
    fn rng(&self, py: Python<'_>) -> Option<Py<Stream>> {
        self.rng.as_ref().map(|stream| stream.clone_ref(py))
    }

    /// Returns a copy of the object, with deep copies of its attributes.
    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, memo: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let class = slf.get_type();
        let copy = class.call_method1("__new__", (&class,))?;
        memo.set_item(slf.as_ptr() as usize, &copy)?;
        let attributes = py.import("copy")?.call_method1("deepcopy", (slf.getattr("__dict__")?, memo))?;
        copy.getattr("__dict__")?.call_method1("update", (attributes,))?;
        slf.try_borrow()?.leave(py, &mut *copy.cast::<Self>()?.try_borrow_mut()?)?;
        Ok(copy)
    }

    fn grow(&mut self, count: f64, increase: f64) {
        let mut window = self.window();
        window.grow(count, increase);
        self.set(window);
    }

    fn cut(&mut self, loss: &Loss, factor: f64) {
        let mut window = self.window();
        window.cut(&loss.0, factor);
        self.set(window);
    }
}

impl Control {
    fn window(&self) -> Window {
        Window { cwnd: self.cwnd, ssthresh: self.ssthresh }
    }

    /// Copies to `copy` the values that are not in the object's dictionary.
    fn leave(&self, py: Python<'_>, copy: &mut Self) -> PyResult<()> {
        copy.set(self.window());
        (copy.pacing_rate, copy.wake) = (self.pacing_rate, self.wake);
        let stream = self.rng.as_ref().map(|stream| Py::new(py, Stream(stream.bind(py).borrow().0.clone())));
        copy.rng = stream.transpose()?;
        Ok(())
    }

    fn set(&mut self, window: Window) {
        (self.cwnd, self.ssthresh) = (window.cwnd, window.ssthresh);
    }
}

/// Random stream of a connection.
#[pyclass(module = "ackclock._core")]
pub(crate) struct Stream(Rng);

#[pymethods]
impl Stream {
    #[new]
    fn new(seed: u64, name: &str) -> Self {
        Self(Rng::stream(seed, name))
    }

    fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    fn exponential(&mut self, mean: f64) -> f64 {
        self.0.exponential(mean)
    }
}

/// A user's class of controls, with its properties that a connection needs.
pub(crate) struct Class {
    pub class: Py<PyType>,
    /// Names of the methods that the class defines, always with `on_ack` and `on_congestion`.
    pub methods: Vec<String>,
    pub segment_times: bool,
    /// Names of the parameters, each with the words among which it chooses (none for numbers).
    pub parameters: Vec<(String, Vec<String>)>,
    pub traced: Vec<String>,
}

impl Class {
    fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|own| own == method)
    }
}

/// Bound methods of the object that the connection calls; `None` for those that the class does not define.
struct Methods {
    on_ack: Py<PyAny>,
    on_congestion: Py<PyAny>,
    on_handshake: Option<Py<PyAny>>,
    on_arrival: Option<Py<PyAny>>,
    on_rate: Option<Py<PyAny>>,
    on_recovery: Option<Py<PyAny>>,
    on_timer: Option<Py<PyAny>>,
}

/// Adapter through which a connection calls a control in Python.
pub(crate) struct Adapter {
    class: Arc<Class>,
    /// The object and its methods; an error if the object could not be created.
    made: Result<(Py<Control>, Methods), ()>,
    started: bool,
    window: Window,
    pacing_rate: Option<f64>,
    wake: Option<Instant>,
    fault: Option<Fault>,
}

impl fmt::Debug for Adapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adapter").field("window", &self.window).finish_non_exhaustive()
    }
}

/// A copy is made by Python's `copy.deepcopy`.
impl Clone for Adapter {
    fn clone(&self) -> Self {
        Python::attach(|py| {
            let made = self.made.as_ref().map_err(|()| PyValueError::new_err("a control that failed"));
            let copied = made.and_then(|(object, _)| {
                let copy = py.import("copy")?.call_method1("deepcopy", (object,))?;
                let copy = copy.cast_into::<Control>()?.unbind();
                object.bind(py).try_borrow()?.leave(py, &mut *copy.bind(py).try_borrow_mut()?)?;
                let methods = bound(py, &self.class, &copy)?;
                Ok((copy, methods))
            });
            let fault = copied
                .as_ref()
                .err()
                .map(|error| failed(py, Instant::ZERO, "a copy of itself".into(), error));
            Self {
                class: Arc::clone(&self.class),
                made: copied.map_err(drop),
                started: self.started,
                window: self.window,
                pacing_rate: self.pacing_rate,
                wake: self.wake,
                fault: self.fault.clone().or(fault),
            }
        })
    }
}

fn bound(py: Python<'_>, class: &Class, object: &Py<Control>) -> PyResult<Methods> {
    let object = object.bind(py);
    let own = |name: &str| object.getattr(name).map(Bound::unbind);
    let optional = |name: &str| class.has(name).then(|| own(name)).transpose();
    Ok(Methods {
        on_ack: own("on_ack")?,
        on_congestion: own("on_congestion")?,
        on_handshake: optional("on_handshake")?,
        on_arrival: optional("on_arrival")?,
        on_rate: optional("on_rate")?,
        on_recovery: optional("on_recovery")?,
        on_timer: optional("on_timer")?,
    })
}

fn failed(py: Python<'_>, at: Instant, call: String, error: &PyErr) -> Fault {
    let name = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
    let text = error.value(py).to_string();
    let message = if text.is_empty() { name } else { format!("{name}: {text}") };
    Fault { at, call, message, cause: Some(Arc::new(error.clone_ref(py))) }
}

impl Adapter {
    pub(crate) fn new(class: &Arc<Class>, values: &[f64], window: Window) -> Self {
        Python::attach(|py| {
            let made = make(py, class, values);
            let fault = made
                .as_ref()
                .err()
                .map(|error| failed(py, Instant::ZERO, "the start of the connection".into(), error));
            let class = Arc::clone(class);
            Self {
                class,
                made: made.map_err(drop),
                started: false,
                window,
                pacing_rate: None,
                wake: None,
                fault,
            }
        })
    }

    /// Calls `call` with the object and its methods; the first time, runs the object's `__init__` before.
    /// Sets the object's window before the call, and reads its window, pacing rate and wake-up time
    /// afterwards. If Python raises an exception, records a fault, in which `describe` names the call, and
    /// returns `None`.
    #[inline]
    fn call<R>(
        &mut self,
        at: Instant,
        describe: impl FnOnce() -> String,
        call: impl FnOnce(Python<'_>, &Py<Control>, &Methods) -> PyResult<R>,
    ) -> Option<R> {
        let Ok((object, methods)) = &self.made else { return None };
        Python::attach(|py| {
            let result = (|| {
                object.bind(py).try_borrow_mut()?.set(self.window);
                if !self.started {
                    self.started = true;
                    object.bind(py).call_method0("__init__")?;
                }
                call(py, object, methods)
            })();
            let left = object.bind(py).try_borrow();
            let outcome = result.and_then(|answer| {
                let left = left?;
                let wake = left.wake.map(wake_time).transpose()?;
                Ok((answer, left.window(), left.pacing_rate, wake))
            });
            match outcome {
                Ok((answer, window, pacing_rate, wake)) => {
                    self.window = window;
                    self.pacing_rate = pacing_rate;
                    self.wake = wake;
                    Some(answer)
                }
                Err(error) => {
                    self.fault = Some(failed(py, at, describe(), &error));
                    None
                }
            }
        })
    }
}

fn wake_time(seconds: f64) -> PyResult<Instant> {
    if (0.0..9e6).contains(&seconds) {
        return Ok(Instant::ZERO + Duration::from_secs_f64(seconds));
    }
    Err(PyValueError::new_err(format!("wake is {seconds}; it is a time of the run in seconds, or None")))
}

/// Creates an object and sets its parameters; `__init__` is called later.
fn make(py: Python<'_>, class: &Class, values: &[f64]) -> PyResult<(Py<Control>, Methods)> {
    let of = class.class.bind(py);
    let object = of.call_method1("__new__", (of,))?.cast_into::<Control>()?;
    for ((name, words), value) in class.parameters.iter().zip(values) {
        match words.get(*value as usize) {
            Some(word) => object.setattr(name.as_str(), word)?,
            None => object.setattr(name.as_str(), value)?,
        }
    }
    let object = object.unbind();
    let methods = bound(py, class, &object)?;
    Ok((object, methods))
}

/// Returns the reaction to a loss that the control's return value stands for.
fn reaction(answer: &Bound<'_, PyAny>) -> PyResult<Reaction> {
    if answer.is_none() {
        return Ok(Reaction::CUT);
    }
    match answer.extract::<&str>() {
        Ok("congestion") => Ok(Reaction::CUT),
        Ok("random") => Ok(Reaction::to(LossClassification::Random)),
        _ => {
            let given = answer.repr()?;
            let allowed = "None, \"congestion\" or \"random\": what it took the loss for";
            Err(PyTypeError::new_err(format!("on_congestion returned {given}; it returns {allowed}")))
        }
    }
}

impl CongestionControl for Adapter {
    tcp::own_window!();

    fn needs(&self) -> Needs {
        Needs {
            arrivals: self.class.has("on_arrival"),
            rates: self.class.has("on_rate"),
            timer: self.class.has("on_timer"),
            segment_times: self.class.segment_times,
            ..Needs::default()
        }
    }

    fn set_rng(&mut self, rng: Rng) {
        if let Ok((object, _)) = &self.made {
            Python::attach(|py| {
                if let (Ok(stream), Ok(mut own)) =
                    (Py::new(py, Stream(rng)), object.bind(py).try_borrow_mut())
                {
                    own.rng = Some(stream);
                }
            });
        }
        // `__init__` runs here, when the random stream is available.
        self.call(Instant::ZERO, || "the start of the connection".to_owned(), |_, _, _| Ok(()));
    }

    fn on_handshake(&mut self, now: Instant, rtt: Duration) {
        if !self.class.has("on_handshake") {
            return;
        }
        let describe = || format!("on_handshake({}, {})", now.secs(), rtt.secs());
        self.call(now, describe, |py, _, methods| {
            call_if(py, methods.on_handshake.as_ref(), (now.secs(), rtt.secs()))
        });
    }

    fn on_arrival(&mut self, arrival: &Arrival) {
        let describe = || format!("on_arrival({arrival})");
        self.call(arrival.now, describe, |py, _, methods| {
            call_if(py, methods.on_arrival.as_ref(), (Arrived(*arrival),))
        });
    }

    #[inline]
    fn on_ack(&mut self, ack: &AckSample) {
        let describe = || format!("on_ack({ack})");
        self.call(ack.now, describe, |py, _, methods| methods.on_ack.bind(py).call1((Ack(*ack),)).map(drop));
    }

    fn on_rate(&mut self, sample: &RateSample) {
        let describe = || format!("on_rate({sample})");
        self.call(sample.now, describe, |py, _, methods| {
            call_if(py, methods.on_rate.as_ref(), (Rated(*sample),))
        });
    }

    fn on_congestion(&mut self, loss: &LossSample) -> Reaction {
        let describe = || format!("on_congestion({loss})");
        let answer = self.call(loss.now, describe, |py, _, methods| {
            reaction(&methods.on_congestion.bind(py).call1((Loss(*loss),))?)
        });
        answer.unwrap_or(Reaction::CUT)
    }

    fn on_recovery(&mut self, now: Instant, step: RecoveryStep) {
        if !self.class.has("on_recovery") {
            return;
        }
        let (name, segments) = match step {
            RecoveryStep::Retransmission { outstanding } => ("retransmission", Some(outstanding)),
            RecoveryStep::Deflation { inflation } => ("deflation", Some(inflation)),
            RecoveryStep::End => ("end", None),
        };
        let describe = || format!("on_recovery({}, {name:?})", now.secs());
        self.call(now, describe, |py, _, methods| {
            call_if(py, methods.on_recovery.as_ref(), (now.secs(), name, segments))
        });
    }

    fn wake(&self) -> Option<Instant> {
        self.wake
    }

    fn on_timer(&mut self, now: Instant) {
        let describe = || format!("on_timer({})", now.secs());
        self.call(now, describe, |py, object, methods| {
            object.bind(py).try_borrow_mut()?.wake = None;
            call_if(py, methods.on_timer.as_ref(), (now.secs(),))
        });
    }

    fn pacing_rate(&self) -> Option<f64> {
        self.pacing_rate
    }

    fn traced(&self, show: &mut dyn FnMut(&str, f64)) {
        let Ok((object, _)) = &self.made else { return };
        Python::attach(|py| {
            for name in &self.class.traced {
                // An attribute that is not a number, or does not exist yet, is shown as NaN.
                let value = object.bind(py).getattr(name.as_str()).and_then(|value| value.extract::<f64>());
                show(name, value.unwrap_or(f64::NAN));
            }
        });
    }

    fn take_fault(&mut self) -> Option<Fault> {
        self.fault.take()
    }
}

fn call_if<'py>(
    py: Python<'py>,
    method: Option<&Py<PyAny>>,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<()> {
    method.map_or(Ok(()), |method| method.bind(py).call1(arguments).map(drop))
}
