//! Task of a guest: the flow that it carries.

use crate::Table;
use base::Duration;

/// Time of the guest at which the flow begins, nanoseconds; the guest has booted by then.
pub(crate) const BEGIN: u64 = 5_000_000_000;

/// Flow that a guest carries: settings of the kernel, seed, bytes to send (endless if `None`), and duration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Errand {
    pub table: Table,
    pub seed: u64,
    pub size: Option<u64>,
    /// Time from the beginning of the flow to its stop.
    pub lasts: Duration,
}

impl Errand {
    /// Returns the words of the kernel's command line that its init reads.
    pub(crate) fn words(&self) -> [String; 6] {
        [
            format!("CONTROL={}", self.table.control.name()),
            format!("BEGIN={BEGIN}"),
            format!("STOP={}", BEGIN + self.lasts.ps() / 1000),
            format!("SIZE={}", self.size.unwrap_or(0)),
            format!("ECN={}", u8::from(self.table.ecn)),
            format!("BUFFER={}", self.table.receive_buffer),
        ]
    }
}
