//! Frame on its way to one station.

use crate::phy::air::{Kind, Transmission};
use crate::phy::channel::Path;
use crate::phy::reception::Signal;
use crate::phy::sensing::SensingRules;
use crate::stats::Fault;
use base::{Duration, Instant};

/// MPDUs of a frame that were received, one bit each; a frame without aggregation counts as a single MPDU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parts([u64; 4]);

impl Parts {
    pub(crate) const NONE: Self = Self([0; 4]);
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    /// Returns true if MPDU `i`, from 0, was received.
    #[inline]
    pub(crate) const fn has(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    /// Marks MPDU `i`, from 0, as received.
    pub(crate) const fn add(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
}

/// Result of a reception: the MPDUs that were received, or the fault if none was.
pub(crate) type Verdict = Result<Parts, Fault>;

/// Frame during its arrival at a station.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrival {
    pub(crate) number: u64,
    pub(crate) begins: Instant,
    pub(crate) ends: Instant,
    /// Received power in dBm, and in mW (`beside`). Infinity means that the power exceeds all thresholds; `beside` is
    /// then the distance in metres.
    pub(crate) power: f64,
    pub(crate) beside: f64,
    /// Number of the frame's mode.
    pub(crate) mode: u8,
    pub(crate) fault: Option<Fault>,
    /// Sender; `mine`: true if the frame is for this station.
    pub(crate) from: u32,
    pub(crate) mine: bool,
    /// Duration field: time for which the frame reserves the medium after its end.
    pub(crate) reserves: Duration,
    pub(crate) kind: Kind,
    /// EIFS without DIFS, if the frame has errors.
    pub(crate) eifs: Duration,
    /// Least time from the end of the frame to the beginning of DIFS or AIFS, as far as known.
    pub(crate) wait: Duration,
}

impl Arrival {
    /// Creates the arrival of a frame over `path`. `mine`: the frame is for this station.
    #[inline(always)]
    pub(crate) fn new(
        number: u64,
        frame: &Transmission,
        path: &Path,
        mine: bool,
        rules: &SensingRules,
    ) -> Self {
        let fault = (path.power < rules.receive).then_some(Fault::OutOfRange);
        let wait = match (fault, mine) {
            (Some(_), _) => frame.eifs,
            (None, true) => Duration::ZERO,
            (None, false) => frame.eifs.min(frame.reserves),
        };
        Self {
            number,
            begins: frame.begins + path.delay,
            ends: frame.ends + path.delay,
            power: path.power,
            beside: path.beside,
            mode: frame.mode,
            fault,
            from: frame.from,
            mine,
            reserves: frame.reserves,
            kind: frame.kind,
            eifs: frame.eifs,
            wait,
        }
    }

    /// Returns the frame as a signal that interferes with others.
    pub(crate) const fn signal(&self) -> Signal {
        Signal { number: self.number, begins: self.begins, ends: self.ends, power: self.beside }
    }

    /// Returns true if the frame overlaps a signal in time.
    pub(crate) fn meets(&self, signal: &Signal) -> bool {
        signal.begins < self.ends && signal.ends > self.begins
    }

    /// Records the first fault of the frame: it is not received, and EIFS follows its end.
    pub(crate) fn collide(&mut self, fault: Fault) {
        self.fault = self.fault.or(Some(fault));
        self.wait = self.eifs;
    }
}
