//! Loss trace: a repeated sequence of marks that says for each packet if it is lost.

use super::counted::{Counted, Counter};
use super::model::{Lose, LossSettings, Place};
use base::{Packet, Rng};
use settings::{Error, Settings};
use std::sync::Arc;

/// Settings of a loss trace.
#[derive(Clone, PartialEq, Debug, Settings)]
pub struct Config {
    /// File of the digits 0 and 1, with any white space between them, one digit for each packet: 1 if the
    /// packet is lost, 0 if not. At its end the sequence starts over.
    pub trace: Option<String>,
    /// Content of the file: numbers of the lost packets, counted from 0. Filled in when the file is read.
    pub lost: Option<Arc<[u64]>>,
    /// Content of the file: number of packets after which the sequence starts over.
    pub length: Option<u64>,
    /// Choice of the packets that are numbered.
    #[setting(flatten)]
    pub counted: Counted,
}

/// State of a loss trace.
#[derive(Clone, Debug)]
pub struct Trace {
    counter: Counter,
    /// Numbers of the lost packets, ascending.
    lost: Arc<[u64]>,
    /// Number of packets after which the sequence starts over; larger than any number in `lost`.
    length: u64,
}

impl LossSettings for Config {
    type Model = Trace;

    fn complete(&mut self, _: Place) -> Result<(), Error> {
        let (Some(lost), Some(length)) = (&self.lost, self.length) else {
            let (key, message) = match (&self.trace, &self.lost) {
                (Some(_), None) => ("trace", "the file has not been read"),
                (_, Some(_)) => ("length", "`length` is missing"),
                (None, None) => ("trace", "`trace` is missing"),
            };
            return Err(Error::new(key, message).allowed(
                "a file of 0 and 1: trace = \"FILE\"; or its content: lost = [3, 7], length = 100",
            ));
        };
        let mut lost = lost.to_vec();
        lost.sort_unstable();
        lost.dedup();
        if lost.last().is_some_and(|last| *last >= length) || length == 0 {
            let message = "a trace is longer than the number of each packet that it loses";
            let allowed = format!("more than {}", lost.last().copied().unwrap_or_default());
            return Err(Error::new("length", message).allowed(allowed));
        }
        self.lost = Some(lost.into());
        // From here on only the content counts: scenarios that differ only in the file's name are equal.
        self.trace = None;
        Ok(())
    }

    fn flow(&self) -> Option<usize> {
        self.counted.flow
    }

    fn build(&self, _: Rng) -> Trace {
        let lost = self.lost.clone().unwrap_or_default();
        Trace { counter: Counter::of(self.counted), lost, length: self.length.unwrap_or(1) }
    }
}

impl Lose for Trace {
    fn lose(&mut self, packet: &Packet) -> bool {
        let number = self.counter.number(packet);
        number.is_some_and(|number| self.lost.binary_search(&(number % self.length)).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::tests::lost;

    #[test]
    fn a_trace_starts_over() {
        let lost_ones = Some(Arc::from([3, 0, 3]));
        let config =
            Config { trace: None, lost: lost_ones, length: Some(4), counted: Counted { flow: None } };
        assert_eq!(lost(config, 10), [0, 3, 4, 7, 8]);
    }
}
