//! Packets that are held up before the queue instead of lost (ns-2's `delay_pkt_`).

use super::counted::Counter;
use super::numbers::Numbers;
use base::{Duration, Packet};

/// Holds up the packets with given numbers.
#[derive(Clone, Debug)]
pub struct Hold {
    counter: Counter,
    numbers: Numbers,
    delay: Duration,
}

impl Hold {
    /// Creates the hold of packets with `numbers` for `delay`.
    pub fn new(counter: Counter, numbers: Numbers, delay: Duration) -> Self {
        Self { counter, numbers, delay }
    }

    /// Returns the time for which `packet`, arriving now, is held up; `None` if it passes.
    pub fn hold(&mut self, packet: &Packet) -> Option<Duration> {
        let number = self.counter.number(packet)?;
        self.numbers.take(number).then_some(self.delay)
    }
}
