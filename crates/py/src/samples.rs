//! Samples that a control in Python gets: the fields of the samples in Rust, under the same names, with times in
//! seconds.

use base::{Duration, Instant};
use pyo3::prelude::*;
use tcp::congestion::{AckSample, Arrival, Congestion, LossSample, Transmission};
use tcp::rate::RateSample;

/// Conversion of a field to its Python type.
trait ToPython {
    type Value;
    fn to_python(self) -> Self::Value;
}

macro_rules! to_python {
    ($($type:ty => $value:ty, |$given:ident| $to:expr;)+) => {$(
        impl ToPython for $type {
            type Value = $value;
            #[inline]
            fn to_python(self) -> $value {
                let $given = self;
                $to
            }
        }
    )+};
}

to_python! {
    Instant => f64, |at| at.secs();
    Duration => f64, |span| span.secs();
    f64 => f64, |number| number;
    u64 => u64, |number| number;
    bool => bool, |truth| truth;
    Congestion => &'static str, |why| why.name();
    Transmission => (f64, u32), |last| (last.sent.secs(), last.transmissions);
}

impl<T: ToPython> ToPython for Option<T> {
    type Value = Option<T::Value>;
    #[inline]
    fn to_python(self) -> Self::Value {
        self.map(ToPython::to_python)
    }
}

/// Declares the Python class of a sample: the fields of the Rust sample as properties, and further methods.
macro_rules! sample {
    ($class:ident, $name:literal, $sample:ident { $($field:ident: $type:ty),+ $(,)? } $({ $($also:tt)* })?) => {
        #[doc = concat!("[`", stringify!($sample), "`] in Python.")]
        #[pyclass(frozen, module = "ackclock._core", name = $name)]
        pub(crate) struct $class(pub(crate) $sample);

        #[pymethods]
        impl $class {
            $(
                #[getter]
                fn $field(&self) -> $type {
                    self.0.$field.to_python()
                }
            )+

            fn __repr__(&self) -> String {
                self.0.to_string()
            }

            $($($also)*)?
        }
    };
}

sample! {
    Ack, "AckSample", AckSample {
        now: f64, count: f64, una_before: u64, una: u64, next: u64, delayed: bool, rtt: Option<f64>, srtt: Option<f64>,
        one_way: Option<f64>, outstanding: u64, grow: bool,
    } {
        fn window_limited(&self, cwnd: f64) -> bool {
            self.0.window_limited(cwnd)
        }
    }
}

sample! {
    Arrived, "Arrival", Arrival { now: f64, acked: u64, outstanding: u64, segment: u64, srtt: Option<f64>, marked: bool }
}

sample! {
    Rated, "RateSample", RateSample {
        now: f64, rate: Option<f64>, interval: f64, app_limited: bool, cwnd_limited: bool, rtt: Option<f64>, delivered: u64,
        prior_delivered: u64, newly_delivered: u64, lost: u64, prior_lost: u64, tx_in_flight: u64, in_flight: u64, una: u64,
    }
}

sample! {
    Loss, "LossSample", LossSample {
        now: f64, why: &'static str, base: f64, whole: bool, whole_ssthresh: bool, halve_in_slow_start: bool, early: bool,
        floor: f64, keep_ssthresh: bool, oldest: (f64, u32), abe: Option<f64>, una: u64, outstanding: u64,
    } {
        #[getter]
        fn timeout(&self) -> bool {
            self.0.timeout()
        }

        #[getter]
        fn goes_on(&self) -> bool {
            self.0.why.goes_on()
        }

        fn reduced(&self, factor: f64) -> f64 {
            self.0.reduced(factor)
        }

        fn less(&self, share: f64) -> f64 {
            self.0.less(share)
        }

        fn threshold(&self, window: f64) -> f64 {
            self.0.threshold(window)
        }
    }
}
